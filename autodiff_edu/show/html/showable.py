"""What can be shown: pictures, texts, films, comparisons, tables, rules keep one small protocol.

A new kind of picture is one new file in `views/`: a class that inherits from `Showable`, and what
it is a picture of, registered with `drawing`, `table`, `filming` or `latex`.
"""

from typing import Any, ClassVar, Protocol, runtime_checkable

from . import page


@runtime_checkable
class Showable(Protocol):
    """Text by `repr` and HTML by `image`; a class that inherits has the rest.

    kind    what it is called in HTML
    widths  its own width in pixels and the least that is legible, or 0 where the page decides
    brief   what the text of a film tells of it: all of it, unless it has a digest
    """

    kind: ClassVar[str]

    def image(self, widest: int = 0) -> str:
        """As HTML that needs nothing else.

        Parameters
        ----------
        widest : int, default: 0
            The width of the widest picture beside it, whose scale it keeps.

        Returns
        -------
        str
            HTML.
        """
        ...

    @property
    def widths(self) -> tuple[int, int]:
        return 0, 0

    @property
    def brief(self) -> str:
        """What the text of a film tells of it."""
        return f":\n{self!r}"

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return {"text/plain": repr(self), "text/html": page.card(self.image(), self.kind)}
