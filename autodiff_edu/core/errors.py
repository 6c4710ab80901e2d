"""The errors of the house: each is a kind of built-in error, and its message a whole sentence.

Behind the sentence stands the remedy, what to write instead in the user's words, where the room of
errors knows one: it enters a function in `REMEDIES`, by the subject of the refusal.
"""

from collections.abc import Callable
from typing import Any, TypeVar

from numpy.linalg import LinAlgError

E = TypeVar("E", bound=Exception)
MISUSE = (TypeError, ValueError, IndexError, OverflowError)  # by operands that do not fit
REMEDIES: dict[str, Callable[..., str]] = {}


def refusal(kind: type[E], sentence: str, subject: str, **facts: Any) -> E:
    """The error that says so, and behind it the remedy for this subject, told from these facts."""
    remedy = REMEDIES[subject](**facts) if subject in REMEDIES else ""
    return kind(f"{sentence}: {remedy}" if remedy else sentence)


# ---- the kinds


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
