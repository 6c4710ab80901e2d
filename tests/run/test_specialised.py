"""A function of unknown lengths writes a program for the lengths that come again.

Protects speed where nobody declares lengths, and answers: the program for some lengths gives what
the general one gives, refuses what that refuses, and never runs for other lengths.
"""

import copy
import random
import sys
import threading

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu.run.fast.specialised import MANY, MOST, with_shapes
from tests.helpers.depth import draws, length, some

v, w, n = ad.vector("v"), ad.vector("w"), ad.scalar("n")
A, B = ad.matrix("A"), ad.matrix("B")
INPUTS = {"v": v, "w": w, "n": n, "A": A, "B": B}
ROSENBROCK = ad.sum(100 * (v[1:] - v[:-1] ** 2) ** 2 + (1 - v[:-1]) ** 2)
LOGISTIC = ad.mean(ad.log1p(ad.exp(-w * (A @ v))))
NETWORK = ad.sum(ad.tanh(ad.tanh(A @ B) @ v) ** 2)
FORMULAS = {  # outputs, and the axes of each input, by letters that stand for lengths
    "elementwise": ([ad.exp(v) * w + n], {"v": "a", "w": "a", "n": ""}),
    "gradient": ([ROSENBROCK, ad.grad(ROSENBROCK, v)], {"v": "a"}),
    "hessian": ([ad.hessian(ROSENBROCK, v)], {"v": "a"}),
    "jacobian": ([ad.jacobian(ad.sin(A @ v) * w, v)], {"v": "b", "w": "a", "A": "ab"}),
    "logistic": ([LOGISTIC, ad.grad(LOGISTIC, v)], {"v": "b", "w": "a", "A": "ab"}),
    "network": ([*ad.grad(NETWORK, [A, B, v])], {"v": "c", "A": "ab", "B": "bc"}),
    "mean": ([ad.mean(A, axis=0), ad.var(A, axis=1)], {"A": "ab"}),
    "reshape": ([ad.reshape(A, (-1,)), A.T.reshape((A.shape[1] * A.shape[0],))], {"A": "ab"}),
    "lengths": ([v.shape[0] + A.shape[1] - 1, ad.zeros(v.shape[0] + 1)], {"v": "a", "A": "ba"}),
    "arange": ([ad.arange(v.shape[0]) * v, ad.eye(v.shape[0]) @ v], {"v": "a"}),
    "concatenate": ([ad.concatenate([v, w, v])], {"v": "a", "w": "b"}),
    "outer": ([ad.outer(v, w).sum(axis=0)], {"v": "a", "w": "b"}),
    "cumulative": ([ad.cumsum(v), ad.grad(ad.sum(ad.cumsum(v) ** 2), v)], {"v": "a"}),
    "sorted": ([ad.sort(v), ad.argmax(v * v + 1)], {"v": "a"}),
    "where": ([ad.where(v > w, v, n)], {"v": "a", "w": "a", "n": ""}),
    "softmax": ([ad.softmax(A, axis=1), ad.logsumexp(A, axis=0)], {"A": "ab"}),
    "pairs": ([ad.sum((A[:, None, :] - B[None, :, :]) ** 2, axis=-1)], {"A": "ac", "B": "bc"}),
    "scan": (
        [ad.scan(lambda x, total: ad.tanh(total + x), sequences=v, outputs_info=n)[0]],
        {"v": "a", "n": ""},
    ),
    "set": ([v.at[1:].set(0.0), ad.grad(ad.sum(v.at[:-1].add(w) ** 2), w)], {"v": "a", "w": "m"}),
}


def function(name):
    outputs, axes = FORMULAS[name]
    return ad.function([INPUTS[i] for i in axes], outputs)


def values(name, lengths, rng):
    """Arrays for the inputs; `m` is one less than `a`."""
    lengths = {**lengths, "m": max(0, lengths["a"] - 1)}
    shapes = [tuple(map(lengths.get, letters)) for letters in FORMULAS[name][1].values()]
    return [rng.normal(size=shape) if shape else 0.5 for shape in shapes]


def known(name, lengths):
    """The function that a user writes who declares these lengths."""
    lengths = {**lengths, "m": lengths["a"] - 1}
    axes = FORMULAS[name][1]
    put = {}
    for i, letters in axes.items():
        shape = tuple(map(lengths.get, letters))
        put[INPUTS[i]] = ad.tensor(i, shape=shape) if shape else ad.scalar(i)
    graph = ad.Graph(FORMULAS[name][0], [INPUTS[i] for i in axes])
    return with_shapes(graph, [put[i].type.shape for i in graph.inputs])


@pytest.mark.parametrize("name", some(FORMULAS, 6))
def test_each_call_gives_what_the_first_gave(name):
    """The general program runs once; all calls from the third on take that of the lengths."""
    f, rng = function(name), np.random.default_rng(3)
    for lengths in {"a": 5, "b": 3, "c": 4}, {"a": 2, "b": 1, "c": 1}, {"a": 3, "b": 3, "c": 3}:
        given = values(name, lengths, rng)
        answers = [f(*given) for _ in range(4)]
        for answer in answers[1:]:
            for one, first in zip(answer, answers[0], strict=True):
                assert np.shape(one) == np.shape(first), (name, lengths)
                assert np.asarray(one).dtype == np.asarray(first).dtype
                assert np.allclose(one, first, rtol=1e-12, atol=1e-13)
    assert [special.calls for special in f.specialised] == [2, 2, 2]


