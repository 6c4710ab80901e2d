"""What the tests of loops share: a loop, the same written out, and finite differences.

Letters: f a function of expressions, xs its inputs, at their values.
"""

import numpy as np

import autodiff_edu as ad
from tests.helpers.depth import some


def value(e, at=None, **named):
    """The value of an expression, or of several, with its inputs, by name, at these values."""
    known = {i.name: i for i in ad.Graph(e).inputs}
    given = (at or {}) | {known[k]: v for k, v in named.items() if k in known}
    return ad.evaluate(ad.Graph(e), given)


def leaves(point, known=True):
    """An input for each value, of its shape or with lengths that are not known."""
    values = [np.asarray(v) for v in point]
    shapes = [v.shape if known else (None,) * v.ndim for v in values]
    return [ad.tensor(f"x{k}", shape=s, dtype=v.dtype)
            for k, (v, s) in enumerate(zip(values, shapes))]  # fmt: skip


def check_gradients(f, point, steps=None, rtol=1e-12, n_tests=1, **tolerance):
    """The gradient of Σ u·f by the loop, with lengths known and not, by the loop written out, by
    forward mode, as programs and as graphs, and by finite differences. By default one of
    these ways is tried: the number of operands says which."""
    found = ad.verify_grad(f, point, n_tests=n_tests, **tolerance)
    one = slopes(f, leaves(point), point)
    ways = [
        lambda: slopes(f, leaves(point, known=False), point),
        lambda: slopes(f, leaves(point), point, program=True),
        lambda: slopes(f, leaves(point), point, flat=steps or True),
        lambda: forward_slopes(f, leaves(point), point),
    ]
    for way in some(ways, 4, turn=len(point)):
        for a, b in zip(one, way(), strict=True):
            np.testing.assert_allclose(a, b, rtol, 1e-14)
    return found


def slopes(f, xs, point, program=False, flat=None):
    """∂(Σ u·f)/∂x for a fixed u."""
    y = f(*xs)
    cost = (y * weights(y, xs, point)).sum()
    if flat is not None:
        cost = ad.unroll(cost, None if flat is True else flat).output
    gradients = ad.grad(cost, xs)
    if program:
        return ad.function(xs, gradients, on_unused_input="ignore")(*point)
    return several(gradients, dict(zip(xs, point)))


def forward_slopes(f, xs, point):
    y = f(*xs)
    cost = (y * weights(y, xs, point)).sum()
    return several([ad.jacobian(cost, x, mode="forward") for x in xs], dict(zip(xs, point)))


def weights(y, xs, point):
    shape = np.shape(ad.evaluate(y, dict(zip(xs, point))))
    return np.random.default_rng(0).uniform(0.5, 1.5, shape).astype(y.dtype)


def several(nodes, at):
    found = ad.evaluate(ad.Graph(nodes), at)
    return found if len(nodes) > 1 else [found]
