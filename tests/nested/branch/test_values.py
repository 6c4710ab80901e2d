"""What a branch computes: the values of one side, and nothing of the other."""

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu.nested import Branch
from tests.helpers.boxes import run
from tests.helpers.depth import some

x, y, v = ad.scalar("x"), ad.scalar("y"), ad.vector("v")


@pytest.mark.each(("at", "expected"), [(4.0, 2.0), (0.0, 5.0), (-0.0, 5.0), (-3.0, 14.0)])
def test_each_side_and_the_boundary(at, expected):
    assert run(ad.cond(x > 0, ad.sqrt(x), x * x + 5), x=at) == expected


@pytest.mark.each("at", some([-2.0, -1.0, 0.0, 1.0, 2.0, np.nan], 2))
@pytest.mark.each("ask", some([
    lambda x: x > 1, lambda x: x >= 1, lambda x: x < -1, lambda x: ad.equal(x, 0),
    lambda x: ~(x > 0),
    lambda x: (x > -2) & (x < 2), lambda x: (x < -1) | (x > 1), lambda x: x, lambda x: x > x,
], 2))  # fmt: skip
def test_conditions(ask, at):
    """Also for nan, and a number as a condition, as Python reads it."""
    holds = bool(ad.evaluate(ask(x), {x: at}))
    assert run(ad.cond(ask(x), x * 0 + 1, ad.exp(x) * 0), x=at) == (1 if holds else 0) or at != at


def test_several_results_keep_their_structure():
    found = ad.cond(x > 0, {"a": x, "b": [x * x, (v, 1)]}, {"b": [2, (v * 2, x)], "a": 3})
    assert list(found) == ["a", "b"] and isinstance(found["b"][1], tuple)
    roots = [found["a"], found["b"][0], *found["b"][1]]
    assert len({n.inputs[0] for n in roots}) == 1  # one branch computes all
    for f in (ad.function([x, v], roots), lambda a, b: ad.evaluate(roots, {x: a, v: b})):
        assert f(3.0, [1.0]) == [3, 9, 1, 1]
        assert f(-3.0, [1.0]) == [3, 2, 2, -3]


def test_named_tuples():
    from typing import NamedTuple

    class Pair(NamedTuple):
        a: ad.Expr
        b: ad.Expr

    found = ad.cond(x > 0, Pair(x, x + 1), Pair(x, x * 2))
    assert isinstance(found, Pair) and run(found.b, x=4.0) == 5


def test_functions_are_called_once_each():
    calls = []

    def first():
        calls.append(1)
        return x * x

    assert run(ad.cond(x > 0, first, lambda: -x), x=-3.0) == 3 and len(calls) == 1


def test_without_an_expression_python_chooses():
    assert ad.cond(True, 3, lambda: 1 / 0) == 3
    assert ad.cond(np.float64(0), lambda: 1 / 0, x) is x
    with pytest.raises(ValueError, match="ambiguous"):
        ad.cond(np.array([True, False]), x, x)


@pytest.mark.each(("first", "second", "expected"), [
    (x, 1, "float64"), (x.astype("float32"), 1.0, "float32"), (ad.constant(1), 2.5, "float64"),
    (x > 0, ad.constant(2), "int64"), (x > 0, x < 1, "bool"),
])  # fmt: skip
def test_dtypes_are_promoted_as_in_where(first, second, expected):
    found = ad.cond(x > 2, first, second)
    assert found.dtype == ad.where(x > 2, first, second).dtype == expected
    assert run(found, x=3.0) == run(ad.where(x > 2, first, second), x=3.0)


def test_a_number_stands_for_an_array_of_it():
    w = ad.vector("w", shape=3)
    np.testing.assert_array_equal(run(ad.cond(x > 0, w, 2), x=-1.0, w=np.zeros(3)), [2, 2, 2])


# ---- only one side is computed


@pytest.fixture
def heavy():
    """An operation, x², that notes what it is applied to; so does its slope, 2x."""
    calls = []

    class Double(ad.Op):
        def infer_type(self, x):
            return x

        def perform(self, x):
            calls.append(float(x))
            return 2.0 * x

    class Heavy(ad.Op):
        def infer_type(self, x):
            return x

        def perform(self, x):
            calls.append(float(x))
            return x * x

        def pullback(self, inputs, outputs, cotangents):
            return [cotangents[0] * Double()(inputs[0])]

    found = Heavy()
    found.calls = calls
    return found


@pytest.mark.each("simplify", ["safe", None])
def test_the_other_side_is_not_computed(heavy, simplify):
    f = ad.function([x], ad.cond(x > 0, heavy(x), ad.sin(x)), simplify=simplify)
    assert f(-1.0) == np.sin(-1) and heavy.calls == []
    assert f(3.0) == 9 and heavy.calls == [3]


