"""Programs for JAX that loop, branch, draw, keep state, and run on many devices.

Protects what a compiled program could lose: its lengths, its order, its state, its precision, and
where its arrays are.
"""

import os

os.environ.setdefault("XLA_FLAGS", "--xla_force_host_platform_device_count=8")

import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import autodiff_edu as ad
from tests.helpers.depth import draws

jax = pytest.importorskip("jax")


def both(inputs, outputs, *values, **options):
    """The program for JAX, of which the results are those of the one for NumPy."""
    f = ad.function(inputs, outputs, target="jax", **options)
    found, wanted = f(*values), ad.function(inputs, outputs, **options)(*values)
    pairs = zip(found, wanted, strict=True) if f.stated[2][0] else [(found, wanted)]
    for a, b in pairs:
        assert np.asarray(a).dtype == np.asarray(b).dtype
        np.testing.assert_allclose(a, b, 1e-11, 1e-12)
    return f


# ---- loops


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize("steps", [0, 1, 5])
def test_a_recurrent_network_and_its_gradients(known, steps, rng):
    shapes = {"U": (3, 4), "W": (4, 4), "h0": (4,), "xs": (steps, 3)}
    U, W, h0, xs = [ad.tensor(name, shape=s if known else (None,) * len(s))
                    for name, s in shapes.items()]  # fmt: skip
    hs = ad.scan(lambda x, h: ad.tanh(x @ U + h @ W), xs, h0)
    slopes = ad.grad((hs**2).sum(), [U, W, h0, xs])
    f = both([U, W, h0, xs], [hs, *slopes], *[rng.normal(size=s) for s in shapes.values()])
    assert f.source.count("scan_steps(") == 2


@pytest.mark.parametrize("seed", range(draws(12)))
def test_parts_of_parts_turned_round_and_their_gradients(seed):
    """Of unknown lengths, so that slices of all entries are not known as such."""
    draw = np.random.default_rng(seed)
    x, n = ad.vector("x"), ad.scalar("n", dtype="int64")
    steps = [
        lambda y: y[::-1], lambda y: y[-9:], lambda y: y[:n], lambda y: ad.pad(y, (0, n - n)),
        lambda y: ad.sliding_window_view(y, 1)[:, 0], lambda y: y[::2], lambda y: ad.sin(y)[1:],
        lambda y: y[None, ::-1][0], lambda y: y + y[-1],
    ]  # fmt: skip
    y = x[::-1]
    for k in draw.integers(len(steps), size=4):
        y = steps[k](y)
    both([x, n], [y, ad.grad((y**2).sum(), x)], draw.normal(size=9), 9, on_unused_input="ignore")


KEYS = [slice(None), slice(0, 4), slice(None, None, -1), slice(1, 9, 2), slice(3, 3), 1, -1, ...,
        [2, 0], (slice(-2, 0, -1), None)]  # fmt: skip


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize("how", ["set", "add", "multiply"])
@pytest.mark.parametrize("key", KEYS, ids=str)
def test_an_array_changed_in_a_place_and_turned_round(key, how, known):
    """XLA ends the process, not the test alone, where all of it is written into by a scatter."""
    x, v = ad.vector("x", shape=4 if known else None), ad.scalar("v")
    m = ad.matrix("m", shape=(4, 3) if known else (None, 3))
    values = np.array([-0.0, 1.5, np.nan, 3.0]), 2.0, np.arange(12.0).reshape(4, 3)
    y, z = getattr(x.at[key], how)(v)[::-1], getattr(m.at[key], how)(v)[::-1]
    w = x.at[key].set(x[key] * v)[::-1]
    both([x, v, m], [y, w, z, *ad.grad((w * y).sum() + (z**2).sum(), [x, v, m])], *values)
    both([x, v, m], [y, z], np.arange(4.0), -0.0, values[2])
    one = ad.zeros(4).at[key].set(v)[::-1]
    both([v], [one, ad.grad((one**2).sum(), v)], 3.0)


@pytest.mark.parametrize("known", [True, False])
def test_a_loop_backwards_and_its_gradients(known, rng):
    xs = ad.vector("xs", shape=4 if known else None)
    s = ad.scalar("s")
    hs, rows = ad.scan(lambda x, h: (ad.tanh(h), x), xs, [s, None], go_backwards=True)
    both([xs, s], ad.grad((hs + rows).sum(), [xs, s]), rng.normal(size=4), 0.5)


def test_loops_within_loops(rng):
    x = ad.matrix("x", shape=(3, 4))
    rows = ad.scan(lambda row: ad.scan(lambda v, s: ad.sin(s) + v, row, 0.0)[-1] * row, x)
    slope = ad.grad((rows**2).sum(), x)
    both(x, [rows, slope, ad.jacobian(slope.sum(axis=0), x)], rng.normal(size=(3, 4)))


