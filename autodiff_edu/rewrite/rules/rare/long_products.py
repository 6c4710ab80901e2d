"""Stabilisation of products of many numbers: their logarithms, and what is divided by them.

    log Π x → log Π sign x + Σ log |x|

Letters: x an expression, a an axis, k keepdims.
"""

from ....expr import Expr
from ....library.cumulative import product, product_of_others
from ....ops import abs, log, sign, sum
from ...algebra.identities import beside, spread_of
from ...algebra.monomial import Monomial
from ...algebra.named_quotients import SPREADS
from ...engine.rule_table import table
from ...engine.validate import wild
from ..shapes import node_of
from ..stable.quotients import Divided, Way

x = wild("x")
a, k = wild("a k")
UNDER = "a product of small numbers may underflow"


class OverProduct(Divided):
    """The product of all other numbers over that of all is 1/x."""

    parts = functions = frozenset((product_of_others,))
    divisors = frozenset((product, *SPREADS))

    def way(self, d: Expr, found: Monomial, n: Expr) -> Way | None:
        total, put = spread_of(d)
        if total.op is not product:
            return None
        (x,), which = total.inputs, dict(total.static)
        a, k = which["axis"], which["keepdims"]
        others = next((b for b in found.powers if b.op is product_of_others), None)
        if others is None or others.inputs[0] is not x or dict(others.static)["axis"] != a:
            return None
        if found.powers[others] < 1 or not beside((a,), k, put):
            return None
        return {others: 1, d: -1}, 1 / x


def log_of_product(x: Expr, a: int, k: bool) -> Expr:
    return log(sign_of_product(x, a, k)) + logs(abs(x), a, k)


def log_of_size(x: Expr, a: int, k: bool) -> Expr:
    return logs(abs(x), a, k)


def sign_of_product(x: Expr, a: int, k: bool) -> Expr:
    return product(sign(x), axis=a, keepdims=k)


def is_no_sign(x: Expr) -> bool:
    return x.op is not sign


def logs(x: Expr, a: int, k: bool) -> Expr:
    return sum(log(x), axis=a, keepdims=k)


of_all = node_of(product, x, axis=a, keepdims=k)
# fmt: off
RULES = table(
    "real",
    ("log of product of positives", log(of_all),  logs,       UNDER + "; nan at −1·−1", x > 0),
    phase="stabilise", decreases="unstable",
) + table(
    "safe",
    ("log of product",         log(of_all),       log_of_product,   UNDER),
    ("log of size of product", log(abs(of_all)),  log_of_size,      UNDER),
    ("sign of product",        sign(of_all),      sign_of_product,  UNDER),
    when=is_no_sign, phase="stabilise", decreases="unstable",
) + [
    OverProduct("over the product of all", UNDER + "; nan where x is 0"),
]
# fmt: on
