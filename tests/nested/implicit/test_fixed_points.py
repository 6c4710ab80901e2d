"""Fixed points: found by repeating a step, with derivatives of the equation alone."""

import numpy as np
import pytest

import autodiff_edu as ad
from tests.helpers.depth import some

pytestmark = pytest.mark.numeric
SEEDS = range(4)
a = ad.scalar("a")


@pytest.mark.parametrize(
    "seed, shape",
    [(s, shape) for s in some(SEEDS, 4) for shape in some([(), (3,), (2, 2)], 3, turn=s)],
    ids=str,
)
def test_differences_agree_for_random_contractions(seed, shape):
    rng = np.random.default_rng(seed)
    n = int(np.prod(shape, dtype=int))
    A = rng.normal(size=(n, n))
    A /= 2 * np.linalg.norm(A, 2)

    def step(x, c):
        return ad.tanh(ad.reshape(ad.constant(A) @ ad.reshape(x, (n,)), shape) + c)

    c = np.array(rng.normal(size=shape))
    x = ad.evaluate(ad.fixed_point(lambda x: step(x, ad.constant(c)), np.zeros(shape)))
    np.testing.assert_allclose(ad.evaluate(step(ad.constant(x), ad.constant(c))), x, atol=1e-11)
    ad.verify_grad(lambda c: ad.fixed_point(lambda x: step(x, c), np.zeros(shape)), [c], rng=seed)


def test_it_is_the_root_of_the_difference():
    """In all derivatives, too; also where the step drives points apart."""
    for method, start in (("iteration", 0.5), ("hybr", 0.5), ("lm", 0.5)):
        x = ad.fixed_point(lambda x: ad.cos(a * x), start, method=method)
        z = ad.root(lambda z: z - ad.cos(a * z), start)
        for _ in range(3):
            assert np.isclose(*ad.function([a], [x, z])(0.9), rtol=1e-10)
            x, z = ad.grad(x, a), ad.grad(z, a)
    steep = ad.fixed_point(lambda x: a * x * (1 - x), 0.7, method="hybr")
    found, slope = ad.function([a], [steep, ad.grad(steep, a)])(3.9)
    assert np.isclose(found, 1 - 1 / 3.9) and np.isclose(slope, 1 / 3.9**2)


def test_a_program_keeps_no_states():
    """The derivative of a thousand steps calls the step's program, and solves one equation."""
    x = ad.fixed_point(lambda x: 0.99 * ad.cos(x) * a + 0.01 * x, 0.5, name="settle")
    program = ad.function([a], ad.grad(x, a)).source.partition("def program")[2]
    assert program.count("= settle_1(") == program.count("= adjoint_of_settle_1(") == 1


@pytest.mark.each("dtype", ["float32", "float64"])
def test_the_dtype_is_that_of_the_step(dtype):
    b = ad.scalar("b", dtype=dtype)
    x = ad.fixed_point(lambda x: (x + b / x) / 2, 1.0)
    found = ad.function([b], [x, ad.grad(x, b)])(np.dtype(dtype).type(2))
    assert all(v.dtype == dtype for v in found)
    np.testing.assert_allclose(found, [2**0.5, 0.5 / 2**0.5], rtol=4 * np.finfo(dtype).eps)


def test_a_step_without_x_and_one_that_is_x():
    constant = ad.fixed_point(lambda x: a * a, 1.0)
    assert ad.function([a], [constant, ad.grad(constant, a)])(3.0) == [9.0, 6.0]
    still = ad.fixed_point(lambda x: x + 0 * a, a)
    assert ad.evaluate(still, {a: 3.0}) == 3.0
    with pytest.raises(np.linalg.LinAlgError, match="singular"):
        ad.evaluate(ad.grad(still, a), {a: 3.0})


def test_the_result_is_an_array_of_its_own():
    v = ad.vector("v", shape=2)
    given = np.array([1.0, 2.0])
    found = ad.function([v], ad.fixed_point(lambda x: x, v))(given)
    found[0] = 7
    assert given.tolist() == [1, 2]
