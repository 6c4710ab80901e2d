"""Operations as classes, nodes that are made by hand, and functions that old suites compared."""

import numpy as np
import pytest

import autodiff_edu.theano as theano
import autodiff_edu.theano.tensor as T
from autodiff_edu.theano import gof
from autodiff_edu.theano.tensor.sort import TopKOp
from tests.helpers.depth import some


class Doubled(gof.Op):
    """2 x, and a gradient that can be told from it."""

    __props__ = ()

    def make_node(self, x):
        x = T.as_tensor_variable(x)
        return gof.Apply(self, [x], [x.type()])

    def perform(self, node, inputs, storage):
        storage[0][0] = 2 * inputs[0]

    def grad(self, inputs, gradients):
        return [7 * gradients[0]]


def test_outputs_of_a_node_are_what_it_computes():
    x = T.dvector("x")
    node = Doubled().make_node(x)
    (y,) = node.outputs
    assert y.owner.op == Doubled()
    assert y.owner.inputs[0] is x
    assert Doubled()(x).owner.outputs[0] is not y
    np.testing.assert_array_equal(y.eval({x: [1.0, 2.0]}), [2, 4])
    np.testing.assert_array_equal(T.grad(y.sum(), x).eval({x: [1.0, 2.0]}), [7, 7])


@pytest.mark.each("given, error", [(None, TypeError), ([], ValueError), ([1, 2], ValueError)])
def test_a_gradient_has_one_term_for_each_input(given, error):
    class Wrong(Doubled):
        def grad(self, inputs, gradients):
            return given if not given else [inputs[0], inputs[0]]

    x = T.dvector("x")
    with pytest.raises(error, match="Wrong"):
        T.grad(Wrong()(x).sum(), x)


def test_classes_with_options_are_operations():
    a, b = T.dmatrix("a"), T.dmatrix("b")
    joined = T.Join()(0, a, b)
    assert isinstance(joined.owner.op, T.Join)
    assert isinstance(joined.owner.op, type(T.Join()))
    assert isinstance(T.Join(), T.Join)
    assert T.basic.Reshape(2) == T.basic.Reshape(2) != T.basic.Reshape(3)
    f = theano.function([a, b], joined)
    assert any(isinstance(n.op, T.Join) for n in f.maker.fgraph.toposort())
    assert f([[1.0]], [[2.0]]).tolist() == [[1], [2]]


def test_a_way_through_steps_is_a_slope_of_zero():
    """Theano called x and argmax(x) connected; what cuts, and what has no slope, does not count."""
    x = T.dmatrix("x")
    for y in (T.argmax(x, axis=0).sum(), T.gt(x, 0).sum(), T.neq(T.argmax(x, axis=1), 1).mean()):
        assert not T.grad(y, x).eval({x: np.eye(3)}).any()
    for y in (T.as_tensor_variable(2.0), x.shape[0] * 1.0,
              theano.gradient.disconnected_grad(x).sum()):  # fmt: skip
        with pytest.raises(theano.gradient.DisconnectedInputError):
            T.grad(y, x)


def test_a_constant_can_be_what_is_moved():
    x, a, b = (T.constant(np.array([1.0, 2.0]) + k) for k in range(3))
    found = [g.eval().tolist() for g in T.grad(T.sum(x * a * 2 + b), [x, a, b])]
    assert found == [[4, 6], [2, 4], [1, 1]]
    v = T.dvector("v")
    assert T.grad(T.sum(x * v), [x, v])[0].eval({v: [5.0, 6.0]}).tolist() == [5, 6]
    with pytest.raises(theano.gradient.DisconnectedInputError):
        T.grad(v.sum(), x)


SLICES = [(a, b, k) for a in (None, -8, -5, -1, 0, 2, 8) for b in (None, -8, -4, 0, 1, 8)
          for k in (None, -6, -3, -1, 1, 2, 5)]  # fmt: skip


