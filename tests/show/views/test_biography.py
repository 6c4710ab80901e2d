"""A biography agrees with what it is read from: the log, the origins and the lines of the program.

Protects the table that a student follows from a line of the formula to a line of the program.
"""

import re

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu.expr import first_place, origins
from autodiff_edu.show.biography import Biography
from tests.helpers.depth import some

x = ad.scalar("x")


def logistic(n):
    value = x
    for _ in range(n - 1):
        value = 4 * value * (1 - value)
    return value


FORMULAS = {
    "tour": x * x + (x - 2),
    "product": ad.sin(x) * ad.exp(x) * x,
    "quotient": ad.exp(x) / (1 + ad.exp(x)),
    "logistic map": logistic(4),
    "log of sum": ad.log(1 + ad.exp(x)),
    "shared": ad.sin(x) * ad.sin(x) + ad.cos(ad.sin(x)),
    "powers": (x**2 + 1) ** 3 / x,
    "roots": ad.sqrt(1 + x * x) - ad.sqrt(x),
    "tanh": ad.tanh(ad.tanh(x) + x),
    "Gauss": ad.exp(-(x * x) / 2) * x,
}
WAYS = ("symbolic", "reverse", "forward")


@pytest.mark.parametrize("name, way", [
    (name, way) for turn, name in some(enumerate(FORMULAS), 2) for way in some(WAYS, 3, turn)
])  # fmt: skip
def test_each_node_of_a_pipeline_has_a_true_biography(name, way):
    pipeline = ad.pipeline(FORMULAS[name], x, derivative=way)
    for graph in pipeline.graphs:
        for node in graph.order:
            check(ad.biography(node, pipeline), node, pipeline)


def check(life, node, pipeline):
    assert isinstance(life, Biography) and life.columns[3] == "event"
    born, *events = life.events
    rules = [origin.rule for origin in origins(node)][::-1]
    assert born.event == "written" and born.reason == str(first_place(node) or "")
    assert [e.reason for e in events[: len(rules)]] == rules
    for event in events[len(rules) :]:
        if event.step:
            step = pipeline[event.stage].steps[int(event.step) - 1]
            assert (step.rule, step.after) == (event.event, event.node)
        elif event.event != "no longer needed":
            check_line(event, pipeline.after)
    values = {e.of: [] for e in events[len(rules) :]}
    for e in events[len(rules) :]:
        if "D" not in ad.Graph(e.node).counts:
            values[e.of].append(float(ad.evaluate(e.node, {x: 0.7})))
    for of, row in values.items():
        if of != "adjoint":  # which grows with each use
            np.testing.assert_allclose(row, row[:1] * len(row), rtol=1e-12)
    check_rewrites(life, node, pipeline["simplify"])


def check_line(event, program):
    """The line is that of the node, or of something that is computed with it."""
    number = int(re.fullmatch(r"line (\d+) of the program", event.event)[1])
    assert program.source.splitlines()[number - 1].strip() == event.reason
    assert event.node in {*ad.Graph(program.lines[number]).order}


def check_rewrites(life, node, stage):
    """Of a node of the graph before it, all its rewrites are there, in order."""
    told = [int(e.step) - 1 for e in life.events if e.stage == stage.name and e.of == "value"
            and e.step]  # fmt: skip
    if node in {*stage.before.order}:
        became, lives = dict(stage.log), [node]
        while lives[-1] in became:
            lives.append(became[lives[-1]])
        assert told == [k for k, step in enumerate(stage.steps) if step.before in {*lives}]


def test_the_last_adjoint_is_the_derivative():
    wave = ad.sin(x)
    y = wave * wave + x
    life = ad.biography(wave, ad.pipeline(y, x, derivative="reverse"))
    adjoints = [e.node for e in life.events if e.of == "adjoint"]
    at = {x: 0.7}
    assert np.isclose(ad.evaluate(adjoints[-1], at), 2 * np.sin(0.7))
    assert [e.event for e in life.events if e.stage == "generate"] == ["line 8 of the program"] * 2


def test_a_line_of_the_program_leads_back_to_the_user_s():
    y = ad.sin(x) * ad.sin(x)
    pipeline = ad.pipeline(y, x)
    node = pipeline.after.lines[8]
    life = ad.biography(node, pipeline)
    assert "test_biography.py" in life[0][5] and life[-1][3] == "line 8 of the program"


def test_a_biography_is_one_of_a_node_of_the_pipeline():
    pipeline = ad.pipeline(x * x, x)
    with pytest.raises(ValueError, match="no graph of"):
        ad.biography(ad.sin(x), pipeline)
    with pytest.raises(TypeError, match="of an expression"):
        ad.biography(3, pipeline)
    with pytest.raises(TypeError, match="by a pipeline"):
        ad.biography(x, x)
