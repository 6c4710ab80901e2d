"""For each mode the traps hold: values are kept where the mode says so, through simplify and
through function, on numbers and on arrays; declared facts let the same rules fire, and the result
tells that it rests on them.
"""

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu import cos, exp, log, sin, sqrt, square
from tests.helpers.depth import some
from tests.helpers.programs import random_numbers, random_program

pytestmark = pytest.mark.numeric

INF, NAN = np.inf, np.nan
MODES = ("ieee", "safe", "real")
EYE = np.eye(3)


class Trap:
    """A formula in x and y, values at which a careless rule would change it, and the first mode
    in which it may become `short` (None: in no mode; or it is left open what it becomes)."""

    def __init__(self, formula, at, first=None, short=None):
        self.formula, self.at, self.first, self.short = formula, at, first, short

    def kept(self, mode):
        return self.first is None or MODES.index(mode) < MODES.index(self.first)

    def __repr__(self):
        return str(self.formula(ad.scalar("x"), ad.scalar("y")))


TRAPS = [
    Trap(lambda x, y: 0 * x, [INF, -INF, NAN], "real", lambda x, y: 0),
    Trap(lambda x, y: x / x, [0.0, INF, NAN], "real", lambda x, y: 1),
    Trap(lambda x, y: x - x, [INF, NAN], "real", lambda x, y: 0),
    Trap(lambda x, y: 3 * x - x, [INF, -INF, NAN], "real", lambda x, y: 2 * x),
    Trap(lambda x, y: square(sqrt(x)), [-1.0, -INF], "real", lambda x, y: x),
    Trap(lambda x, y: exp(log(x)), [-1.0, -INF], "real", lambda x, y: x),
    Trap(lambda x, y: log(exp(x)), [1000.0, 1e308, -1000.0], "safe", lambda x, y: x),
    Trap(lambda x, y: sqrt(square(x)), [1e308, -1e308], "safe", lambda x, y: abs(x)),
    Trap(lambda x, y: square(sin(x)) + square(cos(x)), [INF, NAN], "real", lambda x, y: 1),
    Trap(lambda x, y: (x * y) / x, [0.0, INF], "real", lambda x, y: y),
    Trap(lambda x, y: 0 / x, [0.0, NAN], "real"),
    Trap(lambda x, y: (x / y) * y, [0.0, INF, NAN], "real", lambda x, y: x),
    Trap(lambda x, y: (x / y) / 1e-308, [1.0, 2e-308], "real"),
    Trap(lambda x, y: (1 / y) * x, [1e-308, 3.0, 0.0]),
    Trap(lambda x, y: ad.maximum(x, y), [NAN, INF, 0.0]),
    Trap(lambda x, y: ad.minimum(x, x + 0), [NAN, -INF], "ieee", lambda x, y: x),
    Trap(lambda x, y: x**0, [NAN, INF, 0.0], "ieee", lambda x, y: 1),
    Trap(lambda x, y: 1**x, [NAN, INF], "ieee", lambda x, y: 1),
    Trap(lambda x, y: x * 1 + 0, [NAN, INF, 0.0], "ieee", lambda x, y: x),
    Trap(lambda x, y: (x - y) + y, [INF, 1e308], "real", lambda x, y: x),
]  # fmt: skip
every_trap = pytest.mark.each("trap", TRAPS, ids=str)
every_mode = pytest.mark.each("mode", MODES)


def places(trap):
    """All pairs of the trap's values and ordinary ones."""
    values = [*trap.at, 1.0, -2.5]
    return [(v, w) for v in values for w in values]


def as_promised(mode, before, after):
    """In ieee mode all stays; in safe mode what is finite stays, up to rounding."""
    if mode == "ieee":
        np.testing.assert_array_equal(after, before)
    told = np.isfinite(before)
    np.testing.assert_allclose(after[told], before[told], rtol=1e-12)


@every_mode
@every_trap
def test_values_are_kept_where_the_mode_says_so(trap, mode):
    points = np.array(places(trap)).T
    for shape in ((), (len(points[0]),)):
        x, y = ad.tensor("x", shape=shape), ad.tensor("y", shape=shape)
        given = trap.formula(x, y)
        stage = ad.simplify(given, mode=mode)
        plain, compiled = (
            ad.function([x, y], given, simplify=how, on_unused_input="ignore")
            for how in (None, mode)
        )
        if trap.kept(mode):
            at = points.T if not shape else [points]
            for v, w in at:
                before = np.asarray(ad.evaluate(given, {x: v, y: w}))
                as_promised(mode, before, np.asarray(ad.evaluate(stage, {x: v, y: w})))
                # math and NumPy may differ in the last digit, so a program judges a program
                as_promised(mode, np.asarray(plain(v, w)), np.asarray(compiled(v, w)))
        elif trap.short is not None:
            short = ad.Graph([x, y, ad.constant(0.0) + trap.short(x, y)])
            assert operations(stage.after) == operations(short) - 1
            v, w = np.full(shape, 1.5), np.full(shape, 2.5)
            wanted = np.broadcast_to(ad.evaluate(short, {x: v, y: w})[2], shape)
            np.testing.assert_allclose(ad.evaluate(stage, {x: v, y: w}), wanted, rtol=1e-15)


def operations(graph):
    return sum(n.op.name != "broadcast_to" for n in graph.operations)


@every_mode
def test_a_product_with_the_identity_keeps_inf_unless_all_is_real(mode):
    A = ad.matrix("A", shape=(3, 3))
    value = np.where(EYE == 1, INF, 1.0)
    for given in (A @ ad.constant(EYE), ad.constant(EYE) @ A):
        stage = ad.simplify(given, mode=mode)
        if mode == "real":
            assert stage.output is A
        else:
            wanted = ad.evaluate(given, {A: value})
            np.testing.assert_array_equal(ad.evaluate(stage, {A: value}), wanted)
            assert np.isnan(wanted).any()


