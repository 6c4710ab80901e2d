"""The cases of Theano's and PyTensor's loops: one test a case, by number.

Gradients are compared with those of the loop written out and with finite differences.
"""

import numpy as np
import pytest

import autodiff_edu as ad
from tests.helpers.loops import check_gradients, value

RNG = np.random.default_rng(3)


def normal(*shape):
    return RNG.normal(size=shape)


def test_01_the_second_gradient_of_doubling():
    def doubled(x):
        return ad.scan(lambda x: 2 * x, outputs_info=[x], n_steps=5)

    check_gradients(doubled, [normal(3)])
    x = ad.vector("x", shape=3)
    first = ad.grad(doubled(x).sum(), x)
    np.testing.assert_array_equal(value(first, x=normal(3)), 2.0 + 4 + 8 + 16 + 32)
    np.testing.assert_array_equal(value(ad.grad(first.sum(), x), x=normal(3)), 0.0)
    check_gradients(lambda x: ad.grad((doubled(x) ** 2).sum(), x), [normal(3)])


def test_02_one_state_two_steps_back_and_one_a_step_back():
    def gradients(a, b):
        def step(a, b):
            return (a + b) ** 1.02, (a + b) ** 1.02

        u, v = ad.scan(step, outputs_info=[{"initial": a, "taps": [-2]}, b], n_steps=3)
        return ad.grad(u.sum(), a).sum() + ad.grad(v.sum(), b).sum()

    check_gradients(gradients, [RNG.uniform(1, 2, (2, 3)), RNG.uniform(1, 2, 3)])


def test_03_four_derivatives_of_a_power():
    x = ad.scalar("x")
    y = ad.scan(lambda x: -(x**2), outputs_info=x, n_steps=4)[-1]
    wanted, factor = [], -1.0  # y is -x¹⁶
    for k in range(16, 12, -1):
        factor *= k
        wanted.append(factor * 0.95 ** (k - 1))
        y = ad.grad(y, x)
        np.testing.assert_allclose(ad.function(x, y)(0.95), wanted[-1], rtol=1e-13)


def test_04_a_recurrent_network_of_numbers():
    def states(u, x0, w_in, w):
        def step(u, x, w_in, w):
            return u * w_in + x * w

        return ad.scan(step, sequences=u, outputs_info=x0, non_sequences=[w_in, w])

    check_gradients(states, [normal(10), normal(), normal(), normal()])


def test_05_a_polynomial_whose_powers_are_cut_to_its_coefficients():
    c, x = ad.vector("c"), ad.scalar("x")
    terms = ad.scan(
        lambda c, power, x: c * x**power, sequences=[c, ad.arange(1000)], non_sequences=x
    )
    first = ad.grad(terms.sum(), x)
    slopes = ad.function([c, x], [terms, first, ad.grad(first, x)])
    found = slopes([1.0, 2.0, -3.0, 4.0], 2.0)
    np.testing.assert_array_equal(found[0], [1, 4, -12, 32])
    assert found[1:] == [38, 42]


def test_06_with_respect_to_a_shared_value():
    w, v = ad.shared(3.0, "w"), ad.vector("v")
    y = ad.scan(lambda v: v * w, sequences=v)
    assert ad.function(v, ad.grad(y.sum(), w))([2.0, 3.0]) == 5


def test_07_an_output_given_twice_with_a_tap_three_back():
    seq, first, fixed = ad.matrix("seq"), ad.matrix("first"), ad.vector("fixed")

    def step(x, y, c):
        total = x + y + c
        return total, total

    how = [None, {"initial": first, "taps": [-3]}]
    outputs = ad.scan(step, sequences=seq, outputs_info=how, non_sequences=fixed)
    at = {"seq": normal(10, 3), "first": normal(3, 3), "fixed": normal(3)}
    rows = np.repeat([4.0, 3, 3, 3, 2, 2, 2, 1, 1, 1], 3).reshape(10, 3)
    for y in outputs:
        found = value(ad.grad(y.sum(), [seq, first, fixed]), **at)
        for one, wanted in zip(found, [rows, rows[:3], [22.0] * 3]):
            np.testing.assert_array_equal(one, wanted)


