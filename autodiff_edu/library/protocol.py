"""NumPy's own functions on expressions: np.exp(x) and np.sum(x, axis=0) build nodes.

NumPy hands a call over to `__array_ufunc__` or `__array_function__` of its arguments; both look
the function up by the name that it has in NumPy.
"""

import inspect
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import takewhile
from typing import Any

import numpy as np

from ..expr import OPERATIONS, Expr, LazyModule, located, operands, refuse_options, register
from ..ops.declare import OPS
from ..ops.docs import read
from ..ops.reduce import mean, sum
from ..ops.shape import astype, expand_dims
from .aliases import FUNCTIONS
from .cumulative import cumprod, cumsum, prod
from .statistics import std, var

advised = LazyModule(f"{__package__}.advised")
scipy_functions = LazyModule(f"{__package__}.scipy_functions")
selections = LazyModule(f"{__package__}.selections")
ALIASES = {
    "absolute": "abs", "amax": "max", "amin": "min", "acos": "arccos", "asin": "arcsin",
    "atan": "arctan", "atan2": "arctan2", "acosh": "arccosh", "asinh": "arcsinh",
    "atanh": "arctanh", "pow": "power", "bitwise_not": "invert", "mod": "remainder",
    "concat": "concatenate", "permute_dims": "transpose", "around": "round", "fix": "trunc",
    "radians": "deg2rad", "degrees": "rad2deg", "true_divide": "divide", "row_stack": "vstack",
    "expit": "sigmoid", "psi": "digamma", "trapz": "trapezoid", "trace": "matrix_trace",
    "conj": "copy", "conjugate": "copy", "real": "copy", "cumulative_sum": "cumsum",
    "cumulative_prod": "cumprod", "empty_like": "zeros_like",
}  # fmt: skip
ROOMS = {"numpy", "numpy.linalg", "numpy.lib.stride_tricks", "scipy.special"}  # whose names we know
REDUCES = {
    "add": "sum", "multiply": "prod", "maximum": "max", "minimum": "min", "logical_and": "all",
    "logical_or": "any", "logaddexp": "logsumexp",
}  # fmt: skip
ACCUMULATES = {"add": "cumsum", "multiply": "cumprod"}
INTERNAL = {"index", "embed", "gather", "scatter", "cast", "truncate", "product", "rolled",
            "between", "surround", "contract", "recurrence", "windows", "overlap", "count",
            "places", "set_at", "add_at", "length", "common_length"}  # fmt: skip


# ---- universal functions


@register("array_ufunc")
@located
def array_ufunc(self: Any, ufunc: np.ufunc, how: str, *args: Any, **options: Any) -> Any:
    """np.exp(x), arr * x, np.add.reduce(x), np.multiply.outer(x, y).

    Raises TypeError for out=, where=, and what else does not build expressions.
    """
    name = ALIASES.get(ufunc.__name__, ufunc.__name__)
    room = room_of(ufunc)
    dtype = options.pop("dtype", None)
    refuse_options(f"np.{ufunc.__name__}", options)
    table = {"reduce": REDUCES, "accumulate": ACCUMULATES}.get(how, {})
    if dtype is not None and table.get(name) in REDUCTIONS:
        options["dtype"] = dtype  # of the result, too: a sum of short whole numbers is long
    elif dtype is not None:
        args = (*[astype(x, dtype) for x in operands(args[: ufunc.nin], name)], *args[ufunc.nin :])
    elif room == "scipy.special":
        args = tuple(scipy_functions.widened(ufunc, args))
    if how == "__call__":
        return find(ufunc.__name__, room)(*args, **options)
    if how == "at":
        raise TypeError(f"np.{ufunc.__name__}.at changes an array, and expressions do not change: "
                        "write x.at[key].add(value), a new one")  # fmt: skip
    if how == "outer":
        return outer_of(find(ufunc.__name__), *operands(args, name))
    if name not in table:
        known = ", ".join(f"np.{u}.{how}" for u in table) or "reduce, accumulate and outer"
        raise TypeError(f"np.{ufunc.__name__}.{how} does not build expressions; {known} do")
    return OPERATIONS[table[name]](*args, **{"axis": 0} | options if len(args) < 2 else options)


