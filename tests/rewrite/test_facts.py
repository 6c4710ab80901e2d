"""What facts may prove: an answer to the user's question only by an exact proof, which never lies:
not at nan, inf, underflow or empty arrays, and not of integers, which wrap."""

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu.rewrite.facts import prover
from autodiff_edu.rewrite.facts.prover import HOLDS, is_provable, proof, stated
from tests.helpers.depth import is_short, some

INF, NAN = np.inf, np.nan
x, v = ad.scalar("x"), ad.vector("v")
v3 = ad.vector("v", shape=(3,))
p, q = (ad.scalar(name, positive=True) for name in "pq")
nz = ad.scalar("nz", nonzero=True)
n, m = ad.scalar("n", "int32"), ad.scalar("m", "int8")
share = ad.exp(v3) / ad.sum(ad.exp(v3))
total = ad.sum(ad.exp(v))

# ---- guards that users write

GUARDS = [
    (ad.where(ad.exp(x) > 0, 1 / ad.exp(x), 0.0), {x: -1000.0}),
    (ad.where(ad.exp2(x) > 0, 1.0, 2.0), {x: -5000.0}),
    (ad.where(share > 0, 1 / share, 0.0), {v3: [-800.0, 0.0, 0.0]}),
    (ad.where(ad.softmax(v3) > 0, 1.0, 2.0), {v3: [-800.0, 0.0, 0.0]}),
    (ad.where(total > 0, ad.log(total), 0.0), {v: [-1000.0, -1000.0]}),
    (ad.where(total > 0, 1.0, 2.0), {v: []}),
    (ad.where(ad.isfinite(ad.sin(x)), ad.sin(x), 0.0), {x: INF}),
    (ad.where(ad.isfinite(ad.cos(x)), ad.cos(x), 0.0), {x: INF}),
    (ad.where(ad.isnan(ad.tanh(x)), 0.0, ad.tanh(x)), {x: NAN}),
    (ad.where(ad.isinf(ad.sin(x)), 0.0, 1.0), {x: INF}),
    (ad.where(ad.square(x) >= 0, ad.square(x), 2.0), {x: NAN}),
    (ad.where(ad.sigmoid(x) > 0, ad.log(ad.sigmoid(x)), 7.0), {x: -1000.0}),
    (ad.where(ad.softplus(x) > 0, 1 / ad.softplus(x), 0.0), {x: -1000.0}),
    (ad.where(p * q > 0, 1 / (p * q), 0.0), {p: 1e-200, q: 1e-200}),
    (ad.where(p / q > 0, 1.0, 2.0), {p: 1e-200, q: 1e200}),
    (ad.where(ad.not_equal(ad.square(nz), 0), 1 / ad.square(nz), 0.0), {nz: 1e-200}),
    (ad.sign(ad.sigmoid(1 - ad.square(x))), {x: 1e200}),
    (ad.abs(n * n), {n: 50000}),
    (ad.maximum(n * n, 0), {n: 50000}),
    (ad.maximum(0, n * n), {n: 50000}),
    (ad.where(ad.square(n) >= 0, 1, 2), {n: 50000}),
    (ad.maximum(ad.abs(m), 0), {m: -128}),
    (ad.sum(ad.broadcast_to(x, v.shape)), {x: INF, v: []}),
    (ad.sum(ad.broadcast_to(ad.sin(x), v.shape)), {x: INF, v: []}),
    (ad.sum(ad.ones_like(v) * x), {x: INF, v: []}),
]


@pytest.mark.each(("given", "at"), GUARDS, ids=lambda g: str(g)[:50])
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_a_guard_is_kept(given, at):
    at = {leaf: np.asarray(value, leaf.dtype) for leaf, value in at.items()}
    wanted = ad.evaluate(given, at)
    np.testing.assert_array_equal(ad.evaluate(ad.simplify(given), at), wanted)
    np.testing.assert_array_equal(ad.function(list(at), given)(*at.values()), wanted)


@pytest.mark.each("c", [NAN, INF, -INF, np.array([1.0, INF, NAN])], ids=str)
@pytest.mark.each("mode", ["ieee", "safe"])
def test_a_constant_that_is_no_number_proves_nothing_of_numbers(c, mode):
    c = ad.constant(c)
    for y in (c / c, p * c / c, (c * p) / (c * p), ad.sqrt(c * c), ad.exp(ad.log(c)), p + c - c):
        before, after = (ad.function(p, one, simplify=how, on_unused_input="ignore")
                         for one, how in ((y, None), (y, mode)))  # fmt: skip
        np.testing.assert_array_equal(after(2.0), before(2.0))


f = ad.scalar("f", finite=True)
u = ad.scalar("u", "uint8")
ANSWERED = [
    (p > 0, True), (ad.sqrt(p) + q > 0, True), (ad.minimum(p, q) != 0, True),
    (ad.isfinite(ad.sin(f)), True), (ad.isnan(ad.tanh(f)), False), (ad.isinf(n * n), False),
    (ad.square(f) >= 0, True), (u * u >= 0, True), (ad.maximum(n, 1) > 0, True), (-nz != 0, True),
]  # fmt: skip


@pytest.mark.each(("given", "answer"), ANSWERED, ids=str)
def test_what_is_exact_is_answered(given, answer):
    assert ad.simplify(given).output.value == answer


