"""Paths that are counted, slopes beside a boundary, loops in one path, decisions that no one sees.

Protects the sentences of these checkers: each kind of mistake has its own, and none has the answer.
"""

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu import course
from autodiff_edu.course.lectures.lecture_22 import disagreement
from autodiff_edu.course.lectures.more.lecture_22_boundary import random_boundary
from tests.helpers.depth import draws, some

# ---- how many paths


def thresholds(x, n):
    return sum((x * k for k in range(n) if x > k), start=0 * x)


def signs(x, n):
    return sum(t if t > 0 else 2 * t for t in x)


PROGRAMS = {
    "thresholds": (thresholds, lambda rng, n: rng.uniform(-1, n)),
    "signs": (signs, lambda rng, n: rng.normal(size=n)),
}


def counts(**said):
    right = {"thresholds": lambda n: n + 1, "signs": lambda n: 2**n}

    def how_many(n):
        return {name: f(n) for name, f in (right | said).items()}

    return how_many


def test_paths_are_counted(capsys):
    course.check_path_counts(counts(), PROGRAMS, largest=3, calls=300)
    assert capsys.readouterr().out == "how_many: right for 2 programs, n = 1 to 3\n"


@pytest.mark.each(
    "said, why",
    [
        (
            {"thresholds": lambda n: 2**n},
            r"300 random calls took 3 paths, fewer than you say\n  got       4\n.*thres.*n = 2",
        ),
        (
            {"signs": lambda n: n + 1},
            r"300 random calls took 4 paths, more than you say\n  got       \d\n.*signs, n = 2",
        ),
        ({"signs": lambda n: 2.0**n}, r"a whole number is needed\n  got       2.0"),
        ({"other": lambda n: 1}, r"a dictionary with the keys thresholds, signs\n  got"),
    ],
)
def test_wrong_numbers_of_paths(said, why):
    with pytest.raises(course.Wrong, match=why) as objection:
        course.check_path_counts(counts(**said), PROGRAMS, largest=3, calls=300)
    assert "expected  " not in str(objection.value)


# ---- beside a boundary


def beside(f, b):
    run = ad.value_and_grad(f)
    (low, left), (high, right) = (run(np.nextafter(b, side)) for side in (-np.inf, np.inf))
    return high - low, left, right


def test_what_is_true_of_a_random_boundary():
    for seed in range(draws(40)):
        case = random_boundary(np.random.default_rng(seed))
        assert np.allclose(beside(case.f, case.b), case[2:5], rtol=1e-12, atol=1e-12)


def test_both_sides_are_compared(capsys):
    course.check_boundary(beside, trials=5)
    assert capsys.readouterr().out == "beside: right for 5 programs\n"


@pytest.mark.each(
    "wrong, why",
    some(
        [
            (lambda f, b: beside(f, b)[1:], "three numbers are needed"),
            (lambda f, b: (1e3, *beside(f, b)[1:]), "the jump differs"),
            (lambda f, b: (*beside(f, b)[:1], 1e3, 0), "the slope on the left differs"),
            (
                lambda f, b: (*beside(f, b)[:2], None),
                r"right differs\n  expected.*\n  got       None",
            ),
        ],
        4,
        turn=1,
    ),
)
def test_wrong_sides(wrong, why):
    with pytest.raises(course.Wrong, match=why) as objection:
        course.check_boundary(wrong, trials=5)
    assert "at b" in str(objection.value)


# ---- one path for a loop


def doubled(x):
    while x < 100:
        x = 2 * x
    return x


def draw(rng):
    return rng.uniform(1, 50)


def in_graph(limit, last=-1):
    def looped(x):
        steps = ad.scan(lambda s: (2 * s, ad.until(2 * s >= limit)), outputs_info=x, n_steps=9)
        return steps if last is None else steps[last]

    return looped


def written_out(x):
    for _ in range(9):
        x = ad.where(x < 100, 2 * x, x)
    return x


def test_one_path(capsys):
    course.check_one_path(in_graph(100), doubled, draw)
    out = capsys.readouterr().out
    assert out == "looped: one path, with the values and slopes of doubled\n"


@pytest.mark.each(
    "wrong, why",
    [
        (in_graph(30), r"the value is not that of doubled: is the number of steps the same\?"),
        (in_graph(100, None), "Cost must be a scalar"),
        (lambda x: doubled(x), r"took \d paths: Python decides in it"),
        (lambda x: doubled(x) + x - ad.zero_grad(x), r"the slope is not that of doubled"),
        (written_out, "there is no scan in its graph"),
        (lambda x: None, "returned None"),
    ],
)
def test_what_is_not_one_path(wrong, why):
    with pytest.raises(course.Wrong, match=why):
        course.check_one_path(wrong, doubled, draw)


# ---- decisions that the trace does not see


def inverse(x):
    try:
        return 1 / x
    except ZeroDivisionError:
        return x


def half(x):
    return x / 2 if x > 0 else x


def told(x):
    return x if isinstance(x, float) else 2 * x


SUSPECTS = {"inverse": inverse, "half": half, "told": told}


def test_what_disagrees():
    def nothing():
        pass

    found = {
        f: [x for x in (0.0, 1.0, -2.0) if disagreement(f, x, nothing)] for f in SUSPECTS.values()
    }
    assert found == {inverse: [0.0], half: [], told: [1.0, -2.0]}
    assert not disagreement(lambda x: float(x) / 0, 1.0, nothing)  # errors on both sides


def test_liars(capsys):
    course.check_liars(lambda: {"inverse": 0.0, "half": None, "told": 3}, SUSPECTS)
    assert "right, 2 of 3 can be made to disagree" in capsys.readouterr().out


@pytest.mark.each(
    "said, why",
    [
        ({"inverse": 1.0}, r"inverse: Python and the trace agree there\n  at        x = 1.0"),
        ({"inverse": None}, "inverse: None is said, but there is such a number"),
        ({"half": 0}, "half: Python and the trace agree there"),
        ({"told": "a float"}, r"told: a number or None is needed\n  got       'a float'"),
        ({"more": 1.0}, "a dictionary with the keys inverse, half, told"),
    ],
)
def test_wrong_liars(said, why):
    right = {"inverse": 0.0, "half": None, "told": 3}
    with pytest.raises(course.Wrong, match=why):
        course.check_liars(lambda: right | said, SUSPECTS)


def test_what_happens_meanwhile_is_seen():
    rate = [1.0]

    def rated(x):
        return rate[0] * x

    def change():
        rate[0] += 1

    course.check_liars(lambda: {"rated": None}, {"rated": rated}, meanwhile=change)


# ---- all of them


CHECKS = [
    lambda f: course.check_path_counts(f, PROGRAMS),
    lambda f: course.check_boundary(f),
    lambda f: course.check_one_path(f, doubled, draw),
    lambda f: course.check_liars(f, SUSPECTS),
]


@pytest.mark.each("check", CHECKS)
def test_what_is_not_written_is_told_so(check):
    def task(*_):
        raise NotImplementedError

    with pytest.raises(course.Unsolved, match="task is not written yet"):
        check(task)


@pytest.mark.each("check", CHECKS)
def test_what_never_ends_is_stopped(check):

    def endless(*args):
        x = args[0] if args else 1.0
        while True:
            x = abs(x) if isinstance(x, (int, float, ad.Expr)) else 0

    with pytest.raises(course.Wrong, match="no result after"), course.limited(steps=50_000):
        check(endless)