def room_of(ufunc: np.ufunc) -> str:
    """The module of a universal function. Raises TypeError for one that somebody else made: it may
    have the name of NumPy's and compute another thing."""
    name = ufunc.__name__
    if getattr(np, name, None) is ufunc:
        return "numpy"
    if scipy_functions.is_known(ufunc):
        return "scipy.special"
    if getattr(sys.modules.get("numpy._core.umath"), name, None) is ufunc:
        return "numpy"  # what methods of arrays call, such as clip
    raise TypeError(f"expressions do not know the universal function {name}: write its formula, or "
                    "make an operation of it by ad.op")  # fmt: skip


def outer_of(function: Callable[..., Expr], x: Expr, y: Expr) -> Expr:
    """The function of every entry of x with every entry of y."""
    return function(expand_dims(x, axis=tuple(range(x.ndim, x.ndim + y.ndim))), y)


# ---- other functions


@register("array_function")
@located
def array_function(self: Any, function: Any, types: Any, args: tuple, options: dict) -> Any:
    """np.sum(x, axis=0), np.where(c, x, y), np.linalg.solve(a, b)."""
    name = f"np.{function.__name__}"
    ours = find(function.__name__, function.__module__)
    given = {k: v for k, v in options.items() if not is_unsaid(function, k, v, ours)}
    refuse_options(name, {k: v for k, v in given.items() if k != "dtype"})
    try:
        return ours(*args, **given)
    except TypeError as error:
        refused = error
    named = by_place(list(parameters(function).values())[len(args) :], ours, given)
    if not named:
        refuse_unknown(name, ours, given)
        raise refused
    return ours(*args, *named, **given)


@cache
def parameters(function: Callable[..., Any]) -> Mapping[str, inspect.Parameter]:
    """What a function takes; nothing where it does not tell, as some of NumPy's in C."""
    try:
        return inspect.signature(function).parameters
    except ValueError:
        return {}


def is_unsaid(function: Any, option: str, value: Any, ours: Any) -> bool:
    """Does an option say nothing, as np.row_stack hands casting="same_kind" to np.vstack?"""
    if value is np._NoValue:
        return True
    stated = parameters(function).get(option)
    plain = value is None or isinstance(value, str)
    same = stated is not None and plain and value == stated.default
    return same and option not in parameters(ours)


def by_place(theirs: Sequence[inspect.Parameter], ours: Any, given: dict[str, Any]) -> tuple:
    """Operands given by NumPy's names, as in np.select(condlist=...), taken out of what is given:
    ours stand in the same order, and may have other names."""
    operands = [
        p.name for p in theirs if p.default is p.empty and p.kind is p.POSITIONAL_OR_KEYWORD
    ]
    first = list(takewhile(given.__contains__, operands))
    while first and first[-1] in parameters(ours):
        first.pop()
    return tuple(given.pop(name) for name in first)


def refuse_unknown(name: str, ours: Any, given: Mapping[str, Any]) -> None:
    """Raises TypeError for an option of NumPy's that has no meaning here, and names those that do;
    what is an operation itself reads its own."""
    known = parameters(ours)
    unknown = [k for k in given if k not in known] if inspect.isfunction(ours) else []
    if unknown and not any(p.kind is p.VAR_KEYWORD for p in known.values()):
        raise TypeError(f"{name} takes no {unknown[0]}= for expressions; what it takes is "
                        f"{', '.join(known)}")  # fmt: skip


