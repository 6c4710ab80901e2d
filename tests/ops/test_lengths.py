"""Unknown lengths: one that turns out to be 1 does not stretch, unless it was declared."""

import numpy as np
import pytest

import autodiff_edu as ad
from tests.helpers.depth import draws, some
from tests.helpers.values import value

RNG = np.random.default_rng(5)


A, B = ad.matrix("A"), ad.matrix("B")


P, Q = ad.tensor3("P"), ad.tensor3("Q")


STRETCHING = [
    (lambda: ad.broadcast_to(A, B.shape).sum(), {"A": (1, 3), "B": (2, 3)}),
    (lambda: (P @ Q).sum(), {"P": (1, 2, 2), "Q": (3, 2, 2)}),
    (lambda: np.linalg.solve(P, Q).sum(), {"P": (1, 2, 2), "Q": (3, 2, 2)}),
    (lambda: np.einsum("ij,jk->ik", A, B).sum(), {"A": (2, 1), "B": (3, 2)}),
    (lambda: (A.at[:].set(B) ** 2).sum(), {"A": (2, 3), "B": (1, 3)}),
    (lambda: (A.at[[0, 1]].add(B) ** 2).sum(), {"A": (2, 3), "B": (1, 3)}),
]


@pytest.mark.each("cost, shapes", STRETCHING)
def test_a_length_that_turns_out_to_be_1_does_not_stretch_in_silence(cost, shapes):
    e = cost()
    at = {name: RNG.normal(size=shape) for name, shape in shapes.items()}
    with pytest.raises(ValueError, match=r"declare|length"):
        value(e, **at)
    inputs = ad.Graph(e).inputs
    with pytest.raises(ValueError, match=r"declare|length"):
        ad.function(inputs, e)(*[at[i.name] for i in inputs])


@pytest.mark.each("lengths", [(3, 1), (1, 3)], ids=str)
@pytest.mark.each("text", ["dd,d->d", "bd,dd->b", "d,dd->d", "dd,d->", "ddd,de->e"])
def test_the_length_of_a_diagonal_is_compared_in_einsum(text, lengths):
    ranks = [len(letters) for letters in text.split("->")[0].split(",")]
    xs = [ad.tensor(f"x{k}", shape=(None,) * n) for k, n in enumerate(ranks)]
    values = [np.ones((m,) * n) for m, n in zip(lengths, ranks, strict=True)]
    y = ad.einsum(text, *xs)
    for what in (y, ad.grad(ad.sum(y), xs)):
        with pytest.raises(ad.ShapeError, match="length"):
            ad.function(xs, what, on_unused_input="ignore")(*values)
    with pytest.raises(ad.ShapeError, match="length"):
        ad.evaluate(y, dict(zip(xs, values, strict=True)))


def test_a_length_declared_to_be_1_stretches_in_einsum():
    a, b = RNG.normal(size=(2, 1)), RNG.normal(size=(3, 2))
    f = lambda a, b: np.sum(np.einsum("ij,jk->ik", a, b) ** 2)
    ad.verify_grad(f, [a, b], n_tests=1)
    assert np.isclose(ad.value_and_grad(f)(a, b)[0], f(a, b))


U, V, W = ad.vector("U"), ad.vector("V"), ad.vector("W")


@pytest.mark.each("cost, fits, differ", some([
    (lambda: U @ V, {"U": 3, "V": 3}, {"U": 2, "V": 5}),
    (lambda: U @ V, {"U": 1, "V": 1}, {"U": 3, "V": 1}),
    (lambda: (U + V) @ W, {"U": 2, "V": 2, "W": 2}, {"U": 2, "V": 3, "W": 2}),
    (lambda: (A @ U) @ V, {"A": (2, 3), "U": 3, "V": 2}, {"A": (2, 3), "U": 5, "V": 7}),
    (lambda: np.einsum("ij,ij", A, B), {"A": (2, 3), "B": (2, 3)}, {"A": (2, 3), "B": (5, 3)}),
    (lambda: (np.diag(U) @ V).sum(), {"U": 2, "V": 2}, {"U": 1, "V": 2}),
    (lambda: (np.diag(A, 1) * U).sum(), {"A": (3, 3), "U": 2}, {"A": (3, 2), "U": 4}),
    (lambda: ad.broadcast_to(U, V.shape) @ V, {"U": 2, "V": 2}, {"U": 2, "V": 3}),
    (lambda: np.vdot(ad.broadcast_to(U, A.shape), A), {"U": 2, "A": (3, 2)}, {"U": 2, "A": (3, 4)}),
], 2))  # fmt: skip
@pytest.mark.each("order", some([1, 2], 2))
def test_a_gradient_is_not_computed_where_the_cost_is_refused(cost, fits, differ, order):
    """Of U @ V it is V, and so nothing in its program knows of U."""
    y = cost()
    inputs = list(ad.Graph(y).inputs)
    slopes = ad.grad(y, inputs, disconnected_inputs="ignore")
    if order == 2:
        slopes = ad.grad(sum(ad.sum(s * s) for s in slopes), inputs, disconnected_inputs="ignore")
    for each in slopes:
        run = ad.function(inputs, each, on_unused_input="ignore")
        with pytest.raises(ValueError, match="length"):
            run(*[np.ones(differ[i.name]) for i in inputs])
        with pytest.raises(ValueError, match="length"):
            ad.evaluate(each, {i: np.ones(differ[i.name]) for i in inputs})
    run = ad.function(inputs, slopes, on_unused_input="ignore")
    for i, slope in zip(inputs, run(*[np.ones(fits[i.name]) for i in inputs]), strict=True):
        assert slope.shape == np.ones(fits[i.name]).shape


