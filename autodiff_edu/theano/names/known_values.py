"""Values of variables that are known before a program runs."""

from typing import Any

import numpy as np

from ...expr import Constant as ConstantNode
from ...expr import Expr, evaluate, postorder
from ..core import Variable

SPREADING = ("broadcast_to", "expand_dims", "squeeze", "reshape", "transpose")  # the same entries


class NotScalarConstantError(Exception):
    """Raised where a value is asked for that is not known."""


class EmptyConstantError(NotScalarConstantError):
    """Raised where a value is asked for that has no entry."""


def get_scalar_constant_value(v: Any, *_: Any, **__: Any) -> Any:
    """The value of a variable that is one known number."""
    e = v.expr if isinstance(v, Variable) else v
    if isinstance(e, Expr) and e.op is not None and e.op.name in SPREADING:
        return get_scalar_constant_value(e.inputs[0])
    entries = np.ravel(e if isinstance(e, (int, float, np.ndarray, np.number)) else known(e))
    if not len(entries):
        raise EmptyConstantError(v)
    if not (entries == entries[0]).all():
        raise NotScalarConstantError(v)
    return np.asarray(entries[0])


def known(e: Any) -> Any:
    """The value of an expression. Raises NotScalarConstantError where it needs an input."""
    if not isinstance(e, Expr) or any(
        n.op is None and not isinstance(n, ConstantNode) for n in postorder([e])
    ):
        raise NotScalarConstantError(e)
    return evaluate(e)


def extract_constant(x: Any, *how: Any, **named: Any) -> Any:
    """The value where it is one known number, else the variable."""
    try:
        return get_scalar_constant_value(x)
    except NotScalarConstantError:
        return x
