"""From a graph to a program: the plan, the source, the function, and the pipeline of all stages.

Takes: inputs, outputs, updates of shared values, and how to simplify. Gives: a plain Python
function, whose source can be read and whose inputs are checked; `pipeline` gives each stage on
the way to it.
"""

from typing import TYPE_CHECKING

from ..expr import later
from .compiled import Compiled
from .function import function
from .pipeline import generate, pipeline
from .plan import Plan, Region, plan
from .portable import Portable, portable
from .program import Program

if TYPE_CHECKING:
    from .profile import Line, Profile
else:
    __getattr__, __dir__ = later(__name__, {"profile": "Line Profile"})

__all__ = [
    "Compiled", "Line", "Plan", "Profile", "Portable", "Program", "Region", "function",
    "generate", "pipeline", "plan", "portable",
]  # fmt: skip
