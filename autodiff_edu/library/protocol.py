"""NumPy's own functions on expressions: np.exp(x) and np.sum(x, axis=0) build nodes.

NumPy hands a call over to `__array_ufunc__` or `__array_function__` of its arguments; both look
the function up by the name that it has in NumPy.
"""

import difflib
from collections.abc import Callable
from typing import Any

import numpy as np

from ..expr import Expr, enters, operands, upstairs
from ..ops.declare import OPS
from ..ops.lengths import normal_axes
from ..ops.shape import expand_dims

ALIASES = {
    "absolute": "abs", "fabs": "abs", "amax": "max", "amin": "min", "acos": "arccos",
    "asin": "arcsin", "atan": "arctan", "atan2": "arctan2", "acosh": "arccosh",
    "asinh": "arcsinh", "atanh": "arctanh", "pow": "power", "float_power": "power",
    "bitwise_not": "invert", "mod": "remainder", "concat":
    "concatenate", "permute_dims": "transpose", "around": "round", "fix": "trunc",
    "radians": "deg2rad", "degrees": "rad2deg", "true_divide": "divide", "row_stack": "vstack",
    "expit": "sigmoid", "psi": "digamma", "trapz": "trapezoid", "trace": "matrix_trace",
    "cumulative_sum": "cumsum", "cumulative_prod": "cumprod", "conj": "copy", "conjugate": "copy",
    "real": "copy",
}  # fmt: skip
REDUCES = {
    "add": "sum", "multiply": "prod", "maximum": "max", "minimum": "min", "logical_and": "all",
    "logical_or": "any", "logaddexp": "logsumexp",
}  # fmt: skip
ACCUMULATES = {"add": "cumsum", "multiply": "cumprod"}
INTERNAL = {"index", "embed", "gather", "scatter", "cast", "truncate", "product", "rolled",
            "between", "surround", "contract", "recurrence", "windows", "overlap", "count",
            "places", "set_at", "add_at", "length"}  # fmt: skip


# ---- universal functions


@enters("array_ufunc")
def array_ufunc(self: Any, ufunc: np.ufunc, how: str, *args: Any, **options: Any) -> Any:
    """np.exp(x), arr * x, np.add.reduce(x), np.multiply.outer(x, y).

    Raises TypeError for out=, where=, and what else does not build expressions.
    """
    name = ALIASES.get(ufunc.__name__, ufunc.__name__)
    refuse_options(f"np.{ufunc.__name__}", options)
    if how == "__call__":
        return find(ufunc.__name__)(*args)
    if how == "outer":
        return outer_of(find(ufunc.__name__), *operands(args, name))
    table = {"reduce": REDUCES, "accumulate": ACCUMULATES}.get(how, {})
    if name not in table:
        known = " and ".join(f"np.{u}.{how}" for u in table) or "reduce, accumulate and outer"
        raise TypeError(f"np.{ufunc.__name__}.{how} does not build expressions; {known} do")
    return upstairs[table[name]](*args, **{"axis": 0} | options if len(args) < 2 else options)


def refuse_options(name: str, options: dict[str, Any]) -> None:
    """out= would change an array; where= and dtype= have forms of their own."""
    instead = {
        "out": "use the result that is returned",
        "where": "write ad.where(mask, a, b)",
        "dtype": "cast the operand or the result, as in x.astype(dtype)",
        "initial": "add it, or take the maximum with it",
        "casting": "cast the operand, as in x.astype(dtype)",
    }
    for option, value in options.items():
        if option in instead and value is not None:
            raise TypeError(f"{name} takes no {option}= for expressions: {instead[option]}")


def outer_of(function: Callable[..., Expr], x: Expr, y: Expr) -> Expr:
    """The function of every entry of x with every entry of y."""
    return function(expand_dims(x, axis=tuple(range(x.ndim, x.ndim + y.ndim))), y)


# ---- other functions


@enters("array_function")
def array_function(self: Any, function: Any, types: Any, args: tuple, options: dict) -> Any:
    """np.sum(x, axis=0), np.where(c, x, y), np.linalg.solve(a, b)."""
    refuse_options(f"np.{function.__name__}", options)
    given = {k: v for k, v in options.items() if v is not np._NoValue}
    return find(function.__name__)(*args, **given)