def test_a_loop_of_so_many_steps_is_compiled_once():
    x, n = ad.scalar("x"), ad.scalar("n", dtype="int64")
    f = both([x, n], ad.scan(lambda s: s * x, outputs_info=1.0, n_steps=n)[-1], 2.0, 5)
    assert "while_steps" in f.source and "static" not in f.source
    assert [f(2.0, n) for n in (0, 3)] == [1, 8]


def test_what_tells_a_length_is_static():
    x, n = ad.scalar("x"), ad.scalar("n", dtype="int64")
    f = both(
        [x, n], [ad.arange(n) * x, ad.scan(lambda s: s * x, outputs_info=x, n_steps=n)], 2.0, 3
    )
    assert "static_argnames=['n']" in f.source
    assert [y.shape for y in f(2.0, 4)] == [(4,), (4,)]
    with pytest.raises(ValueError, match="compiled for each value of n"):
        f.lowered  # noqa: B018
    with pytest.raises(ValueError, match="-1 steps"):
        f(2.0, -1)


def until(a, rows):
    """Newton's steps for √a until they stand still."""
    step = lambda x: ((x + a / x) / 2, ad.until(abs(x * x - a) < 1e-12))
    found = ad.scan(step, outputs_info=a, n_steps=50)
    return found if rows else found[-1]


@pytest.mark.parametrize("rows", [True, False])
def test_a_loop_that_ends_early(rows):
    a = ad.scalar("a")
    f = both(a, until(a, rows), 2.0)
    assert ("@jax.jit" in f.source) is not rows
    y = until(a, rows=True)
    both(a, [y, ad.grad(y[-1], a)], 3.0)


def test_a_length_that_changes_from_step_to_step():
    x = ad.vector("x", shape=5)
    step = lambda n, total: (n + 1, total + x[:n].sum())
    sums = ad.scan(step, outputs_info=[0, 0.0], n_steps=5)
    with pytest.raises(NotImplementedError, match='test_jax_programs.*mask.*target="numpy"'):
        ad.function(x, sums, target="jax")


def test_entries_that_tell_lengths_are_computed_line_by_line(rng):
    x = ad.vector("x")
    f = both(x, [x[x > 0], (x[x > 0] ** 2).sum()], rng.normal(size=9))
    assert "jit" not in f.source
    with pytest.raises(ValueError, match="nothing is compiled"):
        f.lowered  # noqa: B018


# ---- branches and boxes


@pytest.mark.parametrize("value", [-2.0, 3.0])
def test_a_branch_and_its_derivatives(value):
    x = ad.scalar("x")
    y = ad.cond(x > 0, lambda: ad.log(x) * x, lambda: x * x + ad.exp(x))
    slope = ad.grad(y, x)
    both(x, [y, slope, ad.grad(slope, x)], value)
    steps = ad.scan(
        lambda s: ad.cond(s > 1, lambda: s / 2, lambda: 3 * s), outputs_info=x, n_steps=6
    )
    f = both(x, [steps, ad.grad(steps[-1], x)], value)
    assert "choose(" in f.source and "def first():" in f.source


def test_a_box_with_several_results(rng):
    x = ad.vector("x", shape=3)
    box = ad.OpFromGraph([x], [ad.sin(x), x.sum()], name="jnp")
    a, b = box(2 * x)
    f = both(x, [a * b, ad.grad((a * b).sum(), x)], rng.normal(size=3), simplify=None)
    assert "def jnp_" in f.source


def test_slices_one_after_the_other(rng):
    """`ad.vectorize` of an operation that has no rule for batches."""

    @ad.op(
        type=lambda t: t,
        targets={"jax": lambda x: x[::-1]},
        pullback=lambda ct, x, out: (ct[::-1],),
    )
    def turned(x):
        return x[::-1].copy()

    X = ad.matrix("X", shape=(3, 4))
    y = ad.vectorize(turned)(X)
    both(X, [y, ad.grad((y * X).sum(), X)], rng.normal(size=(3, 4)))


# ---- state and chance


def test_updates_and_default_updates(rng):
    w, calls = ad.shared(np.zeros(3), "w"), ad.shared(0, "calls")
    x = ad.vector("x", shape=3)
    cost = ((w - x) ** 2).sum()
    changes = [(w, w - 0.1 * ad.grad(cost, w)), (calls, calls + 1)]
    values, found = rng.normal(size=(4, 3)), {}
    for target in ("numpy", "jax"):
        w.set_value(np.zeros(3))
        f = ad.function([x], cost, updates=changes, target=target)
        found[target] = [*map(f, values), w.get_value()]
    for a, b in zip(*found.values(), strict=True):
        np.testing.assert_allclose(a, b, 1e-12)
    assert calls.get_value() == 8 and isinstance(w.get_value(borrow=True), np.ndarray)