def test_nor_is_its_derivative(heavy):
    slope = ad.function([x], ad.grad(ad.cond(x > 0, heavy(x), ad.sin(x)), x))
    assert slope(-1.0) == np.cos(-1) and heavy.calls == []
    assert slope(3.0) == 6 and heavy.calls == [3]
    tangent = ad.function([x], ad.forward_mode(ad.cond(x > 0, heavy(x), ad.sin(x)), x).output)
    heavy.calls.clear()
    assert tangent(-1.0) == np.cos(-1) and heavy.calls == []
    assert tangent(3.0) == 6


def test_nor_by_the_interpreter(heavy):
    assert ad.evaluate(ad.cond(x > 0, heavy(x), ad.sin(x)), {x: -1.0}) == np.sin(-1)
    assert heavy.calls == []


def test_nor_in_a_loop(heavy):
    s = ad.scan(lambda x, s: ad.cond(x > 0, s + heavy(x), s), sequences=v, outputs_info=0.0)
    f = ad.function([v], [s[-1], ad.grad(s[-1], v)])
    total, slope = f([1.0, -1.0, 2.0, -5.0])
    assert total == 5 and slope.tolist() == [2, 0, 4, 0]
    assert sorted(heavy.calls) == [1, 1, 2, 2]  # two values, two slopes


def test_a_side_that_would_raise():
    chosen = ad.cond(v.shape[0] > 5, v[5], -1.0)
    assert run(chosen, v=np.ones(2)) == -1
    assert run(chosen, v=np.arange(9.0)) == 5
    a = ad.matrix("a")
    safe = ad.cond(ad.det(a) > 0, ad.cholesky(a), ad.zeros_like(a))
    assert not run(safe, a=np.array([[0.0, 1.0], [1.0, 0.0]])).any()
    with pytest.raises(IndexError, match="in cond: index of v"):
        ad.function([x, v], ad.cond(x > 0, v[5], 0.0))(1.0, [1.0])


def test_what_both_sides_need_is_computed_once(heavy):
    e = heavy(x)
    f = ad.function([x], ad.cond(x > 0, e + 1, e * 3))
    assert (f(1.0), f(-1.0)) == (2, 3) and heavy.calls == [1, -1]
    g = ad.function([x], ad.cond(x > 0, heavy(x) + 1, heavy(x) * 3))  # written twice
    heavy.calls.clear()
    assert (g(1.0), g(-1.0)) == (2, 3) and heavy.calls == [1, -1]


def test_what_stands_outside_too_is_computed_once(heavy):
    f = ad.function([x], [ad.cond(x > 0, heavy(x) + 1, 0.0), heavy(x) * 5])
    assert f(1.0) == [2, 5] and heavy.calls == [1]


def test_value_and_derivatives_are_one_branch():
    """So that a derivative finds again what the value computed."""
    y = ad.cond(x > 0, ad.exp(x * x), ad.sin(x))
    f = ad.function([x], [y, ad.grad(y, x), ad.grad(ad.grad(y, x), x)])
    assert sum(isinstance(n.op, Branch) for n in f.graph.nodes) == 1
    assert f.source.count("exp(") == 1


def test_lengths_of_the_other_side_do_not_need_its_values():
    e = ad.exp(v)
    f = ad.function([x, v], ad.cond(x > 0, e, ad.zeros_like(e)))
    assert f.source.index("if condition") < f.source.index("np.exp") < f.source.index("else")
    np.testing.assert_array_equal(f(-1.0, [1.0, 2.0]), [0, 0])


def test_results_are_arrays_of_their_own():
    given = np.ones(2)
    for f in (
        ad.function([x, v], ad.cond(x > 0, v, v * 2)),
        lambda a, b: ad.evaluate(ad.cond(x > 0, v, v * 2), {x: a, v: b}),
    ):
        f(1.0, given)[0] = 7
        assert given.tolist() == [1, 1]
    twice = ad.function([x, v], ad.cond(x > 0, [v, v], [v * 2, v]))(1.0, given)
    twice[0][0] = 7
    assert twice[1].tolist() == given.tolist() == [1, 1]
    added = ad.function([x, v], [ad.cond(x > 0, v, v * 2) + 1, v * 1])  # not written over v
    assert [r.tolist() for r in added(1.0, given)] == [[2, 2], [1, 1]]


# ---- programs


def test_the_text():
    f = ad.function([x, v], ad.cond(x > 0, ad.exp(v), ad.sin(v) * x))
    assert (
        f.stages[-1].after.source
        == """\
import numpy as np


def cond(condition, v, x):
    if condition:
        v1 = np.exp(v)
        return v1
    else:
        v2 = np.sin(v)
        v3 = np.multiply(v2, x, out=v2)
        return v3


@np.errstate(all="ignore")
def program(x, v):
    x, v = accept(x, v)
    v1 = x > 0.0
    v2 = cond(v1, v, x)
    return v2
"""
    )