def test_arithmetic_proves_what_a_nan_or_a_zero_does_not_harm():
    for given, short in [
        (ad.abs(ad.exp(x)), ad.exp(x)), (ad.maximum(ad.square(x), 0), ad.square(x)),
        (ad.exp(ad.log(ad.sigmoid(x))), ad.sigmoid(x)), (ad.abs(u * n), ad.abs(u * n)),
    ]:  # fmt: skip
        assert str(ad.simplify(given).output) == str(short)


def test_the_two_grades_and_what_a_proof_rests_on():
    assert proof(ad.exp(x) > 0) == () and proof(ad.exp(x) > 0, exactly=True) is None
    assert [str(c) for c in proof(ad.isfinite(ad.sin(f)))] == ["isfinite(f)"]
    assert is_provable("positive", p * q) and not is_provable("positive", p * q, exactly=True)


# ---- an exact proof never lies

UNARY = """exp exp2 cosh sigmoid softplus square abs sqrt reciprocal negative sign sin cos tanh
    erf erfc arctan floor ceil trunc round""".split()
BINARY = "multiply divide minimum maximum add subtract power".split()
FLOATS = [NAN, INF, -INF, 0.0, -0.0, 1e-200, -1e-200, 1e200, -1000.0, 1000.0, 5e-324, 1.0, -2.5]
INTS = [0, 1, -1, 2, 50000, -50000, 2**31 - 1, -(2**31)]


def leaves(dtype, shape):
    facts = [{}, *({fact: True} for fact in HOLDS), {"positive": True, "finite": True}]
    return [ad.tensor(f"{dtype[0]}{k}", dtype, shape, **given) for k, given in enumerate(facts)]


def grown(rng, leaves, deep):
    """A random expression over the operations of which the tables speak."""
    if not deep or rng.random() < 0.1:
        return leaves[rng.integers(len(leaves))]
    one, two = (grown(rng, leaves, deep - 1) for _ in range(2))
    kind = rng.random()
    if kind < 0.4:
        return getattr(ad, UNARY[rng.integers(len(UNARY))])(one)
    if kind < 0.75:
        return getattr(ad, BINARY[rng.integers(len(BINARY))])(one, two)
    if kind < 0.8:
        return ad.where(one > two, one, two)
    if kind < 0.83:
        return one.astype(["float32", "float64", "int32"][rng.integers(3)])
    return moved(rng, one)


def moved(rng, x):
    if not x.ndim:
        return ad.square(x)
    ways = [
        lambda: x[::-1], lambda: x.reshape(1, -1)[0], lambda: ad.sum(x),
        lambda: ad.broadcast_to(ad.mean(x), x.shape), lambda: x + ad.norm(x),
        lambda: ad.broadcast_to(ad.prod(x), x.shape), lambda: ad.softmax(x.astype("float64")),
        lambda: ad.sum(x) * ad.ones_like(x),
    ]  # fmt: skip
    return ways[rng.integers(len(ways))]()


def points(rng, leaf, shape, count):
    """Values of a leaf that keep what was declared of it."""
    given = np.array(FLOATS if leaf.type.is_float else INTS, leaf.dtype)
    for fact in leaf.facts:
        given = given[HOLDS[fact](given)]
    return [rng.choice(given, shape) for _ in range(count)]


def holds(fact, e, at):
    try:
        found = ad.evaluate(e, at)
    except ValueError:  # no largest of none, no integer to the power -1
        return True
    return np.all(HOLDS[fact](found))


@pytest.mark.parametrize("shape, dtype", [
    (shape, dtype)
    for k, shape in enumerate([(3,), (), (0,)])
    for dtype in some(["float64", "int32"], 2, turn=k)
], ids=str)  # fmt: skip
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_an_exact_proof_never_lies(dtype, shape):
    rng, proofs = np.random.default_rng(len(shape) + sum(shape)), 0
    given = leaves(dtype, (None,) * len(shape))
    for _ in some(range(400), 16):
        e = grown(rng, given, int(rng.integers(1, 4)))
        for fact in [fact for fact in HOLDS if is_provable(fact, e, exactly=True)]:
            proofs += 1
            assert is_provable(fact, e), (
                f"{stated(fact, e)} is proved exactly, but not of real numbers"
            )
            for values in zip(*(points(rng, leaf, shape, 12) for leaf in given), strict=True):
                at = dict(zip(given, values, strict=True))
                assert holds(fact, e, at), f"{stated(fact, e)} is false at {at}"
    assert proofs > (3 if is_short() else 50)


def test_a_question_is_asked_once_in_a_search(monkeypatch):
    asked, search = [], prover.Prover.by_op

    def counted(self, fact, how, x):
        asked.append(fact)
        return search(self, fact, how, x)

    monkeypatch.setattr(prover.Prover, "by_op", counted)
    for levels, facts, answer in ((3, {"positive": True}, True), (6, {"positive": True}, False)):
        y = ad.scalar("x", **facts)
        for _ in range(levels):
            y = y + y * y
        asked.clear()
        assert prover.is_provable("positive", y) is answer  # six levels are too deep
        assert len(asked) < 3 * prover.DEEP


@pytest.mark.each("write", [lambda x: 1 / x, lambda x: 2 / (x - 1), lambda x: 1 / ad.sqrt(x)])
def test_a_quotient_that_may_have_a_pole_does_not_cancel(write):
    x = ad.scalar("x")
    y = write(x)
    for pole in (0.0, 1.0):
        kept = ad.evaluate(ad.simplify(y / y).output, {x: pole})
        np.testing.assert_array_equal(kept, ad.evaluate(y / y, {x: pole}))
    assert str(ad.simplify(1 / ad.exp(x) / (1 / ad.exp(x))).output) == "1"
