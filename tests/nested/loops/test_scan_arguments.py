"""What `scan` takes and gives: the order of arguments, taps, first states, ends, state; and what
it says where that does not fit."""

import numpy as np
import pytest

import autodiff_edu as ad
from tests.helpers.depth import some
from tests.helpers.loops import value

RNG = np.random.default_rng(4)


def normal(*shape):
    return RNG.normal(size=shape)


# ---- what a step is called with


def test_slices_come_first_then_earlier_outputs_then_the_others():
    u, v, w = ad.vector("u"), ad.vector("v"), ad.scalar("w")
    seen = []

    def step(*args):
        seen.append([a.name for a in args])
        return args[3] + 0, args[5] + 0, args[0] * args[-1]

    ad.scan(
        step,
        sequences=[{"input": u, "taps": [1, -1]}, v],
        outputs_info=[{"initial": np.ones(3), "taps": [-3, -1]}, 0.0, None],
        non_sequences=[w, 2.0],
    )
    assert len(seen[0]) == 8 and seen[0][6] == "w"


def test_symbols_are_called_as_the_step_calls_them():
    names = []

    def step(u_before, u, far, near, total, w):
        names.extend(x.name for x in (u_before, u, far, near, total, w))
        return far + near, total + u * u_before * w

    ad.scan(
        step,
        sequences={"input": ad.vector("seq"), "taps": [-1, 0]},
        outputs_info=[{"initial": ad.vector("first"), "taps": [-2, -1]}, 0.0],
        non_sequences=ad.scalar("weight"),
    )
    assert names[-6:] == ["u_before", "u", "far", "near", "total", "weight"]


def test_taps_of_sequences_of_the_past_and_of_the_future():
    u, x0 = ad.vector("u"), ad.vector("x0")
    a, b = 0.7, 1.9
    x = ad.scan(
        lambda before, after, near, far: (before + after) * a + near * b + far,
        sequences={"input": u, "taps": [-2, 2]},
        outputs_info={"initial": x0, "taps": [-1, -2]},
    )
    us, xs = normal(6), normal(2)
    wanted = list(xs)
    for t in range(2, 4):
        wanted.append((us[t - 2] + us[t + 2]) * a + wanted[-1] * b + wanted[-2])
    np.testing.assert_allclose(value(x, u=us, x0=xs), wanted[2:], rtol=1e-14)


@pytest.mark.each(
    "taps, wanted",
    [([-1], [0, 1, 2, 3]), (-2, [0, 1, 2]), ([-2, -1], [0, 1, 2]), ([2], [2, 3, 4]), (0, range(5))],
)
def test_a_slice_at_a_tap(taps, wanted):
    x = ad.vector("x")
    step = lambda first, *rest: first
    y = ad.scan(step, sequences={"input": x, "taps": taps})
    np.testing.assert_array_equal(value(y, x=np.arange(5.0)), wanted)


def test_a_first_state_may_have_more_rows_than_the_taps_reach_back():
    first = ad.vector("first")
    x = ad.scan(lambda far: far + 1, outputs_info={"initial": first, "taps": [-2]}, n_steps=3)
    np.testing.assert_array_equal(value(x, first=[1.0, 2.0, 9.0]), [2, 3, 3])


def test_backwards():
    u, w = ad.vector("u"), ad.scalar("w")
    x = ad.scan(lambda u, x: u + w * x, sequences=u, outputs_info=0.0, go_backwards=True)
    us = normal(4)
    wanted, state = [], 0.0
    for k in us[::-1]:
        state = k + 0.3 * state
        wanted.append(state)
    np.testing.assert_allclose(value(x, u=us, w=0.3), wanted, rtol=1e-14)
    slope = value(ad.grad(x[-1], u), u=us, w=0.3)
    np.testing.assert_allclose(slope, 0.3 ** np.arange(4.0), rtol=1e-14)


def test_backwards_with_taps_goes_back_over_the_same_slices():
    u = ad.vector("u")
    both = {"input": u, "taps": [-1, 0]}
    ahead, back = (
        value(ad.scan(lambda b, x: b - x, sequences=both, go_backwards=way), u=normal(5))
        for way in (False, True)
    )
    assert ahead.shape == back.shape == (4,)
    us = normal(5)
    y = ad.scan(lambda b, x: 10 * b + x, sequences=both, go_backwards=True)
    np.testing.assert_allclose(value(y, u=us), (10 * us[:-1] + us[1:])[::-1], rtol=1e-14)


