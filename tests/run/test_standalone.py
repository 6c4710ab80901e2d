"""`f.source`, pasted into a file, runs with NumPy, and SciPy where a special function is used."""

import subprocess
import sys

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu.run.standalone import literal
from tests.helpers.depth import draws, some
from tests.helpers.examples import EXAMPLES, inputs_for
from tests.helpers.programs import random_numbers, random_program


def pasted(f):
    """What the text of a function defines when nothing but its parameters is there."""
    space = dict(f.parameters)
    exec(f.source, space)
    return space[f.__name__]


def agrees(f, values, **close):
    found, expected = pasted(f)(*values), f(*values)
    for a, b in zip(found, expected, strict=True):
        np.testing.assert_allclose(a, b, **close)


@pytest.mark.each("example", some(EXAMPLES, 18, turn=1), ids=str)
def test_every_operation(example):
    values = example.values(np.random.default_rng(0))
    inputs = inputs_for(values)
    f = ad.function(inputs, example.build(inputs), on_unused_input="ignore")
    assert all(isinstance(v, np.ndarray) for v in f.parameters.values())
    with np.errstate(all="ignore"):
        agrees(f, values, rtol=1e-13)


@pytest.mark.each("seed", range(draws(40)))
def test_random_programs(seed):
    inputs, values, output = random_program(seed)
    slopes = ad.reverse_mode(ad.sum(output), inputs[:2]).outputs
    f = ad.function(inputs, [output, *slopes], on_unused_input="ignore")
    assert not f.parameters
    agrees(f, values, rtol=1e-14)


@pytest.mark.parametrize("seed", range(draws(40)))
def test_random_programs_of_numbers(seed):
    inputs, values, output = random_numbers(seed)
    f = ad.function(inputs, [output, *ad.grad(output, inputs)])
    assert not f.parameters
    agrees(f, values, rtol=1e-14)
    with np.errstate(all="ignore"):
        agrees(f, [0.0, -1e300, 1e308], rtol=1e-9)  # where math raises errors


CONSTANTS = [np.zeros((0, 4)), np.zeros((3, 0, 2)), np.array([0.0, -0.0]), np.array([-0.0, -0.0]),
             np.full(30, -0.0), np.array([np.nan, 1.0]), np.full((2, 2), np.inf), np.arange(3.0),
             np.array([[True]]), np.array([]), np.array([1, 1], "int8"), np.float32([0.1, 0.1]),
             np.array([2**64 - 1], "uint64"), np.array([-(2**63)]), np.float16([1.5])]  # fmt: skip


@pytest.mark.each("value", CONSTANTS, ids=repr)
def test_constants_of_any_kind(value):
    """Shapes of empty arrays, the signs of zeros and dtypes are told, or the array is given."""
    f = ad.function([], [ad.constant(value), ad.constant(value).astype("float64")[..., ::-1]])
    for found, expected in zip(pasted(f)(), f(), strict=True):
        assert found.dtype == expected.dtype and found.shape == expected.shape
        assert found.tobytes() == expected.tobytes()


NUMBERS = [np.nan, np.inf, -np.inf, -0.0, np.float32("inf"), np.float32("nan"), np.float16("-inf"),
           np.int8(-3), np.uint64(2**64 - 1), np.bool(True)]  # fmt: skip


@pytest.mark.each("number", NUMBERS, ids=repr)
def test_numbers_of_any_kind(number):
    x = ad.vector("x", "float32", shape=3)
    many = [ad.where(x > 0, number, x), x == number, ad.minimum(x, number), ad.constant(number)]
    f = ad.function(x, many)
    value = np.float32([1, -1, 0])
    for found, expected in zip(pasted(f)(value), f(value), strict=True):
        assert found.dtype == expected.dtype
        np.testing.assert_array_equal(found, expected)


def test_what_several_numbers_stand_in_is_written_by_its_parts():
    for value in ((np.nan,), [np.inf, -1], (np.dtype("int8"), (np.float64("nan"), ()))):
        again = eval(literal(value), {"np": np})
        assert type(again) is type(value) and repr(again) == repr(value)


def test_numbers_of_the_program_are_of_numpy_too():
    """Where math raises an error, 1/0 is one of Python's own as well."""
    x = ad.scalar("x")
    y = ad.minimum(x, -1.0)
    none = ad.where(x > 1, 0.0, 1.0)
    for out in (
        [ad.arctanh(y), 1 / (1 - y * y)],
        [1 / ad.maximum(x, 0.0), ad.log(x)],
        [ad.log(x), x**0.5],
        [ad.where(x > 0, 0.0, x) ** -1.0, ad.sqrt(x) / none],
        [ad.erfc(x) / ad.erfc(x), ad.softplus(x) / ad.softplus(x), ad.sigmoid(x) / ad.sigmoid(x)],
    ):
        f = ad.function(x, [*out, *[ad.grad(e, x) for e in out]], simplify=None)
        for value in (0.0, -0.5, -1.0, 2.0, 1e300, -1e300, np.inf, -np.inf, np.nan):
            agrees(f, [value], rtol=1e-14)


