"""Colourings and compressed derivatives: valid, few, and equal to the dense ones."""

import numpy as np
import pytest
import scipy.sparse as sp

import autodiff_edu as ad
from autodiff_edu.structure.sparsity import Sparsity
from tests.helpers.depth import some

pytestmark = pytest.mark.numeric


def rosenbrock(x):
    return ad.sum(100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2)


def through(matrix, x):
    """A function whose Jacobian has the pattern of a matrix."""
    return ad.constant(matrix) @ ad.exp(x)


def laplacian(k):
    line = sp.diags_array([-1.0, 2, -1], offsets=[-1, 0, 1], shape=(k, k))
    return (sp.kron(line, sp.eye_array(k)) + sp.kron(sp.eye_array(k), line)).toarray()


def random(m, n, seed, density=0.1):
    draw = np.random.default_rng(seed)
    return draw.uniform(1, 2, (m, n)) * (draw.random((m, n)) < density)


def tridiagonal(n):
    return np.eye(n) + np.eye(n, k=1) + np.eye(n, k=-1)


ARROW = np.eye(30)
ARROW[0] = 1
MATRICES = {
    "tridiagonal": tridiagonal(20),
    "arrow": ARROW,
    "band of 7": sum(np.eye(25, k=k) for k in range(-3, 4)),
    "blocks": np.kron(np.eye(5), np.ones((3, 4))),
    "Laplacian": laplacian(6),
    "dense": np.ones((4, 6)),
    "empty": np.zeros((3, 5)),
    **{f"random {k}": random(30, 20 + k, k) for k in range(6)},
}


@pytest.mark.each("name", some(MATRICES, 2))
@pytest.mark.each("how", some([{}, {"mode": "forward"}, {"mode": "reverse"}], 2))
def test_a_compressed_jacobian_is_the_dense_one(name, how):
    matrix = MATRICES[name]
    x = ad.vector("x", shape=matrix.shape[1])
    at = {x: np.linspace(-1, 1, x.size)}
    J = ad.jacobian(through(matrix, x), x, sparse=True, **how)
    assert J.nnz == np.count_nonzero(matrix)
    np.testing.assert_allclose(J.evaluate(at).toarray(), matrix * np.exp(at[x]), rtol=1e-13)
    np.testing.assert_allclose(ad.evaluate(J.dense, at), matrix * np.exp(at[x]), rtol=1e-13)


def colors(matrix, kind):
    return Sparsity(sp.csr_array(matrix != 0), symmetric=True).coloring(kind)


@pytest.mark.each("n", [3, 4, 5, 10, 101, 1000])
def test_a_tridiagonal_matrix_takes_three_colours(n):
    assert colors(tridiagonal(n), "column").count == 3
    assert colors(tridiagonal(n), "star").count == min(3, n - 1)
    assert colors(tridiagonal(n), "acyclic").count == 2


def test_an_arrow_takes_all_columns_or_two_rows():
    assert colors(ARROW, "column").count == len(ARROW)
    assert colors(ARROW, "row").count == 2
    x = ad.vector("x", shape=len(ARROW))
    J = ad.jacobian(through(ARROW, x), x, sparse=True)
    assert J.mode == "reverse" and J.coloring.count == 2 and "2 pullbacks instead of 30" in J.why


@pytest.mark.each("width", [1, 2, 5])
def test_a_band_takes_as_many_colours_as_it_is_wide(width):
    matrix = sum(np.eye(40, k=k) for k in range(-width, width + 1))
    assert colors(matrix, "column").count == 2 * width + 1


def test_blocks_take_as_many_colours_as_one_of_them():
    assert colors(np.kron(np.eye(6), np.ones((4, 3))), "column").count == 3


@pytest.mark.each("k", [3, 8, 20])
def test_the_five_point_laplacian_is_near_the_known_bounds(k):
    matrix = laplacian(k)
    assert 5 <= colors(matrix, "column").count <= 8  # 5 by hand, and rows have 5 ones
    assert colors(matrix, "star").count <= 6
    assert colors(matrix, "acyclic").count <= 4


