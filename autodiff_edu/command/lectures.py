"""The lectures inside the package: where they are, and copies of them to work in.

A wheel has them beside the course; in a checkout they stand in `notebooks`.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from ..course.slides.handout import handout

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


def lecture_notebooks() -> list[Path]:
    """The lectures, with their outputs."""
    return sorted(home().glob("*.ipynb"))


def instructor_notebooks() -> list[Path]:
    """The exercises with their solutions and hidden tests."""
    return sorted((home() / "exercises").glob("*.ipynb"))


def wanted(instructor: bool) -> Iterator[tuple[Path, Path]]:
    """Each file, and where it goes: exercises are students' versions, or the instructor's."""
    exercises = home() / "exercises" / ("." if instructor else "student")
    if instructor and not instructor_notebooks():
        raise FileNotFoundError("this installation is one for students: it has no solutions")
    for path in lecture_notebooks():
        yield path, Path(path.name)
    for path in sorted(exercises.glob("*.ipynb")):
        yield path, Path("exercises", path.name)


def copy_lectures(folder: Path, instructor: bool = False, cleared: bool = False) -> list[Copied]:
    """Copy lectures and exercises into a folder; a file that is there and differs is kept.

    Parameters
    ----------
    folder : Path
        Where; it is made if it is not there.
    instructor : bool, default: False
        Whether exercises have their solutions.
    cleared : bool, default: False
        Whether lectures come without outputs, as a handout.

    Returns
    -------
    list of Copied
        What became of each file.
    """
    done = []
    for source, place in wanted(instructor):
        text = source.read_text("utf-8")
        done.append(copy(handout(text) if cleared else text, folder / place))
    return done


def copy(text: str, target: Path) -> Copied:
    """Write a file, unless one is there."""
    if not target.exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, "utf-8", newline="\n")
        return Copied(target, "copied")
    same = target.read_text("utf-8", errors="replace") == text
    return Copied(target, "there already" if same else "kept: it differs from ours")
