"""Every rule of the house, subject by subject, in the order in which they are tried.

A subject is loaded with the first graph that has an operation of which its rules speak. `RULES` has
them all, and is made when it is first asked for.
"""

from functools import cache, lru_cache
from importlib import import_module
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from ..core.rule import Rewrite, RuleSet
from ..expr import Expr
from .engine.rule_table import Rules, give_examples
from .rules import programs

SUBJECTS = {  # by module: operations of which a graph must have one; without any, it always counts
    "rules.exact_zeros": "",
    "rules.diagonals": "diagonal_matrix",
    "rules.arithmetic": "",
    "rules.conditionals": "abs clip logical_and logical_not logical_or maximum minimum sign where",
    "rules.proved": "abs ceil floor greater greater_equal isfinite isinf isnan maximum not_equal "
    "rint sign trunc",
    "rules.quotients": "divide reciprocal",
    "rules.powers": "power sqrt square",
    "rules.exponents": "deg2rad exp exp2 expm1 log logit",
    "rules.trigonometry": "arcsin arcsinh arctan arctanh cbrt cos cosh deg2rad erf rad2deg rint "
    "sign sin sinc sinh tan tanh trunc",
    "rules.shapes": "broadcast_to cast concatenate expand_dims index length reshape squeeze "
    "transpose",
    "rules.axes": "expand_dims index reshape squeeze",
    "rules.transposes": "mean sum transpose",
    "rules.indexing": "embed history index",
    "rules.reductions": "broadcast_to divide max mean min reshape sum transpose",
    "rules.linear_algebra": "contract gather matmul scatter transpose",
    "rules.inverses": "det inv solve_columns",
    "rules.integers": "floor_divide remainder",
    "rules.stable.overflow": "cosh exp exp2 expm1 log logaddexp sigmoid sinh softplus tanh",
    "algebra.product": "",
    "algebra.sum": "",
    "rules.rare.exact_division": "divide",
    "rules.stable.brackets": "divide embed reciprocal scatter",
    "algebra.polynomial": "",
    "rules.operand_order": "",
    "rules.stable.softmax": "exp logsumexp max softmax sum",
    "rules.stable.logaddexp": "exp log log1p",
    "rules.stable.roots": "sqrt",
    "rules.stable.norms": "log norm2",
    "rules.stable.weighted_sums": "exp norm2 product softmax",
    "rules.stable.signed_sums": "exp",
    "rules.stable.divided_sums": "exp",
    "rules.stable.cross_entropy": "softmax",
    "rules.stable.error_function": "erf erfc",
    "rules.stable.cancellation": "cos divide erf erfc hypot log log1p power sigmoid sqrt square",
    "rules.stable.term_pairs": "exp tanh",
    "rules.stable.factor_pairs": "cosh erfc exp expm1 sigmoid sinh square tanh_slope where",
    "rules.rare.shifts": "equal",
    "rules.rare.deviations": "mean",
    "rules.rare.long_products": "product product_of_others",
}


OPERATIONS = {name: frozenset(words.split()) for name, words in SUBJECTS.items()}
MOST = 1_000  # sets of operations whose rules are remembered
LOADED: dict[str, Rewrite] = {}  # the rules of all subjects that are loaded, by their names


@cache
def subject(name: str) -> Any:
    """The module of a subject. The room of rare ones can be left out."""
    try:
        module = import_module(f"{__package__}.{name}")
    except ImportError:
        if ".rare." not in name:
            raise
        return SimpleNamespace(RULES=())
    give_examples(module.RULES, example_of)
    LOADED.update((rule.name, rule) for rule in module.RULES)
    return module


@cache
def every_rule() -> Rules:
    return Rules(rule for name in SUBJECTS for rule in subject(name).RULES)


class OfTheHouse:
    """The rules of the house that a mode allows, of the subjects for which graphs had a use."""

    def __init__(self, mode: str, final: bool):
        self.mode, self.final = mode, final
        self.latest = frozenset[str](), RuleSet((), mode, final)  # one thing: threads share it

    @property
    def rules(self) -> Rules:
        """All of them."""
        return every_rule()

    named = staticmethod(LOADED.get)

    @lru_cache(maxsize=MOST)  # noqa: B019 - of each mode there is one
    def of(self, operations: frozenset[Any]) -> RuleSet:
        """Rules that are enough for a graph with these operations."""
        names = {op.name for op in operations if op is not None}
        own, rules = self.latest
        needs = own.union([s for s, words in OPERATIONS.items() if not words or words & names])
        if needs > own:
            every = [rule for s in SUBJECTS if s in needs for rule in subject(s).RULES]
            rules = RuleSet(every, self.mode, self.final)
            self.latest = needs, rules
        return rules

    def __reduce__(self) -> Any:
        return OfTheHouse, (self.mode, self.final)


@cache
def examples() -> dict[str, Expr]:
    """What rules are shown on, by their names."""
    from .rules.examples import EXAMPLES  # made when the first one is asked for

    found = dict(EXAMPLES)
    for module in map(subject, SUBJECTS):
        found |= module.examples() if hasattr(module, "examples") else {}
    return found


def example_of(rule: Rewrite) -> Expr | None:
    return examples().get(rule.name)


give_examples(programs.RULES, example_of)
if TYPE_CHECKING:
    RULES: Rules
else:

    def __getattr__(name):
        if name != "RULES":
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return every_rule()
