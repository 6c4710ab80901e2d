"""Schedules on the machine with a shelf, rooms and budgets, memory as it is measured."""

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu import course
from autodiff_edu.course.lectures.lecture_17 import fewest
from tests.helpers.depth import some
from tests.helpers.students import own

KEPT = [("keep", 0), ("run", 0), ("keep", 1), ("run", 1), ("back", 2)]
BACK = [("take", 1), ("back", 1), ("drop", 1), ("take", 0), ("back", 0)]
ALL = KEPT[:-1] + [("run", 2), *KEPT[-1:]]


def everything(steps, room=0):
    """Every state is kept."""
    forward = [a for i in range(steps - 1) for a in (("keep", i), ("run", i))]
    back = [a for i in reversed(range(steps - 1)) for a in (("take", i), ("back", i))]
    return [*forward, ("back", steps - 1), *back]


def again(steps, room=0):
    """Every step back starts from the beginning."""
    rounds = [[("take", 0), *[("run", k) for k in range(i)], ("back", i)] for i in range(steps)]
    return [("keep", 0), *[a for actions in reversed(rounds) for a in actions]]


def short(steps, room):
    """The last round is missing."""
    return again(steps)[:-2]


def test_schedules_are_played():
    assert course.play(KEPT + BACK, 3) == (2, 2)
    assert course.play([("back", 0)], 1) == (0, 0)
    assert course.play(everything(10), 10) == (9, 9)
    assert course.play(again(10), 10) == (45, 1)


@pytest.mark.each(
    "actions, why",
    [
        (KEPT, r"the schedule ends, and 2 of 3 steps have not been made back"),
        (ALL, r"action 5, \('back', 2\): the state in hand is 3"),
        (KEPT[1:] + BACK, r"action 7, \('take', 0\): on the shelf there are \[\]"),
        ([("keep", 1)], r"the state in hand is 0"),
        ([("back", 0)], r"the next step to be made back is 2"),
        ([*KEPT, ("take", 1), ("drop", 1), ("drop", 1)], r"on the shelf there are \[0\]"),
        ([("run", 0), ("run", 1), ("run", 2), ("run", 3)], r"there is no step 3"),
        (["run"], r"action 0 is one of run, keep, take, drop, back with a number, not 'run'"),
        ([("walk", 0)], r"action 0 is one of run"),
        ([3], r"not 3"),
    ],
)
def test_a_schedule_that_cannot_be_played(actions, why):
    with pytest.raises(course.Wrong, match=why):
        course.play(actions, 3)


def test_limits_of_schedules():
    course.check_schedule(everything, [(10, 9), (2, 1), (1, 1)])
    course.check_schedule(again, [(10, 1)])
    course.check_schedule(again, [(10,)], shelf=lambda n: 1, runs=lambda n: n * n)
    with pytest.raises(
        course.Wrong, match=r"states on the shelf\n.*most 1\n.*2\n.*steps=3, room=1"
    ):
        course.check_schedule(everything, [(10, 3)])
    with pytest.raises(course.Wrong, match=r"steps made\n  needed    at most 2\n  got       3\n"):
        course.check_schedule(again, [(10, 2)])
    with pytest.raises(
        course.Wrong, match=r"short: the schedule ends, and 1(.|\n)*at        short"
    ):
        course.check_schedule(short, [(2, 1)])


def test_the_least_number_of_steps():
    assert [fewest(10, s) for s in range(1, 11)] == [45, 20, 15, 14, 13, 12, 11, 10, 9, 9]
    hundred = [fewest(100, s) for s in (1, 2, 3, 5, 10, 20, 50)]
    assert hundred == [4950, 845, 490, 316, 222, 178, 148]
    assert fewest(1, 1) == fewest(1, 5) == 0

    def squares(l, s):
        return l * (l - 1) // 2 // s

    course.check_fewest(fewest, [(1000, 50)])
    with pytest.raises(course.Wrong, match=r"differs\n.*1\n.*0\n.*squares\(l=2, s=2\)"):
        course.check_fewest(squares, [(10, 1), (10, 2)])


def test_the_least_room():
    def search(l, factor):
        return next(s for s in range(1, l) if own(fewest)(l, s) + 2 * l <= factor * (3 * l - 1))

    def too_much(l, factor):
        return search(l, factor) + 1

    def too_little(l, factor):
        return search(l, factor) - 1

    def half(l, factor):
        return search(l, factor) / 2

    budget = [(1000, 4 / 3)]
    course.check_room(search, budget, trials=0)
    for wrong, why in [
        (too_much, r"less room is enough\n  needed    the least room within 1.3\d* times"),
        (too_little, r"times the usual time with room for \d+\n  needed    at most 1.33"),
        (half, "needed    a whole number, 1 or more"),
    ]:
        with pytest.raises(course.Wrong, match=why):
            course.check_room(wrong, budget, trials=0)


# ---- memory


def chain(w, x):
    for _ in range(20):
        x = ad.sqrt(w * x)
    return ad.sum(x)


@ad.checkpoint
def four(w, x):
    for _ in range(4):
        x = ad.sqrt(w * x)
    return x


def boxed(w, x):
    for _ in range(5):
        x = four(w, x)
    return ad.sum(x)


def draw(rng):
    return rng.uniform(0.5, 1.0), rng.uniform(0.1, 1, size=20_000)


def test_states_are_measured():
    x = np.linspace(0.1, 1, 20_000)
    assert 20 <= course.states(chain, (0.7, x)) <= 22
    assert course.states(boxed, (0.7, x)) <= 11
    course.check_states(chain, (0.7, x), least=20, most=22)
    with pytest.raises(course.Wrong, match=r"chain\n  needed    at least 30 states\n  got"):
        course.check_states(chain, (0.7, x), least=30)
    with pytest.raises(course.Wrong, match=r"needed    at most 12 states"):
        course.check_states(chain, (0.7, x), most=12)


def test_marked_programs():
    course.check_marked(boxed, chain, draw, most=12)
    with pytest.raises(course.Wrong, match="at most 12 states"):
        course.check_marked(chain, chain, draw, most=12)
    with pytest.raises(course.Wrong, match="value, then gradient"):
        course.check_marked(lambda w, x: boxed(w, x) + w, chain, draw, most=12)


@pytest.mark.each("allowed", some([
    lambda made, l, factor: made <= factor * (3 * l - 1),
    lambda made, l, factor: made / (3 * l - 1) <= factor,
    lambda made, l, factor: made / (3 * l - 1) < factor,
], 3, turn=1))  # fmt: skip
def test_a_budget_that_is_met_exactly_may_be_rounded_to_either_side(allowed):
    """4,267 steps with room for 3,946 take 13,120 / 12,800 = 1.025 times the usual time."""

    def room(l, factor):
        return next(s for s in range(1, l) if allowed(own(fewest)(l, s) + 2 * l, l, factor))

    met = [(l, (fewest(l, s) + 2 * l) / (3 * l - 1)) for l in range(40, 60) for s in range(2, 9)]
    course.check_room(room, [(4267, 1.025), *met], trials=0)
