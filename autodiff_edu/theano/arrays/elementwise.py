"""Functions of each entry: arithmetic, comparisons, powers and logarithms."""

from collections.abc import Callable
from functools import partial, reduce
from typing import Any

import numpy as np

from ... import library, ops
from ...expr import OPERATIONS, Expr, constant, operands
from ..core import config, lift
from ..core.own_op import own
from .leaves import expression


def unary(op: Callable[..., Any], name: str) -> Callable[..., Any]:
    def apply(x: Any) -> Any:
        return op(floating(expression(x)))

    return named(apply, name, op)


def plain_unary(op: Callable[..., Any], name: str) -> Callable[..., Any]:
    def apply(x: Any) -> Any:
        return op(expression(x))

    return named(apply, name, op)


def named(function: Callable[..., Any], name: str, op: Any) -> Callable[..., Any]:
    function.__name__ = function.__qualname__ = name
    function.names = getattr(op, "name", "")  # type: ignore[attr-defined]
    function.__doc__ = f"{name}(x), as `ad.{op.__name__ if hasattr(op, '__name__') else name}`."
    return lift(function)


def floating(x: Expr) -> Expr:
    """Whole numbers as floats of the dtype that Theano took: single precision for few bits."""
    if x.dtype.kind not in "biu":
        return x
    return x.astype("float32" if x.dtype.itemsize <= 2 else "float64")


@own(linear=True)
def copied(x):
    """x as a variable of its own: its name is its own, and `givens` may replace it alone."""
    return np.array(x)[()]


def inverse(x: Expr) -> Expr:
    """1 / x, of whole numbers too."""
    return ops.reciprocal(x) if x.type.is_float else 1.0 / x


FLOATS = {
    name: unary(getattr(ops, name), name) for name in (
        "exp", "expm1", "log", "log1p", "sqrt", "sin", "cos", "tan", "sinh", "cosh", "tanh",
        "arcsin", "arccos", "arctan", "arcsinh", "arccosh", "arctanh")
} | {
    name: unary(getattr(library, name), name) for name in (
        "exp2", "log2", "log10", "deg2rad", "rad2deg", "erf", "erfc", "erfcx", "gammaln")
} | {"psi": unary(library.digamma, "psi"), "inv": unary(inverse, "inv"),
     "tri_gamma": unary(lambda x: library.polygamma(x, order=1), "tri_gamma")}  # fmt: skip
SAME = {
    "neg": plain_unary(ops.negative, "neg"), "abs_": plain_unary(ops.abs, "abs_"),
    "sqr": plain_unary(ops.square, "sqr"), "sgn": plain_unary(ops.sign, "sgn"),
    "ceil": plain_unary(library.ceil, "ceil"), "floor": plain_unary(library.floor, "floor"),
    "trunc": plain_unary(library.trunc, "trunc"), "isnan": plain_unary(library.isnan, "isnan"),
    "isinf": plain_unary(library.isinf, "isinf"), "conj": plain_unary(lambda x: x, "conj"),
    "real": plain_unary(lambda x: x, "real"), "imag": plain_unary(ops.zeros_like, "imag"),
    "invert": plain_unary(library.invert, "invert"),
    "tensor_copy": plain_unary(copied, "tensor_copy"),
}  # fmt: skip


def pair(x: Any, y: Any, name: str) -> tuple[Expr, ...]:
    x, y = [expression(a) if isinstance(a, (list, tuple)) else a for a in (x, y)]
    both = operands((typed(x, y), typed(y, x)), name)
    return both


def typed(a: Any, other: Any) -> Any:
    """A number of Python's that meets whole numbers has a dtype, as Theano's constants had: the
    shortest signed one that holds it, and of a float floatX where that is short."""
    if type(a) not in (int, float) or not isinstance(other, Expr) or other.dtype.kind not in "biu":
        return a
    if type(a) is float:
        return a if config.floatX == "float64" else np.dtype(config.floatX).type(a)
    for kind in (np.int8, np.int16, np.int32, np.int64):
        if np.iinfo(kind).min <= a <= np.iinfo(kind).max:
            return kind(a)
    return a


def binary(op: Callable[..., Any], name: str) -> Callable[..., Any]:
    def apply(x: Any, y: Any, *more: Any) -> Any:
        return reduce(lambda a, b: op(*pair(a, b, name)), more, op(*pair(x, y, name)))

    return named(apply, name, op)


def rational(x: Expr, y: Expr) -> Expr:
    """A quotient; of whole numbers, of the dtype floatX."""
    whole = x.dtype.kind in "biu" and y.dtype.kind in "biu"
    return ops.divide(x, y).astype(config.floatX) if whole else ops.divide(x, y)


def short(x: Expr, y: Expr) -> tuple[Expr, ...]:
    """Two arrays of whole numbers as floats; others as they are."""
    whole = x.dtype.kind in "biu" and y.dtype.kind in "biu"
    return (floating(x), floating(y)) if whole else (x, y)


def either_division(x: Expr, y: Expr) -> Expr:
    """Python 2's division: of whole numbers, a whole number."""
    whole = x.dtype.kind in "biu" and y.dtype.kind in "biu"
    if whole and config.int_division == "int":
        return library.floor_divide(x, y)
    return rational(x, y)


def several(op: Callable[..., Any], name: str) -> Callable[..., Any]:
    """Of any number of operands, of one too."""

    def apply(x: Any, *more: Any) -> Any:
        return reduce(lambda a, b: op(*pair(a, b, name)), more, x) if more else expression(x)

    return named(apply, name, op)


