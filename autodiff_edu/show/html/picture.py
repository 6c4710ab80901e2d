"""From a diagram to an image, which draws itself wherever it is shown: notebook, book, file.

Graphviz lays out the DOT text in this process, from the pygraphviz wheel. Where pygraphviz cannot
be imported, a `dot` program of the system does the same work; where there is none either,
`GraphvizMissing` says what to install, and pictures show their text form.
"""

import hashlib
import html
import os
import re
import shutil
import subprocess
from collections.abc import Callable
from contextlib import redirect_stderr
from dataclasses import dataclass
from functools import lru_cache
from io import StringIO
from pathlib import Path
from threading import RLock
from typing import Any, ClassVar, Literal

from ..diagram.diagram import Diagram
from ..diagram.dot import dot
from ..diagram.fonts import caught_stderr, pinned_fonts
from ..diagram.svg import finish, narrowest, silent, size
from ..diagram.theme import Sign
from . import page
from .showable import Showable

Format = Literal["svg", "png", "pdf"]
Renderer = Callable[[str, Format], bytes]

PNG_DPI = 192
LIMIT = "16"  # steps a node to place them: few pictures need as many, and some a thousand
REMEDY = "To see pictures, `pip install pygraphviz` (Graphviz is in it), or install Graphviz."
WIDE = re.compile(  # characters for which DejaVu Sans has no measure
    "([\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60"
    "\uffe0-\uffe6\U0001f000-\U0001faff\U00020000-\U0003fffd])"
)
SPACER = "\u2005"  # a quarter of an em: DejaVu's stand-in for a Chinese character is 0.84 em wide


class GraphvizMissing(RuntimeError):
    """Neither pygraphviz nor a `dot` program is here."""


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
        return cls(dot(diagram), alt or diagram.alt, diagram.listing, diagram.signs)

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
        return short(self.dot)

    @property
    def digest(self) -> str:
        """Twelve hexadecimal digits that change whenever the drawing does."""
        return hashlib.sha256(self.dot.encode()).hexdigest()[:12]

    @property
    def widths(self) -> tuple[int, int]:
        """Its own width in pixels and the least that is legible; 0 where it cannot be drawn."""
        try:
            return size(self._short)[0], narrowest(self._short)
        except GraphvizMissing:
            return 0, 0

    @property
    def height(self) -> int:
        """Its own height in pixels; 0 where it cannot be drawn."""
        try:
            return size(self._short)[1]
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


# ---- Graphviz

_one_at_a_time = RLock()  # Graphviz's C code keeps state in global variables
if hasattr(os, "register_at_fork"):  # so a process does not fork while a thread is drawing
    _free = _one_at_a_time.release
    os.register_at_fork(before=_one_at_a_time.acquire, after_in_parent=_free, after_in_child=_free)


@lru_cache(maxsize=512)
def laid_out(dot: str) -> str:
    """Graphviz's own SVG, from which ours are made."""
    return render(dot, "svg").decode().replace(SPACER, "")


def svg(dot: str, title: str = "", description: str = "") -> str:
    """The drawing as SVG text: the same bytes for the same text on every machine."""
    return finish(laid_out(dot), title, description)


@lru_cache(maxsize=512)
def short(dot: str) -> str:
    """The drawing as an `<img>` needs it: the same bytes on every machine, too."""
    return silent(laid_out(dot))


def render(dot: str, format: Format) -> bytes:
    """What Graphviz makes of the text. Raises ValueError, with its words, where it is not DOT."""
    with _one_at_a_time:
        drawn = renderer()(spaced(dot), format)
    if format != "pdf":
        return drawn
    # cairo writes the time of day; as many zeros keep the offsets in the file right
    return re.sub(rb"(?<=/CreationDate \(D:)\d+", lambda date: b"0" * len(date[0]), drawn)


def spaced(dot: str) -> str:
    """DOT text with room after each wide character, which is taken out of the drawing again."""
    return WIDE.sub(rf"\1{SPACER}", dot)


# ---- the two ways to Graphviz


@lru_cache(maxsize=1)
def renderer() -> Renderer:
    """The best way to Graphviz that this machine has."""
    try:
        return _in_process()
    except ImportError:
        return _system_dot()


def _in_process() -> Renderer:
    import pygraphviz  # not at the top: a machine without it can still do everything else

    def draw(dot: str, format: Format) -> bytes:
        """Graphviz in this process, from pygraphviz."""
        with caught_stderr() as words, redirect_stderr(StringIO()):  # C code and pygraphviz
            try:
                graph = pygraphviz.AGraph(string=dot)
                graph.graph_attr["nslimit"] = LIMIT
                if format == "png":
                    graph.graph_attr["dpi"] = str(PNG_DPI)
                return graph.draw(format=format, prog=dict(graph.graph_attr).get("layout", "dot"))
            except (ValueError, pygraphviz.DotError) as e:
                words.seek(0)
                raise ValueError(f"Graphviz: {words.read().decode().strip() or e}") from None

    # fontconfig reads its configuration once, when the first label is measured
    with pinned_fonts():
        draw("graph { a }", "svg")
    return draw


def _system_dot() -> Renderer:
    program = shutil.which("dot")
    if program is None:
        raise GraphvizMissing(REMEDY)

    def draw(dot: str, format: Format) -> bytes:
        """The program `dot` of this system."""
        command = [program, f"-T{format}", f"-Gnslimit={LIMIT}"] + [f"-Gdpi={PNG_DPI}"] * (
            format == "png"
        )
        with pinned_fonts():
            done = subprocess.run(command, input=dot.encode(), capture_output=True)
        if done.returncode:
            raise ValueError(f"Graphviz: {done.stderr.decode().strip()}")
        return done.stdout

    return draw