def test_08_a_derivative_through_three_steps():
    u, x0, w = ad.matrix("u"), ad.vector("x0"), ad.matrix("w")
    at = {"u": normal(5, 2), "x0": normal(2), "w": normal(2, 2)}

    def slopes(truncate):
        step = lambda u, x: u @ w + x
        x = ad.scan(step, sequences=u, outputs_info=x0, truncate_gradient=truncate)
        return value(ad.grad((x * x).sum(), [u, x0, w]), **at)

    du, dx0, dw = slopes(3)
    assert not du[:2].any() and not dx0.any()
    whole = slopes(-1)
    np.testing.assert_allclose(du[2:], whole[0][2:], rtol=1e-13)
    assert dw.any() and not np.allclose(dw, whole[2])
    for found, wanted in zip(slopes(5), whole):
        np.testing.assert_array_equal(found, wanted)


class TestUntil:
    """Case 9: loops that end early, on the sequence 0, 1, ..., 14."""

    def gradient(self, step, taps, limit, **how):
        x, u = ad.vector("x"), ad.scalar("u", dtype="int64")
        sequence = {"input": x, "taps": taps} if taps else x
        y = ad.scan(step, sequences=sequence, non_sequences=u, **how)
        return ad.function([x, u], [y, ad.grad(y.sum(), x)])(np.arange(15.0), limit)

    def test_09_slopes_are_zero_after_the_end(self):
        y, slope = self.gradient(lambda x, u: (x * x, ad.until(x > u)), None, 5)
        np.testing.assert_array_equal(y, np.arange(7.0) ** 2)
        np.testing.assert_array_equal(slope, [*(2 * np.arange(7.0)), *[0] * 8])

    def test_09_through_three_steps(self):
        step = lambda x, u: (x * x, ad.until(x > u))
        _, slope = self.gradient(step, None, 5, truncate_gradient=3)
        np.testing.assert_array_equal(slope, [*[0] * 4, 8, 10, 12, *[0] * 8])

    def test_09_with_taps_through_three_steps(self):
        step = lambda x, y, u: (x * y, ad.until(y > u))
        _, slope = self.gradient(step, [-2, 0], 6, truncate_gradient=3)
        np.testing.assert_array_equal(slope, [0, 0, 0, 5, 6, 10, 4, 5, *[0] * 7])

    @pytest.mark.each("limit", [0.5, 3.0, 30.0, 1e9])
    def test_09_with_a_state(self, limit):
        """s ← a·s + y, until s > limit, all summed: ∂/∂yⱼ = (aᵏ⁻ʲ − 1)/(a − 1)."""
        a, x0, y = 1.3, ad.scalar("x0"), ad.vector("y")
        step = lambda y, s: (a * s + y, ad.until(a * s + y > limit))
        s = ad.scan(step, sequences=y, outputs_info=x0)
        found = ad.function([y, x0], [s, *ad.grad(s.sum(), [y, x0])])(np.ones(12), 0.1)
        k = len(found[0])
        weights = (a ** (k - np.arange(k)) - 1) / (a - 1)
        np.testing.assert_allclose(found[1], [*weights, *[0] * (12 - k)], rtol=1e-13)
        np.testing.assert_allclose(found[2], a * (a**k - 1) / (a - 1), rtol=1e-13)


def test_10_two_gradients_of_a_product_with_a_factor_of_zero():
    """x ← s·(0·x₋₂ + x₋₁)²·z/2, twice: s³(z/2)³x⁴."""
    s, z, first = ad.vector("s"), ad.scalar("z"), ad.vector("first")
    x = ad.scan(
        lambda s, far, near, z: s * (0 * far + near) ** 2 * (z / 2),
        sequences=s,
        outputs_info={"initial": first, "taps": [-2, -1]},
        non_sequences=z,
    )[-1]
    slope = ad.grad(x, first)
    run = ad.function([s, z, first], [slope, ad.grad(slope.sum(), first)])
    for factor, half, wanted in ((1, 2.0, [4, 12]), (2, 2.0, [32, 96]), (1, 1.0, [0.5, 1.5])):
        found = run([factor] * 2, half, [1.0, 1.0])
        np.testing.assert_array_equal(found, [[0, wanted[0]], [0, wanted[1]]])


