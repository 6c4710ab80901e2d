"""`python -m autodiff_edu.course` makes the student versions of all exercises anew."""

import sys
from pathlib import Path

from .harness.student import student_version

EXERCISES = Path(__file__).parents[2] / "notebooks" / "exercises"


def main(*names: str) -> None:
    """Write student/NAME.ipynb beside each instructor version; by default beside all of ours."""
    for path in [Path(name) for name in names] or sorted(EXERCISES.glob("*.ipynb")):
        target = path.parent / "student" / path.name
        target.parent.mkdir(exist_ok=True)
        target.write_text(student_version(path.read_text("utf-8")), "utf-8", newline="\n")
        print("student version of", path.name)


if __name__ == "__main__":
    main(*sys.argv[1:])
