"""Expressions of mixed dtypes keep their values in every mode, as NumPy computes them.

    python -m pytest tests/rewrite/test_mixed_dtypes.py --hypothesis-profile=nightly

A rule that collects terms of several dtypes computes in the one in which they were to be computed:
a truth value that is added to floats counts as a float, a uint8 does not wrap where it did not.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import autodiff_edu as ad
from autodiff_edu.check.rule.equivalence import Compared
from autodiff_edu.check.rule.instances import Use
from tests.helpers.depth import some

MODES = ("ieee", "safe", "real")
every_mode = pytest.mark.each("mode", MODES)
DTYPES = ("bool", "uint8", "int32", "int64", "float32", "float64")

# ---- random expressions, as text that NumPy and we can run

LEAVES = ("a", "b", "c", "d")
NUMBERS = ("2", "3", "-1", "0", "1", "200", "2.5", "0.5", "-1.5", "1.0")
FORMS = """
{x} + {y}; {x} + {y} + {y}; {x} * {y}; {x} * {y} + {x} * {z}; {n} * {x}; {x} - {y}; {x} - {y} - {y}
{x} * {y} * {x}; {x} * {y} - {y} * {x}; {x} * {n}; {x} + {n}; {n} - {x}; {x} / {y}; {x} / {n}
{n} * {x} + {n} * {x}; np.power({x}, 2); {x} ** 3; np.square({x}); ({x} + {y}) * {z}; -{x}
np.square({x} - {y}); {x} - {n} + {y}; {x} * {y} / {y}; {n} * {x} - {n} * {x}; {n} / {x}
np.abs({x}); np.maximum({x}, {y}); np.minimum({x}, 0); np.where({p}, {x}, {y}); np.sum({x} * {y})
np.where({p}, {x}, 0); np.sqrt({x}); np.exp({x}) * np.exp({y}); np.log(np.exp({x})); np.mean({x})
{x}.astype({t}); {x} / {y} / {z}; np.where({p}, {x}, 0) - np.where({p}, 0, {y}); -np.sum(-{x})
np.sum({n} * {x}); np.sin({x}) ** 2 + np.cos({x}) ** 2; np.sqrt({x}) * np.sqrt({x}); np.sum({x})
np.max({n} * {x}); np.reciprocal({x}); np.sign({x}) * {x}; {p} * {x} + {p} * {y}; {x} / {x}
"""
FORMS = [form.strip() for form in FORMS.replace("\n", ";").split(";") if form.strip()]
CONDITIONS = ("({x} > {y})", "({x} != 0)", "({x} <= {n})")


@st.composite
def texts(draw, deep=3):
    """An expression; its parts are leaves or expressions."""

    def part():
        if not deep or draw(st.integers(0, 2)):
            return draw(st.sampled_from(LEAVES))
        return f"({draw(texts(deep - 1))})"

    names = {"x": part(), "y": part(), "z": part(), "t": repr(draw(st.sampled_from(DTYPES[2:])))}
    form = draw(st.sampled_from(FORMS)).replace("{p}", draw(st.sampled_from(CONDITIONS)))
    while "{n}" in form:
        form = form.replace("{n}", draw(st.sampled_from(NUMBERS)), 1)
    return form.format(**names)


@st.composite
def cases(draw):
    """An expression in the first leaves, with their dtypes and shapes."""
    text = draw(texts())
    shapes = ((), (), (), (3,)) if draw(st.booleans()) else ((),)
    return text, [(draw(st.sampled_from(DTYPES)), draw(st.sampled_from(shapes))) for _ in LEAVES]


def built(text, types):
    """The expression in our nodes, or None where NumPy has no such operation (or no such dtype)."""
    inputs = [ad.tensor(name, *t) for name, t in zip(LEAVES, types, strict=True)]
    zeros = [np.ones(shape, dtype) for dtype, shape in types]
    with np.errstate(all="ignore"):
        try:
            wanted = eval(text, {"np": np}, dict(zip(LEAVES, zeros, strict=True)))
        except (TypeError, ValueError, OverflowError):
            return None
    try:
        e = eval(text, {"np": np}, dict(zip(LEAVES, inputs, strict=True)))
    except (TypeError, ValueError, OverflowError):
        return None
    if not isinstance(e, ad.Expr):
        return None
    assert e.dtype == np.asarray(wanted).dtype, f"{text}: {e.dtype}, NumPy {wanted.dtype}"
    return e


def draws(inputs):
    """Ordinary numbers with all their digits, of which sums and products can be held, and some that
    a smaller dtype cannot hold."""
    rng = np.random.default_rng(0)
    return {i: drawn(rng, i.dtype, (POINTS, *i.type.shape)) for i in inputs}


def drawn(rng, dtype, shape):
    if dtype.kind == "f":
        return rng.uniform(0.5, 3.0, shape).astype(dtype) * rng.choice([-1, 1], shape).astype(dtype)
    small = rng.integers(-4 if dtype.kind == "i" else 0, 5, shape)
    large = rng.integers(0, 2 if dtype.kind == "b" else 255, shape)
    return np.where(rng.random(shape) < 0.7, small, large).astype(dtype)


class Kept(Compared):
    """Where the sign of a zero changed, an inf above it may change its sign."""

    @property
    def same(self):
        return super().same | (np.isinf(self.L) & np.isinf(self.R))


def assert_kept(e, mode):
    """Simplified, it has the dtype that it had and the values that its mode promises."""
    stage = ad.simplify(e, mode=mode)
    assert stage.output.type is e.type
    needs = tuple(c for step in stage.steps for c in step.needs)
    stable = any(step.rule in STABLE for step in stage.steps)
    inputs = [n for n in ad.Graph(e).nodes if isinstance(n, ad.expr.Input)]
    found = Kept(Use(e, stage.output, needs, e, stable, True), draws=draws(inputs)).first(mode)
    assert found is None, f"{found}\n{stage.steps}"


POINTS = 24
STABLE = frozenset(rule.name for rule in ad.RULES.select(phase="stabilise"))


@settings(max_examples=2 * settings().max_examples)
@given(cases())
def test_random_expressions_of_mixed_dtypes_keep_their_values(case):
    e = built(*case)
    if e is not None:
        for mode in MODES:
            assert_kept(e, mode)


@settings(max_examples=settings().max_examples)
@given(cases())
def test_gradients_of_mixed_dtypes_keep_their_values(case):
    e = built(*case)
    if e is None or not e.type.is_float:
        return
    inputs = [n for n in ad.Graph(e).inputs if n.type.is_float]
    for slope in ad.grad(ad.sum(e), inputs, disconnected_inputs="ignore") if inputs else ():
        for mode in MODES:
            assert_kept(slope, mode)


# ---- the smallest case of each

Y = {"y": "float64", "b": "bool", "u": "uint8", "s": "float32", "t": "float32"}
CASES = [
    (lambda y, b: y + b + b, {"y": 1.0, "b": True}, 3.0),
    (lambda b: 2 * b + 3 * b, {"b": True}, 5),
    (lambda u: 2.5 * u + 1.5 * u, {"u": 200}, 800.0),
    (lambda y, u: y + u + u, {"y": 0.0, "u": 200}, 400.0),
    (lambda y, s, t: y + s + t, {"y": 0.0, "s": 3e38, "t": 3e38}, 2 * float(np.float32(3e38))),
    (lambda y, s: y + s + s, {"y": 0.0, "s": 3e38}, 2 * float(np.float32(3e38))),
    (lambda y, s: s * y + (y + s + s + s), {"y": 0.0, "s": 0.1}, 3 * float(np.float32(0.1))),
    (lambda b: 2 * b - 3 * b, {"b": True}, -1),
    (lambda y, u: y - u - u, {"y": 0.0, "u": 200}, -400.0),
    (lambda y, u: y * u * u, {"y": 1.0, "u": 200}, 40000.0),
    (lambda y, u: y * u + u * y, {"y": 1.0, "u": 200}, 400.0),
    (lambda y, u: y * u / u, {"y": 1.5, "u": 200}, 1.5),
    (
        lambda y, s: y * np.exp(s) * np.exp(s),
        {"y": 1.0, "s": 60.0},
        float(np.exp(np.float32(60))) ** 2,
    ),
]


@every_mode
@pytest.mark.each(("formula", "at", "wanted"), some(CASES, 3))
def test_what_is_collected_is_computed_in_the_dtype_of_the_sum(formula, at, wanted, mode):
    inputs = [ad.scalar(name, Y[name]) for name in at]
    e = formula(*inputs)
    found = ad.function(inputs, e, simplify=mode)(*at.values())
    assert np.asarray(found).dtype == e.dtype and found == pytest.approx(wanted, rel=1e-14)


@every_mode
def test_a_truth_value_taken_away_twice_counts_twice_in_a_gradient(mode):
    x = np.array([1.0, -2.0, 3.0])
    v, m = ad.vector("v", shape=3), ad.vector("m", "bool", shape=3)
    slope = ad.grad(ad.sum((v - m - m) ** 2), v)
    np.testing.assert_array_equal(ad.function([v, m], slope, simplify=mode)(x, x > 0), [-2, -4, 2])


def test_a_truth_value_taken_away_twice_counts_twice_in_a_traced_function():
    x = np.array([1.0, -2.0, 3.0])
    found = ad.grad(lambda x, m: np.sum((x - m - m) ** 2))(x, x > 0)
    np.testing.assert_array_equal(found, [-2, -4, 2])


def test_mixed_dtypes_are_collected():
    y, b = ad.scalar("y"), ad.scalar("b", "bool")
    assert str(ad.simplify(y + b + b).output) == "y + (2 * b)"
    assert str(ad.simplify(y * b + b * y).output) == "2 * (y * b)"