def find(name: str) -> Any:
    """Our function of NumPy's name. Raises TypeError with the nearest name that there is."""
    ours = ALIASES.get(name, name)
    if ours in FUNCTIONS:
        return FUNCTIONS[ours]
    if ours in PUBLIC or (ours in OPS and ours not in INTERNAL):
        return upstairs[ours]
    near = difflib.get_close_matches(name, [*PUBLIC, *OPS.keys() - INTERNAL], n=1)
    hint = f"; the nearest that they know is {near[0]}" if near else ""
    raise TypeError(f"expressions do not know np.{name}{hint}")


def atleast(ndim: int) -> Callable[..., Any]:
    """np.atleast_1d and its kin: new axes in front (for three axes the last one behind)."""

    def at_least(*arrays: Any) -> Any:
        found = [raised(x, ndim) for x in operands(arrays, f"atleast_{ndim}d")]
        return found[0] if len(found) == 1 else tuple(found)

    return at_least


def raised(x: Expr, ndim: int) -> Expr:
    if ndim == 3 and x.ndim == 2:
        return expand_dims(x, axis=2)
    if ndim == 3 and x.ndim == 1:
        return expand_dims(x, axis=(0, 2))
    return expand_dims(x, axis=tuple(range(ndim - x.ndim))) if x.ndim < ndim else x


def broadcast_arrays(*arrays: Any) -> tuple[Expr, ...]:
    """The arrays, each repeated to the shape that all of them have in common."""
    given = operands(arrays, "broadcast_arrays")
    shape = sum_shape(given)
    return tuple(upstairs["broadcast_to"](x, shape) for x in given)


def sum_shape(given: Any) -> tuple:
    total = given[0]
    for x in given[1:]:
        total = total + x
    return total.shape


def no_places(*args: Any) -> Any:
    if len(args) != 3:
        raise TypeError("np.where(mask) has no length known now: index with the mask itself, "
                        "x[mask], or write ad.where(mask, a, b)")  # fmt: skip
    return upstairs["where"](*args)


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "shape": lambda x: x.shape,
    "ndim": lambda x: x.ndim,
    "size": lambda x, axis=None: upstairs["size"](x, axis),
    "where": no_places,
    "copy": lambda x: x,
    "astype": lambda x, dtype: x.astype(dtype),
    "empty_like": lambda x, dtype=None: upstairs["zeros_like"](x, dtype),
    "percentile": lambda x, q, *args, **how: upstairs["quantile"](x, q / 100, *args, **how),
    "count_nonzero": lambda x, axis=None: (x != 0).sum(axis=axis),
    "array_equal": lambda x, y: upstairs["equal"](x, y).all(),
    "allclose": lambda x, y, rtol=1e-05, atol=1e-08: upstairs["isclose"](x, y, rtol, atol).all(),
    "imag": lambda x: x * 0,
    "atleast_1d": atleast(1),
    "atleast_2d": atleast(2),
    "atleast_3d": atleast(3),
    "broadcast_arrays": broadcast_arrays,
    "fliplr": lambda x: upstairs["flip"](x, 1),
    "flipud": lambda x: upstairs["flip"](x, 0),
    "rollaxis": lambda x, axis, start=0: upstairs["moveaxis"](
        x, axis, start - (normal_axes(x.type, axis)[0] < start)
    ),
    "divmod": lambda x, y: (x // y, x % y),
    "modf": lambda x: (x - upstairs["trunc"](x), upstairs["trunc"](x)),
    "nan_to_num": lambda x, nan=0.0: upstairs["where"](upstairs["isnan"](x), nan, x),
    "iscomplexobj": lambda x: False,
    "result_type": lambda *xs: np.result_type(*[getattr(x, "dtype", x) for x in xs]),
}
PUBLIC = (
    "append arange array array_split average bitwise_and bitwise_or bitwise_xor block cholesky "
    "column_stack compress cond conv2d convolve corrcoef correlate cov cross delete det diag "
    "diagflat diagonal diff dot dsplit dstack eigh eigvalsh einsum flip fmax fmin full_like "
    "gradient hsplit hstack inner insert interp inv invert isclose ix_ kron linspace logspace "
    "lstsq matrix_norm matrix_power matrix_trace matrix_transpose matvec median meshgrid moveaxis "
    "multi_dot nanmax nanmean nanmin nanstd nansum nanvar norm ones_like outer pad piecewise pinv "
    "polyval positive prod ptp qr quantile ravel repeat roll rot90 round select size "
    "sliding_window_view slogdet solve sort split stack std svd svdvals swapaxes take "
    "take_along_axis tensordot tile trapezoid tril triu unstack vander var vdot vecdot vecmat "
    "vector_norm vsplit vstack zeros_like"
).split()
enters("copy")(FUNCTIONS["copy"])
enters("divmod")(FUNCTIONS["divmod"])
