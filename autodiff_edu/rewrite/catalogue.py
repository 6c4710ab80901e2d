"""Every rule of the house, subject by subject, in the order in which they are tried."""

from .algebra import polynomial, product, sum
from .engine.rule_table import Rules
from .rules import (
    arithmetic,
    axes,
    cancellation,
    conditionals,
    cross_entropy,
    differences,
    exact_zeros,
    exponents,
    indexing,
    lengths,
    linear_algebra,
    logaddexp,
    many,
    order,
    overflow,
    pairs,
    powers,
    proved,
    quotients,
    reductions,
    shapes,
    softmax,
    tails,
    trigonometry,
    weighted,
)
from .rules.examples import EXAMPLES

SUBJECTS = (
    exact_zeros, arithmetic, conditionals, proved, quotients, powers, exponents, trigonometry,
    shapes, axes, indexing, reductions, linear_algebra, product, sum, polynomial, order, overflow,
    softmax, logaddexp, lengths, many, weighted, cross_entropy, tails, cancellation, differences,
    pairs,
)  # fmt: skip
RULES = Rules(rule for subject in SUBJECTS for rule in subject.RULES)

for name, example in EXAMPLES.items():
    RULES[name].example = example
