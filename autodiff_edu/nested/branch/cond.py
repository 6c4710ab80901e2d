"""`cond`: one of two expressions, whichever a condition chooses, and only that one is computed."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ...expr import OPERATIONS, Constant, Expr, ShapeError, at, called, operands
from ...ops import agree, broadcast_like, not_equal
from .choose import choose

ENTRIES = "ad.where(condition, a, b) to choose entry by entry"


def cond(condition: Any, then: Any = ..., otherwise: Any = ...) -> Any:
    r"""One of two expressions: `then` if the condition holds, else `otherwise`.

    A program computes only the side that is taken. What both sides need is computed before, once.
    Derivatives are branches on the same condition, so that no inf or nan of the other side can
    reach them: that is the difference from `where`, which computes both sides and chooses entry
    by entry. Of a matrix alone it is NumPy's function of this name, `condition_number`.

    Parameters
    ----------
    condition : Expr
        One truth value; a number counts as true unless it is zero. If it is no expression, as
        True or 3 > 2, then Python chooses at once.
    then : Expr, callable, list, tuple or dict
        The first side: an expression, or a function without arguments that returns it; or several
        of them in lists, tuples and dictionaries.
    otherwise : Expr, callable, list, tuple or dict
        The second side, of the same structure, with the same shapes. A number stands for an array
        of it, and dtypes are promoted as in `where`.

    Returns
    -------
    Expr, list, tuple or dict
        In the structure of the sides.

    Raises
    ------
    ShapeError
        If the condition has several entries, or the sides have different shapes.
    TypeError
        If the sides have different structures, or there are not two.

    See Also
    --------
    where : The choice entry by entry, which computes both sides.
    scan : A loop.

    Notes
    -----
    The derivative is that of the side that is taken, at the boundary too:

    .. math:: \bar x = \begin{cases} \bar y \cdot \partial a / \partial x & \text{if } p \\
              \bar y \cdot \partial b / \partial x & \text{otherwise} \end{cases}

    Where `vectorize` makes one condition into many, both sides are computed, if examples differ,
    and `where` chooses, as in JAX. An example that does not take a side is replaced there by one
    that does: so no side sees values that are not meant for it.

    Examples
    --------
    >>> x = ad.scalar("x")
    >>> y = ad.cond(x > 0, ad.sqrt(x), 0.0)
    >>> y
    cond(x > 0, sqrt(x), 0)
    >>> slope = ad.function([x], ad.grad(y, x))
    >>> slope(4.0), slope(-1.0)
    (0.25, 0.0)
    """
    if then is ... and np.ndim(condition) > 1:
        return OPERATIONS["cond"](condition)
    if then is ... or otherwise is ...:
        raise TypeError("cond takes a condition and two sides, ad.cond(x > 0, a, b); the condition "
                        "number of a matrix is ad.condition_number(A)")  # fmt: skip
    if not isinstance(condition, Expr):
        return side(then if condition else otherwise)
    p = truth(condition)
    first, second = side(then), side(otherwise)
    pairs = [alike(a, b, p) for a, b in together(first, second, "")]
    if not pairs:
        raise ValueError("a side of cond has at least one expression")
    a, b = zip(*pairs, strict=True)
    return rebuilt(first, iter(choose(p, a, b)))


def truth(condition: Expr) -> Expr:
    """The condition as one truth value. Raises ShapeError for several."""
    if condition.ndim:
        raise ShapeError(
            f"cond takes one truth value, not {condition.type!r}{at(condition)}: write "
            f"{ENTRIES}, or put ad.all(...) or ad.any(...) around the condition"
        )
    return condition if condition.dtype.kind == "b" else not_equal(condition, 0)


def side(given: Any) -> Any:
    """What a side is, called if it is a function."""
    function = callable(given) and not isinstance(given, Expr)
    return called(given) if function else given


# ---- containers


def together(a: Any, b: Any, path: str) -> Iterator[tuple[Any, Any]]:
    """Pairs of what stands in the same places. Raises TypeError for different structures."""
    keys, others = places(a), places(b)
    if keys is None and others is None:
        yield a, b
    elif keys is None or others is None or type(a) is not type(b) or keys != others:
        where = f" at {path}" if path else ""
        raise TypeError(f"the sides of cond have to be built alike, and{where} one is {told(a)}, "
                        f"the other {told(b)}")  # fmt: skip
    else:
        for k in keys:
            yield from together(a[k], b[k], f"{path}[{k!r}]")


def places(a: Any) -> list[Any] | None:
    """The keys of a container; None for anything else."""
    if isinstance(a, dict):
        return sorted(a, key=repr)
    return list(range(len(a))) if isinstance(a, (list, tuple)) else None


def told(a: Any) -> str:
    keys = places(a)
    if keys is None:
        return "an expression" if isinstance(a, Expr) else repr(a)
    return f"a {type(a).__name__} of {len(keys)}" + (f" ({keys})" if isinstance(a, dict) else "")


def rebuilt(like: Any, leaves: Iterator[Expr]) -> Any:
    """The container with these in its places."""
    keys = places(like)
    if keys is None:
        return next(leaves)
    found = {k: rebuilt(like[k], leaves) for k in keys}
    if isinstance(like, dict):
        return {k: found[k] for k in like}
    make: Callable[..., Any] = type(like)
    row = [found[k] for k in keys]
    return make(*row) if hasattr(like, "_fields") else make(row)


# ---- one type


def alike(a: Any, b: Any, p: Expr) -> tuple[Expr, Expr]:
    """The two as expressions of one dtype and shape. Raises ShapeError."""
    x, y = operands((a, b), "cond")
    dtype = np.result_type(x.dtype, y.dtype)
    x, y = [e if e.dtype == dtype else e.astype(dtype) for e in (x, y)]
    x, y = spread(x, y), spread(y, x)
    if not agree(x.type.shape, y.type.shape):
        raise ShapeError(
            f"the sides of cond are {x.type!r} and {y.type!r}{at(p)}, and have to be of one shape: "
            f"write ad.broadcast_to(a, shape) around one, or {ENTRIES}"
        )
    return x, y


def spread(x: Expr, like: Expr) -> Expr:
    """A number that is known, as an array of it."""
    number = isinstance(x, Constant) and not x.ndim
    return broadcast_like(x, like) if number else x
