"""While a student's function is checked, the engine is closed, depth and time have limits."""

import gc
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu.course import (
    FACTORS,
    Wrong,
    check_function,
    check_gradient,
    exact,
    values_on,
    watched,
)

v = ad.vector("v")
PREPARED = ad.function([v], ad.grad(ad.prod(v), v))
SOFTPLUS = exact(lambda x: (1 + x.exp()).ln())


def derives(x):
    return ad.Graph(ad.grad(ad.prod(v), v)).evaluate({v: x})


def runs_what_was_derived_before(x):
    return PREPARED(x)


def swallows_the_refusal(x):
    try:
        return PREPARED(x)
    except BaseException:
        return np.array([12.0])


def hides_behind_an_alias(x, secret=ad.reverse_mode):
    return secret(v, [v])


CHEATS = [derives, runs_what_was_derived_before, swallows_the_refusal, hides_behind_an_alias]


@pytest.mark.each("cheat", CHEATS)
def test_the_engine_is_closed(cheat):
    with pytest.raises(Wrong, match="the engine was called"):
        check_gradient(cheat, ad.prod, lambda rng: (rng.normal(size=3),))


def test_what_is_loaded_at_its_first_use_is_called_as_one_writes_it(monkeypatch):
    monkeypatch.delitem(vars(ad), "simplify", raising=False)
    monkeypatch.delitem(ad._LATER, "simplify", raising=False)

    def cheat(x):
        return ad.simplify(v).output

    says = r"the engine was called \(autodiff_edu.simplify\)"
    with pytest.raises(Wrong, match=says), watched():
        cheat(1.0)


def test_scalar_programs_are_closed_too():
    x = ad.scalar("x")
    program = ad.function([x], ad.grad(x * x, x))
    with pytest.raises(Wrong, match="the engine was called"), watched():
        program(3.0)
    assert program(3.0) == 6


def test_the_checkers_are_closed_as_they_know_what_is_right():
    def asks(x):
        return SOFTPLUS(x)

    with pytest.raises(Wrong, match="a part of the check was called .rounded.: write it yourself"):
        check_function(asks, SOFTPLUS, lambda rng: (rng.normal(size=3),))


def test_what_the_checkers_offer_is_open():
    def value(x):
        tape = [("x", "input", ()), ("y", "sin", ("x",))]
        return values_on(tape, {"x": x})["y"] + FACTORS["sin"](x)[0]

    check_function(value, lambda x: np.sin(x) + np.cos(x), lambda rng: (float(rng.normal()),))


def test_the_engine_may_be_opened():
    with watched(by_hand=False):
        assert PREPARED(np.array([2.0, 3.0])).tolist() == [3, 2]


def captures(data):
    return lambda w: (data @ w).sum()


def test_things_of_the_engine_may_be_collected_meanwhile():
    """Whatever dies while a student's function runs: Python calls its finaliser, nobody else."""
    big = ad.matrix("big", shape=(300, 300))
    program = ad.function([big], ad.sum(ad.sin(big) * ad.cos(big) + big))
    slope = ad.grad(captures(np.ones((300, 300))))
    stage = ad.simplify(ad.sin(big) * 1)
    program(np.ones((300, 300)))
    slope(np.ones(300))
    things = [ad.shared(1.0), program, slope, ad.RandomStream(3), stage]
    del program, slope, stage

    def forgets(x):
        things.clear()
        gc.collect()
        return x

    with watched():
        assert forgets(2.0) == 2.0


def test_numpy_is_free():
    with watched(depth=20):
        assert np.linalg.norm(np.cumprod([1.0, 2.0]) @ np.eye(2)) > 0


def countdown(n):
    return n and countdown(n - 1)


def test_libraries_are_known_by_both_names_of_their_folder(tmp_path):
    """Through a link, Python has two names for each file of its environment; a worker gets one."""
    (tmp_path / "link").symlink_to(sys.prefix, target_is_directory=True)
    program = """
import os
import sys
from autodiff_edu.course.harness.guard import is_installed
import numpy
print([is_installed(place(numpy.__file__)) for place in (str, os.path.realpath)])
"""
    paths = (Path(sys.executable).relative_to(sys.prefix), Path(ad.__file__).parents[1])
    command = [tmp_path / "link" / paths[0], "-c", program]
    told = subprocess.run(command, cwd=paths[1], capture_output=True, text=True, check=True)
    assert told.stdout == "[True, True]\n", told.stderr


def test_recursion_has_a_limit():
    with watched(depth=200):
        countdown(100)
    with pytest.raises(Wrong, match="recursion deeper than 200"), watched(depth=200):
        countdown(300)


def test_time_has_a_limit():
    names = [f"n{k}" for k in range(4000)]
    with pytest.raises(Wrong, match="no result after 0.2 seconds"), watched(seconds=0.2):
        while names:
            names.remove(next(n for n in names if all(n != m for m in names[1:])))
            names += ["again"] * 2


def test_nothing_stays_behind():
    seen = []
    sys.settrace(lambda *event: seen.append(event))
    try:
        before = sys.gettrace()
        with pytest.raises(Wrong), watched():
            derives(np.ones(2))
        assert sys.gettrace() is before
    finally:
        sys.settrace(None)
    assert derives(np.array([2.0, 3.0])).tolist() == [3, 2]


def test_a_students_own_error_passes():
    with pytest.raises(ZeroDivisionError), watched():
        1 / 0  # noqa: B018
