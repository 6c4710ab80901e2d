"""Rows of loops: computed where they are kept, and stored backwards where they are read so."""

import numpy as np
import pytest

import autodiff_edu as ad
from tests.helpers.depth import draws
from tests.run.test_parallel import in_threads

STEPS = [
    lambda h, x, W: ad.tanh(h @ W + x),
    lambda h, x, W: ad.tanh(x + ad.matmul(h, W)) * h,
    lambda h, x, W: h + x,
    lambda h, x, W: ad.exp(-ad.square(h)) + ad.sum(x @ W, axis=0),
    lambda h, x, W: ad.where(x > 0, h, h @ W),
    lambda h, x, W: ad.sin(h)[:, ::-1].T @ W * x if h.type.shape == (4, 4) else ad.sin(h) + x,
    lambda h, x, W: h,
    lambda h, x, W: (h + ad.sin(x))[::-1],  # a view is not what was computed, though of its shape
    lambda h, x, W: ad.tanh(h @ W).T[::-1].T + ad.sort(h * x, axis=1),
    lambda h, x, W: ad.sort(h + x, axis=0),
    lambda h, x, W: ad.roll(ad.cos(h), 1, axis=1),
    lambda h, x, W: ad.exp(h).T if h.type.shape == (4, 4) else ad.exp(-h)[:, [3, 1, 0, 2]],
]


def loops(seed):
    """Inputs, values, and what a random loop and its gradients give."""
    rng = np.random.default_rng(seed)
    rows, dtype = (4, 3)[seed % 2], ("float64", "float32")[seed % 5 == 0]
    steps, step = 2 + seed % 4, STEPS[seed % len(STEPS)]
    shapes = {"xs": (steps, rows, 4), "h": (rows, 4), "W": (4, 4)}
    inputs = [ad.tensor(name, dtype, shape=shape) for name, shape in shapes.items()]
    xs, h, W = inputs
    entering = xs[::-1] if seed % 3 == 0 else xs
    both = ad.scan(lambda x, h: step(h, x, W) * 1.0, sequences=entering, outputs_info=h)
    touched = sum(ad.sum(i * i) for i in inputs)  # so that no gradient is missing
    cost = ad.sum(ad.sin(both)) + ad.sum(both[-1] ** 2) + touched
    values = [rng.normal(size=shape).astype(dtype) for shape in shapes.values()]
    return inputs, values, [both, cost, *ad.grad(cost, inputs)]


@pytest.mark.parametrize("seed", range(draws(72)))
def test_rows_are_those_of_the_interpreter(seed):
    inputs, values, outputs = loops(seed)
    given = [np.array(v) for v in values]
    expected = ad.evaluate(outputs, dict(zip(inputs, given)))
    f = ad.function(inputs, outputs, on_unused_input="ignore")
    found = f(*given)
    close = (
        {"rtol": 1e-9, "atol": 1e-9}
        if given[0].dtype == "float64"
        else {"rtol": 1e-3, "atol": 1e-4}
    )
    for a, b in zip(found, expected, strict=True):
        np.testing.assert_allclose(a, b, **close)
        assert a.dtype == b.dtype and a.shape == b.shape
    for v, g in zip(values, given, strict=True):
        np.testing.assert_array_equal(v, g)
    copies = [np.array(a) for a in found]
    for a in f(*given):
        if a.ndim:
            a[...] = 7.0
    for a, b in zip(found, copies, strict=True):
        np.testing.assert_array_equal(a, b)

    def once_more(_):
        for a, b in zip(f(*given), copies, strict=True):
            np.testing.assert_array_equal(a, b)

    in_threads(once_more)


