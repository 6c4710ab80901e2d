"""Every rule of the house, subject by subject, in the order in which they are tried."""

from .collection import Rules
from .rules import identities, order, powers, products, shapes, slices, stable, sums, zeros
from .rules.examples import EXAMPLES

SUBJECTS = (zeros, identities, powers, shapes, slices, products, sums, order, stable)
RULES = Rules(rule for subject in SUBJECTS for rule in subject.RULES)

for name, example in EXAMPLES.items():
    RULES[name].example = example
