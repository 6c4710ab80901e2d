"""`T.max` and `T.min`: each entry that ties for the extreme has its whole slope, as Theano had it.

The engine's own, and so the method `x.max()`, share the slope among them.
"""

from collections.abc import Callable
from typing import Any

from .. import ops
from ..expr import Expr
from ..nested import custom_gradient
from ..ops import where
from ..ops.lengths import normal_axes
from ..ops.reduce import spread


def undivided(extreme: Callable[..., Expr]) -> Callable[..., Expr]:
    def found(x: Expr, axis: Any = None, keepdims: bool = False) -> Any:
        which: dict[str, Any] = {"axis": normal_axes(x.type, axis), "keepdims": bool(keepdims)}
        out: Any = extreme(x, **which)
        return out, lambda ct: where(x == spread(out, x, **which), spread(ct, x, **which), 0)

    found.__name__ = extreme.name  # type: ignore[attr-defined]
    found.__doc__ = f"The {found.__name__} of x over axes; each entry at a tie has its whole slope."
    return custom_gradient(found)


max, min = undivided(ops.max), undivided(ops.min)
