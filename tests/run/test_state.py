"""Shared values: programs read them, updates change them, givens put expressions in places."""

import pickle

import numpy as np
import pytest

import autodiff_edu as ad


def test_updates_happen_together_after_the_outputs():
    a, b = ad.shared(1.0, "a"), ad.shared(2.0, "b")
    swap = ad.function([], [a, b], updates={a: b, b: a})
    assert swap() == [1.0, 2.0]
    assert (a.get_value(), b.get_value()) == (2.0, 1.0)


def test_an_update_may_be_an_output_too():
    w = ad.shared(np.zeros(3), "w")
    new = w + 1
    step = ad.function([], new, updates=[(w, new)])
    first = step()
    first += 100  # the caller's own
    np.testing.assert_array_equal(w.get_value(), [1, 1, 1])


def test_get_value_copies_unless_borrowed():
    w = ad.shared(np.zeros(2))
    w.get_value()[0] = 5
    assert w.get_value()[0] == 0
    w.get_value(borrow=True)[0] = 5
    assert w.get_value()[0] == 5


def test_set_value_copies_unless_borrowed():
    mine = np.zeros(2)
    w = ad.shared(mine)
    mine[0] = 1
    assert w.get_value()[0] == 0
    w.set_value(mine, borrow=True)
    assert np.shares_memory(w.get_value(borrow=True), mine)


def test_programs_see_set_value():
    w, x = ad.shared(2.0, "w"), ad.scalar("x")
    f = ad.function([x], w * x)
    assert f(3.0) == 6.0
    w.set_value(10)
    assert f(3.0) == 30.0


def test_evaluation_reads_shared_values_and_may_be_told_others():
    w = ad.shared(2.0, "w")
    assert ad.evaluate(w * 3) == 6.0
    assert ad.evaluate(w * 3, {w: 5.0}) == 15.0


def test_gradient_descent_on_a_shared_value():
    w = ad.shared(np.array([3.0, -2.0]), "w")
    cost = ((w - np.array([1.0, 1.0])) ** 2).sum()
    step = ad.function([], cost, updates=[(w, w - 0.25 * ad.grad(cost, w))])
    assert [step() for _ in range(3)] == [13.0, 3.25, 0.8125]


def test_givens_may_contain_what_they_replace():
    x, y = ad.scalar("x"), ad.scalar("y")
    assert ad.function([x], x * x, givens={x: x + 1})(2.0) == 9.0
    assert ad.function([x, y], x - y, givens=[(x, y), (y, x)])(2.0, 5.0) == 3.0


def test_givens_reach_the_updates():
    w, x, batch = ad.shared(0.0, "w"), ad.scalar("x"), ad.scalar("batch")
    f = ad.function([batch], [], updates={w: w + x}, givens={x: batch * 2})
    assert f(4.0) == []
    assert w.get_value() == 8.0


def test_unknown_lengths_may_change():
    data = ad.shared(np.ones((2, 3)), "data", shape=(None, 3))
    total = ad.function([], data.sum())
    data.set_value(np.ones((5, 3)))
    assert total() == 15.0
    with pytest.raises(ad.ShapeError, match="data is declared"):
        data.set_value(np.ones((5, 4)))


def test_an_update_of_a_wrong_length_leaves_the_value():
    v, w = ad.vector("v"), ad.shared(np.zeros(3), "w")
    keep = ad.function([v], [], updates={w: v})
    with pytest.raises(ad.ShapeError, match="w is declared"):
        keep(np.ones(4))
    np.testing.assert_array_equal(w.get_value(), np.zeros(3))


@pytest.mark.each(
    "make, error, words",
    [
        (lambda n, x: ad.function([], n, updates={n: n + 0.5}), ad.DTypeError, "astype"),
        (lambda n, x: ad.function([x], x, updates={x: x}), TypeError, "made by ad.shared"),
        (lambda n, x: ad.function([], n, updates=[(n, n), (n, n)]), ValueError, "two expressions"),
        (lambda n, x: ad.function([x], x, givens={x: ad.vector("v")}), ad.ShapeError, "sum,"),
        (lambda n, x: ad.function([], n, updates={n: x}), ad.DTypeError, "int64"),
        (lambda n, x: n.set_value(0.5), ad.DTypeError, "without loss"),
        (lambda n, x: n.set_value(x), TypeError, "takes a number"),
    ],
)
def test_mistakes_are_explained(make, error, words):
    with pytest.raises(error, match=words):
        make(ad.shared(0, "n"), ad.scalar("x"))


def test_shared_values_are_drawn_and_stored():
    w = ad.shared(np.arange(3.0), "w")
    assert "shared  w" in repr(ad.draw((w * 2).sum()))
    again = pickle.loads(pickle.dumps((w * 2).sum()))
    assert ad.evaluate(again) == 6.0


def test_the_source_reads_and_writes_shared_values():
    w = ad.shared(0.0, "w")
    f = ad.function([], w, updates={w: w + 1})
    assert "w = shared_w.value" in f.source
    assert "shared_w.value = v1" in f.source


def test_dead_arrays_are_freed_where_room_is_needed():
    x = ad.vector("x")
    y = ad.exp(ad.concatenate([ad.sin(x), x])).sum() * ad.concatenate([x, x])
    assert "del " in ad.function([x], y).source


TWICE = r"w.* has two expressions among updates, or among givens: leave one of them out"
NO_PAIR = r"is no pair: write \[\(w, w \+ 1\)\]"


@pytest.mark.each("what", ["updates", "givens"])
@pytest.mark.each(
    ("given", "told"),
    [
        (lambda w: [(w, w + 1), (w, w + 2)], TWICE),
        (lambda w: (w, w + 1), NO_PAIR),
        (lambda w: [(w, w, w)], NO_PAIR),
        (lambda w: w, NO_PAIR),
        (lambda w: 3, NO_PAIR),
    ],
)
def test_what_is_no_list_of_pairs_is_told(what, given, told):
    w = ad.shared(1.0, "w")
    with pytest.raises((TypeError, ValueError), match=told):
        ad.function([], w, **{what: given(w)})
