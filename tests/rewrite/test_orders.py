"""A pattern matches in whatever order the operands of sums and products stand.

Protects rules of users: u·v + u·w is x·y + z·x too, and a condition on u and v may hold of v and u.
"""

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu.core.pattern import instantiate
from tests.helpers.depth import some

OPERATIONS = (ad.add, ad.multiply, ad.subtract, ad.divide, ad.maximum)
WILD = ad.wild("u v w")


def pattern(rng, depth):
    """A random pattern, in which wildcards stand in several places."""
    if depth == 0 or rng.random() < 0.2:
        return WILD[rng.integers(3)]
    op = OPERATIONS[rng.integers(len(OPERATIONS))]
    return op(pattern(rng, depth - 1), pattern(rng, depth - 1))


def shuffled(rng, n):
    """The same expression, with operands of commutative operations in a random order."""
    if n.op is None:
        return n
    inputs = [shuffled(rng, i) for i in n.inputs]
    return n.op(*inputs[:: -1 if n.op.commutative and rng.random() < 0.5 else 1])


@pytest.mark.each("seed", some(range(200), 3))
def test_a_pattern_matches_in_any_order(seed):
    rng = np.random.default_rng(seed)
    left = pattern(rng, 3)
    if left.op is None:
        return
    values = {wildcard.name: ad.scalar(wildcard.name) for wildcard in WILD}
    n = shuffled(rng, instantiate(left, values))
    stage = ad.simplify(n, rules=[ad.Rule("of any order", left, 1.0, cost_policy="")])
    assert "of any order" in stage.counts, f"{left} did not match {n}"


def test_a_condition_is_asked_in_both_orders():
    x, y, (u, v) = ad.vector("x"), ad.scalar("y"), ad.wild("u v")
    rule = ad.Rule("number first", u * v, 0.0, when=lambda u, v: u.ndim == 0 < v.ndim)
    for n in x * y, y * x:
        assert ad.simplify(n, rules=[rule]).counts == {"number first": 1}


def test_a_function_is_given_the_operands_in_both_orders():
    x, y, (u, v) = ad.vector("x"), ad.scalar("y"), ad.wild("u v")
    rule = ad.Rule("number alone", u + v, lambda u, v: None if u.ndim else u * 2.0, cost_policy="")
    for n in x + y, y + x:
        assert "number alone" in ad.simplify(n, rules=[rule]).counts


@pytest.mark.each("op", [ad.sum, ad.mean])
def test_a_rule_of_the_house_needs_no_twin_for_the_other_order(op):
    x, A = ad.scalar("x"), ad.matrix("A")
    for n in x * A, A * x:
        stage = ad.simplify(op(n, axis=1), mode="real")
        assert stage.counts == {f"scalar out of {op.name}": 1}
