"""Replacing: one walk, which rebuilds what stands above a node that has become another one.

Three questions are asked of it. What do these become by a log of replacements, `substitute`? What
are they with values in the places of inputs, `put_in`? And what does a pass make of them that asks
a rule at each node: `resolve`, with the visits of `replacing` or of the rewriter.

Letters: n a node, i one of its inputs.
"""

from collections.abc import Callable, Iterable, Mapping

from ..errors.classes import RewriteLoopError
from ..expr import Expr
from ..tracing import note_own

Visit = Callable[[Expr], None]


def rebuild(n: Expr, inputs: tuple[Expr, ...]) -> Expr:
    """The node with other inputs of the same types; itself where nothing changed."""
    for old, new in zip(n.inputs, inputs, strict=True):
        if new is not old:
            made = Expr(n.op, inputs, n.static, n.type, n.origin, n.name)
            note_own(made)
            return made
    return n


def circle() -> None:
    raise RewriteLoopError("a node was replaced by something that is made of it")


def resolve(
    roots: Iterable[Expr],
    became: Mapping[Expr, Expr],
    final: dict[Expr, Expr],
    visit: Visit,
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
    roots = list(roots)
    final: dict[Expr, Expr] = {}

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
