"""Chance: random draws as pure functions of a stream's state, and gradients of expectations."""

from .score import score_function
from .stream import RandomStream

__all__ = ["RandomStream", "score_function"]
