"""What is claimed is compared with numbers: gradients with differences, an operation of one's own
in all that it states, and both sides of a rule with each other.
"""

from .gradient.differences import central_differences
from .gradient.verify_grad import Verified, verify_grad
from .op import contract  # what the floors below say of a rule that is wrong
from .op.check_op import check_op
from .report import Report
from .rule.check_rule import check_rule, counterexample
from .rule.descent import watch
from .rule.promise import Counterexample

__all__ = [
    "Counterexample", "Report", "Verified", "central_differences", "check_op", "check_rule",
    "contract", "counterexample", "verify_grad", "watch",
]  # fmt: skip
