"""A function is traced when something that it reads has changed, and at no other call.

Protects answers and speed at once: random programs read numbers in many places, of which some
change between calls, in one thread and in several; and calls of many lengths in any order.
"""

import dataclasses
import functools
import itertools
import random
import sys
import threading
import types
from typing import Any, NamedTuple

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu.functions.kept import KEPT
from tests.helpers.depth import draws, some

VALUES = 1, 1.0, True, 2.0, -2.5, 0.0, -0.0, np.float32(1.0), np.float64(2.0)


@dataclasses.dataclass
class Settings:
    scale: object


class Model:
    shift = 0.0

    def __init__(self, scale):
        self.scale = scale

    def read(self):
        return self.scale + self.shift


# ---- places: what reads the number, and what writes it


def in_a_global(v):
    table = {"number": v}
    return types.FunctionType((lambda: number).__code__, table), functools.partial(  # noqa: F821
        table.__setitem__, "number"
    )


def in_a_closure(v):
    read = (lambda number: lambda: number)(v)
    return read, lambda new: setattr(read.__closure__[0], "cell_contents", new)


def in_defaults(v):
    read = lambda number=v: number
    return read, lambda new: setattr(read, "__defaults__", (new,))


def in_keywords(v):
    read = lambda *, number=v: number
    return read, lambda new: setattr(read, "__kwdefaults__", {"number": new})


def in_an_attribute(v):
    read = lambda: read.number
    read.number = v
    return read, lambda new: setattr(read, "number", new)


def in_code(v):
    read = (lambda v: eval(f"lambda: {float(v)!r}"))(v)
    return read, lambda new: setattr(read, "__code__", eval(f"lambda: {float(new)!r}").__code__)


def in_a_namespace(v):
    held = types.SimpleNamespace(number=v)
    return lambda: held.number, lambda new: setattr(held, "number", new)


def in_settings(v):
    held = Settings(v)
    return lambda: held.scale, lambda new: setattr(held, "scale", new)


def in_self(v):
    model = Model(v)
    return model.read, lambda new: setattr(model, "scale", new)


def in_a_class(v):
    kind = type("Kind", (Model,), {"shift": 0.0})
    kind.shift = v
    return kind(0.0).read, lambda new: setattr(kind, "shift", new)


def in_a_table(v):
    table = {"a": 1.0, "number": v}
    return lambda: table["number"], lambda new: table.__setitem__("number", new)


def in_a_large_table(v):
    table = {f"a{k}": 0.0 for k in range(100)}
    table["a99"] = v
    return lambda: sum(table.values()), lambda new: table.__setitem__("a99", new)


def in_the_order_of_a_table(v):
    table, one, half = {}, 1.0, 0.5

    def write(new):  # the entries stay
        table.clear()
        rows = [("a", one), ("b", half)]
        table.update(rows if new > 1 else rows[::-1])

    write(v)
    return lambda: functools.reduce(lambda s, x: 2 * s + x, table.values()), write


def in_an_array(v):
    array = np.array([0.0, v])
    return lambda: array[1], lambda new: array.__setitem__(1, new)


def in_a_list(v):
    rows = [[v]]
    return lambda: rows[0][0], lambda new: rows.__setitem__(0, [new])


def in_partial(v):
    held = functools.partial(lambda number: number, number=v)
    return held, lambda new: held.keywords.__setitem__("number", new)


def in_a_module(v):
    module = types.ModuleType("settings")
    module.number = v
    return lambda: module.number, lambda new: setattr(module, "number", new)


def in_a_derivative(v):
    held = [float(v)]
    slope = ad.grad(lambda y: held[0] * y)
    return lambda: slope(1.0), lambda new: held.__setitem__(0, float(new))


PLACES = {k: g for k, g in list(globals().items()) if k.startswith("in_")}


def exact(value):
    return type(value), repr(value)


def program(draw):
    """A function of x that reads some places, and what writes each."""
    names = draw.sample(sorted(PLACES), draw.randint(1, 5))
    values = [draw.choice(VALUES) for _ in names]
    places = [PLACES[name](v) for name, v in zip(names, values)]
    reads = [read for read, _ in places]

    def f(x):
        return np.sum(sum(3.0**k * read() for k, read in enumerate(reads)) * x)

    return names, values, f, [write for _, write in places]