def test_loops_and_branches():
    x, n = ad.scalar("x"), ad.scalar("n", "int64")
    xs, h = ad.matrix("xs", shape=(5, 3)), ad.vector("h", shape=3)
    hs = ad.scan(lambda x, h: ad.tanh(x + h), sequences=xs, outputs_info=h)
    cost = ad.sum(hs * hs)
    agrees(ad.function([xs, h], [cost, *ad.grad(cost, [xs, h])]), [np.ones((5, 3)), np.ones(3)])
    many = ad.scan(lambda h: h * x + 1.0, outputs_info=x, n_steps=n)
    f = ad.function([x, n], [many[-1], ad.grad(many[-1], x)])
    agrees(f, [0.5, 6])
    one = ad.cond(x > 0, ad.log(x), ad.exp(x)) * x
    g = ad.function(x, [one, ad.grad(one, x)])
    for v in (2.0, -1.0, 0.0, 1e308):
        agrees(g, [v])


@pytest.mark.parametrize("seed", range(draws(60)))
def test_loops_of_numbers_that_math_refuses(seed):
    """Where a step divides by 0, overflows or leaves a domain, the loop starts again by NumPy, from
    its first state, in the program and in the file."""
    draw = np.random.default_rng(seed)
    steps = [
        lambda h, x: ad.exp(h) - x, lambda h, x: h / x + 1, lambda h, x: 1 / (h - x),
        lambda h, x: ad.log(h) * x, lambda h, x: ad.sqrt(h - x), lambda h, x: h * h * h + x,
        lambda h, x: ad.where(x > 0, 1 / x, h), lambda h, x: h**-2.0 + ad.log1p(-x),
    ]  # fmt: skip
    one, two = (steps[k] for k in draw.integers(len(steps), size=2))
    xs, h, c, n = ad.vector("xs", shape=5), ad.scalar("h"), ad.scalar("c"), ad.scalar("n", "int64")
    hs = ad.scan(lambda x, h: one(h, x) + 0.5 * c, sequences=xs, outputs_info=h)
    gs = ad.scan(lambda g: two(g, c), outputs_info=h, n_steps=n)
    outputs = [hs[-1], hs, gs[-1], gs]
    inputs = [xs, h, c, n]
    f = ad.function(inputs, outputs)
    for _ in range(6):
        row = draw.choice([0.0, 1.0, 2.0, -1.0, 40.0, 0.5], size=5)
        start, number = draw.choice([0.0, 1.0, 2.0, 800.0, -0.0]), draw.choice([0.0, 1.0, np.inf])
        values = [row, float(start), float(number), int(draw.integers(1, 6))]
        with np.errstate(all="ignore"):
            wanted = ad.evaluate(outputs, dict(zip(inputs, values, strict=True)))
        for run in (f, pasted(f)):
            for a, b in zip(run(*values), wanted, strict=True):
                np.testing.assert_allclose(a, b, rtol=1e-12)


def test_an_error_that_numpy_has_too_does_not_go_round():
    xs, h = ad.vector("xs"), ad.scalar("h")
    hs = ad.scan(lambda x, h: h / x, sequences=xs, outputs_info=h, n_steps=3)
    f = ad.function([xs, h], hs[-1])
    for run in (f, pasted(f)):
        with pytest.raises(ValueError, match="2"):
            run(np.ones(2), 1.0)


def test_parameters_have_names():
    table = np.random.default_rng(0).normal(size=(30, 3))
    w, x = ad.shared(np.ones(3), "w"), ad.vector("x", shape=3)
    f = ad.function(x, [ad.constant(table) @ (w * x)], updates={w: w + x})
    given = f.parameters
    assert [name for name, v in given.items() if isinstance(v, np.ndarray)]
    assert any(getattr(v, "value", None) is not None for v in given.values())
    assert "array of shape (30, 3), float64" in f.source

    class Double(ad.Op):
        def infer_type(self, x):
            return x

        def perform(self, x):
            return 2 * x

    assert [*ad.function(x, Double()(x)).parameters] == ["Double"]


def test_a_file_runs_where_this_package_is_not(tmp_path):
    x, y = ad.vector("x", shape=70_000), ad.scalar("y")
    cost = ad.sum(ad.softplus(ad.sin(x) * ad.cos(x)) * ad.sigmoid(x)) * y
    f = ad.function([x, y], [cost, *ad.grad(cost, [x, y])])
    path = tmp_path / "pasted.py"
    end = "print(program(np.linspace(-2, 3, 70_000), 2.0)[0])\n"
    path.write_text(f.source + end, "utf-8")
    run = [sys.executable, "-I", str(path)]
    told = subprocess.run(run, check=True, capture_output=True, text=True, cwd=tmp_path).stdout
    assert float(told) == pytest.approx(float(f(np.linspace(-2, 3, 70_000), 2.0)[0]), rel=1e-12)
    assert "autodiff_edu" not in f.source


def test_check_for_nan_stands_by_itself():
    x = ad.vector("x", shape=3)
    run = pasted(ad.function(x, ad.log(x) * 2, check="nan"))
    with np.errstate(all="ignore"), pytest.raises(FloatingPointError):
        run(np.array([1.0, -1.0, 2.0]))
