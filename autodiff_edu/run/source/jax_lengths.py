"""Lengths for JAX: what tells a length of an array must be known when JAX compiles.

`known` are the nodes that NumPy computes meanwhile, such as the lengths of inputs. `leaves` are the
inputs that lengths depend on, and `stuck` what depends on a loop or a branch. A single whole number
among the leaves is what JAX calls a static argument. Where it is more, nothing is compiled.
"""

from collections.abc import Iterable, Sequence

from ...expr import Constant, Expr, Graph, at, cached_property, item, postorder, word_of
from ...nested.loops.scan_op import Scan
from ...ops import length
from ...ops.in_python import ours
from .writer import wanted


class Lengths:
    """What the lengths in these expressions depend on."""

    def __init__(self, roots: Sequence[Expr]):
        order = [n for n in postorder(roots) if n.op is not None]
        self.wanted = wanted(order)
        self.known = {n for n in order if n.op is length}
        self.leaves: set[Expr] = set()
        self.stuck: set[Expr] = set()
        asked = [i for n in order for i in self.asked(n)]
        while asked:
            asked += self.ask(asked.pop())

    @cached_property
    def in_entries(self) -> bool:
        """Do lengths depend on the entries of arrays, or on what a loop finds?"""
        return bool(self.stuck) or any(i.ndim or i.dtype.kind not in "iub" for i in self.leaves)

    def ask(self, n: Expr) -> Iterable[Expr]:
        """Note what is needed to know the value of a node; what it needs for that in turn."""
        if isinstance(n, Constant) or n in self.known:
            return ()
        if n.op is None:
            self.leaves.add(n)
            return ()
        if n.op is item or isinstance(n.op.body, Graph) or not ours(n.op):
            self.stuck.add(n)
            return ()
        self.known.add(n)
        return n.inputs

    def asked(self, n: Expr) -> Sequence[Expr]:
        """The operands of a node that tell lengths."""
        if isinstance(n.op.body, Graph):
            return self.asked_inside(n)
        told = dict(n.static) if ours(n.op) else {}
        shape = told.get("shape") or told.get("lengths") or ()
        count = len(n.inputs) - shape.count(None)
        return [*[n.inputs[k] for k in n.op.lengths], *n.inputs[count:]]

    def asked_inside(self, n: Expr) -> Sequence[Expr]:
        """The operands on which lengths in the body depend, and the number of steps."""
        inner = Lengths(n.op.body.outputs)
        found = [n.inputs[k] for k, i in enumerate(n.op.inside)
                 if i is not None and n.op.body.inputs[i] in inner.leaves]  # fmt: skip
        if not isinstance(n.op, Scan):
            self.stuck |= {n} if inner.stuck else set()
            return found
        moving = set(n.op.body.inputs[: n.op.states + n.op.slices]) & inner.leaves
        if moving or inner.stuck:
            raise changing(n)
        rows = any(k >= n.op.states for k in self.wanted[n])
        if n.op.until and rows:
            self.stuck.add(n)
        return [*found, *n.inputs[: rows or not by_condition(n.op)]]


def by_condition(op: Scan) -> bool:
    """Is it a loop that asks before each step whether there is one, if its last states are all?"""
    return op.until or op.steps is None


def changing(n: Expr) -> NotImplementedError:
    return NotImplementedError(
        f"in {word_of(n.op)}{at(n)} a length depends on the step, and JAX knows no such loops: "
        'keep the length and mask what is too much, or write target="numpy"'
    )
