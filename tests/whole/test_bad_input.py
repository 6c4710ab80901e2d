"""Bad input: each error names what happened, where, and what to write instead.

Protects the beginner: whatever is written wrongly ends in an error of ours, never in one of NumPy's
that speaks of what nobody wrote, and never in a number.
"""

import numpy as np
import pytest
from numpy.exceptions import AxisError
from numpy.linalg import LinAlgError

import autodiff_edu as ad
from tests.helpers.depth import some

HERE = r"test_bad_input\.py:\d+"


@pytest.fixture
def x():
    return ad.scalar("x")


@pytest.mark.each(
    "misuse, instead",
    [
        (bool, "ad.where"), (float, "ad.function"), (int, "ad.function"),
        (np.asarray, "ad.function"),
        (lambda x: 1 if x > 0 else 2, "ad.where"), (lambda x: x in [1.0, 2.0], "ad.where"),
        (lambda x: 1.0 in x, "any"), (lambda x: x.__setitem__(0, 1), r"x\.at\[key\]\.set"),
        (lambda x: np.array([x, x]), "ad.array"),
        (lambda x: range(x), "ad.arange"),
    ],
)  # fmt: skip
def test_an_expression_is_no_number(x, misuse, instead):
    with pytest.raises(TypeError, match=instead) as caught:
        misuse(x + 1)
    assert "test_bad_input.py" in str(caught.value)


def test_iteration_needs_a_length(x):
    with pytest.raises(TypeError, match="0-d"):
        list(x)
    with pytest.raises(TypeError, match="shape=3"):
        list(ad.vector("v"))
    assert len(list(ad.vector("v", shape=3))) == 3


def test_shapes_that_do_not_fit_name_the_inputs_and_the_line():
    a, b = ad.vector("a", shape=3), ad.vector("b", shape=4)
    with pytest.raises(ad.ShapeError, match=rf"add of a.*\(3,\).*b.*\(4,\).*{HERE}.*3 and 4"):
        a + b
    with pytest.raises(ad.ShapeError, match="inner lengths are 3 and 4"):
        a @ b
    X, w = ad.matrix("X"), ad.vector("w")
    f = ad.function([X, w], X @ w)
    with pytest.raises(ad.ShapeError, match=rf"X of shape \(2, 3\) and w of shape \(4,\).*{HERE}"):
        f(np.ones((2, 3)), np.ones(4))
    with pytest.raises(ad.ShapeError, match="X is declared"):
        f(np.ones(3), np.ones(4))


def test_a_length_of_one_must_be_declared_to_stretch():
    a, b = ad.vector("a"), ad.vector("b")
    f = ad.function([a, b], a * b)
    with pytest.raises(ad.ShapeError, match="declare that length as 1"):
        f(np.ones(1), np.ones(3))
    c = ad.vector("c", shape=1)
    assert ad.function([c, b], c * b)(np.ones(1), np.ones(3)).shape == (3,)


def test_functions_check_their_inputs(x):
    y = ad.scalar("y")
    with pytest.raises(ad.MissingInputError, match=rf"need y.*{HERE}.*\(x\)"):
        ad.function(x, x * y)
    with pytest.raises(ValueError, match="do not depend on y"):
        ad.function([x, y], x * x)
    assert ad.function([x, y], x * x, on_unused_input="ignore")(2.0, 1.0) == 4
    with pytest.raises(ValueError, match="listed twice"):
        ad.function([x, x], x)
    with pytest.raises(TypeError, match="leaves"):
        ad.function([x + 1], x + 1)
    with pytest.raises(TypeError, match="an expression is needed"):
        ad.function([x], [x, None])
    f = ad.function([x, y], x * y)
    for wrong in ((1.0,), (1.0, 2.0, 3.0)):
        with pytest.raises(TypeError, match="argument"):
            f(*wrong)
    with pytest.raises(TypeError, match="z"):
        f(1.0, z=2.0)
    assert f(y=2.0, x=3) == 6.0
    with pytest.raises(ad.MissingInputError, match="'y'"):
        ad.evaluate(x * y, {x: 1.0})


