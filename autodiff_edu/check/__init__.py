"""What is claimed, put to numbers: gradients, operations of one's own, and rules of rewriting.

Takes: a function and a point, an operation and an example, or a rule. Gives: a report in words
where the claim holds, and otherwise an error with the simplest point at which it does not.
"""

from .gradient.differences import central_differences
from .gradient.verify_grad import Verified, verify_grad
from .op.check_op import check_op
from .report import Report
from .rule.check_rule import check_rule, counterexample
from .rule.equivalence import Counterexample
from .rule.termination import watch

__all__ = [
    "Counterexample", "Report", "Verified", "central_differences", "check_op", "check_rule",
    "counterexample", "verify_grad", "watch",
]  # fmt: skip
