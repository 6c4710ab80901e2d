"""The ways of calls: where types come again, a written function reads the arguments, tells whether
anything has changed, and leads to the paths."""

import functools
from collections.abc import Sequence
from typing import Any

from ..expr import Remembered
from .kept import Kept
from .paths import Branches
from .probes import is_plain, plain_types
from .pytree import tree_flatten


class Ways(Remembered):
    """Those of calls without keywords, of arrays and floats in plain containers. Most calls take
    that of the call before; those whose arguments are no containers find theirs by types.

    latest  what reads the arguments, the look that it compares, and the paths
    """

    def __init__(self) -> None:
        self.branches = Kept()
        self.latest: Any = (lambda args: None), None, Branches(None)

    def of(self, args: Sequence[Any]) -> tuple[Sequence[Any] | None, Any]:
        """The leaves of such arguments, and the paths for their types, if these are there and
        nothing has changed."""
        types = plain_types(args)
        branches = self.branches.get(types) if types else None
        look = branches.look if branches else None  # which another thread may take away
        if not types or look is None:
            return None, None
        read = look.probes.reader(types, flat(len(types)))
        values = read(args)
        if values is not None:
            self.latest = read, look, branches
        return values, branches

    def enter(self, structure: Any, leaves: Sequence[Any], branches: Branches, again: bool) -> None:
        """Note the way of a call. That in containers is read the same way if it comes again."""
        _, _, args, named = structure
        types = plain_types(leaves)
        look = branches.look
        if not types or look is None or named[1] or not is_plain(args):
            return
        if args == flat(len(types)):
            self.branches.keep(types, branches)
        elif again:
            self.latest = look.probes.reader(types, args), look, branches

    def __reduce__(self) -> Any:
        return Ways, ()  # programs are code


@functools.cache
def flat(n: int) -> Any:
    """The structure of so many arguments by place, none of them a container."""
    return tree_flatten((0.0,) * n)[1]
