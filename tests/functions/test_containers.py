"""Containers: what goes in comes back, with dataclasses, anything beside a loss, and vectors."""

import copy
import pickle
from collections import namedtuple
from dataclasses import InitVar, dataclass, field, is_dataclass
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

import autodiff_edu as ad
from autodiff_edu.functions import tree_flatten, tree_unflatten

Pair = namedtuple("Pair", "first second")


@dataclass
class Plain:
    W: object
    b: object = 0.0


@dataclass(frozen=True)
class Frozen:
    a: object
    rest: object = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Slotted:
    a: object
    b: object


@dataclass
class Empty:
    pass


@dataclass
class Strict:
    """One that computes and checks in its __init__, and has what is no field."""

    w: np.ndarray
    scale: InitVar[float] = 1.0
    size: float = field(init=False)
    unset: object = field(init=False)
    kinds: ClassVar[list] = []

    def __post_init__(self, scale):
        assert isinstance(self.w, np.ndarray)
        self.w = self.w * scale
        self.size = float(np.size(self.w))

    def loss(self, x):
        return FACTOR * np.sum(self.w * x)


FACTOR = 2.0
DTYPES = [np.float64, np.float32, np.float16]
leaves = st.one_of(
    st.floats(-4, 4, width=16),
    st.builds(
        lambda shape, dtype: np.arange(np.prod(shape), dtype=dtype).reshape(shape),
        st.sampled_from([(), (0,), (3,), (1, 2), (2, 0), (2, 3)]),
        st.sampled_from(DTYPES),
    ),
)
keys = st.one_of(st.text("abc", max_size=2), st.integers(0, 3), st.booleans())
trees = st.recursive(
    leaves | st.builds(Empty) | st.just([]) | st.just({}) | st.just(()),
    lambda t: st.one_of(
        st.lists(t, max_size=3),
        st.lists(t, max_size=3).map(tuple),
        st.dictionaries(keys, t, max_size=3),
        st.builds(Pair, t, t),
        st.builds(Plain, t, t),
        st.builds(Frozen, t, t),
        st.builds(Slotted, a=t, b=t),
    ),
    max_leaves=8,
)


def same(one, other):
    """The same containers, with the same arrays of the same dtypes in them."""
    (a, structure), (b, other_structure) = tree_flatten(one), tree_flatten(other)
    return structure == other_structure and all(
        np.shape(x) == np.shape(y) and np.array_equal(x, y) and kind(x) == kind(y)
        for x, y in zip(a, b, strict=True)
    )


def kind(x):
    return np.asarray(x).dtype


# ---- containers


@given(trees)
def test_a_tree_is_its_leaves_and_its_structure(tree):
    found, structure = tree_flatten(tree)
    assert same(tree_unflatten(structure, found), tree)
    assert hash(structure) == hash(tree_flatten(copy.deepcopy(tree))[1])
    assert not any(isinstance(x, (list, tuple, dict)) or is_dataclass(x) for x in found)


def test_dataclasses_come_back_as_they_went_in():
    f = lambda p, x: np.sum((x @ p.W + p.b[0].a) ** 2) * p.b[1]["s"].b
    rng = np.random.default_rng(0)
    W, a, x = rng.normal(size=(3, 2)), rng.normal(size=2), rng.normal(size=(4, 3))
    p = Plain(W, [Frozen(a, []), {"s": Slotted(a=Empty(), b=2.0)}])
    value, slope = ad.value_and_grad(f)(p, x)
    assert type(slope) is Plain and type(slope.b[0]) is Frozen and type(slope.b[1]["s"]) is Slotted
    assert slope.b[0].rest == [] and slope.b[1]["s"].a == Empty()
    np.testing.assert_allclose(slope.W, 4 * x.T @ (x @ W + a))
    np.testing.assert_allclose(slope.b[0].a, 4 * np.sum(x @ W + a, axis=0))
    np.testing.assert_allclose(2 * slope.b[1]["s"].b, value)


def test_dataclasses_are_results_and_go_through_vectorize():
    f = lambda p: Frozen(p.W * p.b, {"sum": np.sum(p.W + p.b)})
    p = Plain(np.array([1.0, 2.0]), 3.0)
    J = ad.jacobian(f)(p)
    assert type(J) is Frozen and type(J.a) is Plain
    np.testing.assert_array_equal(J.a.W, 3 * np.eye(2))
    np.testing.assert_array_equal(J.rest["sum"].W, [1, 1])
    many = ad.vectorize(f)(Plain(np.ones((5, 2)), np.arange(5.0)))
    assert many.a.shape == (5, 2) and many.rest["sum"].shape == (5,)
    H = ad.hessian(lambda p: p.b * np.sum(p.W**2))(p)
    np.testing.assert_array_equal(H.W.b, [2, 4])


