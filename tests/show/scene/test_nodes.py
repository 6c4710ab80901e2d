"""Nodes by their numbers, names and lines; numbers are those of the pictures and the explorer."""

import re

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu.expr import evaluate_all

from ...helpers.depth import draws
from ...helpers.programs import random_numbers


def test_by_number_by_name_and_by_line():
    x = ad.scalar("x")
    inner = x * x
    stage = ad.reverse_mode(ad.sin(inner) + inner, x)
    assert stage.node("x") is x and stage.node("v1") is stage.node("v₁") is inner
    assert stage.node("x\u0304") is stage.output
    line = ad.expr.first_place(inner).line
    assert stage.node(f"line {line}") is inner
    assert "sin" in str(ad.why(stage.node("v2")))
    with pytest.raises(ValueError, match=f"'line {line + 1}' is 2 nodes of .*number, 2, 3"):
        stage.node(f"line {line + 1}")
    with pytest.raises(KeyError, match="no node 99"):
        stage.node(99)
    with pytest.raises(TypeError, match="derivatives and simplifications"):
        ad.Stage("own", x, inner).node(1)


def test_numbers_are_those_of_the_film_and_of_the_explorer():
    """Of random formulas: the number that the film writes is a part of the explorer's document, and
    gives the node that has the value there."""
    seen = 0
    for seed in range(draws(4)):
        inputs, values, y = random_numbers(seed, 12)
        at = dict(zip(inputs, values, strict=True))
        derivative = ad.reverse_mode(y, inputs)
        for stage in (derivative, ad.simplify(derivative), ad.symbolic_derivative(y, inputs[0])):
            film = ad.film(stage, values=at, numbers=True)
            document = stage.explore(at).document
            last = film[-1]
            written = {
                p for box in last.still.boxes.values() for p in re.findall(r"#(\d+)", box.name)
            }
            assert written == {*last.still.boxes} <= document["parts"].keys()
            numbers = film.frames[-1].picture.stills.document["python"]
            for p in written & numbers.keys():
                if last.still.words.contents[p][0] in ("tie", "empty") or isinstance(
                    numbers[p], str
                ):
                    continue
                n = stage.node(int(p))
                with np.errstate(all="ignore"):
                    assert np.allclose(evaluate_all([n], at)[n], numbers[p], equal_nan=True), p
                seen += 1
    assert seen > 50


def test_numbers_are_asked_for_where_parts_have_them():
    x = ad.scalar("x")
    stage = ad.simplify(x * 1 + 0)
    assert "#1 " in ad.film(stage, numbers=True)[0].listing
    for options in ({"rule": "times one"}, {"direction": "LR"}):
        with pytest.raises(ValueError, match="whose values flow down"):
            ad.film(stage, numbers=True, **options)
    with pytest.raises(ValueError, match="have numbers"):
        ad.film(x * 1, numbers=True)
