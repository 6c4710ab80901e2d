"""Python functions as boxes: with a gradient of their own, or computed again on the way back."""

import functools
from collections.abc import Callable, Sequence
from typing import Any

from ..expr import Expr, Input, MissingInputError, at, evaluate, operands, results, substitute
from .body import captured, closed, symbol_for
from .box import OpFromGraph


def custom_gradient(f: Callable[..., Any]) -> Callable[..., Any]:
    """Let a function say what its derivative is to be: f returns (value, pullback), and
    pullback(cotangent) returns a cotangent for each argument, in a list if there are several.

        @ad.custom_gradient
        def clipped(x):
            return x, lambda ct: ad.clip(ct, -1, 1)

    The value may be a tuple; pullback then takes as many cotangents. Raises MissingInputError for
    arrays of floats that f takes from outside: its pullback could not say what becomes of them.
    """

    def box(symbols: list[Input]) -> tuple[OpFromGraph, list[Expr]]:
        value, rule = f(*symbols)
        roots = list(value) if isinstance(value, (tuple, list)) else [value]
        outer = captured(roots, symbols)
        for x in outer:
            if x.type.is_float:
                raise MissingInputError(
                    f"{f.__name__} takes {x}{at(x)} from outside: make it an argument, so that "
                    "its pullback can return a cotangent for it"
                )
        shut, inner = closed(roots, outer)

        def pullback(inputs: Any, outputs: Any, cotangents: Any) -> list[Expr | None]:
            found = rule(*cotangents)
            found = list(found) if isinstance(found, (tuple, list)) else [found]
            places = {y: out for y, out in zip(roots, outputs, strict=True) if y.op is not None}
            places |= dict(zip([*symbols, *outer], inputs, strict=True))
            return put_in(found, places) + [None] * len(outer)

        how: dict[str, Any] = {"inline": True, "pullback": pullback, "name": f.__name__}
        return OpFromGraph([*symbols, *inner], shut, **how), outer

    return boxed(f, box)


def checkpoint(f: Callable[..., Any]) -> Callable[..., Any]:
    """f as a box whose intermediate results are not kept: its derivative computes them again.

    Memory for the values between its arguments and its results is needed only while the box is
    computed, and while its derivative is. (Griewank and Walther, Evaluating Derivatives, 2008,
    chapter 12.) f takes and returns expressions; what it takes from outside has derivatives too.
    """

    def box(symbols: list[Input]) -> tuple[OpFromGraph, list[Expr]]:
        value = f(*symbols)
        roots = list(value) if isinstance(value, (tuple, list)) else [value]
        outer = captured(roots, symbols)
        shut, inner = closed(roots, outer)
        return OpFromGraph([*symbols, *inner], shut, name=f.__name__), outer

    return boxed(f, box)


def boxed(f: Callable[..., Any], box: Callable[..., Any]) -> Callable[..., Any]:
    """f by way of a box, one for arguments of the same types; for numbers and arrays, its value."""
    known: dict[tuple, Any] = {}

    @functools.wraps(f)
    def call(*args: Any) -> Any:
        xs = operands(args, f.__name__)
        types = tuple(x.type for x in xs)
        made, outer = known.get(types) or box([symbol_for(x, f"x{k}") for k, x in enumerate(xs)])
        if not outer:
            known[types] = made, outer
        found = results(made.apply((*xs, *outer)))
        if not any(isinstance(a, Expr) for a in args):
            return evaluate(list(found))
        return found[0] if len(found) == 1 else found

    return call


def put_in(found: Sequence[Any], places: dict[Expr, Expr]) -> list[Expr | None]:
    """The expressions with others in these places; None and what is no expression as it is."""
    there = [e for e in found if isinstance(e, Expr)]
    done = iter(substitute(there, dict(places)))
    return [next(done) if isinstance(e, Expr) else e for e in found]
