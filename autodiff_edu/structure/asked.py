"""A linear operation that only moves entries is asked where each of them goes.

Its own body runs on the numbers of the entries, and then on random numbers: where each entry of the
result is one of the operand's, or 0, that is its pattern. If that is not so, its pullback is asked:
what adds up entries moves cotangents.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..expr import Constant, Expr, Input, Op, TensorType, evaluate, postorder
from ..ops import float_type, pulled
from .entries import Labels

DIGIT = 1024  # whole numbers below it are exact in every dtype of floats
DRAWS = 3
Linear = Callable[[np.ndarray], Any]


class Known:
    """The values of nodes that depend on no input."""

    def __init__(self) -> None:
        self.closed: dict[Expr, bool] = {}

    def value(self, n: Expr) -> Any:
        """The value of a node, or None where it depends on an input."""
        if isinstance(n, Constant):
            return n.value
        return evaluate(n) if self.is_closed(n) else None

    def is_closed(self, root: Expr) -> bool:
        """Each node is looked at once, however often this is asked."""
        todo = [root]
        while todo:
            n = todo[-1]
            left = [i for i in n.inputs if i not in self.closed]
            if n not in self.closed and left:
                todo += left
                continue
            todo.pop()
            if n not in self.closed:
                inner = n.op is not None and all(self.closed[i] for i in n.inputs)
                self.closed[n] = inner or isinstance(n, Constant)
        return self.closed[root]


def linear_in(op: Op, count: int) -> tuple[int, ...]:
    """The places in which an operation says that it is jointly linear."""
    return tuple(range(count)) if op.linear is True else tuple(op.linear or ())


def moved(n: Expr, k: int, known: Known) -> Labels | None:
    """Where the entries of operand k go, if the operation only moves them or adds them up."""
    places = linear_in(n.op, len(n.inputs))
    if k not in places:
        return None
    symbols = [Input("x", x.type) for x in n.inputs]
    node = n.op.apply(tuple(symbols), n.static)
    ct = Input("ct", TensorType(float_type(node.dtype), node.type.shape))
    back = pulled(n.op, symbols, [node], [ct], dict(n.static))[k]
    values = operand_values(n, places, used_by(back), symbols, known)
    if values is None:
        return None
    x = symbols[k]

    def forward(v: np.ndarray) -> Any:
        given = [v.astype(x.dtype).reshape(x.shape) if j == k else u for j, u in enumerate(values)]
        return n.op.perform(*given, **dict(n.static))

    def backward(v: np.ndarray) -> Any:
        at = dict(zip(symbols, values)) | {ct: v.astype(ct.dtype).reshape(ct.shape)}
        return np.zeros(x.shape) if back is None else evaluate(back, at)

    found = sources(forward, x.size)
    if found is not None:
        return Labels(found, np.arange(x.size), x.size)
    found = sources(backward, node.size)
    return None if found is None else Labels(np.arange(node.size), found, node.size)


def used_by(back: Expr | None) -> set[Expr]:
    return set() if back is None else set(postorder([back]))


def operand_values(
    n: Expr, places: Sequence[int], used: set[Expr], symbols: Sequence[Expr], known: Known
) -> list[Any] | None:
    """Zeros in the linear places, and what is known in the others, where the pullback uses it."""
    values = []
    for j, (x, symbol) in enumerate(zip(n.inputs, symbols, strict=True)):
        free = j in places or symbol not in used
        values.append(np.zeros(x.shape, x.dtype)[()] if free else known.value(x))
    return None if any(v is None for v in values) else values


def sources(function: Linear, n: int) -> np.ndarray | None:
    """For each entry of the result the place among n entries from which it comes, −1 for 0; None
    where an entry is anything else."""
    places = np.zeros((), np.int64)
    for k in range(digits(n)):
        digit = np.ravel(function((np.arange(1, n + 1) // DIGIT**k % DIGIT).astype(float)))
        if not (np.isfinite(digit).all() and (digit == np.rint(digit)).all()):
            return None
        places = places + digit.astype(np.int64) * DIGIT**k
    if np.any((places < 0) | (places > n)):
        return None
    draw = np.random.default_rng(0)
    for _ in range(DRAWS):
        numbers = draw.integers(1, DIGIT, n + 1).astype(float)
        numbers[0] = 0
        if (np.ravel(function(numbers[1:])) != numbers[places]).any():
            return None
    return places - 1


def digits(n: int) -> int:
    """How many digits the numbers up to n have."""
    return max(1, -(-n.bit_length() // 10))
