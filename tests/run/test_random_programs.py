"""Random programs of matrices: right, and with arrays that are nobody else's."""

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu.run.fast import regions
from tests.helpers.depth import some
from tests.run.test_parallel import in_threads

N = 16


@pytest.fixture(params=[False, True])
def blocks(request, monkeypatch):
    """With regions of small arrays and without."""
    if request.param:
        monkeypatch.setattr(regions, "BLOCK", 3 * N)
        monkeypatch.setattr(regions, "LARGE", 4 * N)


def products(n=N):
    x = ad.matrix("x", shape=(n, n))
    return x, ad.tanh(ad.exp(x @ x / n) @ x / n) @ x


def random_program(draw):
    """Formulas of matrices: products, elementwise operations, views, sums, in both precisions."""
    dtype = "float64" if draw.random() < 0.8 else "float32"
    x, y = (ad.matrix(w, shape=(N, N), dtype=dtype) for w in "xy")
    v = ad.vector("v", shape=N, dtype=dtype)
    pool = [x, y, x @ y, x + v]
    steps = [
        lambda a, b: a @ b / N, lambda a, b: ad.tanh(a) * b, lambda a, b: a - b.T,
        lambda a, b: ad.exp(-a * a) + b, lambda a, b: ad.maximum(a, b), lambda a, b: a[::-1] * b,
        lambda a, b: a / (1 + ad.sum(b * b, axis=1)[:, None]), lambda a, b: ad.where(a > b, a, b),
        lambda a, b: a + ad.sum(b, axis=0), lambda a, b: a.reshape((N // 2, 2 * N)).reshape((N, N)),
        lambda a, b: ad.softmax(a, axis=1) - b, lambda a, b: ad.sin(a) * ad.cos(a),
        lambda a, b: ad.concatenate([a[1:], b[:1]]), lambda a, b: (a @ b).T @ v + a,
    ]  # fmt: skip
    for _ in range(int(draw.integers(4, 14))):
        a, b = (pool[k] for k in draw.integers(len(pool), size=2))
        pool.append(steps[draw.integers(len(steps))](a, b))
    outputs = [pool[-1], *[pool[k] for k in draw.integers(len(pool), size=2)]]
    outputs += [pool[-2].T, ad.sum(pool[-1])]
    if draw.random() < 0.5:
        outputs += ad.grad(ad.sum(pool[-1] * pool[-1]), [x, v], disconnected_inputs="ignore")
    values = [draw.normal(size=i.shape).astype(dtype) for i in (x, y, v)]
    return [x, y, v], outputs, values


@pytest.mark.parametrize("seed", some(range(150), 80))
def test_random_programs_agree_with_evaluate_and_keep_what_they_gave(blocks, seed):
    """Results survive further calls, inputs are untouched, and the file says the same."""
    draw = np.random.default_rng(seed)
    inputs, outputs, values = random_program(draw)
    f = ad.function(inputs, outputs, on_unused_input="ignore")
    single = inputs[0].dtype == "float32"
    before = [np.array(v) for v in values]
    found = f(*values)
    first = [np.array(r) for r in found]
    f(*[v + 1 for v in values])
    again = f(*values)
    exact = ad.evaluate(outputs, dict(zip(inputs, values, strict=True)))
    for one, two, three, wanted in zip(found, first, again, exact, strict=True):
        assert np.shape(one) == np.shape(wanted) and one.dtype == wanted.dtype
        np.testing.assert_array_equal(one, two)
        np.testing.assert_array_equal(two, three)
        scale = float(np.max(np.abs(wanted), initial=1.0))
        rtol, atol = (1e-4, 1e-4) if single else (1e-11, 1e-12)
        np.testing.assert_allclose(one, wanted, rtol=rtol, atol=atol * scale)
    for v, then in zip(values, before, strict=True):
        np.testing.assert_array_equal(v, then)
    space = {}
    if not f.parameters:
        exec(f.source, space)  # which is a file that runs by itself
        for one, two in zip(space["program"](*values), found, strict=True):
            np.testing.assert_array_equal(one, two)


@pytest.mark.parametrize("seed", some(range(5), 10))
def test_eight_threads_agree_with_one(blocks, seed):
    draw = np.random.default_rng(1000 + seed)
    inputs, outputs, values = random_program(draw)
    f = ad.function(inputs, outputs, on_unused_input="ignore")
    given = [[v + k for v in values] for k in range(8)]
    expected = [f(*v) for v in given]

    def work(k):
        for _ in range(20):
            for one, two in zip(f(*given[k]), expected[k], strict=True):
                np.testing.assert_array_equal(one, two)

    in_threads(work)


# ---- operations of the user's


class Calls(ad.Op):
    """An operation of the user's whose Python code runs what it is told to."""

    def __init__(self, work):
        self.work = work

    def infer_type(self, x):
        return x

    def perform(self, x):
        return self.work(x)


@pytest.mark.each("depth", [1, 2, 4])
def test_a_call_within_a_call(depth):
    x, y = products()
    level = [0]

    def again(value):
        if level[0] < depth:
            level[0] += 1
            inner = f(np.full((N, N), 0.1 * level[0]))
            level[0] -= 1
            return value + 0 * inner
        return value + 0

    f = ad.function(x, Calls(again)(ad.tanh(y) @ x) + ad.exp(y) @ x)
    plain = ad.function(x, ad.tanh(y) @ x + ad.exp(y) @ x, simplify=None)
    for k in range(3):
        value = np.random.default_rng(k).normal(size=(N, N))
        np.testing.assert_allclose(f(value), plain(value), rtol=1e-12, atol=1e-12)


def test_what_an_operation_of_the_users_keeps_is_left_alone():
    seen = []

    def keep(value):
        seen.append((value, np.array(value), value[1:], np.array(value[1:])))
        return value * 1.0

    x, y = products()
    f = ad.function(x, Calls(keep)(y @ x) @ x)
    for k in range(4):
        f(np.random.default_rng(k).normal(size=(N, N)))
        f(np.zeros((N, N)))
    for value, then, part, part_then in seen:
        np.testing.assert_array_equal(value, then)
        np.testing.assert_array_equal(part, part_then)


def test_an_error_on_the_way_holds_its_arrays():
    """Whoever keeps it keeps the arrays that its traceback names: later calls take others."""

    class Stop(Exception):
        pass

    def stop(value):
        if value[0, 0] > 100:
            raise Stop
        return value + 0

    x, y = products()
    f = ad.function(x, Calls(stop)(x) + ad.exp(y) @ x)
    good = np.random.default_rng(0).normal(size=(N, N))
    expected, errors = f(good), []
    for _ in range(3):
        with pytest.raises(Exception, match="Calls of x") as kept:
            f(np.full((N, N), 1000.0))
        errors.append(kept.value)
        np.testing.assert_array_equal(f(good), expected)
    assert len(errors) == 3
