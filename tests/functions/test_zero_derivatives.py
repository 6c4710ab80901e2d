"""A derivative that is identically zero is zero when a function is differentiated: at any depth, in
any tree of parameters, by every derivative; None in a tree stays where it is."""

import random
from collections import Counter, OrderedDict, namedtuple
from dataclasses import dataclass

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu.functions import tree_flatten, tree_unflatten
from tests.helpers.depth import draws, some

Pair = namedtuple("Pair", "first second")


@dataclass
class Record:
    a: object
    b: object = None


class Named(dict):
    """One whose entries are attributes, too."""

    def __getattr__(self, name):
        return self[name]

    def twice(self):
        return {key: 2 * value for key, value in self.items()}


def tree_of(r, depth):
    """Arrays and floats, and None, in random containers."""
    if depth == 0 or r.random() < 0.2:
        return r.choice([r.uniform(1, 2), np.full(2, r.uniform(1, 2)), np.ones((1, 3)), None])
    parts = [tree_of(r, depth - 1) for _ in range(2)]
    kinds = [list, tuple, lambda p: dict(zip("ab", p)), lambda p: Record(*p)]
    kinds += [lambda p: Pair(*p), lambda p: Named(zip("ab", p)), lambda p: {"only": p[0]}]
    return r.choice(kinds)(parts)


def zeros_like(tree):
    leaves, structure = tree_flatten(tree)
    return tree_unflatten(structure, [np.zeros(np.shape(leaf)) for leaf in leaves])


def same(found, wanted):
    (a, structure), (b, other) = tree_flatten(found), tree_flatten(wanted)
    return structure == other and all(map(np.array_equal, a, b))


def test_what_a_loss_does_not_use_has_the_slope_zero_in_any_tree():
    for seed in range(draws(40)):
        r = random.Random(seed)
        p = [tree_of(r, 3), 1.5, tree_of(r, 2)]
        used = r.random() < 0.7
        loss = lambda q: (q[1] ** 2 if used else 3.0) + 0.0  # noqa: B023 - called in this turn
        wanted = [zeros_like(p[0]), 3.0 * used, zeros_like(p[2])]
        assert same(ad.grad(loss)(p), wanted), (seed, p)
        value, slope = ad.value_and_grad(loss)(p)
        assert same(slope, wanted) and value == loss(p), (seed, p)
        twice = ad.grad(lambda q: ad.grad(loss)(q)[1])(p)  # noqa: B023
        assert same(twice, [zeros_like(p[0]), 2.0 * used, zeros_like(p[2])]), (seed, p)
        curved = ad.hessian(loss)(p)[1]
        assert same(curved, twice), (seed, p)


NESTINGS = {
    "grad": lambda f: ad.grad(lambda v: np.sum(f(v))),
    "value": lambda f: lambda v: ad.value_and_grad(lambda u: np.sum(f(u)))(v)[1],
    "jacobian": ad.jacobian,
    "forward": lambda f: ad.jacobian(f, mode="forward"),
    "hessian": lambda f: ad.hessian(lambda v: np.sum(f(v))),
    "along": lambda f: lambda v: ad.pushforward(f, v, 2.0 * v),
    "back": lambda f: lambda v: ad.pullback(lambda u: np.sum(f(u)), v, 1.0),
    "product": lambda f: lambda v: ad.hessian_vector_product(lambda u: np.sum(f(u)), v, v),
}
EXAMPLES = lambda f: lambda v: ad.vectorize(lambda s: np.sum(f(v)) + 0.0 * s)(v)
VANISH = {  # functions of a vector, each with the order from which its derivatives are zero
    "a number": (lambda v: 3.0, 1),
    "an array": (lambda v: np.ones(2), 1),
    "steps": (lambda v: np.floor(v) * 2.0, 1),
    "a sign": (lambda v: np.sign(v), 1),
    "a stop": (lambda v: ad.disconnected_grad(v * v), 1),
    "a line": (lambda v: 3 * v, 2),
    "another's": (lambda v: ad.grad(lambda u: np.sum(u * u) + np.sum(v))(np.ones(2)), 1),
    "a lazy branch": (lambda v: ad.cond(ad.constant(True), 2.0, np.sum(v)), 1),
}


def test_a_derivative_that_is_identically_zero_is_zero_at_any_depth():
    v, x = np.array([0.3, 1.6]), ad.vector("x", shape=2)
    for seed in range(draws(100)):
        r = random.Random(seed)
        name = r.choice(list(VANISH))
        f, order = VANISH[name]
        f = EXAMPLES(f) if r.random() < 0.3 else f
        line = ["grad", "value", "jacobian", "forward", "back"]  # along v, a line has a slope
        row = r.choices(line if name == "a line" else list(NESTINGS), k=order + r.randint(0, 1))
        for step in row:
            f = NESTINGS[step](f)
        assert not np.any(f(v)), (name, row)
        assert np.array_equal(ad.evaluate(f(x), {x: v}), f(v)), (name, row)


