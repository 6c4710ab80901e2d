"""From old variables to expressions and back.

`lift` makes an old function of one that takes expressions: what is old among the arguments is
unwrapped, what comes back is wrapped. Of plain expressions alone it gives plain ones.
"""

from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any
from weakref import WeakValueDictionary

import numpy as np

from ...expr import Constant as ConstantNode
from ...expr import Expr, Shared, computed_by
from . import variable
from .config import config
from .test_values import with_test_value

CONSTANT = variable.TensorConstant
known: WeakValueDictionary[Any, variable.Variable] = WeakValueDictionary()


class Met:
    """What was met while arguments were unwrapped: old variables, and plain expressions."""

    def __init__(self) -> None:
        self.old: list[variable.Variable] = []
        self.plain = False


def unwrap(thing: Any, met: Met | None = None) -> Any:
    """The same with expressions in the places of old variables, in containers too."""
    if isinstance(thing, variable.Variable):
        if met is not None:
            met.old.append(thing)
        return thing.expr
    if isinstance(thing, Expr):
        if met is not None:
            met.plain = True
        return thing
    if type(thing) in (list, tuple):
        return type(thing)([unwrap(part, met) for part in thing])
    if type(thing) is np.float64:  # weak, as Python's own numbers are
        return float(thing)
    if isinstance(thing, slice):
        return slice(*[unwrap(part, met) for part in (thing.start, thing.stop, thing.step)])
    if isinstance(thing, dict):
        return {unwrap(k, met): unwrap(v, met) for k, v in thing.items()}
    return thing


def wrap(thing: Any, sources: Iterable[variable.Variable] = ()) -> Any:
    """The same with old variables in the places of expressions, in containers too."""
    if isinstance(thing, Expr):
        found = known.get(key_of(thing))
        return made(thing, tuple(sources)) if found is None else found
    if isinstance(thing, (list, tuple)):
        parts = [wrap(part, sources) for part in thing]
        return parts if isinstance(thing, list) else tuple(parts)
    if type(thing) is dict:
        return {wrap(k, sources): wrap(v, sources) for k, v in thing.items()}
    return thing


def key_of(expr: Expr) -> Any:
    """What tells variables apart: the expression; of one of several results, where it stands."""
    n, place = computed_by(expr)
    return expr if n is expr else (n, place)


def made(expr: Expr, sources: tuple[variable.Variable, ...]) -> variable.Variable:
    """A new variable around an expression, which keeps what it was made of."""
    kind: type[variable.Variable] = variable.TensorVariable
    if isinstance(expr, ConstantNode):
        kind = CONSTANT
    elif isinstance(expr, Shared):
        kind = variable.TensorSharedVariable if expr.ndim else variable.ScalarSharedVariable
    found = known[key_of(expr)] = kind(expr, sources)
    if config.compute_test_value != "off" and (expr.op is not None or kind is CONSTANT):
        with_test_value(found)
    return found


def adopt(own: variable.Variable, leaf: variable.Variable) -> Expr:
    """The expression of a leaf, which from now on is known as another variable."""
    known[key_of(leaf.expr)] = own
    return leaf.expr


def lift(function: Callable[..., Any]) -> Any:
    """The function for old variables; `plain` is the one for expressions."""

    @wraps(function)
    def old(*args: Any, **named: Any) -> Any:
        met = Met()
        found = function(*[unwrap(a, met) for a in args],
                         **{k: unwrap(v, met) for k, v in named.items()})  # fmt: skip
        return found if met.plain and not met.old else wrap(found, met.old)

    old.plain = function  # type: ignore[attr-defined]
    return old


variable.TABLES["wrap"] = wrap
variable.TABLES["unwrap"] = unwrap
variable.TABLES["adopt"] = adopt
