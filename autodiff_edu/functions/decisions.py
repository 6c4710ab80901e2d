"""What Python decides by numbers while a function is traced: `if x > 0`, `max`, `range(n)`.

A trace that knows the numbers of its arguments answers such questions, and keeps each answer as a
guard. The graph that results is right for all arguments for which the answers are the same.
"""

from collections import ChainMap
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping, Sequence
from contextlib import contextmanager
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np

from ..expr import (
    Expr,
    MissingInputError,
    Place,
    Shared,
    at,
    decisions_now,
    text,
    user_place,
    value_of,
)
from ..library import ceil, floor, trunc
from ..ops import any as any_of
from ..ops import not_equal, reshape
from ..rewrite import is_provable

WHOLE: dict[str, Callable[[Expr], Expr]] = {"trunc": trunc, "floor": floor, "ceil": ceil}


class Guard(NamedTuple):
    """A question that Python asked of an expression, and the answer under which a path is right.

    Parameters
    ----------
    condition : Expr
        What was asked: a truth value or a whole number.
    answer : bool, int or tuple
        What it was; of several examples, those of each.
    place : Place or str, optional
        The user's line that asked.
    numbers : tuple or callable, default: ()
        The condition's operands as they were then, or a function that computes them from the
        condition.

    Examples
    --------
    >>> slope = ad.grad(lambda x: x**2 if x > 0 else -x)
    >>> slope(3.0), slope(-3.0)
    (6.0, -1.0)
    >>> guard = slope.paths[1].guards[0]
    >>> guard.condition, guard.answer, guard.met
    (x > 0, False, '-3 > 0')
    """

    condition: Expr
    answer: bool | int | tuple
    place: Place | str | None = None
    numbers: tuple | Callable[[Expr], tuple] = ()

    @property
    def met(self) -> str:
        """The condition with the numbers that it was decided by; empty where it has none."""
        single = [i for i in self.condition.inputs if not i.ndim]
        numbers = self.numbers(self.condition) if callable(self.numbers) else self.numbers
        if len(single) != len(numbers) or not single:
            return ""
        return text(self.condition, dict(zip(single, map(short, numbers), strict=True)))

    def __repr__(self) -> str:
        met = f" ({self.met})" if self.met else ""
        return f"{self.place or 'asked'}: {self.condition} is {self.answer}{met}"


def runs(guards: Iterable[Guard]) -> list[list[Guard]]:
    """Those that follow each other, of one line and with one answer, together."""
    return [list(run) for _, run in groupby(guards, key=attrgetter("place", "answer"))]


class Decisions:
    """The numbers of a trace, each computed once, and the guards so far.

    Parameters
    ----------
    numbers : dict
        The values of the symbols.
    """

    def __init__(self, numbers: Mapping[Expr, Any]):
        self.values: MutableMapping[Expr, Any] = {n: as_array(v) for n, v in numbers.items()}
        self.stands_for: MutableMapping[Expr, Any] = {}  # the symbols of an inner trace
        self.guards: list[Guard] = []
        self.failed = False  # did a question have no answer?
        self.formula: list[Expr] = []  # what the user's function returned
        self.hessians: list[tuple] = []  # and of what, by what

    def within(self, numbers: Mapping[Expr, Any]) -> "Decisions":
        """Those of a part of the trace, with the numbers of symbols of its own."""
        inner = Decisions(numbers)
        inner.values = ChainMap(inner.values, self.values)
        inner.stands_for = ChainMap({}, self.stands_for)
        return inner

    def decide(self, node: Expr, question: str) -> bool | int | None:
        """The answer to a question of Python's; None where a number is not known."""
        condition = asked(node, question)
        if condition is None:
            return None
        try:
            number = self.number(condition)
            answer = answered(number, question, node)
        except MissingInputError:
            return None
        except Exception:
            self.failed = True  # the function may catch it: no guard can tell of that
            raise
        numbers = self.operands(condition)
        single = reshape(condition, ()) if condition.ndim else condition
        self.guards.append(Guard(single, answer, user_place(), numbers))
        return answer

    def operands(self, condition: Expr) -> tuple:
        """The numbers of those operands that are single numbers."""
        return tuple([self.number(i) for i in condition.inputs if not i.ndim])

    def number(self, wanted: Expr) -> Any:
        """The value of a node. Raises MissingInputError where an input has none."""
        stack = [wanted]
        with np.errstate(all="ignore"):
            while stack:
                n = stack[-1]
                missing = [i for i in self.below(n) if i not in self.values]
                if n in self.values or not missing:
                    stack.pop()
                    if n not in self.values:
                        self.values[n] = self.computed(n)
                else:
                    stack.extend(missing)
        return self.values[wanted]

    def below(self, n: Expr) -> Sequence[Expr]:
        """The nodes that a node's value is computed from."""
        outer = self.stands_for.get(n)
        return (outer,) if isinstance(outer, Expr) else n.inputs

    def computed(self, n: Expr) -> Any:
        if n in self.stands_for:
            outer = self.stands_for[n]
            return self.values[outer] if isinstance(outer, Expr) else as_array(outer)
        return n.held if isinstance(n, Shared) else value_of(n, self.values)

    @contextmanager
    def used(self) -> Iterator["Decisions"]:
        """Python decides by these numbers."""
        token = decisions_now.set(self)
        try:
            yield self
        finally:
            decisions_now.reset(token)


def short(number: Any) -> str:
    """A number in the digits that are the same on every processor."""
    return f"{number:.6g}" if isinstance(number, (float, np.floating)) else str(number)


def as_array(value: Any) -> Any:
    """A number as NumPy's, by whose rules all is computed."""
    return np.asarray(value)[()]


def asked(node: Expr, question: str) -> Expr | None:
    """The expression whose value is the answer: a truth value or a whole number."""
    kind = node.dtype.kind
    if question == "truth":
        return node if kind == "b" else not_equal(node, 0)
    if question == "any":
        return any_of(node)
    if question == "index":
        whole = kind in "iu" or (kind == "f" and is_provable("integer", node))
        return node if whole and not node.ndim else None
    return node if kind in "biu" else WHOLE[question](node)


def answered(number: Any, question: str, node: Expr) -> bool | int:
    """The answer as Python's own value. Raises NumPy's error for several entries."""
    try:
        return bool(number) if question in ("truth", "any") else int(number)
    except (TypeError, ValueError, OverflowError) as error:
        raise type(error)(f"{error}: {node}{at(node)}") from None
