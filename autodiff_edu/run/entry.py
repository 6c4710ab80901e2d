"""The way into a program: NumPy's warnings are silent, and an error tells of the user's line.

The text of a program begins with `@np.errstate(all="ignore")`. What runs is one function that does
the same and explains errors, too, since each call on the way costs as much as an operation on a
hundred numbers.
"""

import inspect
from collections.abc import Callable, Sequence
from functools import wraps
from traceback import walk_tb
from typing import Any

from ..expr import Expr, Input, explained
from ..ops import power
from ..ops.in_python import ours

try:  # what np.errstate itself calls, and no other module of NumPy tells
    from numpy._core.umath import _extobj_contextvar, _make_extobj

    STATE: Any = _extobj_contextvar
    MAKE: Any = _make_extobj
except ImportError:
    STATE = MAKE = None

Run = Callable[..., Any]
SILENT = '@np.errstate(all="ignore")'


def entered(run: Run, source: Any) -> Run:
    """The function of a text, as it is called."""
    if source.decorators()[:1] == [SILENT] and MAKE is not None:
        return silent(run.__wrapped__, source)  # type: ignore[attr-defined]
    return run if is_safe(source.plan.order) else explaining(run, source)


def by_names(run: Run, inputs: Sequence[Input]) -> Run:
    """The function, where inputs have names that its parameters cannot have, as `max`: it takes
    their values by these names, too."""
    words = inspect.signature(run).parameters  # of JAX's program its code tells none
    pairs = [(i.name, word) for i, word in zip(inputs, words) if i.name]
    word_of = dict(reversed(pairs))  # of equal names the first counts
    if all(name == word for name, word in word_of.items()):
        return run

    @wraps(run)
    def named_run(*values: Any, **given: Any) -> Any:
        named = {word_of.get(name, name): v for name, v in given.items()}
        if len(named) < len(given):
            other = next(name for name in given if name not in word_of)
            raise TypeError(f"{run.__name__}() got an unexpected keyword argument {other!r}")
        return run(*values, **named)

    return named_run


def is_safe(order: Sequence[Expr]) -> bool:
    """Can no operation fail, whatever the values are?"""
    kinds = {(n.op, n.type.is_float) for n in order}
    return all(op.elementwise and ours(op) and (op is not power or real) for op, real in kinds)


def silent(run: Run, source: Any) -> Run:
    """The function under np.errstate(all="ignore"), in fewer calls; errors are explained."""
    code = inspect.unwrap(run).__code__

    @wraps(run)
    def silent_run(*values: Any, **named: Any) -> Any:
        before = STATE.get()  # a token would be lost where Ctrl-C comes before it is kept
        try:
            STATE.set(MAKE(all="ignore"))
            return run(*values, **named)
        except Exception as error:
            explain(error, code, source)
            raise
        finally:
            STATE.set(before)

    return silent_run


def explaining(run: Run, source: Any) -> Run:
    """The function of a text; an error in one of its lines tells of the user's line."""
    code = inspect.unwrap(run).__code__

    @wraps(run)
    def explained_run(*values: Any, **named: Any) -> Any:
        try:
            return run(*values, **named)
        except Exception as error:
            explain(error, code, source)
            raise

    return explained_run


def explain(error: Exception, code: Any, source: Any) -> None:
    """Raise the error anew, with the operation and the user's line, if a line of this code is
    where it happened."""
    for frame, line in walk_tb(error.__traceback__):
        n = source.lines.get(line)
        if frame.f_code is code and n is not None:
            raise explained(error, n, source.shapes(n, frame.f_locals)) from error
