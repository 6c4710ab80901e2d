"""The methods that expressions, operations, graphs and stages have beside those of the core.

Some are operations, as `x.sum()` is; others stand in upper rooms, as `stage.draw()` does. All are
found when they are called, by name, in a table of the core. `core/protocols.pyi` has their types.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from inspect import signature
from types import MethodType
from typing import Any, TypeVar

from ..core.graph import Graph
from ..core.node import Constant, Expr, operator, reflected
from ..core.op import Op
from ..core.seams import HOOKS, OPERATIONS, cached_property
from ..core.stage import Stage

Function = Callable[..., Any]
F = TypeVar("F", bound=Function)


def register(name: str, table: dict[str, Function] = OPERATIONS) -> Callable[[F], F]:
    """A decorator that enters a function among the operations, by its name; its type stays."""

    def enter(function: F) -> F:
        table[name] = function
        return function

    return enter


def hook(name: str) -> Callable[[F], F]:
    """A decorator that enters a function among the hooks."""
    return register(name, HOOKS)


class Written:
    """An attribute that `write` makes from its object when it is first read; the class has one of
    its own."""

    def __init__(self, write: Callable[[Any], Any], of_the_class: Any = None):
        self.write, self.of_the_class = write, of_the_class

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, thing: Any, owner: type) -> Any:
        if thing is None:
            return self.of_the_class
        return vars(thing).setdefault(self.name, self.write(thing))


class Method:
    """A method that hands its object and arguments to a function of a table.

    It is described as that function is: `x.sum?` shows what `ad.sum?` shows.
    """

    def __init__(self, table: dict[str, Function], name: str):
        self.table, self.__name__ = table, name

    def __get__(self, thing: Any, owner: type | None = None) -> Any:
        return self if thing is None else MethodType(self, thing)

    def __call__(self, thing: Any, *args: Any, **kwargs: Any) -> Any:
        return self.table[self.__name__](thing, *args, **kwargs)

    @property
    def function(self) -> Function:
        return self.table[self.__name__]

    __doc__ = Written(lambda self: self.function.__doc__, __doc__)
    __signature__ = Written(lambda self: signature(self.function))


def method(name: str) -> Any:
    """A method that is an operation: `x.sum()`."""
    return Method(OPERATIONS, name)


def hooked(name: str) -> Any:
    """A method that is a hook: `stage.draw()`."""
    return Method(HOOKS, name)


def give(kind: Any, **attributes: Any) -> None:
    """Give a class attributes, as if it had stated them."""
    for name, value in attributes.items():
        setattr(kind, name, value)
        if hasattr(value, "__set_name__"):
            value.__set_name__(kind, name)


def tabled(make: Callable[[str], Any], names: str = "", **renamed: str) -> dict[str, Any]:
    """Methods by the names of functions in a table, and some by other names."""
    return {
        name: make(source) for name, source in ({n: n for n in names.split()} | renamed).items()
    }


# ---- expressions: what NumPy's arrays have


def size(x: Expr) -> Any:
    """The number of entries: an int where it is known, else an expression."""
    return OPERATIONS["size"](x)


def T(x: Expr) -> Expr:
    """The transpose: the axes in reverse."""
    return OPERATIONS["transpose"](x)


def mT(x: Expr) -> Expr:
    """The last two axes exchanged."""
    return OPERATIONS["matrix_transpose"](x)


def real(x: Expr) -> Expr:
    """The expression itself, as all are real."""
    return x


def at(x: Expr) -> Any:
    """Functional updates: `x.at[0].set(1)` is x with 1 in its first place."""
    return OPERATIONS["at"](x)


def iterate(x: Expr) -> Iterator[Expr]:
    return (x[k] for k in range(len(x)))


def completions(x: Expr) -> list[str]:
    """The names for completion by tab, without those of methods that only refuse."""
    return [name for name in object.__dir__(x) if name not in HOOKS["refused"]]


def formula_bundle(x: Expr, include: Any = None, exclude: Any = None) -> dict[str, str]:
    """The formula, as a notebook shows an expression."""
    bundle: dict[str, str] = HOOKS["mimebundle"](x)
    return bundle


def mimebundle(thing: Any, include: Any = None, exclude: Any = None) -> dict[str, str]:
    """The picture, as a notebook shows a graph or a stage."""
    bundle: dict[str, str] = thing.draw()._repr_mimebundle_()
    return bundle


give(Expr, **{f.__name__: property(f) for f in (size, T, mT, real, at)})
give(Expr, __iter__=iterate, __dir__=completions, _repr_mimebundle_=formula_bundle)
give(Expr, __array_priority__=1000)
give(Expr, **tabled(
    method,
    "sum mean prod var std max min argmax argmin all any cumsum cumprod dot clip round astype "
    "argsort reshape ravel transpose swapaxes squeeze take repeat diagonal searchsorted nonzero "
    "copy",
    flatten="ravel", trace="matrix_trace", conj="copy", conjugate="copy",
    __array_ufunc__="array_ufunc", __array_function__="array_function",
))  # fmt: skip
give(Expr, **tabled(
    operator,
    __pos__="positive", __abs__="abs", __invert__="invert", __round__="round",
    __floordiv__="floor_divide", __mod__="remainder", __divmod__="divmod",
    __and__="bitwise_and", __or__="bitwise_or", __xor__="bitwise_xor",
    __lshift__="left_shift", __rshift__="right_shift",
))  # fmt: skip
give(Expr, **tabled(
    reflected,
    __rfloordiv__="floor_divide", __rmod__="remainder", __rdivmod__="divmod",
    __rand__="bitwise_and", __ror__="bitwise_or", __rxor__="bitwise_xor",
    __rlshift__="left_shift", __rrshift__="right_shift",
))  # fmt: skip

# ---- expressions: what they are to Python, a number only where a trace knows it

give(Expr, **tabled(
    hooked,
    __len__="len", __bool__="truth", __index__="index", __int__="trunc", __trunc__="trunc",
    __floor__="floor", __ceil__="ceil", __contains__="contains", __format__="format",
    __float__="no_number", __complex__="no_number", item="no_number", tolist="no_number",
    __array__="no_array", __call__="no_call",
    __setitem__="no_change", __delitem__="no_change", fill="no_change", put="no_change",
    partition="no_change", resize="no_change", sort="no_sort",
))  # fmt: skip

# ---- operations, graphs and stages


def counts(graph: Graph) -> Counter[str]:
    """How often each operation occurs, by name; a shared node counts once."""
    return Counter(n.op.name for n in graph.nodes if n.op is not None)


def counts_of_rules(stage: Stage) -> Counter[str]:
    """How often each rule was used."""
    return Counter(step.rule for step in stage.steps)


def same(graph: Graph, other: Any) -> bool:
    """Is the other graph built in the same way from the same inputs?

    Parameters
    ----------
    graph : Graph
        A graph.
    other : Graph, Stage, Expr or list of Expr
        What to compare with.

    Returns
    -------
    bool
        Whether the outputs are equal as trees.

    Examples
    --------
    >>> x = ad.scalar("x")
    >>> ad.Graph(x * x).same(x * x)
    True
    """
    return bool(HOOKS["same"](graph, other))


def tree_size(graph: Graph) -> int:
    """The number of nodes when every use of a shared node is written out again."""
    times, total = Counter(graph.outputs), 0  # how often each is written
    for n in reversed(graph.order):
        often = times.pop(n)
        total += often
        for i in n.inputs:
            times[i] += often
    return total


def nodes_of_graph(graph: Graph) -> int:
    """The number of nodes; equal leaves count once, a shared node counts once."""
    leaves = {n.key if isinstance(n, Constant) else n for n in graph.leaves}
    return len(leaves) + len(graph.operations)


give(Op, **tabled(
    hooked, "explain",
    infer_type="no_infer_type", perform="no_perform", pullback="no_pullback",
    pushforward="two_pullbacks", check="check_op",
))  # fmt: skip
give(Graph, **tabled(hooked, "evaluate draw latex trace"), _repr_mimebundle_=mimebundle)
give(Graph, **{f.__name__: cached_property(f) for f in (counts, tree_size)})
give(Graph, size=cached_property(nodes_of_graph), same=same)
give(Stage, **tabled(hooked, "draw film table trace latex evaluate explore save node"))
give(Stage, counts=property(counts_of_rules))
give(Stage, _repr_mimebundle_=mimebundle, **dict.fromkeys(
    "__add__ __radd__ __sub__ __rsub__ __mul__ __rmul__ __truediv__ __rtruediv__ __pow__ "
    "__rpow__ __matmul__ __rmatmul__ __neg__ __array_ufunc__ __array__ __float__".split(),
    hooked("no_expression"),
))  # fmt: skip
give(Stage, **tabled(hooked, __call__="no_stage_call", __getattr__="stage_attribute"))


# ---- operations that are equal if they agree in some attributes, their `props`


def props_of(op: Any) -> tuple:
    """The class and the values of the attributes that `props` names."""
    return (type(op), *[getattr(op, name) for name in op.props])


def alike(op: Any, other: Any) -> bool:
    return type(op) is type(other) and props_of(op) == props_of(other)


def hash_of_props(op: Any) -> int:
    try:
        return hash(props_of(op))
    except TypeError as error:
        hint = f"{error}; write a list as a tuple, and make an array an operand"
        raise TypeError(f"the props of {op.name} are compared by value: {hint}") from None


@hook("compare")
def compare_by_props(kind: type) -> None:
    """Let operations of this class be compared by their props."""
    give(kind, __eq__=alike, __hash__=hash_of_props)
