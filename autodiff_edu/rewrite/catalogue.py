"""Every rule of the house, subject by subject, in the order in which they are tried."""

from .algebra import polynomial, product, sum
from .engine.rule_table import Rules
from .rules import (
    arithmetic,
    axes,
    cancellation,
    conditionals,
    cross_entropy,
    exact_zeros,
    exponents,
    indexing,
    linear_algebra,
    logaddexp,
    order,
    overflow,
    pairs,
    powers,
    proved,
    quotients,
    reductions,
    shapes,
    softmax,
    trigonometry,
)
from .rules.examples import EXAMPLES

SUBJECTS = (
    exact_zeros, arithmetic, conditionals, proved, quotients, powers, exponents, trigonometry,
    shapes, axes, indexing, reductions, linear_algebra, product, sum, polynomial, order, overflow,
    softmax, logaddexp, cross_entropy, cancellation, pairs,
)  # fmt: skip
RULES = Rules(rule for subject in SUBJECTS for rule in subject.RULES)

for name, example in EXAMPLES.items():
    RULES[name].example = example
