"""Linear algebra: NumPy's values, one derivative forwards, backwards and by differences, stacks."""

from functools import partial
from math import inf

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu.check import central_differences
from autodiff_edu.core.derivative_rules import zero
from autodiff_edu.expr import Expr, Graph, Input, TensorType, constant, evaluate
from autodiff_edu.library import decompositions, diagonals, linalg, norms, symmetric
from autodiff_edu.ops.batch import batched
from tests.helpers.depth import some
from tests.helpers.values import value

pytestmark = pytest.mark.numeric

RNG = np.random.default_rng(11)


def general(*shape):
    """Matrices whose singular values lie well apart from each other and from 0."""
    k = min(shape[-2:])
    u, _, vh = np.linalg.svd(RNG.normal(size=shape), full_matrices=False)
    return (u * np.arange(1.0, k + 1)[::-1]) @ vh


def spd(*shape):
    """Symmetric positive matrices with eigenvalues 1, 2, …, n."""
    q, _ = np.linalg.qr(RNG.normal(size=shape))
    return (q * np.arange(1.0, shape[-1] + 1)) @ np.swapaxes(q, -1, -2)


def starred(multi_dot):
    return lambda *arrays: multi_dot(arrays)


OURS = {**vars(diagonals), **vars(linalg), **vars(symmetric), **vars(decompositions), **vars(norms)}
OURS["trace"] = diagonals.matrix_trace
OURS["multi_dot"] = starred(linalg.multi_dot)
NUMPYS = {name: getattr(np, name) for name in "tril triu diag diagonal trace cross".split()} | {
    "multi_dot": starred(np.linalg.multi_dot),
    "cofactor": lambda x: np.linalg.det(x) * np.linalg.inv(x).T,
}


def case(name, *values, **options):
    """Our function and NumPy's of that name, with these options, and values for the operands."""
    numpys = NUMPYS.get(name) or getattr(np.linalg, name)
    words = [name, *(str(v.shape) for v in values), *(f"{k}={v}" for k, v in options.items())]
    return pytest.param(
        partial(OURS[name], **options), partial(numpys, **options), values, id=" ".join(words)
    )


def normal(*shape):
    return RNG.normal(size=shape)


