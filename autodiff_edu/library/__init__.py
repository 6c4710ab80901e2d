"""The rest of NumPy's vocabulary, and a little of SciPy's, stated in the words of the engine.

Takes: expressions, or whatever NumPy's function takes. Gives: expressions; `np.sum(x)` of an
expression comes here too, through NumPy's own protocol. A function is an operation where a
derivative has to be stated, and a composition of operations where it follows. What is public stands
in `__all__` of its module.
"""

# ruff: noqa: I001, F401 - the sorter would put one name on a line; two modules register functions
from inspect import isfunction
from typing import TYPE_CHECKING

from ..ops.docs import complete
from . import (
    arrange, bits, blocks, contraction, convolution, cumulative, decompositions, diagonals, grids,
    indexed_update, linalg, moving, norms, order, padding, protocol, rounding, scales,
    special, spectral, statistics, symmetric, tensor_products, windows,
)  # fmt: skip
from .arrange import *
from .bits import *
from .blocks import *
from .contraction import *
from .cumulative import *
from .decompositions import *
from .diagonals import *
from .grids import *
from .linalg import *
from .moving import *
from .norms import *
from .order import *
from .padding import *
from .rounding import *
from .scales import *
from .special import *
from .spectral import *
from .statistics import *
from .symmetric import *
from .tensor_products import *
from .windows import *

if not TYPE_CHECKING:  # type checkers read the lists of the files themselves
    __all__ = [
        *arrange.__all__, *bits.__all__, *blocks.__all__, *contraction.__all__, *cumulative.__all__,
        *decompositions.__all__, *diagonals.__all__, *grids.__all__, *linalg.__all__,
        *moving.__all__, *norms.__all__, *order.__all__, *padding.__all__, *rounding.__all__,
        *scales.__all__, *special.__all__, *spectral.__all__, *statistics.__all__,
        *symmetric.__all__, *tensor_products.__all__, *windows.__all__,
    ]  # fmt: skip

    WORDS = {
        "x": ("Expr or array_like", "An array."),
        "y": ("Expr or array_like", "An array."),
        "axis": ("int or tuple of int, optional", "Along which; by default all."),
        "keepdims": ("bool, default: False", "Whether a reduced axis stays, with length 1."),
        "ddof": ("float, default: 0", "What is taken off the number of entries, before the sum is "
                 "divided by it."),
        "sections": ("int or list of int", "Into how many parts, or before which places to cut."),
    }  # fmt: skip
    FUNCTIONS = [f for f in map(globals().get, __all__) if isfunction(f)]
    complete(FUNCTIONS, WORDS, See_Also="numpy.{} : The same for arrays.")
