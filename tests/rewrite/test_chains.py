"""Long chains: no rule walks a graph by recursion, and none asks of the whole chain at each link.

By default, sums of exponentials have 2,000 terms, and the other chains 600 links;
HYPOTHESIS_PROFILE=nightly makes all of them of 1e5.
"""

import os

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu.expr import rebuild
from tests.helpers.depth import is_short, length, some
from tests.helpers.growth import assert_linear

exp, log = ad.exp, ad.log
NIGHTLY = os.environ.get("HYPOTHESIS_PROFILE") == "nightly"
SUMS = ("log of exps", "log of one and exps", "a share of exps")
w, x, y = ad.scalar("w"), ad.scalar("x"), ad.scalar("y")
v, A = ad.vector("v", shape=3), ad.matrix("A", shape=(3, 3))


def chain(step, s, n):
    for k in range(n):
        s = step(s, 0.5 + (k % 97) / 97)
    return s


def exps(n):
    return chain(lambda s, c: s + exp(c * w), exp(w), n)


def logs(n):
    """The logarithm of every sum so far."""
    total, found = exp(w), []
    for k in range(n):
        total = total + exp((k + 1.5) / n * w)
        found.append(log(total))
    return found


def circles(n):
    """Σ y·sin² + y·cos² of many angles."""
    total = x
    for k in range(n // 4):
        total = total + ad.sin((k + 1.0) * w) ** 2 * y + ad.cos((k + 1.0) * w) ** 2 * y
    return total


CHAINS = {
    "log of exps": lambda n: log(exps(n)),
    "log of one and exps": lambda n: log(1 + exps(n)),
    "a share of exps": lambda n: exp(x) / (exps(n) + exp(x)),
    "logs of all sums": lambda n: logs(n // 2),
    "sin² and cos²": circles,
    "nested where": lambda n: chain(lambda s, c: ad.where(s > c, s, c * x), w, n),
    "nested where of one condition": lambda n: chain(lambda s, c: ad.where(w > 0, s, c * x), w, n),
    "maximum": lambda n: chain(lambda s, c: ad.maximum(s, c * x), w, n),
    "maximum of numbers": lambda n: chain(ad.maximum, w, n),
    "clip": lambda n: chain(lambda s, c: ad.clip(s * x, -c, c), w, n),
    "sums": lambda n: chain(lambda s, c: ad.sum(s * v + c), w, n),
    "largest": lambda n: chain(lambda s, c: ad.max(s * v + c), w, n),
    "concatenations": lambda n: chain(lambda s, c: ad.concatenate([s[1:], v[:1] * c]), v, n // 4),
    "products of matrices": lambda n: chain(lambda s, c: A @ s, v, n // 2),
    "logsumexp": lambda n: chain(lambda s, c: log(ad.sum(exp(s + v))), w, n // 2),
    "softplus": lambda n: chain(lambda s, c: log(1 + exp(s)), w, n // 4),
    "softmax": lambda n: chain(lambda s, c: exp(s) / ad.sum(exp(s)), v, n // 4),
    "products of exps": lambda n: chain(lambda s, c: s * exp(c * w), exp(w), n // 4),
}


@pytest.mark.parametrize("mode", ["safe", "real"] if NIGHTLY else ["safe"])
@pytest.mark.parametrize("name", some(CHAINS, 6))
def test_a_long_chain_is_simplified(name, mode):
    by_default, n = (2_000, 20_000) if name in SUMS else (600, 4_000)
    n = 100_000 if NIGHTLY else by_default if is_short() else n
    stage = ad.simplify(CHAINS[name](n), mode=mode)
    assert all(n.type is m.type for n, m in zip(stage.before.outputs, stage.outputs, strict=True))


@pytest.mark.parametrize("name", some(CHAINS, 24))
def test_the_work_grows_no_faster_than_the_chain(name):
    few, many = (len(ad.simplify(CHAINS[name](length(n))).steps) for n in (500, 2000))
    assert many <= 5 * few + length(500)


def test_three_hundred_exponentials_written_out():
    at = np.linspace(-3, 3, length(300))
    for f, wanted in (
        (lambda s: log(s), lambda a: np.logaddexp.reduce(a)),
        (lambda s: log(1 + s), lambda a: np.logaddexp.reduce([*a, 0.0])),
        (lambda s: exp(w) / (s + exp(w)), lambda a: np.exp(400 - np.logaddexp.reduce([*a, 400]))),
    ):
        total = exp(at[0] * w)
        for t in at[1:]:
            total = total + exp(t * w)
        np.testing.assert_allclose(ad.function(w, f(total))(400.0), wanted(400 * at), rtol=1e-10)


def put(graph, leaf, s):
    """The output of a graph with s in the place of a leaf."""
    now = {leaf: s}
    for n in graph.order:
        now.setdefault(n, n if n.op is None else rebuild(n, tuple(now[i] for i in n.inputs)))
    return now[graph.outputs[0]]


EXAMPLES = [
    rule
    for rule in ad.RULES
    if rule.example is not None and rule.example.type.is_float and not rule.example.ndim
]


@pytest.mark.parametrize("rule", some(EXAMPLES, 20), ids=lambda rule: rule.name)
def test_each_rules_own_example_repeated_in_a_chain(rule):
    """What is linear for so many repetitions and four times as many is so for more."""
    graph = ad.simplify(rule.example, rules=[]).after
    leaf = next((i for i in graph.inputs if i.type.is_float and not i.ndim), None)
    if leaf is None:
        return
    steps = []
    for n in (length(100), length(400)):
        s = leaf
        for _ in range(n):
            s = put(graph, leaf, s)
        steps.append(len(ad.simplify(s).steps))
    assert steps[1] <= 5 * steps[0] + length(500)


def slope_of_chain(n, attempt):
    """A long sum whose terms have much in common; what it would become is refused."""
    x = v = ad.scalar(f"x{attempt}")
    for k in range(n):
        v = ad.sin(v) * x if k % 2 else v + 0.5 * v * x
    return ad.reverse_mode(v, x)


def test_a_long_sum_that_is_refused_is_linear_work():
    assert_linear(ad.simplify, slope_of_chain, 1_000 if is_short() else 8_000)