VECTOR, MATRIX, STACK = RNG.uniform(0.5, 2, 4), general(3, 4), general(2, 3, 4)
FOUR_AXES = normal(2, 3, 4, 3)
MATRIX_NORMS = ("fro", "nuc", 1, -1, 2, -2, inf, -inf)
CASES = [
    *[case("inv", general(*s)) for s in [(3, 3), (2, 3, 3)]],
    *[case("solve", general(3, 3), normal(*s)) for s in [(3, 2), (3,), (2, 3, 2)]],
    *[case("solve", general(2, 1, 3, 3), normal(*s)) for s in [(4, 3, 2), (3,)]],
    *[case("pinv", general(*s)) for s in [(4, 2), (2, 2, 3), (3, 3)]],
    *[case("det", general(*s)) for s in [(3, 3), (1, 1), (2, 3, 3)]],
    *[case("slogdet", general(*s)) for s in [(3, 3), (2, 2, 2)]],
    case("cofactor", general(3, 3)),
    *[case("matrix_power", general(3, 3), n=n) for n in (0, 1, 2, 6, -1)],
    *[case("matrix_power", general(2, 2, 2), n=n) for n in (0, 5, -3)],
    case("multi_dot", normal(2, 5), normal(5, 3), normal(3, 4), normal(4, 2)),
    case("multi_dot", normal(5), normal(5, 3), normal(3, 4), normal(4)),
    case("cross", normal(3), normal(3)),
    case("cross", normal(2, 3), normal(3)),
    case("cross", normal(3, 2), normal(2, 3), axisa=0, axisb=1, axisc=0),
    case("cross", normal(3, 2), normal(3, 2), axis=0),
    *[case("cholesky", spd(*s)) for s in [(3, 3), (2, 3, 3)]],
    case("cholesky", spd(3, 3), upper=True),
    *[case("eigh", spd(*s)) for s in [(3, 3), (2, 3, 3)]],
    *[case("eigvalsh", general(*s)) for s in [(3, 3), (2, 3, 3)]],
    case("eigvalsh", general(3, 3), UPLO="U"),
    *[case("qr", general(*s)) for s in [(3, 3), (4, 2), (2, 3, 2)]],
    case("qr", general(4, 3), mode="r"),
    case("svd", general(3, 3)),
    *[case("svd", general(*s), full_matrices=False) for s in [(4, 2), (2, 4), (2, 3, 2)]],
    case("svd", general(3, 4), compute_uv=False),
    case("svdvals", general(2, 4, 3)),
    *[case("norm", x) for x in (VECTOR, MATRIX, STACK)],
    *[case("norm", MATRIX, axis=axis, keepdims=kept) for axis, kept in [(1, False), (-1, True)]],
    *[case("norm", STACK, axis=axis, keepdims=True) for axis in (None, (0, 2))],
    *[case("norm", VECTOR, ord=ord) for ord in (2, 1, 3, 0.5, -2, inf, -inf)],
    *[case("norm", MATRIX, ord=ord, axis=0, keepdims=True) for ord in (2, 1, 3, inf, -inf)],
    *[case("norm", MATRIX, ord=ord) for ord in MATRIX_NORMS],
    *[case("norm", STACK, ord=ord, axis=(2, 0)) for ord in MATRIX_NORMS],
    *[case("norm", STACK, ord=ord, axis=(-2, -1), keepdims=True) for ord in MATRIX_NORMS],
    case("vector_norm", MATRIX),
    case("vector_norm", STACK, axis=(0, 2), ord=3),
    case("matrix_norm", STACK),
    case("matrix_norm", STACK, ord="nuc", keepdims=True),
    *[case(f, MATRIX, k=k) for f in ("tril", "triu", "diag") for k in (-4, -1, 0, 2, 5)],
    *[case(f, MATRIX, offset=k) for f in ("diagonal", "trace") for k in (-4, -1, 0, 2, 5)],
    *[case("diag", VECTOR, k=k) for k in (-2, 0, 1)],
    case("tril", VECTOR),
    case("triu", general(2, 3, 3)),
    case("diagonal", FOUR_AXES, offset=1, axis1=-1, axis2=1),
    case("trace", FOUR_AXES, axis1=2, axis2=0),
]
SINGULAR = [
    np.zeros((3, 3)), np.ones((3, 3)), np.diag([1.0, 0.0, 0.0]), np.diag([2.0, 2.0, 0.0]),
    np.eye(3), general(3, 3), general(2, 3, 3) * [[[1]], [[0]]], np.zeros((2, 2)), np.zeros((1, 1)),
]  # fmt: skip


def cases(turn, of=6):
    return pytest.mark.each("ours, numpys, values", some(CASES, of, turn))


every_case = cases(0, of=1)


def inputs_for(values, known=True):
    """An input of the type of each value; lengths are known or, but for ones, unknown."""
    shapes = [v.shape if known else [1 if n == 1 else None for n in v.shape] for v in values]
    return [Input(f"x{k}", TensorType(v.dtype, shapes[k])) for k, v in enumerate(values)]


def as_list(result):
    return [result] if isinstance(result, (Expr, np.ndarray, np.generic)) else list(result)


def build(ours, values, known=True):
    inputs = inputs_for(values, known)
    return inputs, as_list(ours(*inputs)), dict(zip(inputs, values))


def all_values(nodes, at):
    return [np.asarray(evaluate(n, at)) for n in nodes]


def seeds(nodes, at):
    """Random cotangents of the nodes' shapes."""
    return [RNG.normal(size=v.shape) for v in all_values(nodes, at)]


def cost_of(nodes, us):
    total = 0
    for y, u in zip(nodes, us):
        total = total + ad.sum(y * constant(u))
    return total


def numeric_gradient(f, values, k, h=1e-5):
    """Central differences of a function of arrays along every entry of the k-th."""

    def at(v):
        return f(*[v if j == k else x for j, x in enumerate(values)])

    return central_differences(at, values[k], h)


# ---- values


