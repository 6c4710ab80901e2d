"""Checkers of functions accept what is right and reject what is wrong, and say where."""

import re

import numpy as np
import pytest

from autodiff_edu import course
from autodiff_edu.course import (
    Unsolved,
    Wrong,
    check_found,
    check_function,
    check_gradient,
    check_pullback,
)
from autodiff_edu.course.harness.check import call

CHANGES = [
    lambda a: a.pop(), lambda a: a.append(a[0]), lambda a: a[0].clear(), lambda a: a[1].sort(),
    lambda a: a[2].update(z=1), lambda a: a[2].pop("a"), lambda a: a[2]["a"].append("q"),
    lambda a: a[3].fill(0), lambda a: a[2]["c"].__setitem__(0, np.nan),
]  # fmt: skip


@pytest.mark.each("change", CHANGES)
def test_a_function_that_changes_any_part_of_its_argument_is_wrong(change):
    """Lists and dicts are handed over as copies, and compared afterwards, as arrays are."""
    rows = [["x"], [3, 1, 2], {"a": ["b"], "c": np.array([1.0, np.nan])}, np.ones(2)]

    def student(a):
        change(a)

    def content(a):
        a[1][:] = list(a[1])

    with pytest.raises(Wrong, match="student changed its arguments"):
        call(student, (rows,))
    assert rows[:2] == [["x"], [3, 1, 2]] and [*rows[2]] == ["a", "c"] and rows[3].all()
    assert call(content, (rows,)) is None


def matrices(rng):
    return rng.normal(size=(2, 3)), rng.normal(size=(3, 4))


def vectors(rng):
    return (rng.normal(size=rng.integers(1, 6)),)


def product(A, B):
    return A @ B


def pullback(ct, A, B):
    return ct @ B.T, A.T @ ct


def norm(x):
    return (x * x).sum()


MUTANTS = [
    lambda ct, A, B: (ct @ B.T, A.T @ np.ones_like(ct)),  # right for a cotangent of ones
    lambda ct, A, B: (ct @ B.T, ct.T @ A),
    lambda ct, A, B: (ct @ B.T, -A.T @ ct),
    lambda ct, A, B: ct @ B.T,
]


def test_pullback_is_accepted(capsys):
    check_pullback(pullback, product, matrices)
    assert capsys.readouterr().out == "pullback: right at 30 inputs\n"


@pytest.mark.each("mutant", MUTANTS)
def test_pullback_is_rejected(mutant):
    with pytest.raises(Wrong, match="expected"):
        check_pullback(mutant, product, matrices)


@pytest.mark.each(
    "mutant", [lambda x: x, lambda x: 2 * x[:1], lambda x: 2 * np.abs(x), lambda x: norm(x)]
)
def test_gradient(mutant):
    check_gradient(lambda x: 2 * x, norm, vectors)
    with pytest.raises(Wrong):
        check_gradient(mutant, norm, vectors)


def test_of_examples_and_random_inputs_a_random_one_is_told():
    """It is cut to one number, and has the right result beside it."""

    def gradient(x):
        return np.sign(x)

    with pytest.raises(Wrong) as wrong:
        check_gradient(gradient, norm, vectors, examples=[[np.array([1.0, 0.0])]])
    expected, got, at = re.findall(r"\[(-?\d+\.\d*)\]", str(wrong.value))
    assert float(expected) == 2 * float(at) and abs(float(got)) == 1


def test_an_example_that_is_the_only_one_to_fail_is_told_without_the_right_result():
    def gradient(x):
        return np.where(x == 0, 1, 2 * x)

    with pytest.raises(Wrong) as wrong:
        check_gradient(gradient, norm, vectors, examples=[[np.array([1.0, 0.0])]])
    assert str(wrong.value).endswith("at        gradient(x=[1.0, 0.0])")
    assert "expected" not in str(wrong.value)


def test_inputs_are_fresh_each_time(capsys, monkeypatch):
    monkeypatch.delenv("AUTODIFF_EDU_SEED")

    def shown(x):
        print(x)
        return x

    for seed in (None, None, 1, 1):
        check_function(shown, lambda x: x, lambda rng: (rng.normal(),), seed=seed)
    seen = [line for line in capsys.readouterr().out.splitlines() if "right" not in line]
    assert len(seen) == 120 and len(set(seen)) == 90 and seen[60:90] == seen[90:]


def test_arguments_must_stay():
    def doubled(x):
        x *= 2
        return x

    with pytest.raises(Wrong, match="changed its arguments"):
        check_gradient(doubled, norm, vectors)


def test_an_unwritten_function_is_named():
    def gradient(x):
        raise NotImplementedError

    with pytest.raises(Unsolved, match="gradient is not written yet"):
        check_gradient(gradient, norm, vectors)


def test_an_error_is_told_with_its_line_and_the_input():
    def gradient(x):
        return helper(x)

    def helper(x):
        return x[99]

    with pytest.raises(Wrong, match="^gradient raised IndexError: index 99 is out of") as wrong:
        check_gradient(gradient, norm, vectors)
    lines = [line.split(None, 1) for line in str(wrong.value).splitlines()[1:]]
    assert lines[:2] == [["in", "gradient: return helper(x)"], ["in", "helper: return x[99]"]]
    assert lines[2][0] == "at" and lines[2][1].startswith("gradient(x=[")


def test_found():
    check_found(lambda: 3, lambda n: n > 2, "a number above 2")
    with pytest.raises(Wrong, match="needed    a number above 2\n  got       1"):
        check_found(lambda: 1, lambda n: n > 2, "a number above 2")


def test_a_check_that_was_renamed_says_its_name():
    with pytest.raises(AttributeError, match="check_sly is called course.check_deceptive now"):
        course.check_sly  # noqa: B018
    for name in course.RENAMED.values():
        assert callable(getattr(course, name))
