"""Checkers that compare a student's function with a reference, at fresh random inputs.

The function gets plain NumPy arrays, copies each time. Where it has to be a derivative, the
reference is the engine's reverse mode, and the engine is closed to the student meanwhile.
"""

import inspect
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from ...differentiate import reverse_mode
from ...expr import Expr, Graph, Input, TensorType, constant
from .chart import chart_numbers
from .checker import checker
from .failing_call import chart_call, smallest_call
from .feedback import Unsolved, Wrong, complain, differences, expect, spell
from .guard import run
from .verdict import told

Arrays = Sequence[Any]
Draw = Callable[[np.random.Generator], Arrays]


@checker
def check_function(
    student: Callable[..., Any],
    reference: Callable[..., Any],
    inputs: Draw,
    *,
    examples: Iterable[Arrays] = (),
    trials: int = 30,
    seed: int | None = None,
    rtol: float = 1e-9,
    atol: float = 1e-12,
    graph: Expr | None = None,
    **limits: Any,
) -> None:
    """student(*arrays) = reference(*arrays) at the examples, then at random inputs.

    Parameters
    ----------
    reference : callable
        What is right.
    examples : iterable, default: ()
        Arguments that are tried first. Of these no message says what is right.
    rtol : float, default: 1e-09
        What may differ, as a part.
    atol : float, default: 1e-12
        What may differ at least.
    graph : Expr, optional
        Where the result has a number for each input of an expression, then for each of its
        operations, this expression, to draw it.
    **limits : object
        Those of `watched`.
    """
    each = [*cases(inputs, examples, trials, seed)]
    for args, fresh in each:
        got, at = call(student, args, **limits), where(student, args)
        right = reference(*copies(args))
        if graph is not None and any(differences(right, got, rtol, atol)):
            chart_numbers(f"your numbers for {at}", graph, got, right if fresh else got)
        elif any(differences(right, got, rtol, atol)):
            object_to(student, reference, each, rtol, atol, limits)
        expect(right, got, at, rtol, atol, tell=fresh)
    if graph is not None and not each[0][1]:  # an example, which is the same each time
        got, at = call(student, each[0][0], **limits), where(student, each[0][0])
        chart_numbers(f"your numbers for {at}", graph, got, got)
    count = len(each)
    print(f"{student.__name__}: right at {count} input{'s' * (count != 1)}")


def object_to(
    student: Callable[..., Any],
    reference: Callable[..., Any],
    each: Sequence[tuple[Arrays, bool]],
    rtol: float,
    atol: float,
    limits: dict[str, Any],
) -> None:
    """Raise Wrong, with the smallest call whose result is wrong, drawn; random ones come first.

    Nothing is raised where the result is another one now: an answer by chance.
    """

    def results(args: Arrays) -> tuple[Any, Any]:
        return reference(*copies(args)), call(student, args, **limits)

    args, fresh = smallest_call(each, lambda args: any(differences(*results(args), rtol, atol)))
    right, own = results(args)
    name, call_is = student.__name__, "the smallest call" if fresh else "a call"
    arguments = named(student, args)
    title = f"{name}: {call_is} whose result is wrong"
    chart_call(title, name, arguments, own, right, fresh, (rtol, atol))
    expect(right, own, where(student, args), rtol, atol, tell=fresh)


@checker
def check_gradient(
    student: Callable[..., Any],
    of: Callable[..., Any],
    inputs: Draw,
    *,
    seed: int | None = None,
    **how: Any,
) -> None:
    """student(x, ...) is the gradient of the scalar function `of`, written in NumPy's words.

    Parameters
    ----------
    **how : object
        Options of `check_function`.
    """
    check_function(student, lambda *args: pulled(of, args, 1.0), inputs, seed=seed, **how)


@checker
def check_pullback(
    student: Callable[..., Any],
    of: Callable[..., Any],
    inputs: Draw,
    *,
    seed: int | None = None,
    **how: Any,
) -> None:
    """student(cotangent, x, ...) is one cotangent for each argument of `of`, for a random one.

    Parameters
    ----------
    **how : object
        Options of `check_function`.
    """

    def draw(rng: np.random.Generator) -> Arrays:
        args = inputs(rng)
        return (rng.normal(size=np.shape(of(*copies(args)))), *args)

    check_function(student, lambda ct, *args: pulled(of, args, ct), draw, seed=seed, **how)


