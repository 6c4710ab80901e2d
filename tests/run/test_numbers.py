"""Programs of single numbers: what stands in one line is computed as in lines of its own."""

import numpy as np
import pytest

import autodiff_edu as ad
from tests.programs import random_numbers


@pytest.mark.parametrize("seed", range(150))
def test_numbers_are_those_of_the_interpreter(seed):
    inputs, values, output = random_numbers(seed)
    run = ad.function(inputs, [output, *ad.grad(output, inputs)])
    expected = ad.evaluate(list(run.graph.outputs), dict(zip(inputs, values)))
    found = run(*values)
    assert all(isinstance(v, float) for v in found)
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9)  # math against NumPy


@pytest.mark.parametrize(
    "name", ["sign", "abs", "floor", "ceil", "trunc", "negative", "square", "sinc"]
)
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


@pytest.mark.parametrize("kind", [int, np.float64, np.float32, np.int64, bool, np.asarray])
def test_whatever_is_a_number_is_taken(kind):
    x = ad.scalar("x")
    run = ad.function(x, [x * x + 1, ad.sqrt(x)])
    found = run(kind(1))
    assert found == [2.0, 1.0] and all(type(v) is float for v in found)
    with pytest.raises((TypeError, ValueError), match="x"):
        run(1j)
