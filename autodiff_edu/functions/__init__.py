"""Python functions: traced into graphs, differentiated and run, over containers of arrays.

Takes: a Python function and its arguments, numbers or arrays in any containers. Gives: the graph
that one call with symbols leaves behind, kept for the next arguments of the same types, and results
in the containers of the arguments. `ad.grad(f)` and its like hand over to this room.
"""

from .flatten import flatten
from .pytree import mapped, tree_flatten, tree_unflatten
from .traced import traced

__all__ = ["flatten", "mapped", "traced", "tree_flatten", "tree_unflatten"]
