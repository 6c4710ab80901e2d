"""`python -m autodiff_edu.course` makes the student versions of all exercises anew, and writes the
time at the top of each lecture. For the path *Build your own* there are three commands:

build my_engine             begin the eight files of an engine of one's own, in a folder
check my_engine 3           check task 3, with all tasks before it; without a number, all eight
reference my_engine graph   put our graph.py in the place of one's own, which is kept
"""

import sys
from pathlib import Path

from . import Wrong, check_engine, reference_file, start_engine

LECTURES = Path(__file__).parents[2] / "notebooks"
EXERCISES = LECTURES / "exercises"
COMMANDS = {"build": start_engine, "check": check_engine, "reference": reference_file}


def main(*words: str) -> None:
    """One of the commands, or student versions of the notebooks named."""
    if not words or words[0] not in COMMANDS:
        student_versions(*words)
        return
    command, *said = words
    numbers = [int(word) if word.isdecimal() else word for word in said[1:]]
    try:
        COMMANDS[command](*said[:1], *numbers)  # type: ignore[operator]
    except (Wrong, ValueError) as error:
        raise SystemExit(f"{type(error).__name__}: {error}") from None
    except TypeError:
        raise SystemExit(__doc__) from None


def student_versions(*names: str) -> None:
    """Write student/NAME.ipynb beside each instructor version; by default beside all of ours."""
    from .harness.minutes import timed
    from .harness.student import student_version

    for path in [Path(name) for name in names] or sorted(EXERCISES.glob("*.ipynb")):
        target = path.parent / "student" / path.name
        target.parent.mkdir(exist_ok=True)
        target.write_text(student_version(path.read_text("utf-8")), "utf-8", newline="\n")
        print("student version of", path.name)
    for path in [] if names else sorted(LECTURES.glob("*.ipynb")):
        path.write_text(timed(path.read_text("utf-8")), "utf-8", newline="\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