Z = ad.vector("Z", shape=3)


@pytest.mark.each("x, shape", [(A, V.shape), (P, A.shape), (Z, (V.shape[0], 4))])
def test_what_cannot_be_broadcast_is_refused_when_it_is_written(x, shape):
    with pytest.raises(ad.ShapeError, match="cannot be broadcast"):
        ad.broadcast_to(x, shape)


@pytest.mark.each("lengths", some([(3, 3), (0, 0), (2, 0), (0, 2), (1, 1), (5, 1)], 2), ids=str)
@pytest.mark.each("k", some([-2, 0, 1, 3], 2))
def test_diagonals_of_small_matrices(lengths, k):
    values = RNG.normal(size=lengths)
    for y in (np.diagonal(A, k), np.trace(A, k)):
        wanted = np.diagonal(values, k)
        wanted = wanted if y.ndim else wanted.sum()
        np.testing.assert_allclose(ad.function(A, y)(values), wanted)
        assert ad.function(A, ad.grad(ad.sum(y), A))(values).shape == lengths


@pytest.mark.each("of", [
    lambda n: ad.sum(ad.constant([1, 2])) + n, lambda n: n // 0 * 0 + 3, lambda n: n - 10,
    lambda n: ad.where(U[0] > 0, n, 1), lambda n: ad.maximum(n, 2) % 2,
])  # fmt: skip
def test_whole_numbers_beside_lengths_are_computed_as_ever(of):
    y = of(ad.size(U)) * U
    np.testing.assert_array_equal(ad.function(U, y)(np.ones(4)), ad.evaluate(y, {U: np.ones(4)}))


def test_a_whole_number_that_is_an_error_is_one_of_the_program():
    y = ad.size(U) ** (ad.size(U) - 5) * U
    with pytest.raises(ValueError, match=r"power of .*negative integer powers"):
        ad.function(U, y)(np.ones(4))


# ---- lengths that are whole numbers among the values

n, m, K = ad.scalar("n", dtype="int64"), ad.scalar("m", dtype="int64"), ad.shared(3, "K")
MADE = [
    lambda n: ad.zeros(n), lambda n: ad.ones((n,)), lambda n: ad.arange(n) * 1.0,
    lambda n: ad.broadcast_to(W.sum(), (n,)), lambda n: ad.full((n,), 2.0),
    lambda n: ad.RandomStream(0).normal(size=n), lambda n: ad.arange(2 * n)[:n] * 1.0,
]  # fmt: skip


@pytest.mark.each("seed", range(draws(40)))
def test_lengths_given_as_numbers_are_those_of_what_they_meet(seed):
    """U has the length a, what is made of n the length n + c. Equal ones fit, others are refused:
    a length of 1 gave values, and gradients of another length than U."""
    draw = np.random.default_rng(seed)
    c, number = int(draw.integers(-1, 3)), int(draw.integers(2, 5))
    m = n if draw.random() < 0.7 else K
    made = MADE[draw.integers(len(MADE))](m + c if c else m)
    y = U * made if draw.random() < 0.5 else U + made
    slope = ad.grad(ad.sum(y * U), U)
    fits = number + c
    K.set_value(number)
    for root in (y, slope):
        run = ad.function([U, W, n], root, on_unused_input="ignore")
        for a in {1, fits, fits + 1, 2 * fits + 1}:
            given = np.ones(a), np.ones(2), number
            if a == fits:
                assert run(*given).shape == (a,)
                continue
            with pytest.raises(ValueError, match="length|broadcast"):
                run(*given)
            with pytest.raises(ValueError, match="length|broadcast"):
                ad.evaluate(root, dict(zip((U, W, n), given, strict=True)))


def test_a_shared_array_does_not_stretch_in_evaluate():
    held = ad.shared(np.ones(1), "held", shape=(None,))
    with pytest.raises(ad.ShapeError, match="axis 0 of held has length 1 and meets 3"):
        ad.evaluate(held * U, {U: np.ones(3)})


def times(steps):
    """1/2, 1/4, … in a loop of so many steps."""
    return ad.scan(lambda c: c * 0.5, None, ad.constant(1.0), n_steps=steps)


