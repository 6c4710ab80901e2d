"""Derivatives of Python functions: traced by type, remembered, nested, over containers."""

import collections
import functools
import math
import random
import subprocess
import sys
from typing import NamedTuple

import numpy as np
import pytest

import autodiff_edu as ad

RNG = np.random.default_rng(3)


class Layer(NamedTuple):
    W: np.ndarray
    b: np.ndarray


def network(layers, X):
    for layer in layers:
        X = np.tanh(X @ layer.W + layer.b)
    return np.sum(X**2)


LAYERS = [
    Layer(RNG.normal(size=(3, 4)), RNG.normal(size=4)),
    Layer(RNG.normal(size=(4, 2)), RNG.normal(size=2)),
]
DATA = RNG.normal(size=(5, 3))


def test_containers_come_back_as_they_went_in():
    value, slopes = ad.value_and_grad(network)(LAYERS, DATA)
    assert np.isclose(value, network(LAYERS, DATA))
    assert isinstance(slopes, list) and all(isinstance(s, Layer) for s in slopes)
    for k, layer in enumerate(LAYERS):
        for name in Layer._fields:
            step = np.zeros_like(getattr(layer, name))
            step[(0,) * step.ndim] = 1e-6
            moved = [
                part._replace(**{name: getattr(part, name) + sign * step}) if j == k else part
                for sign in (1, -1)
                for j, part in enumerate(LAYERS)
            ]
            slope = (network(moved[:2], DATA) - network(moved[2:], DATA)) / 2e-6
            assert np.isclose(getattr(slopes[k], name)[(0,) * step.ndim], slope, rtol=1e-5)


def test_argnums():
    f = lambda x, y: x * y**2
    assert ad.grad(f)(2.0, 3.0) == 9.0
    assert ad.grad(f, 1)(2.0, 3.0) == 12.0
    assert ad.grad(f, argnums=(0, 1))(2.0, 3.0) == (9.0, 12.0)
    assert ad.value_and_grad(f, argnums=1)(2.0, 3.0) == (18.0, 12.0)
    assert ad.grad(lambda p: p["a"] * p["b"])({"a": 2.0, "b": 3.0}) == {"a": 3.0, "b": 2.0}
    assert ad.grad(f)(2.0, y=3.0) == 9.0


def test_a_function_is_traced_once_for_each_combination_of_types(capsys):
    def f(x, n):
        print("called")
        return np.sum(x**n)

    slope = ad.grad(f)
    for _ in range(3):
        np.testing.assert_array_equal(slope(np.array([1.0, 2.0]), 3), [3, 12])
    assert capsys.readouterr().out.split() == ["called"]
    slope(np.array([1.0, 2.0]), 2)
    slope(np.array([1.0, 2.0, 3.0]), 2)
    slope(np.float32([1.0, 2.0]), 2)
    assert capsys.readouterr().out.split() == ["called"] * 3


class Annealed:
    scale = 2.0
    table = {"s": 2.0}

    def __init__(self):
        self.turns = 0
        self.look = self.table.get

    def factor(self):
        return self.scale * self.look("s")

    def loss(self, x):
        return self.factor() * x

    def count(self, x):
        self.turns += 1
        return self.turns * x


def test_what_methods_and_classes_hold_may_change(monkeypatch):
    model = Annealed()
    slope = ad.grad(model.loss)
    assert slope(1.0) == 4.0
    monkeypatch.setattr(Annealed, "scale", 3.0)
    assert slope(1.0) == 6.0
    monkeypatch.setitem(Annealed.table, "s", 5.0)
    assert slope(1.0) == 15.0
    monkeypatch.setattr(Annealed, "factor", lambda self: 7.0)
    assert slope(1.0) == 7.0
    counting = ad.grad(model.count)
    assert [counting(1.0) for _ in range(3)] == [1, 2, 3]

    def tuned(x):
        return tuned.k * x

    tuned.k = 2.0
    slope = ad.grad(tuned)
    assert slope(1.0) == 2.0
    tuned.k = 5.0
    assert slope(1.0) == 5.0


def test_choices_of_the_random_module_are_fresh():
    pick = random.choice
    slope = ad.grad(lambda x: x * pick(range(10**6)))
    assert slope(1.0) != slope(1.0)


