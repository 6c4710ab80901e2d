"""Workspaces: large arrays that a program keeps for its next call."""

import copy
import gc
import threading
import tracemalloc
import weakref

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu.run import regions
from autodiff_edu.run.source import workspace
from autodiff_edu.run.source.workspace import Workspace
from tests.helpers.depth import draws
from tests.run.test_parallel import in_threads

N = 16


@pytest.fixture
def small(monkeypatch):
    """Small arrays are worth it, too."""
    monkeypatch.setattr(workspace, "LEAST", 8)


@pytest.fixture(params=[False, True])
def blocks(request, monkeypatch):
    """With regions of small arrays and without."""
    if request.param:
        monkeypatch.setattr(regions, "BLOCK", 3 * N)
        monkeypatch.setattr(regions, "LARGE", 4 * N)


def kept(f):
    """The arrays that a function keeps for this thread."""
    space = f.program.text.workspace
    found = {} if space is None else space.kept.__dict__
    return [array for arrays in found.values() for array in arrays]


def addresses(f):
    """Where they are; whoever holds them would be given others in the next call."""
    return [array.ctypes.data for array in kept(f)]


def products(n=N):
    x = ad.matrix("x", shape=(n, n))
    return x, ad.tanh(ad.exp(x @ x / n) @ x / n) @ x


def holds(result, arrays):
    return any(np.shares_memory(r, a) for r in result for a in arrays)


# ---- random programs


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


def with_and_without(monkeypatch, inputs, outputs, **options):
    """The function, and the same without a workspace."""
    options |= {"on_unused_input": "ignore"}
    f = ad.function(inputs, outputs, **options)
    with monkeypatch.context() as patch:
        patch.setattr(workspace, "LEAST", 2**60)
        return f, ad.function(inputs, outputs, **options)


@pytest.mark.parametrize("seed", range(draws(150)))
def test_random_programs_give_the_same_and_keep_what_they_gave(monkeypatch, small, blocks, seed):
    """Bit for bit but for the order in which arrays of other strides are added up; results survive
    further calls, inputs are untouched, and no result is in the workspace."""
    draw = np.random.default_rng(seed)
    inputs, outputs, values = random_program(draw)
    f, plain = with_and_without(monkeypatch, inputs, outputs)
    assert "workspace" not in plain.source
    single = inputs[0].dtype == "float32"
    before = [np.array(v) for v in values]
    found = f(*values)
    first = [np.array(r) for r in found]
    assert not holds(found, kept(f)) and not holds(values, kept(f))
    there = addresses(f)
    others = [v + 1 for v in values]
    f(*others)
    again = f(*values)
    for one, two, three, wanted in zip(found, first, again, plain(*values), strict=True):
        assert np.shape(one) == np.shape(wanted) and one.dtype == wanted.dtype
        np.testing.assert_array_equal(one, two)
        np.testing.assert_array_equal(two, three)
        scale = float(np.max(np.abs(wanted), initial=1.0))
        exact = (
            {"rtol": 1e-4, "atol": 1e-4 * scale}
            if single
            else {"rtol": 1e-11, "atol": 1e-12 * scale}
        )
        np.testing.assert_allclose(one, wanted, **exact)
    for v, then in zip(values, before, strict=True):
        np.testing.assert_array_equal(v, then)
    assert addresses(f) == there  # the same arrays in each call
    space = {}
    if not f.parameters:
        exec(f.source, space)  # which is a file that runs by itself
        for one, two in zip(space["program"](*values), found, strict=True):
            np.testing.assert_array_equal(one, two)


@pytest.mark.parametrize("seed", range(5))
def test_eight_threads_agree_with_one(small, blocks, seed):
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


# ---- calls within calls, and arrays that somebody holds


class Calls(ad.Op):
    """An operation of the user's whose Python code runs what it is told to."""

    def __init__(self, work):
        self.work = work

    def infer_type(self, x):
        return x

    def perform(self, x):
        return self.work(x)