@every_case
@pytest.mark.each("known", some([True, False], 2, turn=1))
def test_values_and_types_are_numpys(ours, numpys, values, known):
    if not known and needs_lengths(ours, values):
        return
    _, nodes, at = build(ours, values, known)
    for y, found, wanted in zip(nodes, all_values(nodes, at), as_list(numpys(*values))):
        np.testing.assert_allclose(found, wanted, rtol=1e-11, atol=1e-12)
        assert found.shape == np.shape(wanted) and y.type.fits(found.shape)
        assert y.dtype == found.dtype == np.asarray(wanted).dtype
        if known:
            assert y.type.shape == found.shape


def needs_lengths(ours, values):
    """cross and the full svd say so where lengths are not known."""
    try:
        ours(*inputs_for(values, known=False))
    except ad.ShapeError as error:
        assert "declare" in str(error) or "full_matrices=False" in str(error)
        return True
    return False


@cases(0)
def test_float32_stays(ours, numpys, values):
    small = [v.astype("float32") for v in values]
    inputs, nodes, at = build(ours, small)
    wanted = as_list(numpys(*small))
    assert [y.dtype for y in nodes] == [np.asarray(w).dtype for w in wanted]
    assert [v.dtype for v in all_values(nodes, at)] == [y.dtype for y in nodes]
    us = [u.astype(y.dtype) for u, y in zip(seeds(nodes, at), nodes)]
    if all(y.dtype == "float32" for y in nodes):
        gradients = ad.reverse_mode(cost_of(nodes, us), inputs).outputs
        tangents = [constant(v) for v in small]
        pushed = ad.forward_mode(nodes, inputs, tangents).outputs
        for n in [*gradients, *pushed]:
            assert n.dtype == evaluate(n, at).dtype == "float32"


# ---- derivatives


@cases(1)
@pytest.mark.each("known", some([True, False], 2))
def test_gradients_agree_with_differences_of_numpys_own_function(ours, numpys, values, known):
    if not known and needs_lengths(ours, values):
        return
    inputs, nodes, at = build(ours, values, known)
    us = seeds(nodes, at)

    def numpys_cost(*arrays):
        return sum(float(np.sum(u * y)) for u, y in zip(us, as_list(numpys(*arrays))))

    gradients = ad.reverse_mode(cost_of(nodes, us), inputs).outputs
    for k, g in enumerate(gradients):
        wanted = numeric_gradient(numpys_cost, values, k)
        np.testing.assert_allclose(evaluate(g, at), wanted, rtol=1e-6, atol=1e-7)


@cases(2)
@pytest.mark.each("known", some([True, False], 2))
def test_forward_is_the_adjoint_of_reverse(ours, numpys, values, known):
    if not known and needs_lengths(ours, values):
        return
    inputs, nodes, at = build(ours, values, known)
    us = seeds(nodes, at)
    ts = [RNG.normal(size=v.shape) for v in values]
    pushed = all_values(ad.forward_mode(nodes, inputs, [constant(t) for t in ts]).outputs, at)
    pulled = all_values(ad.reverse_mode(cost_of(nodes, us), inputs).outputs, at)
    forwards = sum(np.sum(u * p) for u, p in zip(us, pushed))
    backwards = sum(np.sum(t * p) for t, p in zip(ts, pulled))
    np.testing.assert_allclose(forwards, backwards, rtol=1e-9, atol=1e-9)


@cases(3)
def test_each_result_alone_has_its_own_gradient(ours, numpys, values):
    inputs, nodes, at = build(ours, values)
    us = seeds(nodes, at)
    together = all_values(ad.reverse_mode(cost_of(nodes, us), inputs).outputs, at)
    alone = [all_values(ad.reverse_mode(cost_of([y], [u]), inputs).outputs, at)
             for y, u in zip(nodes, us)]  # fmt: skip
    for k, whole in enumerate(together):
        np.testing.assert_allclose(sum(a[k] for a in alone), whole, rtol=1e-9, atol=1e-9)


