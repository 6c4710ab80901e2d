"""Python functions as boxes: with a gradient of their own, or computed again on the way back.

The function is called once for each node that is made of it: expressions, arrays and floats among
its arguments become symbols, and whatever else it is given stays what it is.
"""

import functools
from collections.abc import Callable, Sequence
from typing import Any, ParamSpec, TypeVar

import numpy as np

from ...expr import (
    Expr,
    Graph,
    Input,
    MissingInputError,
    at,
    called,
    dependents,
    evaluate,
    is_function,
    operands,
    parameters_of,
    results,
    shown,
    substitute,
)
from ...ops import PULLBACK, accepted, zero
from .body import closure_convert, free, free_variables, symbol_for
from .op_from_graph import OpFromGraph

P = ParamSpec("P")
R = TypeVar("R")
Made = tuple[Any, OpFromGraph, Sequence[Expr]]  # a value, its box, what this takes from outside


def custom_gradient(f: Callable[P, tuple[R, Any]]) -> Callable[P, R]:
    """Let a function say what its derivative is to be: it returns (value, pullback).

    pullback(cotangent) returns a cotangent for each argument, in a list if there are
    several; None says that no derivative passes. The value may be a tuple; pullback then
    takes as many cotangents. It may itself use whatever it likes.

    Parameters
    ----------
    f : callable
        It takes expressions and returns a value and its pullback.

    Returns
    -------
    callable
        The same function; its result is the value.

    Raises
    ------
    MissingInputError
        If the value takes arrays of floats from outside: the pullback could not say what
        becomes of them.

    See Also
    --------
    override_gradient : Of parts of a graph that match a pattern.

    Examples
    --------
    >>> @ad.custom_gradient
    ... def clipped(x):
    ...     return x * x, lambda ct: ad.clip(ct, -1, 1)
    ...
    >>> x = ad.scalar("x")
    >>> ad.grad(clipped(x), x)
    clip(1, -1, 1)
    """
    return boxed(f, ruled)


def checkpoint(f: Callable[P, R]) -> Callable[P, R]:
    """A function as a box whose intermediate results are not kept.

    Its derivative computes them again. Memory for the values between its arguments and its
    results is needed only while the box is computed, and while its derivative is.

    Parameters
    ----------
    f : callable
        It takes and returns expressions; what it takes from outside has derivatives too.

    Returns
    -------
    callable
        The same function, with its box.

    References
    ----------
    .. [1] A. Griewank and A. Walther, "Evaluating Derivatives", 2nd edition, 2008, chapter 12.

    Examples
    --------
    >>> x = ad.scalar("x")
    >>> y = ad.checkpoint(lambda x: ad.sin(ad.exp(x)))(x)
    >>> ad.evaluate(ad.grad(y, x), {x: 0.0})
    np.float64(0.5403023058681398)
    """
    return boxed(f, plain)


def plain(name: str, value: Any, args: Sequence[Any]) -> Made:
    """The box of a value."""
    roots, symbols = several(name, value), inputs_among(args)
    outer = free_variables(roots, symbols)
    shut, inner = closure_convert(roots, outer)
    return value, OpFromGraph([*symbols, *inner], shut, name=name), outer


