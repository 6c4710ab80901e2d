"""What is claimed is compared with numbers: gradients with differences."""

from . import contract  # what the floors below say where a rule is wrong
from .verify import Verified, central_differences, verify_grad

__all__ = ["Verified", "central_differences", "contract", "verify_grad"]
