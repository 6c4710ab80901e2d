"""Streams: every distribution, its parameters' gradients, sizes, Python functions, bad input."""

import copy
import pickle

import numpy as np
import pytest
import scipy

import autodiff_edu as ad
from tests.helpers.depth import draws, some

N = 20_000

# ---- distributions; s is SciPy's module of them, which takes half a second to load

LAWS = {
    "random": ((), lambda s: s.uniform()),
    "uniform": ((-1.0, 3.0), lambda s: s.uniform(-1, 4)),
    "standard_normal": ((), lambda s: s.norm()),
    "normal": ((2.0, 0.5), lambda s: s.norm(2, 0.5)),
    "lognormal": ((0.3, 0.5), lambda s: s.lognorm(0.5, scale=np.exp(0.3))),
    "standard_exponential": ((), lambda s: s.expon()),
    "exponential": ((3.0,), lambda s: s.expon(scale=3)),
    "laplace": ((1.0, 2.0), lambda s: s.laplace(1, 2)),
    "logistic": ((1.0, 2.0), lambda s: s.logistic(1, 2)),
    "gumbel": ((1.0, 2.0), lambda s: s.gumbel_r(1, 2)),
    "cauchy": ((1.0, 2.0), lambda s: s.cauchy(1, 2)),
}
COUNTED = {
    "bernoulli": (lambda r, n: r.bernoulli(0.3, n), lambda s: s.bernoulli(0.3)),
    "binomial": (lambda r, n: r.binomial(7, 0.3, n), lambda s: s.binom(7, 0.3)),
    "poisson": (lambda r, n: r.poisson(4.0, n), lambda s: s.poisson(4)),
    "categorical": (
        lambda r, n: r.categorical([0.2, 0.0, 0.5, 0.3], n),
        lambda s: s.rv_discrete(values=(range(4), [0.2, 0.0, 0.5, 0.3])),
    ),
    "integers": (lambda r, n: r.integers(-2, 5, n), lambda s: s.randint(-2, 5)),
    "integers of one bound": (lambda r, n: r.integers(4, size=n), lambda s: s.randint(0, 4)),
    "integers up to": (lambda r, n: r.integers(1, 6, n, endpoint=True), lambda s: s.randint(1, 7)),
    "choice": (lambda r, n: r.choice(5, n), lambda s: s.randint(0, 5)),
    "choice of rows": (lambda r, n: r.choice([3, 4, 5], n), lambda s: s.randint(3, 6)),
}


@pytest.mark.each("name, dtype", [
    (name, dtype)
    for k, name in some(enumerate(LAWS), 3) for dtype in some(["float64", "float32"], 2, turn=k)
])  # fmt: skip
def test_numbers_are_distributed_as_they_should(name, dtype):
    """Of a thousand seeds one would fail, by Kolmogorov and Smirnov."""
    parameters, law = LAWS[name]
    z = getattr(ad.RandomStream(1), name)(*parameters, size=N, dtype=dtype)
    values = ad.function([], z)()
    assert values.dtype == z.dtype == dtype and values.shape == (N,)
    assert scipy.stats.kstest(values, law(scipy.stats).cdf).pvalue > 0.001


@pytest.mark.each("name", some(COUNTED, 3))
def test_whole_numbers_have_their_probabilities(name):
    draw, law = COUNTED[name]
    z = draw(ad.RandomStream(3), N)
    values = ad.function([], z)()
    assert values.dtype == z.dtype == "int64" and values.shape == (N,)
    places, counts = np.unique(values, return_counts=True)
    expected = law(scipy.stats).pmf(places) * N
    assert expected.min() > 0 and abs(expected.sum() - N) < 5
    assert scipy.stats.chisquare(counts, expected * (N / expected.sum())).pvalue > 0.001


def test_normals_of_several_dimensions():
    cov = np.array([[2.0, 0.6], [0.6, 0.5]])
    z = ad.RandomStream(0).multivariate_normal([1.0, -1.0], cov, size=(100, 200))
    values = ad.function([], z)()
    assert values.shape == (100, 200, 2)
    flat = values.reshape(-1, 2)
    np.testing.assert_allclose(flat.mean(0), [1, -1], atol=0.03)
    np.testing.assert_allclose(np.cov(flat.T), cov, atol=0.05)
    assert ad.RandomStream(0).multivariate_normal([1.0, -1.0], cov).type.shape == (2,)


