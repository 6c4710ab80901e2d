"""Arrays without axes: what NumPy does with a number, programs do, for every target of text.

Protects indices, widths and shapes that are empty, where a text between brackets may be missing.
"""

import numpy as np
import pytest

import autodiff_edu as ad
from tests.helpers.depth import some

KEPT = {
    "x[()]": lambda np, x: x[()],
    "x[...]": lambda np, x: x[...],
    "x[None]": lambda np, x: x[None],
    "pad": lambda np, x: np.pad(x, 1),
    "transpose": lambda np, x: np.transpose(x),
    "reshape": lambda np, x: np.reshape(x, ()),
    "squeeze": lambda np, x: np.squeeze(x),
    "ravel": lambda np, x: np.ravel(x),
    "broadcast_to": lambda np, x: np.broadcast_to(x, (2, 3)),
    "broadcast_to nothing": lambda np, x: np.broadcast_to(x, ()),
    "sum": lambda np, x: np.sum(x),
    "sum over no axis": lambda np, x: np.sum(x, axis=()),
    "max": lambda np, x: np.max(x),
    "cumsum": lambda np, x: np.cumsum(x),
    "stack": lambda np, x: np.stack([x, x]),
    "flip": lambda np, x: np.flip(x),
    "repeat": lambda np, x: np.repeat(x, 3),
    "tile": lambda np, x: np.tile(x, 3),
    "sort of a ravel": lambda np, x: np.sort(np.ravel(x)),
    "where": lambda np, x: np.where(x > 0, x, -x),
    "outer": lambda np, x: np.outer(x, x),
    "einsum": lambda np, x: np.einsum(",->", x, x),
    "diag of a ravel": lambda np, x: np.diag(np.ravel(x)),
    "clip": lambda np, x: np.clip(x, -1, 1),
    "full_like": lambda np, x: np.full_like(x, 2.0) * x,
}
SURROUNDED = {
    "alone": lambda np, f, x: f(np, x),
    "of a sum": lambda np, f, x: f(np, np.sum(np.sin(x))),
    "among others": lambda np, f, x: np.sum(f(np, np.sum(x))) + np.sum(np.exp(x)) * f(np, x[0, 0]),
}


@pytest.mark.each("around", some(SURROUNDED, 2))
@pytest.mark.each("name", some(KEPT, 6))
def test_programs_do_what_numpy_does(name, around):
    known = np.array(1.25) if around == "alone" else np.array([[0.3, -0.7], [1.1, 0.2]])
    x = ad.tensor("x", shape=known.shape)
    y = SURROUNDED[around](ad, KEPT[name], x)
    slope = ad.grad(ad.sum(y * y), x)
    expected = SURROUNDED[around](np, KEPT[name], known)
    slopes = ad.evaluate(slope, {x: known})
    for mode in some([None, "ieee", "safe", "real"], 4, turn=len(name)):
        got = ad.function([x], [y, slope], simplify=mode)(known)
        np.testing.assert_allclose(got[0], expected, rtol=1e-12, strict=True)
        np.testing.assert_allclose(got[1], slopes, rtol=1e-12)