def test_single_numbers_are_plain_python():
    f = ad.function([x, y], ad.cond(x > y, ad.exp(x) / y, ad.log(y)))
    text = f.stages[-1].after.source
    assert "np." not in text and "if condition:" in text
    assert type(f(2.0, 1.0)) is float and np.isclose(f(2.0, 1.0), np.exp(2), rtol=1e-14)
    assert f(1.0, 0.0) == np.inf  # where Python raises
    assert f(-1.0, 0.0) == -np.inf and f(1e4, 1.0) == np.inf
    two = ad.function([x], ad.cond(x > 1, [1 / x, x], [ad.exp(x), 1 / x]))
    assert "np." not in two.stages[-1].after.source
    assert two(0.0) == [1, np.inf] and [*map(type, two(0.0))] == [float, float]


@pytest.mark.each("made", [
    lambda e: ad.cond(x > -1e9, e, 0.0), lambda e: ad.OpFromGraph([x], e)(x),
])  # fmt: skip
@pytest.mark.each("inner", [ad.exp(x), ad.sqrt(x) * 0.0, x * x], ids=str)
def test_a_body_of_numbers_within_a_program_of_arrays(made, inner):
    """1/0 is an error of Python's, and inf for NumPy: what a body gives is a number of NumPy's."""
    f = ad.function([x, v], 1 / made(inner) + v)
    for at in (-1e4, 0.0, 1.0):
        with np.errstate(all="ignore"):
            expected = 1 / np.asarray(ad.evaluate(inner, {x: at})) + 1
        np.testing.assert_equal(f(at, [1.0])[0], expected)


def test_in_loops_of_numbers():
    s = ad.scan(lambda t, s: ad.cond(t > s, s + ad.sqrt(t), s / 2), sequences=v, outputs_info=1.0)
    f = ad.function([v], s)
    assert "float(s)" in f.source  # the loop is plain Python, too
    value, expected = 1.0, []
    for t in (3.0, 1.0, -4.0, 9.0):
        value = value + np.sqrt(t) if t > value else value / 2
        expected.append(value)
    np.testing.assert_allclose(f([3.0, 1.0, -4.0, 9.0]), expected)


def test_the_cost_is_that_of_the_dearer_side():
    w = ad.vector("w", shape=4)
    assert ad.cost(ad.cond(x > 0, ad.exp(w), ad.exp(w) * w)) == (2, 1 + 8)
    assert ad.cost(ad.cond(x > 0, ad.exp(w) * w, 0.0)).flops == 9
    assert ad.cost(ad.cond(x > 0, ad.sort(w), w)).flops is None


def test_a_program_with_a_branch_is_pickled():
    import pickle

    f = ad.function([x], ad.cond(x > 0, ad.sqrt(x), -x))
    g = pickle.loads(pickle.dumps(ad.portable(f)))
    assert (g(4.0), g(-4.0)) == (2, 4) and g.source == f.source


def test_shared_values_and_streams_of_random_numbers():
    w = ad.shared(2.0, name="w")
    f = ad.function([x], ad.cond(x > 0, w * x, w), updates={w: w + 1})
    assert [f(1.0), f(-1.0), f(2.0)] == [2, 3, 8]
    stream = ad.RandomStream(0)
    draw = stream.normal()
    g = ad.function([x], ad.cond(x > 0, draw, 0.0))
    h = ad.function([], ad.RandomStream(0).normal())
    drawn = [h(), h(), h()]
    assert [g(1.0), g(-1.0), g(1.0)] == [drawn[0], 0, drawn[2]]  # it moves on in any case


def test_a_loop_that_moves_a_shared_value_on_does_so_in_any_case():
    w = ad.shared(1.0, name="w")
    s = ad.scan(lambda s: (s + w, {w: w + 1}), outputs_info=0.0, n_steps=2)[-1]
    f = ad.function([x], ad.cond(x > 0, s, 0.0))
    assert [f(-1.0), w.get_value(), f(1.0), w.get_value()] == [0, 3, 3 + 4, 5]


def test_a_number_stands_for_an_array_of_unknown_length():
    x, v, u = ad.scalar("x"), ad.vector("v"), ad.vector("u", dtype="float32")
    for y in (ad.cond(x > 0, v * x, 2.0), ad.cond(x > 0, v, lambda: 2)):
        for simplify in (None, "safe", "real"):
            f = ad.function([x, v], [y, ad.grad(y.sum(), v)], simplify=simplify)
            for at, value, slope in ((1.0, [3.0, 4.0], [1, 1]), (-1.0, [2, 2], [0, 0])):
                assert [a.tolist() for a in f(at, [3.0, 4.0])] == [value, slope]
    m = ad.matrix("m", shape=(None, 2))
    assert (
        ad.function([x, m], ad.cond(x > 0, 1.0, m))(1.0, np.zeros((3, 2))).tolist() == [[1, 1]] * 3
    )
    assert ad.cond(x > 0, u, 0).dtype == "float32"
