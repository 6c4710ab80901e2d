"""Rules that are classes say in words of their own why they found nothing at a node."""

import re

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu.rewrite import Rule
from autodiff_edu.rewrite.why_not.obstacles import SEEKS, UNSAID

CLASSES = [rule for rule in ad.RULES if not isinstance(rule, Rule)]
each_class = pytest.mark.parametrize("rule", CLASSES, ids=lambda rule: rule.name)
X, Y, V = ad.scalar("x"), ad.scalar("y"), ad.vector("v", shape=3)
M = ad.matrix("M", shape=(3, 3))
ORDINARY = [X + 2 * Y, X - Y, X * ad.sin(Y), X / Y, ad.log(X * Y), ad.log(ad.sin(X)), ad.exp(X) / Y,
            V + X, V * X, M @ V, ad.expand_dims(V * X, 0), ad.where(X > 0, X, Y), X > Y, -X,
            ad.maximum(V, X)]  # fmt: skip


def sentences(rule):
    """What it says of nodes that it rewrites, but not these."""
    for e in ORDINARY:
        if e.op in rule.replaces:
            (answer,) = ad.simplify(e, mode="ieee").why_not(rule, e).answers
            if answer.obstacle == "nothing":
                yield answer.lines[1]


@each_class
def test_each_class_says_for_what_it_looks(rule):
    said = [*sentences(rule)]
    assert said and UNSAID not in said, rule
    for words in said:
        assert all(len(s.split()) <= 40 for s in re.split(r"(?<=[.!?]) ", words)), words


def test_the_words_for_what_a_rule_seeks_are_its_own_and_hold_no_formula():
    assert {*SEEKS} <= {type(rule).__name__ for rule in CLASSES}
    assert len({*SEEKS.values()}) == len(SEEKS)
    for words in SEEKS.values():
        assert len(words.split()) <= 30 and not {*words} & {*"*→=()^/"}, words


def test_a_rule_of_one_s_own_that_says_nothing_has_the_general_sentence():
    class Mine(type(CLASSES[0])):
        name = "mine"

        def matches(self, n, context):
            return iter(())

    stage = ad.simplify(np.sin(X) + Y)
    assert UNSAID in stage.why_not(Mine(), stage.output).answers[0].lines
