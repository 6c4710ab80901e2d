"""Rewriting takes as many steps as it needs, and says so only where it would never end.

A loop is a graph seen before, or a chain of rewrites that gets nowhere; a long way is none.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import autodiff_edu as ad
from autodiff_edu.expr import Constant
from tests.helpers.depth import some

LENGTHS = (102, 400)


# ---- long ways


@pytest.mark.parametrize("n", some(LENGTHS, 3))
def test_the_first_entry_of_many_appends_is_found(n):
    xs = [ad.vector(f"x{k}", shape=1) for k in range(n)]
    y = xs[0]
    for x in xs[1:]:
        y = np.concatenate([y, x])
    assert ad.same(ad.simplify(y[0]).outputs, [xs[0][0]])


@pytest.mark.parametrize("n", some(LENGTHS, 3))
def test_an_entry_of_nested_joins_is_found(n):
    xs = [ad.vector(f"x{k}", shape=1) for k in range(n)]
    y = xs[0]
    for k, x in enumerate(xs[1:], 1):
        y = np.concatenate([x, np.concatenate([y, y])[:k]])
    assert ad.same(ad.simplify(y[n - 1]).outputs, [xs[0][0]])


@st.composite
def grouped(draw, matrices):
    """Their product, with brackets at random."""
    if len(matrices) == 1:
        return matrices[0]
    k = draw(st.sampled_from((1, len(matrices) // 2, len(matrices) - 1)))
    return draw(grouped(matrices[:k])) @ draw(grouped(matrices[k:]))


MATRICES = [ad.matrix(f"m{k}", shape=(2, 2)) for k in range(102)]
V = ad.vector("v", shape=2)


@settings(max_examples=settings().max_examples // 5)
@given(st.data())
def test_a_product_of_many_matrices_and_a_vector_ends_from_the_right(data):
    k = data.draw(st.integers(0, 101))
    y = data.draw(grouped(MATRICES[k:])) @ V
    y = (data.draw(grouped(MATRICES[:k])) @ y) if k else y
    stage = ad.simplify(y)
    assert all(n.inputs[1].ndim == 1 for n in stage.after.operations)
    rng = np.random.default_rng(0)
    at = {m: rng.normal(size=m.type.shape) for m in stage.before.inputs}
    found, wanted = ad.evaluate(stage, at), ad.evaluate(stage.before, at)
    size = np.prod([np.linalg.norm(v, 2) for v in at.values()])
    assert np.all(np.abs(found - wanted) <= 1e-12 * size)


# ---- ways without end

x, y = ad.wild("x y")
c = ad.wild("c", constant=True)
z = ad.scalar("z")
LATE = {"phase": "stabilise"}
ENDLESS = {
    "back and forth": (
        [ad.Rule("there", np.sin(x), np.cos(x)), ad.Rule("back", np.cos(x), np.sin(x))], np.sin(z)),
    "three in a round": (
        [ad.Rule("a", np.sin(x), np.cos(x)), ad.Rule("b", np.cos(x), np.tan(x)),
         ad.Rule("c", np.tan(x), np.sin(x))], np.tan(z)),
    "counting": (
        [ad.Rule("count", x + c, lambda x, c: x + Constant(c.value + 1))], z + 1),
    "growing": ([ad.Rule("grow", np.exp(x), 2 * np.exp(x - 0.7), **LATE)], np.exp(z)),
    "growing in two": (
        [ad.Rule("grow", np.exp(x), np.exp(0.3 * x) * np.exp(0.7 * x), **LATE)], np.exp(z)),
    "itself within itself": ([ad.Rule("grow", np.sin(x), np.sin(np.sin(x)), **LATE)], np.sin(z)),
    "growing by one": (
        [ad.Rule("grow", x * c, lambda x, c: (x * Constant(c.value / 2)) * 2.0, **LATE)], z * 3),
}  # fmt: skip


@pytest.mark.each(("rules", "e"), ENDLESS.values(), ids=ENDLESS)
def test_rules_that_never_end_are_named(rules, e):
    with pytest.raises(ad.RewriteLoopError, match=f"last by: .*{rules[0].name}"):
        ad.simplify(e, rules=rules)


# ---- numbers at the end of what can be held

t = ad.scalar("t")
EXTREME = [
    lambda: 1 / (1e-200 * t) ** 2, lambda: (t**1e200) ** 1e200, lambda: t**1e200 * t**1e308,
    lambda: (1e-300 * t) ** -5 * t, lambda: ((t * 1e-300) / 1e300) / 1e-300,
    lambda: np.exp(t) ** 1e308, lambda: (t * 1e200) ** 5 * (t * 1e200), lambda: (t**np.inf) ** 2,
]  # fmt: skip


@pytest.mark.each("mode", ("ieee", "safe", "real"))
@pytest.mark.each("formula", EXTREME)
def test_extreme_numbers_stop_no_simplification(formula, mode):
    e = formula()
    found = ad.simplify(e, mode=mode)
    for v in (1.0, 2.0, 1e100, 1e308):
        wanted = ad.evaluate(e, {t: v})
        if mode != "real" and np.isfinite(wanted):
            np.testing.assert_allclose(ad.evaluate(found, {t: v}), wanted, rtol=1e-12)


@pytest.mark.each("mode", ("ieee", "safe", "real"))
def test_what_cannot_be_computed_raises_when_it_is_run(mode):
    e = ad.max(ad.constant(np.zeros(0))) + t
    program = ad.function([t], e, simplify=mode)
    with pytest.raises(ValueError, match="zero-size array"):
        program(1.0)


def test_a_rule_whose_arithmetic_fails_does_not_apply():
    rule = ad.Rule("divide", x * c, lambda x, c: x * Constant(1 // int(c.value)), decreases="order")
    assert ad.simplify(t * 0.0, rules=[rule]).steps == ()


# ---- quotients that have a name

u, v, w, z = (ad.scalar(name) for name in "uvwz")
NAMED = [
    (ad.sin(w), ad.cos(w)), (ad.exp(u), ad.exp(u) + v), (z, abs(z)), (ad.sinh(v), ad.cosh(v)),
    (ad.exp(v), ad.exp(u) + ad.exp(v)),
]  # fmt: skip
A, B = ad.vector("A", shape=3), ad.vector("B", shape=3)
FAR = [A - ad.mean(A), A - u, A - B, A + B, u - v]
NAMED += [(far, ad.norm(far)) for far in FAR[:3]] + [(A + B, ad.sum(A + B)), (z - u, abs(z - u))]
NAMED += [(A, ad.sum(A)), (A**2, ad.sum(A * A))]
OTHERS = [u, v, ad.log(ad.cos(w)), ad.sigmoid(u), ad.sigmoid(-u), ad.sqrt(z), z * z, ad.tanh(v)]
OTHERS += [*FAR, A, ad.exp(B)]


def any_quotients(rng):
    """A sum of products, in some of which a quotient has a name, and some of their factors."""

    def drawn(those, n):
        return [those[k] for k in rng.choice(len(those), n, replace=False)]

    few = [*NAMED[rng.integers(len(NAMED))], *drawn(OTHERS, 3)]

    def term():
        total = 1.0
        for f in drawn(few, rng.integers(1, 5)):
            f = f**2 if rng.random() < 0.2 else f
            total = total * f if rng.random() < 0.5 else total / f
        return total

    total = sum((term() for _ in range(rng.integers(2, 5))), 0)
    return [total * few[rng.integers(5)], *drawn(few, rng.integers(4))]


@pytest.mark.each("mode", some(["safe", "real"], 2))
@pytest.mark.each("outputs", [
    [ad.sin(w) / ad.cos(w) / ad.log(ad.cos(w)) + ad.sin(w) * u],
    [ad.sin(w) / ad.cos(w) / z + ad.sin(w) * u, ad.sin(w), ad.cos(w)],
    [0.2 * (v / z**2 * (FAR[0] / ad.norm(FAR[0])))],
    [(1 / abs(z) * z**2 / (u - v) - 2 * (u - v)) * z],
    [1 / ad.cosh(v) / ad.sinh(v) / z * ad.exp(B) + ad.exp(B) / (u - v) / ad.sinh(v), ad.cosh(v)],
    [FAR[1] * FAR[2] * (FAR[1] / ad.norm(FAR[1])) + 0.2 * FAR[1] ** 2 * u * v],
    [(squares := ad.sum(A * A)) * A**2 * (u - v) + A**2 / squares / (u - v) / ad.sum(A), u - v],
    *map(any_quotients, map(np.random.default_rng, some(range(200), 12))),
])  # fmt: skip
def test_no_rule_takes_apart_what_another_keeps_together(outputs, mode):
    stage = ad.simplify(outputs, mode)
    assert not ad.simplify(stage, mode).steps


def test_what_stands_elsewhere_in_a_graph_changes_nothing():
    t = 1 - ad.tanh(u)
    outputs = [-2 * t, t, ad.sin(t)]
    found = str(ad.simplify(outputs).outputs[0])
    for beside in (v / w, ad.cosh(v) ** -2.0, ad.exp(v) / (1 + ad.exp(v)) ** 2):
        assert str(ad.simplify([*outputs, beside]).outputs[0]) == found
