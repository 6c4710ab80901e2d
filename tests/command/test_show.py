"""`show` prints the stages of a formula, and writes them as a page and as a picture."""

import numpy as np
import pytest

from autodiff_edu.command.expression import Refused
from autodiff_edu.command.show import page, show
from tests.command.test_expression import ORDINARY


@pytest.mark.each("text", ORDINARY)
def test_an_ordinary_formula_prints_and_draws(text):
    shown = show(text)
    printed = str(shown)
    assert printed.startswith("formula (") and "\nsimplified, " in printed
    assert "    def program(" in printed and shown.picture.svg.startswith("<svg")


def test_all_stages_are_printed():
    printed = str(show("x*x + x - 2", ["x"], ["x=3"]))
    assert "((x * x) + x) - 2" in printed and "(((1 * x) + (x * 1)) + 1) - 0" in printed
    assert "simplified, 4 steps (2 operations)\n    (2 * x) + 1\n" in printed
    assert printed.endswith("at x = 3.0\n    value = 10.0\n    d/dx = 7.0")


def test_several_inputs_and_arrays():
    shown = show("log(1 + exp(dot(w, x)))", ["w"], ["w=[1, 2]", "x=[3, 4]"])
    assert "    sigmoid(w @ x) * x\n" in str(shown)
    value, slope = shown.values
    assert np.isclose(value, np.log1p(np.exp(11))) and slope.shape == (2,)
    both = str(show("a*b + sin(a)"))
    assert "d/da = " in both and "d/db = " in both
    assert "forward mode" in str(show("a*b", ["a"], derivative="forward"))


def test_the_page_needs_no_network_and_escapes_what_was_typed():
    text = page(show("x*x + 2*x", at=["x=3"]))
    assert text.startswith("<!doctype html>") and "https://" not in text
    assert "<script" not in text and ">formula (" in text
    assert "x &lt; 2" in page(show("where(x < 2, x, 1)"))


@pytest.mark.each(
    ("how", "told"),
    [
        ({"text": "3 + 4"}, "no input"),
        ({"text": "x", "wrt": ["y"]}, "no input of this formula; its inputs: x"),
        ({"text": "x", "at": ["y=3"]}, "'y' is no input"),
        ({"text": "x*y", "at": ["x=3"]}, "no value for y: write --at y=3"),
        ({"text": "x*y", "derivative": "symbolic"}, "--wrt with one name"),
        ({"text": "x*y", "derivative": "forward"}, "--wrt with one name"),
        ({"text": "x", "at": ["x"]}, "gives no value"),
        ({"text": "x", "at": ["x=open('f')"]}, "gives no value"),
        ({"text": "x", "at": ["x=[[1], [2, 3]]"]}, "gives no value"),
        ({"text": "x", "at": ["x=" + "[" * 5000]}, "gives no value"),
        ({"text": "x", "at": ["x=None"]}, "gives no value"),
        ({"text": "x", "at": ["x='3'"]}, "gives no value"),
        ({"text": "x", "at": ["x=[1, None]"]}, "gives no value"),
        ({"text": "x", "at": ["x=1" + "0" * 400]}, "gives no value"),
        ({"text": "x", "at": ["x=1", "x=2"]}, "x has two values: write --at x=3 once"),
        ({"text": "x", "at": ["x=[1, 2]"], "derivative": "symbolic"}, "write --derivative reverse"),
        ({"text": "x", "at": ["x=[1, 2]"], "derivative": "forward"}, "write --derivative reverse"),
    ],
)
def test_what_cannot_be_shown_is_refused_with_a_sentence(how, told):
    with pytest.raises(Refused) as refused:
        show(**how)
    assert told in str(refused.value) and len(str(refused.value)) > 10


def test_a_value_that_there_is_not_is_refused_with_a_sentence():
    with pytest.raises(Refused, match="zero-size array"):
        str(show("max(x)", at=["x=[]"]))


def test_a_long_formula_has_pictures_and_no_film():
    text = page(show("sin(" * 8 + "x*y" + "*x)" * 8))
    assert "would be long" in text and "<img" in text
    assert "would be long" not in page(show("x*x + x - 2"))