def test_keys_and_numpys_whole_numbers_are_taken_as_they_are():
    f = lambda p: sum((w * (7.0 if k is True else 2.0)).sum() for k, w in p.items())
    slope = ad.grad(f)
    for key in (1, True):
        ((found, value),) = slope({key: np.ones(2)}).items()
        assert found is key and value.tolist() == ([7, 7] if key is True else [2, 2])
    power = ad.grad(lambda x, n: x**n if n > 2 else x)
    assert power(2.0, np.int64(3)) == 12.0 and power(2.0, np.int64(1)) == 1.0
    table = collections.defaultdict(list, a=np.ones(2))
    assert ad.grad(lambda p: np.sum(p["a"]))(table)["a"].tolist() == [1, 1]


def test_what_a_function_closes_over_is_looked_at_again():
    scale, data = 2.0, np.array([1.0, 2.0])
    f = ad.grad(lambda x: np.sum(scale * x * data))
    np.testing.assert_array_equal(f(np.ones(2)), [2, 4])
    scale = 3.0
    np.testing.assert_array_equal(f(np.ones(2)), [3, 6])
    data[0] = 10.0  # in place
    np.testing.assert_array_equal(f(np.ones(2)), [30, 6])


class Model:
    def __init__(self):
        self.w = np.array([1.0, 2.0])

    def loss(self, x):
        return np.sum(self.w * x)


class Scale:
    by = 2.0


FACTOR = 2.0


def by_factor(x):
    return sum([FACTOR * x for _ in range(2)])


def test_whatever_a_function_reads_may_change(monkeypatch):
    ones = np.ones(2)
    model = Model()
    slope = ad.grad(model.loss)
    np.testing.assert_array_equal(slope(ones), [1, 2])
    model.w[0] = 5.0
    np.testing.assert_array_equal(slope(ones), [5, 2])
    default = np.array([1.0, 2.0])
    slope = ad.grad(lambda x, w=default: np.sum(w * x))
    slope(ones)
    default[1] = 7.0
    np.testing.assert_array_equal(slope(ones), [1, 7])
    slope = ad.grad(functools.partial(lambda w, x: np.sum(w * x), default), 0)
    slope(ones)
    default[0] = 3.0
    np.testing.assert_array_equal(slope(ones), [3, 7])
    assert ad.grad(by_factor)(1.0) == 4.0
    monkeypatch.setitem(globals(), "FACTOR", 5.0)
    assert ad.grad(by_factor)(1.0) == 10.0
    slope = ad.grad(lambda x: Scale.by * x)
    assert slope(1.0) == 2.0
    monkeypatch.setattr(Scale, "by", 3.0)
    assert slope(1.0) == 3.0
    deep = {"a": [[[np.ones(2)]]]}
    slope = ad.grad(lambda x: np.sum(deep["a"][0][0][0] * x))
    slope(ones)
    deep["a"][0][0][0][:] = 3.0
    np.testing.assert_array_equal(slope(ones), [3, 3])


def test_rows_that_change_places_are_noticed():
    data = np.random.default_rng(0).normal(size=20000)
    slope = ad.grad(lambda x: (data * x).sum())
    slope(np.ones(20000))
    data[[1, 2]] = data[[2, 1]]
    np.testing.assert_array_equal(slope(np.ones(20000)), data)


def test_random_draws_are_fresh():
    slope = ad.grad(lambda x: (np.random.randn(2) * x).sum())
    assert not np.array_equal(slope(np.ones(2)), slope(np.ones(2)))
    generator = np.random.default_rng(0)
    slope = ad.grad(lambda x: generator.normal() * x)
    assert slope(1.0) != slope(1.0)


def test_arguments_that_are_no_arrays_are_taken_as_they_are():
    slope = ad.grad(lambda w, batch: sum((w * k) ** 2 for k in batch))
    assert [slope(1.0, range(a, a + 2)) for a in (0, 2, 4)] == [2, 26, 82]
    slope = ad.grad(lambda x, f: f(x))
    assert [slope(1.0, lambda z, q=q: q * z) for q in (1, 2, 3)] == [1, 2, 3]
    with pytest.raises(TypeError, match="mask"):
        ad.grad(lambda x: x.mean())(np.ma.array([1.0, 2.0], mask=[0, 1]))


@pytest.mark.numeric
def test_whole_numbers_truth_values_and_strings_stay_static():
    def f(x, n, flip, how):
        for _ in range(n):
            x = np.sin(x) if how == "sin" else np.cos(x)
        return -x if flip else x

    assert ad.grad(f)(0.5, 1, True, "sin") == -math.cos(0.5)
    assert ad.grad(f)(0.5, 2, False, "cos") == math.sin(math.cos(0.5)) * math.sin(0.5)


