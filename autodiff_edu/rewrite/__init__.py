"""Rewriting: tables of rules, and the passes in which the core's rewriter applies them.

Takes: a graph and a mode. Gives: a `Simplification`, a stage with a step for every rule that was
used. `engine` has what tables are made of, and `rules` has them, one file a subject. `algebra`
collects terms and factors, `facts` proves what a rule needs, `loops` simplifies bodies and moves
work out of loops, and `branches` does the same for branches. `simplify` runs it all; `override`
puts a gradient of the user's around what a pattern matches.
"""

from typing import TYPE_CHECKING

from ..core.rule import MODES, Rewrite, Rule
from ..expr import later
from .engine.rule_table import Rules
from .engine.validate import MEASURE, wild
from .facts.prover import is_provable
from .rules.programs import RULES as FOR_PROGRAMS
from .scaled_factors import numbers_out_of_factors
from .simplification import Assumption, Simplification
from .simplify import simplify

if TYPE_CHECKING:
    from .catalogue import RULES
    from .override import override_gradient
else:
    __getattr__, __dir__ = later(__name__, {"catalogue": "RULES", "override": "override_gradient"})

__all__ = [
    "Assumption", "FOR_PROGRAMS", "MEASURE", "MODES", "RULES", "Rewrite", "Rule", "Rules",
    "Simplification", "is_provable", "numbers_out_of_factors", "override_gradient", "simplify",
    "wild",
]  # fmt: skip
