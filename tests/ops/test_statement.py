"""What an operation's record states of itself, and that it is true of what is computed."""

import itertools
import re

import numpy as np
import pytest
from scipy import special

import autodiff_edu as ad
from autodiff_edu.ops import OPS
from autodiff_edu.ops.statement import HOLDS_WHEN, THOSE, entries, numpy_name, operands
from autodiff_edu.rewrite.facts.prover import HOLDS, WAYS
from tests.helpers.depth import some

PLACES = -1.0, 0.0, 0.5, 1.0, 2.0
STEP = 1e-7
ELEMENTWISE = [
    name
    for name, op in OPS.items()
    if op.elementwise and not op.nondifferentiable and "lam" not in operands(op)
]
SMOOTH_OR_KINKED = [name for name in ELEMENTWISE if not OPS[name].__module__.count("chance")]


def slopes(op, point):
    """The slope of each operand, as the engine has it."""
    xs = [ad.scalar(f"x{k}") for k in range(op.arity)]
    found = ad.grad(op(*xs), xs, disconnected_inputs="ignore")
    return ad.evaluate(found, dict(zip(xs, point, strict=True)))


def one_sided(op, point, k):
    """The slopes from the left and from the right along operand k, by differences."""
    left, right = ([x + step * (j == k) for j, x in enumerate(point)] for step in (-STEP, STEP))
    with np.errstate(all="ignore"):
        below, here, above = (float(op.body(*map(np.float64, p))) for p in (left, point, right))
    return (here - below) / STEP, (above - here) / STEP


def is_kink(op, point):
    """Is there a corner, and no jump, at this point?"""
    pairs = np.array([one_sided(op, point, k) for k in range(op.arity)])
    if not np.isfinite(pairs).all() or (abs(pairs) > 100).any():
        return False
    return bool((abs(pairs[:, 0] - pairs[:, 1]) > 0.01).any())


def holds(where, op, point):
    """Is "x = y = 0" true of a point?"""
    at = dict(zip(operands(op), point, strict=True))
    return len({at[e] if e in at else float(e) for e in where.split(" = ")}) == 1


def stated_slopes(said, op):
    if "for" not in said:
        return [float(said)]
    by_name = {name: float(slope) for slope, name in re.findall(r"(\S+) for (\w+)", said)}
    return [by_name[name] for name in operands(op)]


@pytest.mark.each("name", some(SMOOTH_OR_KINKED, 3))
def test_every_kink_is_stated_with_the_slope_that_it_has(name):
    op = OPS[name]
    stated = op.stated.get("kinks", {})
    met = set()
    for point in itertools.product(PLACES, repeat=op.arity):
        here = [where for where in stated if holds(where, op, point)]
        if is_kink(op, point) and not jumps_nearby(op, point):
            assert here, f"{name} has a kink at {point}"
        ordered = name != "clip" or point[1] < point[2]
        for where in here if ordered else ():
            met.add(where)
            assert np.allclose(slopes(op, point), stated_slopes(stated[where], op)), (where, point)
    assert met == set(stated)


def jumps_nearby(op, point):
    """Does the value jump at this point along some operand, or are there several pieces there?"""
    return op.name == "clip" and point[1] >= point[2]  # crossed bounds: high wins


@pytest.mark.each(
    ("op", "at", "slope"),
    [
        (ad.max, [2.0, 1.0, 2.0], [0.5, 0, 0.5]),
        (ad.min, [2.0, 1.0, 1.0, 1.0], [0, 1 / 3, 1 / 3, 1 / 3]),
        (OPS["norm2"], [0.0, 0.0], [0, 0]),
    ],
)
def test_kinks_of_reductions(op, at, slope):
    x = ad.vector("x")
    assert op.stated["kinks"]
    assert np.allclose(ad.evaluate(ad.grad(op(x), x), {x: at}), slope)


def test_every_word_for_a_fact_has_a_meaning_in_words():
    assert HOLDS_WHEN.keys() == WAYS.keys()
    tables = [t for op in OPS.values() for t in (op.facts, op.exact_facts)]
    assert {t for t in tables if isinstance(t, str)} <= THOSE.keys()
    assert {fact for t in tables if not isinstance(t, str) for fact in t} <= HOLDS.keys()


def test_the_function_of_numpy_is_that_of_the_same_name():
    found = {name: numpy_name(op) for name, op in OPS.items()}
    assert found["exp"] == "numpy.exp" and found["det"] == "numpy.linalg.det"
    assert found["gammaln"] == "scipy.special.gammaln"
    assert found["bernoulli"] == ""  # scipy.special.bernoulli gives Bernoulli numbers
    x = np.array([0.25, 0.5])
    for name, path in found.items():
        op = OPS[name]
        if path and op.arity == 1 and op.elementwise and not op.parameters:
            module = {"numpy": np, "scipy": special}[path.partition(".")[0]]
            with np.errstate(all="ignore"):  # arccosh is nan there
                assert np.allclose(op.body(x), getattr(module, name)(x), equal_nan=True)


@pytest.mark.each("name", some(OPS, 3))
def test_every_operation_states_something(name):
    found = entries(OPS[name])
    assert {"derivative", "batching"} <= {entry.what for entry in found}
    assert len({entry.what for entry in found}) == len(found)
    for entry in found:
        assert "{" not in entry.words and "None" not in entry.words