@every_mode
def test_the_sum_of_what_is_scaled_overflows_no_sooner(mode):
    a = ad.vector("a", shape=3)
    value = np.array([1e308, 1e308, 1e308])
    found = ad.evaluate(ad.simplify(ad.sum(0.25 * a), mode=mode), {a: value})
    assert mode == "real" or found == 0.75e308


def test_safe_mode_turns_an_overflow_into_the_true_value():
    x, y = ad.scalar("x"), ad.scalar("y")
    for given, at, true in [
        (log(exp(x)), 1000.0, 1000.0), (sqrt(square(x)), -1e300, 1e300),
        (exp(x) * exp(-y), 1000.0, 1.0), (exp(x) / exp(y), 1000.0, 1.0),
    ]:  # fmt: skip
        assert not ad.evaluate(given, {x: at, y: at}) == true
        assert ad.evaluate(ad.simplify(given), {x: at, y: at}) == true


# ---- facts that are declared or proved

DECLARED = [
    ("nonzero", lambda x: x / x, "x != 0"), ("positive", lambda x: x / x, "x > 0"),
    ("positive", lambda x: exp(log(x)), "x > 0"), ("positive", lambda x: log(1 / x), "x > 0"),
    ("finite", lambda x: x - x, "isfinite(x)"), ("finite", lambda x: 0 * x, "isfinite(x)"),
    ("positive", lambda x: square(sqrt(x)), "x > 0"),
]  # fmt: skip


@pytest.mark.each(("fact", "formula", "says"), DECLARED)
def test_a_declared_fact_lets_a_rule_fire_in_safe_mode_and_is_listed(fact, formula, says):
    plain, known = ad.scalar("x"), ad.scalar("x", **{fact: True})
    free = ad.simplify(formula(plain), mode="real")
    stage = ad.simplify(formula(known))
    assert stage.counts and stage.after.counts == free.after.counts
    assert [str(a.condition) for a in stage.assumptions] == [says]
    assert all(a.declared for a in stage.assumptions)
    assert not any(a.declared for a in free.assumptions) and free.assumptions
    assert ad.simplify(formula(plain)).after.counts != stage.after.counts or not stage.counts


def test_what_is_proved_from_the_graph_needs_no_assumption():
    x = ad.scalar("x")
    for given in (exp(x) / exp(x), exp(log(exp(x) + 1)), square(sqrt(square(x)))):
        stage = ad.simplify(given)
        assert stage.counts and stage.assumptions == ()


def test_a_fact_that_is_not_needed_is_not_listed():
    x, y = ad.scalar("x", positive=True), ad.scalar("y", positive=True, finite=True)
    stage = ad.simplify(x / x + y * 1)
    assert [str(a.condition) for a in stage.assumptions] == ["x > 0"]
    assert ad.simplify(log(exp(x)) * 1).assumptions == ()


def test_each_assumption_is_listed_once():
    x = ad.scalar("x", positive=True)
    stage = ad.simplify(x / x + sin(x) * (x / x) + exp(log(x)))
    assert [str(a.condition) for a in stage.assumptions] == ["x > 0"]


def test_facts_reach_through_operations():
    x, y = ad.scalar("x", positive=True), ad.scalar("y", positive=True)
    stage = ad.simplify(exp(log(x * y)))
    assert stage.after.counts == {"multiply": 1}
    assert {str(a.condition) for a in stage.assumptions} == {"x > 0", "y > 0"}


def test_a_whole_exponent_may_be_declared():
    n = ad.scalar("n", integer=True)
    stage = ad.simplify(ad.floor(n))
    if stage.counts:
        assert [str(a.condition) for a in stage.assumptions] == ["floor(n) == n"]


# ---- powers of powers: in mode real too the sign of x is kept


@pytest.mark.each("inner", some((-4, -3, -2, -1, 1, 2, 3, 4, 6), 8))
@pytest.mark.each("outer", some((-1.5, -0.5, -0.25, 0.25, 0.5, 1 / 3, 1.5), 2))
def test_a_power_of_an_even_power_keeps_its_sign(inner, outer):
    y = ad.scalar("y")
    for e in ((y**inner) ** outer, (y**inner) ** outer * y, ((y - 1) ** inner) ** outer):
        stage = ad.simplify(e, mode="real")
        for v in (-1.5, -0.7, 0.3, 2.0):
            wanted = ad.evaluate(e, {y: v})
            if np.isfinite(wanted):
                np.testing.assert_allclose(ad.evaluate(stage, {y: v}), wanted, rtol=1e-13)


def test_a_root_of_an_even_power_is_a_size():
    y, t = ad.scalar("y"), ad.scalar("t")
    for e in ((y**4) ** 0.25, (y**-2) ** -0.5):
        assert ad.same(ad.simplify(e, mode="real").outputs, [abs(y)])
    power = ad.simplify((y**t) ** 0.3, mode="real")
    np.testing.assert_allclose(ad.evaluate(power, {y: -1.5, t: 2.0}), 2.25**0.3)


@pytest.mark.parametrize("make", some([random_program, random_numbers], 2, turn=1))
def test_where_all_is_real_no_more_is_left_than_where_it_is_safe(make):
    longer = []
    for seed in some(range(100), 50):
        inputs, _, y = make(seed)
        y = ad.sum(y)
        gradient = [y, *ad.reverse_mode(y, inputs).outputs]
        safe, real = (len(ad.simplify(gradient, m).graph.operations) for m in ("safe", "real"))
        if real > safe:
            longer.append((seed, safe, real))
    assert longer == []
