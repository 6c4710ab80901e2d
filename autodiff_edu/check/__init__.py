"""What is claimed is compared with numbers: gradients with differences."""

from .verify import Verified, central_differences, verify_grad

__all__ = ["Verified", "central_differences", "verify_grad"]
