"""`nlinalg` and `slinalg`, compared with NumPy and SciPy on random matrices."""

import numpy as np
import pytest
import scipy.linalg

import autodiff_edu.theano as theano
from autodiff_edu.theano import tensor as T
from autodiff_edu.theano.gradient import verify_grad
from autodiff_edu.theano.tensor import nlinalg, slinalg

pytestmark = pytest.mark.numeric
RNG = np.random.RandomState
DTYPES = ["uint8", "int32", "int64", "float16", "float32", "float64"]
SHAPES = [(4, 4), (2, 4), (4, 2)]


def check(function, expected, value):
    x = T.dmatrix()
    found = theano.function([x], function(x))(value)
    expected = expected if isinstance(expected, (tuple, list)) else [expected]
    found = found if isinstance(found, list) else [found]
    for a, b in zip(found, expected, strict=True):
        np.testing.assert_allclose(a, b, atol=1e-10)


@pytest.mark.each("shape", SHAPES)
@pytest.mark.each("full", [True, False])
def test_singular_values_of_any_shape(shape, full):
    value = RNG(0).rand(*shape)
    check(lambda x: nlinalg.svd(x, full), list(np.linalg.svd(value, full)), value)
    check(lambda x: nlinalg.svd(x, full, False), np.linalg.svd(value, full, False), value)


@pytest.mark.each("shape", SHAPES)
@pytest.mark.each("mode", ["reduced", "r", "raw", "complete"])
def test_orthogonal_factors_of_each_mode(shape, mode):
    if mode in ("reduced", "r") and shape[0] < shape[1]:
        shape = shape[::-1]  # of more columns than rows, the engine factors the first
    value = RNG(1).rand(*shape)
    expected = np.linalg.qr(value, mode)
    check(lambda x: nlinalg.qr(x, mode), list(expected) if mode != "r" else expected, value)


@pytest.mark.parametrize("lower", [True, False])
def test_a_matrix_without_a_factor_gives_nan_if_asked_to(lower):
    good, bad = np.cov(RNG(2).randn(3, 9)), np.array([[1, 0.2], [0.2, -2]])
    factor = slinalg.Cholesky(lower=lower, on_error="nan")
    x = T.dmatrix()
    f = theano.function([x], [factor(x), T.grad(factor(x).sum(), x)])
    assert all(np.isnan(found).all() for found in f(bad))
    plain = slinalg.Cholesky(lower=lower)(x)
    expected = theano.function([x], [plain, T.grad(plain.sum(), x)])(good)
    np.testing.assert_allclose(f(good), expected)
    np.testing.assert_allclose(expected[0], scipy.linalg.cholesky(good, lower))
    with pytest.raises(np.linalg.LinAlgError):
        theano.function([x], plain)(bad)
    with pytest.raises(ValueError, match="'raise' or 'nan'"):
        slinalg.cholesky(x, on_error="zero")


def test_eigenvalues_of_two_matrices():
    a, b = RNG(3).randn(5, 5), 10 * np.eye(5) + RNG(4).randn(5, 5)
    x, y = T.dmatrices("x", "y")
    a = a + a.T
    for lower in (True, False):
        f = theano.function([x, y], slinalg.eigvalsh(x, y, lower))
        np.testing.assert_allclose(f(a, b), scipy.linalg.eigvalsh(a, b, lower=lower))
    weights = np.arange(1.0, 6.0)
    verify_grad(lambda x, y: slinalg.eigvalsh(x, y).dot(weights), [a, b], rng=RNG(0))


@pytest.mark.each("left", DTYPES)
@pytest.mark.each("right", DTYPES)
def test_equations_of_all_dtypes(left, right):
    a, b = T.matrix(dtype=left), T.matrix(dtype=right)
    x = slinalg.solve(a, b)
    found = theano.function([a, b], x)(np.eye(2, dtype=left), np.ones((2, 1), right))
    assert found.dtype == x.dtype and np.array_equal(found, np.ones((2, 1)))


def test_least_squares_is_a_class():
    a, b, rcond = T.lmatrix(), T.lmatrix(), T.lscalar()
    f = theano.function([a, b, rcond], nlinalg.lstsq()(a, b, rcond))
    left, right = np.array([[2, 1], [3, 4]]), np.array([[17, 20], [43, 50]])
    np.testing.assert_allclose(left @ f(left, right, 1)[0], right)
    x, y, z = T.vector(), T.vector(), T.vector()
    f = theano.function([x, y, z], nlinalg.lstsq()(x, y, z))
    with pytest.raises(np.linalg.LinAlgError):
        f([2, 1], [2, 1], [2, 1])


VECTOR = [(None, None), ("inf", np.inf), ("-inf", -np.inf), (0, 0), (1, 1), (-1, -1), (3, 3)]
MATRIX = [(None, None), ("fro", "fro"), ("inf", np.inf), ("-inf", -np.inf), (1, 1), (-1, -1)]


def test_norms():
    v, m = RNG(5).randn(4), RNG(6).randn(4, 3)
    for ours, numpys in VECTOR:
        np.testing.assert_allclose(nlinalg.norm(v, ours).eval(), np.linalg.norm(v, numpys))
    for ours, numpys in MATRIX:
        np.testing.assert_allclose(nlinalg.norm(m, ours).eval(), np.linalg.norm(m, numpys))
    for x, ord, error in [
        ([2, 1], "fro", ValueError),
        ([[2, 1], [3, 4]], 0, ValueError),
        (3, None, ValueError),
        (np.ones((2, 2, 2)), None, NotImplementedError),
    ]:
        with pytest.raises(error):
            nlinalg.norm(x, ord)


def test_a_diagonal_is_allocated_of_a_vector():
    assert np.array_equal(nlinalg.alloc_diag(T.constant([1.0, 2.0])).eval(), np.diag([1.0, 2.0]))
    with pytest.raises(TypeError, match="vector"):
        nlinalg.alloc_diag(T.matrix())


def test_eigenvalues_are_an_operation_that_a_class_can_keep():
    class Kept:
        op = nlinalg.eig

    x, value = T.dmatrix(), RNG(7).randn(4, 4)
    w, v = theano.function([x], Kept().op(x))(value + value.T)
    np.testing.assert_allclose((value + value.T) @ v, w * v, atol=1e-10)


def test_an_equation_with_a_triangle_reads_the_triangle():
    a, b = np.array([[2.0, 5.0], [1.0, 4.0]]), np.array([2.0, 9.0])
    for name, part in (("lower_triangular", np.tril), ("upper_triangular", np.triu)):
        x = slinalg.Solve(A_structure=name)(T.constant(a), T.constant(b))
        assert np.allclose(x.eval(), np.linalg.solve(part(a), b))
    with pytest.raises(ValueError, match="matrix structure"):
        slinalg.Solve("round")