# ---- how many steps


def test_sequences_are_cut_to_the_shortest_and_to_n_steps():
    u, v, n = ad.vector("u"), ad.vector("v", shape=7), ad.scalar("n", dtype="int64")
    step = lambda u, v: u * v
    at = {"u": np.arange(4.0), "v": np.arange(7.0), "n": 2}
    assert value(ad.scan(step, sequences=[u, v]), **at).shape == (4,)
    assert value(ad.scan(step, sequences=[u, v], n_steps=3), **at).shape == (3,)
    y = ad.scan(step, sequences=[u, v], n_steps=n)
    np.testing.assert_array_equal(value(y, **at), [0, 1])
    np.testing.assert_array_equal(value(ad.grad(y.sum(), v), **at), [0, 1, 0, 0, 0, 0, 0])
    fixed = ad.scan(step, sequences=[v, ad.vector("w", shape=5)])
    assert fixed.type.shape == (5,)


def test_n_steps_may_be_an_expression_of_an_input():
    k, x = ad.vector("k", dtype="int64"), ad.scalar("x")
    y = ad.scan(lambda p: p * x, outputs_info=1.0, n_steps=k.sum() - 1)
    run = ad.function([k, x], [y, ad.grad(y[-1], x)])
    powers, slope = run([2, 3], 3.0)
    np.testing.assert_array_equal(powers, [3, 9, 27, 81])
    assert slope == 4 * 27


@pytest.mark.each("n", [-1, 2.5, "three", True + 0.5])
def test_numbers_of_steps_that_are_none(n):
    with pytest.raises(ValueError, match="n_steps is a whole number"):
        ad.scan(lambda x: x, outputs_info=1.0, n_steps=n)


def test_n_steps_is_one_whole_number():
    for n in (ad.scalar("n"), ad.vector("n", dtype="int64")):
        with pytest.raises((TypeError, ValueError), match="n_steps"):
            ad.scan(lambda x: x * 2, outputs_info=1.0, n_steps=n)


def test_nothing_tells_how_many_steps():
    with pytest.raises(ValueError, match="give n_steps, or a sequence"):
        ad.scan(lambda x: x, outputs_info=1.0)
    with pytest.raises(ValueError, match="9 steps, but a sequence has slices for 4"):
        ad.scan(lambda x: x, sequences=ad.vector("x", shape=4), n_steps=9)


def test_a_sequence_that_turns_out_too_short_is_named():
    u, n = ad.vector("u"), ad.scalar("n", dtype="int64")
    y = ad.scan(lambda u: u * u, sequences=u, n_steps=n)
    for run in (ad.function([u, n], y), lambda u_, n_: value(y, u=u_, n=n_)):
        with pytest.raises(ValueError, match=r"(?s)u\b.*3.*5"):
            run(np.ones(3), 5)


# ---- what a step returns


@pytest.mark.each(
    "returned, count",
    [
        (lambda x: x, 1),
        (lambda x: [x], 1),
        (lambda x: (x, x), 2),
        (lambda x: ([x, x * 2], {}), 2),
        (lambda x: ((x, x + 1), ad.until(x > 9)), 2),
        (lambda x: ([x], {}, ad.until(x > 9)), 1),
        (lambda x: (x, 1.0), 2),
        (lambda x: (x, None), 1),
    ],
)
def test_one_output_comes_by_itself_and_several_in_a_list(returned, count):
    outputs = ad.scan(returned, sequences=ad.vector("x"))
    assert isinstance(outputs, list) == (count > 1)
    assert count == 1 or len(outputs) == count


def test_first_states_that_take_the_type_of_what_they_meet():
    v, k = ad.vector("v"), ad.vector("k", dtype="int64")
    assert ad.scan(lambda v, s: s + v, sequences=v, outputs_info=0).dtype == "float64"
    assert ad.scan(lambda k, s: s + k, sequences=k, outputs_info=0).dtype == "int64"
    w = ad.vector("w", shape=3)
    grown = ad.scan(lambda s: s + w, outputs_info=0, n_steps=2)
    np.testing.assert_array_equal(value(grown, w=[1.0, 2, 3]), [[1, 2, 3], [2, 4, 6]])
    whole = ad.scan(lambda k, s: s + k * 0.5, sequences=k, outputs_info=np.int64(0))
    assert whole.dtype == "float64"
    small = ad.vector("small", dtype="float32")
    for zero in (0, 0.0):
        assert ad.scan(lambda x, s: s + x, sequences=small, outputs_info=zero).dtype == "float32"
    assert ad.scan(lambda s: ad.sqrt(s) + 1, outputs_info=0, n_steps=2).dtype == "float64"
    assert ad.scan(lambda s: s + 1, outputs_info=1000, n_steps=2).dtype == "int64"
    assert ad.scan(lambda s: ~s, outputs_info=True, n_steps=2).dtype == "bool"


