"""Whatever a traced function reads may change between two calls, and is read again."""

import abc
import collections
import copy
import dataclasses
import functools
import importlib
import itertools
import math
import numbers
import operator
import os
import pickle
import random
import sys
import time
import types
from typing import NamedTuple

import cloudpickle
import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu.expr import Bits, unchanging
from tests.helpers.depth import draws, some

tracing = importlib.import_module("autodiff_edu.functions.traced")
CASES = draws(200)


# ---- places for a number: each is a function that reads it, and one that changes it


def in_an_array(v):
    a = np.array([0.0, v])
    return lambda: a[1], lambda new: a.__setitem__(1, new)


def in_a_view(v):
    a = np.zeros((3, 4))
    view = a[::2, 1:].T
    a[2, 2] = v
    return lambda: view[1, 1], lambda new: a.__setitem__((2, 2), new)


def in_an_object_array(v):
    a = np.array([None, [v]], dtype=object)
    return lambda: a[1][0], lambda new: a[1].__setitem__(0, new)


def in_a_list(v):
    rows = [[v]]
    return lambda: rows[0][0], lambda new: rows[0].__setitem__(0, new)


def in_a_dictionary(v):
    table = {"a": {"b": v}}
    return lambda: table["a"]["b"], lambda new: table["a"].__setitem__("b", new)


def in_a_default_dictionary(v):
    table = collections.defaultdict(float, a=v)
    return lambda: table["a"], lambda new: table.__setitem__("a", new)


def in_a_deque(v):
    row = collections.deque([v])
    return lambda: row[0], lambda new: row.__setitem__(0, new)


def in_a_set(v):
    row = {v}
    return lambda: max(row), lambda new: (row.clear(), row.add(new))


def in_a_proxy(v):
    table = {"a": v}
    proxy = types.MappingProxyType(table)
    return lambda: proxy["a"], lambda new: table.__setitem__("a", new)


def in_a_cell(v):
    def write(new):
        nonlocal v
        v = new

    return lambda: v, write


def in_a_default(v):
    def read(a=[v]):  # noqa: B006
        return a[0]

    return read, lambda new: read.__defaults__[0].__setitem__(0, new)


def in_a_named_default(v):
    def read(*, a=v):
        return a

    return read, lambda new: read.__kwdefaults__.__setitem__("a", new)


def in_an_attribute_of_a_function(v):
    def read():
        return read.a

    read.a = v
    return read, lambda new: setattr(read, "a", new)


def in_a_global(v):
    space = {"v": v}
    exec("def read(): return [v for _ in range(2)][1]", space)
    return space["read"], lambda new: space.__setitem__("v", new)


def in_a_global_that_hides_a_builtin(v):
    space = {}
    exec("def read(): return float(3)", space)
    space["float"] = lambda _: v
    return space["read"], lambda new: space.__setitem__("float", lambda _: new)


def in_a_module(v):
    outer, inner = types.ModuleType("outer"), types.ModuleType("inner")
    outer.inner, inner.v = inner, v
    return lambda: outer.inner.v, lambda new: setattr(inner, "v", new)


def in_a_module_under_another_name(v):
    module = types.ModuleType("module")
    module.v = v

    def read():
        m = module
        return m.v

    return read, lambda new: setattr(module, "v", new)


def in_an_object(v):
    class Model:
        def __init__(self):
            self.w = v

        def read(self):
            return self.w

    model = Model()
    return model.read, lambda new: setattr(model, "w", new)


def in_a_slot(v):
    class Model:
        __slots__ = ("w",)

    model = Model()
    model.w = v
    return lambda: model.w, lambda new: setattr(model, "w", new)


def in_a_slot_beside_a_dictionary(v):
    class Base:
        __slots__ = ("w",)

    class Model(Base):
        pass

    model = Model()
    model.w = v
    return lambda: model.w, lambda new: setattr(model, "w", new)


def in_a_class(v):
    class Base:
        w = v

    class Model(Base):
        @classmethod
        def read(cls):
            return cls.w

    return Model.read, lambda new: setattr(Base, "w", new)


def in_what_a_method_reads(v):
    table = [v]

    class Model:
        @property
        def w(self):
            return self.given(0)

        @staticmethod
        def given(k):
            return table[k]

    model = Model()
    return lambda: model.w, lambda new: table.__setitem__(0, new)


