"""Gradients that are stated by hand: functions that return a value and the pullback to go with it.

The form is that of `ad.custom_gradient`, in plain NumPy. A rule may say what it likes of the
cotangent, but the value is that of the function, in every bit.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from ...differentiate import reverse_mode
from ...expr import Expr, Graph, Input, TensorType, constant
from ...nested import Nested
from ...ops import GATES
from ..harness.check import Arrays, Draw, call, cases, copies, where
from ..harness.checker import checker
from ..harness.feedback import Wrong, complain, expect, spell

Holds = Mapping[str, Callable[..., Any]]


@checker
def check_rule(
    student: Callable[..., Any],
    value: Callable[..., Any],
    inputs: Draw,
    *,
    pullback: Callable[..., Any] | None = None,
    holds: Holds | None = None,
    linear: bool = True,
    examples: Iterable[Arrays] = (),
    trials: int = 30,
    seed: int | None = None,
    **limits: Any,
) -> None:
    """student(*args) is a pair: value(*args), bit for bit, and a pullback of one cotangent.

    Parameters
    ----------
    value : callable
        What is right, of arrays.
    pullback : callable, optional
        What the pullback is to return, of (ct, *args), if that is determined.
    holds : dict, optional
        What has to be true of what the pullback returns, by the words for it: functions of
        (result, ct, *args).
    linear : bool, default: True
        Whether the pullback has to be linear.
    examples : iterable, default: ()
        Arguments that are tried first.
    **limits : object
        Those of `watched`.
    """
    rng, count = np.random.default_rng(seed), 0
    for args, fresh in cases(inputs, examples, trials, seed):
        at = where(student, args)
        found, rule = pair(call(student, args, **limits), at)
        expect_bits(value(*copies(args)), found, at, fresh)

        def pulled(ct: Any, rule: Any = rule) -> Any:
            return call(rule, (ct,), **limits)

        ct = np.asarray(rng.normal(size=np.shape(found)).round(2))[()]
        got, said = pulled(ct), f"{at}, ct = {spell(ct)}"
        if pullback is not None:
            expect(pullback(ct, *copies(args)), got, said, tell=fresh)
        if linear:
            expect_linear(pulled, ct, got, said)
        for words, hold in (holds or {}).items():
            if not hold(got, ct, *copies(args)):
                raise Wrong(f"it must hold: {words}\n  got       {spell(got)}\n  at        {said}")
        count += 1
    print(f"{student.__name__}: value and pullback are right at {count} inputs")


def pair(got: Any, at: str) -> tuple[Any, Callable[..., Any]]:
    """A value and a pullback, or what is there instead."""
    if not (isinstance(got, tuple) and len(got) == 2 and callable(got[1])):
        complain("not a pair", "value and pullback: `return value, lambda ct: ...`", spell(got), at)
    return got


def expect_bits(wanted: Any, got: Any, at: str, tell: bool) -> None:
    """The same number, not one that is close."""
    expect(wanted, got, at, tell=tell)
    if np.asarray(wanted, float).tobytes() != np.asarray(got, float).tobytes():
        what = "the value is close, but an override leaves every bit of it as it is"
        complain(what, "the value of the function itself", spell(got), at)


def expect_linear(pulled: Callable[[Any], Any], ct: Any, got: Any, at: str) -> None:
    """Three times the cotangent comes back as three times as much."""
    parts = got if isinstance(got, tuple) else (got,)
    thrice = pulled(3 * ct)
    tripled = tuple([3 * np.asarray(part, float) for part in parts])
    try:
        expect(tripled if isinstance(got, tuple) else tripled[0], thrice)
    except Wrong:
        what = "the pullback must be linear in its cotangent: of 3·ct it is three times that of ct"
        complain(what, spell(tripled), spell(thrice), at)


# ---- programs that the engine differentiates


@checker
def check_program(
    student: Callable[..., Any],
    value: Callable[..., Any],
    derivative: Callable[..., Any],
    inputs: Draw,
    *,
    examples: Iterable[Arrays] = (),
    trials: int = 30,
    seed: int | None = None,
    **tolerance: float,
) -> None:
    """student(x, ...) has this value at the array x, and the engine finds this derivative.

    student(x, ...), in NumPy's words, has this value at the array x, and the derivative
    that the engine finds for it, entry by entry, is this one. Gates and overrides are
    refused.

    Parameters
    ----------
    value : callable
        What is right, of arrays.
    derivative : callable
        The derivative that is right.
    examples : iterable, default: ()
        Arguments that are tried first.
    **tolerance : float
        What may differ.
    """
    count = 0
    for args, fresh in cases(inputs, examples, trials, seed):
        at, x = where(student, args), np.asarray(args[0], float)
        symbol = Input("x", TensorType(x.dtype, x.shape))
        y = call(student, (symbol, *args[1:]), by_hand=False)
        if not isinstance(y, Expr) or y.type.shape != x.shape:
            complain(student.__name__, "an expression, of the shape of x", repr(y), at)
        if any(n.op.name in GATES or isinstance(n.op, Nested) for n in Graph(y).operations):
            raise Wrong(f"refused: no gates and no overrides, let the engine differentiate: {y}")
        (slope,) = reverse_mode(y, [symbol], constant(np.ones(x.shape))).outputs
        found = Graph([y, slope]).evaluate({symbol: x})
        wanted = value(*copies(args)), derivative(*copies(args))
        for what, w, g in zip(("value", "derivative"), wanted, found, strict=True):
            expect(w, g, f"{at}, the {what}", tell=fresh, **tolerance)
        count += 1
    print(f"{student.__name__}: value and derivative are right at {count} inputs")