PAIRS: dict[str, Any] = {
    "add": several(ops.add, "add"), "sub": binary(ops.subtract, "sub"),
    "mul": several(ops.multiply, "mul"), "true_div": binary(rational, "true_div"),
    "div_proxy": binary(either_division, "div_proxy"),
    "int_div": binary(library.floor_divide, "int_div"), "mod": binary(library.remainder, "mod"),
    "pow": binary(ops.power, "pow"), "maximum": binary(ops.maximum, "maximum"),
    "minimum": binary(ops.minimum, "minimum"), "lt": binary(ops.less, "lt"),
    "le": binary(ops.less_equal, "le"), "gt": binary(ops.greater, "gt"),
    "ge": binary(ops.greater_equal, "ge"), "eq": binary(ops.equal, "eq"),
    "neq": binary(ops.not_equal, "neq"), "and_": binary(library.bitwise_and, "and_"),
    "or_": binary(library.bitwise_or, "or_"), "xor": binary(library.bitwise_xor, "xor"),
    "arctan2": binary(lambda y, x: ops.arctan2(*short(y, x)), "arctan2"),
}  # fmt: skip


@lift
def divmod(x: Any, y: Any) -> Any:
    """The whole quotient and the remainder."""
    x, y = pair(x, y, "divmod")
    return library.floor_divide(x, y), library.remainder(x, y)


@lift
def ceil_intdiv(a: Any, b: Any) -> Any:
    """a / b, rounded up to a whole number."""
    a, b = pair(a, b, "ceil_intdiv")
    return library.floor_divide(a, b) + ops.not_equal(library.remainder(a, b), 0)


@lift
def isclose(a: Any, b: Any, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False) -> Any:
    """Is a equal to b but for rounding, at each entry?"""
    a, b = pair(a, b, "isclose")
    near = library.isclose(a, b, rtol, atol)
    return near | (library.isnan(a) & library.isnan(b)) if equal_nan else near


@lift
def allclose(
    a: Any, b: Any, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False
) -> Any:
    """Is it so at all entries?"""
    return ops.all(isclose.plain(a, b, rtol, atol, equal_nan))


@lift
def switch(cond: Any, ift: Any, iff: Any) -> Any:
    """ift where the condition is not zero, iff elsewhere; both are computed."""
    cond, (ift, iff) = expression(cond), pair(ift, iff, "switch")
    return ops.where(truth(cond), ift, iff)


def truth(cond: Expr) -> Expr:
    return cond if cond.dtype.kind == "b" else ops.not_equal(cond, 0)


@lift
def where(cond: Any, ift: Any = None, iff: Any = None, **names: Any) -> Any:
    """The same as switch."""
    return switch.plain(cond, ift, iff)


@lift
def clip(x: Any, min: Any, max: Any) -> Any:
    """x, but min where it is below that and max where it is above."""
    low, high = [b if isinstance(b, Expr) else known(b) for b in (min, max)]
    x = expression(x)
    return ops.clip(x, *[b.astype(x.dtype) if isinstance(b, Expr) else b for b in (low, high)])


def known(bound: Any) -> Any:
    return bound if np.ndim(bound) == 0 else constant(bound)


@lift
def cast(x: Any, dtype: Any) -> Any:
    """x in another dtype; "floatX" is that of config."""
    dtype = config.floatX if isinstance(dtype, str) and dtype == "floatX" else dtype
    x = expression(x)
    return x if x.dtype == np.dtype(dtype) else x.astype(dtype)


@lift
def round(a: Any, mode: str | None = None) -> Any:
    """a rounded to whole numbers: by default half to even."""
    if mode == "half_away_from_zero":
        a = expression(a)
        return ops.sign(a) * library.floor(ops.abs(a) + 0.5)
    if mode not in (None, "half_to_even"):
        raise Exception(f"round mode {mode!r} is not implemented.")
    return library.round(expression(a))


@lift
def iround(a: Any, mode: str | None = None) -> Any:
    """a rounded, as whole numbers."""
    return round.plain(a, mode).astype("int64")


OPERATORS = {"add": "add", "subtract": "sub", "multiply": "mul", "divide": "true_div",
             "floor_divide": "int_div", "remainder": "mod", "power": "pow"}  # fmt: skip


@lift
def array_ufunc(ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
    """A function of NumPy's, of a variable: that of Theano's, where it is an operator's."""
    if method == "__call__" and ufunc.__name__ in OPERATORS and not options:
        return PAIRS[OPERATORS[ufunc.__name__]].plain(*inputs)
    expr = next(x for x in inputs if isinstance(x, Expr))
    return OPERATIONS["array_ufunc"](expr, ufunc, method, *inputs, **options)


def smallest(*args: Any) -> Any:
    """The smallest of several, entry by entry."""
    return reduce(PAIRS["minimum"], args)


def largest(*args: Any) -> Any:
    """The largest of several, entry by entry."""
    return reduce(PAIRS["maximum"], args)


ELEMENTWISE: dict[str, Any] = {**FLOATS, **SAME, **PAIRS}
FURTHER: dict[str, Any] = {
    f.__name__: f for f in (divmod, ceil_intdiv, isclose, allclose, switch, where, clip, cast,
                            round, iround)
} | {f"round_{mode}": partial(round, mode=mode) for mode in (
    "half_to_even", "half_away_from_zero")}  # fmt: skip
__all__ = ["ELEMENTWISE", "FURTHER", "array_ufunc", "cast", "switch", "truth"]