def in_a_method_that_is_replaced(v):
    class Model:
        def read(self):
            return v

    model = Model()
    return lambda: model.read(), lambda new: setattr(Model, "read", lambda self: new)


def in_a_tuple_with_methods(v):
    table = [v]

    class Pair(NamedTuple):
        a: float

        def read(self):
            return table[0] + self.a

    return Pair(0.0).read, lambda new: table.__setitem__(0, new)


def in_a_list_with_attributes(v):
    class Rows(list):
        pass

    rows = Rows([1.0])
    rows.scale = v
    return lambda: rows[0] * rows.scale, lambda new: setattr(rows, "scale", new)


def in_a_number_with_attributes(v):
    class Number(float):
        pass

    number = Number(1.0)
    number.scale = v
    return lambda: number * number.scale, lambda new: setattr(number, "scale", new)


def in_a_partial(v):
    read = functools.partial(lambda rows: rows[0], [v])
    return read, lambda new: read.args[0].__setitem__(0, new)


def in_a_method_of_a_dictionary(v):
    table = {"a": v}
    get = table.get
    return lambda: get("a"), lambda new: table.__setitem__("a", new)


def in_an_iterator(v):
    rows = [v]
    endless = (rows[0] for _ in itertools.count())
    return lambda: next(endless), lambda new: rows.__setitem__(0, new)


def in_a_cache(v):
    rows = [v]
    read = functools.lru_cache(lambda: rows[0])
    return lambda: read(), lambda new: (rows.__setitem__(0, new), read.cache_clear())


def in_a_polynomial(v):
    p = np.poly1d([v, 0.0])
    return lambda: p(1.0), lambda new: p.coeffs.__setitem__(0, new)


def in_a_vectorized_function(v):
    rows = [v]
    g = np.vectorize(lambda x: x * rows[0])
    return lambda: float(g(1.0)), lambda new: rows.__setitem__(0, new)


def in_a_ufunc_of_ones_own(v):
    rows = [v]
    g = np.frompyfunc(lambda x: x * rows[0], 1, 1)
    return lambda: g(1.0), lambda new: rows.__setitem__(0, new)


def in_the_base_of_a_view(v):
    a = np.array([1.0, v])
    view = a[:1]
    return lambda: view.base[1], lambda new: a.__setitem__(1, new)


def behind_getattr(v):
    module = types.ModuleType("module")
    module.v = v
    return lambda: getattr(module, "v"), lambda new: setattr(module, "v", new)  # noqa: B009


def behind_globals(v):
    space = {"v": v}
    exec("def read(): return globals()['v']", space)
    return space["read"], lambda new: space.__setitem__("v", new)


def behind_dunder_globals(v):
    space = {"v": v}
    exec("def other(): return 0", space)
    other = space["other"]
    return lambda: other.__globals__["v"], lambda new: space.__setitem__("v", new)


def in_a_shared_value(v):
    w = ad.shared(v)
    return lambda: w.get_value(), w.set_value


def in_the_value_of_a_shared_value(v):
    ws = [ad.shared(v)]
    return lambda: sum(getattr(w, "value") for w in ws), ws[0].set_value  # noqa: B009


def in_what_is_evaluated(v):
    w = ad.shared(v)
    e = w * 2
    return lambda: ad.evaluate(e) / 2, w.set_value


def in_a_program(v):
    w = ad.shared(v)
    run = ad.function([], w * 1.0)
    return lambda: run(), w.set_value


def in_a_program_of_several(v):
    w, b = ad.shared(v), ad.shared(0.0)
    run = ad.function([], w + b)
    return lambda: run(), w.set_value


def in_a_derivative_of_something_that_reads(v):
    rows = [v]
    slope = ad.grad(lambda y: rows[0] * y)
    return lambda: slope(2.0), lambda new: rows.__setitem__(0, new)


def in_a_dict_of_attributes_that_is_replaced(v):
    class Model:
        def __init__(self):
            self.v = v

    model = Model()
    return lambda: model.v, lambda new: setattr(model, "__dict__", {"v": new})


def in_a_dict_of_a_function_that_is_replaced(v):
    def inner():
        return inner.v

    inner.v = v
    return inner, lambda new: setattr(inner, "__dict__", {"v": new})


def in_a_structured_number(v):
    rows = np.zeros(1, [("v", "f8")])
    row = rows[0]
    row["v"] = v
    return lambda: float(row["v"]), lambda new: row.__setitem__("v", new)


