"""SciPy's universal functions on expressions: operations made of a row of their slopes.

A row has the operands and the factor of a small change in each; None stands for a slope that has no
closed form, and asking for one is an error that says so. A function without a row has no slope at
all. The rows stand in `scipy_slopes`, those of functions with several results in `scipy_results`.
"""

import sys
from collections.abc import Callable, Sequence
from functools import cache
from inspect import Parameter, Signature
from typing import Any

import numpy as np

from ..core.derivative_rules import Declared
from ..expr import Expr, LazyModule, Null, NullTypeGradError, at, constant, operands
from ..ops.comparison import STEP
from ..ops.declare import OPS, declared
from ..ops.shape import astype
from .scipy_results import PARTS, RESULTS, parts, row_of
from .scipy_slopes import ROWS, Row

special = LazyModule("scipy.special")
ufuncs = LazyModule("scipy.special._ufuncs")  # with those that SciPy's Python functions call
SPHEROIDAL = ("obl_", "pro_")  # of some numbers SciPy computes them without end
REAL = {"_lambertw"}  # computed as complex numbers, and real where it is used
WHOLE = set(  # of whole numbers, in the operands that have no slope
    "kn yn expn pdtr pdtrc eval_hermite eval_hermitenorm _lambertw".split()
)
NO_STEP = (
    "this slope has no closed form, since the operand is a whole number: give it as a constant, "
    "and differentiate with respect to the others"
)
JUMPS = {"gammasgn", "round"}  # their values are whole numbers


def is_known(ufunc: np.ufunc) -> bool:
    """Is it one of SciPy's own?"""
    room = sys.modules.get(ufuncs.__name__)
    return getattr(room, ufunc.__name__, None) is ufunc


def widened(ufunc: np.ufunc, args: tuple) -> list[Expr]:
    """The operands. SciPy's functions compute whole numbers in double precision, NumPy's short ones
    in half; where a function has a loop for whole numbers, such as degrees, they stay so."""
    nodes = operands(args, ufunc.__name__)
    dtypes = [int if type(a) is int else x.dtype for a, x in zip(args, nodes, strict=True)]
    try:
        loop = ufunc.resolve_dtypes((*dtypes, *[None] * ufunc.nout))
    except TypeError:  # what fits no loop is refused later, as by SciPy
        return list(nodes)
    return [cast(a, x, dtype) for a, x, dtype in zip(args, nodes, loop)]


def cast(a: Any, x: Expr, dtype: np.dtype) -> Expr:
    """An operand x, which the user gave as a, for a loop that takes this dtype."""
    if dtype.kind in "biu":
        return constant(a, dtype) if type(a) is int else x
    return astype(x, "float64") if x.dtype.kind in "biu" else x


def is_there(name: str) -> bool:
    """Is it one of SciPy's universal functions, with one result that is real, or one result of
    several?"""
    if name in PARTS:
        return True
    function = getattr(ufuncs, name, None)
    if name.startswith(SPHEROIDAL) or getattr(function, "nout", 0) != 1:
        return False
    loops = getattr(function, "types", [])
    return name in REAL or any(row[-1] in "fd" for row in loops)


def serves(name: str) -> bool:
    """Is it one of SciPy's universal functions with results that are real?"""
    return name in RESULTS or is_there(name)


def function(name: str) -> Callable[..., Any]:
    """The function of SciPy on expressions: an operation, or several, one for each result."""
    return with_results(name) if name in RESULTS else operation(name)


@cache
def operation(name: str) -> Declared:
    """The operation for a function of SciPy. Raises AttributeError for a name without one."""
    if not is_there(name):
        raise AttributeError(f"there is no operation {name}")
    source, place = PARTS.get(name, (name, None))
    function = getattr(ufuncs, source)
    row = row_of(name) if name in PARTS else ROWS.get(name) or without_slopes(function.nin)
    body = body_of(function, row.names, name, place)
    if name in JUMPS:
        new = declared(body, nondifferentiable=STEP)
    else:
        why = unknown(name, row.names.split())
        new = declared(body, pullback=pullback_of(row, why), pushforward=pushforward_of(row, why))
    new.__module__ = __name__
    return new


@cache
def with_results(name: str) -> Callable[..., tuple[Expr, ...]]:
    """The function of SciPy with several results, as one operation for each of them."""

    def results(*args: Any) -> tuple[Expr, ...]:
        return tuple([operation(part)(*args) for part in parts(name)])

    return results


def without_slopes(count: int) -> Row:
    return Row(" ".join("abcdef"[:count]), lambda *_: (None,) * count)


def body_of(function: np.ufunc, names: str, name: str, place: int | None) -> Callable[..., Any]:
    """A Python function of these operands for the result at this place, with nan for a result that
    is not real."""

    def body(*values: Any) -> Any:
        result = function(*values)
        result = result if place is None else result[place]
        return (
            result if result.dtype.kind != "c" else np.where(result.imag == 0, result.real, np.nan)
        )

    kind = Parameter.POSITIONAL_OR_KEYWORD
    body.__signature__ = Signature([Parameter(p, kind) for p in names.split()])  # type: ignore
    body.__name__ = body.__qualname__ = name
    body.__module__ = special.__name__
    body.__doc__ = f"scipy.special.{name.lstrip('_')} of expressions."
    return body


def unknown(name: str, operands: Sequence[str]) -> str:
    """Why a slope does not exist, and a program for an operation that has one."""
    if name in WHOLE:
        return NO_STEP
    names = ", ".join(operands)
    own = f"my_{name}"
    ways = [f"({own}({moved(operands, k, '+')}) - {own}({moved(operands, k, '-')})) / 2e-6"
            for k in range(len(operands))]  # fmt: skip
    return (
        "this slope has no closed form: state slopes by differences, outside the function, as in "
        f"`{own} = ad.op(partials=lambda {names}, out: ({', '.join(ways)},))(lambda {names}: "
        f"scipy.special.{name}({names}))`, and call {own}({names}) inside"
    )


def moved(operands: Sequence[str], k: int, sign: str) -> str:
    """The operands, with a small step in one of them."""
    return ", ".join([f"{n} {sign} 1e-6" if i == k else n for i, n in enumerate(operands)])


def pullback_of(row: Row, why: str) -> Callable[..., tuple]:
    def pullback(ct: Expr, *nodes: Any) -> tuple:
        return tuple([Null(why) if s is None else ct * s for s in row.slopes(*nodes)])

    return pullback


def pushforward_of(row: Row, why: str) -> Callable[..., Expr]:
    def pushforward(tangents: Any, *nodes: Any) -> Expr:
        slopes, out = row.slopes(*nodes), nodes[-1]
        pairs = [(t, s) for t, s in zip(tangents, slopes, strict=True) if not is_zero(t)]
        if any(s is None for _, s in pairs):
            raise NullTypeGradError(f"the derivative of {out}{at(out)} does not exist: {why}")
        return sum([t * s for t, s in pairs], 0.0 * out)

    return pushforward


def is_zero(tangent: Any) -> bool:
    """Is it the zero that stands for no change, as large as it may have to be?"""
    number = tangent.inputs[0] if tangent.op is OPS["broadcast_to"] else tangent
    return bool(getattr(number, "exact", False))


def __getattr__(name: str) -> Declared:
    """An operation as an attribute, by which it is pickled."""
    if name.startswith("__"):
        raise AttributeError(name)
    return operation(name)
