"""What is claimed is compared with numbers: gradients with differences, an operation of one's own
in all that it states, and both sides of a rule with each other.
"""

from . import contract  # what the floors below say of a rule that is wrong
from .descent import watch
from .differences import central_differences
from .op import check_op
from .promise import Counterexample
from .report import Report
from .rewriting import check_rule, counterexample
from .verify import Verified, verify_grad

__all__ = [
    "Counterexample", "Report", "Verified", "central_differences", "check_op", "check_rule",
    "contract", "counterexample", "verify_grad", "watch",
]  # fmt: skip