def test_derivatives_nest():
    cube = lambda x: x**3
    assert ad.grad(ad.grad(cube))(2.0) == 12.0
    assert ad.grad(ad.grad(ad.grad(cube)))(2.0) == 6.0
    inner = lambda x: ad.grad(lambda y: x * y * y)(3.0)
    assert ad.grad(inner)(2.0) == 6.0
    # no confusion of the two variables: d/dx (x · d/dy (x + y)) = 1
    assert ad.grad(lambda x: x * ad.grad(lambda y: x + y)(2.0))(1.0) == 1.0
    assert ad.grad(lambda x: ad.value_and_grad(cube)(x)[1] * x)(2.0) == 36.0


def test_a_derivative_of_an_expression_argument_is_an_expression():
    x = ad.vector("x", shape=2)
    g = ad.grad(lambda v: np.sum(v**3))(x)
    assert isinstance(g, ad.Expr)
    np.testing.assert_array_equal(ad.evaluate(g, {x: [1.0, 2.0]}), [3, 12])
    h = ad.hessian(lambda v: np.sum(v**3))(np.sin(x))
    np.testing.assert_allclose(
        ad.evaluate(h, {x: [1.0, 2.0]}), np.diag(6 * np.sin([1, 2])), atol=1e-15
    )


def test_jacobians_of_containers():
    f = lambda p: {"sum": p["a"] + p["b"].sum(), "product": p["a"] * p["b"]}
    J = ad.jacobian(f)({"a": 2.0, "b": np.arange(3.0)})
    assert J["sum"]["a"] == 1 and (J["sum"]["b"] == 1).all()
    np.testing.assert_array_equal(J["product"]["a"], [0, 1, 2])
    np.testing.assert_array_equal(J["product"]["b"], 2 * np.eye(3))
    H = ad.hessian(lambda p: p["a"] * np.sum(p["b"] ** 2))({"a": 2.0, "b": np.arange(3.0)})
    assert H["a"]["a"] == 0
    np.testing.assert_array_equal(H["a"]["b"], [0, 2, 4])
    np.testing.assert_array_equal(H["b"]["a"], [0, 2, 4])
    np.testing.assert_array_equal(H["b"]["b"], 4 * np.eye(3))


@pytest.mark.each("mode", ["forward", "reverse"])
def test_both_ways_to_a_jacobian(mode):
    f = lambda x: np.stack([np.prod(x), np.sum(x), x[0] ** 2])
    J = ad.jacobian(f, mode=mode)(np.array([1.0, 2, 3, 4]))
    np.testing.assert_allclose(J, [[24, 12, 8, 6], [1, 1, 1, 1], [2, 0, 0, 0]])


def test_words_for_what_cannot_be():
    with pytest.raises(TypeError, match="pass it without its name"):
        ad.grad(lambda x, y: x * y)(x=1.0, y=2.0)
    with pytest.raises(TypeError, match="write 4.0"):
        ad.grad(lambda x: x * x)(np.int64(4))
    with pytest.raises(TypeError, match="write 3.0"):
        ad.grad(lambda x: x * x)(3)
    with pytest.raises(TypeError, match="Cost must be a scalar"):
        ad.grad(lambda x: x * 2)(np.ones(3))
    x = ad.scalar("x")
    with pytest.raises(TypeError, match="ad.where"):
        assert x > 0
    with pytest.raises(ad.DisconnectedInputError):
        ad.grad(lambda x, y: y * 2.0, disconnected_inputs="raise")(1.0, 2.0)


def test_vectorize_maps_over_every_argument():
    xs, ys = RNG.normal(size=(6, 3)), RNG.normal(size=(6, 3))
    np.testing.assert_allclose(ad.vectorize(np.dot)(xs, ys), np.sum(xs * ys, axis=1))
    f = lambda x, w: {"square": x @ x, "turned": w * x[::-1], "fixed": 1.0}
    found = ad.vectorize(f, in_axes=(0, None))(xs, 2.0)
    np.testing.assert_allclose(found["square"], np.sum(xs * xs, axis=1))
    np.testing.assert_allclose(found["turned"], 2 * xs[:, ::-1])
    assert found["fixed"].shape == (6,)
    per_example = ad.vectorize(ad.grad(lambda x: np.sum(np.sin(x) * x)))(xs)
    np.testing.assert_allclose(per_example, np.cos(xs) * xs + np.sin(xs))
    loss = lambda layers, x: network(layers, x)
    slopes = ad.vectorize(ad.grad(loss), in_axes=(None, 0))(LAYERS, DATA)
    wanted = [ad.grad(loss)(LAYERS, x) for x in DATA]
    for k in range(2):
        np.testing.assert_allclose(slopes[k].W, [w[k].W for w in wanted])
    with pytest.raises(TypeError, match="in_axes=None"):
        ad.vectorize(np.sin)(1.0)


