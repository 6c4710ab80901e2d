"""Windows as rows of a matrix, and back."""

from typing import Any

from ... import library, ops
from ...library.windows import overlap, windows
from ..arrays.leaves import expression
from ..arrays.lengths import lengths_of
from ..core import lift


@lift
def images2neibs(ten4: Any, neib_shape: Any, neib_step: Any = None, mode: str = "valid") -> Any:
    """Each window of each image as a row."""
    x = expression(ten4)
    size = lengths_of(neib_shape)
    step = size if neib_step is None else lengths_of(neib_step)
    if mode == "half":
        x = library.pad(x, [(0, 0), (0, 0), *[(n // 2, n // 2) for n in size]])
    elif mode == "full":
        x = library.pad(x, [(0, 0), (0, 0), *[(n - 1, n - 1) for n in size]])
    elif mode == "wrap_centered":
        for k, n in enumerate(size):
            m = x.shape[k + 2]
            places = library.remainder(ops.arange(m + n - 1) - (n - 1) // 2, m)
            x = x[(slice(None),) * (k + 2) + (places,)]
    elif mode not in ("valid", "ignore_borders"):
        raise NotImplementedError(f"images2neibs has no mode {mode!r}")
    return ops.reshape(windows(x, size=size, stride=step), (-1, size[0] * size[1]))


@lift
def neibs2images(neibs: Any, neib_shape: Any, original_shape: Any, mode: str = "valid") -> Any:
    """The images whose windows, side by side, are these rows."""
    size, shape = lengths_of(neib_shape), lengths_of(original_shape)
    counts = [n // k if isinstance(n, int) else library.floor_divide(n, k)
              for n, k in zip(shape[2:], size, strict=True)]  # fmt: skip
    rows = ops.reshape(expression(neibs), (shape[0], shape[1], *counts, *size))
    return overlap(rows, tuple(shape), size=size, stride=size)


NAMES: dict[str, Any] = {"images2neibs": images2neibs, "neibs2images": neibs2images}
