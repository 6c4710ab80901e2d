"""Checkers for recurrences: graphs that do not grow, and the matrix products of a sweep."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np

from ...expr import Expr, Graph, Input, TensorType
from ..harness.check import Draw, call, pulled, where
from ..harness.checker import checker
from ..harness.feedback import Wrong, complain, expect

FLOAT = TensorType(np.dtype(float), ())
SIZES = 3, 300
PRODUCTS = {np.dot, np.outer, np.inner, np.vdot, np.tensordot, np.einsum, np.kron}


# ---- a graph that does not grow


@checker
def check_loop(
    student: Callable[..., Any],
    of: Callable[..., float],
    *,
    trials: int = 5,
    seed: int | None = None,
) -> None:
    """student(r, x, T) is an expression with the value of `of`, of one size for every T.

    student(r, x, T) is an expression of r and x with the value of `of`, of one size for
    every T.

    The engine may be called, this once.
    """
    r, x = Input("r", FLOAT), Input("x", FLOAT)
    graphs = {T: graph_of(student, (r, x, T)) for T in SIZES}
    rng = np.random.default_rng(seed)
    for T, graph in graphs.items():
        for _ in range(trials):
            at = rng.uniform(0.5, 1.5, 2).round(3).tolist()
            expect(of(*at, T), graph.evaluate(dict(zip((r, x), at, strict=True))), f"{at}, T = {T}")
    few, many = (whole_size(g) for g in graphs.values())
    if few != many:
        found = f"{few} operations for T = {SIZES[0]}, {many} for T = {SIZES[1]}"
        complain(f"{student.__name__}: the graph grows", "one size", found)
    print(f"{student.__name__}: right; {few} operations, for 3 steps as for 300")


def graph_of(student: Callable[..., Any], args: tuple) -> Graph:
    found = call(student, args, by_hand=False)
    if not isinstance(found, Expr):
        raise Wrong(f"{student.__name__} returns an expression, not {type(found).__name__}")
    return Graph(found, args[:2])


def whole_size(graph: Graph) -> int:
    """Operations, those inside of boxes included."""
    inner = [n.op.body for n in graph.operations if isinstance(n.op.body, Graph)]
    return len(graph.operations) + sum(map(whole_size, inner))


# ---- how many products a sweep makes


@checker
def check_products(
    student: Callable[..., Any],
    of: Callable[..., Any],
    inputs: Draw,
    allowed: Callable[[int], int],
    *,
    trials: int = 10,
    seed: int | None = None,
) -> None:
    """student(cotangent, *arrays) is the pullback of `of`, in few matrix products.

    student(cotangent, *arrays) is the pullback of `of`, in allowed(T) matrix products at
    most for T rows of the cotangent: products of arrays with @ or a function of NumPy's,
    outer ones too.

    Parameters
    ----------
    allowed : callable
        How many operations are allowed, by the size.
    """
    rng = np.random.default_rng(seed)
    for _ in range(trials):
        args = inputs(rng)
        ct = rng.normal(size=np.shape(of(*args)))
        tally: Counter[str] = Counter()
        got = call(student, [tallied(a, tally) for a in (ct, *args)])
        at = where(student, (ct, *args))
        expect(pulled(of, args, ct), got, at)
        if tally["products"] > allowed(len(ct)):
            found = f"{tally['products']}, for {len(ct)} steps"
            limit = f"at most {allowed(len(ct))} matrix products"
            complain(f"{student.__name__} works too much inside of its loops", limit, found, at)
    print(f"{student.__name__}: right at {trials} inputs, in no more products than allowed")


class Tallied(np.ndarray):
    """An array that counts the matrix products with it, and with what is computed from it."""

    tally: Any = None

    def __array_finalize__(self, of: Any) -> None:
        self.tally = getattr(of, "tally", None)

    def dot(self, other: Any, out: Any = None) -> Any:
        return np.dot(self, other, out)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **how: Any) -> Any:
        found = getattr(ufunc, method)(*plain(inputs), **plain(how))
        return self.counted(found, ufunc is np.matmul or method == "outer" or spreads(inputs))

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        return self.counted(func(*plain(args), **plain(kwargs)), func in PRODUCTS)

    def counted(self, found: Any, product: bool) -> Any:
        self.tally["products"] += product
        return tallied(found, self.tally) if isinstance(found, np.ndarray) else found


def spreads(inputs: Any) -> bool:
    """Is this a column times a row, an outer product in other words?"""
    shapes = [np.shape(x) for x in inputs]
    pair = len(shapes) == 2 and all(shapes)
    return bool(pair and max(map(np.size, inputs)) < np.prod(np.broadcast_shapes(*shapes)))


def tallied(a: Any, tally: Counter[str]) -> Any:
    found = np.array(a, dtype=float).view(Tallied)
    found.tally = tally
    return found


def plain(value: Any) -> Any:
    """The same without tallies, in lists, tuples and dictionaries too."""
    if isinstance(value, dict):
        return {k: plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)([plain(v) for v in value])
    return value.view(np.ndarray) if isinstance(value, Tallied) else value