def test_vectorize_of_a_graph_is_a_stage():
    x, w = ad.vector("x", shape=3), ad.vector("w", shape=3)
    y = np.tanh(x @ w)
    stage = ad.vectorize(y, x)
    rows = next(i for i in stage.graph.inputs if i is not w)
    assert rows.name == "x" and rows.type.shape == (None, 3)
    at = {rows: DATA, w: np.ones(3)}
    np.testing.assert_allclose(ad.evaluate(stage.output, at), np.tanh(DATA.sum(axis=1)))
    assert [step.rule for step in stage.steps][0] == "a new leading axis"
    assert len(list(stage.frames())) == len(stage.steps) + 1
    both = ad.vectorize(y, size=5)
    assert both.output.type.shape == (5,)


def test_a_pipeline_of_a_python_function():
    derivative, short, program = ad.pipeline(lambda x: x * x + (x - 2), 3.0)
    assert program.after(3.0) == 7.0 and ad.same(short.outputs, [short.output])
    stages = ad.pipeline(network, LAYERS, DATA, derivative="reverse")
    found = stages.after(*[v for layer in LAYERS for v in layer], DATA)
    np.testing.assert_allclose(found[0], ad.grad(network)(LAYERS, DATA)[0].W)


def test_vectorize_takes_names_and_constants_and_checks_lengths():
    rows = RNG.normal(size=(4, 2))
    f = lambda x, y: (x * y).sum()
    np.testing.assert_allclose(ad.vectorize(f)(rows, y=rows), (rows * rows).sum(axis=1))
    assert ad.vectorize(lambda x: np.ones(2))(rows).shape == (4, 2)
    with pytest.raises(ad.ShapeError, match="leading axes of one length"):
        ad.vectorize(f)(rows, rows[:3])


def test_the_hessian_names_its_arguments_as_the_others_do():
    f = lambda x, y: x**2 * y
    assert ad.hessian(f, argnums=0)(3.0, 2.0) == 4.0
    (xx, xy), (yx, yy) = ad.hessian(f, argnums=(0, 1))(3.0, 2.0)
    assert (xx, xy, yx, yy) == (4.0, 6.0, 6.0, 0.0)


class Squared:
    def __init__(self, x):
        self.value = x * x


def yields(x):
    yield x * x


def adds_in_place(x):
    total = np.zeros(2)
    total += x
    return total


@pytest.mark.each(
    ("f", "words"),
    [
        (yields, "returns numbers, arrays and expressions, not <generator object yields>"),
        (Squared, "returns numbers, arrays and expressions, not <.*Squared object>"),
        (
            ad.function([x := ad.scalar("x")], x * x),
            "not the expression x: .* as a Python function",
        ),
        (adds_in_place, r"np.add takes no out=.*s = s \+ x for s \+= x.*total \+= x"),
    ],
)
def test_what_is_no_function_of_expressions_says_what_to_write(f, words):
    with pytest.raises(TypeError, match=words):
        ad.grad(f)(2.0)


IN_A_MODULE = """
import autodiff_edu as ad
def f(x): return (x**2).sum()
df = ad.grad(f)
def slope(x): return df(x)
"""
IN_ANOTHER_PROCESS = """
import multiprocessing, numpy as np, slopes
if __name__ == "__main__":
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        print(pool.map(slopes.slope, [np.ones(2), np.zeros(1)]))
"""


def test_a_derivative_in_another_process_as_the_limits_say(tmp_path):
    (tmp_path / "slopes.py").write_text(IN_A_MODULE)
    (tmp_path / "main.py").write_text(IN_ANOTHER_PROCESS)
    run = subprocess.run([sys.executable, "main.py"], cwd=tmp_path, capture_output=True, text=True)
    assert (run.stdout, run.stderr) == ("[array([2., 2.]), array([0.])]\n", "")


WHILE_ANOTHER_IMPORTS = """
import sys, threading
import numpy as np, autodiff_edu as ad
sys.setswitchinterval(1e-6)
slope = ad.grad(lambda x: np.sin(x))
other = threading.Thread(target=lambda: ad.erf(1.0))  # which imports scipy.special
other.start()
while "scipy.special" not in sys.modules:
    pass
print(slope(0.0))
"""


def test_a_first_call_while_another_thread_imports():
    run = subprocess.run(
        [sys.executable, "-c", WHILE_ANOTHER_IMPORTS], capture_output=True, text=True
    )
    assert (run.stdout, run.stderr) == ("1.0\n", "")