@checker
def check_found(student: Callable[[], Any], holds: Callable[[Any], Any], what: str) -> None:
    """student() finds something for which `holds` is true; `what` says so in words.

    Parameters
    ----------
    holds : callable
        What has to be true.
    what : str
        The same in words.
    """
    found = call(student, ())
    if not holds(found):
        complain(student.__name__, what, spell(found))
    print(f"{student.__name__}: {what}")


def pulled(of: Callable[..., Any], args: Arrays, cotangent: Any) -> Any:
    """What the engine says: one array for one argument, a tuple for several."""
    values = [np.asarray(a, dtype=float) for a in args]
    inputs = [Input(f"x{k}", TensorType(v.dtype, v.shape)) for k, v in enumerate(values)]
    adjoints = reverse_mode(of(*inputs), inputs, constant(np.asarray(cotangent, dtype=float)))
    result = Graph(adjoints.outputs).evaluate(dict(zip(inputs, values, strict=True)))
    return tuple(result) if len(args) > 1 else result


# ---- one call


def cases(
    inputs: Draw, examples: Iterable[Arrays], trials: int, seed: Any
) -> Iterator[tuple[Arrays, bool]]:
    """The arguments of each call, and whether they are random: the examples are not."""
    yield from ((args, False) for args in examples)
    rng = np.random.default_rng(seed)
    yield from ((inputs(rng), True) for _ in range(trials))


def copies(args: Arrays) -> list[Any]:
    return [copied(a) for a in args]


def copied(a: Any) -> Any:
    """An array, or a list or dict with all that is in it; anything else is itself."""
    if isinstance(a, np.ndarray):
        return a.copy()
    if type(a) is list:
        return [copied(part) for part in a]
    return {key: copied(part) for key, part in a.items()} if type(a) is dict else a


def call(student: Callable[..., Any], args: Arrays, **limits: Any) -> Any:
    """The student's result for copies of the arguments, which must stay as they are."""
    given, name = copies(args), student.__name__
    try:
        with np.errstate(all="ignore"):
            got = run(student, *given, **limits)
    except NotImplementedError:
        what = f"{name} is not written yet"
        raise Unsolved(f"{what}: replace `raise NotImplementedError()` in its cell") from None
    except Wrong as wrong:
        raise wrong.rephrase(f"{name}: {wrong}\n  at        {where(student, args)}") from None
    except MemoryError as error:
        error.add_note(where(student, args))
        raise
    except KeyboardInterrupt:  # of the person at the notebook
        raise
    except BaseException as error:
        raise Wrong(f"{name} raised {told(error)}\n  at        {where(student, args)}") from None
    if any(map(changed, args, given)):
        raise Wrong(f"{name} changed its arguments\n  at        {where(student, args)}")
    return got


def changed(a: Any, b: Any) -> bool:
    """Has the copy b of an array, a list or a dict become another one?"""
    if isinstance(a, np.ndarray):
        return not np.array_equal(a, b, equal_nan=a.dtype.kind in "fc")
    if type(a) is dict:
        return a.keys() != b.keys() or any(changed(a[key], b[key]) for key in a)
    if type(a) is list:
        return len(a) != len(b) or any(map(changed, a, b))
    return a is not b and (not isinstance(a, (int, float, str)) or a != b)


def where(student: Callable[..., Any], args: Arrays) -> str:
    """The call as one could paste it: gradient(x=[1.0, 0.0])."""
    said = ", ".join(f"{name}={spell(a)}" for name, a in named(student, args))
    return f"{student.__name__}({said})"


def named(student: Callable[..., Any], args: Arrays) -> list[tuple[str, Any]]:
    """The arguments with their names; those of *args have none."""
    names = list(inspect.signature(student).parameters)
    names += ["..."] * (len(args) - len(names))
    return list(zip(names, args, strict=False))
