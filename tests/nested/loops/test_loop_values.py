"""What loops compute in corners: odd outputs, no steps, lengths that nobody knows, other dtypes,
many steps; and what they say where something does not fit."""

import copy
import pickle

import numpy as np
import pytest

import autodiff_edu as ad
from tests.helpers.depth import length, some
from tests.helpers.loops import check_gradients, several, value

pytestmark = pytest.mark.numeric

RNG = np.random.default_rng(8)


def normal(*shape):
    return RNG.normal(size=shape)


def both(inputs, outputs, *values):
    """The values by the interpreter and by the program, which must agree."""
    found = several(outputs, dict(zip(inputs, values)))
    program = ad.function(inputs, outputs, on_unused_input="ignore")(*values)
    for a, b in zip(found, program, strict=True):
        np.testing.assert_allclose(np.asarray(b), a, 1e-14, 1e-300)
        assert np.asarray(b).dtype == np.asarray(a).dtype and np.shape(a) == np.shape(b)
    return found


# ---- odd outputs


def test_outputs_that_are_slices_states_constants_or_each_other():
    u, h, c = ad.vector("u"), ad.scalar("h"), ad.vector("c")
    outputs = ad.scan(
        lambda u, h, c: (h, u, c, u, h + u, ad.constant(2.0), 3, c[0]),
        sequences=u,
        outputs_info=[None, None, None, None, h, None, None, None],
        non_sequences=c,
    )
    us, cs = np.arange(3.0), normal(2)
    found = both([u, h, c], outputs, us, 5.0, cs)
    totals = 5 + np.cumsum(us)
    wanted = [[5, 5, 6], us, [cs] * 3, us, totals, [2.0] * 3, [3] * 3, [cs[0]] * 3]
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_array_equal(one, other)
    assert found[6].dtype == "int64"
    cost = sum(y.sum() for y in outputs)
    for slope, wanted in zip(value(ad.grad(cost, [u, h, c]), u=us, h=5.0, c=cs),
                             [[2 + 3 + 2, 4 + 1, 3], 6.0, [6.0, 3.0]]):  # fmt: skip
        np.testing.assert_array_equal(slope, wanted)


def test_results_are_arrays_of_their_own():
    u, h = ad.vector("u"), ad.vector("h")
    same, last = ad.scan(lambda u, h: (u, h), sequences=u, outputs_info=[None, h])
    us, hs = np.arange(3.0), np.ones(2)
    run = ad.function([u, h], [same, last, last[-1]])
    for found in run(us, hs):
        found += 1.0
    np.testing.assert_array_equal(us, [0, 1, 2])
    np.testing.assert_array_equal(hs, [1, 1])
    one, other = run(us, hs), run(us, hs)
    one[1][:] = 9
    np.testing.assert_array_equal(other[1], np.ones((3, 2)))


def test_states_that_depend_on_nothing():
    u, h = ad.vector("u"), ad.scalar("h")
    x, y, z = ad.scan(
        lambda u, x, y, z: (x, u, ad.constant(1.0)), sequences=u, outputs_info=[h, h, h]
    )
    found = both([u, h], [x, y, z, *ad.grad((x + y + z).sum(), [u, h])], np.arange(3.0), 4.0)
    for one, wanted in zip(found, [[4] * 3, [0, 1, 2], [1] * 3, [1] * 3, 3]):
        np.testing.assert_array_equal(one, wanted)


def test_states_that_change_places():
    a, b, w = ad.scalar("a"), ad.scalar("b"), ad.scalar("w")
    x, y = ad.scan(lambda x, y: (y * w, x), outputs_info=[a, b], n_steps=5)
    found = both([a, b, w], [x[-1], y[-1], *ad.grad(x[-1] * y[-1], [a, b, w])], 2.0, 3.0, 0.5)
    assert found[:2] == [3 * 0.5**3, 2 * 0.5**2]
    assert found[2:] == [3 * 0.5**5, 2 * 0.5**5, 5 * 6 * 0.5**4]


