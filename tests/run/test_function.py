"""Generated functions: values, freshness, names, text."""

import copy
import inspect
import pickle

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu.run import Program, plan
from tests.helpers.depth import draws, length
from tests.helpers.programs import random_program


@pytest.mark.each("seed", range(draws(120)))
def test_generated_source_gives_what_the_interpreter_gives(seed):
    inputs, values, output = random_program(seed, 5 + seed % 11)
    graph = ad.Graph([output, *ad.reverse_mode(ad.sum(output), inputs[:2]).outputs])
    expected = ad.evaluate(graph, dict(zip(inputs, values)))
    given = [np.array(v) for v in values]
    run = ad.function(inputs, graph, simplify=None, on_unused_input="ignore")
    for found, value in zip(run(*given), expected):
        np.testing.assert_array_equal(found, value)
    for v, g in zip(values, given):
        np.testing.assert_array_equal(v, g)  # inputs are never overwritten


def test_results_are_fresh():
    x = ad.vector("x", shape=3)
    c = ad.constant(np.arange(3.0))
    e = ad.exp(x)
    f = ad.function(x, [x, x[1:], c + 0 * c, e, e, e.reshape(3, 1), ad.broadcast_to(x[0], (2,))])
    value = np.zeros(3)
    results = f(value)
    for k, a in enumerate(results):
        assert not np.shares_memory(a, value)
        assert not any(np.shares_memory(a, b) for b in results[:k])
        a[...] = -1.0
    np.testing.assert_array_equal(f(value)[3], np.ones(3))
    np.testing.assert_array_equal(f(value)[2], np.arange(3.0))


def test_one_value_or_a_list():
    x = ad.scalar("x")
    assert ad.function(x, x + 1)(1.0) == 2.0
    assert ad.function([x], [x + 1])(1.0) == [2.0]
    assert ad.function([], ad.constant(2.0) * 3)() == 6.0
    assert ad.function(x, [x > 1, x])(2.0) == [True, 2.0]


def test_the_text_is_the_function():
    w, x = ad.vector("w", shape=2), ad.vector("x", shape=2)
    y = w * x
    y.name = "product"
    f = ad.function([w, x], ad.sum(y), name="inner")
    assert f.__name__ == "inner" and list(inspect.signature(f).parameters) == ["w", "x"]
    assert "product = w * x" in f.source
    assert f.source.startswith(
        'import numpy as np\n\n\n@np.errstate(all="ignore")\ndef inner(w, x):'
    )
    assert [stage.name for stage in f.stages] == ["simplify", "generate"]
    np.testing.assert_allclose(f(x=[1, 2], w=[3, 4]), 11)
    with pytest.raises(ValueError, match="identifier"):
        ad.function(x, x, name="a b")


@pytest.mark.each("name", ["np", "accept", "careful", "v1", "sin", "inf", "program", "fresh"])
def test_names_that_the_program_needs_itself(name):
    x, y = ad.scalar(name), ad.scalar("y")
    f = ad.function([x, y], ad.sin(x) + ad.sigmoid(y) / x + np.inf * 0 * y)
    f(2.0, 1.0)
    v, w = ad.vector(name, shape=2), ad.vector("y", shape=2)
    g = ad.function([v, w], ad.sin(v) + ad.sigmoid(w) * v)
    np.testing.assert_allclose(g([1, 2], [0, 0]), np.sin([1, 2]) + [0.5, 1])


def test_inputs_of_the_same_name():
    a, b = ad.scalar("x"), ad.scalar("x")
    assert ad.function([a, b], a - b)(5.0, 3.0) == 2.0


def test_arrays_that_die_are_reused():
    x = ad.vector("x", shape=4)
    v = x
    for _ in range(6):
        v = ad.sin(v) * 2
    schedule = plan(v).after
    assert len(schedule.into) == 11 and schedule.peak == 1
    assert repr(Program(ad.Graph(v), [x])).count("out=") == 11


def test_shapes_are_checked_once_for_each_combination():
    X, w = ad.matrix("X"), ad.vector("w")
    f = ad.function([X, w], X @ w)
    for n in (2, 3, 2):
        assert f(np.ones((n, 4)), np.ones(4)).shape == (n,)
    with pytest.raises(ad.ShapeError):
        f(np.ones((2, 4)), np.ones(2))


def test_a_deep_program_is_no_recursion():
    x = ad.vector("x", shape=2)
    v = x
    for _ in range(length(4_000)):
        v = ad.sin(v) * 1.01
    assert ad.function(x, v)(np.ones(2)).shape == (2,)


def test_results_can_be_written():
    v = ad.vector("v", shape=2)
    f = ad.function(v, ad.broadcast_to(v * 2, (3, 2)).T)
    result = f(np.ones(2))
    result[0, 0] = 5
    np.testing.assert_array_equal(result, [[5, 2, 2], [2, 2, 2]])


@pytest.mark.each("name", ["np", "accept", "careful", "sin", "class", "ValueError"])
def test_names_of_functions_are_free_identifiers(name):
    x = ad.scalar("x")
    with pytest.raises(ValueError, match="free identifier"):
        ad.function(x, x, name=name)
    v = ad.vector("v", shape=2)
    assert ad.function(v, v + np.arange(2.0), name="c2")([1, 1]).tolist() == [1, 2]