def test_arguments_are_named_after_fields():
    names = []
    ad.grad(lambda p: names.extend([p.W.name, p.b[0].name]) or p.W * p.b[0])(Plain(1.0, [2.0]))
    assert names == ["W", "b0"]


def test_a_dataclass_is_made_without_its_init(monkeypatch):
    p = Strict(np.ones(2), 3.0)
    slope = ad.grad(lambda p, x: p.loss(x) * p.size)
    found = slope(p, np.array([1.0, 2.0]))
    assert type(found) is Strict and not hasattr(found, "unset")
    np.testing.assert_array_equal(found.w, [4, 8])
    assert found.size == 2 * 3 * 3
    monkeypatch.setitem(globals(), "FACTOR", 5.0)  # what a method reads
    np.testing.assert_array_equal(slope(p, np.array([1.0, 2.0])).w, [10, 20])
    named = ad.grad(lambda x, p: p.of(x))
    assert named(1.0, Named(3.0)) == 15.0
    monkeypatch.setitem(globals(), "FACTOR", 2.0)
    assert named(1.0, Named(3.0)) == 6.0


class Named(namedtuple("Base", "w")):
    def of(self, x):
        return FACTOR * self.w * x


def test_numbers_in_a_dataclass_that_are_no_floats_stay_as_they_are():
    slope = ad.grad(lambda x, p: x**p.W if p.b == "power" else x)
    assert [slope(2.0, Plain(n, "power")) for n in (2, 3, 3)] == [4, 12, 12]
    assert slope(2.0, Plain(3, "no")) == 1
    with pytest.raises(TypeError, match="not 'power'"):
        ad.grad(lambda p: p.W)(Plain(1.0, "power"))


# ---- anything beside the loss


class Anything:
    pass


@given(trees)
def test_what_stands_beside_the_loss_comes_back(tree):
    f = lambda x: (x**2, {"tree": tree, "twice": [x * 2, "word", None, 3, Anything]})
    (value, aux), slope = ad.value_and_grad(f, has_aux=True)(3.0)
    assert (value, slope) == (9.0, 6.0)
    assert same(aux["tree"], tree)
    assert aux["twice"] == [6.0, "word", None, 3, Anything] and type(aux["twice"][3]) is int


def test_the_order_of_pairs_is_that_of_jax():
    f = lambda x, y: (x * y**2, (x, "aux"))
    assert ad.value_and_grad(f, has_aux=True)(2.0, 3.0) == ((18.0, (2.0, "aux")), 9.0)
    assert ad.value_and_grad(f, (0, 1), True)(2.0, 3.0) == ((18.0, (2.0, "aux")), (9.0, 12.0))
    assert ad.grad(f, has_aux=True)(2.0, 3.0) == (9.0, (2.0, "aux"))
    assert ad.grad(f, argnums=(0, 1), has_aux=True)(2.0, 3.0) == ((9.0, 12.0), (2.0, "aux"))
    J, aux = ad.jacobian(lambda v: (v * v, v.shape), has_aux=True)(np.arange(3.0))
    assert J.tolist() == [[0, 0, 0], [0, 2, 0], [0, 0, 4]] and aux == (3,)


def test_what_stands_beside_the_loss_has_derivatives_too():
    cube = lambda x: (x**3, {"square": x**2, "n": 3})
    both = ad.value_and_grad(cube, has_aux=True)
    assert ad.grad(lambda x: both(x)[0][0])(2.0) == 12.0
    assert ad.grad(lambda x: both(x)[0][1]["square"])(2.0) == 4.0
    assert ad.grad(lambda x: both(x)[1])(2.0) == 12.0
    twice = ad.value_and_grad(lambda x: (both(x)[1], both(x)[0]), has_aux=True)
    assert twice(2.0) == ((12.0, (8.0, {"square": 4.0, "n": 3})), 12.0)
    thrice = ad.grad(lambda x: (twice(x)[1], twice(x)[0]), has_aux=True)
    assert thrice(2.0) == (6.0, (12.0, (8.0, {"square": 4.0, "n": 3})))
    x = ad.scalar("x")
    (value, aux), slope = both(x)
    assert aux["n"] == 3 and isinstance(aux["square"], ad.Expr)
    assert [ad.evaluate(y, {x: 2.0}) for y in (value, aux["square"], slope)] == [8, 4, 12]
    many = ad.vectorize(lambda x: both(x)[0][1]["square"])(np.arange(3.0))
    assert many.tolist() == [0, 1, 4]


def test_a_traced_pair_is_kept_and_its_arrays_are_fresh(capsys):
    table = np.ones(2)

    def f(x):
        print("called")
        return x, table

    both = ad.value_and_grad(f, has_aux=True)
    both(1.0)[0][1][:] = 7.0
    assert both(2.0)[0][1].tolist() == [1, 1] and table.tolist() == [1, 1]
    assert capsys.readouterr().out.split() == ["called"]


