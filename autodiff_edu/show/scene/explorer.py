"""The explorer: one output, in which a picture stands first and a script replaces it where scripts
run. Nothing is fetched, and no kernel is asked.

The document and the modules are packed into the output. A page that forbids scripts, an untrusted
notebook, paper and mail keep the picture.
"""

import base64
import gzip
import html
import json
import re
from collections.abc import Mapping, Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import Any, ClassVar

from ...differentiate import D, forward_mode, reverse_mode, symbolic_derivative
from ...expr import Expr, Graph, Growing, Pipeline, Rewriting, Stage, as_graph, hook, shown
from ...rewrite import simplify
from ..html import page
from ..html.picture import Picture
from ..html.showable import Showable
from .document import Document
from .still import still

ASSETS = Path(__file__).with_name("assets")
IMPORT = re.compile(r'^import .* from "\./(\w+)\.js";\n', re.MULTILINE)
UNPACK = (
    "const unpack=async t=>new Response(new Blob([Uint8Array.from(atob(t),c=>c.charCodeAt(0))])"
    '.stream().pipeThrough(new DecompressionStream("gzip"))).text();'
)
START = (
    '(async()=>{const host=here&&here.previousElementSibling?.matches(".autodiff-explorer")'
    '?here.previousElementSibling:[...document.querySelectorAll(".autodiff-explorer")]'
    ".find(e=>!e.shadowRoot);if(!host||host.shadowRoot)return;%s"
    'const url=URL.createObjectURL(new Blob([await unpack("%s")],{type:"text/javascript"}));'
    'try{(await import(url)).mount(host,JSON.parse(await unpack("%s")))}'
    "finally{URL.revokeObjectURL(url)}})();"
)
PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>%s</title><style>body{margin:0}</style></head><body>%s</body></html>
"""


class Explorer(Showable):
    """A formula, its derivative and its simplification, to be stepped through and pulled at.

    Parameters
    ----------
    document : dict
        What is drawn, as plain data.

    Examples
    --------
    >>> x = ad.scalar("x")
    >>> explorer = ad.explore(x * x + (x - 2), at={x: 3.0})
    >>> explorer
    explorer of y = x·x + (x − 2): 5 steps of its derivative, 4 of its simplification
    >>> explorer.document["answers"][-1]
    [7]
    """

    kind: ClassVar = "explorer"

    def __init__(self, document: dict[str, Any]):
        self.document = document

    @cached_property
    def still(self) -> Picture:
        """The last frame as a picture."""
        return still(self.document)

    def __repr__(self) -> str:
        derive = self.document["derived"]
        short = len(self.document["steps"]) - derive
        steps = f"{derive} steps of its derivative, {short} of its simplification"
        return f"explorer of {self.document['title']}: {steps}"

    def image(self, widest: int = 0) -> str:
        """The picture, and the script that replaces it.

        Parameters
        ----------
        widest : int, default: 0
            The width of the widest picture beside it.

        Returns
        -------
        str
            HTML that needs nothing else.

        Examples
        --------
        >>> x = ad.scalar("x")
        >>> ad.explore(x * x, at={x: 3.0}).image()[:30]
        '<div class="autodiff-explorer"'
        """
        words = html.escape(self.document["title"])
        picture = f'<div class="autodiff-explorer" title="{words}">{self.still.image(widest)}</div>'
        return f"{picture}<script>{self.script}</script>"

    @property
    def script(self) -> str:
        text = json.dumps(self.document, ensure_ascii=False, separators=(",", ":"))
        start = START % (UNPACK, packed(modules()), packed(text))
        return f"{{const here=document.currentScript;{start}}}"

    def save(self, path: str | Path) -> Path:
        """Write a page that needs no kernel and no network.

        Parameters
        ----------
        path : str or Path
            A name that ends in .html; a picture's name is for `explorer.still`.

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
        >>> x = ad.scalar("x")
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     ad.explore(x * x, at={x: 3.0}).save(os.path.join(folder, "square.html")).name
        'square.html'
        """
        path = Path(path)
        if path.suffix != ".html":
            raise ValueError(f"cannot save {path.name!r}: end the name in .html, or save a picture "
                             "by explorer.still.save(...)")  # fmt: skip
        title = html.escape(self.document["title"])
        path.write_text(PAGE % (title, page.card(self.image(), self.kind)), "utf-8")
        return path


def packed(text: str) -> str:
    """Text as a page can carry it: the same bytes on every machine."""
    return base64.b64encode(gzip.compress(text.encode(), 9, mtime=0)).decode()


@cache
def modules() -> str:
    """The modules as one, each after those that it imports; the lines that import are left out."""
    sources: dict[str, str] = {}

    def read(name: str) -> None:
        source = (ASSETS / f"{name}.js").read_text("utf-8")
        for needed in IMPORT.findall(source):
            if needed not in sources:
                read(needed)
        sources[name] = IMPORT.sub("", source).replace("export ", "")

    read("explorer")
    style = json.dumps((ASSETS / "scene.css").read_text("utf-8"))
    return "\n".join([f"const STYLE = {style};", *sources.values(), "export { mount };\n"])


# ---- what can be explored


@hook("explore")
def explore(
    what: Any,
    at: Mapping[Any, Any] | None = None,
    *,
    wrt: Expr | Sequence[Expr] = (),
    how: str | None = "",
    simplified: str = "safe",
) -> Explorer:
    """Explore a formula: step through its derivative and its simplification, and pull its numbers.

    In a notebook it is a picture that answers where scripts run, and a picture where they do not.

    Parameters
    ----------
    what : Expr, Graph, Stage or Pipeline
        A formula; a derivative that was taken; or what was made short.
    at : dict, optional
        The inputs' values: {x: 3.0}. Without them no numbers are shown.
    wrt : Expr or list of Expr, default: ()
        Of a formula, the inputs of its derivative; by default all of floating point.
    how : {'symbolic', 'forward', 'reverse'} or None, optional
        How a formula is differentiated: by default symbolically by one number, and by reverse mode
        otherwise; None only makes it short.
    simplified : {'safe', 'ieee', 'real'}, default: 'safe'
        The mode of the simplification.

    Returns
    -------
    Explorer
        What a notebook shows; `explorer.save("x.html")` writes a page.

    Raises
    ------
    TypeError
        If it is no expression, and no stage of expressions.
    ValueError
        If `how` is another word.

    See Also
    --------
    film : Every step as a picture of its own.

    Examples
    --------
    >>> x, y = ad.scalar("x"), ad.scalar("y")
    >>> ad.explore(x * y + ad.sin(x), at={x: 2.0, y: 5.0})
    explorer of y = x·y + sin(x): 6 steps of its derivative, 5 of its simplification
    """
    derivative, short = stages(what, wrt, how, simplified)
    return Explorer(Document(derivative, short, dict(at or {})).data())


@hook("save")
def save(what: Any, path: str | Path, at: Mapping[Any, Any] | None = None) -> Path:
    """Write the explorer of a stage as a page: explore(stage, at).save(path)."""
    return explore(what, at).save(path)


def stages(
    what: Any, wrt: Any, how: str | None, simplified: str
) -> tuple[Stage | None, Rewriting | None]:
    """What differentiates, and what makes short."""
    if isinstance(what, Pipeline):
        taken = [stage for stage in what if differentiates(stage)]
        short = [stage for stage in what if isinstance(stage, Rewriting) and stage not in taken]
        return next(iter(taken), None), next(iter(short), None)
    if isinstance(what, Stage) and differentiates(what):
        return what, simplify(what, mode=simplified)
    if isinstance(what, Rewriting):
        return None, what
    if not isinstance(what, (Expr, Graph)):
        raise TypeError(f"explore takes an expression, a graph or a stage, not {shown(what)}; call "
                        "a Python function with symbols: explore(f(x), at={x: 3.0})")  # fmt: skip
    if how is None:
        return None, simplify(what, mode=simplified)
    derivative = differentiated(as_graph(what), wrt, how)
    return derivative, simplify(derivative, mode=simplified)


def differentiates(stage: Stage) -> bool:
    return isinstance(stage, Growing) or any(y.op is D for y in stage.before.outputs)


def differentiated(graph: Graph, wrt: Any, how: str) -> Stage:
    """The derivative of a formula, in the way that is asked for."""
    inputs = [wrt] if isinstance(wrt, Expr) else list(wrt)
    inputs = inputs or [x for x in graph.inputs if x.type.is_float]
    alone = len(inputs) == 1 and not inputs[0].ndim
    how = how or ("symbolic" if alone else "reverse")
    if how not in WAYS:
        raise ValueError(f"explore takes how= as {', '.join(map(repr, WAYS))} or None, not as "
                         f"{shown(how)}")  # fmt: skip
    if how == "reverse":
        return reverse_mode(graph.output, inputs)
    return WAYS[how](graph.output, inputs[0])


WAYS: dict[str, Any] = {
    "symbolic": symbolic_derivative, "forward": forward_mode, "reverse": reverse_mode
}  # fmt: skip