def test_numbers_that_take_each_others_type():
    x = ad.vector("x", dtype="float32", shape=3)
    a, b = ad.scan(lambda a, b: (b * 1, a + x), outputs_info=[1.0, 1], n_steps=4)
    assert a.type == b.type == ad.TensorType("float32", (4, 3))
    found = value([a, b], x=np.float32([1, 2, 3]))
    np.testing.assert_array_equal(found[0][-1], np.float32([3, 5, 7]))
    assert ad.scan(lambda a, b: (b, a), outputs_info=[1.0, 2.0], n_steps=4)[0].dtype == "float64"
    h = ad.scalar("h")
    a, b = ad.scan(lambda a, b: (a * 1.0, a + 1.0), outputs_info=[0.0, h], n_steps=4)
    assert a.dtype == b.dtype == "float64"
    k = ad.scalar("k", dtype="bool")
    a, b = ad.scan(lambda a, b: (a + 1, a + b), outputs_info=[0, k], n_steps=2)
    assert a.dtype == b.dtype == "int64"


def test_a_state_that_is_declared_of_length_1_stays_so():
    m = ad.matrix("m")
    s = ad.scan(lambda s: s + m, outputs_info=np.zeros((1, 3)), n_steps=2)
    assert value(s, m=np.ones((1, 3))).shape == (2, 1, 3)
    for run in (ad.function(m, s), lambda at: value(s, m=at)):
        with pytest.raises(ad.ShapeError, match="the state s is .*1, 3.* before a step"):
            run(np.ones((2, 3)))


@pytest.mark.each(
    "first, step",
    [
        (np.zeros(2), lambda s: ad.concatenate([s, s])),
        (np.zeros((1, 3)), lambda s: s + ad.matrix("m", shape=(2, 3))),
        (0.5, lambda s: ad.floor(s).astype("int64")),
        (0, lambda s: s > 0),
        (0.0, lambda s: s + ad.vector("v")),
        (np.zeros(2, "float32"), lambda s: ad.floor(s) > 0),
        (np.float64(0), lambda s: s.astype("float32")),
    ],
)
def test_a_state_keeps_its_type(first, step):
    with pytest.raises(ad.ShapeError, match="a state is .* before a step and .* after it.*zeros"):
        ad.scan(step, outputs_info=first, n_steps=3)


def test_outputs_and_their_first_states_are_counted():
    with pytest.raises(ValueError, match="a step returns 2 outputs, and outputs_info has 1"):
        ad.scan(lambda s: (s, s), outputs_info=1.0, n_steps=3)
    with pytest.raises(ValueError, match="at least one output"):
        ad.scan(lambda x: [], sequences=ad.vector("x"))
    with pytest.raises(TypeError, match="returned None: write `return`"):
        ad.scan(lambda x: None, sequences=ad.vector("x"))


@pytest.mark.each(
    "step, words",
    [
        (lambda: 1.0, "1 slices, 1 earlier outputs and 1 non-sequences"),
        (lambda x, s: s, "too many positional arguments"),
        (lambda x, s, w, v: s, "missing a required argument: 'v'"),
    ],
)
def test_arguments_of_a_step_are_counted(step, words):
    with pytest.raises(TypeError, match=f"a step is called with .*{words}"):
        ad.scan(step, ad.vector("x"), ad.scalar("s"), ad.scalar("w"))


def test_what_is_no_step():
    with pytest.raises(TypeError, match="scan takes the function of a step, not 3"):
        ad.scan(3, sequences=ad.vector("x"))


