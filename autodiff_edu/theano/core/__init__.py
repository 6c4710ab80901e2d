"""What an old variable is: an expression behind the face that Theano gave it.

Takes: expressions of the engine. Gives: `Variable`, its types, and `lift`, which makes an old
function of a function of expressions. Nothing of an expression changes: what is old stands around
it, and comes to results because each old function gives old variables.
"""

from .config import change_flags, config
from .lifting import lift, unwrap, wrap
from .variable import Apply, Constant, SharedVariable, Variable

__all__ = [
    "Apply", "Constant", "SharedVariable", "Variable", "change_flags", "config", "lift", "unwrap",
    "wrap",
]  # fmt: skip
