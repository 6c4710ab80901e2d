"""The way into a program: warnings are silent, errors are explained, arguments are looked at."""

import warnings
from threading import Thread

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu.run import entry
from tests.helpers.depth import draws

STATES = [{}, {"all": "raise"}, {"over": "warn", "divide": "raise", "invalid": "call"}]


def program():
    """One that overflows, divides by 0, and gives nan; and a product that may be refused."""
    x, A = ad.vector("x", shape=3), ad.matrix("A", shape=(3, 3))
    return ad.function([x, A], [ad.exp(x) / x, ad.log(x), A @ x])


@pytest.mark.each("state", STATES)
@pytest.mark.each("private", [True, False])
def test_warnings_are_silent_and_the_state_comes_back(monkeypatch, state, private):
    if not private:  # a NumPy that has other private names
        monkeypatch.setattr(entry, "MAKE", None)
    f, bad = program(), np.array([0.0, 1000.0, -1.0])
    with np.errstate(**state), warnings.catch_warnings():
        warnings.simplefilter("error")
        before, size = np.geterr(), np.getbufsize()
        found = f(bad, np.full((3, 3), 1e308))
        assert np.geterr() == before and np.getbufsize() == size
        np.testing.assert_array_equal(found[0], [np.inf, np.inf, -np.exp(-1.0)])
        assert np.isnan(found[1][2]) and np.isinf(found[2]).all()
        with pytest.raises(ad.ShapeError):
            f(bad, np.zeros((3, 4)))
        assert np.geterr() == before


class Refuses(ad.Op):
    """An operation that looks at NumPy's state, and fails."""

    def infer_type(self, x):
        return x

    def perform(self, x):
        assert set(np.geterr().values()) == {"ignore"}
        raise ValueError("no")


@pytest.mark.each("private", [True, False])
def test_an_error_is_explained_and_the_state_comes_back(monkeypatch, private):
    if not private:
        monkeypatch.setattr(entry, "MAKE", None)
    x = ad.vector("x", shape=3)
    f = ad.function(x, Refuses()(x) + 1)
    with np.errstate(all="raise"):
        with pytest.raises(ValueError, match="no") as caught:
            f(np.ones(3))
        assert "Refuses" in str(caught.value) or any("Refuses" in n for n in caught.value.__notes__)
        assert set(np.geterr().values()) == {"raise"}


def test_each_thread_has_its_own_state():
    f, found = program(), []

    def work(state):
        with np.errstate(all=state):
            for _ in range(50):
                f(np.array([0.0, 1.0, -1.0]), np.ones((3, 3)))
                found.append(np.geterr()["over"] == state)

    threads = [Thread(target=work, args=(s,)) for s in ("raise", "warn", "print", "ignore")]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert len(found) == 200 and all(found)


class Kept(np.ndarray):
    """An array of somebody else's kind."""


@pytest.mark.each("seed", range(draws(20)))
def test_what_is_given_becomes_arrays_of_the_declared_types(seed):
    """Whatever carries the numbers: copies, views, lists, other dtypes, subclasses, keywords."""
    draw = np.random.default_rng(seed)
    shapes = [tuple(draw.integers(1, 4, size=draw.integers(1, 4))) for _ in range(3)]
    inputs = [ad.tensor(w, shape=tuple(map(int, s))) for w, s in zip("abc", shapes, strict=True)]
    f = ad.function(inputs, [2.0 * i for i in inputs])
    values = [draw.integers(-9, 9, size=s).astype("float64") for s in shapes]
    carriers = [
        lambda v: v,
        lambda v: np.asfortranarray(v),
        lambda v: np.repeat(v, 2, axis=0)[::2],
        lambda v: v.tolist(),
        lambda v: v.astype("int8"),
        lambda v: v.astype("float32"),
        lambda v: v.astype(">f8"),
        lambda v: v.view(Kept),
        lambda v: np.ma.masked_array(v),
    ]
    given = [carriers[draw.integers(len(carriers))](v) for v in values]
    before = [np.array(v) for v in given]
    by_name = dict(zip("abc", given, strict=True))
    for found in (f(*given), f(given[0], c=given[2], b=given[1]), f(**by_name)):
        for one, v in zip(found, values, strict=True):
            assert type(one) is np.ndarray and one.dtype == "float64"
            np.testing.assert_array_equal(one, 2 * v)
    for v, then in zip(given, before, strict=True):
        np.testing.assert_array_equal(v, then)
    wrong = int(draw.integers(3))
    given[wrong] = np.ones((*shapes[wrong], 2))
    with pytest.raises(ad.ShapeError, match=inputs[wrong].name):
        f(*given)
    given[wrong] = np.ones(shapes[wrong], "complex128")
    with pytest.raises(ad.DTypeError, match=inputs[wrong].name):
        f(*given)


@pytest.mark.each("seed", range(draws(20)))
def test_a_truth_value_is_any_byte_that_is_not_zero(seed):
    """As in a mask of an image, whose bytes are 0 and 255, that is viewed as truth values."""
    draw = np.random.default_rng(seed)
    x, m = ad.matrix("x", shape=(4, 3)), ad.matrix("m", shape=(4, 3), dtype="bool")
    mask = draw.choice(np.array([0, 0, 1, 2, 128, 255], "uint8"), size=(4, 3)).view(bool)
    value = np.where(draw.random((4, 3)) < 0.2, np.nan, draw.normal(size=(4, 3)))
    outputs = [ad.where(m, x, 0.0), ad.where(m, 0.0, x), m * x, ad.where(~m, x, 0.0), ad.sum(m)]
    outputs += ad.grad(ad.sum(ad.where(m, x * x, 0.0)), [x])
    given = np.asfortranarray(mask) if seed % 2 else mask
    for one, o in zip(ad.function([x, m], outputs)(value, given), outputs, strict=True):
        np.testing.assert_array_equal(one, ad.evaluate(o, {x: value, m: mask != 0}))
