"""Simplification: rules as equations, the rewriter that applies them, and the tables of rules."""

from .override import override_gradient
from .rule import MODES, Rule, wild
from .rules import RULES
from .simplify import simplify

__all__ = ["MODES", "RULES", "Rule", "override_gradient", "simplify", "wild"]