def test_11_states_that_do_not_reach_the_cost():
    x0, y0, z0 = ad.vector("x0"), ad.vector("y0"), ad.vector("z0")
    x, y, z = ad.scan(lambda x, y, z: (x**2, y, x + 1), outputs_info=[x0, y0, z0], n_steps=10)
    cost = (x + y + z).sum()
    ad.grad(cost, [x0, y0])
    with pytest.raises(ad.DisconnectedInputError, match="z0"):
        ad.grad(cost, z0)
    with pytest.raises(ad.DisconnectedInputError, match="y0"):
        ad.grad(x.sum(), y0)
    at = {"x0": RNG.uniform(size=3), "y0": normal(3), "z0": normal(3)}
    np.testing.assert_array_equal(value(ad.grad(cost, y0), **at), 10.0)


def test_12_rows_of_a_matrix():
    w, i = ad.shared(np.zeros((3, 3)), "w"), ad.vector("i", dtype="int64")
    y = ad.scan(lambda i, w: w[i], sequences=i, non_sequences=w)
    found = ad.function(i, ad.grad(y.sum(), w))([1, 2])
    np.testing.assert_array_equal(found, [[0, 0, 0], [1, 1, 1], [1, 1, 1]])


def test_13_a_hessian_row_by_row_by_a_gradient_within_a_step():
    x, A = ad.vector("x"), ad.matrix("A")
    a, b = ad.shared(0.5, "a"), ad.shared(0.9, "b")
    slope = ad.grad(a * (x * x) @ (A @ x), x)
    rows = ad.scan(
        lambda i, slope, x: ad.grad(slope[i] * b, x),
        sequences=ad.arange(slope.shape[0]),
        non_sequences=[slope, x],
    )
    found = ad.function([x, A], rows)([1.0, 1.0], [[1.0, 1.0], [1.0, 0.0]])
    np.testing.assert_allclose(found, [[3.6, 1.8], [1.8, 0.9]], rtol=1e-15)


def test_14_gradients_through_draws_in_a_loop():
    """Theano raised for all of these; a draw is a pure function, so a path through it is one."""
    rng = ad.RandomStream(7)
    loc, scale, p = ad.scalar("loc"), ad.scalar("scale"), ad.scalar("p")
    x = ad.scan(lambda x: 0.5 * x + rng.normal(loc, scale), outputs_info=0.0, n_steps=4)
    at = {"loc": 0.3, "scale": 2.0, "p": 0.4}
    draws, slopes = value([x, *ad.grad(x[-1], [loc, scale])], **at), [1.875]
    assert draws[1] == slopes[0]
    np.testing.assert_allclose(draws[2] * 2.0 + 1.875 * 0.3, draws[0][-1], rtol=1e-14)
    hits = ad.scan(lambda: rng.bernoulli(p), n_steps=4)
    with pytest.raises((ad.NullTypeGradError, ad.DisconnectedInputError)):
        ad.grad(hits.sum() * 1.0, p)
    both = ad.scan(lambda: (rng.bernoulli(p), p * p), n_steps=4)
    assert value(ad.grad(both[1].sum(), p), **at) == pytest.approx(4 * 2 * 0.4)


def test_14_a_draw_off_the_path():
    rng, p = ad.RandomStream(1), ad.scalar("p")
    draws, squares = ad.scan(lambda: (rng.uniform(), p**2), n_steps=1)
    assert value([squares[0], ad.grad(squares[0], p)], p=np.pi) == [np.pi**2, 2 * np.pi]


def test_15_whole_numbers_that_choose_between_floats():
    c = ad.scalar("c", dtype="int32")
    x, y = ad.scalar("x", dtype="float32"), ad.scalar("y", dtype="float32")

    def step(c, x, y):
        chosen = ad.where(c != 0, x, y).astype("int32")
        return chosen, ad.where(c != 0, ad.sigmoid(y * x), x), ad.where(c != 0, y, ad.sigmoid(x))

    states = ad.scan(step, outputs_info=[c, x, y], n_steps=10)
    assert [s.dtype for s in states] == ["int32", "float32", "float32"]
    slopes = ad.grad(states[1].sum(), [x, y])
    assert [g.dtype for g in slopes] == ["float32", "float32"]
    found = ad.function([c, x, y], slopes)(0, np.float32(1.0), np.float32(0.5))
    assert found == pytest.approx([10.0, 0.0])


