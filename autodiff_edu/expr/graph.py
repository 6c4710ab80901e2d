"""A graph: everything that some outputs need, in a fixed order. Every walk is a loop.

Letters: n a node, i one of its inputs.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from .errors.classes import MissingInputError
from .expr import Constant, Expr, Input
from .hooks import hooked
from .lazy import cached_property
from .origin import at
from .protocols import Draws, Evaluates, Formulas, Picture, Traces
from .sanitize import shown


class Graph:
    """Outputs, by name, and the inputs on which they depend.

    Parameters
    ----------
    outputs : Expr or list of Expr
        What is computed.
    inputs : list of Input, optional
        In this order; by default in the order of their appearance.
    names : list of str, optional
        Those of the outputs; by default their own.

    Examples
    --------
    >>> x = ad.scalar("x")
    >>> graph = ad.Graph(x * x + 1)
    >>> graph.counts
    Counter({'multiply': 1, 'add': 1})
    >>> graph.evaluate({x: 3.0})
    np.float64(10.0)
    """

    def __init__(
        self,
        outputs: Expr | Iterable[Expr],
        inputs: Iterable[Input] | None = None,
        names: Sequence[str] | None = None,
    ):
        many = isinstance(outputs, Iterable) and not isinstance(outputs, Expr)
        self.outputs = check_expressions(tuple(outputs) if many else outputs)
        self.names = tuple(names) if names else tuple(o.name or "" for o in self.outputs)
        self._inputs = None if inputs is None else tuple(inputs)

    @property
    def output(self) -> Expr:
        """The only output. Raises ValueError where there are several."""
        if len(self.outputs) != 1:
            raise ValueError(f"there are {len(self.outputs)} outputs: write .outputs for all of "
                             "them, .outputs[0] for the first")  # fmt: skip
        return self.outputs[0]

    @cached_property
    def inputs(self) -> tuple[Input, ...]:
        """The inputs as they were given or, by default, in the order of their appearance."""
        if self._inputs is not None:
            return self._inputs
        return tuple(n for n in self.leaves if isinstance(n, Input))

    @cached_property
    def leaves(self) -> tuple[Expr, ...]:
        """What no operation computes: inputs, constants and shared values, as they appear."""
        return tuple([n for n in self.order if n.op is None])

    @cached_property
    def order(self) -> list[Expr]:
        """Every node, inputs first: the order of every walk that computes."""
        return postorder(self.outputs)

    def depth(self) -> dict[Expr, int]:
        """The number of operations on the longest way from a leaf to each node, itself included.

        Returns
        -------
        dict
            By node; 0 for a leaf.

        Examples
        --------
        >>> x = ad.scalar("x")
        >>> y = x * x + x
        >>> ad.Graph(y).depth()[y]
        2
        """
        depth: dict[Expr, int] = {}
        of = depth.__getitem__
        for n in self.order:
            depth[n] = 1 + max(map(of, n.inputs), default=-1)
        return depth

    @cached_property
    def nodes(self) -> tuple[Expr, ...]:
        """Every node, inputs first: by depth, and from left to right within a depth."""
        depth = self.depth()
        return tuple(sorted(depth, key=depth.__getitem__))

    @property
    def operations(self) -> tuple[Expr, ...]:
        """The nodes that compute something: all but the leaves."""
        return tuple(n for n in self.nodes if n.op is not None)

    @cached_property
    def counts(self) -> Counter[str]:
        """How often each operation occurs, by name; a shared node counts once."""
        return Counter(n.op.name for n in self.nodes if n.op is not None)

    @cached_property
    def tree_size(self) -> int:
        """The number of nodes when every use of a shared node is written out again."""
        times, total = Counter(self.outputs), 0  # how often each is written
        for n in reversed(self.order):
            often = times.pop(n)
            total += often
            for i in n.inputs:
                times[i] += often
        return total

    @cached_property
    def size(self) -> int:
        """The number of nodes; equal leaves count once, a shared node counts once."""
        leaves = {n.key if isinstance(n, Constant) else n for n in self.nodes if n.op is None}
        return len(leaves) + len(self.operations)

    def same(self, other: Any) -> bool:
        """Is the other graph built in the same way from the same inputs?

        Parameters
        ----------
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
        return same(self.outputs, as_graph(other).outputs)

    evaluate: Evaluates = hooked("evaluate")
    draw: Draws[Picture] = hooked("draw")
    latex: Formulas = hooked("latex")
    trace: Traces = hooked("trace")
    __reduce__ = hooked("flatten_graph")
    __deepcopy__ = hooked("deepcopy_graph")

    def __copy__(self) -> "Graph":
        return self  # graphs never change

    def __len__(self) -> int:
        return len(self.nodes)

    def __iter__(self) -> Iterator[Expr]:
        return iter(self.nodes)

    def __repr__(self) -> str:
        ins = ", ".join(map(str, self.inputs))
        return f"Graph({ins} -> {', '.join(map(repr, self.outputs))})"

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return self.draw()._repr_mimebundle_()


def expression_of(thing: Any) -> Any:
    """The expression around which a thing of another room stands, its `__expression__`; any other
    thing itself."""
    return thing.__expression__ if hasattr(type(thing), "__expression__") else thing


def as_graph(what: Any) -> Graph:
    """A Graph from a Graph, an expression, a list of them, or a Stage (its result)."""
    what = expression_of(what)
    if isinstance(what, Expr):
        return Graph((what,))
    what = getattr(what, "after", what)
    if not isinstance(what, (Graph, Expr)):
        what = getattr(what, "graph", what)  # a plan or a program keeps its graph
    return what if isinstance(what, Graph) else Graph(check_expressions(what))