def test_permutations():
    rng, x = ad.RandomStream(0), ad.matrix("x")
    shuffle = ad.function([x], [rng.permutation(x), rng.permutation(x.shape[0])])
    rows = np.arange(12.0).reshape(6, 2)
    orders = set()
    for _ in range(20):
        found, places = shuffle(rows)
        np.testing.assert_array_equal(np.sort(found, 0), rows)
        np.testing.assert_array_equal(np.sort(places), range(6))
        orders.add(tuple(places))
    assert len(orders) > 15
    slope = ad.function([x], ad.grad((rng.permutation(x) ** 2).sum(), x))
    np.testing.assert_array_equal(slope(rows), 2 * rows)


def test_a_choice_without_replacement():
    rng = ad.RandomStream(0)
    pick = ad.function([], [rng.choice(9, (2, 3), replace=False), rng.choice(4, replace=False)])
    for _ in range(10):
        many, one = pick()
        assert many.shape == (2, 3) and len(np.unique(many)) == 6
        assert 0 <= one < 4 and np.ndim(one) == 0


# ---- gradients with respect to parameters

PATHS = {
    "uniform": lambda r, a, b: r.uniform(a, a + b),
    "normal": lambda r, a, b: r.normal(a, b),
    "lognormal": lambda r, a, b: r.lognormal(a, b),
    "exponential": lambda r, a, b: a + r.exponential(b),
    "laplace": lambda r, a, b: r.laplace(a, b),
    "logistic": lambda r, a, b: r.logistic(a, b),
    "gumbel": lambda r, a, b: r.gumbel(a, b),
    "cauchy": lambda r, a, b: r.cauchy(a, b),
}


@pytest.mark.each("name", PATHS)
def test_gradients_follow_location_and_scale(name):
    """z = a + b·ε has the slopes 1 and (z − a)/b; log z has those where z is lognormal."""
    a, b = ad.vector("a", shape=4), ad.vector("b", shape=4)
    z = PATHS[name](ad.RandomStream(2), a, b)
    z = ad.log(z) if name == "lognormal" else z
    at = {a: np.array([0.5, -1.0, 2.0, 0.0]), b: np.array([1.0, 2.0, 0.5, 3.0])}
    value, da, db = ad.evaluate([z, *ad.grad(z.sum(), [a, b])], at)
    np.testing.assert_allclose(da, 1)
    np.testing.assert_allclose(db, (value - at[a]) / at[b], rtol=1e-9)
    tangent = ad.evaluate(ad.forward_mode(z, [a, b]).output, at)
    np.testing.assert_allclose(tangent, da + db)


def test_a_gradient_sees_the_draw_of_the_value():
    w = ad.scalar("w")
    cost = ad.RandomStream(0).normal(w) ** 2
    both = ad.function([w], [cost, ad.grad(cost, w)])
    for _ in range(3):
        value, slope = both(1.5)
        assert np.isclose(slope**2, 4 * value)


def test_gradients_follow_a_covariance():
    def cubes(C):
        return (ad.RandomStream(0).multivariate_normal([0.0, 0.0], C @ C.T) ** 3).sum()

    assert ad.verify_grad(cubes, [np.array([[2.0, 0.3], [0.4, 1.0]])])


def test_the_mean_square_by_its_path():
    """The derivative of E[z²], z ~ N(t, 1), is 2t; the path's estimator 2z has the variance 4."""
    t = ad.scalar("t")
    cost = (ad.RandomStream(0).normal(ad.full((N,), t)) ** 2).sum()
    z = ad.RandomStream(0).normal(t, size=N)
    slopes = ad.function([t], 2 * z)(2.0)
    assert np.isclose(slopes.mean(), 4, atol=0.05)
    assert np.isclose(slopes.var(), 4, rtol=0.05)
    assert np.isclose(ad.function([t], ad.grad(cost, t))(2.0), slopes.sum())


# ---- sizes


def test_the_size_is_by_default_that_of_the_parameters():
    rng, m, n = ad.RandomStream(0), ad.matrix("m"), ad.vector("n", shape=3)
    assert rng.normal(m, n).type.shape == (None, 3)
    assert rng.bernoulli(ad.sigmoid(m)).type.shape == (None, None)
    assert rng.uniform([0.0, 1.0], [1.0, 5.0]).type.shape == (2,)
    assert rng.categorical(ad.softmax(m)).type.shape == (None,)
    assert rng.categorical(ad.softmax(n), size=(4, 2)).type.shape == (4, 2)
    assert rng.categorical(ad.softmax(m), size=(5, m.shape[0])).type.shape == (5, None)
    z = rng.normal(ad.tensor("a", shape=(None, 1)), ad.tensor("b", shape=(None,)))
    found = ad.function(list(ad.Graph(z).inputs), z)(np.zeros((2, 1)), np.ones(5))
    assert len(np.unique(found)) == 10


