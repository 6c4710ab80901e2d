"""What is claimed is compared with numbers: gradients with differences, and an operation of one's
own in all that it states.
"""

from . import contract  # what the floors below say of a rule that is wrong
from .differences import central_differences
from .op import check_op
from .report import Report
from .verify import Verified, verify_grad

__all__ = [
    "Report", "Verified", "central_differences", "check_op", "contract", "verify_grad",
]  # fmt: skip
