"""Traces equal the published tables row by row: Baydin et al. 2018, Tables 2 and 3."""

from math import cos

import numpy as np
import pytest

from autodiff_edu.differentiate import forward_mode, reverse_mode
from autodiff_edu.expr import Graph, MissingInputError, evaluate_all
from autodiff_edu.ops import exp, log, scalar, sin, vector
from autodiff_edu.show.views.trace import marked, trace

pytestmark = pytest.mark.numeric

FORWARD = [
    ("v₋₁", "x1", 2),
    ("v₀", "x2", 5),
    ("v₁", "log(v₋₁)", 0.6931471805599453),
    ("v₂", "v₋₁ * v₀", 10),
    ("v₃", "sin(v₀)", -0.9589242746631385),
    ("v₄", "v₁ + v₂", 10.693147180559945),
    ("v₅", "v₄ - v₃", 11.652071455223084),
]
TANGENTS = [("v̇₋₁", 1), ("v̇₀", 0), ("v̇₁", 0.5), ("v̇₂", 5), ("v̇₃", 0), ("v̇₄", 5.5), ("v̇₅", 5.5)]
ADJOINTS = [
    ("v̄₅", "1", 1),
    ("v̄₄", "v̄₅", 1),
    ("v̄₃", "-v̄₅", -1),
    ("v̄₁", "v̄₄", 1),
    ("v̄₂", "v̄₄", 1),
    ("v̄₀", "v̄₃ * cos(v₀)", -cos(5)),
    ("v̄₋₁", "v̄₂ * v₀", 5),
    ("v̄₀", "v̄₀ + (v₋₁ * v̄₂)", 1.7163378145367738),
    ("v̄₋₁", "v̄₋₁ + (v̄₁ / v₋₁)", 5.5),
]


@pytest.fixture
def example():
    x1, x2 = scalar("x1"), scalar("x2")
    return log(x1) + x1 * x2 - sin(x2), (x1, x2), {x1: 2, x2: 5}


def check(rows, table):
    assert [row.name for row in rows] == [line[0] for line in table]
    assert [float(row.value) for row in rows] == pytest.approx([line[-1] for line in table])
    if len(table[0]) == 3:
        assert [row.text for row in rows] == [line[1] for line in table]


def test_values(example):
    y, _, at = example
    check(Graph(y).trace(at).rows, FORWARD)
    check(trace(y, at=at).values, FORWARD)


def test_forward_table(example):
    y, wrt, at = example
    found = forward_mode(y, wrt, [1.0, 0.0]).trace(at=at)
    check(found.values, FORWARD)
    check(found.tangents, TANGENTS)
    assert found.tangents[3].text == "(v̇₋₁ * v₀) + (v₋₁ * v̇₀)"


def test_reverse_table(example):
    y, wrt, at = example
    found = reverse_mode(y, wrt).trace(at=at)
    check(found.values, FORWARD)
    check(found.adjoints, ADJOINTS)
    assert found.adjoints[5].rule == "pullback of sin"
    assert found.adjoints[5].latex == r"\bar{v}_{3} \cdot \cos(v_{0})"
    assert len(found) == 16 == len(list(found))


def test_accumulation_at_shared_nodes_is_seen():
    a = scalar("a")
    b = a + a
    rows = reverse_mode(b + b, a).trace({a: 1.0}).adjoints
    told = [f"{r.name} = {r.text} = {r.value:g}" for r in rows]
    assert told == [
        "v̄₂ = 1 = 1",
        "v̄₁ = v̄₂ = 1",
        "v̄₁ = v̄₁ + v̄₂ = 2",
        "v̄₀ = v̄₁ = 2",
        "v̄₀ = v̄₀ + v̄₁ = 4",
    ]


@pytest.mark.each("way", [forward_mode, reverse_mode])
def test_every_formula_gives_its_value(way):
    x = vector("x", shape=3)
    y = (exp(x * x) / (1 + x)).sum() * x.sum()
    at = {x: np.array([0.3, -0.2, 1.7])}
    known = {}
    for row in way(y, x).trace(at):
        names = [n for n in Graph(row.formula).inputs if n is not x]
        at_names = {n: known[n.name] for n in names}
        value = evaluate_all([row.formula], {**at_names, **at})[row.formula]
        np.testing.assert_allclose(value, row.value, rtol=1e-14)
        known[row.name] = row.value


def test_a_missing_value_is_named(example):
    y, (x1, _), _ = example
    with pytest.raises(MissingInputError, match="'x2'"):
        trace(y, at={x1: 2})


def test_bars_and_dots():
    assert marked("v₁", "\u0304") == "v̄₁"
    assert marked("loss", "\u0307") == "l\u0307oss"
    assert marked("ab_1", "\u0304") == "a\u0304b\u0304_1"