def test_dtypes(x):
    f = ad.function(x, 2 * x)
    for value in (1j, np.complex128(1), "3", None, [None], {"a": 1}):
        with pytest.raises(TypeError):
            f(value)
    with pytest.raises(ad.DTypeError, match="real and the imaginary"):
        ad.scalar("z", dtype="complex128")
    with pytest.raises(TypeError, match="real and the imaginary"):
        x * 1j
    n = ad.scalar("n", dtype="int64")
    with pytest.raises(ad.DTypeError, match="without loss"):
        ad.function(n, n + 1)(1.5)
    v = ad.vector("v", dtype="float32")
    with pytest.raises(ad.DTypeError, match="v is declared float32.*dtype='float64'"):
        ad.function(v, v * 2)(np.ones(3))
    assert ad.function(v, v * 2)(np.ones(3, "float32")).dtype == "float32"
    with pytest.raises(TypeError, match="ad.array"):
        x * [x, x]


def test_costs_and_derivatives(x):
    v = ad.vector("v")
    with pytest.raises(TypeError, match=r"Cost must be a scalar.*v.*sum it"):
        ad.grad(v, v)
    with pytest.raises(ad.DisconnectedInputError, match="does not depend on x"):
        ad.grad(ad.sum(v), x)
    with pytest.raises(ad.DisconnectedInputError, match="sign.*its value jumps"):
        ad.grad(ad.sign(x) * 2, x)
    with pytest.raises(ad.DisconnectedInputError, match="greater.*truth value"):
        ad.grad((x > 1) * 2.0, x)
    assert ad.evaluate(ad.grad(ad.sign(x), x, disconnected_inputs="ignore"), {x: 1.0}) == 0
    with pytest.warns(UserWarning, match="does not depend"):
        ad.grad(ad.sum(v), x, disconnected_inputs="warn")
    with pytest.raises(ValueError, match="raise, warn, ignore"):
        ad.grad(x, x, disconnected_inputs="no")
    with pytest.raises(ValueError, match="known_grads"):
        ad.grad(None, x)
    with pytest.raises(TypeError, match="must have the type float64"):
        ad.reverse_mode(v * 2, v, ad.constant(1))
    with pytest.raises(TypeError, match="not 3"):
        ad.grad(x, 3)


def test_unknown_functions_name_the_nearest(x):
    with pytest.raises(TypeError, match="np.trim_zeros.*write `x"):
        np.trim_zeros(x)
    with pytest.raises(TypeError, match="np.histogram"):
        np.histogram(x)
    with pytest.raises(TypeError, match="out="):
        np.sin(x, out=np.zeros(3))
    with pytest.raises(TypeError, match="add.reduceat.*accumulate"):
        np.add.reduceat(ad.vector("v"), [0])


