"""Windows as rows of a matrix, and back."""

from typing import Any

import numpy as np

from ... import library, ops
from ...expr import Expr, constant
from ...library.windows import overlap, windows
from ..arrays.flags import Assertion
from ..arrays.leaves import expression
from ..arrays.lengths import counted_entries, lengths_of
from ..core import lift


def fitting(x: Expr, size: Any, step: Any, mode: str) -> Expr:
    """The images, whose borders windows have to meet when the program runs."""
    conditions: list[Any] = []
    for n, k, d in zip(x.shape[2:], size, step, strict=True):
        if mode == "wrap_centered":
            conditions += [k % 2 == 1 if isinstance(k, int) else ops.equal(k % 2, 1), n >= k]
        else:
            around = {"valid": -k, "half": -(k % 2), "full": k - 2}[mode]
            left = n + around
            met = left % d == 0 if isinstance(left, int) and isinstance(d, int) else (
                ops.equal(library.remainder(left, d), 0))  # fmt: skip
            conditions += [met, n >= k]
    unsure = [c if isinstance(c, Expr) else constant(np.bool_(False))
              for c in conditions if c is not True]  # fmt: skip
    said = f"images2neibs: neib_shape={size}, neib_step={step} and the images are not consistent"
    return Assertion(said, TypeError)(x, *unsure) if unsure else x


@lift
def images2neibs(ten4: Any, neib_shape: Any, neib_step: Any = None, mode: str = "valid") -> Any:
    """Each window of each image as a row."""
    x = expression(ten4)
    size = lengths_of(neib_shape)
    step = size if neib_step is None else lengths_of(neib_step)
    if mode not in ("valid", "half", "full", "wrap_centered", "ignore_borders"):
        raise NotImplementedError(f"images2neibs has no mode {mode!r}")
    x = x if mode == "ignore_borders" else fitting(x, size, step, mode)
    if mode == "half":
        x = library.pad(x, [(0, 0), (0, 0), *[(n // 2, n // 2) for n in size]])
    elif mode == "full":
        x = library.pad(x, [(0, 0), (0, 0), *[(n - 1, n - 1) for n in size]])
    elif mode == "wrap_centered":
        for k, n in enumerate(size):
            m = x.shape[k + 2]
            places = library.remainder(ops.arange(m + n - 1) - (n - 1) // 2, m)
            x = x[(slice(None),) * (k + 2) + (places,)]
    return ops.reshape(windows(x, size=size, stride=step), (-1, size[0] * size[1]))


@lift
def neibs2images(neibs: Any, neib_shape: Any, original_shape: Any, mode: str = "valid") -> Any:
    """The images whose windows, side by side, are these rows."""
    if mode not in ("valid", "ignore_borders"):
        raise NotImplementedError(f"neibs2images has no mode {mode!r}")
    vector = isinstance(original_shape, Expr) and original_shape.ndim == 1
    told = counted_entries(original_shape, 4) if vector else original_shape
    size, shape = lengths_of(neib_shape), lengths_of(told)
    counts = [n // k if isinstance(n, int) else library.floor_divide(n, k)
              for n, k in zip(shape[2:], size, strict=True)]  # fmt: skip
    rows = ops.reshape(expression(neibs), (shape[0], shape[1], *counts, *size))
    return overlap(rows, tuple(shape), size=size, stride=size)


def by_mode(mode: str = "valid") -> Any:
    """Images2Neibs(mode)(images, neib_shape, neib_step)."""
    return lambda ten4, neib_shape, neib_step=None: images2neibs(ten4, neib_shape, neib_step, mode)


NAMES: dict[str, Any] = {"images2neibs": images2neibs, "neibs2images": neibs2images}
