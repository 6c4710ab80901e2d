"""What became what: the work of a rewriting pass and its film."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, overload

from ..expr import Expr

Pair = tuple[Expr, Expr]


class Log(Sequence[Pair]):
    """Pairs (what was, what it became), in order. The log of a large graph has millions; they are
    held as two lists, which take a quarter of the memory."""

    __slots__ = ("after", "before")

    def __init__(self, pairs: Iterable[Pair] = ()):
        self.before: list[Expr] = []
        self.after: list[Expr] = []
        for old, new in pairs:
            self.add(old, new)

    def add(self, old: Expr, new: Expr) -> None:
        self.before.append(old)
        self.after.append(new)

    def __iadd__(self, more: "Log") -> "Log":
        self.before += more.before
        self.after += more.after
        return self

    def until(self, end: int) -> dict[Expr, Expr]:
        """What each node had become after so many entries."""
        return dict(islice(self, end))

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
