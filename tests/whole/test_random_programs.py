"""Random NumPy programs: what must agree does agree, whatever one composes.

Protects combinations that nobody thought of.

    python -m pytest tests/whole/test_random_programs.py --hypothesis-profile=nightly

For outputs y of inputs x, with Jacobian J, random tangents v and cotangents u:
⟨u, J·v⟩ by forward mode is ⟨Jᵀ·u, v⟩ by reverse mode; simplified graphs and generated programs have
the values of the interpreter; the values are NumPy's, Jᵀ·u is that of HIPS autograd.
"""

from collections import Counter
from types import SimpleNamespace

import autograd
import autograd.numpy
import autograd.scipy.special
import numpy as np
import pytest
from autograd.numpy import exp, log, where
from autograd.scipy.special import logsumexp
from hypothesis import given, reject, settings

import autodiff_edu as ad
from autodiff_edu.check import central_differences
from tests.helpers.depth import draws
from tests.helpers.numpy_programs import NUMPY, OURS, programs

COUNTS = Counter()


# ---- what autograd has no name for


def broadcast_to(x, shape):
    return x + np.zeros(shape)


def average(x, axis, weights):
    return (x * weights).sum(axis) / weights.sum(axis)


def trapezoid(x, axis):
    x = autograd.numpy.swapaxes(x, 0, axis)
    return (x[1:] + x[:-1]).sum(0) / 2


def softmax(x, axis):
    return exp(log_softmax(x, axis))


def log_softmax(x, axis):
    return x - logsumexp(x, axis, keepdims=True)


def put(x, key, value):
    """Each place that the key names, and the number of the value that arrives there last."""
    places = np.empty(np.shape(x))[key]
    number = np.full(np.shape(x), -1)
    number[key] = np.arange(places.size).reshape(places.shape)
    values = broadcast_to(value, places.shape).ravel()
    return where(number < 0, x, values[number])


def add_at(x, key, value):
    """The same by a matrix of ones where a value is added."""
    places = np.arange(np.size(x)).reshape(np.shape(x))[key]
    values = broadcast_to(value, places.shape).ravel()
    ones = np.arange(np.size(x))[:, None] == places.ravel()
    return x + (ones @ values).reshape(np.shape(x))


KNOWN = {
    "s_": np.s_, "broadcast_to": broadcast_to, "average": average, "trapezoid": trapezoid,
    "cbrt": lambda x: x ** (1 / 3), "vdot": lambda x, y: (x * y).sum(),
}  # fmt: skip
AUTOGRAD = {
    "np": SimpleNamespace(**vars(autograd.numpy) | KNOWN),
    "special": SimpleNamespace(**vars(autograd.scipy.special), xlogy=lambda x, y: x * log(y)),
    "logsumexp": logsumexp, "softmax": softmax, "log_softmax": log_softmax, "put": put,
    "add_at": add_at,
}  # fmt: skip


# ---- what must agree


def expressions(program, dtype="float64"):
    """The inputs and outputs of a program as our expressions.

    A length that was not declared, that turns out to be 1 and stretches is refused by name, as it
    is to be; that program is drawn again.
    """
    inputs = [ad.tensor(f"x{k}", dtype, shape) for k, shape in enumerate(program.declared)]
    try:
        outputs = program.within(OURS)(*inputs)
        ad.evaluate(ad.Graph(outputs), dict(zip(inputs, program.cast(dtype))))
    except ad.ShapeError as error:
        assert "if it is to stretch" in str(error)
        reject()
    except ad.DTypeError as error:
        assert "cannot take float64" in str(error)  # an update that NumPy would round
        reject()
    return inputs, outputs


class Built:
    """A program's graph, derivatives along random directions, and all their values."""

    def __init__(self, program):
        self.program = program
        self.inputs, self.outputs = expressions(program)
        self.at = dict(zip(self.inputs, program.values))
        self.expected = program.within(NUMPY)(*program.values)
        rng = np.random.default_rng(0)
        self.u = [rng.normal(size=np.shape(y)) for y in self.expected]
        self.v = [rng.normal(size=np.shape(x)) for x in program.values]
        cotangents = [ad.constant(u) for u in self.u]
        if len(program.lines) % 2:  # for half of the programs those that are built by default
            self.u, cotangents = [np.ones(u.shape) for u in self.u], None
        self.pulled = ad.reverse_mode(self.outputs, self.inputs, cotangents)
        self.pushed = ad.forward_mode(self.outputs, self.inputs, list(map(ad.constant, self.v)))
        self.graph = ad.Graph([*self.outputs, *self.pulled.outputs], self.inputs)
        self.values = ad.evaluate(self.graph, self.at)

    @property
    def gradient(self):
        return self.values[len(self.outputs) :]


