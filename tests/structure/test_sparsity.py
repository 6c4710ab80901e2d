"""Patterns: never too small, exact where the operations tell, and what is said of them."""

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu.expr import put_in
from tests.helpers.depth import draws, some
from tests.helpers.examples import EXAMPLES, inputs_for
from tests.helpers.growth import assert_linear
from tests.helpers.programs import random_program

DTYPES = ("float64", "float32", "float16")
DEFINED = [e for e in EXAMPLES if e.name != "undefined_grad"]


def assert_covers(pattern, values):
    """Every entry outside the pattern is 0."""
    matrix = np.reshape(np.asarray(values), pattern.shape)
    assert not matrix[~pattern.matrix.toarray()].any()


@pytest.mark.each("example", some(DEFINED, 10), ids=str)
def test_no_operation_has_a_pattern_that_is_too_small(example):
    values = example.values(np.random.default_rng(0))
    inputs = inputs_for(values)
    at = dict(zip(inputs, values, strict=True))
    for y in example.build(inputs):
        for x in inputs:
            if x.type.is_float and y.type.is_float and y.type.known:
                dense = ad.jacobian(y, x, disconnected_inputs="ignore", mode="reverse")
                assert_covers(ad.sparsity(y, x), ad.evaluate(dense, at))


@pytest.mark.each("dtype", DTYPES)
@pytest.mark.each("seed", range(draws(20)))
def test_no_program_has_a_pattern_that_is_too_small(seed, dtype):
    given, values, y = random_program(seed)
    inputs = [ad.tensor(x.name, dtype=dtype, shape=x.shape) for x in given]
    at = {x: v.astype(dtype) for x, v in zip(inputs, values, strict=True)}
    (y,) = put_in([y], {g: x.astype("float64") for g, x in zip(given, inputs, strict=True)})
    for x in inputs[:2]:
        dense = ad.evaluate(ad.jacobian(y, x, disconnected_inputs="ignore"), at)
        pattern = ad.sparsity(y, x)
        assert_covers(pattern, dense)
        sparse = ad.jacobian(y, x, disconnected_inputs="ignore", sparse=True).evaluate(at)
        rtol = 1e-3 if dtype == "float16" else 1e-5
        expected = dense.reshape(pattern.shape)
        np.testing.assert_allclose(sparse.toarray(), expected, rtol=rtol, atol=1e-5)


@pytest.mark.each("seed", range(draws(20)))
def test_no_second_derivative_has_a_pattern_that_is_too_small(seed):
    inputs, values, y = random_program(seed, 6)
    at = dict(zip(inputs, values, strict=True))
    x = inputs[0]
    dense = ad.evaluate(ad.hessian(ad.sum(y), x), at)
    pattern = ad.sparsity(ad.sum(y), x, order=2)
    assert_covers(pattern, dense)
    for coloring in ("star", "acyclic", "column"):
        sparse = ad.hessian(ad.sum(y), x, sparse=True, coloring=coloring).evaluate(at)
        np.testing.assert_allclose(sparse.toarray(), dense.reshape(pattern.shape), atol=1e-9)


# ---- exact where the record tells


def ones(pattern):
    return pattern.matrix.toarray().astype(int)


x = ad.vector("x", shape=6)
BAND = np.eye(5, 6) + np.eye(5, 6, k=1)
SHIFT = np.eye(6, k=1)
EXACT = {
    "entry by entry": (ad.sin(x) * x, np.eye(6)),
    "slices": (x[1:] - x[:-1], BAND),
    "a known matrix": (SHIFT @ ad.exp(x), SHIFT),
    "a known matrix in einsum": (ad.einsum("ij,j->i", SHIFT, ad.exp(x)), SHIFT),
    "a known factor": (x * np.array([1.0, 0, 2, 0, 3, 0]), np.diag([1, 0, 1, 0, 1, 0])),
    "a known choice": (ad.where(np.arange(6) < 3, x, x[::-1]), np.eye(6)[[0, 1, 2, 2, 1, 0]]),
    "places": (x[np.array([5, 0, 0])], np.eye(6)[[5, 0, 0]]),
    "sums at places": (
        ad.zeros(2).at[np.array([0, 1, 0])].add(x[:3]), [[1, 0, 1, 0, 0, 0], [0, 1, 0, 0, 0, 0]]
    ),
    "sums of rows": (ad.reshape(x, (2, 3)).sum(axis=1), np.kron(np.eye(2), np.ones((1, 3)))),
    "means of columns": (ad.reshape(x, (2, 3)).mean(axis=0), np.kron(np.ones((1, 2)), np.eye(3))),
    "softmax": (ad.softmax(ad.reshape(x, (2, 3))), np.kron(np.eye(2), np.ones((3, 3)))),
    "concatenated": (ad.concatenate([x[4:], x[:4] ** 2]), np.eye(6)[[4, 5, 0, 1, 2, 3]]),
    "transposed": (ad.reshape(x, (2, 3)).T, np.eye(6)[[0, 3, 1, 4, 2, 5]]),
    "padded": (ad.pad(x, 1), np.eye(8, 6, k=-1)),
    "rolled": (ad.roll(x, 1), np.roll(np.eye(6), 1, axis=0)),
    "rows times a matrix": (
        ad.reshape(x, (2, 3)) @ np.ones((3, 2)), np.kron(np.eye(2), np.ones((2, 3)))
    ),
    "stacks of inverses": (ad.inv(ad.reshape(x[:2], (2, 1, 1))), np.eye(2, 6)),
    "a box": (ad.checkpoint(lambda v: ad.sin(v[1:]))(x), np.eye(5, 6, k=1)),
    "a loop over rows": (
        ad.scan(lambda r, s: s + r, sequences=x, outputs_info=0.0), np.tril(np.ones((6, 6)))
    ),
    "whole numbers": (x * ad.arange(6), np.diag([0, 1, 1, 1, 1, 1])),
    "what does not depend": (ad.constant(np.ones(3)) * 2, np.zeros((3, 6))),
    "a gate": (ad.disconnected_grad(x) * x, np.eye(6)),
}  # fmt: skip


