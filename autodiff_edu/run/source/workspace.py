"""The workspace of a program: large arrays for what it computes on the way, kept for the next call.

room_1, room_2 = workspace((3200, 64), (100, 32, 64))
v1 = np.matmul(x, W, out=room_1)

To fetch a megabyte from the system takes as long as ten operations on it: each page is cleared
first. So the arrays stay. They belong to one function and one thread, and die with either. Results
are never written into them, nor what an operation of the user's has seen. An array that somebody
holds all the same is not used again: a call within a call, or a traceback, has it still.
"""

from collections.abc import Callable, Iterator
from math import prod
from sys import getrefcount
from threading import local
from typing import Any
from weakref import ref

import numpy as np

from ...expr import Expr, TensorType
from ...ops import matmul, transpose
from ..numpy_function import is_ufunc, ours
from ..plan import Plan

LEAST = 2**20  # bytes of an array that is worth it: smaller ones are kept by the allocator
LIMIT = 2**25  # bytes that one function keeps for one thread
LIMIT_OF_ALL = 2**27  # bytes that a thread keeps for all functions
TURNED = (transpose,)
Kind = tuple[tuple[int, ...], str]


class Recent(local):
    """The workspaces of a thread, those used last at the end."""

    def __init__(self) -> None:
        self.order: dict[ref[Workspace], None] = {}

    def used(self, workspace: "Workspace", new: bool) -> None:
        """Put it at the end. If it is new, those that were not used for the longest time give back
        what is too much."""
        self.order.pop(workspace.me, None)
        if new:
            others = [w for w in [at() for at in self.order] if w is not None and w.size]
            room = LIMIT_OF_ALL - workspace.size
            for w in reversed(others):
                room -= w.size
                if room < 0:
                    w.kept.__dict__.clear()
            self.order = {w.me: None for w in others}
        self.order[workspace.me] = None


RECENT = Recent()


class Workspace:
    """Called with shapes it gives arrays, for each thread its own, and the same in its next call if
    nobody holds them."""

    def __init__(self) -> None:
        self.me = ref(self)
        self.forget()

    def __call__(self, *shapes: tuple[int, ...], dtype: str = "float64") -> list[np.ndarray]:
        kept: list[np.ndarray] = self.kept.__dict__.setdefault(dtype, [])
        new = not kept
        if new:
            np.empty(sum(map(prod, shapes)), dtype)  # by this glibc learns to keep smaller arrays
            kept[:] = [np.empty(shape, dtype) for shape in shapes]
        RECENT.used(self, new)
        for k, busy in enumerate(held(kept)):
            if busy:
                kept[k] = np.empty(shapes[k], dtype)
        return [*kept]

    @property
    def size(self) -> int:
        """How many bytes it has for this thread."""
        return sum([a.nbytes for arrays in self.kept.__dict__.values() for a in arrays])

    def forget(self) -> None:
        """Give all arrays back, those of other threads too."""
        self.kept = local()


def held(arrays: list[np.ndarray]) -> list[bool]:
    """Which of them does anybody hold beside the list?"""
    return [count > ALONE for count in map(getrefcount, arrays)]


def alone() -> int:
    """How many references are counted where nobody else has any."""
    arrays = [np.empty(1), np.empty(1)]
    return max(map(getrefcount, arrays))


ALONE = alone()


# ---- which results are written into which array


class Rooms:
    """Which operation of a program writes into which room. A room is free when what lies in it has
    been read for the last time."""

    def __init__(self, plan: Plan, new_name: Callable[[str], str]):
        self.plan, self.new_name = plan, new_name
        self.of: dict[Expr, str] = {}
        self.names: dict[Kind, list[str]] = {}
        self.free: dict[Kind, list[str]] = {}
        self.size = 0
        busy: dict[Expr, Kind] = {}
        for n, start in self.worth_it():
            for m in [m for m in busy if plan.dies[m] < start]:
                self.free[busy.pop(m)].append(self.of[m])
            kind = n.shape, str(n.dtype)
            room = self.take(kind)
            if room:
                self.of[n], busy[n] = room, kind

    def take(self, kind: Kind) -> str:
        """A room that is free, or a new one, or none where the limit is reached."""
        free = self.free.setdefault(kind, [])
        if free:
            return free.pop()
        shape, dtype = kind
        size = prod(shape) * np.dtype(dtype).itemsize
        if self.size + size > LIMIT:
            return ""
        self.size += size
        name = self.new_name("room")
        self.names.setdefault(kind, []).append(name)
        return name

    def worth_it(self) -> Iterator[tuple[Expr, int]]:
        """The operations that make large arrays which die in the program, and from when on these
        are in use."""
        plan = self.plan
        large = set(filter(is_large, {n.type for n in plan.order}))
        first = {n: plan.places[r.members[0]] for r in plan.regions for n in r.members}
        for n in [n for n in plan.order if n.type in large]:
            if writes_anywhere(plan, n) and plan.dies[n] < len(plan.order):
                yield n, first.get(n, plan.places[n])

    def lines(self, workspace: str) -> list[str]:
        """The lines that fetch them from the workspace, one a dtype."""
        by_dtype: dict[str, list[tuple[str, tuple[int, ...]]]] = {}
        for (shape, dtype), names in self.names.items():
            by_dtype.setdefault(dtype, []).extend([(name, shape) for name in names])
        found = []
        for dtype, rows in by_dtype.items():
            left = ", ".join([name for name, _ in rows]) + "," * (len(rows) == 1)
            settings = [str(shape) for _, shape in rows]
            settings += [] if dtype == "float64" else [f"dtype={dtype!r}"]
            found.append(f"{left} = {workspace}({', '.join(settings)})")
        return found


def is_large(t: Any) -> bool:
    """Is an array of this type worth a room?"""
    known = isinstance(t, TensorType) and t.known
    return known and prod(t.shape) * t.dtype.itemsize >= LEAST


def writes_anywhere(plan: Plan, n: Expr) -> bool:
    """Does it make an array of its own, which NumPy could write into any room as quickly?"""
    if not ours(n.op) or n in plan.into or n in plan.local or n in plan.fused:
        return False
    if plan.home(n) is not n:
        return False
    if n.op is matmul:
        return all(i.ndim > 1 and i.dtype == n.dtype for i in n.inputs)
    turned = any(i.op in TURNED for i in n.inputs)  # whose result would be turned, too
    return is_ufunc(n.op) and not turned