def test_threads_update_one_after_the_other():
    w = ad.shared(0.0, "w")
    f = ad.function([], w, updates=[(w, w + 1)], target="jax")
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: float(f()), range(200)))
    assert sorted(found) == list(range(200)) and w.get_value() == 200


def test_draws_have_their_distribution():
    rng = ad.RandomStream(3)
    n = 20_000
    draws = [rng.uniform(size=n), rng.normal(size=n), rng.bernoulli(0.3, size=n),
             rng.poisson(2.5, size=n), rng.binomial(6, 0.4, size=n), rng.integers(2, 7, size=n),
             rng.exponential(2.0, size=n), rng.choice(4, size=n, p=[0.1, 0.2, 0.3, 0.4]),
             rng.normal(size=n, dtype="float32")]  # fmt: skip
    f, g = (ad.function([], draws, target=target) for target in ("jax", "numpy"))
    for a, b in zip(f(), g(), strict=True):
        assert a.dtype == b.dtype
        assert abs(a.mean() - b.mean()) < 6 * b.std() / np.sqrt(n / 2)
        assert abs(a.std() / b.std() - 1) < 0.05
        assert abs(np.corrcoef(a[1:], a[:-1])[0, 1]) < 0.05
    first, second = f(), f()
    assert all((a != b).any() for a, b in zip(first, second, strict=True))
    assert abs(np.corrcoef(first[0], first[1])[0, 1]) < 0.05


def test_steps_of_a_loop_draw_afresh_and_repeatably():
    rng = ad.RandomStream(5)
    walk = ad.scan(lambda s: s + rng.normal(size=2), outputs_info=np.zeros(2), n_steps=50)
    f = ad.function([], walk, target="jax")
    found = f()
    assert len(np.unique(np.diff(found, axis=0))) == 98
    rng.seed(5)
    np.testing.assert_array_equal(f(), found)


# ---- precision and values


def test_the_setting_of_jax_is_left_alone():
    x = ad.vector("x", shape=2)
    f = ad.function(x, x / 3, target="jax")
    assert f([1.0, 2.0]).dtype == "float64" and jax.numpy.ones(1).dtype == "float32"
    assert f(jax.numpy.ones(2)).dtype == "float64"
    with jax.enable_x64(True):
        assert f(jax.numpy.ones(2)).dtype == "float64"


def test_results_are_fresh_and_may_be_written_into():
    x = ad.vector("x", shape=2)
    f = ad.function(x, [x, 2 * x], target="jax")
    given = np.ones(2)
    same, double = f(given)
    same += 1
    double += 1
    assert list(given) == [1, 1] and f(x=given)[1].tolist() == [2, 2]


def test_arrays_of_jax_give_arrays_of_jax():
    x, y = ad.vector("x", shape=2), ad.scalar("y")
    f = ad.function([x, y], [x * y, y], target="jax")
    assert all(isinstance(v, jax.Array) for v in f(jax.numpy.ones(2), 2.0))
    np.testing.assert_allclose(jax.jit(lambda v: f(v, 3.0)[0])(np.ones(2)), [3, 3])
    with pytest.raises(ad.ShapeError, match="x is declared"):
        f(jax.numpy.ones(3), 2.0)


def test_wrong_values_are_refused_as_by_numpy():
    n = ad.vector("n", dtype="int64")
    f = ad.function(n, n * 2, target="jax")
    with pytest.raises(ad.DTypeError, match="without loss"):
        f(jax.numpy.ones(3))
    with pytest.raises(ad.DTypeError, match="without loss"):
        f(np.ones(3))
    with pytest.raises(TypeError, match="argument"):
        f()
    x, y = ad.vector("x"), ad.vector("y")
    with pytest.raises(ad.ShapeError):
        ad.function([x, y], x + y, target="jax")(np.ones(2), np.ones(3))


# ---- what it carries


def test_the_text_for_the_compiler():
    x = ad.vector("x", shape=3)
    f = ad.function(x, ad.sin(x).sum(), target="jax")
    assert "stablehlo.sine" in f.lowered and "tensor<3xf64>" in f.lowered
    again = ad.function(x, ad.sin(x).sum(), target="jax").lowered
    assert f.lowered == again and "loc(" not in again and "/" not in again
    with pytest.raises(ValueError, match="lengths of v are not known: declare"):
        v = ad.vector("v")
        ad.function(v, v + 1, target="jax").lowered  # noqa: B018
    plain = ad.function(x, x + 1)
    with pytest.raises(AttributeError, match='only target="jax"'):
        plain.lowered  # noqa: B018
    assert "lowered" in dir(f) and "lowered" not in dir(plain)