def test_ends_are_one_truth_value():
    x = ad.vector("x")
    with pytest.raises(ad.ShapeError, match="until takes one truth value.*ad.any"):
        ad.scan(lambda s: (s, ad.until(s > 1)), outputs_info=x, n_steps=3)
    with pytest.raises(ValueError, match="join the conditions"):
        ad.scan(lambda x: (x, ad.until(x > 1), ad.until(x < 0)), sequences=x)
    y = ad.scan(lambda x: (x, ad.until((x > 1) | (x < 0))), sequences=x)
    np.testing.assert_array_equal(value(y, x=[0.5, -1.0, 0.5]), [0.5, -1.0])
    y = ad.scan(lambda x: (x, ad.until(x)), sequences=ad.vector("k", dtype="int64"))
    np.testing.assert_array_equal(value(y, k=[0, 0, 2, 0]), [0, 0, 2])


@pytest.mark.each("given", [{"initial": 1.0, "tap": [-1]}, {"taps": [-1]}, {"input": 1.0}])
def test_first_states_are_spelt_as_they_are(given):
    with pytest.raises(ValueError, match='write {"initial": array, "taps": '):
        ad.scan(lambda s: s, outputs_info=given, n_steps=3)


def test_a_number_has_no_slices():
    with pytest.raises(ValueError, match="c.* is one number"):
        ad.scan(lambda x: x, sequences=ad.scalar("c"))
    with pytest.raises(ValueError, match="is one number"):
        ad.scan(lambda x: x, outputs_info={"initial": ad.scalar("c"), "taps": [-2]}, n_steps=3)


def test_too_few_first_rows_are_counted():
    step = lambda far, near: far + near
    first = {"initial": ad.vector("first", shape=1), "taps": [-2, -1]}
    with pytest.raises(ValueError, match=r"first.* has 1 first rows, .*\[-2, -1\] reach 2 back"):
        ad.scan(step, outputs_info=first, n_steps=3)
    first["initial"] = ad.vector("first")
    y = ad.scan(step, outputs_info=first, n_steps=3)
    with pytest.raises(IndexError, match="first of shape"):
        value(y, first=[1.0])


# ---- what a step takes from outside


def test_what_a_step_takes_from_outside_is_found_by_itself():
    w, b, x = ad.scalar("w"), ad.shared(2.0, "b"), ad.vector("x")
    outside = ad.exp(w) * b
    y = ad.scan(lambda x: x * outside + w, sequences=x)
    found = ad.function([x, w], ad.grad(y.sum(), [w, b]))([1.0, 2.0], 0.5)
    np.testing.assert_allclose(found, [3 * 2 * np.exp(0.5) + 2, 3 * np.exp(0.5)], rtol=1e-14)


def test_strict_steps_take_only_what_is_listed():
    w, x = ad.shared(np.eye(2), "w"), ad.vector("x")
    with pytest.raises(ad.MissingInputError, match="the step takes w.*add it to non_sequences"):
        ad.scan(lambda x: x @ w, outputs_info=ad.ones(2), n_steps=3, strict=True)
    ad.scan(lambda x, w: x @ w, outputs_info=ad.ones(2), non_sequences=w, n_steps=3, strict=True)
    doubled = 2 * x
    ad.scan(lambda s, d: s + d, non_sequences=doubled, outputs_info=x, n_steps=2, strict=True)
    with pytest.raises(ad.MissingInputError, match="takes x"):
        ad.scan(lambda s: s + doubled, outputs_info=x, n_steps=2, strict=True)


def test_arguments_need_no_names():
    class Callable:
        def __call__(self, *args):
            return args[0] * args[1]

    x = ad.vector("x")
    y = ad.scan(Callable(), sequences=x, outputs_info=1.0)
    np.testing.assert_array_equal(value(y, x=[2.0, 3.0]), [2, 6])
    z = ad.scan(np.multiply, sequences=x, outputs_info=1.0)
    np.testing.assert_array_equal(value(z, x=[2.0, 3.0]), [2, 6])


def test_a_step_may_have_defaults():
    y = ad.scan(lambda x, power=2: x**power, sequences=ad.vector("x"))
    np.testing.assert_array_equal(value(y, x=[2.0, 3.0]), [4, 9])


# ---- state


def test_updates_of_a_step_travel_by_themselves():
    total, x = ad.shared(1.0, "total"), ad.vector("x")
    y = ad.scan(lambda x: (x * total, {total: total + x}), sequences=x)
    run = ad.function(x, y)
    np.testing.assert_array_equal(run([1.0, 2.0, 3.0]), [1, 4, 12])
    assert total.get_value() == 7
    np.testing.assert_array_equal(run([1.0]), [7])
    assert total.get_value() == 8