@pytest.mark.each("result", [3.0, (1.0,), [1.0, 2.0], (1.0, 2.0, 3.0), ([1.0], 2.0)])
def test_a_function_with_something_beside_returns_a_pair(result):
    with pytest.raises(TypeError, match="a pair, .loss, anything"):
        ad.value_and_grad(lambda x: result, has_aux=True)(1.0)


def test_expressions_have_nothing_beside_them():
    x = ad.scalar("x")
    with pytest.raises(TypeError, match="has_aux is for a Python function"):
        ad.value_and_grad(x * x, x, has_aux=True)


# ---- one vector


@given(trees)
def test_a_vector_and_back(tree):
    vector, unflatten = ad.flatten(tree)
    found, _ = tree_flatten(tree)
    assert vector.shape == (sum(map(np.size, found)),)
    assert vector.dtype == np.result_type(*map(kind, found)) if found else np.float64
    assert same(unflatten(vector), tree)
    assert np.array_equal(ad.flatten(unflatten(2 * vector))[0], 2 * vector)
    assert same(pickle.loads(pickle.dumps(unflatten))(list(vector)), tree)


@given(trees)
def test_a_vector_of_expressions_and_back(tree):
    """Within a function that is traced, both ways; the derivative of a loss by the vector."""
    vector, unflatten = ad.flatten(tree)
    if not vector.size:
        return
    loss = lambda p: sum((k + 1.0) * np.sum(x**2) for k, x in enumerate(tree_flatten(p)[0]))
    slope = ad.grad(lambda v: loss(unflatten(v)))(vector)
    assert slope.dtype == vector.dtype
    wanted = ad.flatten(ad.grad(loss)(tree))[0]
    np.testing.assert_allclose(slope, wanted, rtol=1e-2)
    there = ad.grad(lambda p: loss(unflatten(ad.flatten(p)[0])))(tree)
    np.testing.assert_allclose(ad.flatten(there)[0], wanted, rtol=1e-2)


def test_minimize_finds_the_parameters():
    rng = np.random.default_rng(0)
    X, true = rng.normal(size=(50, 3)), Plain(np.array([1.0, -2.0, 0.5]), [0.25])
    y = X @ true.W + true.b[0]
    loss = lambda p, X, y: np.mean((X @ p.W + p.b[0] - y) ** 2)
    start, unflatten = ad.flatten(Plain(np.zeros(3), [0.0]))
    cost = ad.value_and_grad(lambda v, X, y: loss(unflatten(v), X, y))
    found = unflatten(minimize(cost, start, (X, y), jac=True, method="BFGS").x)
    assert type(found) is Plain
    np.testing.assert_allclose(found.W, true.W, atol=1e-4)
    np.testing.assert_allclose(found.b, true.b, atol=1e-4)


def test_the_way_back_does_not_make_a_function_traced_again(capsys):
    b = [Frozen(1.0, []), Slotted(a=(), b=Pair({}, []))]
    start, unflatten = ad.flatten({"a": np.ones(2), "b": b})

    def f(v):
        print("called")
        return np.sum(unflatten(v)["a"] * unflatten(v)["b"][0].a)

    slope = ad.grad(f)
    assert [slope(k * start).tolist() for k in range(3)] == [[k, k, 2 * k] for k in range(3)]
    assert capsys.readouterr().out.split() == ["called"]


@pytest.mark.each("p", [Frozen(1.0, 2.0), Slotted(a=1.0, b=[2.0]), Plain(1.0, Pair(2.0, ()))])
def test_a_function_of_a_dataclass_is_traced_once(p, capsys):
    slope = ad.grad(lambda p: print("called") or sum(tree_flatten(p)[0]))
    assert [sum(tree_flatten(slope(p))[0]) for _ in range(3)] == [2, 2, 2]
    assert capsys.readouterr().out.split() == ["called"]


def test_the_parameters_share_nothing_with_the_vector():
    vector, unflatten = ad.flatten({"a": np.ones(2), "b": 1.0})
    p = unflatten(vector)
    p["a"][:] = 5.0
    assert vector.tolist() == [1, 1, 1]


def test_words_for_what_is_no_vector():
    with pytest.raises(TypeError, match="write 3.0"):
        ad.flatten([1.0, 3])
    with pytest.raises(TypeError, match="not True"):
        ad.flatten({"a": True})
    with pytest.raises(TypeError, match="int64, to which no step"):
        ad.flatten(np.arange(3, dtype="int64"))
    with pytest.raises(ad.ShapeError, match=r"of \(\?,\) only a part"):
        ad.flatten([ad.vector("x")])
    _, unflatten = ad.flatten([np.ones(3), 1.0])
    for wrong in (np.ones(3), np.ones((2, 2)), 1.0, ad.vector("v", shape=5)):
        with pytest.raises(ad.ShapeError, match="takes a vector of 4 numbers"):
            unflatten(wrong)
    with pytest.raises(TypeError, match="same_kind"):
        unflatten(np.ones(4) * 1j)