def test_a_function_is_pickled_as_its_graph():
    x = ad.vector("x", shape=3)
    f = pickle.loads(pickle.dumps(ad.portable(ad.function(x, ad.exp(x), target="jax"))))
    assert "jnp.exp" in f.source
    np.testing.assert_allclose(f(np.ones(3)), np.exp(np.ones(3)))


def test_names_of_users_hide_nothing():
    jnp, lax = ad.vector("jnp", shape=2), ad.vector("lax", shape=2)
    both([jnp, lax], ad.sin(jnp) + ad.exp(lax), np.ones(2), np.ones(2))
    with pytest.raises(ValueError, match="identifier"):
        ad.function(jnp, jnp * 2, name="jnp", target="jax")


def test_an_operation_without_a_form_is_named():
    @ad.op(linear=True)
    def mine(x):
        return np.array(x)

    class Yours(ad.Op):
        def infer_type(self, x):
            return x

        def perform(self, x):
            return x + 1

    x = ad.vector("x", shape=2)
    for op in (mine, Yours()):
        with pytest.raises(
            NotImplementedError, match=f'{op.name} has no form.*targets={{"jax": f}}'
        ):
            ad.function(x, op(x), target="jax")

    class Called(Yours):
        targets = {"jax": lambda x: jax.pure_callback(Yours().perform, x, x)}

    both(x, Called()(x), np.ones(2))


def test_an_error_tells_of_the_users_line():
    @ad.op(linear=True, targets={"jax": lambda x: x.reshape(7)})
    def broken(x):
        return np.array(x)

    x = ad.vector("x", shape=2)
    with pytest.raises(TypeError, match="broken of x of shape .2,. .made at test_jax_programs"):
        ad.function(x, broken(x), target="jax")(np.ones(2))


# ---- many devices


def sharded(array, *axes):
    mesh = jax.make_mesh((8,), ("batch",))
    return jax.device_put(array, jax.NamedSharding(mesh, jax.P(*axes)))


def test_training_over_a_mesh_gives_the_numbers_of_one_device(rng):
    """Data-parallel: each device has a part of the batch, and all have the weights."""
    assert jax.device_count() == 8
    X, T = ad.matrix("X", shape=(64, 5)), ad.matrix("T", shape=(64, 3))
    W, b = ad.matrix("W", shape=(5, 3)), ad.vector("b", shape=3)
    cost = -(T * ad.log_softmax(X @ W + b, axis=1)).sum() / 64
    step = [W - 0.5 * ad.grad(cost, W), b - 0.5 * ad.grad(cost, b)]
    f = ad.function([W, b, X, T], [cost, *step], target="jax")
    data = rng.normal(size=(64, 5)), np.eye(3)[rng.integers(0, 3, 64)]
    one = many = [rng.normal(size=(5, 3)), np.zeros(3)]
    with jax.enable_x64(True):
        parts = [sharded(v, "batch") for v in data]
        many = [sharded(v) for v in many]
    for _ in range(5):
        cost_of_one, *one = f(*one, *data)
        cost_of_many, *many = f(*many, *parts)
        np.testing.assert_allclose(cost_of_one, cost_of_many, 1e-12)
    for a, b in zip(one, many, strict=True):
        np.testing.assert_allclose(a, b, 1e-12)
        assert len(b.sharding.device_set) == 8 and b.is_fully_replicated
    rows = ad.function([X], ad.tanh(X), target="jax")(parts[0])
    assert not rows.is_fully_replicated and rows.sharding.spec == parts[0].sharding.spec


def test_shared_values_are_trained_by_sharded_data(rng):
    W = ad.shared(np.zeros(5), "W")
    X, t = ad.matrix("X", shape=(64, 5)), ad.vector("t", shape=64)
    cost = ((X @ W - t) ** 2).mean()
    f = ad.function([X, t], cost, updates=[(W, W - 0.1 * ad.grad(cost, W))], target="jax")
    data, found = (rng.normal(size=(64, 5)), rng.normal(size=64)), []
    for put in (np.asarray, lambda v: sharded(v, "batch")):
        W.set_value(np.zeros(5))
        with jax.enable_x64(True):
            given = [put(v) for v in data]
        costs = [float(f(*given)) for _ in range(3)]
        found.append([*costs, *W.get_value()])
    np.testing.assert_allclose(*found, 1e-11)
