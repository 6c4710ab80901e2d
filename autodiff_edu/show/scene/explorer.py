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
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from string import ascii_lowercase, ascii_uppercase, digits
from typing import Any, ClassVar

import numpy as np

from ...differentiate import forward_mode, reverse_mode, symbolic_derivative
from ...expr import (
    HOOKS,
    Expr,
    Graph,
    Pipeline,
    Rewriting,
    Stage,
    as_graph,
    cached_property,
    hook,
    is_function,
    shown,
)  # fmt: skip
from ...rewrite import simplify
from ..html import page
from ..html.picture import Picture
from ..html.showable import Showable
from ..views.film import differentiates
from .document import Document
from .still import still

ASSETS = Path(__file__).with_name("assets")
IMPORT = re.compile(r'^import .* from "\./(\w+)\.js";\n', re.MULTILINE)
COMMENT = re.compile(r"^ *//.*\n| // .*$|/\*[\s\S]*?\*/", re.MULTILINE)
BLANK = re.compile(r"^\s+", re.MULTILINE)
AROUND = re.compile(r"\s*([{};,])\s*|(?<=:)\s+")  # of a style, blanks that say nothing
# Of the digits of base 85, those that HTML or TeX reads are written as signs that neither reads.
SAFE = str.maketrans("<>&$`", ".,:/[")
DIGITS = f"{digits}{ascii_uppercase}{ascii_lowercase}!#$%&()*+-;<=>?@^_`{{|}}~".translate(SAFE)
UNPACK = (
    f'const digits="{DIGITS}",unpack=async t=>{{const b=[];for(let i=0;i<t.length;i+=5)'
    '{const s=t.slice(i,i+5);let v=0;for(const c of s.padEnd(5,"~"))v=v*85+digits.indexOf(c);'
    "for(let j=1;j<s.length;j++)b.push(v>>>32-8*j)}return new Response(new Blob("
    '[Uint8Array.from(b)]).stream().pipeThrough(new DecompressionStream("gzip"))).text()};'
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
<title>%s</title><style>body{margin:0}@media screen and (min-height:632px){
.autodiff-explorer{height:calc(100vh - 12px)}}</style></head><body>%s</body></html>
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

    kind: ClassVar = "scene"

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
        words, picture = html.escape(self.document["title"]), self.still.image(widest)
        host = f'<div class="autodiff-explorer" title="{words}">{picture}</div>'
        return f"{host}<script>{self.script}</script>"

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
    """Text as a page can carry it: the same bytes wherever zlib is of the same version."""
    return base64.b85encode(gzip.compress(text.encode(), 9, mtime=0)).decode().translate(SAFE)


def unpacked(text: str) -> str:
    """The text that was packed."""
    back = {after: before for before, after in SAFE.items()}
    return gzip.decompress(base64.b85decode(text.translate(back))).decode()


@cache
def modules() -> str:
    """The modules as one, each after those that it imports; the lines that import are left out,
    and so is what only a reader of the sources needs."""
    sources: dict[str, str] = {}

    def read(name: str) -> None:
        source = (ASSETS / f"{name}.js").read_text("utf-8")
        for other in IMPORT.findall(source):
            if other not in sources:
                read(other)
        sources[name] = IMPORT.sub("", source).replace("export ", "")

    read("explorer")
    style = json.dumps(AROUND.sub(r"\1", bare((ASSETS / "scene.css").read_text("utf-8"))))
    code = map(bare, sources.values())
    return "\n".join([f"const STYLE = {style};", *code, "export { mount };\n"])


def bare(source: str) -> str:
    """A module or a style without comments and indentation. Two slashes with a space at each side
    are a comment, and no text goes over several lines: a test sees to both."""
    return BLANK.sub("", COMMENT.sub("", source))


# ---- what can be explored


@hook("explore")
def explore(
    what: Any,
    at: Any = None,
    *,
    wrt: Expr | Sequence[Expr] = (),
    derivative: str | None = "",
    simplified: str = "safe",
) -> Explorer:
    """Explore a formula: step through its derivative and its simplification, and pull its numbers.

    In a notebook it is a picture that answers where scripts run, and a picture where they do not.

    Parameters
    ----------
    what : Expr, Graph, Stage, Pipeline or callable
        A formula; a derivative that was taken; what was made short; or a Python function.
    at : dict, or tuple of numbers and arrays, optional
        The inputs' values: {x: 3.0}. Without them no numbers are shown. A function needs its
        arguments: (3.0, 1.0). It is called once, and a branch is taken as for these numbers.
    wrt : Expr or list of Expr, default: ()
        Of a formula, the inputs of its derivative; by default all of floating point.
    derivative : {'symbolic', 'forward', 'reverse'} or None, optional
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
        If it is no expression, no stage of expressions and no function of numbers and arrays.
    ValueError
        If no argument of a function is floating point; if `derivative` is another word; or if
        an input of `wrt` is none of the formula.

    See Also
    --------
    film : Every step as a picture of its own.

    Examples
    --------
    >>> x, y = ad.scalar("x"), ad.scalar("y")
    >>> ad.explore(x * y + ad.sin(x), at={x: 2.0, y: 5.0})
    explorer of z = x·y + sin(x): 6 steps of its derivative, 3 of its simplification
    >>> ad.explore(lambda x, y: x * y + ad.sin(x), at=(2.0, 5.0))
    explorer of z = x·y + sin(x): 6 steps of its derivative, 3 of its simplification
    """
    if is_function(what):
        what, at = formula_of_call(what, at)
    stage, short = stages(what, wrt, derivative, simplified)
    return Explorer(Document(stage, short, dict(at or {}), groups=True).data())


@hook("save")
def save(stage: Stage, path: str | Path, at: Mapping[Any, Any] | None = None) -> Path:
    """Write the explorer of a stage as a page that needs no kernel and no network.

    Parameters
    ----------
    stage : Stage
        What is explored.
    path : str or Path
        A name that ends in .html.
    at : dict, optional
        The inputs' values: {x: 3.0}.

    Returns
    -------
    Path
        The same.

    Examples
    --------
    >>> import os, tempfile
    >>> x = ad.scalar("x")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     stage = ad.symbolic_derivative(x * x, x)
    ...     stage.save(os.path.join(folder, "square.html"), {x: 3.0}).name
    'square.html'
    """
    return explore(stage, at).save(path)


def formula_of_call(f: Callable[..., Any], at: Any) -> tuple[Graph, dict[Expr, Any]]:
    """The formula that a call of a Python function leaves behind, and the values of its inputs."""
    if at is None or isinstance(at, Mapping):
        raise TypeError("explore needs the arguments of a Python function, as in "
                        "explore(f, at=(3.0, 1.0))")  # fmt: skip
    args = at if isinstance(at, tuple) else (at,)
    result, inputs, _ = HOOKS["formula_at"](f, args)
    values = [v for v in args if isinstance(v, (float, np.floating, np.ndarray))]
    if not inputs:
        raise ValueError(f"explore pulls numbers of floating point, and {shown(at)} has none: "
                         "write 3.0 for 3")  # fmt: skip
    if len(values) != len(inputs):
        raise TypeError(f"explore takes a function of numbers and arrays, not of {shown(at)}")
    return Graph(result, inputs), dict(zip(inputs, values, strict=True))


def stages(
    subject: Any, wrt: Any, derivative: str | None, simplified: str
) -> tuple[Stage | None, Rewriting | None]:
    """Return the stage that differentiates, and the one that makes short."""
    if isinstance(subject, Pipeline):
        derivatives = [stage for stage in subject if differentiates(stage)]
        short = [
            stage for stage in subject if isinstance(stage, Rewriting) and stage not in derivatives
        ]
        return next(iter(derivatives), None), next(iter(short), None)
    if isinstance(subject, Stage) and differentiates(subject):
        return subject, simplify(subject, mode=simplified)
    if isinstance(subject, Rewriting):
        return None, subject
    if not isinstance(subject, (Expr, Graph)):
        raise TypeError("explore takes an expression, a graph, a stage or a Python function, not "
                        f"{shown(subject)}")  # fmt: skip
    if derivative is None:
        return None, simplify(subject, mode=simplified)
    stage = differentiated(as_graph(subject), wrt, derivative)
    return stage, simplify(stage, mode=simplified)


def differentiated(graph: Graph, wrt: Any, derivative: str) -> Stage:
    """The derivative of a formula, in the way that is asked for."""
    inputs = [wrt] if isinstance(wrt, Expr) else list(wrt)
    inputs = inputs or [x for x in graph.inputs if x.type.is_float]
    alone = len(inputs) == 1 and not inputs[0].ndim
    for x in inputs:
        if x not in set(graph.inputs):
            there = ", ".join(map(str, graph.inputs)) or "none"
            raise ValueError(f"explore cannot differentiate by {shown(x)}: the formula has {there}")
    way = derivative or ("symbolic" if alone else "reverse")
    if way not in WAYS:
        raise ValueError(f"explore takes derivative= as {', '.join(map(repr, WAYS))} or None, "
                         f"not as {shown(way)}")  # fmt: skip
    return WAYS[way](graph.output, inputs if way == "reverse" else inputs[0])


WAYS: dict[str, Any] = {
    "symbolic": symbolic_derivative, "forward": forward_mode, "reverse": reverse_mode
}  # fmt: skip