def test_plain_parameters_leave_no_trace():
    rng = ad.RandomStream(0)
    for z in (rng.normal(), rng.uniform(), rng.normal(scale=1)):
        assert len(ad.Graph(z).operations) == 1
    assert rng.normal(2.0, 3.0, dtype="float32").dtype == "float32"


# ---- Python functions


def test_a_function_is_traced_once_and_draws_afresh(capsys):
    def slopes(seed):
        rng = ad.RandomStream(seed)

        def f(x):
            print("called")
            return x * rng.random() + np.sin(rng.normal(size=3)).sum() * x

        slope = ad.grad(f)
        found = [slope(1.0) for _ in range(4)]
        assert capsys.readouterr().out == "called\n"
        return found

    assert len(set(slopes(1))) == 4
    assert slopes(1) == slopes(1) != slopes(2)


class Model:
    def __init__(self, seed):
        self.rng, self.w = ad.RandomStream(seed), ad.shared(2.0, "w")

    def loss(self, x):
        print("called")
        return x * self.w * self.rng.uniform(1, 2)


def test_streams_and_shared_values_of_an_object_are_read_at_each_call(capsys):
    model = Model(0)
    slope = ad.grad(model.loss)
    assert slope(1.0) != slope(1.0)
    model.w.set_value(100.0)
    assert 100 < slope(1.0) < 200
    assert capsys.readouterr().out == "called\n"
    model.w = ad.shared(1000.0)
    assert 1000 < slope(1.0) < 2000
    model.rng = ad.RandomStream(1)
    slope(1.0)
    assert capsys.readouterr().out == "called\n" * 2


def test_numpys_draws_are_still_fresh():
    for f in (
        lambda x: x * np.random.random(),
        lambda x: x * np.random.default_rng().random(),
    ):
        slope = ad.grad(f)
        assert slope(1.0) != slope(1.0)


def test_a_stream_may_be_an_argument():
    slope = ad.grad(lambda x, rng: x * rng.normal())
    rng = ad.RandomStream(0)
    assert slope(1.0, rng) != slope(1.0, rng)


def test_examples_share_a_draw_unless_it_has_their_axis():
    rng = ad.RandomStream(0)
    shared = ad.vectorize(lambda x: x * rng.normal())(np.ones(5))
    assert len(np.unique(shared)) == 1
    own = ad.vectorize(lambda x, e: x * e)
    z = ad.function([], rng.normal(size=5))()
    assert len(np.unique(own(np.ones(5), z))) == 5
    p = np.array([0.0, 1.0, 1.0])
    np.testing.assert_array_equal(ad.vectorize(rng.bernoulli)(p), p)


def test_many_streams_at_once():
    states = np.stack([ad.RandomStream(k).state.get_value() for k in range(3)])
    rng = ad.RandomStream(0)
    z = rng.normal(size=2)
    stage = ad.vectorize(ad.Graph(z), over=rng.state)
    found = ad.evaluate(stage.output, {stage.after.inputs[0]: states})
    np.testing.assert_array_equal(found, [ad.evaluate(z, {rng.state: s}) for s in states])


@pytest.mark.each("copied", [copy.copy, copy.deepcopy, lambda r: pickle.loads(pickle.dumps(r))])
def test_a_copy_is_a_stream_of_its_own(copied):
    """It goes on as the first would have, and moves nothing of it. A shallow copy had the same
    state and counted its own places, so that both made one and the same draw."""
    rng = ad.RandomStream(4)
    rng.normal()
    own = copied(rng)
    assert own.state is not rng.state and own.places == rng.places
    both = [ad.function([], r.normal(size=2)) for r in (rng, own)]
    first = both[0]()
    np.testing.assert_array_equal(both[1](), first)
    assert (both[0]() != first).all()


# ---- bad input

