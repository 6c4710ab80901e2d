"""Values at once, `x.eval({...})`, and pickles: a variable is stored node by node, so that what
several share stays shared."""

from types import SimpleNamespace
from typing import Any

from ...expr import Constant, Input, Shared, computed_by, results
from ..core import Variable, unwrap, wrap
from ..core.lifting import known
from ..core.variable import TABLES
from .function import function


def value(v: Any, inputs_to_values: dict[Any, Any]) -> Any:
    """The value of a variable, with the inputs at these values; the function is kept."""
    named = {i.name: i for i in TABLES["leaves"]([v])}
    given = {named.get(k, k) if isinstance(k, str) else k: x for k, x in inputs_to_values.items()}
    cache = vars(v).setdefault("functions", {})
    key = tuple(map(id, given))
    if key not in cache:
        cache[key] = (function(list(given), v, on_unused_input="ignore"), list(given))
    return cache[key][0](*given.values())


def stored(v: Any) -> tuple[Any, ...]:
    """How pickle makes the variable again."""
    n, place = computed_by(v.expr)
    state = {"tag": vars(v.tag), "name": v._name}
    if isinstance(n, Input):
        return leaf, (type(v), n.name, n.type), state
    if isinstance(n, Constant):
        return constant, (type(v), n.value, n.type.dtype), state
    if isinstance(n, Shared):
        update = n.default_update
        state["default_update"] = None if update is None else wrap(update)
        return shared, (type(v), n.held, n.type), state
    return applied, (n.op, [wrap(i) for i in n.inputs], n.static, place), state


def restore(v: Any, state: dict[str, Any]) -> None:
    v.tag = SimpleNamespace(**state["tag"])
    v._name = v.expr.name = state["name"]
    if isinstance(v.expr, Input) and v.expr.name is None:
        v.expr.name = "x"
    if (update := state.get("default_update")) is not None:
        v.expr.default_update = unwrap(update)
        update.owner_of_state = v


def around(cls: type, expr: Any) -> Any:
    found = known[expr] = cls(expr)
    return found


def leaf(cls: type, name: str, type: Any) -> Any:
    return around(cls, Input(name, type))


def constant(cls: type, value: Any, dtype: Any) -> Any:
    return around(cls, Constant(value, dtype))


def shared(cls: type, value: Any, type: Any) -> Any:
    return around(cls, Shared(value, None, type))


def applied(op: Any, inputs: list[Any], static: tuple, place: int) -> Any:
    n = op.apply(tuple(unwrap(i) for i in inputs), static)
    return wrap(results(n)[place], inputs)


Variable.__setstate__ = restore  # type: ignore[attr-defined]
