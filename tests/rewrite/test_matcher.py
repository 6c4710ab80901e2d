"""Rules printed as a function: it can be read, and it matches what the rewriter matches."""

import pytest

import autodiff_edu as ad
from autodiff_edu.core.rewriter import Rewriter
from autodiff_edu.core.rule import RuleSet
from autodiff_edu.rewrite import Rules
from tests.helpers.depth import draws, some
from tests.helpers.programs import random_program

x, y, z = (ad.scalar(name) for name in "xyz")


def test_a_matcher_reads_as_a_program():
    assert str(ad.RULES.matcher(ad.exp(x) - 1)).splitlines()[:5] == [
        "def match_subtract(n, graph):",
        "    a, b = n.inputs",
        "    # exp minus one: exp(x) - 1 → expm1(x)  [safe]",
        "    if is_number(b, 1):",
        "        yield exp_minus_one, {'x': a.inputs[0]}",
    ]
    assert "yield from matches(collect_terms, n, graph)" in str(ad.RULES.matcher(x * y + x * z))


@pytest.mark.parametrize("mode", some(["ieee", "safe", "real"], 2))
def test_a_matcher_matches_what_the_rewriter_matches(mode):
    """At every node of random programs: the same rules, with the same bindings, in one order."""
    rules, matches = RuleSet(ad.RULES, mode), 0
    for seed in range(draws(40)):
        inputs, _, output = random_program(seed)
        loss = ad.sum(output)
        graph = ad.Graph([loss, *ad.grad(loss, ad.Graph(loss).inputs)])
        engine = Rewriter(graph, rules)
        for n in graph.operations:
            here = engine.rules.about(n).every
            expected = [
                match_of(rule, bindings) for rule in here for bindings in rule.matches(n, engine)
            ]
            printed = Rules(here).matcher(n, mode)(n, engine)
            assert [match_of(rule, bindings) for rule, bindings in printed] == expected, (seed, n)
            matches += len(expected)
    assert matches > 5 * draws(40)


def match_of(rule, bindings):
    """A match, comparable: nodes by identity. A rule that is a function makes its bindings anew."""
    if not isinstance(rule, ad.Rule):
        return rule.name
    return rule.name, {k: id(v) if isinstance(v, ad.Expr) else v for k, v in bindings.items()}


def test_rules_of_ones_own_can_be_read():
    a, b, k = ad.wild("a b k")
    rules = [ad.Rule("mine", ad.sum(a, axis=k) + ad.sum(b, axis=k), ad.sum(a + b, axis=k))]
    u, v = (ad.matrix(name, shape=(2, 3)) for name in "uv")
    matcher = Rules(rules).matcher(ad.sum(u, axis=1) + ad.sum(v, axis=1))
    engine = Rewriter(ad.Graph(u + v), RuleSet(rules, "safe"))
    assert (
        len([*matcher(ad.sum(u * v, axis=1) + ad.sum(v, axis=1), engine)]) == 2
    )  # in either order
    w = ad.matrix("w", shape=(2, 2))
    assert not [*matcher(ad.sum(w, axis=1) + ad.sum(w, axis=0), engine)]  # one axis, not two


@pytest.mark.parametrize("node", [x, 3.0, "x + y", None])
def test_what_is_no_operation_is_refused(node):
    with pytest.raises(TypeError, match="rules match operations"):
        ad.RULES.matcher(node)
