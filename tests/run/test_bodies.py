"""Operations with a body in programs: equal ones are one function, however deep they stand."""

import numpy as np
import pytest

import autodiff_edu as ad
from tests.helpers.depth import some

x = ad.vector("x", shape=3)


def nested_roots(depth):
    """An equation in which an equation stands, and so on."""
    solved = ad.sin
    for _ in range(depth):
        solved = lambda y, f=solved: ad.root(lambda z: z + 0.1 * f(z) - y, y)
    return solved


def count(depth, derive):
    """How many functions the program has."""
    return ad.function([x], derive(ad.sum(nested_roots(depth)(x) ** 2))).source.count("\ndef ")


@pytest.mark.parametrize("derive", [lambda y: y, lambda y: ad.grad(y, x)], ids=["value", "slope"])
def test_a_program_grows_linearly_with_the_depth(derive):
    """A search asks for a value and a derivative, each of which searches below."""
    counts = [count(depth, derive) for depth in (2, 3, 4, 5)]
    steps = np.diff(counts)
    assert steps[0] > 0 and (steps == steps[0]).all()


def two_loops(name):
    """Two loops of different bodies in which equal loops stand."""

    def inner(s):
        return ad.scan(lambda r: ad.sin(r) + 0.1 * r, outputs_info=s, n_steps=4, name="inner")[-1]

    first = ad.scan(lambda s: inner(s) * 0.5, outputs_info=x, n_steps=2)[-1]

    def step(s):
        c = inner(s)
        c.name = name
        return c - ad.cos(c * 0.3) * c

    return ad.sum(first + ad.scan(step, outputs_info=x, n_steps=3)[-1])


@pytest.mark.parametrize("name", some(["c", "inner"], 2, turn=1))
def test_equal_loops_in_two_bodies_are_one_function(name):
    """Unless a variable of the second body has its name."""
    y = two_loops(name)
    f = ad.function([x], [y, ad.grad(y, x)])
    at = np.array([0.2, -1.0, 3.0])
    for found, expected in zip(f(at), ad.evaluate([y, ad.grad(y, x)], {x: at}), strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-13)
    value = ad.function([x], y)
    assert value.source.count("def inner") == 1 + (name == "inner")
    space = {}
    exec(value.source, space)
    assert space["program"](at) == value(at)


def test_equal_branches_in_programs_of_numbers_and_of_arrays():
    """The text for numbers is none for arrays, so these have one each."""
    a = ad.scalar("a")

    def chosen(s):
        return ad.cond(s > 0.5, lambda: ad.exp(-s), lambda: s * s)

    number = ad.scan(lambda s: chosen(s) + 0.1, outputs_info=a, n_steps=3)[-1]
    array = ad.scan(lambda s: chosen(ad.sum(s)) * s, outputs_info=x, n_steps=2)[-1]
    branch = ad.cond(a > 0, lambda: chosen(chosen(a)), lambda: a)
    y = number + ad.sum(array) + branch
    f, at = ad.function([a, x], y), (0.3, np.array([0.2, 0.9, -0.1]))
    assert f(*at) == pytest.approx(ad.evaluate(y, {a: at[0], x: at[1]}), rel=1e-13)
    space = {}
    exec(f.source, space)
    assert space["program"](*at) == f(*at)