@pytest.mark.filterwarnings("error::autodiff_edu.functions.unsure.TracedAnew")
def test_each_change_is_seen_and_no_call_is_traced_without_one():
    for seed in range(draws(100)):
        draw = random.Random(seed)
        names, values, f, writes = program(draw)
        slope = ad.grad(f)
        before = {}  # by the type of x
        for _ in range(12):
            if before and draw.random() < 0.6:
                k = draw.randrange(len(names))
                values[k] = draw.choice([*VALUES, values[k]])
                writes[k](values[k])
            traced, state = slope.calls.traced, [*map(exact, values)]
            x = draw.choice([1.5, np.array([-0.5, 2.0])])
            assert np.all(slope(x) == f(1.0)), (seed, names, values)
            allowed = traced + (state != before.get(type(x)))
            assert slope.calls.traced <= allowed, (seed, names, values)
            before[type(x)] = state


@pytest.mark.parametrize("name", some([name for name in PLACES if "order" not in name], 6))
def test_no_thread_gets_an_answer_from_before_a_change(name):
    """A number grows, and each answer is one that was there during the call."""
    read, write = PLACES[name](0.0)
    slope, failed, now = ad.grad(lambda x: read() * x), [], [0.0]

    def work():
        try:
            while now[0] < last:
                before = now[0]
                answer = slope(1.0)
                assert before <= answer <= now[0] + 1, (before, answer, now[0])
        except BaseException as error:
            failed.append(error)

    last = float(draws(15))
    threads = [threading.Thread(target=work) for _ in range(3)]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        [thread.start() for thread in threads]
        for number in np.arange(1.0, last + 1):
            write(number)
            now[0] = number
            slope(1.0)
        [thread.join() for thread in threads]
    finally:
        sys.setswitchinterval(interval)
    assert failed == []


@pytest.mark.parametrize("name", some(PLACES, 6))
def test_a_change_amid_a_call_is_seen_by_the_next(name):
    """As another thread makes it, at any line; both states were met before."""
    for k in some(range(lines_of_a_call(name, -1)), 97):
        lines_of_a_call(name, k)


def lines_of_a_call(name, k):
    """Change a number at the k-th line of a call, call again, and count the lines."""
    read, write = PLACES[name](1.0)
    slope, lines = ad.grad(lambda x: read() * x), itertools.count()
    for number in (2.0, 1.0, 2.0):
        write(number)
        slope(1.0)
    write(1.0)

    def trace(frame, event, arg):
        if "functions" not in frame.f_code.co_filename:
            return None
        if event == "line" and next(lines) == k:
            write(2.0)
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        slope(1.0)
    finally:
        sys.settrace(before)
    assert [slope(1.0), slope(1.0)] == [read(), read()], (name, k)
    return next(lines)


def test_a_path_that_nobody_can_compare_ends_the_quick_way():
    """Of one side it can be told that nothing has changed; of the other it cannot."""
    level = ad.shared(1.0)
    slope = ad.grad(lambda x: 2.0 * x if x > 0 else level.get_value() * x)
    assert [slope(1.0) for _ in range(4)] == [2.0] * 4
    for value in (1.0, 3.0, 5.0):
        level.set_value(value)
        assert [slope(x) for x in (-1.0, -1.0, 1.0)] == [value, value, 2.0]


# ---- lengths


ROWS = np.arange(1.0, 4.0)
OF_LENGTHS = {  # a loss of x, and its gradient; all lengths are right, or all but ROWS's and 1
    "alone": (lambda x: np.sum(x**3), lambda x: 3 * x**2),
    "beside a row": (lambda x: np.sum(x * ROWS), lambda x: ROWS if len(x) > 1 else [ROWS.sum()]),
    "differences": (lambda x: np.sum((x[1:] - x[:-1]) ** 2), lambda x: np.convolve(
        2 * np.diff(x), [-1.0, 1.0]) if len(x) > 1 else 0 * x),
    "pairs": (lambda x: np.sum((x[:, None] - x) ** 2), lambda x: 4 * (len(x) * x - x.sum())),
    "length": (lambda x: np.sum(x) * len(x), lambda x: np.full(len(x), len(x))),
}  # fmt: skip


@pytest.mark.parametrize("name", OF_LENGTHS)
def test_lengths_in_random_order_are_right_and_traced_once_each(name):
    """Lengths 0 and 1 are lengths, and one entry meets many."""
    loss, gradient = OF_LENGTHS[name]
    slope, draw, lengths = ad.grad(loss), random.Random(3), set()
    for _ in range(draws(100)):
        x = np.array([draw.gauss(0, 1) for _ in range(draw.choice([0, 1, 1, 2, 3, 3, 7]))])
        if name == "beside a row" and len(x) not in (1, len(ROWS)):
            with pytest.raises(ValueError):
                slope(x)
            continue
        lengths.add(len(x))
        np.testing.assert_allclose(slope(x), gradient(x), rtol=1e-12, atol=1e-12)
    assert slope.calls.traced == len(lengths)


