"""The errors of the house: each is a kind of built-in error and says what to write instead."""

from numpy.linalg import LinAlgError


class DisconnectedInputError(ValueError):
    """No differentiable path leads from an input to the cost."""


class NullTypeGradError(TypeError):
    """A derivative was asked for that does not exist."""


class MissingInputError(ValueError):
    """A graph needs an input that was not given."""


class ShapeError(ValueError):
    """Lengths that must be equal are not."""


class MatrixError(ShapeError, LinAlgError):
    """A matrix that is square is needed, or a matrix at all."""


class DTypeError(TypeError):
    """Values of this dtype cannot be used here."""


class PatternError(TypeError, AttributeError):
    """A pattern was asked for its dtype or shape."""


class RewriteLoopError(RuntimeError):
    """A set of rewrite rules runs in a circle."""


class GradientError(ArithmeticError):
    """A derivative disagrees with finite differences."""


class ConvergenceError(ArithmeticError):
    """A search ended before it had found a solution."""
