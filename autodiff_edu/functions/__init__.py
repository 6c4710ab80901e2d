"""Python functions: traced into graphs, differentiated and run, over containers of arrays.

`ad.grad(f)` and its like hand over to this room, which calls f once with symbols for its arrays.
"""

from . import examples
from .traced import traced
from .tree import flatten, mapped, unflatten

__all__ = ["examples", "flatten", "mapped", "traced", "unflatten"]
