"""The rule tables by subject. They read as equations: left side, right side, first mode."""

from .. import collect
from . import identities, order, powers, shapes, stable, zeros

SHORTEN = [*zeros.RULES, *identities.RULES, *powers.RULES, *shapes.RULES, *collect.RULES, *order.RULES]  # fmt: skip
STABILISE = stable.RULES
RULES = [*SHORTEN, *STABILISE]
