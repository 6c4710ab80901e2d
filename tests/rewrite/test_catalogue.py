"""A subject of rules is loaded with the first graph that has an operation of which it speaks.

Protects the first formula of a process from 571 rules, and every other formula from missing one.
"""

import pickle
import subprocess
import sys

import pytest

import autodiff_edu as ad
from autodiff_edu.expr import Expr
from autodiff_edu.ops import OPS
from autodiff_edu.rewrite.catalogue import (
    OPERATIONS,
    SUBJECTS,
    OfTheHouse,
    every_rule,
    example_of,
    subject,
)
from tests.helpers.depth import some


def words(operations):
    return {op.name for op in operations if hasattr(op, "name")}


@pytest.mark.each("name", SUBJECTS)
def test_no_rule_can_be_used_without_an_operation_of_its_subject(name):
    """A rule needs all of its operations, and one of its functions."""
    own = OPERATIONS[name]
    others = {op for op in OPS.values() if op.name not in own}
    for rule in subject(name).RULES if own else ():
        assert not rule.concerns(others) or words(rule.replaces) <= own, rule.name


def test_what_a_subject_names_is_an_operation_of_its_rules():
    for name, own in OPERATIONS.items():
        rules = subject(name).RULES
        speaks = set().union(
            *[
                words((*r.operations, *r.functions, *r.replaces, *getattr(r, "parts", ())))
                for r in rules
            ]
        )
        assert own <= speaks, (name, own - speaks)


@pytest.mark.each("rule", some(every_rule(), 12), ids=lambda rule: rule.name)
def test_each_rule_is_there_for_its_example(rule):
    example = rule.example if isinstance(rule.example, Expr) else example_of(rule)
    if example is None:
        return
    fresh = OfTheHouse("real", final=True)
    rules = fresh.of(frozenset(n.op for n in ad.Graph(example).order))
    assert rule in rules.rules
    short, other = ad.simplify(example, "real"), ad.simplify(example, "real", rules=ad.RULES)
    assert ad.same(short, other) and list(map(str, short.steps)) == list(map(str, other.steps))


def test_rules_keep_their_order():
    x = ad.vector("x")
    fresh = OfTheHouse("safe", final=False)
    for y in (x * x, ad.exp(x), ad.sum(x), ad.log(ad.softmax(x)), x @ x):
        rules = fresh.of(frozenset(n.op for n in ad.Graph(y).order)).rules
        places = [every_rule().index(rule) for rule in rules]
        assert places == sorted(places) and len(rules) < len(every_rule())


CODE = """
import sys
import autodiff_edu as ad

x = ad.scalar("x")
print(ad.simplify(ad.symbolic_derivative(x * x + (x - 2), x)).output)
print(*sorted(m.rpartition(".")[2] for m in sys.modules if ".rewrite.rules." in m))
print(ad.simplify(ad.log(ad.exp(x) * ad.exp(x))).output)
print(len(ad.RULES))
"""


def test_a_first_formula_loads_few_of_them():
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=True)
    short, modules, long, count = done.stdout.splitlines()
    assert short == "(2 * x) + 1" and long == "2 * x"
    assert modules.split() == ["arithmetic", "exact_zeros", "operand_order", "programs"]
    assert int(count) == len(ad.RULES)


def test_a_stored_stage_knows_its_rules():
    x = ad.scalar("x")
    stage = pickle.loads(pickle.dumps(ad.simplify(x / x * 1, mode="real")))
    assert stage.about["over itself"].mode == "real"
    assert stage.rules.mode == "real" and stage.rules.rules is every_rule()
    assert stage.select(rule="times nothing") == ()
    with pytest.raises(ValueError, match="write one of over itself"):
        stage.select(rule="over it self")