AT_ONCE = [
    ("np.sum(M, axis=2)", AxisError, "sum of M"), ("M.mean(2)", AxisError, "mean of M"),
    ("np.swapaxes(M, 0, 2)", AxisError, "axis 2"), ("np.moveaxis(M, 0, 2)", AxisError, "axis 2"),
    ("np.expand_dims(M, 4)", AxisError, "axis 4"), ("M.cumsum(axis=-3)", AxisError, "axis -3"),
    ("np.concatenate([M, M], axis=2)", AxisError, "axis 2"), ("M.T.std(5)", AxisError, "axis 5"),
    ("np.sort(M, axis=3)", AxisError, "axis 3"), ("np.take(M, [0], axis=2)", AxisError, "axis 2"),
    ("M[3]", IndexError, "index of M.*index 3"), ("M[0, -5]", IndexError, "index -5"),
    ("M[[0, 3]]", IndexError, "index of M.*index 3"), ("M[0, 0, 0]", IndexError, "3 indices"),
    ("M[0.5]", IndexError, "whole number"), ("M['a']", IndexError, "whole number"),
    ("M[..., ...]", IndexError, "at most one"), ("M[M > 0, 0]", IndexError, "3 indices"),
    ("M[np.array([True, False])]", IndexError, "mask"), ("M.at[3].set(1)", IndexError, "index 3"),
    ("M.at[0].set(np.ones(3))", ValueError, r"\(3,\).*\(4,\)"),
    ("v[:n:-1]", TypeError, "forward"), ("np.take(v, [3])", IndexError, "index 3"),
    ("M + v", ValueError, r"add of M.*\(3, 4\).*v.*\(3,\).*4"), ("M @ M", ValueError, "inner"),
    ("np.where(M > 0, v, 0)", ValueError, "3 and 4"), ("M.reshape(5)", ValueError, "size 12"),
    ("np.broadcast_to(u, (3, 3))", ValueError, "3 and 4"), ("np.split(v, 2)", ValueError, "split"),
    ("np.stack([M, v])", ValueError, "stack"), ("np.vstack([M, v])", ValueError, "axis"),
    ("np.einsum('ij,jk', M, M)", ValueError, "index j"), ("np.squeeze(M, 0)", ValueError, "axis 0"),
    ("np.einsum('ij->k', M)", ValueError, "k"), ("np.pad(v, -1)", ValueError, "-1"),
    ("np.quantile(v, 1.5)", ValueError, "1.5"), ("np.interp(v, [0, 1], [1])", ValueError, "xp"),
    ("np.linalg.inv(M)", LinAlgError, "inv of M.*square"),
    ("np.linalg.det(v)", LinAlgError, "det of v"),
    ("np.linalg.solve(M, v)", LinAlgError, "solve of M.*square"),
    ("np.linalg.cholesky(M)", LinAlgError, "cholesky of M"),
    ("np.linalg.solve(S, u)", ValueError, "solve of S.*u"),
    ("ad.array([[n, 1], [2]])", ValueError, "lengths"),
    ("v + [[1, 2], [3]]", ValueError, "inhomogeneous"),
    ("v + np.array([None] * 3)", TypeError, "object"), ("v == None", TypeError, "is None"),
    ("v + 'a'", TypeError, "'a'"), ("v * 1j", TypeError, "imaginary"),
    ("v.astype(complex)", TypeError, "imaginary"), ("np.exp(np.array([1j]) * v)", TypeError, "1.j"),
    ("np.sin(v, out=v)", TypeError, "result that is returned"), ("v.sort()", TypeError, "ad.sort"),
    ("np.sum(v, out=1)", TypeError, "np.sum takes no out="), ("v.fill(0)", TypeError, r"\.at\["),
    ("v.sum(out=np.zeros(1))", TypeError, "sum takes no out="),
    ("np.sum(v, where=v > 0)", TypeError, "ad.where"), ("np.max(v, initial=0)", TypeError, "max"),
    ("np.add(v, 1, where=[True] * 3)", TypeError, "ad.where"),
    ("np.roll(v, n)", TypeError, "shift to be known now"), ("np.eye(3)[n]", TypeError, "ad.array"),
    ("[1, 2, 3][n]", TypeError, "ad.array"), ("np.arange(n)", TypeError, "ad.arange"),
    ("np.fft.fft(v)", TypeError, "np.fft.fft"), ("np.histogram(v)", TypeError, "np.histogram"),
    ("np.linalg.eig(S)", TypeError, "np.linalg.eigh"), ("np.signbit(v)", TypeError, "x < 0"),
    ("np.unique(v)", TypeError, "places"), ("np.lexsort(v)", TypeError, "argsort"),
]  # fmt: skip


@pytest.mark.each("text, kind, words", AT_ONCE)
def test_what_cannot_fit_says_so_where_it_is_written(text, kind, words):
    shapes = {"M": (3, 4), "S": (3, 3), "v": (3,), "u": (4,)}
    names = {name: ad.tensor(name, shape=shape) for name, shape in shapes.items()}
    names |= {"n": ad.scalar("n", dtype="int64"), "np": np, "ad": ad}
    with pytest.raises(kind, match=words):
        eval(text, names)
    ours = "ad." in text or ".at[" in text
    if kind is not TypeError and not ours:  # the class is that of NumPy's own error
        with pytest.raises(kind):
            eval(text, names | {name: np.ones(shape) for name, shape in shapes.items()})


def test_the_address_is_the_users_line():
    M = ad.matrix("M", shape=(3, 4))
    for misuse in (lambda: np.sum(M, axis=2), lambda: M[3], lambda: M + np.ones(3),
                   lambda: np.linalg.inv(M), lambda: np.split(M, 2), lambda: np.fft.fft(M),
                   lambda: M.at[3].set(1), lambda: np.sin(M, out=1)):  # fmt: skip
        with pytest.raises(Exception, match=HERE):
            misuse()