@pytest.mark.each("depth", [1, 2, 4])
def test_a_call_within_a_call(small, depth):
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
    assert "workspace(" in str(f.program)
    for k in range(3):
        value = np.random.default_rng(k).normal(size=(N, N))
        np.testing.assert_allclose(f(value), plain(value), rtol=1e-12, atol=1e-12)


def test_what_an_operation_of_the_users_keeps_is_left_alone(small):
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


def test_an_array_that_somebody_holds_is_not_used_again():
    space = Workspace()
    (first,) = space((3, 4))
    address = first.ctypes.data
    del first
    (same,) = space((3, 4))
    assert same.ctypes.data == address
    view = same[1:]
    del same
    (other,) = space((3, 4))  # the view needs the first one
    assert other.ctypes.data != address and not np.shares_memory(other, view)
    one, two = space((3, 4), (3, 4), dtype="float32")
    assert one.dtype == "float32" and not np.shares_memory(one, two)


def test_an_error_on_the_way_holds_its_arrays(small):
    class Stop(Exception):
        pass

    def stop(value):
        if value[0, 0] > 100:
            raise Stop
        return value + 0

    x, y = products()
    f = ad.function(x, Calls(stop)(x) + ad.exp(y) @ x)
    good = np.random.default_rng(0).normal(size=(N, N))
    expected = f(good)
    errors = []
    for _ in range(3):
        try:
            f(np.full((N, N), 1000.0))
        except Exception as error:
            errors.append(error)  # with its traceback
        np.testing.assert_array_equal(f(good), expected)
    assert len(errors) == 3


# ---- life and death


def test_it_dies_with_the_function_at_once():
    x, y = products(400)
    f = ad.function(x, y)
    f(np.zeros((400, 400)))
    dead = [weakref.ref(a) for a in kept(f)]
    assert dead
    gc.disable()
    try:
        del f
        assert all(r() is None for r in dead)
    finally:
        gc.enable()


def test_the_program_of_a_dropped_function_still_runs(small, young):
    x, y = products()
    f = ad.function(x, y)
    value = np.random.default_rng(0).normal(size=(N, N))
    expected, program = f(value), f.program
    del f
    for _ in range(2):
        np.testing.assert_array_equal(program(value), expected)
    space = weakref.ref(program.text.workspace)
    del program
    gc.collect()
    assert space() is None


def test_it_dies_with_the_thread(small, young):
    x, y = products()
    f = ad.function(x, y)
    f(np.zeros((N, N)))
    dead, mine = [], addresses(f)

    def work():
        f(np.ones((N, N)))
        dead.extend(weakref.ref(a) for a in kept(f))
        assert not set(addresses(f)) & set(mine)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    gc.collect()
    assert dead and all(r() is None for r in dead)
    assert addresses(f) == mine


def test_calls_leave_nothing_but_the_workspace():
    x, y = products(400)
    f, value = ad.function(x, ad.sum(y)), np.zeros((400, 400))
    f(value)
    size = sum(a.nbytes for a in kept(f))
    assert size >= workspace.LEAST
    tracemalloc.start()
    try:
        for _ in range(3):
            f(value)
        rest, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert rest < 20_000 and peak < size // 4  # no large array was made


def test_copies_have_a_workspace_of_their_own(small):
    x, y = products()
    f = ad.function(x, y)
    value = np.random.default_rng(0).normal(size=(N, N))
    expected = f(value)
    for g in (copy.copy(f), copy.deepcopy(f)):
        np.testing.assert_array_equal(g(value), expected)
        assert not set(addresses(g)) & set(addresses(f))
    with pytest.raises(TypeError, match="ad.portable"):
        f.__reduce_ex__(2)


# ---- what is kept