def in_the_shape_of_an_array_of_objects(v):
    table = np.array([[2, 3.0, -2.5, 7.0, "a", "b"]], dtype=object)
    places = {2.0: (1, 6), 3.0: (6, 1), -2.5: (2, 3), 7.0: (3, 2)}
    values = {shape: value for value, shape in places.items()}

    def write(new):
        table.shape = places[new]

    return lambda: values[table.shape], write


PLACED = [2.0, 3.0, -2.5, 7.0]  # the values that are written


def in_what_an_itemgetter_gets(v):
    rows = [operator.itemgetter(0)]
    read = lambda: rows[0](PLACED)
    return read, lambda new: rows.__setitem__(0, operator.itemgetter(PLACED.index(new)))


def in_an_attribute_of_any_name(v):
    held = type("Held", (), {})()
    held._types = v
    return lambda: held._types, lambda new: setattr(held, "_types", new)


def in_a_number_with_words_of_its_own(v):
    kind = type("Rate", (float,), {"__repr__": lambda self: "rate"})
    rows = [kind(v)]
    return lambda: rows[0], lambda new: rows.__setitem__(0, kind(new))


def in_the_arguments_of_an_error(v):
    error = type("Mine", (Exception,), {})([v])
    return lambda: error.args[0][0], lambda new: error.args[0].__setitem__(0, new)


def in_the_room_of_a_deque(v):
    rows = [collections.deque([1], maxlen=1)]
    read = lambda: PLACED[rows[0].maxlen - 1]
    return read, lambda new: rows.__setitem__(0, collections.deque([1], PLACED.index(new) + 1))


def in_the_name_of_a_function(v):
    def inner():
        return 0.0

    table = dict(zip("abcd", PLACED))
    inner.__name__ = "a"
    write = lambda new: setattr(inner, "__name__", "abcd"[PLACED.index(new)])
    return lambda: table[inner.__name__], write


def in_an_array_of_a_class_of_ones_own(v):
    array = np.array([v]).view(type("Own", (np.ndarray,), {}))
    return lambda: array[0], lambda new: array.__setitem__(0, new)


def in_a_namespace(v):
    held = types.SimpleNamespace(inner=types.SimpleNamespace(v=v))
    return lambda: held.inner.v, lambda new: setattr(held.inner, "v", new)


def in_a_module_that_is_handed_on(v):
    module = types.ModuleType("handed_on")
    module.v = v
    held = types.SimpleNamespace(module=module)
    return lambda: (lambda m: m.v)(held.module), lambda new: setattr(module, "v", new)


def in_a_module_within_another(v):
    inner, outer = types.ModuleType("inner"), types.ModuleType("outer")
    inner.rows, outer.inner = [v], inner
    return lambda: (lambda m: m.inner.rows[0])(outer), lambda new: setattr(inner, "rows", [new])


def in_a_module_that_is_imported_inside(v):
    module = sys.modules["imported_inside"] = types.ModuleType("imported_inside")
    module.v = v

    def read():
        import imported_inside

        return imported_inside.v

    return read, lambda new: setattr(module, "v", new)


def in_what_is_imported_from_a_module(v):
    module = sys.modules["imported_from"] = types.ModuleType("imported_from")
    module.read = lambda: module.v
    module.v = v

    def read():
        from imported_from import read as inner

        return inner()

    return read, lambda new: setattr(module, "v", new)


def in_the_environment(v):
    def write(new):
        os.environ["CAPTURED"] = repr(new)

    write(v)
    return lambda: float(os.environ["CAPTURED"]), write


PLACES = {
    k: g for k, g in list(globals().items()) if k.startswith(("in_a", "in_th", "in_w", "beh"))
}

# ---- wrappers: a place within something else


def nested_list(read):
    rows = [0, (read,)]
    return lambda: rows[1][0]()


def nested_object(read):
    class Holder:
        def __init__(self):
            self.read = read

        def __call__(self):
            return self.read()

    return Holder()


def nested_slots(read):
    class Holder:
        __slots__ = ("read",)

    holder = Holder()
    holder.read = read
    return lambda: holder.read()


def nested_class(read):
    class Holder:
        @staticmethod
        def get():
            return read()

    return lambda: Holder.get()


def nested_default(read):
    return lambda read=read: read()


def nested_partial(read):
    return functools.partial(lambda f: f(), read)