def close(found, wanted, rtol=1e-7):
    """Equal up to rounding, which is measured against the largest entry."""
    for y, w in zip(found, wanted, strict=True):
        assert np.shape(y) == np.shape(w)
        scale = np.max(np.abs(w), initial=1.0)
        np.testing.assert_allclose(y, w, rtol=rtol, atol=rtol * scale)


def inner(one, other):
    return sum(float(np.sum(a * b)) for a, b in zip(one, other, strict=True))


def listed(values):
    return values if isinstance(values, list) else [values]


def check_values(built):
    close(built.values[: len(built.outputs)], built.expected, 1e-10)
    for y, w in zip(built.outputs, built.expected, strict=True):
        assert y.dtype == np.asarray(w).dtype and y.type.fits(np.shape(w))


def check_adjoint_identity(built):
    assert list(map(np.shape, built.gradient)) == list(map(np.shape, built.program.values))
    pushed = listed(ad.evaluate(built.pushed, built.at))
    by_forward, by_reverse = inner(built.u, pushed), inner(built.gradient, built.v)
    size = inner(map(np.abs, built.gradient), map(np.abs, built.v))
    assert abs(by_forward - by_reverse) <= 1e-9 * max(1.0, size)


def check_simplified(built):
    for mode in ("ieee", "safe", "real"):
        stage = ad.simplify(built.graph, mode=mode)
        for y, w in zip(stage.outputs, built.graph.outputs, strict=True):
            assert y.dtype == w.dtype and y.ndim == w.ndim
        close(ad.evaluate(stage, built.at), built.values)


def check_generated(built):
    for mode in (None, "safe"):
        run = ad.function(
            built.inputs, list(built.graph.outputs), simplify=mode, on_unused_input="ignore"
        )
        close(run(*built.program.values), built.values)


def check_autograd(built):
    try:
        gradient = gradient_by_autograd(built)
    except Exception as error:  # whatever it says when it meets what it does not know
        COUNTS[type(error).__name__] += 1
        return
    COUNTS["autograd"] += 1
    try:
        close(built.gradient, gradient)
    except AssertionError:  # one of the two is wrong: let finite differences decide
        check_finite_differences(built)
        COUNTS["autograd is wrong"] += 1


def gradient_by_autograd(built):
    def cost(values):
        outputs = built.program.within(AUTOGRAD)(*values)
        return sum(autograd.numpy.sum(u * y) for u, y in zip(built.u, outputs))

    with np.errstate(all="ignore"):
        return autograd.grad(cost)(list(built.program.values))


def check_finite_differences(built):
    f, point = built.program.within(NUMPY), list(built.program.values)
    for k, v in enumerate(point):

        def along(w, k=k):
            return inner(built.u, f(*point[:k], w, *point[k + 1 :]))

        close([built.gradient[k]], [central_differences(along, np.asarray(v), 1e-6)], 1e-5)


@settings(max_examples=draws(300))  # the share below is one of many
@given(programs())
def test_what_must_agree(program):
    built = Built(program)
    COUNTS["programs"] += 1
    for check in (check_values, check_adjoint_identity, check_simplified, check_generated):
        check(built)
    check_autograd(built)


def test_autograd_could_run_many():
    if not COUNTS:
        pytest.skip("the random programs were not run")
    assert COUNTS["autograd"] > 0.4 * COUNTS["programs"]


@given(programs())
def test_single_precision_stays_what_numpy_makes_of_it(program):
    inputs, outputs = expressions(program, "float32")
    values = program.cast("float32")
    expected = [np.asarray(y).dtype for y in program.within(NUMPY)(*values)]
    assert [y.dtype for y in outputs] == expected
    gradient = ad.reverse_mode(outputs, inputs).outputs
    assert {g.dtype for g in gradient} == {np.dtype("float32")}
    graph = ad.Graph([*outputs, *gradient], inputs)
    wanted = [y.dtype for y in graph.outputs]
    assert [y.dtype for y in ad.simplify(graph).outputs] == wanted
    run = ad.function(inputs, list(graph.outputs), on_unused_input="ignore")
    assert [np.asarray(y).dtype for y in run(*values)] == wanted