AS_IT_RUNS = [
    (lambda A, b, k: np.linalg.solve(A, b), LinAlgError, r"solve of A of shape \(2, 2\) and .*Sin"),
    (lambda A, b, k: np.linalg.inv(A + A), LinAlgError, r"inv of .* of shape \(2, 2\) .*Singular"),
    (lambda A, b, k: np.linalg.cholesky(-A), LinAlgError, "cholesky of .*positive definite"),
    (lambda A, b, k: b[k], IndexError, r"b of shape \(2,\) and k of shape \(\).*index 7"),
    (lambda A, b, k: A[:, k], IndexError, "index 7"),
    (lambda A, b, k: np.take(b, k), IndexError, "index 7"),
    (lambda A, b, k: k ** (-k), ValueError, "power of k.*negative integer powers"),
    (lambda A, b, k: A[A > 5].max(), ValueError, "max of .*zero-size"),
    (lambda A, b, k: b.reshape((k,)), ValueError, r"reshape of b of shape \(2,\).*size 2"),
    (lambda A, b, k: A[5], IndexError, r"index of A of shape \(2, 2\).*index 5"),
    (lambda A, b, k: A[b[:1] > 0], IndexError, r"shape \(1,\).*mask"),
    (lambda A, b, k: A + b.repeat(2), ValueError, r"add of A of shape \(2, 2\).*of shape \(4,\)"),
    (lambda A, b, k: A.reshape(-1) @ b, ValueError, r"matmul of .* and b of shape \(2,\)"),
    (lambda A, b, k: np.linalg.det(A[:1]), LinAlgError, "det of .*square"),
]  # fmt: skip


@pytest.mark.each("simplify", [None, "safe"])
@pytest.mark.each("build, kind, words", AS_IT_RUNS)
def test_values_that_do_not_fit_name_the_operation_and_its_operands(build, kind, words, simplify):
    A, b, k = ad.matrix("A"), ad.vector("b"), ad.scalar("k", dtype="int64")
    node = build(A, b, k)
    values = [np.ones((2, 2)), np.ones(2), np.int64(7)]
    with pytest.raises(kind, match=words) as interpreted:
        ad.evaluate(node, dict(zip([A, b, k], values)))
    assert "test_bad_input.py" in str(interpreted.value)
    f = ad.function([A, b, k], node, simplify=simplify, on_unused_input="ignore")
    with pytest.raises(kind, match=words) as generated:
        f(*values)
    assert simplify or str(generated.value) == str(interpreted.value)
    with pytest.raises(kind):  # the class is that of NumPy's own error
        build(*values)


def test_an_update_out_of_bounds():
    b, k = ad.vector("b"), ad.scalar("k", dtype="int64")
    with pytest.raises(IndexError, match=rf"b of shape \(2,\).*{HERE}.*index 7"):
        ad.function([b, k], b.at[k].set(0.0))(np.ones(2), 7)


def test_an_error_of_a_users_operation_keeps_its_class():
    class Refusal(Exception):
        def __init__(self, number, *, why):
            super().__init__(f"{number}: {why}")

    @ad.op(partials=lambda x, out: (x,))
    def refusing(x):
        if np.all(x == 3):
            raise Refusal(3, why="no threes")
        return x

    x = ad.vector("x", shape=1)
    f = ad.function(x, refusing(x * 2))
    assert f([1.0]) == 2
    with pytest.raises(Refusal, match="refusing of .*no threes"):
        f([1.5])
    with pytest.raises(TypeError, match="positional argument"):
        f()


def test_facts_and_names():
    with pytest.raises(TypeError, match="positive, nonnegative"):
        ad.scalar("x", even=True)
    with pytest.raises(TypeError, match="string"):
        ad.scalar(3)
    with pytest.raises(ValueError, match="ad.tensor"):
        ad.matrix("X", shape=(1, 2, 3))


HOSTILE = [
    "<script>", 'a"b', "x; import os", "y" * 300, "α", "переменная", "变量", "lambda", "np", "",
]  # fmt: skip


@pytest.mark.each("name", some(HOSTILE, 3))
def test_any_name_is_only_a_name(name):
    x = ad.scalar(name)
    y = ad.exp(x) * x
    y.name = name
    f = ad.function(x, [y, ad.grad(ad.log(y), x)])
    np.testing.assert_allclose(f(1.0), [np.e, 2.0])
    assert "import os" not in f.source and "<script>" not in f.source
    html = ad.draw(y)._repr_mimebundle_()["text/html"]
    assert "<script" not in html
    assert ad.latex(y)


def test_nan_inf_and_empty_arrays_flow_through(x):
    f = ad.function(x, [ad.log(x), 1 / x, ad.sqrt(x), x**0.5, ad.exp(x), ad.sin(x)])
    for value in (0.0, -0.0, -1.0, np.inf, -np.inf, np.nan, 1000.0):
        with np.errstate(all="ignore"):
            v = np.float64(value)
            root = np.asarray(v) ** 0.5  # of np.float64(-inf) it is inf, as by C
            expected = [np.log(v), 1 / v, np.sqrt(v), root, np.exp(v), np.sin(v)]
        np.testing.assert_allclose(f(value), expected, rtol=1e-15)
