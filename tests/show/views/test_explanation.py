"""`explain`: what an operation states, as text and as HTML, of our operations and of a user's."""

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu.expr import OPERATIONS
from autodiff_edu.ops import OPS
from autodiff_edu.show import Showable
from autodiff_edu.show.diagram.theme import INK
from tests.helpers.depth import some


class Cube(ad.Op):
    """x³, by hand."""

    def infer_type(self, x):
        return x

    def perform(self, x):
        return x**3

    def pullback(self, inputs, outputs, cotangents):
        return [3 * inputs[0] ** 2 * cotangents[0]]


def box():
    x, y = ad.scalar("x"), ad.vector("y", shape=3)
    return ad.OpFromGraph([x, y], x * ad.sum(y), name="box")


@ad.op(partials=lambda x, out: (3 * x * x,))
def exp(x):
    """x³ under another name.

    >>> is not read
    """
    return x**3


def test_it_tells_what_the_record_states():
    told = ad.exp.explain()
    assert isinstance(told, Showable) and repr(told) == repr(ad.explain(ad.exp))
    lines = repr(told).splitlines()
    assert lines[:2] == ["exp(x)", "e^x."]
    assert "in NumPy    numpy.exp" in lines
    assert "            x̄ = v̄ * exp(x)" in lines
    assert told.entries["derivative"].formulas == (
        ("x̄ = v̄ * exp(x)", r"\bar{x} = \bar{v} \cdot e^{x}"),
    )
    assert told.entries["facts"].words == "positive always (of real numbers)"


def test_the_docstring_says_the_same():
    for op in OPS.values():
        told = op.explain().entries
        doc = op.__doc__
        assert told["derivative"].words in doc
        assert all(f"* {plain}\n" in doc for plain, _ in told["derivative"].formulas)
        assert "kinks" not in told or f"At kinks: {told['kinks'].words}." in doc


@pytest.mark.each("name", some(OPS, 6))
def test_of_every_operation_as_text_and_as_html(name):
    told = OPS[name].explain()
    assert repr(told).startswith(f"{name}(") and max(map(len, repr(told).splitlines())) < 400
    bundle = told._repr_mimebundle_()
    assert bundle["text/plain"] == repr(told)
    assert bundle["text/html"].count("<tr>") == len(told.entries) >= 2


def test_why_no_derivative_passes():
    assert ad.floor.nondifferentiable in ad.explain(ad.floor).entries["derivative"].words


def test_of_an_expression_its_outermost_operation():
    x = ad.scalar("x")
    assert repr(ad.explain(ad.sin(x * x))) == repr(ad.sin.explain())


def test_of_operations_of_ones_own():
    told = Cube().explain()
    assert repr(told).startswith("Cube(x)\nx³, by hand.\n")
    assert told.entries["derivative"].formulas[0][0] == "x̄ = (3 * (x ** 2)) * v̄"
    assert told.entries["batching"].words == "one slice after the other"
    assert "in NumPy" not in told.entries


def test_a_name_of_numpys_says_nothing_of_a_users_operation():
    told = exp.explain()
    assert OPERATIONS["exp"] is ad.exp is not exp
    assert told.summary == "x³ under another name." and "in NumPy" not in told.entries


def test_of_a_box():
    told = box().explain()
    assert told.call == "box(x, y)" and told.summary == ""
    assert len(told.entries["derivative"].formulas) == 2


def test_of_a_function_that_is_composed_of_operations():
    for f in (ad.solve, ad.var, ad.concatenate, ad.ones_like):
        assert ad.explain(f).summary == " ".join(f.__doc__.split("\n\n")[0].split())
    assert "composed" in repr(ad.explain(ad.solve))


@pytest.mark.each("what", [ad.scalar("x"), np.exp, ad.grad, 3, "exp", Cube, ad.Expr])
def test_what_is_no_operation_is_refused(what):
    with pytest.raises(TypeError, match="explain takes an operation"):
        ad.explain(what)


def test_a_wrong_rule_does_not_hide_the_rest():
    @ad.op(partials=lambda x, out: 1 / 0)
    def broken(x):
        return x

    assert "batching" in repr(broken.explain())


def test_code_keeps_its_ink_on_a_dark_page():
    html = ad.exp.explain().image()
    assert html.count("<code") == html.count(f'<code style="color:{INK}') > 2


def test_text_of_users_is_data():
    x = ad.scalar("<b>\x1b[31m")
    told = ad.OpFromGraph([x], x * x, name="<script>\x07").explain()
    assert "<script>" not in told.image() and "\x1b" not in repr(told) + told.image()
    assert "\x07" not in repr(told) + told.image()
