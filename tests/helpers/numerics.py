"""What the tests over every operation share: values, derivatives and differences of examples.

Letters: e an example, xs its inputs, ys its results, at the values of the inputs, ts tangents,
us cotangents.
"""

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu.expr import Graph, constant
from autodiff_edu.ops import OPS
from tests.helpers.depth import some
from tests.helpers.examples import EXAMPLES, GATES, JUMPS, inputs_for

H = 1e-6
UNDEFINED = {"undefined_grad", *[e.name for e in JUMPS]}  # operations without a derivative


def is_smooth(e):
    """Do finite differences tell the derivative?"""
    rounds = e.static.get("dtype") in ("float16", "float32")
    return not OPS[e.name].nondifferentiable and e not in [*GATES, *JUMPS] and not rounds


def over(examples):
    return pytest.mark.each("e", examples, ids=str)


def of_lengths(examples):
    """Each example with all lengths known and with none; by default these take turns."""
    both = [(k, e) for n, e in enumerate(examples) for k in some(["all", "none"], 2, turn=n)]
    return pytest.mark.each("known, e", both, ids=str)


SMOOTH = [*filter(is_smooth, EXAMPLES)]
every_example, smooth = over(EXAMPLES), over(SMOOTH)
smooth_of_lengths = of_lengths(SMOOTH)


def at_random(e, rng, known="all"):
    """Inputs, results, and values of the inputs."""
    values = e.values(rng)
    xs = inputs_for(values, known)
    return xs, e.build(xs), dict(zip(xs, values))


def floats(nodes):
    return [n for n in nodes if n.type.is_float]


def values_of(nodes, at):
    """The nodes' values; none of them is nan or infinite."""
    nodes = list(nodes)
    found = ad.evaluate(Graph(nodes), at)
    found = [np.asarray(v) for v in (found if len(nodes) > 1 else [found])]
    assert all(np.isfinite(v).all() for v in found)
    return found


def normal_like(rng, values):
    return [rng.normal(size=np.shape(v)) for v in values]


def forward(ys, xs, ts):
    return ad.forward_mode(ys, xs, [constant(t) for t in ts]).outputs


def reverse(ys, xs, us):
    return ad.reverse_mode(ys, xs, [constant(u) for u in us]).outputs


def inner(one, other):
    return sum(np.vdot(a, b) for a, b in zip(one, other, strict=True))


def along(nodes, at, xs, ts):
    """The nodes' derivatives along tangents, by central differences."""
    ahead, behind = (
        values_of(nodes, at | {x: at[x] + h * t for x, t in zip(xs, ts)}) for h in (H, -H)
    )
    return [(a - b) / (2 * H) for a, b in zip(ahead, behind)]


def all_close(found, wanted, rtol=1e-9, atol=1e-9):
    for a, b in zip(found, wanted, strict=True):
        np.testing.assert_allclose(a, b, rtol, atol)