@pytest.mark.parametrize("symbolic", some([True, False], 2, turn=1))
def test_a_slice_in_canonical_form_takes_the_same_places(symbolic):
    values, seen = np.arange(5), {}
    for numbers in some(SLICES, 5, turn=symbolic):
        names = tuple(n is not None and symbolic for n in numbers)
        unknown = tuple(n if named else None for n, named in zip(numbers, names, strict=True))
        key = (tuple(n is None for n in numbers)) if symbolic else numbers
        if key not in seen:
            leaves = [T.lscalar() if named else n for n, named in zip(numbers, names, strict=True)]
            n = T.lscalar()
            found, back = T.subtensor.get_canonical_form_slice(slice(*leaves), n)
            inputs = [leaf for leaf, named in zip(leaves, names, strict=True) if named]
            outputs = [T.as_tensor_variable(y) for y in (found.start, found.stop, found.step, back)]
            seen[key] = theano.function([*inputs, n], outputs, on_unused_input="ignore")
        a, b, k, back = seen[key](*[u for u in unknown if u is not None], 5)
        assert 0 <= a <= b <= 5 and k > 0, numbers
        assert values[a:b:k][::back].tolist() == values[slice(*numbers)].tolist(), numbers


@pytest.mark.each("mode", ["raise", "clip", "wrap"])
def test_choose_among_the_rows_of_an_array(mode):
    draw = np.random.default_rng(0)
    places = draw.integers(0, 4, size=3) if mode == "raise" else draw.integers(-5, 9, size=3)
    a, b = T.lvector("a"), T.dmatrix("b")
    rows = draw.normal(size=(4, 3))
    np.testing.assert_array_equal(
        T.choose(a, b, mode=mode).eval({a: places, b: rows}), np.choose(places, rows, mode=mode)
    )
    n, c = T.lscalar("n"), T.dtensor3("c")
    many = draw.normal(size=(4, 2, 3))
    np.testing.assert_array_equal(T.choose(n, c).eval({n: 2, c: many}), np.choose(2, many))
    np.testing.assert_array_equal(T.choose(a, c).eval({a: [0, 3, 1], c: many}),
                                  np.choose([0, 3, 1], many))  # fmt: skip
    with pytest.raises(TypeError, match="float64"):
        T.choose(T.dvector(), b)


def test_dtypes_of_ranges_and_permutations():
    assert T.arange(T.fscalar()).dtype == "float32"
    assert T.arange(T.fscalar(), T.dscalar()).dtype == "float64"
    assert T.arange(T.iscalar()).dtype == "int64"
    p = T.ivector("p")
    assert T.inverse_permutation(p).dtype == "int32"
    np.testing.assert_array_equal(T.inverse_permutation(p).eval({p: [2, 0, 1]}), [1, 2, 0])


def test_lengths_that_are_claimed_are_checked():
    x = T.dmatrix("x")
    y = T.specify_shape(x, (2, 3))
    assert y.eval({x: np.ones((2, 3))}).shape == (2, 3)
    with pytest.raises(AssertionError, match="shape"):
        y.eval({x: np.ones((3, 2))})
    with pytest.raises(AssertionError):
        T.specify_shape(x, (2,))
    np.testing.assert_array_equal(T.grad((y**2).sum(), x).eval({x: np.ones((2, 3))}),
                                  2 * np.ones((2, 3)))  # fmt: skip


def test_values_of_what_is_constant():
    c = T.constant(3)
    known = T.get_scalar_constant_value
    assert known(c + 1) == 4
    assert known(T.alloc(2.0, T.iscalar())) == 2
    assert known(np.ones((2, 2))) == 1
    for unknown in (T.dscalar(), T.constant([1, 2]), T.dscalar() * 0):
        with pytest.raises(T.NotScalarConstantError):
            known(unknown)


def test_a_complex_variable_can_be_named_and_not_used():
    z = T.zmatrix("z")
    assert (z.ndim, z.dtype, z.name) == (2, "complex128", "z")
    for use in (lambda: z + 1, lambda: 2 * z, lambda: z[0], lambda: z.sum()):
        with pytest.raises(NotImplementedError, match="real and the imaginary"):
            use()
    with pytest.raises(TypeError, match="complex128"):
        T.exp(z)


