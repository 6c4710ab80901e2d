"""Which leaf a stored leaf is: what is pickled or copied together has one copy of each."""

from collections.abc import Callable
from typing import Any
from weakref import ref


def not_yet() -> None:
    """The owner of an identity that was not copied."""


class Identity:
    """What a leaf has to itself. Of what is pickled or copied together, pickle makes one copy of
    each identity. So a copy knows the leaf that came with it: expressions that shared the leaf
    share its copy."""

    __slots__ = ("owner",)

    def __init__(self) -> None:
        self.owner: Callable[[], Any] = not_yet

    def owned(self, by: Any) -> None:
        """Say whose it is; an identity keeps nothing alive."""
        self.owner = ref(by)

    def __reduce__(self) -> Any:
        return type(self), ()
