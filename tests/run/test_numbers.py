"""Programs of single numbers: what stands in one line is computed as in lines of its own."""

from itertools import product

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu.ops import OPS
from autodiff_edu.run.source import careful
from tests.helpers.depth import draws, some
from tests.helpers.programs import random_numbers

EXTREMES = [0.0, np.inf, -np.inf, np.nan, 1e308, -1e308, 5e-324, 710.0, -750.0, 1.0, -1.0, 2.5]
FORMS = [op for op in OPS.values() if op.scalar and op.elementwise]


@pytest.mark.each("seed", range(draws(150)))
def test_numbers_are_those_of_the_interpreter(seed):
    inputs, values, output = random_numbers(seed)
    run = ad.function(inputs, [output, *ad.grad(output, inputs)])
    expected = ad.evaluate(list(run.graph.outputs), dict(zip(inputs, values)))
    found = run(*values)
    assert all(isinstance(v, float) for v in found)
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9)  # math against NumPy


def agree(found, expected):
    """Are all numbers equal to the last digits but one, and Python's own?"""
    expected = [np.asarray(v).item() for v in expected]
    assert [type(v) for v in found] == [type(v) for v in expected]
    np.testing.assert_allclose(found, expected, rtol=1e-13)


@pytest.mark.each("op", some(FORMS, 6), ids=lambda op: op.name)
def test_where_python_raises_numpy_answers(op):
    """Each operation of numbers, alone, at values at which Python's function raises an error."""
    inputs = [ad.scalar(name) for name in "xyz"[: op.arity]]
    first, *others = inputs
    y = op(first > 0, *others) if op is OPS["where"] else op(*inputs)
    program = ad.generate([y], inputs).after
    for values in product(EXTREMES[: 12 if op.arity < 3 else 6], repeat=op.arity):
        agree([program(*values)], [ad.evaluate(y, dict(zip(inputs, values)))])


def test_programs_go_on_by_numpy(monkeypatch):
    """No other text is written: the results are those of one operation after the other."""
    again, evaluate_all = set(), careful.evaluate_all
    noting = lambda roots, at: again.add(tuple(roots)) or evaluate_all(roots, at)
    monkeypatch.setattr(careful, "evaluate_all", noting)
    for seed in range(draws(60)):
        inputs, _, output = random_numbers(seed)
        run = ad.generate([output, *ad.grad(output, inputs)], inputs).after
        for start in range(len(EXTREMES)):
            values = [EXTREMES[(start + 5 * k) % len(EXTREMES)] for k in range(len(inputs))]
            expected = ad.evaluate(list(run.graph.outputs), dict(zip(inputs, values)))
            found = np.array(run(*values))
            same = np.isclose(found, expected, rtol=1e-9, equal_nan=True)
            assert same.all(), (values, found, expected)
    assert len(again) > draws(60) * 2 / 3  # programs in which a function fails


def test_a_path_goes_on_by_numpy_and_asks_its_questions():
    """Where `math` raises before a question or after it, in each path that was traced."""

    def paths(exp, log, x):
        y = 1 / x
        if y > 2:
            return log(y - 2) + exp(y)
        return exp(-y) if y > -1e3 else log(-y) * y

    slope = ad.value_and_grad(lambda x: paths(ad.exp, ad.log, x))
    points = [0.3, 5.0, -1e-4, 0.0, -0.0, 0.5, np.inf, -np.inf, 1e-3, -1e-308, -2e-3, 1.0]
    for point in [*points, *points[::-1]]:
        value, _ = slope(point)
        with np.errstate(all="ignore"):
            exact = paths(np.exp, np.log, np.float64(point))
        np.testing.assert_allclose(value, exact, rtol=1e-12)
    assert len(slope.paths) == 3