# ---- colourings are what they say


def symmetric(seed):
    half = random(25, 25, seed, 0.06)
    return half + half.T + np.eye(25) * (seed % 2)


@pytest.mark.each("seed", range(8))
def test_columns_of_one_colour_share_no_row(seed):
    matrix = random(30, 25, seed) != 0
    found = colors(matrix, "column")
    assert (matrix @ found.seeds.T <= 1).all()
    assert found.count >= matrix.sum(axis=1).max(initial=0)


def neighbours(matrix):
    return (matrix != 0) & ~np.eye(len(matrix), dtype=bool)


def two_colored(near, c):
    """For each pair of colours the graph between them."""
    for a in range(c.max() + 1):
        for b in range(a):
            keep = np.isin(c, (a, b))
            yield near[np.ix_(keep, keep)]


@pytest.mark.each("seed", range(8))
@pytest.mark.each("kind", ["star", "acyclic"])
def test_two_colours_make_stars_or_trees(seed, kind):
    near, c = neighbours(symmetric(seed)), colors(symmetric(seed), kind).colors
    assert not (near & (c == c[:, None])).any()
    for part in two_colored(near, c):
        count = sp.csgraph.connected_components(sp.csr_array(part))[0]
        assert part.sum() // 2 == len(part) - count  # a forest
        if kind == "star":
            middle = part.sum(axis=0) > 1
            assert not part[np.ix_(middle, middle)].any()


@pytest.mark.each("seed", some(range(8), 2))
@pytest.mark.each("kind", some(["star", "acyclic", "column"], 2))
def test_a_compressed_hessian_is_the_dense_one(seed, kind):
    matrix = symmetric(seed)
    x = ad.vector("x", shape=len(matrix))
    cost = ad.sum(ad.sin(x) * (ad.constant(matrix) @ ad.exp(x)))
    at = {x: np.random.default_rng(seed).normal(size=len(matrix))}
    H = ad.hessian(cost, x, sparse=True, coloring=kind)
    dense = ad.evaluate(ad.hessian(cost, x), at)
    np.testing.assert_allclose(H.evaluate(at).toarray(), dense, rtol=1e-9, atol=1e-10)


# ---- Rosenbrock's function


def test_a_hessian_takes_three_products_by_stars_and_two_by_trees():
    x = ad.vector("x", shape=50)
    assert ad.hessian(rosenbrock(x), x, sparse=True).coloring.count == 3
    H = ad.hessian(rosenbrock(x), x, sparse=True, coloring="acyclic")
    assert H.coloring.count == 2 and "acyclic" in H.why


def test_a_large_hessian_has_only_its_nonzeros():
    n = 10**5
    x = ad.vector("x", shape=n)
    H = ad.hessian(rosenbrock(x), x, sparse=True)
    values = np.linspace(0, 1, n)
    found = H.evaluate({x: values})
    assert H.nnz == found.nnz == 3 * n - 2
    main = np.full(n, 200.0)
    main[:-1] = 1200 * values[:-1] ** 2 - 400 * values[1:] + 2
    main[1:-1] += 200
    np.testing.assert_allclose(found.diagonal(), main, rtol=1e-12, atol=1e-9)
    np.testing.assert_allclose(found.diagonal(1), -400 * values[:-1], rtol=1e-12)


def test_substitution_has_errors_that_grow_along_a_tree():
    x = ad.vector("x", shape=2000)
    at = {x: np.random.default_rng(0).normal(size=2000)}
    exact = ad.hessian(rosenbrock(x), x, sparse=True).evaluate(at)
    found = ad.hessian(rosenbrock(x), x, sparse=True, coloring="acyclic").evaluate(at)
    errors = abs(found - exact).toarray()
    assert 0 < errors.max() < 1e-7 * abs(exact).max()


# ---- functions, other shapes, further derivatives


