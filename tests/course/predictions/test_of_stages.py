"""Questions made from random stages: the answer is right, each wrong choice wrong at its point."""

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu.course import predict_number, predict_operations, predict_step
from autodiff_edu.course.predictions.values import differ
from tests.helpers.depth import draws

X, Y = ad.scalar("x"), ad.scalar("y", positive=True)


def formula(rng, depth=3):
    if not depth or rng.random() < 0.15:
        return [X, Y, ad.constant(float(rng.integers(0, 3)))][rng.integers(3)]
    a, b = formula(rng, depth - 1), formula(rng, depth - 1)
    return [a + b, a - b, a * b, a / b, ad.sin(a), ad.exp(a), ad.log(a)][rng.integers(7)]


def stages(count):
    """So many random simplifications and derivatives that have steps, and four at least: for some
    there are few wrong answers."""
    rng, count = np.random.default_rng(11), max(count, 4)
    while count:
        e = formula(rng)
        derivative = ad.symbolic_derivative(e, X)
        stage = (derivative, ad.simplify(derivative), ad.simplify(e))[rng.integers(3)]
        if e.op is not None and stage.steps:
            count -= 1
            yield stage, rng


def wrong_at_its_point(question, miss):
    true, wrong = miss.says or (question.answer, miss.answer)
    if isinstance(true, str):  # a step that comes later: the sentence names its number
        return miss.why.startswith("This is step")
    return differ(true, wrong, question.point(miss))


def judged(question):
    """The answer is right by its value and by its letter, and all other choices are wrong."""
    for letter, choice in zip("abcd", question.choices):
        assert question.judge(letter) == choice.verdict
        assert choice.verdict.startswith("Right" if choice.right else "No")
    if not isinstance(question.answer, str):
        assert question.judge(ad.constant(float(question.answer))).startswith("Right")
    for miss in question.misses:
        assert wrong_at_its_point(question, miss) and question.reason(miss).endswith("."), miss
    return len(question.misses)


def test_which_step_comes_next():
    wrong = []
    for stage, rng in stages(draws(40, least=5)):
        k = int(rng.integers(len(stage.steps)))
        question, step = predict_step(stage, k), stage.steps[k]
        assert question.answer.startswith(f"{step.rule}: ")
        wrong.append(judged(question))
    assert np.mean(wrong) > 2


def test_how_many_operations_are_left():
    wrong = []
    for stage, _ in stages(draws(40)):
        question = predict_operations(stage)
        assert question.answer == len(stage.graph.operations)
        wrong.append(judged(question))
    assert min(wrong) >= 1 and np.mean(wrong) > 2


def test_which_number_stands_here():
    wrong = []
    for stage, rng in stages(draws(40)):
        nodes = [n for n in stage.graph.operations if n.op.name != "D"]
        if not nodes:
            continue
        node, at = nodes[rng.integers(len(nodes))], {X: 0.75, Y: 2.5}
        with np.errstate(all="ignore"):
            question = predict_number(stage, node, at)
            assert np.allclose(question.answer, ad.evaluate(node, at), equal_nan=True)
        wrong.append(judged(question))
    assert np.mean(wrong) > 1


def test_near_misses_break_the_value_where_a_fact_is_missing():
    question = predict_number(ad.simplify(X / X), X / X, {X: 0.0})
    assert question.judge(1).startswith(
        "No. A fact is missing: nothing proves what the rule needs."
    )


def test_a_prediction_is_judged_and_kept():
    stage = ad.simplify(ad.symbolic_derivative(X * X + (X - 2), X))
    assert "You predict a." in repr(predict_step(stage, 0, "a"))
    assert "Right. They are left" in repr(predict_operations(stage, 2))


def test_bad_questions():
    stage = ad.simplify(X * 1)
    with pytest.raises(IndexError, match="1 steps"):
        predict_step(stage, 1)
    with pytest.raises(ValueError, match="no operation"):
        predict_number(stage, X, {X: 1.0})
