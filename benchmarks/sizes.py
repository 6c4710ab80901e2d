"""How short derivatives become: operations left in well-known ones, beside what peers leave.

Equal nodes are counted once, and only operations that compute: numbers that are moved cost nothing.
The peers' figures are quoted, not measured here: CasADi, XLA (as JAX hands it its graphs) and
PyTensor 3 count distinct operations, SymPy's derivative is a tree.
"""

from collections.abc import Callable, Iterable
from typing import Any

from _report import show

import autodiff_edu as ad
from autodiff_edu.ops import weight

Cost = tuple[ad.Expr, Any]  # a cost, and with respect to what

HOW_LOGISTIC = """Distinct operations in dl(n)/dx for l(n + 1) = 4 l(n) (1 - l(n)), l(1) = x.
A dash where a peer was not measured."""
HOW_GRADIENTS = """Arithmetic operations in the gradient. Over another set of fourteen such formulas
the shortest forms need 26; SymPy leaves 33, PyTensor 70, CasADi 78 and XLA 115."""
HOW_SHARING = """Products and nests, whose gradients are short only where parts are shared:
PyTensor and XLA leave 360 operations for the product of twenty variables."""


# ---- formulas


def logistic(n: int) -> Cost:
    x = l = ad.scalar("x")
    for _ in range(n - 1):
        l = 4 * l * (1 - l)
    return l, x


def product(n: int) -> Cost:
    xs = [ad.scalar(f"x{k}") for k in range(n)]
    return multiplied(xs), xs


def roots(n: int) -> Cost:
    x = ad.scalar("x")
    return multiplied([x - k for k in range(1, n + 1)]), x


def nested_sines(n: int) -> Cost:
    x = y = ad.scalar("x")
    for _ in range(n):
        y = ad.sin(y)
    return y, x


def multiplied(factors: Iterable[ad.Expr]) -> ad.Expr:
    first, *others = factors
    for x in others:
        first = first * x
    return first


x, y, t = ad.scalar("x"), ad.scalar("y"), ad.scalar("t")
z, labels = ad.vector("z"), ad.vector("t")
W, v, b = ad.matrix("W"), ad.vector("x"), ad.vector("b")
s = 1 / (1 + ad.exp(-x))
E = ad.exp(z)

GRADIENTS: dict[str, tuple[Cost, int]] = {  # formula: (cost and wrt, most operations)
    "x*x + x - 2": ((x * x + x - 2, x), 2),
    "softplus: log(1 + e^x)": ((ad.log(1 + ad.exp(x)), x), 1),
    "tanh x": ((ad.tanh(x), x), 3),
    "sigmoid cross entropy": ((-(t * ad.log(s) + (1 - t) * ad.log(1 - s)), x), 2),
    "softmax cross entropy": ((-ad.sum(labels * ad.log(E / ad.sum(E))), z), 4),
    "‖Wx − b‖²": ((ad.sum((W @ v - b) ** 2), v), 4),
    "(x + y)² − (x − y)²": (((x + y) ** 2 - (x - y) ** 2, [x, y]), 2),
    "sin² x + cos² x": ((ad.sin(x) ** 2 + ad.cos(x) ** 2, x), 0),
    "x*y/y": ((x * y / y, x), 0),
    "√(x²)": ((ad.sqrt(x**2), x), 1),
    "log(e^x · e^y)": ((ad.log(ad.exp(x) * ad.exp(y)), x), 0),
    "x*x*x*x*x": ((x * x * x * x * x, x), 3),
    "c·exp(−x²/2)": ((0.3989 * ad.exp(-x * x / 2), x), 5),
    "x³ sin(x)/x": ((x**3 * ad.sin(x) / x, x), 6),
}
SHARING: dict[str, tuple[Callable[[], Cost], int]] = {
    "x1·x2 ⋯ x20": (lambda: product(20), 57),
    "(x − 1)(x − 2) ⋯ (x − 20)": (lambda: roots(20), 93),
    "sin nested 20 deep": (lambda: nested_sines(20), 58),
}
LOGISTIC = {4: 20, 6: 34, 8: 48, 10: 62}  # n: most operations
PEERS = {  # n = 4, 6, 8, 10
    "CasADi": (20, 34, 48, 62),
    "XLA": (21, 37, 53, 69),
    "SymPy (tree)": (82, 768, 5472, 34048),
    "PyTensor": (20, 55, 167, "-"),
}


# ---- counting


def arithmetic(stage: ad.Stage) -> int:
    """The operations that compute."""
    return sum(weight(n) > 0 for n in stage.graph.operations)


def gradient(cost: Cost, mode: str) -> ad.Stage:
    """The simplified gradient, by reverse mode."""
    return ad.simplify(ad.grad(*cost), mode=mode)


def symbolic(cost: Cost, mode: str) -> ad.Stage:
    """The simplified derivative, by the chain rule."""
    return ad.simplify(ad.symbolic_derivative(*cost), mode=mode)


def main(lengths: Iterable[int] = (4, 6, 8, 10)) -> None:
    """Three tables."""
    lengths = list(lengths)
    ours = {
        f"ours, {way.__name__}, {mode}": [arithmetic(way(logistic(n), mode)) for n in lengths]
        for way in (gradient, symbolic)
        for mode in ("safe", "real")
    }
    quoted = {name: [row[list(LOGISTIC).index(n)] for n in lengths] for name, row in PEERS.items()}
    rows = [[name, *counts] for name, counts in (ours | quoted).items()]
    show("Logistic map", HOW_LOGISTIC, ["derivative", *(f"n = {n}" for n in lengths)], rows)
    each = [
        [name, most, *(arithmetic(gradient(cost, mode)) for mode in ("real", "safe"))]
        for name, (cost, most) in GRADIENTS.items()
    ]
    each.append(["sum", *(sum(row[k] for row in each) for k in (1, 2, 3))])
    show("Gradients", HOW_GRADIENTS, ["gradient of", "bound", "real", "safe"], each)
    shared = [
        [name, most, *(arithmetic(gradient(cost(), mode)) for mode in ("real", "safe"))]
        for name, (cost, most) in SHARING.items()
    ]
    show("Sharing", HOW_SHARING, ["gradient of", "bound", "real", "safe"], shared)


if __name__ == "__main__":
    main()
