"""Random shares t·e^x / (Σ t·e^x + r), and their slopes: simplification ends and keeps their
values, also where lengths are not known, and where all x of a row are -inf, as behind a mask."""

import numpy as np
import pytest

import autodiff_edu as ad
from tests.helpers.depth import draws, some

SHAPES = [(3, 4), (None, 4), (None, None), (4,), (None,)]


class Share:
    """A random one, a number made of it, and its inputs."""

    def __init__(self, seed):
        self.rng = rng = np.random.default_rng(seed)
        shape = SHAPES[rng.integers(len(SHAPES))]
        self.x, self.t = ad.tensor("x", shape=shape), ad.tensor("t", shape=shape)
        self.c = ad.scalar("c")
        x = self.one(self.x, self.x, self.c * self.x, self.x + self.t)
        e = self.one(ad.exp(x), ad.exp(x), ad.softmax(x))
        t = self.one(1, 2, np.array([1.0, 0, 3, 0.5]), abs(self.t), ad.exp(self.t))
        total = ad.sum(t * e, axis=self.one(-1, 0, None), keepdims=self.one(True, True, False))
        self.share = t * e / (total + self.one(0, 0, 1, 1e-3, self.c**2))

    def one(self, *those):
        return those[self.rng.integers(len(those))]

    @property
    def outputs(self):
        """The share, and the slopes of a number made of it."""
        p = self.share
        q = self.one(p, p * p, abs(p), ad.sin(p), p * self.t, ad.log(p) * self.t)
        inputs = set(ad.Graph(q).inputs)
        return [p, *ad.grad(ad.sum(q), [i for i in (self.x, self.t, self.c) if i in inputs])]

    def at(self, number):
        shape = [4 if n is None else n for n in self.x.type.shape]
        some = {self.x: self.rng.normal(size=shape), self.t: self.rng.normal(size=shape)}
        some[self.x][..., :1] += number
        some[self.x][:1] += number
        return some | {self.c: 1.5}


def shares(seed):
    """The share of a seed; its sum may not fit beside it, and then that of another one."""
    while True:
        try:
            found = Share(seed)
            return found, found.outputs
        except ad.ShapeError:
            seed += 1000


def evaluated(outputs, at):
    graph = ad.Graph(outputs)
    found = ad.evaluate(graph, {i: at[i] for i in graph.inputs})
    return found if len(graph.outputs) > 1 else [found]


@pytest.mark.each("final", some([False, True], 2))
@pytest.mark.each("seed", some(range(150), 40))
def test_simplification_of_shares_ends_and_keeps_their_values(seed, final):
    s, outputs = shares(seed)
    for mode in some(("ieee", "safe", "real"), 3, turn=seed):
        stage = ad.simplify(outputs, mode, final=final)
        assert not ad.simplify(stage, mode, final=final).steps
        at = s.at(0)
        for found, wanted in zip(evaluated(stage.outputs, at), evaluated(outputs, at)):
            assert_kept(found, wanted)


@pytest.mark.each("seed", range(draws(150)))
def test_a_share_beside_something_else_is_0_where_all_is_masked(seed):
    s, (share, *_) = shares(seed)
    at = s.at(-np.inf)
    (wanted,), (found,) = (evaluated([e], at) for e in (share, ad.simplify(share).output))
    assert_kept(found, wanted)


def assert_kept(found, wanted):
    """What is finite stays, up to rounding."""
    told = np.isfinite(wanted)
    np.testing.assert_allclose(found[told], wanted[told], rtol=1e-10, atol=1e-12)
