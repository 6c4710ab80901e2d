"""Schedules for the way back through a chain, played on a machine with a shelf; memory, measured.

The machine has one state in its hand and a shelf for others. State i is what step i begins with.

    ("run", i)   make step i: state i, in hand, becomes state i + 1
    ("keep", i)  put a copy of state i, which is in hand, on the shelf
    ("take", i)  take a copy of state i from the shelf in hand
    ("drop", i)  remove state i from the shelf
    ("back", i)  make step i back: state i is in hand, and step i + 1 has been made back

At the beginning state 0 is in hand, and the shelf is empty; at the end every step has been made
back.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from math import comb
from typing import Any, NamedTuple, NoReturn

import numpy as np

from ..harness.check import Draw, call, cases, where
from ..harness.checker import checker
from ..harness.counterexample import fewer, smallest, smallest_failure, without_errors
from ..harness.feedback import Wrong, complain, differences, expect, spell
from .more.lecture_17_pictures import draw_recursion, draw_rooms, draw_schedule, shelf_at_most

ROUNDING = 1e-9  # as a part: so near to its limit, a time may be on either side
FEW = 12  # steps of a schedule that is drawn
WORDS = ("run", "keep", "take", "drop", "back")
Program = Callable[..., Any]


# ---- schedules


class Played(NamedTuple):
    """How often a step was made, and how many states were on the shelf at most."""

    runs: int
    most: int


def play(actions: Iterable[Any], steps: int) -> Played:
    """What a schedule for so many steps costs.

    Parameters
    ----------
    actions : iterable
        The schedule.
    steps : int
        How many steps the program has.

    Returns
    -------
    Played
        What it costs.

    Raises
    ------
    Wrong
        If it is not so, with where and what is right.
    """
    hand, left, runs, most = 0, steps, 0, 0
    shelf: set[int] = set()
    for place, action in enumerate(actions):
        word, i = understood(place, action)
        refused = refusal(word, i, hand, shelf, left)
        if refused:
            raise Wrong(f"action {place}, {(word, i)}: {refused}")
        if word in ("run", "take"):
            hand = i + 1 if word == "run" else i
        shelf = shelf | {i} if word == "keep" else shelf - {i} if word == "drop" else shelf
        runs, left = runs + (word == "run"), left - (word == "back")
        most = max(most, len(shelf))
    if left:
        raise Wrong(f"the schedule ends, and {left} of {steps} steps have not been made back")
    return Played(runs, most)


def understood(place: int, action: Any) -> tuple[str, int]:
    """The word and the number of an action."""
    pair = tuple(action) if isinstance(action, (tuple, list)) else ()
    if len(pair) != 2 or pair[0] not in WORDS or not isinstance(pair[1], (int, np.integer)):
        known = ", ".join(WORDS)
        raise Wrong(f"action {place} is one of {known} with a number, not {spell(action)}")
    return pair[0], int(pair[1])


def refusal(word: str, i: int, hand: int, shelf: set[int], left: int) -> str:
    """Why the machine cannot do this now, or nothing."""
    if word in ("take", "drop"):
        return "" if i in shelf else f"on the shelf there are {sorted(shelf)}"
    if i != hand:
        return f"the state in hand is {hand}"
    if word == "back" and i != left - 1:
        return f"the next step to be made back is {left - 1}"
    return f"there is no step {i}" if word == "run" and i >= left else ""


@checker
def check_schedule(
    student: Callable[..., Iterable[Any]],
    examples: Iterable[Sequence[int]],
    *,
    shelf: Callable[..., float] = lambda steps, room: room,
    runs: Callable[..., float] = lambda steps, room: fewest(steps, room),
) -> None:
    """student(steps, ...) is a schedule with few states on the shelf and few steps made.

    student(steps, ...) is a schedule with at most shelf(steps, ...) states on the shelf, in
    which at most runs(steps, ...) steps are made: by default the best for the room there
    is.

    Parameters
    ----------
    examples : iterable
        Arguments that are tried first.
    shelf : callable, optional
        How many states there is room for.
    runs : callable, optional
        How many steps may be made.
    """
    examples, limits = list(examples), lambda args: (shelf(*args), runs(*args))
    judge = partial(problem, student, limits)
    count = 0
    for args in examples:
        if judge(args) is not None:
            fails = without_errors(lambda args: problem(student, limits, args) is not None)
            object_to(student, limits, smallest(tuple(args), fewer, fails))
        count += 1
    small = [tuple(args) for args in examples if args[0] <= FEW]
    if small:
        title = f"{student.__name__}: your schedule for {max(small)[0]} steps"
        draw_schedule(title, call(student, max(small)), max(small)[0])
    print(f"{student.__name__}: {count} played, each within its limits")


Limits = Callable[[Sequence[int]], tuple[float, float]]  # states on the shelf, steps made


def problem(student: Callable[..., Any], limits: Limits, args: Sequence[int]) -> Wrong | None:
    """The first fault of the schedule for these arguments, or None."""
    at, actions = where(student, args), call(student, args)
    shelf, runs = limits(args)
    try:
        played = play(actions, args[0])
        at_most(played.most, shelf, "states on the shelf", at)
        at_most(played.runs, runs, "steps made", at)
    except Wrong as wrong:
        says = str(wrong)
        return (
            wrong if at in says else wrong.rephrase(f"{student.__name__}: {says}\n  at        {at}")
        )
    return None


def object_to(student: Callable[..., Any], limits: Limits, args: Sequence[int]) -> NoReturn:
    """Raise Wrong, with the schedule drawn: steps that are made too often, states on the shelf."""
    actions, wrong = call(student, args), problem(student, limits, args)
    says = str(wrong).replace("\n  needed    ", ": ").replace("\n  got       ", ", yours ")
    if "states on the shelf" in says:
        steps = shelf_at_most(actions)
    elif "steps made" in says:
        steps = {i for word, i in actions if word == "run"}
    else:
        steps = {int(i) for i in re.findall(r"action \d+, \('\w+', (\d+)\)", says)}
    draw_schedule(says.partition("\n")[0], actions, args[0], steps)
    raise wrong or Wrong(f"{student.__name__}: another schedule each time")


def at_most(found: float, limit: float, what: str, at: str) -> None:
    if found > limit:
        wanted = f"at most {limit:.6g}"
        complain(f"too many {what}", wanted, found, at)


# ---- how many steps there must be


def fewest(steps: int, room: int) -> int:
    """t = r·l − β(s + 1, r − 1) with β(s, r − 1) < l ≤ β(s, r), where β(s, r) = C(s + r, s): the
    steps that must be made with room for s states on the shelf, to go back through l steps.
    (Griewank and Walther, Algorithm 799, ACM TOMS 26, 2000.)"""
    r = 0
    while comb(room + r, room) < steps:
        r += 1
    return r * steps - comb(room + r, room + 1) if r else 0


@checker
def check_fewest(
    student: Callable[[int, int], int],
    examples: Iterable[Sequence[int]] = (),
    *,
    trials: int = 30,
    seed: int | None = None,
) -> None:
    """student(steps, room) is the least number of steps that must be made.

    Parameters
    ----------
    examples : iterable, default: ()
        Arguments that are tried first.
    """
    draw: Draw = lambda rng: rng.integers(1, (80, 12)).tolist()
    each: list[tuple[Any, bool]] = [*cases(draw, examples, trials, seed)]
    name, own = student.__name__, lambda *args: call(student, args, seconds=5)
    fails = lambda args: any(differences(fewest(*args), own(*args), 0, 0))
    for args, fresh in each:
        got, right = own(*args), fewest(*args)
        if any(differences(right, got, 0, 0)):
            args, fresh = smallest_failure(each, fewer, fails)
            draw_recursion(f"{name}: the smallest t(l, s) that is wrong", args, own, fewest)
            expect(fewest(*args), own(*args), where(student, args), rtol=0, atol=0)
        expect(right, got, where(student, args), rtol=0, atol=0, tell=fresh)
    draw_recursion(f"{name}: your t(10, 3), and its two parts", (10, 3), own, fewest)
    print(f"{name}: right for {len(each)} pairs")


@checker
def check_room(
    student: Callable[[int, float], int],
    examples: Iterable[Sequence[float]] = (),
    *,
    trials: int = 30,
    seed: int | None = None,
) -> None:
    """student(steps, factor) is the least room for which the gradient is quick enough.

    student(steps, factor) is the least room for which the gradient takes at most so many
    times the usual time, a step back as long as two steps.

    Parameters
    ----------
    examples : iterable, default: ()
        Arguments that are tried first.
    """

    def draw(rng: np.random.Generator) -> Sequence[float]:
        return int(rng.integers(2, 5000)), round(rng.uniform(1.01, 3), 3)

    each = [*cases(draw, examples, trials, seed)]
    fails = lambda args: room_problem(student, args) is not None
    for args, fresh in each:
        wrong = room_problem(student, args)
        if wrong is not None:
            args, fresh = smallest_failure(each, fewer, fails)
            draw_answer(student, args, fresh)
            raise room_problem(student, args) or wrong
    if not each[0][1]:  # an example, which is the same each time
        draw_answer(student, each[0][0], True)
    print(f"{student.__name__}: the least room, within the time allowed, for {len(each)} budgets")


def room_problem(student: Callable[..., Any], args: Sequence[float]) -> Wrong | None:
    """The fault of the room for so many steps and a factor, or None."""
    (steps, factor), got = args, call(student, args, seconds=5)
    name, at = student.__name__, where(student, args)
    try:
        if not counts(got):
            complain(name, "a whole number, 1 or more", spell(got), at)
        took, shorter = (time(int(steps), room) for room in (got, got - 1))
        if took > factor * (1 + ROUNDING):
            at_most(round(took, 4), factor, f"times the usual time with room for {got}", at)
        if shorter < factor * (1 - ROUNDING):
            enough = f"the least room within {factor} times the usual time"
            complain(f"{name}: less room is enough", enough, got, at)
    except Wrong as wrong:
        return wrong
    return None


def draw_answer(student: Callable[..., Any], args: Sequence[float], tell: bool) -> None:
    """Chart the student's room and its time, beside the least one if that may be told."""
    (steps, factor), got = args, call(student, args, seconds=5)
    if not counts(got):
        return
    least = least_room(int(steps), factor) if tell else None
    rooms = {int(got), *([least - 1, least] if least else ())} - {0}
    title = f"{student.__name__}: {steps} steps within {factor:.5g} times the usual time"
    draw_rooms(title, {room: time(int(steps), room) for room in rooms}, int(got), least)


def least_room(steps: int, factor: float) -> int:
    """The least room for which the gradient takes at most so many times the usual time."""
    low, high = 0, steps
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if time(steps, middle) <= factor else (middle, high)
    return high


def counts(value: Any) -> bool:
    return isinstance(value, (int, np.integer)) and bool(value > 0)


def time(steps: int, room: int) -> float:
    """How many times the usual time the gradient takes with so much room."""
    if not room:
        return float("inf")
    return (fewest(steps, room) + 2 * steps) / (steps - 1 + 2 * steps)