@pytest.mark.each("name", EXACT)
def test_a_pattern_is_exact_where_the_record_tells(name):
    y, expected = EXACT[name]
    assert (ones(ad.sparsity(y, x)) == np.asarray(expected)).all()


def test_an_operation_that_says_nothing_is_dense():
    class Odd(ad.Op):
        def infer_type(self, v):
            return v

        def perform(self, v):
            return v

    assert ones(ad.sparsity(Odd()(x), x)).all()


def test_an_override_may_depend_on_anything():
    f = ad.custom_gradient(lambda v: (2 * v, lambda ct: [ad.sum(ct) * v]))
    assert ones(ad.sparsity(f(x), x)).all()


@pytest.mark.each(
    "y",
    [ad.where(x > 0, x, x[::-1]), ad.maximum(x, x[::-1]), ad.cond(x[0] > 0, lambda: x,
     lambda: x[::-1])],
)  # fmt: skip
def test_a_choice_by_value_is_the_union_and_says_so(y):
    pattern = ad.sparsity(y, x)
    assert (ones(pattern) == np.eye(6) + np.eye(6)[::-1]).all()
    assert "union" in repr(pattern) and pattern.notes


def test_an_index_that_is_an_expression_may_be_any():
    k = ad.scalar("k", dtype="int64")
    pattern = ad.sparsity(x[k], x)
    assert ones(pattern).all() and pattern.notes


def test_an_input_that_y_does_not_need_is_an_error_as_in_a_dense_jacobian():
    z = ad.vector("z", shape=3)
    with pytest.raises(ad.DisconnectedInputError):
        ad.jacobian(x, z, sparse=True)
    assert ad.jacobian(x, z, disconnected_inputs="ignore", sparse=True).nnz == 0


def test_an_override_inside_a_box_is_no_symmetric_hessian():
    odd = ad.custom_gradient(lambda v: (v**2, lambda ct: [ct * v[::-1]]))
    cost = ad.sum(ad.checkpoint(odd)(x) * x)
    assert not ad.sparsity(cost, x, order=2).symmetric
    at = {x: np.arange(1.0, 7)}
    H = ad.hessian(cost, x, sparse=True).evaluate(at)
    np.testing.assert_allclose(H.toarray(), ad.evaluate(ad.hessian(cost, x), at))


def test_a_long_graph_is_walked_once():
    def choices(n, attempt):
        s = y = ad.scalar("s")
        for _ in range(n):
            y = ad.where(y > 0, 2.0 * y, y)
        return y, s

    assert_linear(lambda graph: ad.sparsity(*graph), choices, 800)


def test_a_list_of_inputs_gives_a_list():
    z = ad.vector("z", shape=3)
    first, second = ad.sparsity(x[:3] * z, [x, z])
    assert first.shape == (3, 6) and (ones(second) == np.eye(3)).all()


@pytest.mark.each(
    ("call", "words"),
    [
        (lambda: ad.sparsity(x, ad.vector("v")), "shape=5"),
        (lambda: ad.sparsity(x), "with respect to what"),
        (lambda: ad.sparsity(x, x, order=3), "the order is 1"),
        (lambda: ad.sparsity(x, x, order=2), "must be a scalar"),
        (lambda: ad.sparsity(x, x).coloring("star"), "is for a Hessian"),
        (lambda: ad.sparsity(x, x).coloring("rows"), "a colouring is"),
        (lambda: ad.jacobian(x, x, coloring="column"), "add sparse=True"),
        (lambda: ad.hessian(ad.sum(x), x, coloring="star"), "add sparse=True"),
        (lambda: ad.jacobian(x, x, sparse=True, coloring="star"), "column, row"),
        (lambda: ad.jacobian(x, x, sparse=True, mode="sideways"), "forward"),
        (lambda: ad.jacobian(x, x, sparse=True, mode="forward", coloring="row"), "leave one"),
        (lambda: ad.jacobian(x, x, [x], sparse=True, coloring="column"), "for reverse mode"),
        (lambda: ad.evaluate(ad.jacobian(x, x, sparse=True), {}), r"write .data behind it"),
    ],
)
def test_what_cannot_be_is_told(call, words):
    with pytest.raises((ValueError, TypeError), match=words):
        call()


def test_what_is_nearly_dense_is_an_error_before_memory_is_gone():
    long = ad.vector("long", shape=10**5)
    with pytest.raises(ValueError, match=r"softmax.*ad\.pushforward"):
        ad.sparsity(ad.softmax(long), long)