def test_the_examples_of_the_issue():
    v0, q0 = np.ones(2), np.array([1.0, 2.0])
    apart = lambda q, v: np.sum(v * v) + np.sum(q)
    assert same(ad.jacobian(lambda q: ad.grad(lambda v: apart(q, v))(v0))(q0), np.zeros((2, 2)))
    assert ad.grad(lambda p: p["a"] ** 2)({"a": 1.0, "b": None}) == {"a": 2.0, "b": None}
    assert ad.grad(lambda a, b: a * a, (0, 1))(3.0, None) == (6.0, None)
    assert ad.flatten({"a": 1.0, "b": None})[0].tolist() == [1.0]


def test_who_wants_to_be_told_is_told():
    for name in "a number", "steps", "a stop":
        f, _ = VANISH[name]
        with pytest.raises(ad.DisconnectedInputError):
            ad.grad(lambda v, g=f: np.sum(g(v)), disconnected_inputs="raise")(np.ones(2))
    with pytest.raises(TypeError, match="not None: hand it over in another argument"):
        ad.grad(lambda x: 3.0)(None)


def test_dictionaries_of_users_keep_their_class():
    p = Named(a=1.0, b=2.0)
    slope = ad.grad(lambda p: p.twice()["a"] ** 2 + p.b)(p)
    assert type(slope) is Named and slope == {"a": 8.0, "b": 1.0}
    assert type(ad.grad(lambda p: p["a"])(Counter(a=1.0))) is Counter
    assert ad.grad(lambda p: p["a"])(OrderedDict(a=1.0, b=2.0)) == {"a": 1.0, "b": 0.0}

    class Scaled(dict):
        def __init__(self, **entries):
            super().__init__(**entries)
            self.scale = 2.0

    with pytest.raises(
        TypeError, match="attribute 'scale': write a dataclass for it, or hand over"
    ):
        ad.grad(lambda p: p["a"] * p.scale)(Scaled(a=1.0))


@pytest.mark.each(
    "name", some(["f", "in_axes", "together", "self", "what", "build", "args", "word"], 3)
)
def test_arguments_may_have_any_names(name):
    value = {name: 3.0}
    space: dict = {}
    exec(f"def product(x, {name}): return x * {name}", space)
    f = space["product"]
    assert ad.grad(f)(2.0, **value) == 3.0
    assert ad.value_and_grad(f)(2.0, **value) == (6.0, 3.0)
    assert ad.jacobian(f)(2.0, **value) == 3.0
    assert ad.hessian(f)(2.0, **value) == 0.0
    many = ad.vectorize(f)(np.ones(2), **{name: np.full(2, 3.0)})
    assert many.tolist() == [3.0, 3.0]


def test_products_of_functions():
    f = lambda a, b: {"product": a * b, "fixed": 2.0, "square": a**2}
    assert ad.pushforward(f, (3.0, 2.0), (1.0, 0.5)) == {"product": 3.5, "fixed": 0, "square": 6.0}
    back = {"product": 1.0, "fixed": 9.0, "square": 0.5}
    assert ad.pullback(f)((3.0, 2.0), back) == (5.0, 3.0)
    assert ad.grad(lambda x: ad.pushforward(lambda a: a**3, x, 1.0))(3.0) == 18.0
    assert ad.grad(lambda x: ad.pullback(lambda a: a**3, x, x))(3.0) == 81.0
    assert ad.hessian_vector_product(lambda p: p[0] ** 2 * p[1], [1.0, 2.0], [1.0, 1.0]) == [6, 2]
    A = np.arange(6.0).reshape(2, 3)
    x, t, ct = np.ones(3), np.array([1.0, -1.0, 2.0]), np.array([1.0, 3.0])
    np.testing.assert_allclose(ad.pushforward(lambda v: A @ v**2, x, t), 2 * A @ t)
    np.testing.assert_allclose(ad.pullback(lambda v: A @ v**2, x, ct), 2 * ct @ A)


def test_what_is_no_point_and_no_change_is_told():
    with pytest.raises(TypeError, match=r"two arguments, a point and a cotangent.*given 1"):
        ad.pullback(lambda a: a * a, 3.0)
    with pytest.raises(TypeError, match="same containers as the point"):
        ad.pushforward(lambda a, b: a * b, (3.0, 2.0), 1.0)
    with pytest.raises(TypeError, match="same containers as the result of the function"):
        ad.pullback(lambda a: (a, a), 3.0, 1.0)
    with pytest.raises(TypeError, match="write 3.0"):
        ad.pushforward(lambda a: a * a, 3, 1.0)


def test_a_result_of_one_entry_is_a_number_in_any_shape():
    v, A = np.array([1.0, 2.0]), np.array([[2.0, 1.0], [1.0, 3.0]])
    for shape in (), (1,), (1, 1), (1, 1, 1):
        f = lambda v: np.reshape(v @ A @ v, shape)  # noqa: B023
        assert np.array_equal(ad.grad(f)(v), 2 * A @ v), shape
        assert np.array_equal(ad.hessian(f)(v), 2 * A), shape
        value, slope = ad.value_and_grad(f)(v)
        assert value.shape == shape and value == 18.0 and np.array_equal(slope, 2 * A @ v), shape
        assert ad.jacobian(f)(v).shape == (*shape, 2), shape
    with pytest.raises(TypeError, match="Cost must be a scalar"):
        ad.grad(lambda v: v * 2)(v)