@pytest.mark.each(
    "of",
    some(
        [lambda x: x**0.5, lambda x: x**x, lambda x: ad.abs(x**0.5), lambda x: (1 / x) ** (1 / x)],
        3,
    ),
)
def test_a_branch_goes_on_by_numpys_numbers(of):
    """Of Python's a power may be complex, and then the modulus would be taken for the value."""
    x, y = ad.scalar("x"), ad.scalar("y")
    z = ad.cond(x > 0, lambda: ad.exp(x), lambda: of(y))
    run = ad.function([x, y], [z, *ad.grad(z, [x, y])])
    for values in product((-1.0, 1000.0), (-2.5, -1000.0, 0.0, 4.0)):
        agree(run(*values), ad.evaluate(list(run.program.graph.outputs), dict(zip([x, y], values))))


@pytest.mark.each("start, step", [(-2.0, lambda s, c: s**0.5), (0.0, lambda s, c: c / s)])
@pytest.mark.each("of", [lambda x: x, lambda x: ad.stack([x, x])])
def test_numbers_that_a_body_is_given_are_numpys(start, step, of):
    """Of Python's the power would be complex and the quotient an error, in a text by NumPy, too."""
    s, c, v = ad.scalar("s"), ad.scalar("c"), ad.vector("v")
    box = ad.OpFromGraph([s, c], [of(step(s, c)) + c])
    y = box(start, ad.sum(v))
    run = ad.function([v], y)
    np.testing.assert_array_equal(run([1.0, 2.0]), ad.evaluate(y, {v: [1.0, 2.0]}))
    assert run([1.0, 2.0]).dtype == "float64"


@pytest.mark.each("of", some([
    lambda x, y: x > y, lambda x, y: ad.where(x > y, x, y) == x, lambda x, y: (x * 2, x != y),
    lambda x, y: (x > y) & (y > 0), lambda x, y: x - y,
], 2))  # fmt: skip
@pytest.mark.each("within", some([
    lambda of, x, y: ad.OpFromGraph([x, y], of(x, y))(x, y),
    lambda of, x, y: ad.checkpoint(of)(x, y),
    lambda of, x, y: ad.cond(x > 0, lambda: of(x, y), lambda: of(y, x)),
    lambda of, x, y: ad.scan(lambda s: (s / 2, of(s, y)), outputs_info=[x, None], n_steps=2)
    if isinstance(of(x, y), ad.Expr) else of(x, y),
], 2))  # fmt: skip
def test_what_bodies_of_numbers_give_has_its_dtype(of, within):
    x, y, v = ad.scalar("x"), ad.scalar("y"), ad.vector("v", shape=3)
    found = within(of, x, y)
    outputs = list(found) if isinstance(found, list | tuple) else [found]
    for more in ([ad.abs(y)], [ad.sum(v) * v]):
        run = ad.function([x, y, v], [*outputs, *more], on_unused_input="ignore")
        for numbers in product((2.0, -1.0, np.nan), (1.0, 0.0)):
            values = [*numbers, np.ones(3)]
            expected = ad.evaluate([*outputs, *more], dict(zip([x, y, v], values)))
            for a, b in zip(run(*values), expected, strict=True):
                assert np.asarray(a).dtype == np.asarray(b).dtype
                np.testing.assert_array_equal(a, b)


@pytest.mark.each("name", ["sign", "abs", "floor", "ceil", "trunc", "negative", "square", "sinc"])
def test_zeros_keep_or_lose_their_sign_as_in_numpy(name):
    x = ad.scalar("x")
    f = ad.function(x, getattr(ad, name)(x))
    for value in (0.0, -0.0):
        assert np.signbit(f(value)) == np.signbit(getattr(np, name)(value))


def test_a_line_holds_an_operation_and_its_operands():
    x, y = ad.scalar("x"), ad.scalar("y")
    f = ad.function([x, y], ad.sin(x * y + 1) / (x - (y - 2)) + (x - y - 3) * x)
    assert f.stages[-1].after.source.splitlines()[7:-3] == [
        "        v1 = x - (y - 2.0)",
        "        v2 = sin(x * y + 1.0) / v1",  # four operations are the most
        "        v3 = v2 + (x - y - 3.0) * x",
    ]
    assert f(0.7, 0.4) == pytest.approx(np.sin(1.28) / 2.3 - 2.7 * 0.7)