def test_further_arguments():
    x, y = T.dvector("x"), T.dvector("y")
    assert T.smallest(x) is x
    at = {x: [1.0, 5.0], y: [3.0, 2.0]}
    assert T.largest(x, y, 4 * T.ones_like(x)).eval(at).tolist() == [4, 5]
    for wrong in (lambda: T.addbroadcast(x, 1), lambda: T.tensordot(x, y, (0, 0, 0)),
                  lambda: x.dimshuffle(0, 0)):  # fmt: skip
        with pytest.raises(ValueError):
            wrong()
    with pytest.raises(TypeError, match="same number of dimensions"):
        T.join(0, x, T.dmatrix())


def test_default_updates_obey_givens_and_need_their_inputs():
    a = theano.shared(1.0, name="a")
    a.default_update = a + 3
    f = theano.function([], a + 10, givens={a: a + 10})
    assert [float(f()), float(f())] == [21, 34]  # a is 1, then 11 + 3
    z, w = T.dscalar("z"), theano.shared(0.0)
    w.default_update = w + z
    with pytest.raises(gof.MissingInputError, match="z"):
        theano.function([], w)
    with pytest.raises(TypeError, match="no_default_updates"):
        theano.function([], a, no_default_updates=a)
    assert float(theano.function([], a, no_default_updates=[a])()) == 27  # 14 + 10 + 3


def test_an_update_stretches_no_more_than_its_shared_variable():
    w = theano.shared(np.ones((1, 1)))
    with pytest.raises(TypeError, match="same type"):
        theano.function([], [], updates={w: w.sum().dimshuffle("x", "x")})


def test_test_values_go_through_loops(monkeypatch):
    monkeypatch.setitem(theano.config._values, "compute_test_value", "raise")
    x = T.dvector("x")
    x.tag.test_value = np.arange(3.0)
    y, _ = theano.scan(lambda u, s: u + s, x, T.constant(1, dtype="floatX"))
    assert y.tag.test_value.tolist() == [1, 2, 4]
    assert T.grad(y.sum(), x).tag.test_value.tolist() == [3, 2, 1]
    for error in (AttributeError, ValueError):  # of old versions, and of 1.0.5
        with pytest.raises(error, match="no test value"):
            T.dvector("z") + x
    wrong = T.fvector("wrong")
    wrong.tag.test_value = np.ones(3) / 3
    with pytest.raises(TypeError):
        wrong + x


def test_what_is_shared_and_what_is_constant_is_no_tensor_variable():
    """Layer libraries ask, to know whether a beginning was given or is a parameter."""
    shared, known, x = theano.shared(np.ones(2)), T.constant([1.0]), T.dvector()
    for v, kind in ((shared, "shared"), (known, "constant"), (x, "variable"), (x + 1, "variable")):
        assert isinstance(v, T.TensorVariable) == (kind == "variable")
        assert isinstance(v, T.TensorConstant) == (kind == "constant")
        assert isinstance(v, theano.compile.SharedVariable) == (kind == "shared")
        assert isinstance(v, theano.Variable)


@pytest.mark.parametrize("step", some([-3, -2, -1, 1, 2, 5], 4))
def test_a_slice_may_have_a_computed_step(step):
    x, k, a, b = T.dmatrix("x"), T.lscalar("k"), T.lscalar("a"), T.lscalar("b")
    value = np.arange(12.0).reshape(2, 6)
    whole = theano.function([x, k], x[:, ::k])
    part = theano.function([x, a, b, k], [x[:, a:b:k], T.grad((x[:, a:b:k] ** 2).sum(), x)])
    first = theano.function([x, k], x[..., ::k][0, None])
    np.testing.assert_array_equal(whole(value, step), value[:, ::step])
    np.testing.assert_array_equal(first(value, step), value[..., ::step][0, None])
    for start, stop in ((1, 5), (5, 1), (-2, 0), (0, 9), (3, 3)):
        found, slope = part(value, start, stop, step)
        kept = np.zeros((2, 6))
        kept[:, start:stop:step] = 2 * value[:, start:stop:step]
        np.testing.assert_array_equal(found, value[:, start:stop:step])
        np.testing.assert_array_equal(slope, kept)


