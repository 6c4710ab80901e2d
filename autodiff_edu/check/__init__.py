"""What is claimed is compared with numbers: gradients with differences."""

from . import contract  # what the floors below say of a rule that is wrong
from .differences import central_differences
from .verify import Verified, verify_grad

__all__ = ["Verified", "central_differences", "contract", "verify_grad"]
