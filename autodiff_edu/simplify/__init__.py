"""Simplification: rules as equations, the rewriter that applies them, and the tables of rules."""

from .collection import Rules
from .match import wild
from .measure import MEASURE
from .override import override_gradient
from .rule import MODES, Rewrite, Rule
from .simplified import Assumption, Simplification
from .simplify import simplify
from .subjects import RULES

__all__ = [
    "Assumption", "MEASURE", "MODES", "RULES", "Rewrite", "Rule", "Rules", "Simplification",
    "override_gradient", "simplify", "wild",
]  # fmt: skip
