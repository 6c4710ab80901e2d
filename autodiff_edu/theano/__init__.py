"""The old names, over the engine and nothing else.

Takes: programs written for Theano, with only their import lines changed or, after
`install_as_theano()`, as they are. Gives: what they computed there, or an error that says what to
write instead.

    import autodiff_edu.theano as theano
    import autodiff_edu.theano.tensor as T
"""

import sys as _sys

from .core.missing import getter as _getter
from .names import install as _install
from .names import install_as_theano, uninstall
from .names.contents import contents as _contents
from .names.finder import submodules as _submodules

_install(_contents)
_space = globals()
_space.update({k: v for k, v in _contents("theano").items() if k not in _space})
theano = _sys.modules[__name__]  # `from theano import theano`
__getattr__ = _submodules(__name__, _getter(__name__, _space))
__all__ = [
    *[name for name in _contents("theano") if not name.startswith("_")], "gradient",
    "install_as_theano", "printing", "sandbox", "scalar", "tensor", "theano", "uninstall",
]  # fmt: skip