def test_counters_among_states():
    x, h = ad.vector("x"), ad.scalar("h")

    def step(x, h, k, seen):
        return ad.where(k % 2 == 0, h * x, h + x), k + 1, seen | (x > 1)

    h_, k, seen = ad.scan(step, sequences=x, outputs_info=[h, 0, False])
    assert [s.dtype for s in (h_, k, seen)] == ["float64", "int64", "bool"]
    xs = np.array([2.0, 3.0, 0.5])
    found = both([x, h], [h_, k, seen, *ad.grad(h_[-1], [x, h])], xs, 5.0)
    np.testing.assert_array_equal(found[0], [10, 13, 6.5])
    np.testing.assert_array_equal(found[1], [1, 2, 3])
    np.testing.assert_array_equal(found[2], [True] * 3)
    np.testing.assert_array_equal(found[3], [5 * 0.5, 0.5, 13])
    assert found[4] == 2 * 0.5
    with pytest.raises(ad.DisconnectedInputError):
        ad.grad((k * 1.0).sum(), h)


def test_indices_that_a_loop_computes():
    """The longest chain of links, and the derivative of what lies on it."""
    links, values = ad.vector("links", dtype="int64"), ad.vector("values")
    places, total = ad.scan(
        lambda k, total: (links[k], total + values[k] ** 2), outputs_info=[0, 0.0], n_steps=3
    )
    found = both([links, values], [places, ad.grad(total[-1], values)], [2, 0, 1], [1.0, 2.0, 3.0])
    np.testing.assert_array_equal(found[0], [2, 1, 0])
    np.testing.assert_array_equal(found[1], [2, 4, 6])


def test_a_step_without_symbols():
    w = ad.vector("w")
    y = ad.scan(lambda: ad.exp(w), n_steps=3)
    found = both([w], [y, ad.grad(y.sum(), w)], [0.0, 1.0])
    np.testing.assert_allclose(found[0], np.exp([[0, 1]] * 3))
    np.testing.assert_allclose(found[1], 3 * np.exp([0, 1]))


def test_matrices_and_tensors_as_states():
    A, B = ad.matrix("A"), ad.tensor3("B")
    powers, sums = ad.scan(
        lambda M, T: (M @ A, T + M[:, :, None] * B), outputs_info=[ad.eye(3), B * 0], n_steps=4
    )
    a, b = 0.5 * normal(3, 3), normal(3, 3, 2)
    found = both([A, B], [powers[-1], sums[-1]], a, b)
    np.testing.assert_allclose(found[0], np.linalg.matrix_power(a, 4), rtol=1e-12)
    many = sum(np.linalg.matrix_power(a, k) for k in range(4))
    np.testing.assert_allclose(found[1], many[:, :, None] * b, rtol=1e-12)

    def f(A, B):
        how = {"outputs_info": [ad.eye(3), B * 0], "n_steps": 3}
        powers, sums = ad.scan(lambda M, T: (M @ A, T + M[:, :, None] * B), **how)
        return ad.concatenate([powers.ravel(), sums.ravel()])

    check_gradients(f, [a, b])


# ---- few steps and many


