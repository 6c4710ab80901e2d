"""check="nan": a program stops at the first nan or inf that its inputs did not have."""

import pickle
from itertools import product

import numpy as np
import pytest

import autodiff_edu as ad
from tests.helpers.depth import draws
from tests.helpers.programs import random_program


def test_it_names_the_line_the_operation_and_the_operands():
    x = ad.vector("x", shape=3)
    inner = 2 * x
    inner.name = "twice"
    f = ad.function(x, ad.sum(ad.log(inner) * x), check="nan", simplify=None)
    assert f([1, 2, 3]) == ad.function(x, ad.sum(ad.log(inner) * x))([1, 2, 3])
    with pytest.raises(FloatingPointError) as error:
        f([1, 0, 2])
    for part in ("log of twice = 0.0 is -inf at [1]", "v1 = np.log(twice)", "ad.log(inner) * x"):
        assert part in str(error.value)
    (line,) = [k for k, text in enumerate(f.source.splitlines(), 1) if "np.log" in text]
    assert f"line {line}," in str(error.value)


def test_what_the_inputs_had_is_no_finding():
    x = ad.vector("x", shape=2)
    f = ad.function(x, [ad.log(x), x * 2], check="nan")
    assert np.isnan(f([1.0, np.nan])[1]).tolist() == [False, True]
    with pytest.raises(FloatingPointError, match="log of x = 0.0 is -inf at \\[1\\]"):
        f([np.nan, 0.0])  # an inf is new


@pytest.mark.each("kind", ["numbers", "loop", "branch", "box"])
def test_inside_bodies_and_for_numbers(kind):
    x = ad.scalar("x")
    y = {
        "numbers": lambda: ad.exp(x) / x,
        "loop": lambda: ad.scan(lambda h: ad.exp(h * x), outputs_info=x, n_steps=5)[-1],
        "branch": lambda: ad.cond(x > 3, ad.exp(1e300 * x), ad.cos(x)),
        "box": lambda: ad.OpFromGraph([x], [ad.exp(x * 200)])(x),
    }[kind]()
    f = ad.function(x, y, check="nan")
    np.testing.assert_allclose(f(0.1), ad.function(x, y)(0.1), rtol=1e-14)
    assert type(f(0.1)) is type(ad.function(x, y)(0.1))
    with pytest.raises(FloatingPointError, match="is inf.*line .*made at"):
        f(5.0 if kind != "numbers" else 0.0)


@pytest.mark.each("seed", range(draws(30)))
def test_random_programs_give_the_same(seed):
    inputs, values, output = random_program(seed)
    plain = ad.function(inputs, output, on_unused_input="ignore", simplify=None)
    checked = ad.function(inputs, output, on_unused_input="ignore", simplify=None, check="nan")
    expected = plain(*values)
    try:
        found = checked(*values)
    except FloatingPointError:
        return  # an overflow inside may vanish again
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-13)


def test_it_survives_pickling_and_refuses_other_words():
    x = ad.vector("x", shape=2)
    f = pickle.loads(pickle.dumps(ad.portable(ad.function(x, 1 / x, check="nan"))))
    with pytest.raises(FloatingPointError, match="divide of 1.0 and x = 0.0 is inf"):
        f([1, 0])
    for word, target in product(("inf", True), ("numpy",)):
        with pytest.raises(ValueError, match='check is None or "nan"'):
            ad.function(x, x * 1, check=word, target=target)


def test_nothing_is_looked_at_without_it():
    x = ad.vector("x", shape=2)
    assert "finite" not in ad.function(x, 1 / x).source
    assert np.isinf(ad.function(x, 1 / x)([1, 0])).any()
