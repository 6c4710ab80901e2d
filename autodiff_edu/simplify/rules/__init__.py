"""The rule tables by subject. They read as equations: left side, right side, first mode."""

from .. import collect
from . import identities, order, powers, shapes, slices, stable, zeros

SUBJECTS = (zeros, identities, powers, shapes, slices, collect, order)
SHORTEN = [rule for subject in SUBJECTS for rule in subject.RULES]
STABILISE = stable.RULES
RULES = [*SHORTEN, *STABILISE]
