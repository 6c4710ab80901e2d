"""Tables list steps and numbers, in text and as a page."""

from autodiff_edu.differentiate import forward_mode, reverse_mode, symbolic_derivative
from autodiff_edu.ops import scalar, vector
from autodiff_edu.simplify import simplify


def test_steps():
    x = scalar("<x>")
    stage = simplify(symbolic_derivative(x * x + (x - 2), x))
    table = stage.table()
    assert table.columns == ("step", "rule", "before", "after", "caveat")
    assert table[0] == ("1", "times one", "1 * <x>", "<x>", "") and len(table) == len(stage.steps)
    html = table._repr_mimebundle_()["text/html"]
    assert "1 * &lt;x&gt;" in html and html.count("<tr>") == len(table) + 1
    assert repr(table).splitlines()[2].split("  ")[0] == "1"


def test_a_forward_trace_has_tangents_beside_values():
    x, y = scalar("x"), scalar("y")
    table = forward_mode(x * y, [x]).trace({x: 2.0, y: 3.0}).table()
    assert table[0] == ("v₋₁", "x", "2", "v̇₋₁", "1", "1")
    assert table[1] == ("v₀", "y", "3", "", "", "")
    assert table[2] == ("v₁", "v₋₁ * v₀", "6", "v̇₁", "v̇₋₁ * v₀", "3")


def test_a_reverse_trace_has_a_row_a_contribution():
    x = scalar("x")
    table = reverse_mode(x * x, x).trace({x: 3.0}).table()
    assert table[-1] == ("pullback of multiply", "v̄₀", "v̄₀ + (v₀ * v̄₁)", "6")


def test_columns_line_up_whatever_the_accents():
    x = scalar("x")
    lines = repr(reverse_mode(x * x, x).trace({x: 3.0})).splitlines()
    places = {line.replace("\u0304", "").index(line.split()[-1], 40) for line in lines[2:]}
    assert len(places) == 1


def test_arrays_are_cut_short():
    x = vector("x")
    table = reverse_mode((x * x).sum(), x).trace({x: [1.0] * 50}).table()
    assert "..." in table[0][-1] and len(table[0][-1]) < 60
