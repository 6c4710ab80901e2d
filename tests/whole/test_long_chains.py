"""Chains of 4,000 operations, by default 1,000, nightly 100,000: every public function takes them
in a time that grows with their length and no faster, or says what to draw instead.

Protects long graphs of every shape: sums, products and signs are each read by passes of their own.
"""

import copy
import os
import pickle
from functools import cached_property, lru_cache, partial

import numpy as np
import pytest

import autodiff_edu as ad
from tests.helpers.depth import is_short, some
from tests.helpers.growth import assert_linear

NIGHTLY = os.environ.get("HYPOTHESIS_PROFILE") == "nightly"
# pictures, films and formulas give up far below
LENGTH = 100_000 if NIGHTLY else 1_000 if is_short() else 4_000

CHAINS = {
    "functions": lambda y, x, k: ad.sin(y),
    "sums": lambda y, x, k: y + x,
    "signs": lambda y, x, k: 1.5 + y if k % 2 else x - y,
    "products": lambda y, x, k: y * x,
    "choices": lambda y, x, k: ad.where(x > k, y, x),
    "a shared node": lambda y, x, k: y * y,
    "quotients": lambda y, x, k: 1 / (1 + y),
    "several uses": lambda y, x, k: ad.sin(y) * x + y,
}


class Chain:
    def __init__(self, kind, n):
        self.step, self.n = CHAINS[kind], n
        self.x = ad.scalar("x")
        self.y, self.at = self.of(self.x), {self.x: 0.5}

    @cached_property
    def slope(self):
        """The gradient, for what is done with it; that it is made is an act of its own."""
        return ad.grad(self.y, self.x)

    def one(self, y):
        return self.step(y, self.x, 1)

    def loop(self, step, n):
        return ad.scan(step, outputs_info=self.x, n_steps=n)

    @property
    def box(self):
        return ad.OpFromGraph([self.x], [self.y])(self.x) + 1

    def of(self, x):
        y = x
        for k in range(self.n):
            y = self.step(y, x, k)
        return y


def bundle(shown):
    return getattr(shown, "_repr_mimebundle_", lambda: repr(shown))()


def stored(what):
    return pickle.loads(pickle.dumps(what))


ACTS = {
    "repr": lambda c: (repr(c.y), repr(ad.Graph(c.y)), repr(c.box)),
    "draw": lambda c: (bundle(ad.draw(c.y)), bundle(ad.draw(c.y, values=c.at))),
    "draw as a tree": lambda c: bundle(ad.draw(c.y, layout="tree")),
    "draw a box": lambda c: (bundle(ad.draw(c.box)), bundle(ad.draw(c.box, open=True))),
    "draw stages": lambda c: bundle(ad.reverse_mode(c.y, c.x)),
    "latex": lambda c: (ad.latex(c.y), ad.latex(c.slope)),
    "why": lambda c: bundle(ad.why(c.slope)),
    "trace": lambda c: bundle(ad.trace(c.y, c.at)),
    "compare": lambda c: bundle(ad.compare(c.y, c.slope)),
    "table": lambda c: len(ad.forward_mode(c.y, c.x).table()),
    "table of steps": lambda c: len(ad.symbolic_derivative(c.y, c.x).table()),
    "cost": lambda c: (ad.cost(c.y), ad.Graph(c.y).tree_size, ad.Graph(c.y).size),
    "pickle": lambda c: (stored(c.y), stored(ad.Graph(c.y))),
    "copy": lambda c: (copy.copy(c.y), copy.deepcopy(c.y), copy.deepcopy(ad.Graph(c.y))),
    "hash and ==": lambda c: ({c.y: 1}[c.y], c.y == c.y, ad.Graph(c.y) == ad.Graph(c.y)),
    "same": lambda c: (ad.same(c.y, c.y), ad.same(c.y, c.of(c.x)), ad.Graph(c.y).same(c.y)),
    "vectorize": lambda c: repr(ad.vectorize(c.y)),
    "grad": lambda c: ad.grad(c.y, c.x),
    "second derivatives": lambda c: ad.hessian(c.y, c.x),
    "jacobian": lambda c: ad.jacobian(c.y, c.x),
    "products with them": lambda c: (ad.hessian_vector_product(c.y, c.x, 1.0),
                                     ad.pushforward(c.y, c.x, 1.0), ad.pullback(c.y, c.x, 1.0)),
    "subgraph_grad": lambda c: ad.subgraph_grad([c.x], [], cost=c.y),
    "symbolic_derivative": lambda c: repr(ad.symbolic_derivative(c.y, c.x).steps[:3]),
    "forward_mode": lambda c: repr(ad.forward_mode(c.y, c.x).steps[:3]),
    "evaluate": lambda c: ad.evaluate([c.y, c.slope], c.at),
    "function": lambda c: ad.function(c.x, c.y, simplify=None)(0.5),
    "a stored program": lambda c: stored(ad.portable(ad.function(c.x, c.y, simplify=None)))(0.5),
    "generate": lambda c: (repr(ad.generate(c.y).after), repr(ad.plan(c.y).after)),
    "verify_grad": lambda c: ad.verify_grad(c.of, [0.5], n_tests=1),
    "grad of a function": lambda c: ad.value_and_grad(c.of)(c.x),
    "boxes": lambda c: (ad.grad(ad.checkpoint(c.of)(c.x), c.x), repr(ad.release(c.box).after)),
    "custom_gradient": lambda c: ad.grad(ad.custom_gradient(lambda x: (c.of(x), abs))(c.x), c.x),
    "override_gradient": lambda c: ad.override_gradient(c.y, ad.sin(ad.wild("a")), abs),
    "unroll": lambda c: repr(ad.unroll(c.loop(c.one, c.n)).after),
    "a loop of long steps": lambda c: repr(ad.grad(c.loop(c.of, 2)[-1], c.x)),
    "simplify": lambda c: [repr(ad.simplify(c.y, mode=m).after) for m in ("ieee", "safe", "real")],
    "errors": lambda c: [refused(act) for act in (
        lambda: bool(c.y), lambda: ad.function([], c.y), lambda: ad.grad(c.y, ad.scalar("z")),
        lambda: ad.evaluate(c.y, {}), lambda: c.y ^ 2, lambda: c.y[0])],
}  # fmt: skip


def refused(act):
    with pytest.raises((TypeError, ValueError, IndexError)) as caught:
        act()
    assert len(str(caught.value)) < 2000


ORDINARILY = ["functions", "sums", "signs"]


KINDS = CHAINS if NIGHTLY else ORDINARILY
every_kind = pytest.mark.parametrize("kind", KINDS)


@lru_cache(4)
def prepared(kind, n, attempt):
    """A chain whose gradient is there, so that no act is charged for it; all acts share it."""
    chain = Chain(kind, n)
    assert chain.slope is not None
    return chain


@pytest.mark.parametrize(
    "act, kind",
    [(act, kind) for k, act in some(enumerate(ACTS), 3) for kind in some(KINDS, 3, turn=k // 3)],
)
def test_every_function_takes_long_chains(kind, act):
    with np.errstate(all="ignore"):
        assert_linear(ACTS[act], partial(prepared, kind), LENGTH)


@every_kind
def test_films_say_what_to_look_at_instead(kind):
    chain = Chain(kind, 1_000)
    for stage in (ad.symbolic_derivative(chain.y, chain.x), ad.reverse_mode(chain.y, chain.x)):
        with pytest.raises(ValueError, match=r"too long.*stage\.draw\(\).*stage\.table\(\)"):
            ad.film(stage)
