"""The names of Theano's modules, and what each of them has.

Takes: the functions and classes of this room. Gives: a module for each that Theano 1.0.5 had,
made when it is imported, by `autodiff_edu.theano.tensor` or, after `install_as_theano()`, by
`theano.tensor`.
"""

from .finder import install, install_as_theano, uninstall

__all__ = ["install", "install_as_theano", "uninstall"]
