"""Gradients that are stated by hand: functions that return a value and the pullback to go with it.

The form is that of `ad.custom_gradient`, in plain NumPy. A rule may say what it likes of the
cotangent, but the value is that of the function, in every bit.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np

from ..harness.chart import NEAR
from ..harness.check import Arrays, Draw, call, cases, copies, named, where
from ..harness.checker import checker
from ..harness.failing_call import chart_call, smallest_call
from ..harness.feedback import Wrong, complain, differences, expect, spell

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
    rng = np.random.default_rng(seed)
    task = Task(student, value, pullback, holds or {}, linear, limits)
    each = [
        ((np.asarray(rng.normal(size=np.shape(value(*copies(args)))).round(2))[()], *args), fresh)
        for args, fresh in cases(inputs, examples, trials, seed)
    ]
    for case, fresh in each:
        wrong = task.problem(case, fresh)
        if wrong is not None:
            small, fresh = smallest_call(each, lambda case: task.problem(case) is not None)
            wrong = task.problem(small, fresh) or wrong
            draw(student, small, task.results(small), str(wrong), fresh)
            raise wrong
    print(f"{student.__name__}: value and pullback are right at {len(each)} inputs")


class Results(NamedTuple):
    """The results of a rule for one input, and the right ones."""

    own: Any  # its value
    back: Any  # its pullback of a cotangent
    thrice: Any  # and of three times this cotangent
    right: Any  # the right value
    right_back: Any  # the right pullback, or None where several are right


class Task(NamedTuple):
    """A rule of a student's, and all that it has to fulfil; a case is (ct, *args)."""

    student: Callable[..., Any]
    value: Callable[..., Any]
    pullback: Callable[..., Any] | None
    holds: Holds
    linear: bool
    limits: dict[str, Any]

    def results(self, case: Arrays) -> Results:
        ct, *args = case
        own, rule = pair(call(self.student, args, **self.limits), where(self.student, args))
        back, thrice = (call(rule, (factor * ct,), **self.limits) for factor in (1, 3))
        right_back = None if self.pullback is None else self.pullback(ct, *copies(args))
        return Results(own, back, thrice, self.value(*copies(args)), right_back)

    def problem(self, case: Arrays, tell: bool = True) -> Wrong | None:
        """The first fault of the rule; of an example, without the right result."""
        at, answer = where(self.student, case[1:]), self.results(case)
        try:
            expect_bits(answer.right, answer.own, at, tell)
            at += f", ct = {spell(case[0])}"
            if answer.right_back is not None:
                expect(answer.right_back, answer.back, at, tell=tell)
            if self.linear:
                expect_linear(answer, at)
            expect_to_hold(self.holds, answer.back, case, at)
        except Wrong as wrong:
            return wrong
        return None


def draw(student: Callable[..., Any], case: Arrays, answer: Results, says: str, tell: bool) -> None:
    """Chart a call that is wrong, with its value and its pullback."""
    problem, name = says.partition("\n")[0].removeprefix("it must hold: "), student.__name__
    right = {"value": answer.right, "pullback": answer.right_back}
    if problem.startswith("the value is close"):
        right = {"value": problem.partition(",")[0], "pullback": answer.back}
    elif answer.right_back is None:
        same = not any(differences(answer.right, answer.own, *NEAR))
        right["pullback"] = problem.partition(":")[0] if same else answer.back
    arguments = [("ct", case[0]), *named(student, case[1:])]
    title = f"{name}: the smallest call that is wrong"
    chart_call(title, name, arguments, {"value": answer.own, "pullback": answer.back}, right, tell)


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


def expect_linear(answer: Results, at: str) -> None:
    """Three times the cotangent comes back as three times as much."""
    parts = answer.back if isinstance(answer.back, tuple) else (answer.back,)
    tripled = tuple([3 * np.asarray(part, float) for part in parts])
    try:
        expect(tripled if isinstance(answer.back, tuple) else tripled[0], answer.thrice)
    except Wrong:
        what = "the pullback must be linear in its cotangent: of 3·ct it is three times that of ct"
        complain(what, spell(tripled), spell(answer.thrice), at)


def expect_to_hold(holds: Holds, got: Any, case: Arrays, at: str) -> None:
    """Each condition is true of what the pullback returns."""
    for words, hold in holds.items():
        if not hold(got, *copies(case)):
            raise Wrong(f"it must hold: {words}\n  got       {spell(got)}\n  at        {at}")