def test_states_are_computed_in_their_rows():
    xs, h, W = (
        ad.tensor3("xs", shape=(5, 8, 4)),
        ad.matrix("h", shape=(8, 4)),
        ad.matrix("W", shape=(4, 4)),
    )
    hs = ad.scan(lambda x, h: ad.tanh(x + h @ W), sequences=xs, outputs_info=h)
    slopes = ad.grad(ad.sum(hs * hs), [xs, W])
    text = ad.function([xs, h, W], slopes).source
    assert "h.dot(W, out=every_h[k + 1])" in text
    assert "every_h[k + 1] =" not in text
    assert "np.add(ct, d_h, out=ct)" in text  # over the cotangents that enter
    text = ad.function([xs, h, W], [*slopes, 2 * hs]).source  # which are wanted
    assert "np.empty((steps, 8, 4))[::-1]" in text  # read from the last step to the first


def test_a_loop_that_ends_early_keeps_what_it_made():
    x = ad.vector("x", shape=3)
    hs = ad.scan(lambda h: (ad.exp(h), ad.until(ad.sum(ad.exp(h)) > 50)), outputs_info=x, n_steps=9)
    for v in (np.zeros(3), np.full(3, -3.0)):
        found = ad.function(x, hs)(v)
        np.testing.assert_array_equal(found, ad.evaluate(hs, {x: v}))


def test_two_states_that_take_turns():
    a, b = ad.vector("a", shape=2), ad.vector("b", shape=2)
    one, two = ad.scan(lambda p, q: [q, p + q], outputs_info=[a, b], n_steps=5)
    found = ad.function([a, b], [one, two])(np.ones(2), np.ones(2))
    np.testing.assert_array_equal(found[0][:, 0], [1, 2, 3, 5, 8])
    np.testing.assert_array_equal(found[1][:, 0], [2, 3, 5, 8, 13])


# ---- rows over sequences that die, and matrices in a row

ENTERING = [
    lambda x: x,
    lambda x: ad.sin(x),
    lambda x: ad.sin(x)[::-1],
    lambda x: ad.sin(x)[:, ::-1],
    lambda x: ad.sin(x[::-1]),
    lambda x: ad.matmul(x, ad.cos(x)),
    lambda x: ad.exp(x).reshape(x.shape),
    lambda x: ad.exp(x[0]) + 0 * x,
]
ROWS = [
    lambda h, x, z: (ad.sin(h + x), ad.exp(-ad.square(x)) * h),
    lambda h, x, z: (ad.sin(h) + x, ad.sin(x)),
    lambda h, x, z: (ad.tanh(h @ x), ad.cos(h + z)),
    lambda h, x, z: (ad.sin(h * ad.cos(x[::-1])), ad.cos(z.T) * x),
    lambda h, x, z: (ad.cos(x.T + h), ad.sin(ad.sin(x) + x[::-1])),
    lambda h, x, z: (ad.sin(x @ h), x @ z),
    lambda h, x, z: (x * z, ad.sin(x) + h),
    lambda h, x, z: (ad.sin(h), ad.sin(z) * ad.cos(x) + ad.sum(x)),
    lambda h, x, z: (x, ad.sin(x)),
]


def loops_over_sequences(seed, lengths=True):
    """Inputs, values, and what a loop gives whose sequences are computed, some used elsewhere."""
    rng = np.random.default_rng(seed)
    steps, dtype = rng.choice([1, 2, 5, 17, 40]), rng.choice(["float64", "float64", "float32"])
    shapes = {"xs": (steps, 3, 3), "h": (3, 3), "W": (3, 3)}
    types = {name: s if lengths else (None,) * len(s) for name, s in shapes.items()}
    inputs = xs, h, W = [ad.tensor(name, dtype, shape=s) for name, s in types.items()]
    draw = lambda choices: choices[rng.integers(len(choices))]
    row, one, two = draw(ROWS), draw(ENTERING)(xs), draw(ENTERING)(xs)
    second = draw([one, two, one[::-1], ad.sin(one)])
    factor = draw([W, W.T, ad.sin(W).T])

    def step(x, z, h):
        new, y = row(h @ factor, x, z)
        return [new * 1.0, y]

    states, rows = ad.scan(step, sequences=[one, second], outputs_info=[h, None])
    results = [rows, states[-1], ad.sum(rows[::-1] * draw([one, two, xs]))]
    outputs = [ad.sum(h), h * 1.0, *[y for y in results if rng.random() < 0.6]]
    if rng.random() < 0.5:
        cost = ad.sum(ad.sin(states)) + ad.sum(rows * rows) + ad.sum(W * W + h * h)
        outputs += [*ad.grad(cost, inputs), *draw([[], [one], [second]])]
    return inputs, [rng.normal(size=s).astype(dtype) for s in shapes.values()], outputs


