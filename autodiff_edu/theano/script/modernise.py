"""Move a script to modern names: what has one is renamed, what has not is listed."""

from pathlib import Path
from typing import NamedTuple

from ..core.missing import PAGE
from .python2 import converted


class Modernised(NamedTuple):
    """The new text, the names that were changed, and what was left, line by line."""

    text: str
    changed: dict[str, str]
    left: list[str]

    def report(self) -> str:
        """What was done, in words."""
        done = [f"{old} → ad.{new}" for old, new in sorted(self.changed.items())]
        lines = ["renamed:", *[f"  {line}" for line in done]] if done else ["nothing was renamed"]
        rest = ["left:", *[f"  {line}" for line in self.left], f"see {PAGE}"] if self.left else []
        return "\n".join([*lines, *rest])


def modernise(path: str | Path) -> Modernised:
    """A script with modern names.

    Parameters
    ----------
    path : str or Path
        The script, which stays as it is.

    Returns
    -------
    Modernised
        The new text, what was renamed, and what was left for a person.

    Raises
    ------
    ImportError
        If LibCST is not installed.
    """
    try:
        from .renaming import renamed
    except ImportError:
        raise ImportError("libcst reads and writes the script: pip install "
                          "'autodiff-edu[theano]'") from None  # fmt: skip
    path = Path(path)
    source = converted(path.read_text("utf-8"), path.name)
    text, work = renamed(source.text)
    if source.classic:
        work.left.append("every `/` of two whole numbers: Python 2 gave a whole number, `//` does")
    return Modernised(text, work.changed, work.left)
