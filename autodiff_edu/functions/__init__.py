"""Python functions: traced into graphs, differentiated and run, over containers of arrays.

Takes: a Python function and its arguments, numbers or arrays in any containers. Gives: the graph
that one call with symbols leaves behind, kept for the next arguments of the same types, and results
in the containers of the arguments. `ad.grad(f)` and its like hand over to this room.

What f decides by numbers, as in `if x > 0:`, makes a path of its own. `slope = ad.grad(f)` shows
them in `slope.paths`, draws them by `slope.draw_paths()`, and films a call by `slope.film_path(x)`.
"""

from .decisions import Guard
from .flatten import flatten
from .paths import Path
from .promise import pure
from .pytree import mapped, tree_flatten, tree_unflatten
from .taken_paths import Paths
from .traced import traced

__all__ = [
    "Guard", "Path", "Paths", "flatten", "mapped", "pure", "traced", "tree_flatten",
    "tree_unflatten",
]  # fmt: skip