def find(name: str, module: str = "numpy") -> Any:
    """Our function of NumPy's name. Raises TypeError with the nearest name that there is."""
    ours = ALIASES.get(name, name)
    if module == "numpy.linalg" and ours in LAST_AXES:
        return LAST_AXES[ours]
    known_room = module in ROOMS
    if known_room and ours in FUNCTIONS:
        return FUNCTIONS[ours]
    if known_room and (ours in PUBLIC or (ours in OPS and ours not in INTERNAL)):
        return OPERATIONS[ours]
    if module == "numpy" and ours in selections.FUNCTIONS:
        return selections.FUNCTIONS[ours]
    if module == "scipy.special" and scipy_functions.serves(name):
        return scipy_functions.function(name)
    known = [k for k in (*PUBLIC, *FUNCTIONS, *OPS) if hasattr(np, k) or hasattr(np.linalg, k)]
    raise TypeError(f"expressions do not know {advised.way(module, name, known)}")


LAST_AXES: dict[str, Callable[..., Any]] = {  # np.linalg takes these over the last two axes
    "matrix_trace": lambda x, offset=0: OPERATIONS["matrix_trace"](x, offset, -2, -1),
    "diagonal": lambda x, offset=0: OPERATIONS["diagonal"](x, offset, -2, -1),
}


def with_dtype(name: str, function: Callable[..., Expr]) -> Callable[..., Expr]:
    """NumPy's reductions take a dtype, in which they compute, and out= behind the axis."""

    def reduction(x: Any, axis: Any = None, dtype: Any = None, out: Any = None, **how: Any) -> Expr:
        refuse_options(name, {"out": out, **how})
        if dtype is None:
            return function(x, axis=axis, **how)
        if name in ("var", "std") and np.dtype(dtype).kind != "f":
            raise TypeError(f"np.{name} computes in floats, not in {np.dtype(dtype)}: round what "
                            "it gives, and cast that by .astype")  # fmt: skip
        return astype(function(astype(x, dtype), axis=axis, **how), dtype)

    written = inspect.getdoc(getattr(function, "body", function))
    if written:  # python -OO leaves docstrings out
        reduction.__doc__ = REDUCTION.format(name=name, **read(written))
    return reduction


REDUCTION = """{Summary}

It is `ad.{name}` with NumPy's further options.

Parameters
----------
x : Expr
    An array.
axis : int or tuple of int, optional
    Along which; by default all.
dtype : dtype, optional
    In which to compute it; by default that of x.
out : None
    Nothing: an expression is not written into an array.
**how : object
    The other parameters of `ad.{name}`, by name.

Returns
-------
Expr
    The result.

Raises
------
TypeError
    If an option is given that has no meaning here.

See Also
--------
{name} : What it computes.

Examples
--------
{Examples}
"""
PUBLIC = (
    "append arange array array_split astype average bitwise_and bitwise_or bitwise_xor block "
    "cholesky column_stack compress cond conv2d convolve corrcoef correlate cov cross delete det "
    "diag diagflat diagonal diff dot dsplit dstack eigh eigvalsh einsum flip fmax fmin full_like "
    "gradient hsplit hstack inner insert interp inv invert isclose ix_ kron linspace logspace "
    "lstsq matrix_norm matrix_power matrix_trace matrix_transpose matvec median meshgrid moveaxis "
    "multi_dot nanmax nanmean nanmin nanstd nansum nanvar norm ones_like outer pad piecewise pinv "
    "polyval positive prod ptp qr quantile ravel repeat roll rot90 round select size "
    "sliding_window_view slogdet solve sort split stack std svd svdvals swapaxes take "
    "take_along_axis tensordot tile trapezoid tril triu unstack vander var vdot vecdot vecmat "
    "vector_norm vsplit vstack zeros_like"
).split()
REDUCTIONS: dict[str, Callable[..., Expr]] = {
    "sum": sum, "prod": prod, "mean": mean, "var": var, "std": std, "cumsum": cumsum,
    "cumprod": cumprod,
}  # fmt: skip
OPERATIONS |= {name: with_dtype(name, function) for name, function in REDUCTIONS.items()}
