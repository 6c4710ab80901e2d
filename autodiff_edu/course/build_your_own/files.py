"""The folder of a student's engine: begun from stubs, completed from reference files, and read."""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from keyword import iskeyword
from pathlib import Path

from ..harness.feedback import Wrong
from ..harness.markers import without_markers, without_solutions

OTHERS = sys.stdlib_module_names | {"numpy"}  # what an engine of one's own may rest on
TASKS = ("node", "graph", "forward", "reverse", "simplify", "draw", "arrays", "train")
REFERENCE = Path(__file__).parent / "reference"


@dataclass(frozen=True)
class Files:
    """The texts of the files in a folder, by their names without .py."""

    folder: str
    texts: dict[str, str]

    @property
    def __name__(self) -> str:
        """What messages call them."""
        return self.folder


def start_engine(folder: str | Path) -> None:
    """Begin an engine of one's own: write the eight files of *Build your own* into a folder.

    Each file says what has to be written, in place of `raise NotImplementedError()`. A file that is
    already there stays as it is.

    Parameters
    ----------
    folder : str or Path
        The folder, which is made if it is not there. Its name is that of a Python package.

    Raises
    ------
    ValueError
        If no Python package can have this name.
    """
    place = package(folder)
    place.mkdir(parents=True, exist_ok=True)
    for name in TASKS:
        target = place / f"{name}.py"
        print(f"{place.name}/{name}.py", "is there already" if target.exists() else "is new")
        if not target.exists():
            write(target, without_solutions(reference(name)))


def reference_file(folder: str | Path, name: str) -> None:
    """Put our file in the place of one's own, so that who is stuck at a task can do the next.

    One's own file is kept: node.py becomes node_mine.py.

    Parameters
    ----------
    folder : str or Path
        The folder of the engine.
    name : str
        Which file: "node", "graph", "forward", "reverse", "simplify", "draw", "arrays" or "train".

    Raises
    ------
    ValueError
        If there is no such file.
    """
    if name not in TASKS:
        raise ValueError(f"there is no file {name!r}: the files are {', '.join(TASKS)}")
    place = package(folder)
    place.mkdir(parents=True, exist_ok=True)
    target, ours = place / f"{name}.py", without_markers(reference(name))
    if target.exists() and target.read_text("utf-8") != ours:
        kept = next(path for path in kept_as(target) if not path.exists())
        target.rename(kept)
        print(f"your {name}.py is kept as {kept.name}")
    write(target, ours)
    print(f"{place.name}/{name}.py is the reference file now")


def package(folder: str | Path) -> Path:
    """The folder. Raises ValueError if a Python package cannot have its name, or another has it."""
    place, name = Path(folder), Path(folder).resolve().name
    if not name.isidentifier() or iskeyword(name):
        raise ValueError(
            f"{name!r} cannot be the name of a Python package: "
            "use letters, digits and _, as in 'my_engine'"
        )
    if name in OTHERS or name == __name__.partition(".")[0]:
        raise ValueError(f"Python has a package {name!r} already: use a name of your own")
    return place


def kept_as(path: Path) -> Iterator[Path]:
    """node_mine.py, node_mine_2.py, node_mine_3.py, ..."""
    yield path.with_stem(f"{path.stem}_mine")
    yield from (path.with_stem(f"{path.stem}_mine_{k}") for k in count(2))


def reference(name: str) -> str:
    return (REFERENCE / f"{name}.py").read_text("utf-8")


def write(path: Path, text: str) -> None:
    path.write_text(text, "utf-8", newline="\n")


def read(folder: str | Path) -> Files:
    """All files of a student's folder, as they are now. Raises Wrong if there are none."""
    place = package(folder)
    texts = {path.stem: text_of(path) for path in sorted(place.glob("*.py"))}
    if not texts:
        name = place.resolve().name
        raise Wrong(f"there is no engine in {name}: course.start_engine({name!r}) begins one")
    return Files(place.resolve().name, texts)


def text_of(path: Path) -> str:
    """Some editors begin a file with a mark, which is no part of it. Raises Wrong for odd bytes."""
    try:
        return path.read_text("utf-8-sig")
    except UnicodeDecodeError:
        raise Wrong(f"{path.name} is no text in UTF-8: save it as UTF-8 in your editor") from None
