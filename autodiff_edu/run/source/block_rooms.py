"""Rooms for blocks: what a region computes on the way is written into a few arrays again and again.

They are made once a call, so that the loop fetches no memory, and stay in the cache.
"""

from typing import Any

from ...expr import Expr
from ..numpy_function import is_ufunc
from ..plan import Plan
from ..regions import Region

Kind = tuple[tuple[int, ...], str]


class BlockRooms:
    """Which operation of a region writes into which room; a room is free when what lies in it has
    been read for the last time."""

    def __init__(self, source: Any, region: Region):
        self.plan: Plan = source.plan
        self.new_name = source.new_name
        self.region = region
        self.free: dict[Kind, list[str]] = {}
        self.names: dict[Kind, list[str]] = {}
        self.whole: dict[Kind, str] = {}  # the array of which they are the parts
        self.busy: dict[Expr, str] = {}  # by operation that made what lies there
        self.of: dict[Expr, str] = {}
        for n in region.members:
            self.serve(n)

    def serve(self, n: Expr) -> None:
        """A room for one operation, after those whose contents are dead were given back."""
        for home in [h for h in self.busy if self.plan.dies[h] < self.plan.places[n]]:
            self.free[self.kind(home)].append(self.busy.pop(home))
        fresh = n in self.plan.local and n not in self.plan.into and is_ufunc(n.op)
        if fresh:
            self.of[n] = self.busy[n] = self.take(self.kind(n))

    def take(self, kind: Kind) -> str:
        free = self.free.setdefault(kind, [])
        if not free:
            name = self.new_name("room")
            self.names.setdefault(kind, []).append(name)
            return name
        return free.pop()

    def kind(self, n: Expr) -> Kind:
        """The shape of a block of it, and its dtype."""
        return (self.region.rows, *[m or 0 for m in n.type.shape[1:]]), str(n.dtype)

    def made(self) -> list[str]:
        """The lines that make all rooms, before the loop."""
        lines = []
        for (shape, dtype), names in self.names.items():
            whole = self.whole[shape, dtype] = self.new_name("rooms")
            of = "" if dtype == "float64" else f", {dtype!r}"
            lines.append(f"{whole} = np.empty({(len(names), *shape)}{of})")
            lines.append(f"{', '.join(names)}{',' * (len(names) == 1)} = {whole}")
        return lines

    def cut(self, k: str) -> list[str]:
        """The lines, in the loop, that make them shorter for the last rows."""
        length, rows = self.region.length or 0, self.region.rows
        rest = length % rows
        if not self.names or not rest:
            return []
        lines = [f"if {k} == {length - rest}:"]
        for kind, names in self.names.items():
            left = f"{', '.join(names)}{',' * (len(names) == 1)}"
            lines.append(f"    {left} = {self.whole[kind]}[:, :{rest}]")
        return lines
