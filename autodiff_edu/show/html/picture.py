"""From a diagram to an image, which draws itself wherever it is shown: notebook, book, file."""

import hashlib
import html
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from ..diagram.diagram import Diagram, dot
from ..diagram.frames import dot_with_frames
from ..diagram.layout import GraphvizMissing, render
from ..diagram.svg import svg
from ..diagram.theme import Sign
from . import page
from .showable import Showable


@dataclass(frozen=True, repr=False)
class Picture(Showable):
    """An immutable drawing: its `dot` text, a sentence `alt`, and a `listing` of what is drawn.

    Parameters
    ----------
    dot : str
        The text that Graphviz lays out.
    alt : str
        A sentence, for those who do not see it.
    listing : str
        What is drawn, as text.
    signs : tuple of str, optional
        The colours and labels that it uses, as a key explains them; None if that is not known.

    Examples
    --------
    >>> picture = ad.draw(ad.scalar("x") * 2)
    >>> picture.alt
    'Graph: 1 input (x); 1 constant (2); 1 operation (×); 1 output (out).'
    >>> picture.svg[:4], picture.dot[:7]
    ('<svg', 'digraph')
    """

    kind: ClassVar = "picture"
    dot: str
    alt: str
    listing: str
    signs: tuple[Sign, ...] | None = None

    @classmethod
    def of(cls, diagram: Diagram, alt: str = "") -> "Picture":
        """The diagram drawn.

        Parameters
        ----------
        diagram : Diagram
            What to draw.
        alt : str, default: ''
            A sentence; by default that of the diagram.

        Returns
        -------
        Picture
            The drawing.

        Examples
        --------
        >>> from autodiff_edu.show import Diagram, Node, Picture
        >>> Picture.of(Diagram((Node("a", "hello"),), ())).listing
        'a  operation  hello'
        """
        text = dot_with_frames(diagram) if diagram.has_frames else dot(diagram)
        return cls(text, alt or diagram.alt, diagram.listing, diagram.signs)

    @property
    def svg(self) -> str:
        """The drawing, laid out when it is first asked for.

        Raises
        ------
        GraphvizMissing
            If Graphviz is not installed.
        """
        return svg(self.dot, self.alt, self.listing)

    @property
    def _short(self) -> str:
        return page.short(self.dot)

    @property
    def digest(self) -> str:
        """Twelve hexadecimal digits that change whenever the drawing does."""
        return hashlib.sha256(self.dot.encode()).hexdigest()[:12]

    @property
    def widths(self) -> tuple[int, int]:
        """Its own width in pixels and the least that is legible; 0 where it cannot be drawn."""
        try:
            return page.size(self._short)[0], page.narrowest(self._short)
        except GraphvizMissing:
            return 0, 0

    @property
    def height(self) -> int:
        """Its own height in pixels; 0 where it cannot be drawn."""
        try:
            return page.size(self._short)[1]
        except GraphvizMissing:
            return 0

    @property
    def brief(self) -> str:
        return f"  {self.digest}"

    def image(self, widest: int = 0) -> str:
        """The drawing as HTML `<img>`; beside pictures up to `widest`, at their common scale.

        Parameters
        ----------
        widest : int, default: 0
            The width of the widest picture beside it.

        Returns
        -------
        str
            HTML; the listing where Graphviz is not installed.

        Examples
        --------
        >>> ad.draw(ad.scalar("x")).image()[:4]
        '<img'
        """
        try:
            return page.image(self._short, self.alt, widest)
        except GraphvizMissing as missing:
            return f"<p>{missing}</p><pre>{html.escape(self.listing)}</pre>"

    def save(self, path: str | Path) -> Path:
        """Write a .svg, .dot, .png or .pdf file; the last two know only DejaVu Sans's letters.

        Parameters
        ----------
        path : str or Path
            Where.

        Returns
        -------
        Path
            The same.

        Raises
        ------
        ValueError
            If the name ends in anything else.

        Examples
        --------
        >>> import os, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     ad.draw(ad.scalar("x")).save(os.path.join(folder, "x.svg")).name
        'x.svg'
        """
        path = Path(path)
        if path.suffix not in FILES:
            raise ValueError(f"cannot save {path.name!r}: end the name in {', '.join(FILES)}")
        path.write_bytes(FILES[path.suffix](self))
        return path

    def __repr__(self) -> str:
        return f"{self.listing}\nDOT sha256 {self.digest}"

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        bundle = super()._repr_mimebundle_()
        try:
            return bundle | {"image/svg+xml": self.svg}
        except GraphvizMissing:
            return bundle


FILES: dict[str, Callable[[Picture], bytes]] = {
    ".svg": lambda p: p.svg.encode(),
    ".dot": lambda p: p.dot.encode(),
    ".png": lambda p: render(p.dot, "png"),
    ".pdf": lambda p: render(p.dot, "pdf"),
}