@cases(5)
def test_second_derivatives_agree_with_differences(ours, numpys, values):
    inputs, nodes, at = build(ours, values)
    us = seeds(nodes, at)
    cost = sum((ad.sum(y * y * constant(u)) for y, u in zip(nodes, us)), start=constant(0.0))
    x, v = inputs[0], values[0]
    slope = ad.grad(cost, x, disconnected_inputs="ignore")
    along = ad.sum(slope * constant(RNG.normal(size=v.shape)))
    second = ad.reverse_mode(along, inputs).outputs
    for y, w, g in zip(inputs, values, second):
        wanted = central_differences(lambda z, y=y: float(evaluate(along, {**at, y: z})), w, 1e-5)
        np.testing.assert_allclose(evaluate(g, at), wanted, rtol=1e-5, atol=1e-5)
    t = RNG.normal(size=v.shape)
    forward = evaluate(ad.forward_mode(along, x, constant(t)).output, at)
    np.testing.assert_allclose(forward, np.sum(evaluate(second[0], at) * t), rtol=1e-8, atol=1e-8)


@cases(2)
def test_symbolic_derivative_agrees_with_forward_mode(ours, numpys, values):
    inputs, nodes, at = build(ours, values)
    x, t = inputs[0], RNG.normal(size=values[0].shape)
    for y in nodes:
        stage = ad.symbolic_derivative(y, x)
        d = {i: t for i in stage.graph.inputs if i.name == f"d{x.name}"}
        forward = ad.forward_mode(y, x, constant(t)).output
        np.testing.assert_allclose(evaluate(stage.output, {**at, **d}), evaluate(forward, at),
                                   rtol=1e-10, atol=1e-10)  # fmt: skip


@cases(4)
@pytest.mark.each("known", some([True, False], 2, turn=1))
def test_batching_is_the_operation_on_each_slice(ours, numpys, values, known):
    if not known and needs_lengths(ours, values):
        return
    inputs, nodes, at = build(ours, values, known)
    us = seeds(nodes, at)
    nodes += ad.reverse_mode(cost_of(nodes, us), inputs[0]).outputs
    x = inputs[0]
    slices = [values[0], values[0] * 1.1, values[0] + 0.05]
    many = Input("many", TensorType("float64", (3, *x.type.shape)))
    for y, b in zip(nodes, (batched(nodes, {x: many}).get(y, y) for y in nodes)):
        wanted = [evaluate(y, {**at, x: v}) for v in slices]
        found = np.broadcast_to(evaluate(b, {**at, many: np.stack(slices)}), np.shape(wanted))
        np.testing.assert_allclose(found, wanted, rtol=1e-8, atol=1e-9)


@cases(1)
def test_the_program_gives_the_value(ours, numpys, values):
    inputs, nodes, at = build(ours, values)
    f = ad.function(inputs, nodes, on_unused_input="ignore")
    for found, wanted in zip(f(*values), all_values(nodes, at)):
        np.testing.assert_allclose(found, wanted, rtol=1e-8, atol=1e-10)


# ---- one triangle is read


@pytest.mark.each("read", ["cholesky", "eigvalsh", "eigh"])
@pytest.mark.each("upper", [False, True])
def test_the_triangle_that_numpy_does_not_read_has_gradient_zero(read, upper):
    f = {
        "cholesky": lambda m, x: m.cholesky(x, upper=upper),
        "eigvalsh": lambda m, x: m.eigvalsh(x, "LU"[upper]),
        "eigh": lambda m, x: m.eigh(x, "LU"[upper])[1] ** 2,
    }[read]
    v = spd(3, 3)
    unread = np.tril(np.ones((3, 3)), -1) if upper else np.triu(np.ones((3, 3)), 1)
    v = v + 7 * unread * RNG.normal(size=(3, 3))  # what is not read may be anything
    x = ad.matrix("x", shape=(3, 3))
    y = f(symmetric, x)
    np.testing.assert_allclose(evaluate(y, {x: v}), f(np.linalg, v), rtol=1e-10)
    u = RNG.normal(size=y.shape)
    g = evaluate(ad.grad(ad.sum(y * u), x), {x: v})
    wanted = central_differences(lambda w: float(np.sum(u * f(np.linalg, w))), v, 1e-6)
    np.testing.assert_allclose(g, wanted, rtol=1e-6, atol=1e-7)
    assert np.all(g[unread == 1] == 0) and np.all(g[unread == 0] != 0)