def nested_function(read):
    def outer():
        def inner():
            return sum(read() for _ in range(1))

        return inner()

    return outer


def call(f):
    return f()


def nested_map(read):
    return lambda: max(map(call, [read]))


WRAPPERS = [g for k, g in list(globals().items()) if k.startswith("nested_")]


def watched_twice(read, write):
    """Every change is seen, also one back to what there was."""
    slope = ad.grad(lambda x: read() * x)
    seen = [(slope(1.0), slope(1.0))]
    for v in (3.0, -2.5, 3.0, 7.0):
        write(v)
        seen.append((slope(1.0), slope(1.0)))
    assert seen == [(v, v) for v in (2.0, 3.0, -2.5, 3.0, 7.0)]


@pytest.mark.each("name", some(PLACES, 4))
def test_a_change_in_any_place_is_seen(name):
    watched_twice(*PLACES[name](2.0))


def test_a_change_in_any_place_within_anything_is_seen():
    draw = random.Random(2)
    for _ in range(CASES):
        place, depth = draw.choice(list(PLACES.values())), draw.randint(1, 4)
        read, write = place(2.0)
        for _ in range(depth):
            read = draw.choice(WRAPPERS)(read)
        watched_twice(read, write)


# ---- what the issue lists


def test_draws_of_scipy_are_fresh():
    stats = pytest.importorskip("scipy.stats")
    draws = [
        lambda: stats.bernoulli.rvs(0.5, size=64),
        lambda: stats.norm.rvs(size=4),
        lambda: stats.multivariate_normal.rvs(np.zeros(2), size=2),
    ]
    for draw in draws:
        slope = ad.grad(lambda x, draw=draw: np.sum(x * draw()))
        assert len({float(slope(1.0)) for _ in range(12)}) > 1  # coins of equal sum: one in 10¹²


def test_other_chance_is_fresh():
    generator, legacy = np.random.default_rng(1), np.random.RandomState(1)
    python, module = random.Random(3), np.random
    draws = [
        lambda: np.random.rand(),
        lambda: module.rand(),
        lambda: generator.normal(),
        lambda: legacy.rand(),
        lambda: random.random(),
        lambda: python.random(),
        lambda: time.perf_counter_ns() % 1e6,
        legacy.rand,
        random.gauss,
        functools.partial(generator.normal, 0.0),
    ]
    for draw in draws:
        slope = ad.grad(lambda x, draw=draw: draw() * x if draw is not random.gauss else x)
        if draw is not random.gauss:
            assert len({float(slope(1.0)) for _ in range(4)}) > 1


def test_files_are_read_again(tmp_path):
    path, binary, text = tmp_path / "a.txt", str(tmp_path / "a.npy"), str(tmp_path / "a.txt")
    reads = [
        lambda: np.load(binary)[0],
        lambda: np.loadtxt(text),
        lambda: float(path.read_text()),
        lambda: float(open(text).read()),
        lambda: np.fromfile(text, sep=" ")[0],
        lambda: np.genfromtxt(text),
    ]
    slopes = [ad.grad(lambda x, read=read: read() * x) for read in reads]
    for v in (2.0, 5.0):
        np.save(binary, np.array([v]))
        path.write_text(repr(v))
        assert [slope(1.0) for slope in slopes] == [v] * len(reads)


def test_the_best_model_so_far_is_not_trained_on():
    w = ad.shared(1.0, "w")
    best = copy.deepcopy(w)
    slope = ad.grad(lambda x: best * x)
    w.set_value(4.0)
    assert slope(1.0) == 1.0 and ad.grad(lambda x: w * x)(1.0) == 4.0


def test_a_collision_of_checksums_is_a_change():
    """Two arrays of one CRC32: the second is the first with a multiple of the polynomial added."""
    import zlib

    a = np.zeros(512, "u1")
    b = a.copy()
    b[:5] = list(((1 << 32 | 0x04C11DB7) << 7).to_bytes(5, "big"))
    b = np.unpackbits(b).reshape(-1, 8)[:, ::-1].copy()
    b = np.packbits(b, axis=1).ravel()
    assert zlib.crc32(a) == zlib.crc32(b) and (a != b).any()
    data = a.copy()
    slope = ad.grad(lambda x: np.sum(data * x))
    assert slope(1.0) == 0
    data[:] = b
    assert slope(1.0) == b.sum()


