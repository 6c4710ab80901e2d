"""The old names, over the engine and nothing else.

Takes: programs written for Theano, with only their import lines changed. Gives: what they computed
there, or an error that says what to write instead.

    import autodiff_edu.theano as theano
    import autodiff_edu.theano.tensor as T
"""

from . import attributes, gof, gradient, scan_module, tensor
from .compiled import OpFromGraph, config, function, shared
from .op import Op
from .scan_module import scan

__all__ = [
    "Op", "OpFromGraph", "attributes", "config", "function", "gof", "gradient", "scan",
    "scan_module", "shared",    "tensor",
]  # fmt: skip
