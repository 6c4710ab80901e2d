"""Programs with boxes: errors that lead to the line, names of any kind, and the source."""

import numpy as np
import pytest

import autodiff_edu as ad
from tests.helpers.boxes import box
from tests.helpers.depth import some


def test_errors_inside_a_box_name_the_inner_operation_and_the_users_line():
    A = ad.matrix("A")
    solved = box(ad.solve(A, ad.ones(2)), A, name="solved")
    fn = ad.function(A, solved(A * 1))
    for call in (
        lambda: fn(np.zeros((2, 2))),
        lambda: ad.evaluate(solved(A), {A: np.zeros((2, 2))}),
    ):
        with pytest.raises(np.linalg.LinAlgError) as caught:
            call()
        message = str(caught.value)
        assert "solve" in message and "test_box_programs.py" in message
        assert "`solved = box(ad.solve(A, ad.ones(2))" in message


@pytest.mark.each(
    "name", ["np", "f(x)", "x; import os", "lambda", "программа", "", "1st", "program", "accept"]
)
def test_hostile_names(name):
    x = ad.vector(name or "x")
    f = box(ad.exp(x), x, name=name)
    g = box(f(x) * 2, x, name=name)
    fn = ad.function(x, g(x) + f(x), simplify=None)
    np.testing.assert_allclose(fn(np.zeros(2)), [3, 3])
    assert "import os" not in fn.source


@pytest.mark.each("name", [*some(ad.ops.OPS, 9), "item", "D", "results"])
def test_a_box_may_be_called_as_an_operation_is(name):
    """Neither programs, nor simplification, nor release take it for that."""
    x = ad.scalar("x")
    f = box(-ad.exp(x), x, name=name)
    slope = ad.grad(f(x), x)
    for e, wanted in ((f(x), -np.exp(0.5)), (slope, -np.exp(0.5)), (abs(f(x)), np.exp(0.5))):
        assert ad.function(x, e)(0.5) == pytest.approx(wanted, rel=1e-15)
    v = ad.vector("x")
    several = box([-ad.exp(v), v.sum()], v, name=name)
    np.testing.assert_allclose(ad.function(v, several(v)[0])(np.ones(2)), [-np.e, -np.e])


def test_the_source_reads_well():
    x, y = ad.vector("x"), ad.vector("y")
    f = box(ad.tanh(x * y), x, y, name="layer")
    source = ad.function([x, y], f(x, f(x, y))).stages[-1].after.source
    assert source.count("def layer(x, y):") == 1 and source.count("np.tanh") == 1
    assert source.rstrip().endswith("v1 = layer(x, y)\n    v2 = layer(x, v1)\n    return v2")


def test_equal_boxes_share_a_program():
    x, y = ad.vector("x"), ad.vector("y")
    f, g = (box(ad.tanh(x * y), x, y, name="layer") for _ in range(2))
    assert ad.function([x, y], f(x, g(y, x))).source.count("np.tanh") == 1
