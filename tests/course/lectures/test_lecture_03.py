"""Rules, sizes and tables of trees: right answers in any form pass, others are told why.

Protects the sentences of these checkers, and that exact numbers keep right answers from being
refused.
"""

from fractions import Fraction

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu import course
from autodiff_edu.course.lectures.lecture_03 import (
    VALUES,
    sizes_of,
    slopes,
    some_tree,
    value,
    value_and_slope,
)
from autodiff_edu.course.lectures.more.lecture_03_merged import miswritten, unshared
from tests.helpers.depth import draws, some

SEEDS = range(draws(10))

# ---- the rules


def textbook(tree):
    if not isinstance(tree, tuple):
        return int(tree == "x")
    op, u, v = tree
    du, dv = textbook(u), textbook(v)
    if op == "multiply":
        return ("add", ("multiply", du, v), ("multiply", u, dv))
    top = ("subtract", ("multiply", du, v), ("multiply", u, dv))
    return ("divide", top, ("multiply", v, v)) if op == "divide" else (op, du, dv)


def of_the_engine(tree):
    """Another rule for quotients, and floats: (u' - v'·(u/v))/v."""
    if not isinstance(tree, tuple):
        return float(tree == "x")
    op, u, v = tree
    du, dv = of_the_engine(u), of_the_engine(v)
    if op == "multiply":
        return ("add", ("multiply", u, dv), ("multiply", v, du))
    return (
        ("divide", ("subtract", du, ("multiply", dv, tree)), v) if op == "divide" else (op, du, dv)
    )


def shortened(tree):
    """Without what is nothing."""
    if not isinstance(tree, tuple):
        return Fraction(tree == "x")
    op, u, v = tree
    du, dv = shortened(u), shortened(v)
    if op in ("add", "subtract"):
        return du if dv == 0 else (op, du, dv)
    left = 0 if du == 0 else ("multiply", du, v)
    if dv == 0:
        return left if op == "multiply" or left == 0 else ("divide", du, v)
    right = ("multiply", u, dv)
    top = ("add" if op == "multiply" else "subtract", left, right)
    return top if op == "multiply" else ("divide", top, ("multiply", v, v))


@pytest.mark.each("student", [textbook, of_the_engine, shortened])
def test_every_right_form_of_the_rules_is_accepted(student):
    for seed in SEEDS:
        course.check_derivative(student, seed=seed)


