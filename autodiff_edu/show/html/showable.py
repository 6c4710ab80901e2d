"""What can be shown: pictures, texts, films, comparisons, tables, rules keep one small protocol.

A new kind of picture is one new file in `views/`: a class that inherits from `Showable`, and what
it is a picture of, registered with `drawing`, `table`, `filming` or `latex`.
"""

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, Protocol, runtime_checkable

from ..diagram.theme import Sign
from . import page


@runtime_checkable
class Showable(Protocol):
    """Text by `repr` and HTML by `image`; a class that inherits has the rest.

    kind    what it is called in HTML
    widths  its own width in pixels and the least that is legible, or 0 where the page decides
    height  its own height in pixels, or 0 likewise
    signs   the colours and labels in it that a key explains, or None where that is not known
    key     the words for them
    brief   what the text of a film tells of it: all of it, unless it has a digest
    """

    kind: ClassVar[str]
    key: Sequence[page.Word] = ()

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

        Examples
        --------
        >>> ad.draw(ad.scalar("x")).image()[:4]
        '<img'
        """
        ...

    @property
    def widths(self) -> tuple[int, int]:
        """Its own width in pixels and the least that is legible; 0 where the page decides."""
        return 0, 0

    @property
    def _parts(self) -> "Iterable[Showable]":
        """The pictures in it."""
        return ()

    @property
    def signs(self) -> Sequence[Sign] | None:
        """The colours and labels that a key explains, or None where that is not known.

        Examples
        --------
        >>> x = ad.scalar("x")
        >>> ad.draw(ad.grad(x * x, x)).signs
        ('forward', 'derivative')
        """
        return page.signs(part.signs for part in self._parts)

    @property
    def height(self) -> int:
        """Its own height in pixels; 0 where the page decides."""
        return 0

    @property
    def brief(self) -> str:
        """What the text of a film tells of it."""
        return f":\n{self!r}"

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        shown = self.image() + page.key(self.key, self.signs)
        return {"text/plain": repr(self), "text/html": page.card(shown, self.kind)}
