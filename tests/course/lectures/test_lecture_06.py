"""Two derivations compared: what both have, one form for both, the cheaper end of a chain.

Protects the sentences of these checkers, and the theorem on which one of them stands: multiplied
out, both derivations are the same.
"""

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu import course
from autodiff_edu.course.lectures.lecture_06 import (
    LEVELS,
    as_tree,
    bare,
    both,
    enough,
    multiplications,
    ordered,
    random_chain,
    some_formula,
    terms,
)
from tests.helpers.depth import draws
from tests.helpers.students import own

SEEDS = range(draws(10))
x, y = ad.scalar("x"), ad.scalar("y")


def returns(found):
    def student():
        return found

    return student


# ---- what both have

NODES = {"f": ["sin(x)", "1 * cos(x)", "exp(sin(x))", "1 * exp(sin(x))"]}
FORMULAS = {"f": ad.exp(ad.sin(x))}


@pytest.mark.each("kind", [set, list, tuple, frozenset])
def test_overlap(kind):
    course.check_overlap(returns({"f": kind(["exp(sin(x))", "sin(x)"])}), FORMULAS, NODES)


@pytest.mark.each(
    "found, why",
    [
        ({"sin(x)"}, "your set lacks a node that both derivations have"),
        ({"sin(x)", "exp(sin(x))", "1 * cos(x)"}, "one derivation alone has a node of your set"),
        ({"sin x"}, "nodes of the list alone\n  got       'sin x'"),
        ([["sin(x)"]], "nodes of the list alone"),
        ("sin(x)", "a set of nodes"),
        (None, "a set of nodes"),
    ],
)
def test_wrong_overlap(found, why):
    with pytest.raises(course.Wrong, match=why) as objection:
        course.check_overlap(returns({"f": found}), FORMULAS, NODES)
    assert "1 * exp(sin(x))" not in str(objection.value) and "expected" not in str(objection.value)


# ---- how much it takes


def test_levels():
    a, b, c = "a", "b", "c"
    tree = ("add", ("multiply", ("multiply", 1, c), ("multiply", b, a)), ("multiply", 0, a))
    assert bare(tree) == ("multiply", c, ("multiply", b, a))
    assert ordered(bare(tree)) == ("multiply", a, b, c)
    assert terms(tree) == [[a, b, c]]
    assert terms(("multiply", ("add", a, 1), ("add", b, 0))) == [[a, b], [b]]
    assert [bare(t) for t in (0, 1, ("add", 0, 0), ("multiply", 1, 1))] == [0, 1, 0, 1]
    assert ordered(("add", ("multiply", b, a), ("add", c, a))) == ("add", a, c, ("multiply", a, b))


def test_the_first_level_that_is_enough():
    levels = {
        "merge": x * x,
        "ones": 3 * x,
        "order": ad.exp(ad.sin(x)),
        "multiply out": ad.sin(x * x),
    }
    assert {enough(f): f for f in levels.values()} == levels and list(levels) == list(LEVELS)
    course.check_enough(returns(dict(zip("abcd", levels))), dict(zip("abcd", levels.values())))


@pytest.mark.each(
    "said, why",
    [
        ("order", "less is enough\n  got       order"),
        ("merge", "that is not enough\n  got       merge"),
        ("all", "one of the four levels\n  got       'all'"),
        (None, "one of the four levels"),
    ],
)
def test_other_levels(said, why):
    with pytest.raises(course.Wrong, match=why) as objection:
        course.check_enough(returns({"a": said}), {"a": 3 * x})
    assert "ones" not in str(objection.value)


# ---- one form for both


def test_multiplied_out_both_derivations_are_the_same():
    rng = np.random.default_rng(0)
    for k in range(draws(100)):
        formula = some_formula(rng, 1 + k % 3)
        one, other = (terms(as_tree(e)) for e in both(formula))
        assert one == other
        assert len(one) < 200  # so that a message can show them


def test_the_sum_of_the_terms_is_the_derivative():
    rng = np.random.default_rng(1)
    for _ in range(draws(20)):
        formula = some_formula(rng, 2)
        derivative = both(formula)[0]
        inputs = {i: rng.uniform(-1, 1) for i in ad.Graph([formula, derivative]).inputs}
        space = {i.name: v for i, v in inputs.items()} | {
            f: getattr(np, f) for f in ("sin", "cos", "exp")
        }
        found = sum(
            np.prod([eval(name, space) for name in term]) for term in terms(as_tree(derivative))
        )
        assert found == pytest.approx(
            float(ad.Graph(derivative).evaluate(inputs)), rel=1e-9, abs=1e-9
        )


