"""Loops that take no new memory: the rows that a loop keeps are written over a sequence that dies
there, each over the slice that its step has read. So does a gradient that goes back in time.

    for ct, slope in each(steps, all_ct, all_slope):
        v1 = np.add(ct, d_h, out=ct)

A matrix by which each step multiplies lies in a row before the first step: the part of BLAS for
small matrices takes half as long again with a transposed one.
"""

from math import prod
from typing import Any

from ...expr import Expr
from ...nested.loops.scan_op import Scan
from ...ops import matmul
from ...ops.in_python import is_ufunc
from ..plan import Plan, is_reversal

SMALL = 1_000_000  # products of numbers for which OpenBLAS has a part of its own
OFTEN = 16  # steps that are worth a copy


def dying(plan: Plan, n: Expr) -> frozenset[tuple[int, bool]]:
    """The sequences of a loop, by place, that are arrays of the program's own which nobody reads
    later, and whether each is read backwards."""
    op = n.op
    if not isinstance(op, Scan) or op.until or not op.steps or op.steps < 1:
        return frozenset()
    homes = [plan.home(i) for i in n.inputs]
    sequences = list(zip(n.inputs, homes, strict=True))[1 + op.states :][: op.slices]
    return frozenset(
        (k, i is not home)
        for k, (i, home) in enumerate(sequences)
        if (i is home or is_reversal(i))
        and (is_ufunc(home.op) or home.op is matmul)
        and not plan.lent(i)
        and plan.dies[home] == plan.places[n]
        and sum(h is home for h in homes) == 1
    )


def quicken(loop: Any, plan: Plan, rooms: dict[Expr, str]) -> None:
    """Let a loop write rows over slices, and multiply by matrices that lie in a row."""
    for k, n in loop.rooms.items():
        free = [j for j, _ in loop.dying if loop.sequences[j] not in loop.kept.values()]
        over = [j for j in sorted(free) if is_written_over(loop, plan, k, n, j)]
        if over:
            loop.kept[k], rooms[n] = loop.sequences[over[0]], loop.slices[over[0]]
    if (loop.op.steps or 0) >= OFTEN:
        constants = dict(zip(loop.op.body.inputs[-len(loop.constants) :], loop.constants))
        names = [constants[y] for y in map(small_factor, plan.order) if y in constants]
        loop.before = [f"{name} = np.ascontiguousarray({name})" for name in dict.fromkeys(names)]


def is_written_over(loop: Any, plan: Plan, k: int, n: Expr, j: int) -> bool:
    """Is the j-th slice of the type of the k-th row, in the same order in memory, and read for the
    last time when n begins the row?"""
    x, c = loop.op.body.inputs[len(loop.states) + j], len(loop.states)
    last, place = plan.dies.get(x, -1), plan.places[n]
    backwards = (j, c + k in loop.flipped) in loop.dying
    read = last < place or (last == place and is_ufunc(n.op))
    return k >= c and backwards and x.type is n.type and read


def small_factor(n: Expr) -> Expr | None:
    """The second factor of a product of two small matrices."""
    if n.op is not matmul or not n.type.is_float or not all(i.type.known for i in n.inputs):
        return None
    x, y = n.inputs
    small = x.ndim == y.ndim == 2 and prod((*x.shape, y.shape[1])) <= SMALL
    return y if small else None