@pytest.mark.each("written", [dict, list, lambda pairs: list(map(tuple, pairs))])
def test_updates_may_be_pairs_or_a_dictionary(written):
    a, b = ad.shared(np.ones(2), "a"), ad.shared(1, "b")
    step = lambda: (a.sum(), written([(a, a + b), (b, b + 1)]))
    run = ad.function([], ad.scan(step, n_steps=3))
    np.testing.assert_array_equal(run(), [2, 4, 8])
    np.testing.assert_array_equal(a.get_value(), [7, 7])
    assert b.get_value() == 4


def test_the_gradient_moves_state_on_like_the_value():
    w, x = ad.shared(0.5, "w"), ad.vector("x")
    y = ad.scan(lambda x: (x * w, {w: w * x}), sequences=x)
    run = ad.function(x, ad.grad(y.sum(), x))
    np.testing.assert_array_equal(run([2.0, 3.0]), [0.5 * (1 + 3), 0.5 * 2])
    assert w.get_value() == 3.0
    slope = ad.grad(y.sum(), w)
    w.set_value(0.5)
    assert ad.function(x, slope)([2.0, 3.0]) == 2 + 2 * 3


def test_a_function_may_say_something_else():
    w = ad.shared(1.0, "w")
    y = ad.scan(lambda: (w, {w: w + 1}), n_steps=3)
    ad.function([], y, updates=[(w, ad.constant(-1.0))])()
    assert w.get_value() == -1


def test_state_travels_out_of_loops_within_loops():
    w = ad.shared(0, "w")

    def step(x):
        counted = ad.scan(lambda: (w, {w: w + 1}), n_steps=3)
        return x + counted.sum()

    run = ad.function([], ad.scan(step, outputs_info=0, n_steps=2))
    np.testing.assert_array_equal(run(), [0 + 1 + 2, 3 + 3 + 4 + 5])
    assert w.get_value() == 6


@pytest.mark.each("size", some([1, 2, 3, 5, 7], 6))
@pytest.mark.each("length", some([5, None], 2))
def test_state_travels_out_of_segments(size, length):
    w, x = ad.shared(1.0, "w"), ad.vector("x", shape=length)
    y = ad.scan(lambda x: (x * w, {w: w + x}), sequences=x, checkpoint_every=size)
    run = ad.function(x, [y, ad.grad(y.sum(), x)])
    w.set_value(1.0)
    found = run([1.0, 2, 3, 4, 5])
    np.testing.assert_array_equal(found[0], [1, 4, 12, 28, 55])
    assert w.get_value() == 16


def test_only_what_is_computed_moves_on():
    w, x = ad.shared(1.0, "w"), ad.vector("x")
    ad.scan(lambda x: (x * w, {w: w + x}), sequences=x)
    ad.function(x, (x * w).sum())([1.0])
    assert w.get_value() == 1.0


def test_two_loops_that_move_one_value():
    w = ad.shared(1.0, "w")
    one = ad.scan(lambda: (w, {w: w + 1}), n_steps=3)
    again = ad.scan(lambda: (w, {w: w + 1}), n_steps=3)
    other = ad.scan(lambda: (w, {w: w * 2}), n_steps=3)
    ad.function([], [one, again])()
    assert w.get_value() == 4
    with pytest.raises(ValueError, match="two loops move w"):
        ad.function([], [one, other])


def test_updates_that_mean_nothing():
    w, x = ad.shared(np.ones(2), "w"), ad.scalar("x")
    with pytest.raises(TypeError, match="updates shared values"):
        ad.scan(lambda: (w, {x: x + 1}), n_steps=2)
    with pytest.raises(ad.ShapeError, match="w"):
        ad.scan(lambda: (w, {w: w.sum()}), n_steps=2)
    with pytest.raises(ValueError, match="at least one output"):
        ad.scan(lambda: {w: w + 1}, n_steps=2)


def test_draws_within_a_step_are_fresh_at_every_step_and_call():
    rng = ad.RandomStream(3)
    run = ad.function([], ad.scan(lambda: rng.uniform(), n_steps=5))
    first, second = run(), run()
    assert len({*first, *second}) == 10
    rng.seed(3)
    np.testing.assert_array_equal(run(), first)


def test_a_number_that_grows_at_every_step_is_no_state():
    with pytest.raises(ad.ShapeError, match="before a step"):
        ad.scan(lambda h: ad.stack([h, h]), outputs_info=0.1, n_steps=3)
