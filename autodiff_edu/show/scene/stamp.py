"""Put the explorer's modules as they are now into the outputs of notebooks, without running them.

A document, a picture or the line that starts the script may have changed too: then the notebook has
to be executed.
"""

import re
import sys
from pathlib import Path

from .explorer import modules, packed, unpacked

PACKED = re.compile(r'(?<=\[await unpack\(\\")[^\\"]+(?=\\"\)\],\{type)')


def is_late(text: str) -> bool:
    """Has a notebook's text other modules? They are compared unpacked: zlib has versions."""
    packs = {unpacked(part) for part in PACKED.findall(text)}
    return bool(packs - {modules()})


def stamp(paths: list[str]) -> None:
    """Write the modules into these notebooks, and print the name of each that changes."""
    for path in map(Path, paths):
        text = path.read_text("utf-8")
        if is_late(text):
            path.write_text(PACKED.sub(packed(modules()), text), "utf-8", newline="\n")
            print(path.name)


if __name__ == "__main__":
    stamp(sys.argv[1:])