DTYPES = [*"bool u1 i2 i4 i8 f2 f4 f8 c8 c16 longdouble M8[s] U3 S5".split(), "i4,f8"]


@pytest.mark.each("dtype", DTYPES, ids=str)
def test_arrays_are_compared_by_their_bytes(dtype):
    draw = np.random.default_rng(0)
    for shape in ((), (0,), (7,), (3, 4), (2, 0, 3)):
        size = int(np.prod(shape)) * np.dtype(dtype).itemsize
        a = np.frombuffer(draw.bytes(size), "u1").view() if size else np.zeros(0, "u1")
        a = np.array(a % 2 if dtype == "bool" else a % 100).view(dtype).reshape(shape)
        kept = Bits(unchanging(a))
        for order in (a, a.copy(order="K")):
            assert kept == Bits(order)
        for k in range(min(a.size, 4)):
            other = a.copy(order="K")
            place = np.unravel_index(k, shape)
            other[place] = np.zeros((), dtype)
            assert (kept == Bits(other)) == (other.tobytes() == a.tobytes())
    assert Bits(np.array([0.0])) != Bits(np.array([-0.0]))
    assert Bits(np.array([np.nan])) == Bits(np.array([np.nan]))
    assert Bits(np.zeros(2)) != Bits(np.zeros((1, 2)))
    assert Bits(np.zeros(2)) != Bits(np.zeros(2, "i8"))


def test_a_function_of_numpy_that_is_replaced(monkeypatch):
    slope = ad.grad(lambda x: np.square(x))
    assert slope(3.0) == 6.0
    monkeypatch.setattr(np, "square", np.negative)
    assert slope(3.0) == -1.0
    monkeypatch.setattr(np, "square", lambda x: 5 * x)
    assert slope(3.0) == 5.0


# ---- what is understood is not traced again


@pytest.fixture
def traces(monkeypatch):
    count, trace = [], tracing.Tracer.trace
    monkeypatch.setattr(tracing.Tracer, "trace", lambda *args: (count.append(1), trace(*args))[1])
    return count


class Layer(NamedTuple):
    W: np.ndarray

    def apply(self, x):
        return np.tanh(x @ self.W)


class Network:
    width = 2

    def __init__(self):
        self.layers = [Layer(np.eye(2)), Layer(np.ones((2, 2)))]
        self.how = {"scale": 2.0, "power": 2}

    @property
    def scale(self):
        return self.how["scale"]

    def loss(self, x):
        for layer in self.layers:
            x = layer.apply(x)
        return self.scale * np.sum(x ** self.how["power"]) / np.float64(self.width)


@dataclasses.dataclass
class Settings:
    data: np.ndarray
    scale: float = 2.0

    def loss(self, x):
        return self.scale * np.sum(self.data * x)


def rosenbrock(x):
    return np.sum(100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2)


def helper(x):
    return rosenbrock(x) + np.linalg.norm(x) * math.pi


def math_inside(x):
    import math as m

    from numpy.linalg import norm

    return m.pi * norm(x)


DATA = np.arange(2.0)
STREAM, SHARED = ad.RandomStream(0), ad.shared(2.0)
UNDERSTOOD = {
    "numpy": rosenbrock,
    "functions": helper,
    "closure": (lambda A: lambda x: x @ A @ x)(np.eye(2)),
    "global array": lambda x: np.sum(DATA * x),
    "method": Network().loss,
    "dataclass": Settings(np.ones(2)).loss,
    "object": (lambda net: lambda x: net.loss(x))(Network()),
    "partial": functools.partial(lambda a, x: np.sum(a * x), np.ones(2)),
    "builtins": lambda x: sum(v * k for k, v in enumerate(list(x))) + max(len(x), 1) * x[0],
    "nested": lambda x: ad.grad(lambda y: np.sum(y**3))(x)[0],
    "traced before": (lambda slope: lambda x: slope(x)[0])(ad.grad(rosenbrock)),
    "ours": lambda x: ad.where(x[0] > 0, ad.exp(x[0]), ad.sum(x)),
    "shared": lambda x: np.sum(SHARED * x),
    "draws": lambda x: np.sum(STREAM.normal(size=2) * x),
    "namespace": (lambda held: lambda x: held.scale * np.sum(x))(types.SimpleNamespace(scale=2.0)),
    "module": (lambda held: lambda x: held.xp.sum(held.xp.sin(x)))(types.SimpleNamespace(xp=np)),
    "import inside": lambda x: math_inside(x),
    "settings": (lambda how: lambda x: how["a"] * np.sum(x ** how["b"]["c"]))(
        {"a": 2.0, "b": {"c": 2}}
    ),
    "checkpoint": lambda x: ad.checkpoint(rosenbrock)(x),
}


