"""Operations whose body is a graph: boxes with gradients of their own, and loops."""

from . import forward, many, reverse  # entered for Scan
from .box import OpFromGraph
from .custom import checkpoint, custom_gradient
from .inside import inside
from .loop import Scan, each
from .nested import Nested
from .recurrence import Recurrence, State, recurrence
from .release import release
from .replacing import replacing
from .scan import scan
from .step import until
from .unroll import unroll

__all__ = [
    "Nested", "OpFromGraph", "Recurrence", "Scan", "State", "checkpoint", "custom_gradient", "each",
    "forward", "inside", "many", "recurrence", "release", "replacing", "reverse", "scan", "unroll",
    "until",
]  # fmt: skip
