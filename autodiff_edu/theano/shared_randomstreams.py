"""`RandomStreams`: size first, then the distribution's parameters."""

from typing import Any

from ..chance import RandomStream
from ..expr import Expr


class RandomStreams:
    """ad.RandomStream with Theano's words. Draws are functions of its state, and the state moves
    on by itself."""

    def __init__(self, seed: int = 0):
        self.stream = RandomStream(seed)

    def normal(self, size: Any = (), avg: Any = 0.0, std: Any = 1.0, **_: Any) -> Expr:
        return self.stream.normal(avg, std, size)

    def uniform(self, size: Any = (), low: Any = 0.0, high: Any = 1.0, **_: Any) -> Expr:
        return self.stream.uniform(low, high, size)

    def binomial(self, size: Any = (), n: int = 1, p: Any = 0.5, **_: Any) -> Expr:
        return self.stream.binomial(n, p, size)
