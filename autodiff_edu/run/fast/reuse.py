"""The second pass over a plan: which results are written over an array that dies.

Letters: k a place in the order, n the node there, i an operand.
"""

from ...expr import Expr
from ...ops import embed, sum
from ...ops.in_python import is_ufunc
from ..plan import Plan, Reuse
from .sin_cos import partners

Reads = dict[Expr, tuple[set[Expr], int]]  # by array: the operands that live there, the last place


def reuse(plan: Plan) -> Reuse:
    """The arrays over which results are written."""
    chosen = Choice(plan)
    for k, n in enumerate(plan.order):
        chosen.place(k, n)
    return Reuse(chosen.into, chosen.owner, chosen.dies)


class Choice:
    """What is chosen so far; `owner` and `dies` are those of the plan, as they have become."""

    def __init__(self, plan: Plan):
        self.plan, self.into = plan, dict[Expr, Expr]()
        self.owner, self.dies = dict(plan.owner), dict(plan.dies)
        self.read_by_region = read_by_regions(plan)
        pairs = [pair for r in plan.regions for pair in partners(r.members).items()]
        self.paired = {n for pair in pairs for n in pair}  # each line of a pair writes two arrays

    def home(self, n: Expr) -> Expr:
        return self.owner.get(n, n)

    def place(self, k: int, n: Expr) -> None:
        target = self.reusable(k, n)
        if target is not None:
            self.into[n] = target
            self.owner[n] = self.home(target)
            self.dies[self.owner[n]] = self.dies.get(n, k)
        elif n.op.view:  # what it views may have been written over another array
            self.owner[n] = self.home(self.owner[n])

    def reusable(self, k: int, n: Expr) -> Expr | None:
        """An operand whose array dies here and has the shape and dtype of the result."""
        plan = self.plan
        if n in plan.fused and n.op not in (sum, embed):
            return accumulated(n, plan.fused[n])
        if not n.ndim or n in self.paired or not is_ufunc(n.op):
            return None
        if n in plan.escaping:
            return self.given_up(n)
        for i in n.inputs:
            made = i.op is not None and not i.op.view
            if made and i.type is n.type and self.dies[self.home(i)] == k:
                return i
        return None

    def given_up(self, n: Expr) -> Expr | None:
        """For a result that is written block by block: an array that its region reads the same
        way, for the last time before that."""
        plan = self.plan
        for home, (operands, last) in self.read_by_region[n].items():
            i, *others = operands
            same = home.op is not None and home.type is n.type is i.type
            dying = self.dies[self.home(home)] == plan.over[n]  # if none was written over it yet
            before = last <= plan.places[n] and dying
            if same and not others and not i.op.view and before:
                return i
        return None


def read_by_regions(plan: Plan) -> dict[Expr, Reads]:
    """For each node of a region that is kept: by array that dies in the region, through which
    operands it is read there, and the place in the order of the last operation that does."""
    found = {}
    for r in plan.regions:
        read: Reads = {}
        members = set(r.members)
        for n in r.members:
            for i in (i for i in plan.reads(n) if i not in members):
                home = plan.owner.get(i, i)
                read[home] = read.get(home, (set(), 0))[0] | {i}, plan.places[n]
        end = plan.over[r.members[-1]]
        dying = {home: how for home, how in read.items() if home.op and plan.dies[home] == end}
        found.update(dict.fromkeys(r.kept, dying))
    return found


def accumulated(n: Expr, inner: Expr) -> Expr:
    """The value to which n adds the embedded slice."""
    return n.inputs[1] if n.inputs[0] is inner else n.inputs[0]
