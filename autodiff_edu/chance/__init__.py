"""Chance: random draws as pure functions of a stream's state, and gradients of expectations.

Takes: a stream, the parameters of a law, and a shape. Gives: draws, which are expressions like all
others and depend on the stream's state alone; and gradients of an expected value, along the path of
the draws or by the score of their law.
"""

from .score import score_function
from .stream import RandomStream

__all__ = ["RandomStream", "score_function"]
