"""The text of a region: a loop over blocks of rows.

v4 = np.empty(100000)
v3 = 0.0
room = np.empty(16384)
for k in range(0, 100000, 16384):
    x_k = x[k : k + 16384]
    v4_k = v4[k : k + 16384]
    if k == 98304:
        room = room[:1696]
    v1 = np.sin(x_k, out=room)
    np.multiply(v1, x_k, out=v4_k)
    v3 += np.add.reduce(v4_k)
"""

from typing import Any

import numpy as np

from ...expr import Expr
from ...ops import mean, sin
from ...ops.in_python import is_ufunc, numpy_function
from ..plan import Plan, Region
from ..source.text import Lines, plain
from .sin_cos import partners, sin_cos

Kind = tuple[tuple[int, ...], str]
SCRATCH = 3  # rooms that sine and cosine need besides


def blocks(source: Any, region: Region) -> Lines:
    """The lines of a region."""
    k = source.new_name("k")
    named = [*region.sliced, *region.kept]
    views = {n: source.new_name(f"{source.operand(n)}_k") for n in named}
    part = f"[{k} : {k} + {region.rows}]"
    cuts = [f"{views[n]} = {source.operand(n)}{part}" for n in named]
    into, rooms = source.plan.into, BlockRooms(source, region)
    whole, ends = source.names, set(region.ends)
    made = {n: whole[into[n]] if n in into else room(n) for n in region.kept}
    lines = plain([f"{whole[n]} = {made[n]}" for n in region.kept])
    lines += plain([f"{whole[n]} = {nothing(n)}" for n in region.ends])
    lines += plain([*rooms.made(), f"for {k} in range(0, {region.length}, {region.rows}):"])
    source.names = {**whole, **views}
    source.inlined |= rooms.paired
    inside = [(row(source, ends, rooms, n), n) for n in region.members if n not in rooms.paired]
    source.names = whole
    lines += [(f"    {line}", n) for line, n in [*plain([*cuts, *rooms.cut(k)]), *inside]]
    lines += [(f"{whole[n]} = {whole[n]} / {count(n)}", n) for n in region.ends if n.op is mean]
    dead = [views[n] for n in named if n.op is not None]
    return lines + plain([f"del {', '.join(dead)}"] if dead else [])


def room(n: Expr, how: str = "empty") -> str:
    """A new array of the shape of a node."""
    dtype = "" if n.dtype == "float64" else f", {str(n.dtype)!r}"
    return f"np.{how}({n.type.shape[0] if n.ndim == 1 else n.type.shape}{dtype})"


def nothing(n: Expr) -> str:
    """The sum over no rows."""
    return room(n, "zeros") if n.ndim else "0.0"


def row(source: Any, ends: set[Expr], rooms: "BlockRooms", n: Expr) -> str:
    """The line that computes the rows of a node."""
    name, plan = source.names[n], source.plan
    if n in rooms.scratch:
        return both(source, rooms, n)
    if n in ends:
        return f"{name} += {added(source, n)}"
    if n not in plan.escaping:
        return f"{name} = {source.call(n, out=rooms.of.get(n, ''))}"
    if isinstance(numpy_function(n.op), np.ufunc):
        return source.call(n, out=name)
    return f"{name}[...] = {source.call(n)}"


def both(source: Any, rooms: "BlockRooms", n: Expr) -> str:
    """The line that computes sine and cosine together."""
    other = next(two for two, one in rooms.paired.items() if one is n)
    order = (n, other) if n.op is sin else (other, n)
    names = [source.names[m] for m in order]
    into = [rooms.of.get(m, source.names[m]) for m in order] + rooms.scratch[n]
    function = source.bind("sin_cos", sin_cos)
    return f"{', '.join(names)} = {function}({source.operand(n.inputs[0])}, {', '.join(into)})"


def added(source: Any, n: Expr) -> str:
    """The sum over the rows of a block."""
    how = dict(n.static)
    (x,) = n.inputs
    axis = how["axis"] if x.ndim > 1 else 0
    kept = ", keepdims=True" if how["keepdims"] else ""
    return f"np.add.reduce({source.operand(x)}, axis={axis}{kept})"


def count(n: Expr) -> int:
    """Of how many entries each of a mean is made."""
    (x,) = n.inputs
    return int(np.prod([x.type.shape[a] for a in dict(n.static)["axis"]]))


# ---- rooms


class BlockRooms:
    """A few arrays for what a region computes on the way: they are made once a call, so that the
    loop fetches no memory, and stay in the cache. A room is free when what lies in it has been read
    for the last time."""

    def __init__(self, source: Any, region: Region):
        self.plan: Plan = source.plan
        self.new_name = source.new_name
        self.region = region
        self.free: dict[Kind, list[str]] = {}
        self.names: dict[Kind, list[str]] = {}
        self.whole: dict[Kind, str] = {}  # the array of which they are the parts
        self.busy: dict[Expr, str] = {}  # by operation that made what lies there
        self.of: dict[Expr, str] = {}
        self.paired = partners(region.members)
        self.scratch: dict[Expr, list[str]] = {}  # by the first of a pair
        for n in region.members:
            self.serve(n)

    def serve(self, n: Expr) -> None:
        """A room for one operation, after those whose contents are dead were given back."""
        for home in [h for h in self.busy if self.plan.dies[h] < self.plan.places[n]]:
            self.free[self.kind(home)].append(self.busy.pop(home))
        fresh = n in self.plan.local and n not in self.plan.into and is_ufunc(n.op)
        if fresh:
            self.of[n] = self.busy[n] = self.take(self.kind(n))
        if n in self.paired:
            kind = self.kind(n)
            rooms = self.scratch[self.paired[n]] = [self.take(kind) for _ in range(SCRATCH)]
            self.free[kind] += rooms

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