def ruled(name: str, found: Any, args: Sequence[Any]) -> Made:
    """The box of a value that comes with a pullback, which becomes a graph as well."""
    if not (isinstance(found, tuple) and len(found) == 2 and is_function(found[1])):
        raise TypeError(f"{name} must return a value and its pullback, (y, lambda ct: ...), "
                        f"not {found!r}")  # fmt: skip
    value, pullback = found
    roots, symbols = several(name, value), inputs_among(args)
    refuse_captured(name, free_variables(roots, symbols))
    cotangents = [Input(f"ct{k or ''}", zero(y).type) for k, y in enumerate(roots)]
    answers = accepted(by_symbol(pullback(*cotangents), args), symbols, PULLBACK, name, roots[0])
    told = [zero(x) if e is None else e for e, x in zip(answers, symbols, strict=True)]
    outer = free_variables([*roots, *told], [*symbols, *cotangents])
    shut, inner = closure_convert([*roots, *told], outer)
    body, told, inputs = shut[: len(roots)], shut[len(roots) :], [*symbols, *inner]
    known = [Input(y.name or f"y{k}", y.type) for k, y in enumerate(roots)]
    computed = dependents(Graph(body).nodes, symbols) - set(symbols)
    told = substitute(told, {y: k for y, k in zip(body, known) if y in computed})
    told += map(zero, inner)
    rule = OpFromGraph([*inputs, *known, *cotangents], told, inline=True) if inputs else None
    passes = [e is not None for e in answers] + [False] * len(inner)
    how: dict[str, Any] = {"inline": True, "pullback": rule, "name": name}
    how["connection_pattern"] = [[p] * len(roots) for p in passes]
    return value, OpFromGraph(inputs, body, **how), outer


def by_symbol(answer: Any, args: Sequence[Any]) -> list[Any]:
    """What a pullback returned, in a list, without what it says of arguments that are no arrays."""
    found = list(answer) if isinstance(answer, (list, tuple)) else [answer]
    if len(found) != len(args):
        return found
    return [e for e, a in zip(found, args, strict=True) if isinstance(a, Input)]


def refuse_captured(name: str, outer: Sequence[Expr]) -> None:
    """Raises MissingInputError for what has a derivative of which a pullback says nothing."""
    for x in outer:
        if x.type.is_float and any(n.type.is_float for n in free([x], ())):
            raise MissingInputError(
                f"{name} takes {x}{at(x)} from outside: make it an argument of its own, given by "
                "place, so that its pullback can return a cotangent for it"
            )


# ---- Python functions of expressions


def boxed(f: Callable[..., Any], box: Callable[..., Made]) -> Callable[..., Any]:
    """f by way of a box; for arrays and floats alone, its value."""
    if not is_function(f):
        raise TypeError(f"a Python function of expressions is needed here, not {shown(f)}")
    names, name = parameters(f), getattr(f, "__name__", type(f).__name__)

    @functools.wraps(f)
    def call(*args: Any, **static: Any) -> Any:
        places = [k for k, a in enumerate(args) if isinstance(a, (Expr, np.ndarray, float))]
        given = operands(tuple([args[k] for k in places]), name)
        symbols = {k: symbol_for(x, names.get(k, f"x{k}")) for k, x in zip(places, given)}
        inside = [symbols.get(k, a) for k, a in enumerate(args)]
        value, made, outer = box(name, called(f, *inside, **static), inside)
        found: Sequence[Any] = results(made.apply((*given, *outer)))
        if not any(isinstance(a, Expr) for a in args) and not free(found, ()):
            found = evaluate(found) if len(found) > 1 else [evaluate(found)]
        return like(value, found)

    return call


def parameters(f: Callable[..., Any]) -> dict[int, str]:
    """The names of a function's parameters, by place, where Python knows them."""
    known = enumerate(parameters_of(f))
    return {k: p.name for k, p in known if p.kind is not p.VAR_POSITIONAL}


def inputs_among(args: Sequence[Any]) -> list[Input]:
    """The symbols among the arguments with which a function was called."""
    return [a for a in args if isinstance(a, Input)]


def several(name: str, value: Any) -> list[Expr]:
    """The results of a function in a list. Raises TypeError for what is no expression."""
    found = tuple(value) if isinstance(value, (list, tuple)) else (value,)
    try:
        return list(operands(found, name))
    except TypeError:
        raise TypeError(f"{name} must return an expression, or several in a list or a tuple, not "
                        f"{value!r}") from None  # fmt: skip


def like(value: Any, found: Sequence[Any]) -> Any:
    """The results in the form in which the function returned them."""
    if not isinstance(value, (list, tuple)):
        return found[0]
    return getattr(type(value), "_make", type(value))(found)
