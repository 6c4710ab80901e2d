"""Every rule of the house, subject by subject, in the order in which they are tried."""

from functools import cache

from ..expr import Expr
from .algebra import division, polynomial, product, sum
from .engine.rule import Rewrite, give_examples
from .engine.rule_table import Rules
from .rules import (
    arithmetic,
    axes,
    conditionals,
    diagonals,
    exact_zeros,
    exponents,
    indexing,
    integers,
    inverses,
    linear_algebra,
    operand_order,
    powers,
    programs,
    proved,
    quotients,
    reductions,
    shapes,
    transposes,
    trigonometry,
)
from .rules.stable import (
    cancellation,
    cross_entropy,
    deviations,
    divided_sums,
    error_function,
    factor_pairs,
    logaddexp,
    long_products,
    norms,
    overflow,
    shifts,
    signed_sums,
    softmax,
    term_pairs,
    weighted_sums,
)

SUBJECTS = (
    exact_zeros, diagonals, arithmetic, conditionals, proved, quotients, powers, exponents,
    trigonometry, shapes, axes, transposes, indexing, reductions, linear_algebra, inverses,
    integers, overflow,
    product, sum, division, polynomial, operand_order, softmax, shifts, deviations, logaddexp,
    norms, long_products, weighted_sums, signed_sums, divided_sums, cross_entropy, error_function,
    cancellation, term_pairs, factor_pairs,
)  # fmt: skip
RULES = Rules(rule for subject in SUBJECTS for rule in subject.RULES)


@cache
def examples() -> dict[str, Expr]:
    """What rules are shown on, by their names."""
    from .rules.examples import EXAMPLES  # made when the first one is asked for

    found = dict(EXAMPLES)
    for subject in SUBJECTS:
        found |= subject.examples() if hasattr(subject, "examples") else {}
    return found


def example_of(rule: Rewrite) -> Expr | None:
    return examples().get(rule.name)


give_examples(RULES + programs.RULES, example_of)
