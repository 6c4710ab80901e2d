"""Learning rules are compared step by step, and what trains is given gradients alone."""

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu import course


def descent(w, g, t):
    return (w - 0.01 * g,)


def momentum(w, g, t, v):
    v = 0.9 * v - 0.01 * g
    return w + v, v


def test_right_rules_are_accepted(capsys):
    course.check_learning_rule(descent, ad.optimisers.sgd, 0)
    course.check_learning_rule(momentum, ad.optimisers.momentum, 1, steps=9)
    assert "engine's momentum in 9 steps" in capsys.readouterr().out


def test_a_rule_without_its_memory_is_found_in_the_second_step():
    def forgetful(w, g, t, v):
        return momentum(w, g, t, 0 * v)

    with pytest.raises(course.Wrong, match="differs(.|\n)*expected(.|\n)*step 2"):
        course.check_learning_rule(forgetful, ad.optimisers.momentum, 1)


@pytest.mark.each("found", [None, 1.0, (1.0,), ("a", "b"), (1.0, 2.0, 3.0)])
def test_a_rule_returns_weights_and_memories(found):
    def rule(w, g, t, v):
        return found

    with pytest.raises(course.Wrong, match="a tuple of 2 arrays|must be|shape"):
        course.check_learning_rule(rule, ad.optimisers.momentum, 1)


def test_the_engine_is_refused():
    def rule(w, g, t):
        return (w - 0.01 * ad.evaluate(ad.constant(g)),)

    with pytest.raises(course.Wrong, match="the engine was called"):
        course.check_learning_rule(rule, ad.optimisers.sgd, 0)


def learn(slopes, W):
    for _ in range(100):
        W = W - slopes(W)
    return W


def test_samples_are_learned_by_gradients_alone(capsys):
    course.check_overfit(learn, trials=5)
    assert "all 20 samples right, 5 times" in capsys.readouterr().out


def test_too_many_gradients_are_refused():
    with pytest.raises(course.Wrong, match="more than 50 gradients"):
        course.check_overfit(learn, most=50)


@pytest.mark.each("found", [None, "W", 0.0, np.zeros((10, 64)), np.zeros((64, 10))])
def test_what_is_no_solution_is_told_so(found):
    def student(slopes, W):
        return found

    with pytest.raises(course.Wrong, match="returns the weights|not all samples"):
        course.check_overfit(student)


def test_gradients_of_something_else_are_told_so():
    def student(slopes, W):
        return slopes(W.T)

    with pytest.raises(course.Wrong, match="slopes takes the weights"):
        course.check_overfit(student)
