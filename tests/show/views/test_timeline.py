"""A plan is drawn as a timeline of its arrays."""

import base64
import re
from xml.etree import ElementTree

import numpy as np
import pytest

import autodiff_edu as ad
from tests.helpers.depth import draws
from tests.helpers.programs import random_program


@pytest.mark.each("seed", range(draws(30)))
def test_bars_lie_in_the_picture_and_no_more_than_the_plan_says(seed):
    inputs, _, output = random_program(seed)
    plan = ad.plan(ad.Graph([output, *ad.reverse_mode(ad.sum(output), inputs[:1]).outputs])).after
    picture = ad.draw(plan)
    assert picture.most <= plan.peak  # which counts inputs that are viewed, too
    width, height = picture.widths[0], picture.height
    for shape in ElementTree.fromstring(picture.svg).iter("{http://www.w3.org/2000/svg}rect"):
        x, y = float(shape.get("x", 0)), float(shape.get("y", 0))
        assert x + float(shape.get("width")) <= width and y + float(shape.get("height")) <= height
    for bar in picture.bars:
        assert bar.first == bar.written[0] and bar.last >= bar.written[-1]


def test_it_tells_what_is_written_where():
    x = ad.vector("x", shape=4)
    y = ad.sin(x) * 2
    y.name = "<b>&"
    picture = ad.draw(ad.plan(y).after)
    assert repr(picture).splitlines() == [
        "0: sin(x)", "1: <b>&", "sin(x)  from 0 to 1, written at 0, 1",
        "Timeline: 2 steps, 1 arrays, at most 1.",
    ]  # fmt: skip
    y = ad.exp(y)
    assert "<b>" not in ad.draw(ad.plan(y).after).svg
    assert "<img" in picture.image() and ad.draw(ad.plan(x).after).most == 0


def test_a_region_is_one_step_and_a_long_plan_is_a_graph():
    x = ad.vector("x", shape=100_000)
    picture = ad.draw(ad.plan(ad.exp(ad.sin(x)) + 1).after)
    assert picture.steps == ("3 operations block by block",)
    v = x
    for _ in range(200):
        v = np.sin(v)[::-1]
    assert not hasattr(ad.draw(ad.plan(v).after), "bars")


def test_what_a_notebook_shows_is_well_formed():
    x = ad.vector("x", shape=4)
    shown = ad.draw(ad.plan(ad.sin(x) * x).after).image()
    (data,) = re.findall(r"base64,([\w+/=]+)", shown)
    root = ElementTree.fromstring(base64.b64decode(data))
    assert root.tag.endswith("svg") and len(root.findall(".//{*}rect")) == 3


@pytest.mark.each("seed", range(draws(30)))
def test_labels_are_whole_and_refer_to_steps_before(seed):
    """What is too long refers to the steps that made its operands, and nothing is cut."""
    inputs, _, output = random_program(seed)
    plan = ad.plan(ad.Graph([output, *ad.reverse_mode(ad.sum(output), inputs[:1]).outputs])).after
    picture = ad.draw(plan)
    for k, step in enumerate(picture.steps):
        assert all(int(found) < k for found in re.findall(r"#(\d+)", step))
    for bar in picture.bars:
        assert all(int(found) < bar.first for found in re.findall(r"#(\d+)", bar.label))
    calls = [step for step in picture.steps if "=" not in step]  # parameters may be long
    assert not any("…" in step for step in calls)


def test_a_long_label_names_its_operands():
    x = ad.vector("x", shape=4)
    inner = ad.exp(ad.sin(x) * ad.cos(x) + ad.tanh(x))
    total = ad.sin(x) * inner + ad.cos(x)
    named = inner * ad.cos(inner)
    named.name = "weight"
    steps = ad.draw(ad.plan([total, named * ad.exp(inner + total)]).after).steps
    assert steps[3:8] == ("sin(x) * cos(x)", "tanh(x)", "(sin(x) * cos(x)) + tanh(x)", "exp(#5)",
                          "#0 * #6")  # fmt: skip
    assert steps[11] == "weight" and steps[14] == "weight * #13"