def check_expressions(what: Any) -> tuple[Expr, ...]:
    given = what if isinstance(what, (list, tuple)) else (what,)
    given = [expression_of(e) for e in given]
    for e in given:
        if not isinstance(e, Expr):
            raise TypeError(f"an expression is needed here, not {shown(e)}: {instead_of(e)}")
    return tuple(given)


def instead_of(value: Any) -> str:
    """The remedy where something else than an expression was given."""
    if isinstance(value, str) and not value.isidentifier():
        return "write the formula without quotation marks, of inputs such as x = ad.scalar('x')"
    if isinstance(value, str):
        return f"write {value} itself, made by {value} = ad.scalar({value!r})"
    name = getattr(value, "__name__", "")
    if callable(value) and name:
        return f"write {name if name.isidentifier() else 'f'}(x) for it, with x = ad.scalar('x')"
    if hasattr(value, "indptr") and hasattr(value, "function"):
        return ("write .data behind it, for its nonzeros as an expression, .evaluate({x: ...}) for "
                "its numbers, or .function(x) for a program")  # fmt: skip
    if hasattr(value, "outputs"):
        return "write .output behind it, for the expression that the stage made"
    return "build one from ad.scalar('x')"


def check_distinct(inputs: Iterable[Expr]) -> None:
    """Raises ValueError for an input that is listed twice."""
    for i, uses in Counter(inputs).items():
        if uses > 1:
            raise ValueError(f"the input {i}{at(i)} is listed twice")


def check_listed(needed: Iterable[Expr], inputs: Sequence[Expr]) -> None:
    """Raises MissingInputError for what is needed and not among the inputs."""
    known = set(inputs)
    for n in needed:
        if n not in known:
            listed = ", ".join(map(str, inputs))
            added = ", ".join(map(str, [*inputs, n]))
            raise MissingInputError(
                f"the outputs need {n}{at(n)}, which is not among the inputs ({listed}): "
                f"{namesake(n, known) or f'add it to the list, as in [{added}]'}"
            )


def namesake(n: Expr, others: Iterable[Any]) -> str:
    """What to do where another input of the same name stands in the place of n."""
    for other in others:
        if isinstance(other, Expr) and other is not n and n.name and other.name == n.name:
            return (
                f"the {n} that was given is another one{at(other)}, since every call of "
                f"ad.scalar or the like makes a new input: make {n} once, and use it everywhere"
            )
    return ""


# ---- walks


def postorder(roots: Iterable[Expr]) -> list[Expr]:
    """Every node that the roots need, inputs first, from left to right."""
    done: set[Expr] = set()
    order: list[Expr] = []
    stack = list(roots)[::-1]
    while stack:
        n = stack.pop()
        if n in done:
            continue
        if done.issuperset(n.inputs):
            done.add(n)
            order.append(n)
        else:  # once more after its inputs
            stack.append(n)
            stack.extend(n.inputs[::-1])
    return order


def dependents(order: Iterable[Expr], on: Iterable[Expr]) -> set[Expr]:
    """The nodes of a topological order that depend on one of these."""
    found = set(on)
    for n in order:
        if not found.isdisjoint(n.inputs):
            found.add(n)
    return found


def same(some: Any, others: Any) -> bool:
    """Are the expressions equal as trees, whatever they share?

    Parameters
    ----------
    some : Expr, Graph or list of Expr
        One or several.
    others : Expr, graph or list of Expr
        As many.

    Returns
    -------
    bool
        Whether the same operations are applied to the same inputs. It takes time linear in
        the graphs' sizes.

    Examples
    --------
    >>> x = ad.scalar("x")
    >>> ad.same(x * x, x * x)
    True
    >>> x * x is x * x
    False
    """
    some, others = as_graph(some).outputs, as_graph(others).outputs
    number = numbered(some + others, {})
    return [number[n] for n in some] == [number[n] for n in others]


def signature(outputs: Sequence[Expr], inputs: Sequence[Expr]) -> tuple:
    """Equal for graphs that are equal but for the identity of their inputs."""
    table: dict[tuple, int] = {}
    place = {i: (k, i.type, getattr(i, "facts", ())) for k, i in enumerate(inputs)}
    number = numbered(outputs, table, place)
    return tuple(table), tuple(number[o] for o in outputs), tuple(place.values())


def numbered(
    roots: Iterable[Expr], table: dict[tuple, int], place: Mapping[Expr, Any] | None = None
) -> dict[Expr, int]:
    """A number for every node, the same for nodes that are equal as trees."""
    number: dict[Expr, int] = {}
    for n in postorder(roots):
        key: tuple
        if isinstance(n, Constant):
            key = ("constant", n.key)
        elif n.op is None:
            key = ("leaf", place[n] if place and n in place else id(n))
        else:
            key = (n.op, n.static, *[number[i] for i in n.inputs])
        number[n] = table.setdefault(key, len(table))
    return number


def users(nodes: Iterable[Expr]) -> dict[Expr, list[Expr]]:
    """For each node, those that take it as an input (twice, if they take it twice)."""
    table: dict[Expr, list[Expr]] = {}
    for n in nodes:
        table.setdefault(n, [])
        for i in n.inputs:
            table.setdefault(i, []).append(n)
    return table
