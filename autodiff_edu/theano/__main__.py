"""`python -m autodiff_edu.theano script.py`: run an old script, or print it with modern names."""

import argparse
import sys
from collections.abc import Sequence

from .script import modernise, run


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser("python -m autodiff_edu.theano", description=__doc__)
    parser.add_argument("script", help="a script of Theano's years")
    parser.add_argument("--show", action="store_true", help="print the conversion from Python 2")
    parser.add_argument("--modernise", action="store_true", help="print it with modern names")
    parser.epilog = "What else is given are the script's own arguments."
    given, rest = parser.parse_known_args(arguments)
    if given.modernise:
        made = modernise(given.script)
        print(made.text, end="")
        print(made.report(), file=sys.stderr)
    else:
        run(given.script, given.show, rest)


if __name__ == "__main__":
    main()