def test_the_slope_is_that_of_the_engine():
    rng, x = np.random.default_rng(0), ad.scalar("x")
    ops = {"add": ad.add, "subtract": ad.subtract, "multiply": ad.multiply, "divide": ad.divide}

    def built(tree):
        if isinstance(tree, tuple):
            return ops[tree[0]](built(tree[1]), built(tree[2]))
        return x if tree == "x" else ad.constant(float(tree))

    for k in some(range(40), 4):
        tree = some_tree(rng, 1 + k // 10)
        at, slope = next(slopes(rng, tree))
        e = built(tree) + 0 * x
        found = ad.Graph([e, ad.grad(e, x)]).evaluate({x: float(at)})
        assert np.allclose(found, [float(value(tree, at)), float(slope)], rtol=1e-6, atol=1e-6)


def test_a_random_tree_has_an_operation_and_a_value():
    rng = np.random.default_rng(0)
    trees = [some_tree(rng, 3) for _ in range(200)]
    assert {tree[0] for tree in trees} == set(VALUES)
    assert all(value_and_slope(tree, Fraction(7, 3)) for tree in trees)


@pytest.mark.each(
    "wrong, why",
    [
        (lambda tree: 0.5, "another slope\n  expected"),
        (lambda tree: ("divide", 1, 0), "divides by zero where the tree has a value"),
        (lambda tree: ("add", "x"), "a part of the result is no tree"),
        (lambda tree: ("add", 1, [1]), r"is no tree\n  needed .*\n  got       \[1\]"),
        (lambda tree: float("inf"), "is no tree"),
        (lambda tree: "y", "is no tree"),
    ],
)
def test_wrong_trees(wrong, why):
    with pytest.raises(course.Wrong, match=why) as objection:
        course.check_derivative(wrong)
    assert "(tree=(" in str(objection.value)


# ---- how they grow


def test_sizes_are_those_of_the_lecture():
    found = [sizes_of(lambda l: 4 * l * (1 - l), n) for n in range(1, 8)]
    assert [row[0] for row in found] == [1, 7, 19, 43, 91, 187, 379]
    assert [row[1] for row in found] == [1, 6, 9, 12, 15, 18, 21]
    assert [row[2] for row in found] == [1, 19, 73, 217, 577, 1441, 3457]
    assert [row[3] for row in found] == [1, 13, 23, 33, 43, 53, 63]


def square(f):
    return f * f


def of_squares(n, change=(0, 0, 0, 0)):
    d = 1
    for k in range(1, n):
        d = 2 * d + 2 * (2**k - 1) + 3
    return [v + c for v, c in zip((2**n - 1, n, d, max(1, 4 * n - 3)), change)]


def test_sizes(capsys):
    course.check_sizes(of_squares, square, sizes=(1, 2, 70))
    assert capsys.readouterr().out == "of_squares: right for n = 1, 2, 70\n"


@pytest.mark.each(
    "change, why",
    [
        ((1, 0, 0, 0), "the tree of f has fewer nodes"),
        ((0, -1, 0, 0), "the graph of f has more nodes"),
        ((0, 0, 1, 0), "the tree of f′ has fewer nodes"),
        ((0, 0, 0, -1), "the graph of f′ has more nodes"),
        ((0.0, 0, 0, 0), "the tree of f\n  needed    a whole number"),
    ],
)
def test_wrong_sizes(change, why):
    with pytest.raises(course.Wrong, match=why) as objection:
        course.check_sizes(lambda n: of_squares(n, change), square)
    assert "expected" not in str(objection.value)


# ---- equal nodes merged


def table(tree):
    rows, number = [], {}

    def place(part):
        row = (part[0], *map(place, part[1:])) if isinstance(part, tuple) else part
        if row not in number:
            number[row] = len(rows)
            rows.append(row)
        return number[row]

    place(tree)
    return rows


def from_the_right(tree):
    """Another order of rows, in a tuple."""
    number = {}

    def place(part):
        if isinstance(part, tuple):
            right, left = place(part[2]), place(part[1])
            part = (part[0], left, right)
        return number.setdefault(part, len(number))

    place(tree)
    return tuple(number)


@pytest.mark.each("student", [table, from_the_right])
def test_every_order_of_rows_is_right(student):
    for seed in SEEDS:
        course.check_merged(student, seed=seed)


def test_tables_of_the_logistic_map(capsys):
    x = ad.scalar("x")

    def as_tree(n):
        return (n.op.name, *map(as_tree, n.inputs)) if n.op else str(n)

    trees, l = [], x
    for _ in range(7):
        trees.append(as_tree(ad.symbolic_derivative(l, x).output))
        l = 4 * l * (1 - l)
    course.check_merged(table, trees, trials=5)
    out = capsys.readouterr().out
    assert out == "table: right for 5 random trees, then 1, 13, 23, 33, 43, 53, 63 rows\n"


TREE = ("add", ("multiply", "x", 3), ("multiply", "x", 3))


@pytest.mark.each(
    "rows, problem",
    [
        (["x", 3, ("multiply", 0, 1), ("add", 2, 2)], ""),
        ([3, "x", ("multiply", 1, 0), ("add", 2, 2)], ""),
        (["x", 3, ("multiply", 0, 1), ("multiply", 0, 1), ("add", 2, 3)], "rows 2 and 3 are equal"),
        (["x", 3, ("multiply", 1, 0), ("add", 2, 2)], "the last row is not this tree"),
        (["x", 3, ("multiply", 0, 1)], "the last row is not this tree"),
        (["x", 3, 4, ("multiply", 0, 1), ("add", 3, 3)], "row 2 is used by no other"),
        ([("add", 0, 0)], "row 0 must be a leaf, or (operation, i, j) with i and j above it"),
        (
            ["x", ("power", 0, 0)],
            "row 1 must be a leaf, or (operation, i, j) with i and j above it",
        ),
        (["x", ("add", 0)], "row 1 must be a leaf, or (operation, i, j) with i and j above it"),
        ([None], "row 0 must be a leaf or a tuple, and is None"),
    ],
)
def test_what_is_wrong_with_a_table(rows, problem):
    assert miswritten(rows, TREE) == problem


def test_that_two_parts_are_one_object_tells_nothing():
    part = ("multiply", "x", "x")
    apart = unshared(("add", part, part))
    assert apart[1] == apart[2] == part and apart[1] is not apart[2]


# ---- a tree of any size


def halved(x, n):
    if n == 1:
        return x
    if n % 2 == 0:
        return ad.sin(halved(x, n - 1))
    y = halved(x, n // 2)
    return y + y


def with_x(x, n):
    """Another way: two nodes more by a sum with x."""
    if n < 3:
        return x if n == 1 else -x
    if n % 2 == 0:
        return -with_x(x, n - 1)
    half = with_x(x, (n - 1) // 2)
    return half * half


@pytest.mark.each("student", [halved, with_x])
def test_trees_of_any_size(student):
    for seed in SEEDS:
        course.check_swollen(student, seed=seed)


@pytest.mark.each(
    "wrong, why",
    [
        (lambda x, n: x, "the nodes of the tree\n  needed    2\n  got       1"),
        (
            lambda x, n: x if n == 1 else -wrong_chain(x, n - 1),
            "nodes of the graph\n  needed    at",
        ),
        (lambda x, n: n, "an expression is needed\n  got       of type int"),
    ],
)
def test_trees_of_other_sizes(wrong, why):
    with pytest.raises(course.Wrong, match=why):
        course.check_swollen(wrong)


def wrong_chain(x, n):
    return x if n == 1 else -wrong_chain(x, n - 1)
