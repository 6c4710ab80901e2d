"""What a graph costs: operations, and floating point operations where all lengths are known.

An elementwise operation or a draw costs one for each entry of its result, whatever the function; a
reduction one for each entry that it reads; a product of arrays two for each term. Moving numbers is
free. A factorisation costs its leading term (Golub and Van Loan, Matrix Computations, 2013).
"""

from math import prod
from typing import Any, NamedTuple

from ...expr import Expr, Graph, as_graph, hook

# Floating point operations for each entry of the first operand.
READ = {
    "sum": 1, "mean": 1, "max": 1, "min": 1, "all": 1, "any": 1, "argmax": 1, "argmin": 1,
    "product": 1, "cumsum": 1, "cumprod": 1, "scatter": 1, "overlap": 1, "norm2": 2,
    "logsumexp": 4, "softmax": 5, "log_softmax": 5, "product_of_others": 3,
}  # fmt: skip
MOVING = (
    "item history length count truncate places set_at zero_grad disconnected_grad undefined_grad "
    "grad_clip grad_scale"
).split()


class Cost(NamedTuple):
    """`operations` counts nodes; `flops` is None where a length is not known, or where what an
    operation does has no fixed price, as in iterations, in sorting and in operations of yours."""

    operations: int
    flops: int | None


@hook("cost")
def cost(what: Any) -> Cost:
    """The cost of computing a graph once, a shared node counted once."""
    operations = as_graph(what).operations
    each = [flops(n) for n in operations]
    known = [f for f in each if f is not None]
    return Cost(len(operations), sum(known) if len(known) == len(each) else None)


def flops(n: Expr) -> int | None:
    """Floating point operations of one node."""
    name = n.op.name
    if isinstance(n.op.body, Graph):
        return times(getattr(n.op, "steps", 1), cost(n.op.body).flops)
    if getattr(n.op, "elementwise", False):
        return size(n)
    if name in READ:
        entries = size(n.inputs[0])
        return None if entries is None else READ[name] * entries
    if name in PRICES:
        return PRICES[name](n) if all(i.type.known for i in n.inputs) else None
    if name == "add_at":
        return size(n.inputs[1])
    return 0 if n.op.linear or n.op.view or name in MOVING else None


def times(steps: int | None, each: int | None) -> int | None:
    return None if steps is None or each is None else steps * each


def size(n: Expr) -> int | None:
    return prod(n.shape) if n.type.known else None


def terms(n: Expr) -> int:
    """Of an einsum: a product of all operands for each choice of the letters, and its addition."""
    letters = dict(n.static)["subscripts"].partition("->")[0].split(",")
    lengths: dict[str, int] = {}
    for names, x in zip(letters, n.inputs, strict=True):
        for letter, length in zip(names, x.shape, strict=True):
            lengths[letter] = max(length, lengths.get(letter, 1))
    every = prod(lengths.values())
    return every * (len(letters) - 1) + every * (every > prod(n.shape))


def cubes(n: Expr) -> int:
    """n³ for a matrix, over a stack of them."""
    x = n.inputs[0]
    return prod(x.shape) * x.shape[-1]


PRICES = {
    "matmul": lambda n: 2 * n.inputs[0].shape[-1] * prod(n.shape),
    "contract": terms,
    "recurrence": lambda n: 2 * prod(n.shape),
    "standard_uniform": size,
    "standard_normal": size,
    "categorical": lambda n: prod(n.shape) * n.inputs[1].shape[-1],
    "inv": lambda n: 2 * cubes(n),
    "solve_columns": lambda n: 2 * cubes(n) // 3 + 2 * n.inputs[0].shape[-1] * prod(n.shape),
    "det": lambda n: 2 * cubes(n) // 3,
    "sign_and_log_det": lambda n: 2 * cubes(n) // 3,
    "lower_cholesky": lambda n: cubes(n) // 3,
}