@pytest.mark.parametrize("steps, known", [
    (steps, known) for steps in (0, 1, 2) for known in some([True, False], 2, turn=steps)
])  # fmt: skip
def test_few_steps(steps, known):
    u = ad.tensor("u", shape=(steps if known else None, 2))
    h, w = ad.vector("h", shape=2 if known else None), ad.scalar("w")
    s, y = ad.scan(lambda u, h: (h * w + u, u * h), sequences=u, outputs_info=[h, None])
    cost = (s**2).sum() + (y**3).sum()
    us = normal(steps, 2)
    wanted_s, wanted_y, state = [], [], np.array([0.5, -0.3])
    for row in us:
        wanted_y.append(row * state)
        state = state * 1.7 + row
        wanted_s.append(state)
    slopes = ad.grad(cost, [u, h, w])
    found = both([u, h, w], [s, y, *slopes], us, [0.5, -0.3], 1.7)
    for one, wanted in zip(found, (wanted_s, wanted_y)):
        np.testing.assert_allclose(one, np.reshape(wanted, (steps, 2)))
    flat = value(
        ad.grad(ad.unroll(cost, steps).output, [u, h, w], None, "ignore"),
        u=us,
        h=[0.5, -0.3],
        w=1.7,
    )
    for one, wanted in zip(found[2:], flat):
        np.testing.assert_allclose(one, wanted, rtol=1e-13)
    second = ad.hessian(cost, h)
    by_loop = value(second, u=us, h=[0.5, -0.3], w=1.7)
    by_hand = value(ad.hessian(ad.unroll(cost, steps).output, h), u=us, h=[0.5, -0.3], w=1.7)
    np.testing.assert_allclose(by_loop, by_hand, rtol=1e-12)


def test_the_last_state_of_no_steps_is_the_first_state():
    h, n = ad.scalar("h"), ad.scalar("n", dtype="int64")
    for steps in (0, n):
        y = ad.scan(lambda h: h * 2, outputs_info=h, n_steps=steps)
        found = both([h, n], [y[-1], ad.grad(y[-1], h)], 3.0, 0)
        assert found == [3.0, 1.0]


def test_a_negative_number_of_steps():
    h, n = ad.scalar("h"), ad.scalar("n", dtype="int64")
    y = ad.scan(lambda h: h * 2, outputs_info=h, n_steps=n)
    for run in (ad.function([h, n], y), lambda h_, n_: value(y, h=h_, n=n_)):
        with pytest.raises(ValueError, match="-2 steps"):
            run(1.0, -2)


def test_a_hundred_thousand_steps_of_every_kind():
    x, w = ad.vector("x"), ad.scalar("w")
    n = 100_000
    s, y = ad.scan(lambda x, s: (s * w + x, s * x), sequences=x, outputs_info=[0.0, None])
    run = ad.function([x, w], [s[-1], *ad.grad(s[-1] + y.sum() / n, [x, w])])
    xs = RNG.uniform(size=n)
    last, dx, dw = run(xs, 0.5)
    assert np.isfinite(dw) and dx.shape == (n,)
    assert last == pytest.approx(sum(0.5**k * xs[-1 - k] for k in range(60)), rel=1e-12)


def test_a_million_steps():
    w = ad.scalar("w")
    s = ad.scan(lambda s: s * w + 1, outputs_info=0.0, n_steps=length(1_000_000))[-1]
    value_and_slope = ad.function(w, [s, ad.grad(s, w)])
    assert "for k in range(steps)" in value_and_slope.source
    assert value_and_slope(0.5) == [2.0, 4.0]  # 1/(1 − w) and its slope


# ---- lengths that are not known, and do not fit


def test_lengths_that_nobody_knows():
    def f(x, h, w):
        step = lambda x, h: (ad.tanh(w @ h + x), h * x)
        s, y = ad.scan(step, sequences=x, outputs_info=[h, None])
        return ad.concatenate([s, y])

    check_gradients(f, [normal(4, 3), normal(3), normal(3, 3)], steps=4)