def by_length(tree):
    """Another order of terms, as tuples."""
    found = (tuple(term[::-1]) for term in own(terms)(tree))
    return tuple(sorted(found, key=lambda term: (len(term), term)))


def as_met(tree):
    """In the order of the tree, which is not that of the other derivation."""
    if not isinstance(tree, tuple):
        return own(terms)(tree)
    left, right = map(as_met, tree[1:])
    return left + right if tree[0] == "add" else [a + b for a in left for b in right]


@pytest.mark.each("student", [own(terms), by_length])
def test_every_order_is_right(student):
    def multiplied(tree):
        return student(tree)

    for seed in SEEDS:
        course.check_terms(multiplied, seed=seed)


@pytest.mark.each(
    "wrong, why",
    [
        (lambda tree: own(terms)(tree)[1:], "terms are missing\n  expected"),
        (lambda tree: [*own(terms)(tree), []], "there are too many terms\n  expected"),
        (
            lambda tree: [t + ["x"] for t in own(terms)(tree)],
            "a term has other factors\n  expected",
        ),
        (lambda tree: as_met(tree), "the same terms, in different orders\n  got"),
        (lambda tree: "x", "a list of terms, each a list of names"),
        (lambda tree: [1], "a list of terms, each a list of names"),
    ],
)
def test_wrong_terms(wrong, why):
    with pytest.raises(course.Wrong, match=why):
        course.check_terms(wrong)


# ---- from which end


def times(A, B):
    return [[sum(a * b for a, b in zip(row, col)) for col in zip(*B)] for row in A]


def cheapest(factors):
    """The best of all brackets: no more than the better of the two ends."""
    if len(factors) == 1:
        return factors[0]
    widths = [len(factors[0][0]), *map(len, factors)]
    k = min(range(1, len(factors)), key=lambda k: split(widths, k))
    return times(cheapest(factors[k:]), cheapest(factors[:k]))


def split(widths, k):
    """The multiplications, if the last product is the one at this width."""
    return least(widths[: k + 1]) + least(widths[k:]) + widths[0] * widths[k] * widths[-1]


def least(widths):
    return min((split(widths, k) for k in range(1, len(widths) - 1)), default=0)


def from_the_cheaper_end(factors):
    widths = [len(factors[0][0]), *map(len, factors)]
    if own(multiplications)(widths) < own(multiplications)(widths[::-1]):
        total = factors[0]
        for factor in factors[1:]:
            total = times(factor, total)
        return total
    total = factors[-1]
    for factor in factors[-2::-1]:
        total = times(total, factor)
    return total


def test_a_chain_and_its_multiplications():
    factors, tally = random_chain(np.random.default_rng(0), [2, 3, 4, 1])
    assert [(len(J), len(J[0])) for J in factors] == [(3, 2), (4, 3), (1, 4)]
    assert (multiplications([2, 3, 4, 1]), multiplications([1, 4, 3, 2])) == (32, 18)
    times(factors[2], times(factors[1], factors[0]))
    assert tally["mul"] == 32


@pytest.mark.each("student", [from_the_cheaper_end, cheapest])
def test_right_chains(student):
    for seed in SEEDS:
        course.check_chain(student, seed=seed)


def plain(factors):
    return np.linalg.multi_dot([np.eye(len(factors[-1])), *map(np.array, factors[::-1])])


@pytest.mark.each(
    "wrong, why",
    [
        (lambda factors: times(factors[0], [[0]]), "the shape must be|the value at"),
        (plain, r"products of the given numbers \(arrays do not count\)\n  got       none"),
        (
            lambda factors: times(
                from_the_cheaper_end(factors), np.eye(len(factors[0][0])).tolist()
            ),
            "too many multiplications",
        ),
    ],
)
def test_wrong_chains(wrong, why):
    with pytest.raises(course.Wrong, match=why):
        course.check_chain(wrong)


def test_the_ends_alone_do_not_decide():
    """Widths for which the cheaper end is not the narrower one are drawn often enough."""
    rng, misled = np.random.default_rng(0), 0
    for _ in range(600):
        widths = rng.integers(1, 7, rng.integers(2, 6) + 1).tolist()
        cheaper = multiplications(widths) <= multiplications(widths[::-1])
        misled += cheaper != (widths[0] <= widths[-1])
    assert misled > 20