X = ad.vector("x", shape=3)
WRONG = [
    (lambda r: ad.RandomStream(0.5), TypeError, "a seed is a whole number"),
    (lambda r: ad.RandomStream(None), TypeError, "same draws again"),
    (lambda r: ad.RandomStream(-1), ValueError, "not negative"),
    (lambda r: r.normal(size=2.5), TypeError, "whole numbers"),
    (lambda r: r.normal(size=X), TypeError, "whole numbers"),
    (lambda r: r.normal(size=(2, -1)), ValueError, "not negative"),
    (lambda r: r.normal(X, size=2), ad.ShapeError, "shape of the whole result"),
    (lambda r: r.normal(X, [1.0, 2.0]), ad.ShapeError, "2 and 3 meet"),
    (lambda r: r.normal(0, -1), ValueError, "scale is not negative"),
    (lambda r: r.random(dtype="float16"), ad.DTypeError, "float64 or float32"),
    (lambda r: r.integers(0.5), ad.DTypeError, "whole numbers"),
    (lambda r: r.categorical(0.5), ad.ShapeError, "last axis"),
    (lambda r: r.multivariate_normal(X, X), ad.ShapeError, "cov a matrix"),
    (lambda r: r.choice(3, 2, replace=False, p=[0.1, 0.4, 0.5]), TypeError, "gumbel"),
    (lambda r: r.permutation(2.5), TypeError, "whole numbers"),
    (lambda r: r.choice(3, 5, replace=False), ValueError, "reshape"),
    (lambda r: r.choice(3, 5, p=[0.5, 0.5]), ad.ShapeError, "2 probabilities for 3 places"),
    (lambda r: r.choice([7.0, 8.0], 5, p=[0.5, 0.2, 0.3]), ad.ShapeError, "give one for each"),
]


@pytest.mark.each("make, error, words", WRONG)
def test_mistakes_are_explained_where_they_are_made(make, error, words):
    with pytest.raises(error, match=words) as caught:
        make(ad.RandomStream(0))
    assert "test_stream.py" in str(caught.value)


BAD = [
    (lambda r, v: r.bernoulli(v), 1.5, "0 to 1, which 1.5 is not"),
    (lambda r, v: r.bernoulli(v), np.nan, "0 to 1"),
    (lambda r, v: r.binomial(3, v), -0.5, "0 to 1"),
    (lambda r, v: r.binomial(v, 0.5), 2.5, "number of trials"),
    (lambda r, v: r.poisson(v), -1.0, "not negative"),
    (lambda r, v: r.poisson(v), np.inf, "finite"),
    (lambda r, v: r.categorical(ad.array([v, 0.3])), 0.5, "sum of probabilities is 1"),
    (lambda r, v: r.integers(5, 5 + v.astype("int64")), 0.0, "positive"),
]


@pytest.mark.each("make, value, words", BAD)
def test_bad_values_are_explained_when_they_come(make, value, words):
    v = ad.scalar("v")
    z = make(ad.RandomStream(0), v)
    for run in (ad.function([v], z), lambda value: ad.evaluate(z, {v: value})):
        with pytest.raises(ValueError, match=words) as caught:
            run(value)
        assert "test_stream.py" in str(caught.value)


@pytest.mark.each("seed", range(draws(10)))
def test_a_choice_has_a_probability_for_each_place(seed):
    """Lengths that only the program knows are compared, too: places beyond were drawn."""
    draw = np.random.default_rng(seed)
    p, rows, n = ad.vector("p"), ad.vector("rows"), ad.scalar("n", dtype="int64")
    many, count = draw.integers(1, 5, size=2)
    probabilities = draw.dirichlet(np.ones(many))
    z = ad.RandomStream(seed).choice([n, rows, int(count)][seed % 3], 20, p=p)
    values = {p: probabilities, rows: np.arange(count) + 0.5, n: count}
    inputs = [i for i in values if i in set(ad.Graph(z).inputs)]
    run = ad.function(inputs, z)
    if many == count:
        assert set(run(*[values[i] for i in inputs]) // 1) <= set(range(count))
    else:
        with pytest.raises(ValueError, match="length|broadcast"):
            run(*[values[i] for i in inputs])


def test_parameters_at_their_ends():
    rng = ad.RandomStream(0)
    n = 100
    zeros = [rng.bernoulli(0.0, n), rng.binomial(5, 0.0, n), rng.binomial(0, 0.5, n)]
    zeros += [rng.poisson(0.0, n), rng.categorical([1.0, 0.0], n), rng.integers(1, size=n)]
    assert not np.any(ad.evaluate(zeros))
    assert np.all(ad.evaluate([rng.bernoulli(1, n), rng.categorical([0, 1], n)]))
    assert np.all(ad.evaluate(rng.binomial(5, 1.0, n)) == 5)
    large = ad.evaluate(rng.poisson(1e12, n))
    assert np.all(np.abs(large - 1e12) < 6e6)