@pytest.mark.each(
    "shapes, words",
    [
        ({"x": (4, 3), "h": (2,), "w": (3, 3)}, r"(?s)matmul|lengths|h\b"),
        ({"x": (4, 2), "h": (3,), "w": (3, 3)}, "x|lengths 2 and 3"),
        ({"x": (4, 3), "h": (3,), "w": (3, 2)}, "lengths 2 and 3|w"),
    ],
)
def test_lengths_that_do_not_fit_are_named(shapes, words):
    x, h, w = ad.matrix("x"), ad.vector("h"), ad.matrix("w")
    y = ad.scan(lambda x, h: ad.tanh(h @ w + x), sequences=x, outputs_info=h)
    at = {k: np.ones(s) for k, s in shapes.items()}
    run = ad.function([x, h, w], y)
    for call in (lambda: run(**at), lambda: value(y, **at)):
        with pytest.raises(ValueError, match=words) as caught:
            call()
        assert "test_loop_values.py" in str(caught.value)


def test_lengths_that_do_not_fit_now_are_named():
    x, h, w = ad.matrix("x"), ad.vector("h", shape=2), ad.tensor("w", shape=(3, 3))
    with pytest.raises(ad.ShapeError, match=r"matmul of h: .*\(2,\) and w: .*\(3, 3\)"):
        ad.scan(lambda x, h: ad.tanh(h @ w + x), sequences=x, outputs_info=h)


def test_a_state_that_changes_its_shape_is_named():
    x, h = ad.vector("x"), ad.vector("h")
    y = ad.scan(lambda x, h: ad.concatenate([h, h])[: x.astype("int64")], x, h)
    with pytest.raises(ValueError, match="h"):
        ad.function([x, h], y)([2.0, 3.0], [1.0, 1.0])
    assert ad.function([x, h], y)([2.0, 2.0], [1.0, 1.0]).shape == (2, 2)


def test_an_error_within_a_step_tells_the_line():
    k, v = ad.vector("k", dtype="int64"), ad.vector("v")
    y = ad.scan(lambda k, s: s + v[k], sequences=k, outputs_info=0.0)
    for run in (ad.function([k, v], y), lambda k_, v_: value(y, k=k_, v=v_)):
        with pytest.raises(IndexError, match=r"v\[k\]"):
            run([0, 7], [1.0, 2.0])


# ---- dtypes


@pytest.mark.parametrize("dtype", some(["float32", "float64"], 2))
def test_a_dtype_is_kept_by_all_derivatives(dtype):
    x, h, w = (ad.tensor(k, shape=s, dtype=dtype) for k, s in (("x", (4,)), ("h", ()), ("w", ())))
    s, y = ad.scan(lambda x, h: (ad.tanh(h * w + x), h * x), sequences=x, outputs_info=[h, None])
    cost = (s**2).sum() + y.sum()
    slopes = ad.grad(cost, [x, h, w])
    second = ad.grad(slopes[2], [x, h, w])
    ahead = ad.forward_mode(cost, [x, h, w]).outputs
    nodes = [s, y, *slopes, *second, *ahead, ad.jacobian(s, x), ad.hessian(cost, w)]
    assert {n.dtype for n in nodes} == {np.dtype(dtype)}
    at = [np.asarray(v, dtype) for v in (normal(4), 0.3, 0.8)]
    found = ad.function([x, h, w], nodes)(*at)
    assert {np.asarray(v).dtype for v in found} == {np.dtype(dtype)}
    tight = {"float32": 1e-5, "float64": 1e-13}[dtype]
    flat = several([ad.unroll(n).output for n in nodes], dict(zip((x, h, w), at)))
    for a, b in zip(found, flat):
        np.testing.assert_allclose(a, b, tight, tight)


def test_states_of_other_dtypes_stay_what_they_are():
    for dtype, step in [
        ("int32", lambda s: s + np.int32(1)),
        ("uint8", lambda s: s * np.uint8(3)),
        ("bool", lambda s: ~s),
        ("float32", lambda s: s / 3),
    ]:
        h = ad.scalar("h", dtype=dtype)
        y = ad.scan(step, outputs_info=h, n_steps=7)
        (found,) = both([h], [y], np.array(1, dtype)[()])
        assert found.dtype == dtype and y.dtype == dtype
    np.testing.assert_array_equal(value(y, h=np.float32(1)), found)


