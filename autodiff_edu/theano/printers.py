"""`theano.printing`: formulas as text, pictures of graphs, and values printed while they are
computed."""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from ..expr import HOOKS, Expr, Graph, TensorType, as_graph
from ..expr import Op as EngineOp
from ..expr import text as text_of
from .arrays.leaves import expression
from .core import Variable, lift, unwrap
from .core.variable import TABLES
from .programs.function_module import Function


class Printed(EngineOp):
    """x, whose value is printed when it is computed."""

    arity = 1
    linear = True
    merges = False

    def __init__(self, message: str, attrs: Sequence[str], global_fn: Callable[..., Any] | None):
        super().__init__()
        self.message, self.attrs, self.global_fn = message, tuple(attrs), global_fn
        self.name = self.label = "Print"

    def infer_type(self, x: TensorType) -> TensorType:
        return x

    def perform(self, x: Any) -> Any:
        if self.global_fn is not None:
            self.global_fn(self, x)
            return x
        for name in self.attrs:
            found = getattr(x, name)
            print(self.message, name, "=", found() if callable(found) else found)
        return x

    def pullback(self, inputs: Any, outputs: Any, cotangents: Any, **_: Any) -> Any:
        return [cotangents[0]]

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)

    def __reduce__(self) -> Any:
        return Printed, (self.message, self.attrs, None)


class Print:
    """Print("message")(x) is x, and its value is printed when it is computed."""

    def __init__(
        self, message: str = "", attrs: Sequence[str] = ("__str__",), global_fn: Any = None
    ):
        self.op = Printed(message, attrs, global_fn)

    def __call__(self, x: Any) -> Any:
        return lift(lambda x: self.op(expression(x)))(x)


def graph_of(thing: Any) -> Graph:
    """The graph of a variable, a list of variables or a function."""
    if isinstance(thing, Function):
        return thing.program.graph
    if hasattr(thing, "outputs") and not isinstance(thing, (Variable, Expr)):
        thing = thing.outputs
    return as_graph(unwrap(thing))


def pp(*args: Any) -> str:
    """A variable as a formula."""
    (thing,) = args
    return str(thing) if isinstance(thing, Variable) and not thing.owner else text_of(
        graph_of(thing).outputs[0])  # fmt: skip


def debugprint(
    obj: Any,
    depth: int = -1,
    print_type: bool = False,
    file: Any = None,
    ids: str = "CHAR",
    stop_on_name: bool = False,
    done: Any = None,
    print_storage: bool = False,
    **ignored: Any,
) -> Any:
    """The graph as a tree of lines, one for each operation and each of its inputs."""
    letters: dict[Expr, str] = {}
    lines: list[str] = []
    several = obj if isinstance(obj, (list, tuple)) else [obj]
    for thing in several:
        for root in graph_of(thing).outputs:
            write(root, "", letters, lines, depth, print_type, stop_on_name)
    said = "\n".join(lines) + "\n"
    if file == "str":
        return said
    print(said, end="", file=sys.stdout if file is None else file)
    return file


def write(
    root: Expr,
    indent: str,
    letters: dict[Expr, str],
    lines: list[str],
    depth: int,
    types: bool,
    stop_on_name: bool,
) -> None:
    """The lines of an expression; what was told before is not told again."""
    waiting = [(root, indent, 0)]
    while waiting:
        n, before, level = waiting.pop()
        known = n in letters
        letters.setdefault(n, letter(len(letters)))
        name = f" '{n.name}'" if n.op is not None and n.name else ""
        what = TABLES["wrap"](n) if n.op is None else f"{n.op.label or n.op.name}{name}"
        kind = f" <{TABLES['type'](n)}>" if types else ""
        lines.append(f"{before}{what} [id {letters[n]}]{kind}")
        stop = (stop_on_name and n.name and n.op is not None) or level + 1 == depth
        if not known and not stop:
            inner = before.replace("|", " |") if before else " |"
            waiting += [(i, inner, level + 1) for i in reversed(n.inputs)]


def letter(k: int) -> str:
    """A, B, …, Z, BA, BB, …"""
    found = chr(ord("A") + k % 26)
    return (letter(k // 26) if k >= 26 else "") + found


def min_informative_str(obj: Any, **ignored: Any) -> str:
    """The graph as a tree of lines."""
    return debugprint(obj, file="str")


def pydotprint(
    fct: Any,
    outfile: Any = None,
    compact: bool = True,
    format: str = "png",
    with_ids: bool = False,
    high_contrast: bool = True,
    var_with_name_simple: bool = False,
    scan_graphs: bool = False,
    return_image: bool = False,
    print_output_file: bool = True,
    **ignored: Any,
) -> Any:
    """A picture of the graph, drawn by `ad.draw`; with outfile it is written there."""
    picture = HOOKS["draw"](graph_of(fct))
    if outfile is None or return_image:
        return picture
    path = Path(outfile)
    path = path if path.suffix else path.with_suffix(f".{format}")
    picture.save(str(path))
    if print_output_file:
        print("The output file is available at", path)
    return picture


def d3viz(fct: Any, outfile: str, copy_deps: bool = True, *_: Any, **__: Any) -> None:
    """The picture as a page of HTML."""
    Path(outfile).write_text(HOOKS["draw"](graph_of(fct))._repr_mimebundle_()["text/html"], "utf-8")


pprint = pp
NAMES: dict[str, Any] = {
    f.__name__: f for f in (Print, debugprint, min_informative_str, pp, pydotprint)
} | {"pprint": pp, "pydot_imported": True}  # fmt: skip