# ---- where something vanishes or coincides


SINGULAR = [
    np.array([[1.0, 2.0], [2.0, 4.0]]),
    np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]]),
    np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]),
    np.zeros((2, 2)),
    np.zeros((1, 1)),
    np.diag([0.0, 2.0, -3.0]),
    np.stack([np.eye(3), np.ones((3, 3)), -np.eye(3)]),
]


@pytest.mark.each("v", SINGULAR, ids=range(len(SINGULAR)))
def test_the_slope_of_a_determinant_is_finite_where_it_is_zero(v):
    x = ad.tensor("x", shape=v.shape)
    cost = ad.sum(linalg.det(x))
    g = evaluate(ad.grad(cost, x), {x: v})
    wanted = central_differences(lambda w: float(np.sum(np.linalg.det(w))), v, 1e-4)
    np.testing.assert_allclose(g, wanted, atol=1e-7)
    t = RNG.normal(size=v.shape)
    pushed = evaluate(ad.forward_mode(cost, x, constant(t)).output, {x: v})
    np.testing.assert_allclose(pushed, np.sum(g * t), atol=1e-9)


def test_a_third_derivative_of_det_at_a_singular_matrix_is_refused():
    x = ad.matrix("x", shape=(3, 3))
    second = ad.grad(ad.sum(ad.grad(linalg.det(x), x) ** 2), x)
    assert evaluate(second, {x: np.zeros((3, 3))}).tolist() == [[0] * 3] * 3
    with pytest.raises(np.linalg.LinAlgError):
        evaluate(ad.grad(ad.sum(second**2), x), {x: np.zeros((3, 3))})


def test_singular_matrices_have_no_inverse():
    x = ad.matrix("x", shape=(2, 2))
    for y in (linalg.inv(x), linalg.solve(x, constant([1.0, 2.0])), linalg.matrix_power(x, -2)):
        with pytest.raises(np.linalg.LinAlgError):
            evaluate(y, {x: np.ones((2, 2))})
    with pytest.raises(np.linalg.LinAlgError):
        evaluate(symmetric.cholesky(x), {x: -np.eye(2)})
    sign, log = linalg.slogdet(x)
    assert evaluate(sign, {x: np.ones((2, 2))}) == 0
    assert evaluate(log, {x: np.ones((2, 2))}) == -inf


def test_eigenvalues_that_coincide_have_slopes_if_their_vectors_take_no_part():
    x = ad.matrix("x", shape=(3, 3))
    w, v = symmetric.eigh(x)
    np.testing.assert_array_equal(evaluate(ad.grad(ad.sum(w), x), {x: np.eye(3)}), np.eye(3))
    assert np.isnan(evaluate(ad.grad(ad.sum(v), x), {x: np.eye(3)})).any()


def test_singular_values_that_coincide_have_slopes_if_their_vectors_take_no_part():
    x = ad.matrix("x", shape=(3, 2))
    for at in (np.eye(3, 2), np.zeros((3, 2)), np.ones((3, 2))):
        u, s, vh = decompositions.svd(x, full_matrices=False)
        g = evaluate(ad.grad(ad.sum(s), x), {x: at})
        assert np.isfinite(g).all()
        np.testing.assert_allclose(np.linalg.svdvals(g), 1)
        assert np.isfinite(evaluate(ad.grad(norms.norm(x, "nuc"), x), {x: at})).all()
    assert not np.isfinite(evaluate(ad.grad(ad.sum(u), x), {x: np.zeros((3, 2))})).all()


def test_gradients_of_a_function_of_singular_vectors_that_has_one():
    """|u₁·v₁ᵀ|² does not depend on signs: compare with differences, far from degeneracy."""
    x, v = ad.matrix("x", shape=(3, 3)), general(3, 3)
    weights = RNG.normal(size=(3, 3))

    def leading(m, y):
        u, _, vh = m.svd(y)
        return (weights * (u[:, :1] @ vh[:1])).sum()

    g = evaluate(ad.grad(leading(decompositions, x), x), {x: v})
    wanted = central_differences(lambda w: float(leading(np.linalg, w)), v, 1e-6)
    np.testing.assert_allclose(g, wanted, rtol=1e-6, atol=1e-8)


