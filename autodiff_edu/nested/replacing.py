"""A pass that replaces what some operations compute, boxes opened, loops changed, until none is
left to replace. Each result that is replaced is a Step."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..expr import (
    Expr,
    Graph,
    Op,
    Origin,
    Rewriting,
    Step,
    TupleType,
    computed_by,
    made_by,
    postorder,
    substitute,
)

Rewrite = Callable[[Expr, frozenset[int]], tuple[str, Mapping[int, Expr]] | None]


def replacing(
    name: str, graph: Graph, concerned: Callable[[Op], bool], rewrite: Rewrite
) -> Rewriting:
    """The stage in which `rewrite(node, places)` says, for each node with an operation that is
    concerned, and for those of its results that are used, by which rule they are replaced and what
    by; or None."""
    roots: Sequence[Expr] = graph.outputs
    log: dict[Expr, Expr] = {}
    steps: list[Step] = []
    marks: list[int] = []
    settled: set[Any] = set()
    while True:
        order = postorder(roots)
        used: dict[Expr, dict[int, list[Expr]]] = {}
        for n in order:
            owner, place = computed_by(n)
            if n.op is not None and concerned(owner.op) and not isinstance(n.type, TupleType):
                used.setdefault(owner, {}).setdefault(place, []).append(n)
        before = len(steps)
        for owner, results in used.items():
            if (owner, frozenset(results)) in settled:
                continue
            settled.add((owner, frozenset(results)))
            found = made_by(Origin("rewrite", name, owner), rewrite, owner, frozenset(results))
            if found is not None:
                rule, new = found
                for place, nodes in results.items():
                    for n in nodes:
                        steps.append(Step(rule, n, new[place]))
                        marks.append(len(log))
                        log[n] = new[place]
        if len(steps) == before:
            break
        roots = substitute(roots, log)
    after = Graph(roots, graph.inputs, graph.names)
    return Rewriting(name, graph, after, steps, list(log.items()), marks)
