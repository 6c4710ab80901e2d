"""What a derivative of a Python function is, for editors and type checkers."""

from collections.abc import Sequence
from typing import Any, ParamSpec, Protocol, TypeVar

P = ParamSpec("P")
R = TypeVar("R", covariant=True)


class Traced(Protocol[P, R]):
    """A function that takes what the user's takes, and shows the paths that its calls took."""

    @property
    def paths(self) -> Sequence[Any]: ...
    def draw_paths(self) -> Any: ...
    def film_path(self, *args: P.args, **kwargs: P.kwargs) -> Any: ...
    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R: ...