@pytest.mark.each("name", some(UNDERSTOOD, 3))
def test_what_is_understood_is_traced_once(name, traces):
    f = UNDERSTOOD[name]
    slope = ad.grad(f)
    for _ in range(3):
        slope(np.array([1.0, 2.0]))
    assert sum(traces) <= 2  # and one for a derivative within


def test_what_is_loaded_at_its_first_use_is_understood(monkeypatch, traces):
    """As a function that nobody has called yet in this process."""
    monkeypatch.delitem(vars(ad), "simplify", raising=False)
    slope = ad.grad(lambda x: ad.simplify(x * x * 1).output)
    assert [slope(3.0), slope(4.0)] == [6.0, 8.0] and len(traces) == 1


def test_arrays_are_kept_once_for_all_types_of_arguments():
    data = np.ones(1000)
    slope = ad.grad(lambda x: np.sum(data) * np.sum(x))
    for n in range(1, 6):
        slope(np.ones(n))
    tracers = [c.cell_contents for c in slope.__closure__]
    known = next(t.known for t in tracers if isinstance(t, tracing.Tracer))
    assert len(known) == 5
    assert len({id(branches.look) for branches in known.values()}) == 1


def test_what_was_called_can_still_be_stored():
    scale = 3.0
    slope = ad.grad(lambda z: scale * z**3 if z > 0 else z)
    assert (slope(2.0), slope(-2.0)) == (36, 1)
    assert len(copy.deepcopy(slope.paths)) == len(slope.paths) == 2
    found = pickle.loads(cloudpickle.dumps(slope))
    assert (found(2.0), found(-2.0)) == (36, 1) and len(found.paths) == 2


# ---- what a call depends on though it is no value


def registered(v):
    class Shape(abc.ABC):
        @abc.abstractmethod
        def area(self):
            raise NotImplementedError

    class Inner(Shape):
        pass

    class Square:
        pass

    one = Square()
    return lambda: 3.0 if isinstance(one, Shape) else v, lambda new: Inner.register(Square)


def registered_as_a_number(v):
    class Own:
        pass

    one = Own()
    return lambda: 3.0 if isinstance(one, numbers.Number) else v, lambda _: numbers.Real.register(
        Own
    )


def printed(v):
    a = np.array([v, 1 / 3])
    return lambda: float(len(str(a))), lambda _: np.set_printoptions(precision=3)


def formatted(v):
    a = np.array([1e-9, v])
    return lambda: float(len(f"{a}")), lambda _: np.set_printoptions(suppress=True)


def named(v):
    a = np.array([v, np.nan])
    return lambda: float(len(repr(a))), lambda _: np.set_printoptions(nanstr="none at all")


def writeable(v):
    a = np.array([v, 2.0])
    return lambda: 3.0 if a.flags.writeable else v, lambda _: setattr(a.flags, "writeable", False)


def writeable_and_large(v):
    a = np.full((40, 50), v)
    return lambda: 3.0 if a.flags["WRITEABLE"] else v, lambda _: a.setflags(write=False)


def owned(v):
    held = [np.full((4, 5), v)]
    return lambda: 3.0 if held[0].flags.owndata else v, lambda _: held.append(held.pop()[:])


def dispatched(v):
    class Own:
        pass

    one = Own()
    value = functools.singledispatch(lambda _: v)
    return lambda: value(one), lambda new: value.register(Own, lambda _: new)


STATES = [registered, registered_as_a_number, printed, formatted, named, writeable,
          writeable_and_large, owned, dispatched]  # fmt: skip


@pytest.mark.parametrize("state", some(STATES, 3), ids=lambda state: state.__name__)
def test_a_state_that_is_no_value_may_change(state):
    """Below random wrappers, as every other place."""
    draw = random.Random(5)
    for depth in (0, 1, 2, 3):
        with np.printoptions():
            read, write = state(2.0)
            for _ in range(depth):
                read = draw.choice(WRAPPERS)(read)
            slope = ad.grad(lambda x, read=read: x * read())
            assert slope(1.0) == read()
            before = read()
            write(7.0)
            assert slope(1.0) == read() != before
