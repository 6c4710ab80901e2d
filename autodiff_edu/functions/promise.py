"""`ad.pure`: the user's promise that a function depends on its arguments alone."""

import functools
from collections.abc import Callable
from typing import Any, TypeVar, cast

from ..expr import is_function, shown
from .unsure import name_in_words

F = TypeVar("F", bound=Callable[..., Any])


class Pure:
    """A function that was promised to depend on its arguments alone."""

    def __init__(self, function: Callable[..., Any], check: bool):
        functools.update_wrapper(self, function)
        self.function, self.check = function, check

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.function(*args, **kwargs)

    def __repr__(self) -> str:
        return f"pure({name_in_words(self)})"


def pure(function: F, /, *, check: bool = False) -> F:
    """The function, with the promise that nothing but its arguments matters.

    Derivatives of a Python function look at each call whether anything has changed that it
    reads; where that cannot be told, they trace it anew. Of a promised function they trace one
    call for each combination of types, and look at nothing.

    Parameters
    ----------
    function : callable
        A function of arrays.
    check : bool, default: False
        Whether the promise is tested: at the calls number 2, 4, 8 and so on the function is
        traced anew and compared.

    Returns
    -------
    callable
        A function that gives the same.

    Raises
    ------
    TypeError
        If this is no function.
    ValueError
        At a later call, if a test finds that the promise does not hold.

    See Also
    --------
    grad : Its result has `calls`, which tells how often a function was traced, and why.

    Examples
    --------
    >>> data = np.linspace(0.0, 1.0, 1000)
    >>> slope = ad.grad(ad.pure(lambda w: np.mean((w * data - 1.0) ** 2)))
    >>> [slope(w).round(3).item() for w in (1.0, 2.0)]
    [-0.333, 0.334]
    >>> slope.calls
    2 calls, traced once: for w: float64
    """
    if not is_function(function):
        raise TypeError(f"ad.pure takes a function, such as ad.pure(f), not {shown(function)}")
    return cast(F, Pure(function, check))


def broken_promise(f: Any, before: Any, after: Any) -> str:
    """The sentence for a function that gave two graphs for the same types."""
    one, other = (", ".join(map(str, path.returned)) for path in (before, after))
    return (
        f"{name_in_words(f)} was promised to depend on its arguments alone, and for the same types "
        f"of arguments it gave first {one}, now {other}: leave out ad.pure"
    )
