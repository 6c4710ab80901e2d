"""Overriding part of a gradient: every place that a pattern matches gets a derivative of its own.

    stage = override_gradient(cost, W @ x + b, rule)     with W, x, b = wild("W x b")

Each match is put into a box, which computes what it did before and whose pullback is the rule.
Simplification leaves boxes closed; `ad.function` opens them when all derivatives are taken.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ..core.pattern import Bindings, matcher, names_in, variants
from ..expr import (
    UNTYPED,
    Expr,
    Graph,
    Input,
    Rewriting,
    Step,
    Wild,
    as_graph,
    at,
    postorder,
    replacing,
    results,
    substitute,
)
from ..nested import Nested, OfOperands, OpFromGraph
from ..ops import in_symbols

Pullback = Callable[[Mapping[str, Expr], Expr, Expr], Any]


class Overriding(Rewriting):
    """What `override_gradient` leaves behind.

    `matches` are the nodes that were put into boxes, outermost first; `skipped` those that
    match too, but lie within another match.

    Parameters
    ----------
    name : str
        That of the pass.
    before : Graph
        What it was given.
    after : Graph
        What it made.
    steps : list of Step
        What it did.
    log : list of tuple
        (what was, what it became).
    marks : list of int
        The length of the log just before each step.

    Examples
    --------
    >>> x, a = ad.scalar("x"), ad.wild("a")
    >>> stage = ad.override_gradient(abs(x), abs(a), lambda found, y, ct: {"a": ct})
    >>> len(stage.steps)
    1
    """

    matches: tuple[Expr, ...] = ()
    skipped: tuple[Expr, ...] = ()


class Match(NamedTuple):
    """A node, what the wildcards stand for, and the operations between."""

    node: Expr
    bindings: Bindings
    inside: set[Expr]


def override_gradient(
    what: Any, pattern: Expr, pullback: Pullback, name: str | None = None
) -> Overriding:
    """The graph with a box, of the same value, around each part that matches the pattern.

    It looks into the bodies of loops and boxes; what is the same at all steps of a loop is
    computed before it, and so is matched there, once. Of matches within each other the outermost
    counts. A parameter that the pattern leaves at its default, such as an axis, matches
    any. An operation inside a match that something else uses too keeps its ordinary
    derivative there.

    Parameters
    ----------
    what : Graph, Stage, Expr or list of Expr
        Where to look.
    pattern : Expr
        An expression in wildcards; sums and products match in either order.
    pullback : callable
        (bindings, output, cotangent) -> a cotangent for each wildcard, as a dictionary by
        name, or in a list in their order (or by itself, if there is one).
    name : str, optional
        That of the boxes.

    Returns
    -------
    Stage
        Differentiate its result, `stage.output`; `stage.matches` are the nodes that
        matched.

    Raises
    ------
    TypeError
        If the pattern is no operation on wildcards.

    See Also
    --------
    custom_gradient : Of a Python function.

    Examples
    --------
    >>> x, a = ad.scalar("x"), ad.wild("a")
    >>> stage = ad.override_gradient(ad.abs(x), ad.abs(a), lambda found, y, ct: ct)
    >>> ad.grad(stage.output, x)
    1
    """
    graph = as_graph(what)
    if not isinstance(pattern, Expr) or pattern.op is None or pattern.type is not UNTYPED:
        raise TypeError("a pattern is an operation on wildcards, as in W @ x + b with "
                        f'W, x, b = ad.wild("W x b"), not {pattern}')  # fmt: skip
    inner = Inside(pattern, pullback, name)
    bodies = replacing("override", graph, inner.concerns, inner)
    matches, skipped = outermost(bodies.after, pattern)
    rule = Override(pattern, pullback, name)
    steps = [rule.step(match) for match in matches]
    log = {step.before: step.after for step in steps}
    after = Graph(substitute(bodies.outputs, log), graph.inputs, graph.names)
    done = len(bodies.log)
    marks = [*bodies.marks, *range(done, done + len(steps))]
    whole = [*bodies.steps, *steps], [*bodies.log, *log.items()]
    stage = Overriding("override", graph, after, *whole, marks)
    stage.matches = (*[m.node for m in matches], *inner.matches)
    stage.skipped = (*skipped, *inner.skipped)
    return stage


class Inside:
    """The same for the bodies of loops and of boxes whose derivative is their own."""

    def __init__(self, *what: Any):
        self.what = what
        self.matches: list[Expr] = []
        self.skipped: list[Expr] = []
        self.known: dict[Any, Any] = {}

    def concerns(self, op: Any) -> bool:
        return isinstance(op, Nested) and not op.overrides

    def __call__(self, n: Expr, used: frozenset[int]) -> tuple[str, dict[int, Expr]] | None:
        """A node with a body in which something matches, with boxes there."""
        if n.op in self.known:
            op = self.known[n.op]
        else:
            stage = override_gradient(n.op.body, *self.what)
            self.matches += stage.matches
            self.skipped += stage.skipped
            op = n.op.changed(stage.after) if stage.matches else n.op
            self.known |= {n.op: op, op: op}
        if op is n.op:
            return None
        found = results(op.apply(n.inputs, n.static))
        return f"override inside {op.name}", {k: found[k] for k in used}


def outermost(graph: Graph, pattern: Expr) -> tuple[list[Match], list[Expr]]:
    """The matches, from the outputs down, and the nodes whose match lies within one of these."""
    forms = [matcher(form) for form in variants(loose(pattern), names_in(pattern, 2))]
    matches: list[Match] = []
    skipped: list[Expr] = []
    taken: set[Expr] = set()
    for n in reversed(postorder(graph.outputs)):
        bindings = next(attempts(forms, n), None)
        if bindings is None:
            continue
        if n in taken:
            skipped.append(n)
            continue
        ends = [e for e in bindings.values() if isinstance(e, Expr)]
        match = Match(n, bindings, between(n, ends))
        taken |= match.inside
        matches.append(match)
    return matches, skipped


def attempts(forms: Sequence[Callable[[Expr, Bindings], bool]], n: Expr) -> Iterator[Bindings]:
    for form in forms:
        bindings: Bindings = {}
        if form(n, bindings):
            yield bindings


def between(n: Expr, ends: Sequence[Expr]) -> set[Expr]:
    """The nodes below n and above these."""
    inside, stack, stop = set(), list(n.inputs), set(ends)
    while stack:
        m = stack.pop()
        if m not in stop and m not in inside:
            inside.add(m)
            stack.extend(m.inputs)
    return inside


class Override:
    """The rule for all matches of a pattern; equal matches get equal boxes."""

    def __init__(self, pattern: Expr, pullback: Pullback, name: str | None):
        self.pullback, self.name, self.label = pullback, name or "override", name or str(pattern)
        self.wildcards = [n.name or "" for n in postorder([pattern]) if isinstance(n, Wild)]
        self.rules: dict[tuple, Any] = {}

    def step(self, match: Match) -> Step:
        """The match put into a box."""
        bound = {k: e for k, e in match.bindings.items() if isinstance(e, Expr)}
        ends = list(dict.fromkeys(bound.values()))
        symbols = [Input(next(k for k, e in bound.items() if e is end), end.type) for end in ends]
        became: dict[Expr, Expr] = dict(zip(ends, symbols, strict=True))
        (inside,) = substitute([match.node], became)
        places = {k: next(j for j, end in enumerate(ends) if end is e) for k, e in bound.items()}
        given = {k: e for k, e in match.bindings.items() if k not in bound}
        how: dict[str, Any] = {"pullback": self.rule(places, given), "name": self.name}
        box = OpFromGraph(symbols, inside, inline=True, **how)
        box.label = self.label
        new = box.apply(tuple(ends))
        new.name = match.node.name
        return Step(f"override {self.label}", match.node, new, bound)

    def rule(self, places: dict[str, int], given: dict[str, Any]) -> Any:
        """The pullback of a box whose wildcards stand at these places among its inputs."""
        key = (*places.items(), *given.items())
        if key not in self.rules:

            def pullback(inputs: Any, outputs: Any, cotangents: Any) -> Any:
                def rule(ends: Any, _: Any, cts: Any) -> list[Expr | None]:
                    bindings = dict(zip(places, ends, strict=True)) | given
                    answer = self.pullback(bindings, outputs[0], cts[0])
                    return self.by_input(answer, places, len(inputs), outputs[0])

                return in_symbols(rule, [inputs[j] for j in places.values()], (), cotangents)

            self.rules[key] = OfOperands(pullback)
        return self.rules[key]

    def by_input(
        self, answer: Any, places: dict[str, int], count: int, out: Expr
    ) -> list[Expr | None]:
        """What the user's rule said, for the inputs of the box."""
        names = [k for k in self.wildcards if k in places]
        if isinstance(answer, Expr) or answer is None:
            answer = [answer]
        if isinstance(answer, (list, tuple)) and len(answer) == len(names):
            answer = dict(zip(names, answer, strict=True))
        if not isinstance(answer, Mapping) or answer.keys() - set(names):
            raise TypeError(
                f"the override of {self.label}{at(out)} must return a cotangent for each of "
                f"{', '.join(names)}: a list in this order or a dictionary, not {answer!r}"
            )
        found: list[Expr | None] = [None] * count
        for k, ct in answer.items():
            old = found[places[k]]
            found[places[k]] = ct if old is None or ct is None else old + ct
        return found


def loose(p: Expr) -> Expr:
    """The pattern where parameters that are left at their defaults match any."""
    if p.op is None:
        return p
    defaults = p.op.parameters
    static = tuple((k, v) for k, v in p.static if k not in defaults or defaults[k] is not v)
    return Expr(p.op, tuple(map(loose, p.inputs)), static, UNTYPED)