def test_what_has_a_name_or_two_users_has_a_line():
    x = ad.scalar("x")
    square = x * x
    square.name = "square"
    f = ad.function(x, ad.exp(square) + ad.maximum(x + 1, 2.0))
    assert [line.strip() for line in f.stages[-1].after.source.splitlines()[7:-3]] == [
        "square = x * x",
        "v1 = x + 1.0",  # which the comparison reads twice
        "v2 = exp(square) + (v1 if v1 >= 2.0 or v1 != v1 else 2.0)",
    ]


@pytest.mark.each("kind", [int, np.float64, np.float32, np.int64, bool, np.asarray])
def test_whatever_is_a_number_is_taken(kind):
    x = ad.scalar("x")
    run = ad.function(x, [x * x + 1, ad.sqrt(x)])
    found = run(kind(1))
    assert found == [2.0, 1.0] and all(type(v) is float for v in found)
    with pytest.raises((TypeError, ValueError), match="x"):
        run(1j)


EDGES = [*EXTREMES, -0.0, 1e155, -1e155, 1e-310, -5e-324, 0.5, -0.5, 2.0, float(2**53 + 2), 1e22]
SLOPES = [op for op in FORMS if op.arity < 3 and not op.nondifferentiable]


with np.errstate(invalid="ignore"):  # older versions of NumPy take no root there
    BY_POWER = np.isinf(np.power([-np.inf, 1.0], 0.5)[0])


@pytest.mark.numeric
@pytest.mark.skipif(BY_POWER, reason="np.power(x, 0.5) is inf at -inf, and x**0.5 is nan")
@pytest.mark.each(
    "op, order",
    [(op, n) for k, op in some(enumerate(SLOPES), 3) for n in some([1, 2], 2, turn=k)],
    ids=lambda case: getattr(case, "name", case),
)
def test_slopes_of_numbers_are_those_of_arrays(op, order):
    xs, vs = [ad.scalar(n) for n in "xy"[: op.arity]], [ad.vector(n) for n in "xy"[: op.arity]]
    y, z = op(*xs), op(*vs)
    for _ in range(order):
        y = ad.grad(y, xs[0], disconnected_inputs="ignore")
        z = ad.grad(ad.sum(z), vs[0], disconnected_inputs="ignore")
    each = [v.ravel() for v in np.meshgrid(*[EDGES] * op.arity)]
    found = ad.function(xs, y, on_unused_input="ignore")
    wanted = ad.function(vs, z, on_unused_input="ignore")(*each)
    for values, slope in zip(zip(*each), wanted, strict=True):
        if values != (-np.inf, 2.5):  # NumPy's (-inf)**0.5 is nan, and [inf] with an array [0.5]
            one = found(*map(float, values))
            least = 1e-300  # two terms of the size 1/r cancel in the second slope of a length
            if op.name == "hypot" and order == 2 and 0 < np.hypot(*values) < np.inf:
                least = max(least, 2e-14 / np.hypot(*values))
            np.testing.assert_allclose(one, slope, 1e-12, least, err_msg=str(values))


@pytest.mark.each("x", [-np.inf, -1.0, -0.0, 0.0, 5e-324, np.inf, np.nan])
def test_a_power_of_one_half_is_a_root(x):
    s, v = ad.scalar("s"), ad.vector("v")
    single, several = ad.function(s, s**0.5)(x), ad.function(v, v**0.5)([x, x])[0]
    np.testing.assert_equal([single, np.signbit(single)], [several, np.signbit(several)])
    space = {}
    exec(ad.function(s, s**0.5).source, space)
    np.testing.assert_equal(space["program"](x), several)