@pytest.mark.each("ord", [None, 2, 3, 1.5])
def test_the_slope_of_a_length_is_zero_at_the_origin(ord):
    x, origin = ad.vector("x", shape=3), np.zeros(3)
    y = norms.norm(x, ord)
    assert evaluate(y, {x: origin}) == 0
    np.testing.assert_array_equal(evaluate(ad.grad(y, x), {x: origin}), origin)
    pushed = ad.forward_mode(y, x, constant(np.ones(3))).output
    assert evaluate(pushed, {x: origin}) == 0


def test_some_rows_of_length_zero_leave_the_others_alone():
    x = ad.matrix("x", shape=(2, 2))
    g = ad.grad(ad.sum(norms.norm(x, axis=1)), x)
    np.testing.assert_allclose(evaluate(g, {x: np.array([[0.0, 0], [3, 4]])}), [[0, 0], [0.6, 0.8]])


def test_the_number_of_nonzero_entries():
    x, v = ad.matrix("x", shape=(2, 3)), np.array([[0.0, 1, 2], [0, 0, 3]])
    for axis in (0, 1):
        found = evaluate(norms.norm(x, 0, axis), {x: v})
        np.testing.assert_array_equal(found, np.linalg.norm(v, 0, axis))


def test_norms_of_whole_numbers_are_floats():
    x, v = ad.vector("x", "int64", shape=3), np.array([3, -4, 0])
    for ord in (None, 0, 1, 2, 3, inf):
        y = norms.norm(x, ord)
        assert y.dtype == "float64"
        np.testing.assert_allclose(evaluate(y, {x: v}), np.linalg.norm(v, ord))


def test_infinite_entries_have_numpys_norms():
    x, v = ad.vector("x", shape=2), np.array([inf, -inf])
    for ord in (None, 1, 3, -1, -2, inf, -inf):
        with np.errstate(all="ignore"):
            np.testing.assert_array_equal(
                evaluate(norms.norm(x, ord), {x: v}), np.linalg.norm(v, ord)
            )


def test_pinv_at_constant_rank():
    """x = a·bᵀ has rank 1 for every a and b, and pinv moves smoothly with them."""
    a, b = ad.vector("a", shape=3), ad.vector("b", shape=2)
    y = linalg.pinv(ad.expand_dims(a, axis=1) * ad.expand_dims(b, axis=0))
    at = {a: RNG.normal(size=3), b: RNG.normal(size=2)}
    u = RNG.normal(size=(2, 3))
    g = evaluate(ad.grad(ad.sum(y * u), a), at)
    wanted = central_differences(
        lambda w: float(np.sum(u * np.linalg.pinv(np.outer(w, at[b])))), at[a], 1e-6
    )
    np.testing.assert_allclose(g, wanted, rtol=1e-6, atol=1e-8)


# ---- what is cheap, and what is refused


def test_results_have_names():
    x = ad.matrix("x", shape=(3, 3))
    assert symmetric.eigh(x)._fields == np.linalg.eigh(np.eye(3))._fields
    assert decompositions.qr(x)._fields == np.linalg.qr(np.eye(3))._fields
    assert decompositions.svd(x)._fields == np.linalg.svd(np.eye(3))._fields
    assert linalg.slogdet(x)._fields == np.linalg.slogdet(np.eye(3))._fields


def test_the_sign_of_a_determinant_has_slope_zero():
    x = ad.matrix("x", shape=(2, 2))
    sign, log = linalg.slogdet(x)
    moved = ad.forward_mode(sign, x).output
    assert evaluate(moved, {x: np.eye(2)}) == 0
    g = evaluate(ad.grad(sign * log, x), {x: np.diag([-2.0, 1.0])})
    np.testing.assert_allclose(g, -np.diag([-0.5, 1.0]))


def test_powers_take_few_products():
    x = ad.matrix("x", shape=(2, 2))
    ops = [n.op.name for n in Graph(linalg.matrix_power(x, 1000)).nodes if n.op]
    assert ops.count("matmul") <= 15