def test_of_a_function_the_result_is_a_sparse_array():
    v = np.linspace(-1, 1, 7)
    J = ad.jacobian(lambda x: x[1:] * x[:-1], sparse=True)(v)
    assert isinstance(J, sp.csr_array) and J.shape == (6, 7) and J.nnz == 12
    H = ad.hessian(rosenbrock, sparse=True)(v)
    np.testing.assert_allclose(H.toarray(), ad.hessian(rosenbrock)(v))


def test_of_two_arguments_there_are_blocks():
    def cost(x, y):
        return ad.sum(x**2 * y) + ad.sum(y**3)

    x, y = np.arange(1.0, 4), np.arange(2.0, 5)
    ((xx, xy), (yx, yy)) = ad.hessian(cost, (0, 1), sparse=True)(x, y)
    np.testing.assert_allclose(xx.toarray(), np.diag(2 * y))
    np.testing.assert_allclose(xy.toarray(), np.diag(2 * x))
    np.testing.assert_allclose(yx.toarray(), np.diag(2 * x))
    np.testing.assert_allclose(yy.toarray(), np.diag(6 * y))


def test_arrays_of_any_shape_are_flat_in_the_matrix():
    x = ad.tensor("x", shape=(2, 3))
    J = ad.jacobian(ad.sin(x).T, x, sparse=True)
    value = np.arange(6.0).reshape(2, 3)
    dense = ad.evaluate(ad.jacobian(ad.sin(x).T, x), {x: value})
    np.testing.assert_allclose(J.evaluate({x: value}).toarray(), dense.reshape(6, 6))


@pytest.mark.parametrize("coloring", ["star", "acyclic"])
def test_the_nonzeros_can_be_differentiated(coloring):
    x = ad.vector("x", shape=5)
    value = np.linspace(-1, 1, 5)
    H = ad.hessian(rosenbrock(x), x, sparse=True, coloring=coloring)
    found = ad.evaluate(ad.grad(ad.sum(H.data), x), {x: value})
    dense = ad.evaluate(ad.grad(ad.sum(ad.hessian(rosenbrock(x), x)), x), {x: value})
    np.testing.assert_allclose(found, dense, atol=1e-9)


def test_a_program_keeps_the_pattern():
    x, a = ad.vector("x", shape=4), ad.scalar("a")
    f = ad.jacobian(a * x[1:] * x[:-1], x, sparse=True).function([x, a])
    np.testing.assert_allclose(f(np.ones(4), 3.0).data, 3)


def test_a_gate_has_rows_alone():
    x = ad.vector("x", shape=4)
    J = ad.jacobian(ad.grad_scale(x, 3.0) * x, x, sparse=True)
    assert J.mode == "reverse"
    np.testing.assert_allclose(J.evaluate({x: np.ones(4)}).toarray(), 4 * np.eye(4))
    H = ad.hessian(ad.sum(ad.grad_scale(x, 3.0) ** 2), x, sparse=True)
    dense = ad.evaluate(ad.hessian(ad.sum(ad.grad_scale(x, 3.0) ** 2), x), {x: np.ones(4)})
    np.testing.assert_allclose(H.evaluate({x: np.ones(4)}).toarray(), dense)


def test_what_is_constant_stays_so():
    x = ad.vector("x", shape=4)
    fixed = ad.sin(x)
    J = ad.jacobian(fixed * x, x, consider_constant=[fixed], sparse=True)
    np.testing.assert_allclose(J.evaluate({x: np.ones(4)}).diagonal(), np.sin(1))


def test_within_another_trace_the_nonzeros_are_an_expression():
    def mean_square(x):
        return ad.sum(ad.jacobian(lambda v: v[1:] * v[:-1], sparse=True)(x).data ** 2)

    v = np.arange(1.0, 5)
    np.testing.assert_allclose(ad.grad(mean_square)(v), [2, 8, 12, 8][:1] + [4 * 2, 4 * 3, 2 * 4])
