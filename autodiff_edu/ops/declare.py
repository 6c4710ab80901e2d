"""The decorator that states an operation: `@op(...)` above its NumPy body."""

from collections.abc import Callable, Sequence
from inspect import Parameter, signature
from itertools import chain
from typing import Any

import numpy as np

from ..core.derivative_rules import Declared, float_type
from ..expr import Constant, Expr, Input, Op, TensorType, give, hook, put_in, register, shown
from .gufunc import core
from .traits import check_body, check_fields, described

Rule = Callable[..., Any]
Exprs = Sequence[Expr]
HOUSE = __name__.partition(".")[0]
OPS: dict[str, Declared] = {}  # every operation that the house declares, by name


def op(*given: Any, **stated: Any) -> Callable[[Rule], Declared]:
    """State an operation once, above its NumPy body.

    Parameters
    ----------
    *given : None
        Nothing: what is stated has a name, and the body stands below.
    **stated : object
        What the operation states; see the notes.

    Returns
    -------
    callable
        A decorator, which makes the operation.

    Raises
    ------
    TypeError
        If something is stated that there is not, or has a value of another kind, if the
        parentheses are missing, or if no function stands below.

    Notes
    -----
    Arguments of the body without a default are the operands; those with a default, or given by
    name alone, are static parameters. What it may state:

    {fields}

    Examples
    --------
    >>> @ad.op(partials=lambda x, out: (3 * x**2,))
    ... def third_power(x):
    ...     return x**3
    >>> x = ad.scalar("x")
    >>> ad.grad(third_power(x), x)
    1 * (3 * (x ** 2))
    """
    if given:
        raise TypeError(f"ad.op makes a decorator, and was given {shown(given[0])}: "
                        "write @ad.op(), with parentheses, above the body")  # fmt: skip
    check_fields(stated)

    def declare(body: Rule) -> Any:
        check_body(body)
        made = declared(body, **stated)
        if made.is_ours:
            OPS[made.name] = made
            register(made.name)(made)
        return made

    return declare


op.__doc__ = described(op.__doc__ or "")


def declared(body: Rule, **stated: Any) -> Any:
    """The operation of a body, and of what is stated, in no table."""
    rule = core(stated["core"]) if "core" in stated else None
    fields = widened(stated) if of_house(body) else stated
    made: Any = Declared(body, **fields | ({"type": rule} if rule else {}))
    made.core, made.is_ours = rule, of_house(body)
    if made.picks and "exact_facts" not in stated:
        made.exact_facts = "first"
    return made


# ---- operations of ours


def of_house(body: Any) -> bool:
    """Was it written in this package? A user's operation may have the name of one of ours."""
    return (getattr(body, "__module__", "") or "").partition(".")[0] == HOUSE


def real(inputs: Sequence[Expr]) -> list[Expr]:
    """Operands as floats: in a rule whole numbers would wrap, and truth values have no sign."""
    return [x if x.type.is_float else x.astype(float_type(x.dtype)) for x in inputs]


def as_wide(inputs: Sequence[Expr], out: Expr) -> list[Expr]:
    """Operands as floats at least as wide as the result: the square of a float32 may overflow where
    that of a float64 does not."""
    if not out.type.is_float:
        return real(inputs)
    return [x.astype(np.promote_types(x.dtype, out.dtype)) for x in real(inputs)]


def widened(stated: dict[str, Any]) -> dict[str, Any]:
    """The statement, whose slopes take operands as wide floats."""
    ahead = {"partials": 0, "chain": 1}  # arguments before the operands
    return stated | {name: wide(stated[name], ahead[name]) for name in stated.keys() & ahead.keys()}


def wide(rule: Rule, ahead: int) -> Rule:
    def slopes(*args: Any, **static: Any) -> Any:
        operands, out = args[ahead:-1], args[-1]
        return rule(*args[:ahead], *as_wide(operands, out), out, **static)

    return slopes


# ---- operands by name

BY_PLACE = Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD


def operand_names(body: Rule) -> list[str]:
    """The names of those arguments of a body that are operands."""
    each = signature(body).parameters.values()
    return [p.name for p in each if p.kind in BY_PLACE and p.default is p.empty]


def bind(op: Declared, args: tuple, static: dict[str, Any]) -> tuple[tuple, dict[str, Any]]:
    """Operands may be given by name, too: exp(x=0)."""
    names = operand_names(op.body)[len(args) :]
    if static.keys() >= set(names):
        args = (*args, *[static.pop(name) for name in names])
    return Op.bind(op, args, static)


give(Declared, bind=bind)


# ---- rules of users


@hook("in_symbols")
def in_symbols(rule: Any, inputs: Exprs, outputs: Exprs, changes: Any) -> Any:
    """Call a rule of a user with symbols, which then become what they stand for. So a slope that
    the rule itself takes by one operand has nothing of another, as in f(x, x) and f(x, x * x).
    Rules of ours take no slopes, and are called with the nodes."""
    if len(inputs) < 2:
        return rule(inputs, outputs, changes)
    ends = [[stand_in(e, inputs) for e in slots] for slots in (inputs, outputs, changes)]
    result = rule(*ends)
    pairs = zip(chain(*ends), chain(inputs, outputs, changes), strict=True)
    values = {s: e for s, e in pairs if s is not e and s is not None and e is not None}
    if isinstance(result, Expr):
        return put_in([result], values)[0]
    if type(result) not in (list, tuple):
        return result
    there = iter(put_in([e for e in result if isinstance(e, Expr)], values))
    return [next(there) if isinstance(e, Expr) else e for e in result]


def stand_in(e: Expr | None, inputs: Exprs) -> Expr | None:
    """A symbol for what depends on something, or is two of the inputs."""
    if e is None or not isinstance(e.type, TensorType) or isinstance(e, Constant):
        return e
    if e.op is None:
        return Input(e.name or "x", e.type) if sum(e is i for i in inputs) > 1 else e
    fixed = all(isinstance(i, Constant) for i in e.inputs)
    return e if fixed else Input(e.name or "x", e.type)