# ---- what these programs have shown: the smallest case of each


def test_a_number_indexed_in_a_generated_program():
    x = ad.scalar("x")
    slope = ad.grad(ad.sum(np.pad(x, 1)), x)
    assert ad.function(x, slope, simplify=None, on_unused_input="ignore")(2.0) == 1.0


def test_one_truth_value_is_not_an_index():
    x = ad.scalar("x")
    with pytest.raises(IndexError, match="an index is a whole number"):
        x[x > 0]


def test_an_update_by_a_value_with_more_axes():
    x, v = ad.matrix("x", shape=(3, 4)), ad.tensor("v", shape=(1, 1, 4))
    for y in (x.at[0].set(v), x.at[0].add(v)):
        gradient = ad.evaluate(ad.grad(ad.sum(y), v), {x: np.ones((3, 4)), v: np.ones((1, 1, 4))})
        np.testing.assert_array_equal(gradient, np.ones((1, 1, 4)))


@pytest.mark.each("how", ["set", "add"])
def test_an_update_by_a_value_that_does_not_fit(how):
    x = ad.matrix("x", shape=(3, 4))
    with pytest.raises(ad.ShapeError, match=r"\(4,\) does not fit into places of shape \(3,\)"):
        getattr(x.at[:, -1], how)(np.ones(4))


def test_add_at_where_numpy_itself_would_read_foreign_memory():
    x, v = ad.matrix("x", shape=(3, None)), ad.vector("v")
    y = x.at[:, -1].add(v)
    with pytest.raises(ValueError):
        ad.evaluate(y, {x: np.ones((3, 4)), v: np.ones(4)})


def test_a_length_that_the_program_computes_and_that_is_one():
    x = ad.matrix("x", shape=(3, None))
    tangent = ad.forward_mode(ad.tanh(x[:, ::2]), x, ad.constant(np.ones((3, 2)))).output
    np.testing.assert_array_equal(ad.evaluate(tangent, {x: np.zeros((3, 2))}), np.ones((3, 1)))


def test_shapes_are_checked_before_values_are_computed():
    x, y = ad.vector("x"), ad.vector("y")
    with pytest.raises(ad.ShapeError, match="multiply of x of shape .* and y of shape"):
        ad.evaluate(x * y, {x: np.ones(2), y: np.ones(3)})


def test_an_index_of_einsum_that_has_length_one_in_one_operand():
    x, y = ad.matrix("x"), ad.matrix("y", shape=(3, 1))
    gradient = ad.grad(ad.sum(ad.einsum("ij,jk->ik", y, x)), x)
    value = ad.evaluate(gradient, {x: np.ones((5, 4)), y: np.ones((3, 1))})
    np.testing.assert_array_equal(value, np.full((5, 4), 3.0))


def test_the_length_of_a_scatter_stands_behind_its_places():
    x = ad.tensor("x", shape=(None, 3, None))
    gradient = ad.reverse_mode([np.sort(ad.copysign(ad.sin(x), x), 0)], [x])
    value = np.random.default_rng(0).normal(size=(2, 3, 4))
    wanted, found = (ad.evaluate(g, {x: value}) for g in (gradient, ad.simplify(gradient)))
    np.testing.assert_allclose(found, wanted, rtol=1e-12)


def test_a_variance_over_a_length_that_is_not_known_stays_single():
    x = ad.vector("x", dtype="float32")
    assert np.var(x, ddof=1).dtype == "float32"


def test_an_empty_array_has_no_entries():
    x = ad.matrix("x", shape=(3, 0))
    assert x.size == 0 and ad.size(x, 0) == 3
    y = ad.tensor("y", shape=(3, 1, 4))
    slope = ad.grad(ad.sum(y.at[[1, 0], 1:].set(np.ones((2, 0, 4)))), y)
    np.testing.assert_array_equal(ad.evaluate(slope, {y: np.ones((3, 1, 4))}), np.ones((3, 1, 4)))


def test_convolution_with_a_single_number():
    x, a = ad.vector("x", shape=3), ad.scalar("a")
    y = np.convolve(x, a)
    np.testing.assert_array_equal(ad.evaluate(y, {x: np.arange(3.0), a: 2.0}), [0, 2, 4])