def test_16_the_square_of_the_last_of_sums_with_gaps():
    def loss(first, w):
        step = lambda far, near, w: w + near
        x = ad.scan(
            step, outputs_info={"initial": first, "taps": [-4, -1]}, non_sequences=w, n_steps=10
        )
        return (x[-1] ** 2).sum()

    check_gradients(loss, [RNG.uniform(1, 3, (5, 2, 2)), RNG.uniform(1, 3, (2, 2))])


def test_17_checkpoints_change_nothing_but_the_memory():
    A, k = ad.vector("A"), ad.scalar("k", dtype="int64")
    for steps in (101, k):
        powers = [
            ad.scan(
                lambda i, x, A: x * A / (i + 1),
                sequences=ad.arange(steps),
                outputs_info=ad.ones_like(A),
                non_sequences=A,
                checkpoint_every=size,
            )[-1]
            for size in (None, 100, 10, 7, 1)
        ]
        plain, *others = value(
            [e for p in powers for e in (p, ad.grad(p.sum(), A))], A=np.arange(10.0), k=101
        )
        values, slopes = [plain, *others][::2], [plain, *others][1::2]
        for v in values[1:]:
            np.testing.assert_array_equal(v, values[0])
        for s in slopes[1:]:
            np.testing.assert_allclose(s, slopes[0], rtol=1e-13)


def test_18_no_steps():
    x0, n = ad.vector("x0"), ad.scalar("n", dtype="int64")
    x = ad.scan(lambda x: 2 * x, outputs_info=x0, n_steps=n)
    first = ad.scan(lambda x: 2 * x, outputs_info=x0, n_steps=0)
    run = ad.function([x0, n], [x, ad.grad(x.sum(), x0)])
    values, slope = run([1.0, 2.0], 0)
    assert values.shape == (0, 2) and values.dtype == "float64"
    np.testing.assert_array_equal(slope, 0.0)
    assert value(first, x0=[1.0, 2.0]).shape == (0, 2)
    np.testing.assert_array_equal(value(ad.grad(first.sum(), x0), x0=[1.0, 2.0]), 0.0)
    y = ad.vector("y")
    mapped = ad.scan(lambda y: y * 2, sequences=y)
    assert value(mapped, y=np.zeros(0)).shape == (0,)
    assert value(ad.grad(mapped.sum(), y), y=np.zeros(0)).shape == (0,)


@pytest.mark.each("taps", [[0], [-1, -1], [1], [], [-1.0], ["a"], True])
def test_18_taps_that_mean_nothing(taps):
    x, y = ad.vector("x"), ad.vector("y")
    with pytest.raises(ValueError, match="taps are different negative whole numbers"):
        ad.scan(lambda x, y: x, sequences=x, outputs_info={"initial": y, "taps": taps})


def test_19_two_outputs_of_which_one_matters():
    v, m = ad.vector("v"), ad.matrix("m")
    step = lambda v: (v + 1, v + 2)
    one, two = ad.scan(step, sequences=v)
    np.testing.assert_array_equal(value(ad.grad(two.sum(), v), v=normal(5)), np.ones(5))
    _, fixed = ad.scan(lambda _, u: [u, v], sequences=m, outputs_info=[ad.zeros(7), None])
    found = value(ad.grad((m * fixed).sum(), v), v=normal(7), m=np.full((3, 7), 2.0))
    np.testing.assert_array_equal(found, 6.0)
    _, moving = ad.scan(lambda x, u: [x + u, u + v], sequences=m, outputs_info=[ad.zeros(7), None])
    found = value(ad.grad(moving.sum(), m), v=normal(7), m=normal(3, 7))
    np.testing.assert_array_equal(found, np.outer([2.0, 1, 0], np.ones(7)))


def test_20_the_sequence_of_a_loop_is_another_loop():
    def twice(x0, w):
        first = ad.scan(lambda x: x * w + 1, outputs_info={"initial": x0}, n_steps=6)
        return ad.scan(lambda x, s: ad.sin(x) + s * w, sequences=[first], outputs_info=x0)

    check_gradients(twice, [0.3, 0.8])
    x0 = ad.scalar("x0")
    first = ad.scan(lambda x: x + 1, outputs_info=x0, n_steps=10)
    second = ad.scan(lambda x: x + 1, sequences=[first])
    np.testing.assert_array_equal(ad.function(x0, second)(0.0), np.arange(1, 11) + 1.0)