def test_operations_on_numbers_have_classes():
    lgamma = T.Elemwise(
        theano.scalar.basic_scipy.GammaLn(theano.scalar.upgrade_to_float, name="lgamma")
    )
    assert np.allclose(lgamma(T.constant([3.0, 4.0])).eval(), np.log([2.0, 6.0]))
    x = T.vector()
    assert isinstance((x + x).owner.op, theano.scalar.Add) and not isinstance(
        (x + x).owner.op, theano.scalar.Mul
    )


A, V = np.random.default_rng(3).normal(size=(4, 4)), np.arange(1.0, 5.0)
BY_CLASS = {
    "T.nlinalg.AllocDiag()(v)": "T.diag(v)",
    "T.basic.AllocDiag(-2)(v)": "T.nlinalg.alloc_diag(v, -2)",
    "T.nlinalg.ExtractDiag()(a)": "T.diag(a)",
    "T.basic.ExtractDiag(-1, 1, 0)(a)": "T.diagonal(a, 1)",
    "T.nlinalg.QRFull('reduced')(a)[1]": "T.nlinalg.qr(a)[1]",
    "T.nlinalg.QRIncomplete('r')(a)": "T.nlinalg.qr(a, 'r')",
    "T.nlinalg.TensorInv(1)(a)": "T.nlinalg.matrix_inverse(a)",
    "T.nlinalg.TensorSolve()(a, v)": "T.slinalg.solve(a, v)",
    "T.basic.Tri('float64')(4, 4, 1) * a": "T.tril(a, 1)",
    "T.basic.Choose('raise')([0, 1, 1, 0], a[:2])": "T.choose([0, 1, 1, 0], a[:2])",
    "T.basic.PermuteRowElements()(a, [2, 0, 1, 3], 0)": "a[:, [2, 0, 1, 3]]",
    "T.basic.ScalarFromTensor()(v[0])": "v[0]",
    "T.basic.TensorFromScalar()(v[0])": "v[0]",
    "T.extra_ops.FillDiagonal()(a, 2.0)": "T.fill_diagonal(a, 2.0)",
    "T.extra_ops.FillDiagonalOffset()(a, 2.0, 1)": "T.fill_diagonal_offset(a, 2.0, 1)",
    "T.extra_ops.Bartlett()(4) * v": "T.bartlett(4) * v",
    "T.extra_ops.CumsumOp(0)(a)": "a.cumsum(axis=0)",
    "T.extra_ops.CpuContiguous()(a)": "a",
    "theano.gradient.GradClip(-0.1, 0.1)(a)": "theano.gradient.grad_clip(a, -0.1, 0.1)",
    "theano.gradient.GradScale(3.0)(a)": "theano.gradient.grad_scale(a, 3.0)",
    "theano.gradient.ZeroGrad()(a) * a": "theano.gradient.zero_grad(a) * a",
    "theano.gradient.DisconnectedGrad()(a) * a": "theano.gradient.disconnected_grad(a) * a",
    "a.copy(name='b')": "a",
}


@pytest.mark.each("made", some(BY_CLASS, 3))
def test_an_operation_by_its_class_is_the_function(made):
    a, v = T.dmatrix("a"), T.dvector("v")
    ys = [eval(text, {"T": T, "theano": theano, "a": a, "v": v}) for text in (made, BY_CLASS[made])]
    slopes = [T.grad((y * y).sum(), [a, v], disconnected_inputs="ignore") for y in ys]
    f = theano.function([a, v], [*ys, *slopes[0], *slopes[1]], on_unused_input="ignore")
    one, other, *slopes = f(A, V)
    np.testing.assert_allclose(one, other, rtol=1e-12)
    assert one.shape == other.shape and one.dtype == other.dtype
    for k in range(2):
        np.testing.assert_allclose(slopes[k], slopes[k + 2], rtol=1e-9, atol=1e-12)