def test_the_cheapest_order_is_taken():
    column, row = ad.matrix("c", shape=(100, 1)), ad.matrix("r", shape=(1, 100))
    product = linalg.multi_dot([column, row, column])
    assert product.inputs[0] is column
    assert linalg.multi_dot([row, column, row]).inputs[1] is row


@pytest.mark.each("refused, words", [
    (lambda x: linalg.inv(x), "not square"),
    (lambda x: linalg.det(x[0]), "2 axes or more"),
    (lambda x: linalg.solve(x[:, :2], x.T), "has 3 where 2 is needed"),
    (lambda x: linalg.matrix_power(x, 1), "not square"),
    (lambda x: linalg.cross(x, x[:, :2]), "length 3"),
    (lambda x: symmetric.eigh(x.T @ x, "both"), "triangle"),
    (lambda x: decompositions.qr(x), "more columns than rows"),
    (lambda x: decompositions.qr(x.T, "complete"), "reduced"),
    (lambda x: decompositions.svd(x), "full_matrices=False"),
    (lambda x: decompositions.svdvals(x[0]), "a matrix is needed"),
    (lambda x: norms.norm(x, 3), "nuc"),
    (lambda x: norms.norm(x[0], "fro"), "two axes"),
    (lambda x: norms.norm(x[None], 2), "one axis or two"),
    (lambda x: diagonals.diag(x[None]), "write diagonal"),
])  # fmt: skip
def test_errors_say_what_to_write(refused, words):
    with pytest.raises((ValueError, TypeError), match=words):
        refused(ad.matrix("x", shape=(2, 3)))


def test_a_wide_matrix_of_unknown_shape_is_refused_when_it_arrives():
    x = ad.matrix("x")
    with pytest.raises(ad.ShapeError, match="more columns than rows"):
        evaluate(decompositions.qr(x).R, {x: np.ones((2, 3))})


def test_exact_zero_has_the_shape_of_what_it_stands_for():
    x = ad.tensor("x", shape=(2, 3, 3))
    assert zero(linalg.slogdet(x).sign).shape == (2,)


def test_linear_algebra_takes_the_last_two_axes():
    x = ad.tensor3("x", shape=(2, 3, 3))
    stack = RNG.normal(size=(2, 3, 3))
    for f in (np.linalg.trace, np.linalg.diagonal, np.trace, np.diagonal):
        np.testing.assert_allclose(value(f(x), x=stack), f(stack))


@pytest.mark.each("at", SINGULAR, ids=str)
def test_the_second_derivative_of_a_determinant_is_finite_at_singular_matrices(at):
    x, t, u = (ad.tensor(name, shape=at.shape) for name in "xtu")
    forward = ad.pushforward(ad.pushforward(np.linalg.det(x), x, t), x, u)
    backward = ad.grad(ad.sum(ad.grad(ad.sum(np.linalg.det(x)), x) * t), x) * u
    a, b = RNG.normal(size=(2, *at.shape))
    found = ad.function([x, t, u], [forward, ad.sum(backward, axis=(-1, -2))])(at, a, b)
    h = 0.5 if at.shape[-1] < 3 else 1e-3
    steps = [i * j * np.linalg.det(at + h * (i * a + j * b)) for i in (1, -1) for j in (1, -1)]
    for second in found:
        np.testing.assert_allclose(second, sum(steps) / (4 * h * h), rtol=1e-5, atol=1e-5)


@pytest.mark.each("odd", [np.inf, -np.inf, np.nan])
@pytest.mark.each("place", [(0, 0), (1, 2), (2, 1)])
def test_the_slope_of_a_determinant_with_an_infinite_entry_is_nan(odd, place):
    """LAPACK takes such a matrix apart for ever, or says that it cannot."""
    w = ad.matrix("w")
    slope = ad.function([w], ad.grad(ad.det(w), w))
    at = np.arange(9.0).reshape(3, 3) ** 2
    at[place] = odd
    assert np.isnan(slope(at)).all()
    stacked = ad.evaluate(ad.grad(np.sum(ad.det(s := ad.tensor3("s"))), s), {s: [np.eye(3), at]})
    np.testing.assert_array_equal(stacked[0], np.eye(3))
    assert np.isnan(stacked[1]).all()
