"""Programs that branch, as students write them."""

import math
from types import FunctionType

import numpy as np


def helical_valley(x):
    """Moré, Garbow and Hillstrom, 1981, problem 7."""
    if x[0] > 0:
        turn = np.arctan(x[1] / x[0]) / (2 * np.pi)
    elif x[0] < 0:
        turn = np.arctan(x[1] / x[0]) / (2 * np.pi) + 0.5
    else:
        turn = 0.25
    return 100 * ((x[2] - 10 * turn) ** 2 + (np.sqrt(x[0] ** 2 + x[1] ** 2) - 1) ** 2) + x[2] ** 2


def newton_sqrt(a):
    x = a
    while abs(x * x - a) > 1e-10 * a:
        x = (x + a / x) / 2
    return x


def bisection(c):
    """Where x³ + x = c; the derivative passes through the last step of Newton's."""
    low, high = -10.0, 10.0
    while high - low > 1e-9:
        middle = (low + high) / 2
        if middle**3 + middle < c:
            low = middle
        else:
            high = middle
    x = (low + high) / 2
    return x - (x**3 + x - c) / (3 * x**2 + 1)


def tax(income):
    owed = 0.0
    for start, rate in ((10_000.0, 0.1), (40_000.0, 0.15), (90_000.0, 0.2)):
        if income <= start:
            break
        owed = owed + rate * (income - start)
    return owed


def elimination(A):
    """The determinant, with pivoting, in plain Python."""
    rows = [[A[i, j] for j in range(3)] for i in range(3)]
    det = 1.0
    for k in range(3):
        best = k
        for i in range(k + 1, 3):
            if abs(rows[i][k]) > abs(rows[best][k]):
                best = i
        if best != k:
            rows[k], rows[best], det = rows[best], rows[k], -det
        det = det * rows[k][k]
        for i in range(k + 1, 3):
            factor = rows[i][k] / rows[k][k]
            rows[i] = [a - factor * b for a, b in zip(rows[i], rows[k], strict=True)]
    return det


def quicksort(x):
    """Σ k·x₍ₖ₎², the entries in order."""

    def ordered(items):
        if len(items) < 2:
            return items
        first, *others = items
        below = [v for v in others if v < first]
        above = [v for v in others if not v < first]
        return [*ordered(below), first, *ordered(above)]

    return sum(k * v * v for k, v in enumerate(ordered([x[0], x[1], x[2], x[3]]), 1))


def game_tree(x):
    """The value of a game of two players with these leaves, squared."""

    def value(leaves, mine):
        if len(leaves) == 1:
            return leaves[0]
        half = len(leaves) // 2
        sides = value(leaves[:half], not mine), value(leaves[half:], not mine)
        return max(sides) if mine else min(sides)

    return value([x[k] * np.sin(x[k]) for k in range(8)], True) ** 2


def table(x):
    """A cubic in each interval of a table."""
    k = int(np.floor(x))
    names = {0: 1.0, 1: 2.0, 2: -1.0}
    return names.get(k, 0.5) * (x - k) ** 3 + k * x


def clamped(x):
    """Chained comparisons, short circuits, `in`, `match`, sorted."""
    a, b, c = sorted([x[0], x[1], x[2]])
    if not (-1 < a < 1) or (b > 2 and c > 3):
        return a * b + c**2
    match [a > 0, c > 0]:
        case [True, True]:
            return a * b * c
        case [False, True]:
            return b**2 * c
    return a**3


SQUARE = [[[2.0, 1, 0.5], [1, 3, -1], [0.2, 1, 4]], [[0.1, 1, 0.5], [1, 3, -1], [5, 1, 4]]]
PROGRAMS = {  # a program, and points on both sides of each of its boundaries
    helical_valley: [[1.0, 0.5, 0.3], [-1.0, 0.5, 0.3], [0.2, -2.0, 1.0], [-0.3, -1.0, 0.0]],
    newton_sqrt: [2.0, 3.0, 100.0, 1e-3, 2.5],
    bisection: [0.7, -3.0, 25.0, 0.1],
    tax: [5e3, 2e4, 5e4, 2e5, 3e4],
    elimination: SQUARE,
    quicksort: [[3.0, 1, 2, 4], [1.0, 2, 3, 4], [4.0, 3, 2, 1], [2.0, 4, 1, 3]],
    game_tree: [[math.sin(3 * k + s) * 3 for k in range(8)] for s in range(6)],
    table: [0.5, 1.5, 2.5, 3.5, -0.5],
    clamped: [[0.5, 0.7, 0.2], [-0.5, 0.7, 0.9], [3.0, 4, 5], [-0.5, -0.6, -0.2], [0.1, 3, 4.0]],
}


def with_numpy(program, numpy):
    """The program with another NumPy, such as that of HIPS autograd."""
    return FunctionType(program.__code__, {**program.__globals__, "np": numpy})