def test_the_largest_entries_by_class():
    v = T.dvector("v")
    both, values, places = [
        TopKOp(**how)(v, 2) for how in ({}, {"return_indices": False}, {"return_values": False})
    ]
    f = theano.function([v], [*both, values, places])
    assert [sorted(found) for found in f(V)] == [[3, 4], [2, 3]] * 2


def test_a_copy_has_the_name_that_it_is_given():
    a = T.dmatrix("a")
    b, c = a.copy(name="b"), a.copy()
    assert (a.name, b.name, c.name) == ("a", "b", None)
    f = theano.function([a], [T.grad((a * b).sum(), b), (a * b).sum()], givens={b: c + 1})
    slope, value = f(A)
    np.testing.assert_allclose(slope, A)
    np.testing.assert_allclose(value, (A * (A + 1)).sum())


class Reversed(theano.compile.ViewOp):
    """The value itself, and a gradient that is turned around."""

    __props__ = ("factor",)

    def __init__(self, factor):
        super().__init__()
        self.factor = factor

    def grad(self, inputs, gradients):
        return [-self.factor * g for g in gradients]


class Clipped(theano.compile.ViewOp):
    """One whose limits are no `__props__`: each is an operation of its own."""

    __props__ = None

    def __init__(self, limit):
        self.limit = limit

    def grad(self, inputs, gradients):
        return [T.clip(g, -self.limit, self.limit) for g in gradients]


@pytest.mark.each("view, slope", [
    (Reversed(2.0), -2 * V), (Clipped(1.5), np.minimum(V, 1.5)), (theano.compile.ViewOp(), V),
])  # fmt: skip
def test_a_view_may_say_another_gradient(view, slope):
    v = T.dvector("v")
    f = theano.function([v], [view(v), T.grad((view(v) * V).sum(), v), T.Lop(view(v), v, v)])
    value, found, pulled = f(V)
    np.testing.assert_array_equal(value, V)
    np.testing.assert_array_equal(found, slope)
    np.testing.assert_array_equal(pulled, slope)
    assert theano.function([v], T.Rop(theano.compile.view_op(v), v, v))(V).tolist() == V.tolist()


class SymmetricEigenvalues(theano.tensor.nlinalg.Eig):
    """A class of Theano's that a program inherits from, with all methods of its own."""

    _numop = staticmethod(np.linalg.eigvalsh)

    def __init__(self):
        super(SymmetricEigenvalues, self).__init__()  # noqa: UP008

    def make_node(self, x):
        x = T.as_tensor_variable(x)
        return gof.Apply(self, [x], [T.vector(dtype=x.dtype)])

    def perform(self, node, inputs, outputs):
        outputs[0][0] = self._numop(inputs[0])

    def grad(self, inputs, gradients):
        _, vectors = T.nlinalg.eigh(inputs[0])
        return [T.dot(vectors * gradients[0], vectors.T)]


@pytest.mark.each("kind", [T.nlinalg.Det, T.Softmax, T.Elemwise, T.nlinalg.AllocDiag])
def test_a_class_that_inherits_from_one_of_theanos_is_its_own(kind):
    own = type("Own", (kind,), {k: v for k, v in vars(SymmetricEigenvalues).items()
                                if k in ("make_node", "perform", "grad", "_numop")})  # fmt: skip
    for made in (own, SymmetricEigenvalues):
        a = T.dmatrix("a")
        y = made()(a + a.T)
        values, slope = theano.function([a], [y, T.grad(y[0], a)])(A)
        np.testing.assert_allclose(values, np.linalg.eigvalsh(A + A.T))
        _, vectors = np.linalg.eigh(A + A.T)
        np.testing.assert_allclose(slope, 2 * np.outer(vectors[:, 0], vectors[:, 0]))
        assert type(y.owner.op) is made
