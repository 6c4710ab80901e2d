"""Tables list steps and numbers, in text and as a page."""

import pytest

from autodiff_edu.differentiate import forward_mode, reverse_mode, symbolic_derivative
from autodiff_edu.ops import exp, log, scalar, vector
from autodiff_edu.rewrite import simplify
from autodiff_edu.show.html.table import Table


def test_steps():
    x = scalar("<x>")
    stage = simplify(symbolic_derivative(x * x + (x - 2), x))
    table = stage.table()
    columns = "step", "phase", "rule", "before", "after", "needs", "caveat", "cost"
    assert table.columns == columns and len(table) == len(stage.steps)
    assert table[0] == ("1", "canonicalise", "times one", "1 * <x>", "<x>", "", "", "5 → 4")
    html = table._repr_mimebundle_()["text/html"]
    assert "1 * &lt;x&gt;" in html and html.count("<tr>") == len(table) + 1
    assert repr(table).splitlines()[2].split("  ")[0] == "1"


def test_steps_that_do_not_rewrite_have_no_cost():
    x = scalar("x")
    table = symbolic_derivative(x * x, x).table()
    assert table.columns == ("step", "rule", "before", "after", "caveat")


def mixed():
    x, y = scalar("x"), scalar("y")
    return simplify(1 * x + (y / y) * (1 * x), mode="real")


def test_selected_steps_keep_their_numbers():
    stage = mixed()
    table = stage.table(rule="over itself")
    assert [int(row[0]) - 1 for row in table] == list(stage.select(rule="over itself"))
    assert table[0][5:7] == ("y != 0", "0/0 is nan, this says 1")
    table = simplify(log(1 + exp(1 * scalar("x")))).table(phase="stabilise")
    assert [row[:3] for row in table] == [
        ("3", "stabilise", "log of one plus"),
        ("4", "stabilise", "softplus"),
    ]
    with pytest.raises(ValueError, match="no step of .* its rules: "):
        stage.table(rule="exp of log")


def test_steps_counted_by_rule():
    stage = mixed()
    table = stage.table(by="rule")
    assert table.columns == ("rule", "phase", "steps", "cost saved")
    assert {row[0]: int(row[2]) for row in table[:-1]} == stage.counts
    first, last = stage.steps[0].cost[0], stage.steps[-1].cost[1]
    assert table[-1] == ("all", "", str(len(stage.steps)), str(first - last))
    assert stage.table(by="rule", rule="over itself")[0][0] == "over itself"
    with pytest.raises(ValueError, match="by 'step' or by 'rule'"):
        stage.table(by="phase")


def test_counts_of_other_stages_have_no_cost():
    x = scalar("x")
    assert reverse_mode(x * x, x).table(by="rule")[-1] == ("all", "", "3", "")


def test_a_forward_trace_has_tangents_beside_values():
    x, y = scalar("x"), scalar("y")
    table = forward_mode(x * y, [x]).trace({x: 2.0, y: 3.0}).table()
    assert table[0] == ("v₋₁", "x", "2", "v̇₋₁", "1", "1")
    assert table[1] == ("v₀", "y", "3", "", "", "")
    assert table[2] == ("z = v₁", "v₋₁ * v₀", "6", "∂z/∂x = v̇₁", "v̇₋₁ * v₀", "3")


def test_a_reverse_trace_has_a_row_a_contribution():
    x = scalar("x")
    table = reverse_mode(x * x, x).trace({x: 3.0}).table()
    assert table[-1] == ("pullback of multiply", "∂y/∂x = v̄₀", "v̄₀ + (v₀ * v̄₁)", "6")


def test_columns_line_up_whatever_the_accents():
    x = scalar("x")
    lines = repr(reverse_mode(x * x, x).trace({x: 3.0})).splitlines()
    places = {line.replace("\u0304", "").index(line.split()[-1], 40) for line in lines[2:]}
    assert len(places) == 1


def test_arrays_are_cut_short():
    x = vector("x")
    table = reverse_mode((x * x).sum(), x).trace({x: [1.0] * 50}).table()
    assert "..." in table[0][-1] and len(table[0][-1]) < 60


def test_a_table_of_ten_thousand_steps_shows_both_ends():
    read = []

    def cells(k):
        read.append(k)
        return f"{k}", f"step {k}"

    table = Table(("k", "what"), range(10_000), cells=cells)
    assert not read and len(table) == 10_000 and table[7000] == ("7000", "step 7000")
    lines = repr(table).splitlines()
    assert lines[251:254] == ["249   step 249", "…     9,500 more", "9750  step 9750"]
    assert len(lines) == 503 and len(read) == 501
    assert table.image().count("<tr>") == 502
    assert len(table.rows) == 10_000


def test_a_table_of_reverse_mode_shows_what_a_step_made():
    """A letter stands for what is differentiated, not for the result."""
    x = scalar("x")
    u = exp(x * x + x) * log(x * x + x)
    rows = reverse_mode(log(u), x).table().rows
    assert rows[1][2:4] == ("log(u)", f"1 / u, where u = {u}")
    assert rows[0][3] == "1" and not [row for row in rows if "term" in row[3]]