@pytest.mark.parametrize("seed", range(draws(60)))
def test_rows_over_sequences_are_those_of_the_interpreter(seed):
    inputs, values, outputs = loops_over_sequences(seed)
    f = ad.function(inputs, outputs, on_unused_input="ignore")
    expected = ad.evaluate(outputs, dict(zip(inputs, values)))
    near = (
        {"rtol": 1e-9, "atol": 1e-9}
        if values[0].dtype == "float64"
        else {"rtol": 1e-2, "atol": 1e-2}
    )
    before = [v.copy() for v in values]

    def agree(_):
        for a, b in zip(f(*values), expected, strict=True):
            np.testing.assert_allclose(a, b, **near)
            assert a.dtype == b.dtype and a.shape == b.shape
            if a.ndim:
                a[...] = 7.0  # nobody else has it

    in_threads(agree)
    for v, w in zip(values, before, strict=True):
        np.testing.assert_array_equal(v, w)


@pytest.mark.parametrize("seed", range(draws(40)))
def test_bodies_of_loops_learn_lengths_that_come_again(seed):
    inputs, values, outputs = loops_over_sequences(seed, lengths=False)
    f = ad.function(inputs, outputs, on_unused_input="ignore")
    near = 1e-9 if values[0].dtype == "float64" else 1e-2
    for steps in (len(values[0]), 1, 0, 3):
        given = [np.resize(values[0], (steps, 3, 3)), *values[1:]]
        with_some = outputs if steps else outputs[:2]  # the last of no states is an error
        g = f if steps else ad.function(inputs, with_some, on_unused_input="ignore")
        expected = ad.evaluate(with_some, dict(zip(inputs, given)))
        for _ in range(4):
            for a, b in zip(g(*given), expected, strict=True):
                np.testing.assert_allclose(a, b, rtol=near, atol=near)
                assert a.dtype == b.dtype and a.shape == b.shape


def test_a_loop_of_lengths_that_come_again_is_the_loop_of_known_ones():
    texts = []
    for shapes in [(20, 8, 4), (8, 4), (4, 4)], [(None,) * k for k in (3, 2, 2)]:
        inputs = xs, h, W = [ad.tensor(n, shape=s) for n, s in zip(["xs", "h", "W"], shapes)]
        hs = ad.scan(lambda x, h, W: ad.tanh(x + h @ W), xs, h, W)
        f = ad.function(inputs, ad.grad(ad.sum(hs * hs), [xs, W]))
        for _ in range(4):
            f(np.ones((20, 8, 4)), np.ones((8, 4)), np.ones((4, 4)))
        program = f.specialised[-1].program if f.specialised else f
        texts.append(program.source.split("@np.errstate")[0])
    assert texts[0] == texts[1]


def test_a_matrix_of_each_step_lies_in_a_row():
    xs, h, W = (
        ad.tensor3("xs", shape=(20, 4, 4)),
        ad.matrix("h", shape=(4, 4)),
        ad.matrix("W", shape=(4, 4)),
    )
    text = {}
    for rows in (xs, xs[:3]):
        hs = ad.scan(lambda x, h: ad.tanh(x + h @ W.T), sequences=rows, outputs_info=h)
        text[rows.type.shape[0]] = ad.function([xs, h, W], hs).source
    assert "np.ascontiguousarray" in text[20]
    assert "np.ascontiguousarray" not in text[3]  # too few steps to pay for the copy
