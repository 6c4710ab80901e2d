"""The explorer computes operations in JavaScript as NumPy does: every one that it has, on arrays.

Runs where Chromium is. Documents come without Python's values, so none can be taken from there.
"""

import json

import numpy as np
import pytest

import autodiff_edu as ad

from ...helpers.depth import some
from .explored import SEND, flat, plain

v, w = ad.vector("v", shape=4), ad.vector("w", shape=4)
M, N, s = ad.matrix("M", shape=(2, 4)), ad.matrix("N", shape=(4, 3)), ad.scalar("s")
AT = {
    v: np.array([0.3, -1.5, 2.5, 0.0]), w: np.array([1.2, -0.4, 2.0, 3.0]), s: 0.7,
    M: np.arange(8.0).reshape(2, 4) / 3 - 1, N: np.arange(12.0).reshape(4, 3) / 5,
}  # fmt: skip
OF_ONE = """
    exp expm1 log log1p sin cos tan arcsin arccos arctan sinh cosh tanh arcsinh arccosh arctanh abs
    sign negative square sqrt reciprocal floor ceil trunc isnan isinf isfinite exp2 log2 log10 cbrt
    sinc sigmoid softplus logit deg2rad rad2deg logical_not
""".split()
OF_TWO = """
    add subtract multiply divide power maximum minimum less less_equal greater greater_equal equal
    not_equal hypot arctan2 floor_divide remainder fmod copysign heaviside logaddexp xlogy
    logical_and logical_or
""".split()


def formulas():
    """By name: each operation on arrays whose shapes broadcast, and on parts of arrays. A few of a
    kind stand beside each other in a sum."""
    for names, operands in ((OF_ONE, (v,)), (OF_TWO, (M, v))):
        for few in (names[k : k + 20] for k in range(0, len(names), 20)):
            yield " ".join(few), sum(getattr(ad, name)(*operands) for name in few)
    for axis in (None, 0, -1):
        along = ("sum", "mean", "max", "min", "logsumexp")
        yield f"along {axis}", sum(getattr(ad, name)(M, axis=axis) * 2 for name in along)
        yield f"cumsum {axis}", ad.cumsum(M, axis=axis) * 2
    yield "kept", ad.sum(M, axis=1, keepdims=True) * M
    yield "softmax", ad.softmax(M, axis=1) + ad.log_softmax(M, axis=0)
    yield "any", ad.any(s < M) + ad.all(M < 9, axis=0)
    yield "shapes", ad.reshape(ad.transpose(M), (4, 2)) @ ad.reshape(v, (2, 2))
    yield "spread", ad.broadcast_to(v, (2, 4)) + ad.expand_dims(w, axis=0)
    yield "matmul", (M @ N) * (M @ v @ M @ w) + v @ N
    yield "where", ad.where(M > 0, M, v) + ad.clip(v, -1, 1)
    yield "concatenate", ad.concatenate([v, w * s])
    yield "cast", ad.astype(v, "float32") * 2 + ad.astype(w, "int64")
    yield "outer", v[:, None] * w
    keys = {"new": (None, 0), "last": (..., -1), "turned": np.s_[:, ::-1], "some": np.s_[1:, -3:-1]}
    yield from ((name, M[key] * 2) for name, key in keys.items())


def gradients():
    """Sums of whose parts one takes derivatives."""
    yield "layer", ad.sum(ad.tanh(M @ v + M[:, 1]) ** 2), [M, v]
    yield "entropy", -ad.sum(ad.softmax(M @ N) * ad.log_softmax(M @ N, axis=1)), [M, N]
    yield "choice", ad.sum(ad.where(v > w, v * s, ad.exp(-w))), [v, w, s]
    yield "pieces", ad.mean(ad.concatenate([v[1:3], w[::-1]]) ** 3), [v, w]


def documents(of=1):
    """By default, of one formula in so many."""
    for name, y in some(formulas(), of):
        inputs = ad.Graph([y]).inputs
        yield name, ad.explore(y, at={x: AT[x] for x in inputs}, derivative=None).document
    for name, y, wrt in some(gradients(), of):
        at = {x: AT[x] for x in ad.Graph([y]).inputs}
        yield name, ad.explore(y, at=at, wrt=wrt).document


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_every_operation_is_numpy_s(page):
    for name, document in documents(of=2):
        first = {p: value for k, p, value in document["other"] if k == 0}  # else as at last
        stored, document["python"] = document["python"] | first, {}
        page.run(f"show([{json.dumps(document)}])")
        here = page.run(SEND + "return Object.entries(e.values).map(([p, v]) => [p, send(v)])")
        for p, value in here:
            if p in stored and value is not None:
                np.testing.assert_allclose(*map(numbers, (value, stored[p])), 1e-12, 1e-300,
                                           err_msg=f"{name}: {p}")  # fmt: skip


def numbers(value):
    assert value != "needs"
    return np.array(flat(plain(value)), float)
