"""A graph: everything that some outputs need, in a fixed order. Every walk is a loop.

Three questions are asked of the walk that replaces. What do these become by a log of replacements:
`substitute`. What are they with values in the places of inputs: `put_in`. And what does a pass
make of them that asks a rule at each node: `resolve`, with the visits of the rewriter.

Letters: n a node, i one of its inputs.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from typing import Any

from .errors import RewriteLoopError, refusal
from .node import Expr, Input
from .seams import HOOKS, OfGraph, cached_property, shown, watch


class Graph(OfGraph):
    """Outputs, by name, and the inputs on which they depend.

    Parameters
    ----------
    outputs : Expr or list of Expr
        What is computed.
    inputs : list of Input, optional
        In this order; by default in the order of their appearance.
    names : list of str or function, optional
        Those of the outputs; by default their own. A function tells them when they are first
        wanted.

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
        names: Sequence[str] | Callable[[], Sequence[str]] | None = None,
    ):
        many = isinstance(outputs, Iterable) and not isinstance(outputs, Expr)
        self.outputs = check_expressions(tuple(outputs) if many else outputs)
        self._names = names or [o.name or "" for o in self.outputs]
        if inputs is not None:
            self.inputs = tuple(inputs)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the outputs, "" where one has none."""
        return tuple(self._names() if callable(self._names) else self._names)

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
        return tuple(n for n in self.leaves if isinstance(n, Input))

    @cached_property
    def leaves(self) -> tuple[Expr, ...]:
        """The nodes without an operation: inputs, constants, shared values, as they appear."""
        return tuple([n for n in self.order if n.op is None])

    @cached_property
    def order(self) -> list[Expr]:
        """Every node, inputs first: all that one operand needs before the next operand."""
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
        for n in self.order:
            depth[n] = 1 + max([depth[i] for i in n.inputs], default=-1)
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

    def with_outputs(self, outputs: Iterable[Expr]) -> "Graph":
        """The graph of what these outputs became, with their names, and with the same inputs.

        Parameters
        ----------
        outputs : list of Expr
            As many as the graph has.

        Returns
        -------
        Graph
            Another graph.

        Examples
        --------
        >>> x = ad.scalar("x")
        >>> graph = ad.Graph(x * 1, names=["y"])
        >>> graph.with_outputs([x]).names
        ('y',)
        """
        return Graph(outputs, self.inputs, lambda: self.names)

    def __len__(self) -> int:
        return len(self.nodes)

    def __iter__(self) -> Iterator[Expr]:
        return iter(self.nodes)

    def __repr__(self) -> str:
        return f"Graph({', '.join(map(str, self.inputs))} -> {', '.join(map(repr, self.outputs))})"


def expression_of(thing: Any) -> Any:
    """The expression around which a thing of another room stands, its `__expression__`; any other
    thing itself."""
    return thing.__expression__ if hasattr(type(thing), "__expression__") else thing


def as_graph(source: Any) -> Graph:
    """A Graph from a Graph, an expression, a list of them, or a Stage (its result)."""
    source = expression_of(source)
    if isinstance(source, Expr):
        return Graph((source,))
    source = getattr(source, "after", source)
    if not isinstance(source, (Graph, Expr)):
        source = getattr(source, "graph", source)  # a plan or a program keeps its graph
    return source if isinstance(source, Graph) else Graph(check_expressions(source))


def check_expressions(
    source: Any, subject: str = "expression", says: str = "an expression is needed here"
) -> tuple[Expr, ...]:
    """One expression or several, as a tuple. Raises TypeError, which says so, for anything else."""
    expressions = source if isinstance(source, (list, tuple)) else (source,)
    expressions = tuple([expression_of(e) for e in expressions])
    for e in expressions:
        if not isinstance(e, Expr):
            raise refusal(TypeError, f"{says}, not {shown(e)}", subject, value=e)
    return expressions


def as_wrt(wrt: Any) -> tuple[Expr, ...]:
    """One expression or several, as a tuple. Raises TypeError for anything else."""
    return check_expressions(wrt, "variable", "differentiate with respect to an expression")


def quiet_collector(graph: Graph) -> Any:
    """A context in which Python's cyclic collector waits, while a large graph leads to many nodes;
    with a small graph it does not pay."""
    return HOOKS["uncollected"]() if len(graph.order) > 100 else nullcontext()


# ---- walks


def postorder(roots: Iterable[Expr]) -> list[Expr]:
    """Every node that the roots need, inputs first, from left to right."""
    listed, order = set[Expr](), list[Expr]()
    stack = list(roots)[::-1]
    while stack:
        n = stack.pop()
        if n in listed:
            continue
        if listed.issuperset(n.inputs):
            listed.add(n)
            order.append(n)
        else:  # once more after its inputs
            stack.append(n)
            stack.extend(n.inputs[::-1])
    return order


def dependents(order: Iterable[Expr], on: Iterable[Expr]) -> set[Expr]:
    """The nodes of a topological order that depend on one of these."""
    reached = set(on)
    for n in order:
        if not reached.isdisjoint(n.inputs):
            reached.add(n)
    return reached


# ---- the walk that replaces: it rebuilds what stands above a node that has become another one


def rebuild(n: Expr, inputs: tuple[Expr, ...]) -> Expr:
    """The node with other inputs of the same types; itself where nothing changed."""
    for old, new in zip(n.inputs, inputs, strict=True):
        if new is not old:
            node = Expr(n.op, inputs, n.static, n.type, n.origin, n.name)
            if (watcher := watch.get()) is not None:
                watcher(node)
            return node
    return n


def circle() -> None:
    raise RewriteLoopError("a node was replaced by something that is made of it")


def resolve(
    roots: Iterable[Expr],
    became: Mapping[Expr, Expr],
    final: dict[Expr, Expr],
    visit: Callable[[Expr], None],
    stop: Callable[[], None] = circle,
) -> None:
    """Fill in what the roots are in the end, and all that they are made of.

    became  what a node has turned into so far: that is resolved in its place
    final   what is resolved already; nothing below it is looked at
    visit   is given a node whose inputs are resolved, and says what is final or what it became
    stop    raises an error, where a node became something that needs the node itself
    """
    stack = list(roots)[::-1]
    opened: set[Expr] = set()
    while stack:
        n = stack[-1]
        if n in final:
            stack.pop()
        elif n in became:
            new = became[n]
            if new in final:
                final[n] = final[new]
                stack.pop()
            else:
                opened.add(n)
                if new in opened:
                    stop()
                stack.append(new)
        elif pending := [i for i in n.inputs if i not in final]:
            opened.add(n)
            if not opened.isdisjoint(pending):
                stop()
            stack.extend(reversed(pending))
        else:
            visit(n)


def substitute(roots: Iterable[Expr], became: dict[Expr, Expr]) -> list[Expr]:
    """The roots with every node replaced by what it became, again and again; `became` grows
    by the ancestors that had to be rebuilt."""
    roots, final = list(roots), dict[Expr, Expr]()

    def visit(n: Expr) -> None:
        final[n] = new = rebuild(n, tuple([final[i] for i in n.inputs]))
        if new is not n:
            became[n] = final[new] = new

    resolve(roots, became, final, visit)
    return [final[r] for r in roots]


def put_in(
    roots: Iterable[Expr],
    values: Mapping[Expr, Expr],
    apply: Callable[[Expr, tuple[Expr, ...]], Expr] = rebuild,
) -> list[Expr]:
    """The roots with values in the places of nodes, all at once: the values, which may contain the
    nodes, stay as they are and are not walked. `apply` rebuilds where types change too."""
    roots, final = list(roots), dict(values)

    def visit(n: Expr) -> None:
        final[n] = apply(n, tuple([final[i] for i in n.inputs]))

    resolve(roots, {}, final, visit)
    return [final[r] for r in roots]