def test_the_number_of_steps_is_the_length_of_what_a_loop_gives():
    for y in (U * times(n), U * times(n + 1)[1:], ad.grad(ad.sum(U * times(n)), U)):
        run = ad.function([U, n], y, on_unused_input="ignore")
        assert run(np.ones(3), 3).shape == (3,)
        for call in (run, lambda *given, y=y: ad.evaluate(y, dict(zip((U, n), given)))):
            with pytest.raises(ValueError, match="length"):
                call(np.ones(1), 3)
    none = ad.function([U, n], ad.sum(times(n)) + ad.sum(U))
    assert none(np.ones(2), 0) == 2


SWAPPED = [
    (ad.ones(n), {n: n + 1}, (3, 2, 0)), (ad.ones(n), {n: m}, (3, 5, 3)),
    (ad.ones(n), {n: m, m: n}, (3, 5, 3)), (ad.ones(m + n), {n: n - m}, (3, 3, 2)),
]  # fmt: skip


@pytest.mark.each("made, givens, numbers", SWAPPED)
def test_lengths_are_those_of_what_is_given_in_the_place_of_an_input(made, givens, numbers):
    """What was differentiated met what is given, and not the value of the input of that name."""
    slope = ad.grad(ad.sum(U * made * U), U)
    run = ad.function([U, n, m], slope, givens=givens, on_unused_input="ignore")
    length, *rest = numbers
    assert run(np.ones(length), *rest).tolist() == [2] * length


def test_an_array_given_for_an_input_has_lengths_of_its_own():
    slope = ad.grad(ad.sum(U * V), U)
    assert ad.function([U, V], slope, givens={V: V[:3]}, on_unused_input="ignore")(
        np.ones(3), np.arange(5.0)
    ).tolist() == [0, 1, 2]


def test_evaluate_takes_values_of_what_is_no_input():
    k, double = n + 1, U * 2
    assert ad.evaluate(U * ad.ones(k), {U: np.ones(3), n: 7, k: 3}).shape == (3,)
    given = {U: np.ones(5), double: np.ones(3), V: np.ones(3)}
    assert ad.evaluate(double * V, given).shape == (3,)


class Extended(ad.Op):
    """x, and n entries more; it refuses zeros, in the way that a test says."""

    lengths = (1,)
    props = ("error",)

    def __init__(self, error):
        self.error = error

    def infer_type(self, x, n):
        return ad.TensorType("float64", (None,))

    def perform(self, x, n):
        if not x.any():
            raise self.error("zeros")
        return np.resize(x, len(x) + n.item())


@pytest.mark.each("error", [KeyError, AssertionError, RuntimeError, ValueError])
def test_an_operation_that_refuses_zeros_is_no_error_of_lengths(error):
    run = ad.function([U, n, V], Extended(error)(U, n) * V)
    assert run(np.ones(3), 2, np.ones(5)).tolist() == [1] * 5
    with pytest.raises(error):
        run(np.zeros(3), 2, np.ones(5))


@pytest.mark.each("dtype", ["int8", "uint8", "int16", "uint32", "int64", "uint64"])
def test_lengths_are_computed_in_the_dtype_of_the_numbers(dtype):
    """Of short whole numbers only those were compared with which nothing was computed."""
    k = ad.scalar("k", dtype=dtype)
    computed = [k // 2, abs(k), ad.maximum(k, 2), ad.where(k > 3, k, 3), k.astype("int64") - 1]
    for length in computed:
        number = int(ad.evaluate(length, {k: 6}))
        run = ad.function([U, k], U + ad.ones(length))
        assert run(np.ones(number), 6).tolist() == [2] * number
        with pytest.raises(ad.ShapeError, match="axis 0 of U has length 1"):
            run(np.ones(1), 6)
    wraps = ad.scalar("wraps", dtype="uint8")
    assert ad.function([U, wraps], U + ad.ones(wraps + 250))(np.ones(4), 10).tolist() == [2] * 4


def in_a_box(k, v):
    b, w = ad.scalar("b", dtype="int64"), ad.vector("w")
    return ad.OpFromGraph([b, w], [ad.sum(ad.ones(b) * w * w)])(k, v)


def in_a_loop(k, v):
    return ad.sum(ad.scan(lambda c: c + ad.sum(ad.ones(k) * v * v * c), None, ad.constant(1.0),
                          n_steps=2))  # fmt: skip


@pytest.mark.parametrize("made", [in_a_box, in_a_loop])
def test_lengths_that_are_numbers_are_compared_in_bodies(made):
    """A value of length 1 stretched there: a box gave 1 for 3, and a gradient of another length."""
    y = made(n, V)
    for root in (y, ad.grad(y, V)):
        run = ad.function([n, V], root)
        np.testing.assert_allclose(run(3, np.ones(3)), ad.evaluate(root, {n: 3, V: np.ones(3)}))
        for call in (run, lambda k, v, root=root: ad.evaluate(root, {n: k, V: v})):
            with pytest.raises(ad.ShapeError, match="length"):
                call(3, np.ones(1))
