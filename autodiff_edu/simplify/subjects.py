"""Every rule of the house, subject by subject, in the order in which they are tried."""

# ruff: noqa: I001 - the sorter would put one name on a line
from .collection import Rules
from .rules import (
    algebra, axes, cancel, choices, circular, exponentials, identities, order, pairs,
    growing, picked, polynomials, powers, products, proved, quotients, reductions, shapes, slices,
    softmax, stable, sums, zeros,
)  # fmt: skip
from .rules.examples import EXAMPLES

SUBJECTS = (
    zeros, identities, choices, proved, quotients, powers, exponentials, circular, shapes, axes,
    slices, reductions, algebra, products, sums, polynomials, order, stable, softmax, growing,
    picked, cancel, pairs,
)  # fmt: skip
RULES = Rules(rule for subject in SUBJECTS for rule in subject.RULES)

for name, example in EXAMPLES.items():
    RULES[name].example = example