@pytest.mark.parametrize("name", FORMULAS)
def test_all_types_are_known_in_a_program_for_known_lengths(name):
    graph = known(name, {"a": 5, "b": 3, "c": 4})
    assert [n for n in graph.order if not n.type.known and n.op is not None] == []


def test_calls_with_lengths_in_random_order():
    """Ragged calls, lengths 0 and 1, and arrays of other dtypes and kinds: as another function
    says that runs for the first time."""
    draw, rng = random.Random(4), np.random.default_rng(4)
    functions = {name: function(name) for name in FORMULAS}
    for _ in range(draws(300)):
        name = draw.choice(sorted(FORMULAS))
        lengths = {letter: draw.choice([0, 1, 1, 2, 2, 3, 7]) for letter in "abc"}
        given = values(name, lengths, rng)
        if draw.random() < 0.3:
            given = [np.round(x).tolist() if np.ndim(x) else x for x in given]
        elif draw.random() < 0.3:
            given = [np.asarray(np.round(x), draw.choice(["float32", "int64"])) for x in given]
        try:
            first = function(name)(*given)
        except (ValueError, TypeError, IndexError) as error:
            with pytest.raises(type(error)):
                functions[name](*given)
            continue
        answer = functions[name](*given)
        for one, other in zip(answer, first, strict=True):
            assert np.allclose(one, other, rtol=1e-12, atol=1e-12, equal_nan=True), (name, lengths)


def test_lengths_that_do_not_agree_are_refused_as_before():
    f = ad.function([v, w], v * w)
    for _ in range(4):
        f(np.ones(3), np.ones(3))
        f(np.ones(4), np.ones(4))
    with pytest.raises(ad.ShapeError, match="lengths 3 and 4 meet"):
        f(np.ones(3), np.ones(4))
    with pytest.raises(ValueError, match="a value of shape .3, 3. was given"):
        f(np.ones((3, 3)), np.ones((3, 3)))
    with pytest.raises(TypeError):
        f(np.ones(3) * 1j, np.ones(3))
    assert f(v=np.ones(3), w=2 * np.ones(3)).tolist() == [2.0] * 3


def test_a_thousand_lengths_are_right_and_bounded():
    f = ad.function(v, ad.grad(ad.sum(v**3), v))
    for n in [*range(2 * MANY if draws(2) > 2 else length(300))] * 2:
        assert f(np.full(n, 2.0)).tolist() == [12.0] * n
    assert len(f.specialised) <= MOST
    assert len(f.specialisations.calls) <= MANY


def test_the_program_that_runs_least_is_dropped():
    f = ad.function(v, v + 1)
    for _ in range(5):
        f(np.ones(1000))
    for n in range(2 * MOST):
        for _ in range(2):
            f(np.ones(n))
    assert ((1000,),) in [special.shapes for special in f.specialised]


def test_states_and_draws_go_on():
    """A program for some lengths changes the same states, and draws from the same stream."""
    total, stream = ad.shared(np.zeros(2)), ad.RandomStream(7)
    f = ad.function(v, [ad.sum(v) + stream.normal()], updates={total: total + ad.sum(v)})
    again = ad.RandomStream(7)
    g = ad.function([], again.normal())
    for k in range(1, 6):
        (value,) = f(np.ones(3))
        assert value == pytest.approx(3.0 + g(), abs=1e-12)
        assert total.get_value().tolist() == [3.0 * k] * 2
    assert len(f.specialised) == 1


def test_known_lengths_and_whole_numbers_that_say_lengths_have_one_program():
    declared = ad.vector("v", shape=3)
    count = ad.scalar("count", "int64")
    for f, values in (
        (ad.function(declared, declared * 2), [np.ones(3)]),
        (ad.function([v, count], ad.full(count, 1.0).sum() + v), [np.ones(3), 4]),
    ):
        for _ in range(5):
            f(*values)
        assert f.specialised == ()


def test_copies_specialise_for_themselves():
    f = ad.function(v, ad.grad(ROSENBROCK, v))
    for _ in range(4):
        f(np.ones(3))
    g = copy.deepcopy(f)
    assert g.specialised == () and g(np.ones(3)).tolist() == [0.0] * 3
    assert f.program.source != f.specialised[0].program.source
    assert len(f.profile(np.ones(3)).lines) == len(f.program.source.splitlines()) - 5


def test_a_function_that_is_called_inside_another_is_traced_once():
    """If it reads no shared value; one that does is called each time."""
    f = ad.function(v, ad.sum(v * v))
    slope = ad.grad(lambda x: x * f(np.ones(3)))
    assert [slope(2.0) for _ in range(5)] == [3.0] * 5
    assert [path.taken for path in slope.paths] == [5]
    scale = ad.shared(1.0)
    g = ad.function(v, scale * ad.sum(v * v))
    slope = ad.grad(lambda x: x * g(np.ones(3)))
    for value in (1.0, 2.0, 2.0, 1.0):
        scale.set_value(value)
        assert slope(2.0) == 3.0 * value


def test_threads_share_the_programs():
    """Sixteen are kept, and each call gets its own answer, whoever drops a program meanwhile."""
    f, failed = ad.function(v, v + 1), []

    def work(seed):
        draw = random.Random(seed)
        try:
            for _ in range(length(150)):
                ones = np.ones(draw.randrange(1, 60))
                assert f(ones).tolist() == f(ones).tolist() == [2.0] * len(ones)
        except BaseException as error:
            failed.append(error)

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
        [thread.start() for thread in threads]
        [thread.join() for thread in threads]
    finally:
        sys.setswitchinterval(interval)
    assert failed == [] and len(f.specialised) <= MOST + len(threads)
