"""What is known of a derivative before its numbers: which entries are zero, and what follows.

Takes: an expression and what to differentiate by. Gives: the pattern of the Jacobian or Hessian,
colours for its columns, and the compressed derivative that needs one product for each colour.
`entries` are the boolean matrices, `reading` and `asked` say what an operation's record tells, and
`carry` walks the graph. `series` reads the same records for Taylor coefficients.
"""

from .compressed import SparseDerivative, sparse_hessian, sparse_jacobian
from .jet import jet
from .second_order import gauss_newton_product, hessian_diagonal, newton
from .sparsity import Coloring, Sparsity, sparsity

__all__ = [
    "Coloring", "SparseDerivative", "Sparsity", "gauss_newton_product", "hessian_diagonal", "jet",
    "newton", "sparse_hessian", "sparse_jacobian", "sparsity",
]  # fmt: skip