def test_ragged_calls_of_several_arguments():
    slope = ad.grad(lambda x, y: np.sum(x[:, None] * y), (0, 1))
    draw, shapes = random.Random(5), set()
    for _ in range(draws(100)):
        n, m = draw.choice([0, 1, 2, 4]), draw.choice([0, 1, 3])
        x, y = np.arange(1.0, n + 1), np.arange(2.0, m + 2)
        shapes.add((n, m))
        gx, gy = slope(x, y)
        assert (gx.tolist(), gy.tolist()) == ([y.sum()] * n, [x.sum()] * m)
    assert slope.calls.traced == len(shapes)


def test_a_thousand_lengths_are_right_and_bounded():
    slope = ad.grad(lambda x: np.sum(x**3))
    lengths = [*range(draws(1000, least=80))] * 2
    for n in lengths:
        assert slope(np.full(n, 2.0)).tolist() == [12.0] * n
    assert len(slope.paths) <= KEPT
    (tracer,) = [c.cell_contents for c in slope.__closure__ if hasattr(c.cell_contents, "ways")]
    tables = tracer.known, tracer.programs, tracer.ways.branches, tracer.lender
    looks = {id(b.look): b.look for b in tracer.known.values()}
    assert max(map(len, [*tables, *[look.probes.readers for look in looks.values()]])) <= KEPT
    assert len(looks) == 1


# ---- containers


class Word(str):
    """A key that is equal to a plain one, and is none."""


class Table(dict):
    """A dictionary that may have methods of its own."""


class Pair(NamedTuple):
    first: Any
    second: Any


def weighed(part, weight=1.0):
    """A number that tells apart all that `tree` makes."""
    if isinstance(part, (dict, list, tuple)):
        rows = list(part.items()) if isinstance(part, dict) else list(enumerate(part))
        own = 2.0 + "list tuple dict Pair Table".split().index(type(part).__name__)
        words = [2.0 + (type(k) is Word) + (k == "b") for k, _ in rows]
        return sum(weighed(v, weight * own * w) * 1.5**j for j, ((_, v), w) in
                   enumerate(zip(rows, words)))  # fmt: skip
    return 0.0 if part is None else weight * np.sum(part * part)


V = np.array([1.0, -3.0])
LIKE_EACH_OTHER = (
    ([V, V], (V, V), Pair(V, V), [V, V, V], [V], {"a": V, "b": V}, V),
    (
        {"a": V, "b": V},
        {"b": V, "a": V},
        {Word("a"): V, "b": V},
        {"a": V},
        {"a": V, "b": 2.0},
        Table(a=V, b=V),
    ),
    ([V, None], [None, V], [V, V], [V, []], [V, ()], [V, {}], [V]),
)


@pytest.mark.parametrize("group", some(range(len(LIKE_EACH_OTHER)), 2))
@pytest.mark.parametrize("within", some([lambda v: v, lambda v: [v], lambda v: {"a": (v, 1.0)}], 2))
def test_arguments_in_other_containers_are_told_apart(group, within):
    """Also where the call before came again, with an argument that is nearly the same."""
    pairs = itertools.permutations(map(within, LIKE_EACH_OTHER[group]), 2)
    for one, other in some(pairs, 8, turn=group):
        slope = ad.grad(lambda scale, part: scale * scale + scale * weighed(part))
        for part in (one, one, one, other, one):
            assert slope(3.0, part) == 6.0 + weighed(part), (one, other)


@pytest.mark.parametrize(
    "key", ["{", "{0}", "}'", '"', "\\", "\n", "\0", "\ud800", "é", "\\N{DOT}", ""]
)
def test_keys_are_written_as_they_are(key):
    slope = ad.grad(lambda part: part[key][key][0] * 3.0)
    for _ in range(3):
        assert slope({key: {key: [2.0]}}) == {key: {key: [3.0]}}


def test_containers_nest_deep():
    part = 2.0
    for _ in range(200):
        part = [part]
    slope = ad.grad(lambda part: functools.reduce(lambda p, _: p[0], range(200), part) ** 2)
    results = [slope(part) for _ in range(3)]
    for _ in range(200):
        results = [r[0] for r in results]
    assert results == [4.0] * 3


@pytest.mark.parametrize("within", [lambda v: v, lambda v: [v], lambda v: {"a": v}])
def test_arrays_of_objects_and_of_words_are_no_numbers(within):
    """They are read anew at each call, as an argument that is no array."""
    slope = ad.grad(lambda x, part: x * len(str(part)))
    row = np.array([1, "two", None], dtype=object)
    for k, new in enumerate([1, 1, 1, 100, 100, "three", "three"]):
        row[0] = new
        for part in (row, np.array([f"{new}", "two"])):
            assert slope(float(k), within(part)) == len(str(within(part))), (k, part)