# ---- names


@pytest.mark.each(
    "step",
    some(
        [
            lambda each, room: each * room + 1,
            lambda steps, k: steps * k + 1,
            lambda np, no_steps: np * no_steps + 1,
            lambda fresh, enumerate: fresh * enumerate + 1,
            lambda every_s, all_x: every_s * all_x + 1,
        ],
        2,
    ),
)
@pytest.mark.each("name", some(["x y; import os", "np", "x", "scan", "für", "lambda", "1"], 12))
def test_programs_with_names_of_any_kind(step, name):
    x, M = ad.vector("x"), ad.matrix("M")
    y = ad.scan(step, x, 0.0, name=name)
    slope = ad.grad(y.sum(), x)
    rows = ad.scan(step, M, ad.zeros(2), name=name)
    run = ad.function([x, M], [y, slope, rows])
    found = run([2.0, 3.0], [[2.0, 3.0], [4.0, 5.0]])
    np.testing.assert_array_equal(found[0], [1, 4])
    np.testing.assert_array_equal(found[1], [0, 1])
    np.testing.assert_array_equal(found[2], [[1, 1], [5, 6]])
    assert [v.shape for v in run([], np.zeros((0, 2)))] == [(0,), (0,), (0, 2)]


# ---- loops as objects


def test_loops_are_copied_and_stored_like_any_graph():
    x, h = ad.vector("x"), ad.scalar("h")
    y = ad.scan(lambda x, h: ad.sin(h) * x, sequences=x, outputs_info=h)
    graph = ad.Graph([y, ad.grad(y.sum(), h)])
    again = pickle.loads(pickle.dumps(graph))
    at = {"x": [1.0, 2.0], "h": 0.5}
    for a, b in zip(value(list(again.outputs), **at), value(list(graph.outputs), **at)):
        np.testing.assert_array_equal(a, b)
    assert copy.deepcopy(y) is y
    stored = pickle.loads(pickle.dumps(y.inputs[0].inputs[0].op))
    assert stored == y.inputs[0].inputs[0].op


def test_equal_loops_are_one():
    x, y = ad.vector("x"), ad.vector("y")
    step = lambda a, b: ad.sin(a) * b
    one, other, swapped = (ad.scan(step, sequences=s) for s in ([x, y], [x, y], [y, x]))
    assert one.inputs[0].op == other.inputs[0].op == swapped.inputs[0].op
    assert hash(one.inputs[0].op) == hash(other.inputs[0].op)
    assert ad.Graph(one).same(other) and not ad.Graph(one).same(swapped)
    again = ad.scan(lambda b, a: ad.sin(a) * b, sequences=[x, y])
    assert one.inputs[0].op != again.inputs[0].op
    h = ad.scalar("h")
    loops = [ad.scan(lambda s: ad.sin(s) * h, outputs_info=h, n_steps=3)[-1] for _ in range(3)]
    merged = ad.simplify(sum(loops)).after
    assert merged.counts["scan"] == 1


def test_the_step_is_called_with_expressions_only_while_the_graph_is_built():
    calls = []

    def step(x, h):
        calls.append(x)
        return h * x

    x = ad.vector("x")
    y = ad.scan(step, sequences=x, outputs_info=ad.scalar("h"))
    assert len(calls) == 1
    run = ad.function(ad.Graph(y).inputs, y)
    run(*[{"x": np.ones(5), "h": 1.0}[i.name] for i in ad.Graph(y).inputs])
    assert len(calls) == 1


def test_a_shared_value_cannot_move_to_many_values_at_once():
    c, p, v = ad.shared(2.0, "c"), ad.scalar("p"), ad.vector("v")

    def moved(a):
        return ad.scan(lambda h: (h * c, {c: c * a}), outputs_info=p, n_steps=3)[-1]

    with pytest.raises(TypeError, match="another one for each example"):
        ad.vectorize(moved)(v)
