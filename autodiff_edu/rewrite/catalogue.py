"""Every rule of the house, subject by subject, in the order in which they are tried."""

from functools import cache
from types import ModuleType

from ..expr import Expr
from .algebra import factoring, polynomial, product, sum
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
    divided_sums,
    error_function,
    factor_pairs,
    logaddexp,
    norms,
    overflow,
    signed_sums,
    softmax,
    term_pairs,
    weighted_sums,
)


def rare_subjects() -> tuple[ModuleType, ...]:
    """Subjects that no lecture needs; they need not be there."""
    try:
        from .rules import rare
    except ImportError:
        return ()
    return rare.SUBJECTS


SUBJECTS = (
    exact_zeros, diagonals, arithmetic, conditionals, proved, quotients, powers, exponents,
    trigonometry, shapes, axes, transposes, indexing, reductions, linear_algebra, inverses,
    integers, overflow,
    product, sum, factoring, polynomial, operand_order, softmax, logaddexp,
    norms, weighted_sums, signed_sums, divided_sums, cross_entropy, error_function,
    cancellation, term_pairs, factor_pairs, *rare_subjects(),
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
