"""A pass that replaces what some operations compute: boxes opened, loops changed.

From the inputs up, each node is rebuilt from what its operands have become, then replaced for as
long as a rule says so. Each result that is replaced is a Step.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, overload

from ..core import stage
from ..core.graph import Graph, rebuild, resolve
from ..core.node import Expr, Origin, made_by
from ..core.op import Op, computed_by
from ..core.stage import Pair, Rewriting, Step
from ..core.types import TupleType
from .collector import uncollected
from .methods import give

Found = tuple[str, Mapping[int, Expr]] | None


def replacing(
    name: str,
    graph: Graph,
    concerned: Callable[[Op], bool],
    rewrite: Callable[[Expr, frozenset[int]], Found],
) -> Rewriting:
    """The stage of a pass that replaces results of operations.

    concerned  is asked of an operation: may this pass replace its results?
    rewrite    is given a node with such an operation, and the places of its results that are used;
               it gives the name of a rule and, by place, what stands for these results, or None
    """
    with uncollected():
        return Replacing(name, graph, concerned, rewrite).run()


class Replacing:
    """One run: what each node became next, and what it is in the end."""

    def __init__(self, name: str, graph: Graph, concerned: Any, rewrite: Any):
        self.name, self.graph, self.concerned, self.rewrite = name, graph, concerned, rewrite
        self.became: dict[Expr, Expr] = {}
        self.final: dict[Expr, Expr] = {}
        self.seen: set[Expr] = set()
        self.used: dict[Expr, set[int]] = {}  # the results of a node that somebody needs
        self.found: dict[Expr, Found] = {}
        self.log = Log()
        self.steps: list[Step] = []
        self.marks: list[int] = []

    def run(self) -> Rewriting:
        self.look(self.graph.outputs)
        roots = self.finals() if self.used else self.graph.outputs
        after = self.graph.with_outputs(roots)
        return Rewriting(self.name, self.graph, after, self.steps, self.log, self.marks)

    def look(self, roots: Iterable[Expr]) -> None:
        """Note which results are used, in the part of a graph that is new."""
        stack = [y for y in roots if y not in self.seen]
        while stack:
            n = stack.pop()
            if n not in self.seen and n.op is not None:
                owner, place = computed_by(n)
                if self.concerned(owner.op) and not isinstance(n.type, TupleType):
                    self.used.setdefault(owner, set()).add(place)
                stack += n.inputs
            self.seen.add(n)

    def finals(self) -> list[Expr]:
        """What the outputs are in the end."""
        resolve(self.graph.outputs, self.became, self.final, self.visit)
        return [self.final[y] for y in self.graph.outputs]

    def visit(self, n: Expr) -> None:
        """What becomes of a node whose operands are what they are in the end."""
        new = rebuild(n, tuple([self.final[i] for i in n.inputs]))
        if new is not n and n in self.used:
            self.used[new] = self.used[n]
        replaced = self.asked(n) if new is n else new
        if replaced is None:
            self.final[n] = n
        else:
            self.became[n] = replaced
            self.log.add(n, replaced)

    def asked(self, n: Expr) -> Expr | None:
        """What the rule says of a result, and the step if it says anything."""
        owner, place = computed_by(n)
        if owner not in self.used or isinstance(n.type, TupleType):
            return None
        if owner not in self.found:
            origin, places = Origin("rewrite", self.name, owner), frozenset(self.used[owner])
            self.found[owner] = found = made_by(origin, self.rewrite, owner, places)
            self.look(found[1].values() if found else ())
        known = self.found[owner]
        if known is None:
            return None
        new = known[1][place]
        if new.op is not None and all(new is not i for i in owner.inputs):  # a node of our own
            new.name = new.name or n.name
        self.steps.append(Step(known[0], n, new))
        self.marks.append(len(self.log))
        return new


def users(nodes: Iterable[Expr]) -> dict[Expr, list[Expr]]:
    """For each node, those that take it as an input (twice, if they take it twice)."""
    table: dict[Expr, list[Expr]] = {}
    for n in nodes:
        table.setdefault(n, [])
        for i in n.inputs:
            table.setdefault(i, []).append(n)
    return table


class Log(Sequence[Pair]):
    """Pairs (what was, what it became), in order, held as two lists: a quarter of the memory."""

    __slots__ = ("after", "before")

    def __init__(self, pairs: Iterable[Pair] = ()):
        self.before: list[Expr] = []
        self.after: list[Expr] = []
        for old, new in pairs:
            self.add(old, new)

    def add(self, old: Expr, new: Expr) -> None:
        self.before.append(old)
        self.after.append(new)

    def __iadd__(self, more: Iterable[Pair]) -> "Log":
        for old, new in more:
            self.add(old, new)
        return self

    def __len__(self) -> int:
        return len(self.before)

    def __iter__(self) -> Iterator[Pair]:
        return zip(self.before, self.after, strict=True)

    def __reversed__(self) -> Iterator[Pair]:
        return zip(reversed(self.before), reversed(self.after), strict=True)

    @overload
    def __getitem__(self, k: int) -> Pair: ...

    @overload
    def __getitem__(self, k: slice) -> tuple[Pair, ...]: ...

    def __getitem__(self, k: Any) -> Any:
        if isinstance(k, slice):
            return tuple(zip(self.before[k], self.after[k], strict=True))
        return self.before[k], self.after[k]

    def __repr__(self) -> str:
        return repr(tuple(self))


give(stage, Log=Log)  # where stages that were stored before look for it
