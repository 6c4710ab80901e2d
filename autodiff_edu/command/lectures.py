"""The lectures inside the package: where they are, and copies of them to work in.

A wheel has them beside the course; in a checkout they stand in `notebooks`.
"""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

PACKED = Path(__file__).parents[1] / "course" / "notebooks"
CHECKOUT = Path(__file__).parents[2] / "notebooks"


class Copied(NamedTuple):
    """What became of a file, in words: copied, there already, or kept since it differs."""

    path: Path
    words: str


def home() -> Path:
    """The folder of the lectures. Raises FileNotFoundError if there is none."""
    for folder in (PACKED, CHECKOUT):
        if (folder / "exercises").is_dir():
            return folder
    raise FileNotFoundError("this installation has no lectures: install the wheel of the project")


def instructor_notebooks() -> list[Path]:
    """The exercises with their solutions and hidden tests."""
    return sorted((home() / "exercises").glob("*.ipynb"))


def wanted(instructor: bool) -> Iterator[tuple[Path, Path]]:
    """Each file, and where it goes: exercises are students' versions, or the instructor's."""
    exercises = home() / "exercises" / ("." if instructor else "student")
    for path in sorted(home().glob("*.ipynb")):
        yield path, Path(path.name)
    for path in sorted(exercises.glob("*.ipynb")):
        yield path, Path("exercises", path.name)


def copy_lectures(folder: Path, instructor: bool = False) -> list[Copied]:
    """Copy lectures and exercises into a folder; a file that is there and differs is kept.

    Parameters
    ----------
    folder : Path
        Where; it is made if it is not there.
    instructor : bool, default: False
        Whether exercises have their solutions.

    Returns
    -------
    list of Copied
        What became of each file.
    """
    return [copy(source, folder / place) for source, place in wanted(instructor)]


def copy(source: Path, target: Path) -> Copied:
    """Copy one file, unless one is there."""
    if not target.exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)
        return Copied(target, "copied")
    same = target.read_bytes() == source.read_bytes()
    return Copied(target, "there already" if same else "kept: it has been changed")