def test_the_limit_of_size(small, monkeypatch):
    monkeypatch.setattr(workspace, "LIMIT", 3 * N * N * 8)
    x = ad.matrix("x", shape=(N, N))
    layers = [x]
    for _ in range(6):
        layers.append(ad.tanh(layers[-1] @ x / N))
    cost = ad.sum(layers[-1] * layers[-1])
    f = ad.function(x, [cost, ad.grad(cost, x)])
    value = np.random.default_rng(0).normal(size=(N, N))
    found = f(value)
    assert 0 < sum(a.nbytes for a in kept(f)) <= workspace.LIMIT
    monkeypatch.setattr(workspace, "LIMIT", 0)
    g = ad.function(x, [cost, ad.grad(cost, x)])
    assert "workspace" not in g.source
    for one, two in zip(found, g(value), strict=True):
        np.testing.assert_array_equal(one, two)


def test_all_functions_of_a_thread_share_a_limit(small, monkeypatch):
    """What was not called for the longest time gives its arrays back, and still works."""
    each = 2 * N * N * 8
    monkeypatch.setattr(workspace, "LIMIT_OF_ALL", 3 * each)
    monkeypatch.setattr(workspace, "RECENT", workspace.Recent())
    fs = [ad.function(*products()) for _ in range(5)]
    value = np.random.default_rng(0).normal(size=(N, N))
    expected = fs[0](value)
    for order in ([0, 1, 2], [0, 3], [4, 0, 1], [2, 2, 3, 0, 1, 4]):
        for k in order:
            np.testing.assert_array_equal(fs[k](value), expected)
            assert len(kept(fs[k])) == 2
            assert sum(a.nbytes for f in fs for a in kept(f)) <= 3 * each
    assert [bool(kept(f)) for f in fs] == [True, True, False, False, True]
    del fs[4]
    fs[2](value), fs[3](value)  # the dropped one counts no more
    assert [bool(kept(f)) for f in fs] == [False, True, True, True]

    def work(k):  # a thread of its own has a limit of its own
        for f in fs:
            np.testing.assert_array_equal(f(value), expected)

    in_threads(work, 2)
    assert [bool(kept(f)) for f in fs] == [False, True, True, True]


def test_a_workspace_of_two_dtypes_counts_once(small, monkeypatch):
    monkeypatch.setattr(workspace, "RECENT", workspace.Recent())
    space = Workspace()
    space((2, 3), (4,)), space((5,), dtype="float32"), space((2, 3), (4,))
    assert [*workspace.RECENT.order] == [space.me] and space.size == 10 * 8 + 5 * 4
    space.forget()
    space((2, 3))
    assert [*workspace.RECENT.order] == [space.me] and space.size == 48


def test_small_arrays_results_and_bodies_are_not_kept():
    x, y = products(50)
    assert "workspace" not in ad.function(x, y).source
    x, y = products(400)
    alone = ad.function(x, x @ x)
    assert "workspace" not in alone.source
    assert "workspace" not in ad.function(x, ad.sum(y), check="nan").source
    text = str(ad.function(x, [y, ad.sum(y)]).program)
    assert "room_1, room_2 = workspace((400, 400), (400, 400))" in text
    unknown = ad.matrix("unknown")
    assert "workspace" not in ad.function(unknown, ad.exp(unknown @ unknown) @ unknown).source


def test_a_room_is_used_again_within_a_call(small):
    x = ad.matrix("x", shape=(N, N))
    y = x
    for _ in range(10):
        y = ad.tanh(y @ x)
    f = ad.function(x, ad.sum(y))
    f(np.zeros((N, N)))
    assert len(kept(f)) == 2


def test_names_of_the_users_stay_free(small):
    workspace_, room = ad.matrix("workspace", shape=(N, N)), ad.matrix("room_1", shape=(N, N))
    f = ad.function([workspace_, room], ad.sum(ad.exp(workspace_ @ room) @ room))
    values = [np.full((N, N), 0.1), np.full((N, N), 0.2)]
    exact = np.sum(np.exp(values[0] @ values[1]) @ values[1])
    np.testing.assert_allclose(f(*values), exact)
    np.testing.assert_allclose(f(workspace=values[0], room_1=values[1]), exact)
    assert " = workspace_1((16, 16)" in str(f.program) and "def workspace_1(" in f.source
    space = {}
    exec(f.source, space)
    np.testing.assert_array_equal(space["program"](*values), f(*values))
