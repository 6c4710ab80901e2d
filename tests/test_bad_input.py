"""Bad input: each error names what happened, where, and what to write instead."""

import numpy as np
import pytest

import autodiff_edu as ad

HERE = r"test_bad_input\.py:\d+"


@pytest.fixture
def x():
    return ad.scalar("x")


@pytest.mark.parametrize(
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
    with pytest.raises(TypeError, match="np.nanmedian.*np.nanmean"):
        np.nanmedian(x)
    with pytest.raises(TypeError, match="np.histogram"):
        np.histogram(x)
    with pytest.raises(TypeError, match="out="):
        np.sin(x, out=np.zeros(3))
    with pytest.raises(TypeError, match="add.reduceat.*accumulate"):
        np.add.reduceat(ad.vector("v"), [0])


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


@pytest.mark.parametrize("name", HOSTILE)
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
            expected = [np.log(v), 1 / v, np.sqrt(v), v**0.5, np.exp(v), np.sin(v)]
        np.testing.assert_allclose(f(value), expected, rtol=1e-15)
