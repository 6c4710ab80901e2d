"""How a derivative grows in a scene: each step fills the place of one value, or adds to it.

Reverse mode adds what one use gives to the place of the value that is used; forward mode fills a
place from those of the operands; symbolic differentiation begins with D(y) in y's place, and each
step replaces one D.
"""

from collections import Counter
from collections.abc import Iterator

from ...differentiate import D
from ...differentiate.slope_names import BAR
from ...expr import Expr, Graph, Growing, Rewriting, Stage, computed_by
from ..build.labels import per_use
from .parts import Moment, Parts, Shown
from .words import equation_of_derivative, equation_of_place, equation_of_use


def formula(stage: Stage) -> Graph:
    """Return the formula that a stage differentiates, or makes short."""
    graph = stage.before
    if any(y.op is D for y in graph.outputs):
        return Graph([y.inputs[0] for y in graph.outputs], graph.inputs)
    return graph


def grown(parts: Parts, stage: Stage) -> Iterator[Shown]:
    """The frames of a derivative, one more than it has steps."""
    if isinstance(stage, Growing):
        return reverse(parts, stage) if stage.mark == BAR else forward(parts, stage)
    assert isinstance(stage, Rewriting)
    return symbolic(parts, stage)


def value_contents(parts: Parts) -> dict[str, list]:
    return {parts.home[v]: parts.content(v) for v in parts.values}


def opened(parts: Parts, values: Counter[Expr]) -> dict[str, list]:
    """The empty places of these values, in the order of the formula."""
    opened = [parts.open_place(v) for v in parts.values if v in values]
    return {p: ["empty"] for p in opened}


def reverse(parts: Parts, stage: Growing) -> Iterator[Shown]:
    uses = Counter(step.bindings["of"] for step in stage.steps)
    contents = value_contents(parts) | opened(parts, uses)
    outs = [parts.open_place(v) for v in stage.of]
    yield None, parts.frame(contents, outs)
    count, adjoint = Counter[Expr](), dict[Expr, Expr]()
    results: dict[Expr, list[Expr]] = {}  # those of each node that have an adjoint
    for step in stage.steps:
        u, w, term = step.before, step.bindings["of"], step.bindings["term"]
        p, count[w] = parts.open_place(w), count[w] + 1
        whole = count[w] == uses[w]
        owners = {adjoint[v]: parts.place[v] for v in results.get(u, ())}
        new = []
        if parts.is_new(term):
            apart = term is not step.after or not whole
            new += parts.assign(term, parts.beside("term", u, w) if apart else p, u, w)
            parts.link(new, owners)
        if parts.is_new(step.after):
            new += parts.assign(step.after, p if whole else parts.beside("sum", u, w, 9), u, w)
        if step.after in owners:
            parts.ties[p] = owners[step.after]
        adjoint[w] = parts.anchors[p] = step.after
        results.setdefault(computed_by(w)[0], []).append(w)
        contents |= {parts.home[n]: parts.content(n) for n in new}
        contents[p] = parts.shown(p)
        words = {"at": parts.home.get(u), "seen": [count[w], uses[w]]}
        equation = equation_of_use(step, adjoint) if parts.moves else ""
        moment = Moment("derive", step, p, equation, words)
        yield moment, parts.frame(contents, outs)


def forward(parts: Parts, stage: Growing) -> Iterator[Shown]:
    contents = value_contents(parts) | opened(parts, Counter(s.bindings["of"] for s in stage.steps))
    outs = [parts.open_place(v) for v in stage.of]
    yield None, parts.frame(contents, outs)
    tangent: dict[Expr, Expr] = {}
    for step in stage.steps:
        v = step.bindings["of"]
        p = parts.open_place(v)
        owners = {tangent[i]: i for i in v.inputs if i in tangent}
        new = parts.assign(step.after, p, v, v, owners)
        places = {t: parts.place[i] for t, i in owners.items()}
        parts.link(new, places)
        if step.after in places:
            parts.ties[p] = places[step.after]
        tangent[v] = parts.anchors[p] = step.after
        contents |= {parts.home[n]: parts.content(n) for n in new}
        contents[p] = parts.shown(p)
        equation = equation_of_place(v, step.after, owners) if parts.moves else ""
        yield Moment("derive", step, p, equation), parts.frame(contents, outs)


def symbolic(parts: Parts, stage: Rewriting) -> Iterator[Shown]:
    of = Counter(step.before.inputs[0] for step in stage.steps)
    contents = value_contents(parts) | opened(parts, of)
    outs = [put_d(parts, d, contents) for d in stage.before.outputs]
    yield None, parts.frame(contents, outs)
    for step in stage.steps:
        v, p = step.before.inputs[0], parts.home[step.before]
        owners = {d: d.inputs[0] for d in differentials(step.after)}
        for d in owners:
            if d not in parts.home:
                put_d(parts, d, contents)
        new = parts.assign(step.after, p, v, v, owners)
        parts.link(new, {d: parts.place[u] for d, u in owners.items()})
        parts.anchors[p] = step.after
        if step.after.op is D:
            parts.ties[p] = parts.home[step.after]
        contents |= {parts.home[n]: parts.content(n) for n in new}
        contents[p] = parts.shown(p)
        if step is stage.steps[-1]:
            become_final(parts, stage)
        equation = equation_of_derivative(step) if parts.moves else ""
        yield Moment("derive", step, p, equation), parts.frame(contents, outs)


def put_d(parts: Parts, d: Expr, contents: dict[str, list]) -> str:
    """Let D(v) be at home in v's place."""
    p = parts.home[d] = parts.open_place(d.inputs[0])
    parts.anchors[p] = d
    contents[p] = parts.content(d)
    return p


def differentials(n: Expr) -> list[Expr]:
    """The D(·) in what one step made, from left to right."""
    below, stack = dict[Expr, None](), [n]
    while stack:
        m = stack.pop()
        if m not in below:
            below[m] = None
            stack += [] if m.op is D else reversed(m.inputs)
    return [m for m in below if m.op is D]


def become_final(parts: Parts, stage: Rewriting) -> None:
    """Let the nodes of the result be at home where those stand that have D(·) in them: walk down
    both at once."""
    log = {step.before: step.after for step in stage.steps}
    final: dict[Expr, Expr] = {}
    stack = list(zip(stage.before.outputs, stage.after.outputs, strict=True))
    while stack:
        n, m = stack.pop()
        if n in final or n is m:
            continue
        final[n] = m
        stack += [(log[n], m)] if n.op is D else zip(n.inputs, m.inputs, strict=True)
    for n, m in final.items():
        if n.op is not D and not per_use(m) and n in parts.home:
            parts.home.setdefault(m, parts.home[n])
            parts.links.setdefault(m, parts.links.get(n, {}))
    for p, n in parts.anchors.items():
        parts.anchors[p] = final.get(n, n)
