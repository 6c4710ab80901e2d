"""Nodes by their numbers, names and lines; numbers are those of the pictures and the explorer."""

import re

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu.expr import evaluate_all

from ...helpers.depth import draws, some
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
    for seed in some(range(4), 4, turn=3):  # in 3, parts hold several values
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
    assert "#1 " in ad.film(stage, rule="times one", numbers=True)[0].listing
    assert "#1 " in ad.film(stage, numbers=True, direction="LR")[0].listing
    assert "#1 " in ad.film(stage, numbers=True, types=True)[0].listing
    derivative = ad.reverse_mode(x * x, x)
    assert "#1 y = ×" in ad.draw(derivative, numbers=True, layout="tree").right.picture.listing
    for show in (ad.film, ad.draw):
        for subject in (x * 1, ad.pipeline(x * 1, x)):
            with pytest.raises(ValueError, match="have numbers"):
                show(subject, numbers=True)


def test_numbers_of_a_drawn_stage_are_those_of_its_film():
    """Of random formulas: derivatives, in whose pictures parts have numbers, and simplifications,
    whose nodes have them before and after."""
    for seed in range(draws(4)):
        inputs, _, y = random_numbers(seed, 12)
        derivative = ad.reverse_mode(y, inputs)
        (frame,) = ad.draw(derivative, numbers=True).frames
        assert numbered(frame.picture.listing) == numbered(
            ad.film(derivative, numbers=True)[-1].listing
        )
        short = ad.simplify(derivative)
        pair = ad.draw(short, numbers=True)
        for frame, graph in ((pair.left, short.before), (pair.right, short.after)):
            numbers = numbered(frame.picture.listing)
            of_last = {short.node(int(p)) for p in numbers}
            assert numbers and (frame is pair.left or of_last == {*graph.nodes} - constants(graph))


def numbered(listing):
    return {*re.findall(r"#(\d+)", listing)}


def constants(graph):
    return {n for n in graph.nodes if hasattr(n, "value")}