def test_values_that_cannot_be_taken_name_the_input():
    x = ad.scalar("x")
    for value in (None, "a", 1j):
        with pytest.raises(ad.DTypeError, match="x takes real numbers"):
            ad.function(x, x * 1)(value)
    v = ad.vector("v", dtype="float32")
    assert ad.function(v, v + 1)([1.0, 2.0]).dtype == "float32"


@pytest.mark.each("dtype", ["float64", "float32"])
@pytest.mark.each("rows", [(), (1,), (2,), (5,)])
@pytest.mark.each("columns", [(), (1,), (2,), (5,)])
def test_products_of_any_lengths_keep_inf_and_nan(rows, columns, dtype):
    """Where an operand has one entry that is 0, too."""
    for seed in range(draws(12)):
        draw = np.random.default_rng(seed)
        k = int(draw.integers(1, 3))
        shapes = (*rows, k), (k, *columns)
        x, y = (ad.tensor(w, shape=s, dtype=dtype) for w, s in zip("xy", shapes, strict=True))
        special = [0.0, 1.0, -2.0, np.inf, np.nan]
        values = [draw.choice(special, size=s).astype(dtype) for s in shapes]
        found = ad.function([x, y], x @ y)(*values)
        with np.errstate(invalid="ignore"):
            np.testing.assert_array_equal(found, np.matmul(*values))


AWKWARD = ["max", "len", "type", "float", "np", "accept", "a b", "class", "ﬁ"]


@pytest.mark.each("name", AWKWARD)
def test_inputs_are_given_by_name_whatever_it_is(name):
    """A program calls such an input otherwise, since it says max or len itself."""
    v, w = ad.vector(name, shape=3), ad.vector("w", shape=3)
    f = ad.function([w, v], w * v)
    found = f(np.arange(3.0), **{name: np.full(3, 2.0)})
    np.testing.assert_array_equal(found, [0, 2, 4])
    assert f.profile(w=np.ones(3), **{name: np.ones(3)}).lines
    k = ad.scalar(name)
    less = ad.function(k, k - 1)
    assert less(**{name: 3.0}) == 2
    with pytest.raises(TypeError):
        less(3.0, **{name: 3.0})
    with pytest.raises(TypeError, match="unexpected keyword argument"):
        less(v1=3.0, **{name: 3.0})
    with pytest.raises(TypeError, match="unexpected keyword argument 'other'"):
        f(np.ones(3), other=np.ones(3))


def test_a_name_that_is_the_word_of_another_parameter_is_still_a_name():
    """The program calls `max` v1, or v2 where there is an input v1."""
    for names in (["max", "v1"], ["v1", "max"], ["v2", "len", "v1", "max"], ["max", "max", "v2"]):
        inputs = [ad.scalar(name) for name in names]
        f = ad.function(inputs, sum((k + 1) * i for k, i in enumerate(inputs)))
        first = {name: float(10**k) for k, name in reversed([*enumerate(names)])}
        if len(first) == len(names):
            expected = sum((k + 1) * first[name] for k, name in enumerate(names))
            sent = pickle.loads(pickle.dumps(ad.portable(f)))
            for run in (f, ad.portable(f), copy.copy(f), sent):
                assert run(**first) == expected
        with pytest.raises(TypeError, match="unexpected keyword argument 'v9'"):
            f(**first, v9=1.0)
    f = ad.function([ad.scalar("max"), v1 := ad.scalar("v1")], v1, on_unused_input="ignore")
    assert f(v1=1.0, max=2.0) == 1
    with pytest.raises(TypeError, match="unexpected keyword argument 'v2'"):
        f(max=1.0, v2=2.0)


NAMES = ["γ", "ω0", "ω₀", "x", "v1", "v2", "é", "ﬁ", "np", "lambda", "program", "_", "a b"]


@pytest.mark.each("seed", range(draws(40)))
def test_a_program_keeps_each_name_that_can_stand_in_it(seed):
    """Whatever its other names are; so does one of numbers, of arrays and of a loop."""
    draw = np.random.default_rng(seed)
    names = [NAMES[k] for k in draw.integers(len(NAMES), size=4)]
    shape = [(), (), (3,)][draw.integers(3)]
    inputs = [ad.tensor(name, shape=shape) for name in names]
    values = [draw.uniform(0.5, 1.0, shape) for _ in names]
    a, b, c, d = inputs
    y = ad.exp(-a * b) * ad.cos(c * d) + (a - c)
    if draw.integers(2):
        y = ad.scan(lambda s: s * a, n_steps=3, outputs_info=[y])[0] * d
    outputs = [y, ad.grad(ad.sum(y), b)]
    f, again = (ad.function(inputs, outputs, on_unused_input="ignore") for _ in range(2))
    text = f.program.source
    header = next(line for line in text.splitlines() if line.startswith("def program("))
    words = header[header.index("(") + 1 : header.index(")")].split(", ")
    for k, (name, word) in enumerate(zip(names, words, strict=True)):
        can = name in ("γ", "ω0", "x", "v1", "v2", "é", "_") and name not in names[:k]
        assert (word == name) == can, text
    assert len({*words}) == 4 and again.program.source == text
    expected = ad.evaluate(y, dict(zip(inputs, values, strict=True)))
    np.testing.assert_allclose(f(*values)[0], expected, rtol=1e-12)


def test_an_input_may_be_called_self():
    me = ad.scalar("self")
    f = ad.function(me, me - 1)
    assert f(self=3.0) == ad.portable(f)(self=3.0) == 2
    assert f.profile(self=3.0).lines
