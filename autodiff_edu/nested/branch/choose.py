"""`choose`: two sides of expressions become one branch.

What only one side needs moves inside. What both need, or the condition, is computed in any case and
handed in, as are leaves. The names: `first` and `second` are the results of the two sides.
"""

from collections.abc import Iterable, Sequence

from ...expr import Constant, Expr, Graph, computed_by, dependents, item, postorder, results
from ...ops import length
from ..subgraph.body import closure_convert
from .branch_op import Branch


def choose(
    condition: Expr, first: Sequence[Expr], second: Sequence[Expr], name: str = "cond"
) -> tuple[Expr, ...]:
    """The results of a branch: those of the first side where the condition holds."""
    roots = [*first, *second]
    outer = outside(condition, first, second)
    used = [i for n in above(roots, outer) if n not in outer for i in n.inputs]
    taken = [n for n in (*used, *roots) if n in outer and not isinstance(n, Constant)]
    operands = list(dict.fromkeys(taken))
    inner, symbols = closure_convert(roots, operands)
    names = [called(a) or called(b) for a, b in zip(first, second, strict=True)]
    branch = Branch(Graph(inner, symbols, names * 2), name)
    return results(branch.apply((condition, *operands)))


def called(y: Expr) -> str:
    """The name of a result; that of a leaf belongs to something else."""
    return "" if y.op is None else y.name or ""


def outside(condition: Expr, first: Sequence[Expr], second: Sequence[Expr]) -> set[Expr]:
    """What is computed before the branch, and all below: what both sides need or the condition,
    leaves, what moves shared values on, and the lengths of what only the other side computes."""
    lengths = foreign_lengths(first, second)
    sides = [above(side, lengths) for side in (first, second)]
    both = set(sides[0]) & set(sides[1])
    every = dict.fromkeys([*sides[0], *sides[1]])
    begin = [n for n in every if n not in lengths and (n in both or stays_outside(n))]
    found = set(postorder([condition, *begin])) | lengths
    return found | {n for n in every if n.op is item and computed_by(n)[0] in found}


def stays_outside(n: Expr) -> bool:
    """Is it a leaf, or a loop that moves shared values on, which it does in any case?"""
    if n.op is None:
        return not isinstance(n, Constant)
    return bool(getattr(n.op, "updates", ()))


def foreign_lengths(first: Sequence[Expr], second: Sequence[Expr]) -> set[Expr]:
    """Lengths that one side asks of what the other computes, as zeros_like does: they are mostly
    known without it."""
    every = postorder([*first, *second])
    lengths = {n for n in every if n.op is length}
    if not lengths:
        return set()
    values = [{n for n in above(side, lengths) if n.op is not None} for side in (first, second)]
    found: set[Expr] = set()
    for mine, other in (values, values[::-1]):
        theirs = dependents(every, other - mine)
        found |= {n for n in mine & lengths if n.inputs[0] in theirs}
    return found


def above(roots: Iterable[Expr], stop: set[Expr]) -> list[Expr]:
    """The nodes that the roots need, down to these, with them."""
    found: dict[Expr, None] = {}
    stack = list(roots)[::-1]
    while stack:
        n = stack.pop()
        if n not in found:
            found[n] = None
            stack += () if n in stop else n.inputs[::-1]
    return list(found)
