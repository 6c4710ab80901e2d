"""Trees and graphs of derivatives: rules on tuples, sizes, swelling at will.

A tree is a leaf or a tuple (operation, left, right): ("multiply", "x", ("add", "x", 3)). All values
are fractions, so that no right answer is lost by rounding.
"""

import operator
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import islice
from math import isfinite
from typing import Any, NoReturn

import numpy as np

from ...differentiate import symbolic_derivative
from ...expr import Expr, Graph, Input, TensorType
from ..harness.chart import chart_graph
from ..harness.check import call, where
from ..harness.checker import checker
from ..harness.failing_tree import Tree, chart_tree, smallest_tree
from ..harness.feedback import Wrong, complain, kind, spell

Rng = np.random.Generator
VALUES: Mapping[str, Callable[[Any, Any], Any]] = {
    "add": operator.add,
    "subtract": operator.sub,
    "multiply": operator.mul,
    "divide": operator.truediv,
}

# ---- the rules


@checker
def check_derivative(
    student: Callable[[Tree], Tree], *, trials: int = 60, seed: int | None = None
) -> None:
    """student(tree) is a tree of the derivative: both have the same value at random fractions.

    Parameters
    ----------
    trials : int, default: 60
        How many random trees are tried; the first ones have one operation.

    Raises
    ------
    Wrong
        If it is not so, with the tree, where, and what is right.
    """
    rng, name = np.random.default_rng(seed), student.__name__
    for k in range(trials):
        tree = some_tree(rng, 1 + min(k // 15, 3))
        derivative, said = call(student, (tree,)), where(student, (tree,))
        check_tree(name, derivative, said)
        for x, slope in islice(slopes(rng, tree), 3):
            if slope_of(derivative, x) != slope:
                object_to(student, tree, x)
    draw(student, "your slopes of the parts of x·x + 3 at x = 2", POLYNOMIAL, Fraction(2))
    print(f"{name}: right for {trials} random trees")


def slope_of(derivative: Tree, x: Fraction) -> Fraction | None:
    """The value of the student's tree, or None where it divides by zero."""
    try:
        return value(derivative, x)
    except ZeroDivisionError:
        return None


# ---- where a derivative is wrong

POLYNOMIAL: Tree = ("add", ("multiply", "x", "x"), 3)
SIMPLE = (Fraction(2), Fraction(3), Fraction(1, 2))


def object_to(student: Callable[[Tree], Tree], tree: Tree, x: Fraction) -> NoReturn:
    """Raise Wrong, with the smallest tree whose slope is wrong, drawn."""

    def failure(tree: Tree) -> Fraction | None:
        """A number at which the slope of this tree is wrong. An error is another fault."""
        try:
            derivative = call(student, (tree,))
            check_tree("", derivative, "")
            wrong = [at for at in (*SIMPLE, x) if has_value(tree, at)
                     and slope_of(derivative, at) != value_and_slope(tree, at)[1]]  # fmt: skip
        except Wrong:
            return None
        return wrong[0] if wrong else None

    tree = smallest_tree(tree, lambda other: failure(other) is not None)
    at = failure(tree)
    x = x if at is None else at
    draw(student, f"the smallest tree whose slope is wrong, at x = {x}", tree, x)
    derivative, name = call(student, (tree,)), student.__name__
    got, place = slope_of(derivative, x), f"x = {x} in {where(student, (tree,))}"
    if got is None:
        what = f"{name}: the result divides by zero where the tree has a value"
        raise Wrong(f"{what}\n  got       {spell(derivative)}\n  at        {place}")
    lines = [f"{name}: another slope", f"  expected  {value_and_slope(tree, x)[1]}"]
    lines += [f"  got       {got}, from {spell(derivative)}", f"  at        {place}"]
    raise Wrong("\n".join(lines))


def has_value(tree: Tree, x: Fraction) -> bool:
    try:
        value(tree, x)
    except ZeroDivisionError:
        return False
    return True


def draw(student: Callable[[Tree], Tree], title: str, tree: Tree, x: Fraction) -> None:
    """Chart a tree, with the student's slope of each part."""

    def own(part: Tree) -> Fraction | None:
        try:
            return slope_of(call(student, (part,)), x)
        except Wrong:
            return None

    def right(part: Tree) -> Fraction:
        return value_and_slope(part, x)[1]

    spelled = lambda slope: "no number" if slope is None else str(slope)
    chart_tree(f"{student.__name__}: {title}", tree, own, right, spelled)


def check_tree(name: str, found: Tree, at: str) -> None:
    """Raise Wrong unless this is a tree of tuples, numbers and x."""
    stack = [found]
    while stack:
        part = stack.pop()
        if isinstance(part, tuple) and len(part) == 3 and part[0] in list(VALUES):
            stack += part[1:]
        elif not (isinstance(part, str) and part == "x" or is_number(part)):
            words = f"'x', a number, or (operation, left, right) with {', '.join(VALUES)}"
            complain(f"{name}: a part of the result is no tree", words, spell(part), at)


def is_number(part: Any) -> bool:
    return isinstance(part, (int, float, Fraction)) and isfinite(part)


def value(tree: Tree, x: Fraction) -> Fraction:
    """Raises ZeroDivisionError."""
    if isinstance(tree, tuple):
        return VALUES[tree[0]](*[value(part, x) for part in tree[1:]])
    return x if isinstance(tree, str) else Fraction(tree)


def value_and_slope(tree: Tree, x: Fraction) -> tuple[Fraction, Fraction]:
    """Both, exactly, by dual numbers. Raises ZeroDivisionError."""
    if not isinstance(tree, tuple):
        return value(tree, x), Fraction(tree == "x")
    (u, du), (v, dv) = (value_and_slope(part, x) for part in tree[1:])
    rules = {
        "add": lambda: du + dv,
        "subtract": lambda: du - dv,
        "multiply": lambda: du * v + u * dv,
        "divide": lambda: (du * v - u * dv) / (v * v),
    }
    return VALUES[tree[0]](u, v), rules[tree[0]]()


def slopes(rng: Rng, tree: Tree) -> Any:
    """Random fractions at which the tree has a value, with the slope there; endless."""
    while True:
        x = Fraction(int(rng.integers(-99, 100)), int(rng.integers(1, 20)))
        try:
            yield x, value_and_slope(tree, x)[1]
        except ZeroDivisionError:
            continue


def some_tree(rng: Rng, depth: int) -> Tree:
    """A random tree that has a value at some number, and so at nearly all of them."""
    while True:
        tree = (str(rng.choice(list(VALUES))), part(rng, depth - 1), part(rng, depth - 1))
        try:
            value(tree, Fraction(7, 3))
            return tree
        except ZeroDivisionError:
            continue


def part(rng: Rng, depth: int) -> Tree:
    """A random tree, which may divide by zero everywhere."""
    if not depth or rng.random() < 0.1:
        return "x" if rng.random() < 0.6 else int(rng.integers(-3, 6))
    return (str(rng.choice(list(VALUES))), part(rng, depth - 1), part(rng, depth - 1))


# ---- how they grow

SIZES = ("the tree of f", "the graph of f", "the tree of f′", "the graph of f′")


@checker
def check_sizes(
    student: Callable[[int], Sequence[int]],
    step: Callable[[Any], Any],
    sizes: Sequence[int] = (*range(1, 9), 60),
) -> None:
    """student(n) is how many nodes f and f′ have after n - 1 steps, as trees and as graphs.

    Parameters
    ----------
    step : callable
        One step, of an expression: f₁ = x, and fₙ₊₁ = step(fₙ).
    sizes : sequence of int
        The n that are tried.

    Raises
    ------
    Wrong
        If it is not so, with where and in which direction.
    """
    name = student.__name__
    for n in sizes:
        got, at = call(student, (n,)), f"n = {n}"
        if not isinstance(got, (tuple, list)) or len(got) != len(SIZES):
            complain(name, f"four numbers: {', '.join(SIZES)}", spell(got), at)
        for what, said, true in zip(SIZES, got, sizes_of(step, n), strict=True):
            if not isinstance(said, (int, np.integer)):
                complain(f"{name}: {what}", "a whole number", spell(said), at)
            if said != true:
                less = "fewer" if said > true else "more"
                raise Wrong(f"{name}: {what} has {less} nodes\n  got       {got}\n  at        {at}")
    print(f"{name}: right for n = {', '.join(map(str, sizes))}")


def sizes_of(step: Callable[[Any], Any], n: int) -> list[int]:
    x = Input("x", TensorType("float64", ()))
    f: Any = x
    for _ in range(n - 1):
        f = step(f)
    graphs = Graph(f), Graph(symbolic_derivative(f, x).output)
    return [size for graph in graphs for size in (graph.tree_size, graph.size)]


# ---- a tree of any size


@checker
def check_swollen(
    student: Callable[[Any, int], Any], *, trials: int = 60, seed: int | None = None
) -> None:
    """student(x, n) has a tree of n nodes, and a graph of at most two for each binary digit of n.

    Parameters
    ----------
    trials : int, default: 60
        How many n are tried: from 1 up to a half of them, then random ones up to 10¹².
    seed : int, optional
        Of the random numbers; by default a fresh one each time.

    Raises
    ------
    Wrong
        If it is not so, with where and what is needed.
    """
    rng, name = np.random.default_rng(seed), student.__name__
    x = Input("x", TensorType("float64", ()))
    large = [int(10 ** rng.uniform(2, 12)) for _ in range(trials - trials // 2)]
    for n in [*range(1, trials // 2 + 1), *large]:
        e, at = call(student, (x, n), by_hand=False), f"{name}(x, {n})"
        if not isinstance(e, Expr):
            raise Wrong(f"{name}: an expression is needed\n  got       {kind(e)}\n  at        {at}")
        graph, most = Graph(e), 2 * n.bit_length()
        chart_graph(f"{name}: your graph for n = {n}", [e])
        if graph.tree_size != n:
            complain(f"{name}: the nodes of the tree", n, graph.tree_size, at)
        if graph.size > most:
            complain(f"{name}: the nodes of the graph", f"at most {most}", graph.size, at)
    chart_graph(f"{name}: your graph for n = 11", [call(student, (x, 11), by_hand=False)])
    print(f"{name}: a tree of n nodes in a small graph, for {trials} n")
