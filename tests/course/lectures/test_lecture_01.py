"""Counts, orders, rounds, sentences and shared parts: right answers pass, others are told why.

Protects the sentences of these checkers: each kind of mistake has its own, and none has the answer.
"""

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu import course
from autodiff_edu.course.lectures.lecture_01 import fingerprint, operations
from autodiff_edu.course.lectures.more.lecture_01_rounds import fault, longest
from tests.helpers.depth import draws

SEEDS = range(draws(15))
x, y = ad.scalar("x"), ad.scalar("y")
a, b, c = (ad.scalar(letter) for letter in "abc")


def returns(found):
    def student(*args):
        return found

    return student


# ---- how many nodes


def test_counts_are_those_of_graph_and_tree(capsys):
    v = x * x
    course.check_counts(returns({"four": (3, 7), "sum": [5, 5]}), {"four": v * v, "sum": x + 1 + y})
    assert capsys.readouterr().out == "student: right for 2 formulas\n"


@pytest.mark.each(
    "pair, why",
    [
        ((7, 7), "as a graph, too many: what is used twice is one node"),
        ((2, 7), "as a graph, too few: inputs and constants are nodes"),
        ((3, 8), "as a tree, too many"),
        ((3, 3), "as a tree, too few: all that is below a shared node"),
        ((3, 7.0), "two whole numbers"),
        (True, "two whole numbers"),
    ],
)
def test_wrong_counts(pair, why):
    v = x * x
    with pytest.raises(course.Wrong, match=why) as objection:
        course.check_counts(returns({"four": pair}), {"four": v * v})
    assert "expected" not in str(objection.value)


# ---- orders and rounds

USES = {"y": ["l", "r"], "l": ["x"], "r": ["x", "x"]}


@pytest.mark.each("order", [["l", "r", "y"], ("r", "l", "y")])
def test_any_possible_order_is_right(order):
    course.check_sequence(returns(order), USES)


@pytest.mark.each(
    "rounds, problem, at",
    [
        ([["l", "r"], ["y"]], "", ""),
        ([["y"], ["l", "r"]], "an operation comes too early", "y, which uses l"),
        ([["l", "r", "y"]], "an operation comes too early", "y, which uses l"),
        ([["x"], ["l", "r"], ["y"]], "this is no operation", "x"),
        ([["l"], ["y"]], "1 of 3 operations are missing", "r"),
        ([["l", "r", "l"], ["y"]], "an operation is there more than once", "3 are different"),
    ],
)
def test_a_fault_is_named(rounds, problem, at):
    assert fault(USES, rounds) == (problem, at)


def test_rounds_needed():
    assert [longest(uses) for uses in ({}, {"a": ["x"]}, USES)] == [0, 1, 2]
    assert longest(USES | {"z": ["y", "x"], "w": ["x", "z"]}) == 4


def in_rounds(uses):
    left, found = dict(uses), []
    while left:
        ready = [n for n in left if not set(left[n]) & set(left)]
        found.append(ready)
        left = {n: left[n] for n in left if n not in ready}
    return found


def as_late_as_possible(uses):
    """The other way to take as few rounds: each operation waits until it is needed."""
    left, found = dict(uses), []
    while left:
        used = {o for operands in left.values() for o in operands}
        ready = [n for n in left if n not in used]
        found.insert(0, ready)
        left = {n: left[n] for n in left if n not in ready}
    return found


@pytest.mark.each("student", [in_rounds, as_late_as_possible])
def test_every_way_to_take_few_rounds_is_right(student):
    for seed in SEEDS:
        course.check_rounds(student, seed=seed)


def test_more_rounds_than_needed():
    with pytest.raises(course.Wrong, match="fewer rounds are enough\n  needed    no more than"):
        course.check_rounds(lambda uses: [*in_rounds(uses), []])


# ---- from words to graphs


def test_a_fingerprint_is_that_of_a_structure():
    s = a + b
    assert fingerprint(s / (s * c)) == fingerprint((b + a) / (c * (a + b)))
    different = [a - (b - c), (a - b) - c, a - (c - b), a - (b + c), a * (b - c), x, x + 1, x + 2]
    assert len({fingerprint(e) for e in different}) == len(different)
    assert operations(s * s) == {"add": 2, "multiply": 1}


SENTENCES = {"one": "the product of a and the difference of b and c"}
PRINTS = {"one": fingerprint(a * (b - c))}


def test_either_order_of_a_product_is_right():
    for formula in (lambda a, b, c: a * (b - c), lambda a, b, c: (b - c) * a):
        course.check_sentences(lambda *abc, f=formula: {"one": f(*abc)}, SENTENCES, PRINTS)


@pytest.mark.each(
    "formula, why",
    [
        (lambda a, b, c: a * b - c, "the operations are right, but not what they are applied to"),
        (lambda a, b, c: a * b - a * c, "needed    1 × multiply, 1 × subtract\n  got .* 2 × mult"),
        (lambda a, b, c: ad.scalar("a") * (b - c), "an expression in a, b and c"),
        (lambda a, b, c: None, "an expression in a, b and c"),
    ],
)
def test_other_graphs(formula, why):
    with pytest.raises(course.Wrong, match=why) as objection:
        course.check_sentences(lambda *abc: {"one": formula(*abc)}, SENTENCES, PRINTS)
    assert "a * (b - c)" not in str(objection.value).partition("got")[0]


# ---- one node for what is equal


def twice(x, y):
    return np.exp(x * y) / (1 + x * y)


def once(x, y):
    p = x * y
    return np.exp(p) / (p + 1)


def test_shared_parts():
    for seed in SEEDS:
        course.check_shared(once, twice, most=4, seed=seed)
    with pytest.raises(course.Wrong, match="too many operations\n  needed    at most 4"):
        course.check_shared(twice, twice, most=4)
    with pytest.raises(course.Wrong, match="must be an expression, and is of type float"):
        course.check_shared(lambda x, y: 1.0 if x is ad.Expr else 0.0, lambda x, y: 0 * x, most=4)
    with pytest.raises(course.Wrong, match="the value differs\n  expected"):
        course.check_shared(lambda x, y: once(x, -y), twice, most=4)
    with pytest.raises(course.Wrong, match="expected.*\\n.*got"):
        course.check_shared(
            lambda x, y: twice(x, y) if isinstance(x, float) else x + y, twice, most=4
        )
