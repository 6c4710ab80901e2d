"""Results are called what they are, ∂L/∂γ, and keep that name through every view."""

import random

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu.differentiate.slope_names import Slope, slope, slope_name
from autodiff_edu.show.tex.names import latex_name
from tests.helpers.depth import draws, some

A, g, w, x = map(ad.scalar, ("A", "γ", "ω₀", "x"))
AT = {A: 1.5, g: 0.2, w: 2.0, x: 0.5}
BARS = ["A\u0304", "γ\u0304"]


def loss(name="L"):
    y = (A * ad.exp(-g * x) * ad.cos(w * x) - 0.5) ** 2
    y.name = name
    return y


def second():
    """The derivatives by two inputs of a derivative that is a graph itself."""
    return ad.reverse_mode(ad.forward_mode(loss(), g), [g, w])


STAGES = {
    "given": (lambda: ad.Graph([x * 1, A + 0, g * 1 * x], list(AT), ["∂L/∂γ", "ω₀", "b"]), None),
    "reverse": (lambda: ad.reverse_mode(loss(), [A, g, w]), ["∂L/∂A", "∂L/∂γ", "∂L/∂ω₀"]),
    "no name": (lambda: ad.reverse_mode(loss(None), [A, g]), ["∂y/∂A", "∂y/∂γ"]),
    "forward": (lambda: ad.forward_mode(loss(), g), ["∂L/∂γ"]),
    "symbolic": (lambda: ad.symbolic_derivative(loss(), g), ["∂L/∂γ"]),
    "second": (second, ["∂²L/∂γ²", "∂²L/∂ω₀∂γ"]),
    "by grad": (lambda: ad.reverse_mode(ad.grad(loss(), w), g), ["∂²L/∂γ∂ω₀"]),
    "cotangent": (lambda: ad.reverse_mode(loss(), [A, g], 2.0), BARS),
    "tangents": (lambda: ad.forward_mode(loss(), [A, g]), ["L\u0307"]),
}


@pytest.mark.each("case", some(STAGES.items(), 8), ids=lambda case: case[0])
def test_every_view_has_the_names_of_results(case):
    make, names = case[1]
    stage = make()
    graph, short = getattr(stage, "graph", stage), ad.simplify(stage)
    names = names or [*graph.names]
    assert [*graph.names] == [*short.graph.names] == names
    pair, whole, at = ad.compare(stage, short), ad.overview(short), AT
    pictures = [ad.draw(graph), ad.draw(short.graph), ad.draw(short.graph, layout="tree"),
                pair.left.picture, pair.right.picture, whole.left.picture, *ad.film(short),
                ad.explore(short, at=at).document, ad.draw(short), pair, whole,
                *(ad.draw(stage, layout=layout) for layout in ("graph", "tree"))]  # fmt: skip
    f, exact = (ad.function([*at], s, on_unused_input="ignore") for s in (short, stage))
    texts = [getattr(picture, "listing", None) or repr(picture) for picture in pictures]
    texts += [repr(ad.trace(s, at=at)) for s in (stage, short)]
    for text in (*texts, f.source, repr(ad.generate(graph).after)):
        assert all(name in text for name in names), (names, text)
    for formula in (ad.latex(graph), ad.latex(short)):
        places = [formula.find(f"{latex_name(name)} ") for name in names]
        assert places == sorted(places) and places[0] >= 0, (formula, names)
    assert [*f.graph.names] == [*exact.graph.names] == names
    np.testing.assert_allclose(f(*at.values()), exact(*at.values()))


def test_a_trace_and_a_table_say_results_as_baydin_does():
    """y = v₄ and ∂y/∂x = v̄₀ in the rows that complete them."""
    for stage in (STAGES[name][0]() for name in ("reverse", "forward", "cotangent", "second")):
        rows = {row.result: row for row in ad.trace(stage, at=AT) if row.result}
        exact = np.atleast_1d(ad.function([*AT], stage, on_unused_input="ignore")(*AT.values()))
        values = dict(zip(stage.graph.names, exact, strict=True))
        assert {*values} < {*rows} and len(rows) == len(values) + len(stage.before.outputs)
        for name, value in values.items():
            np.testing.assert_allclose(rows[name].value, value)
        table = stage.table()
        for name in values:
            (row,) = [k for k, cells in enumerate(table) if cells[3].startswith(f"{name} = ")]
            assert stage.steps[row].after is stage.graph.outputs[[*values].index(name)]
    latex = ad.trace(STAGES["reverse"][0](), at=AT).latex()
    assert r"\frac{\partial L}{\partial γ} = " in latex.replace("\\gamma", "γ")
    assert "L = v₉  v₈ ** 2 " in repr(ad.trace(loss(), at=AT))


def test_a_table_of_a_simplification_names_the_results_that_a_step_rewrote():
    y = (x * 1 + 0) * 1
    stage = ad.simplify(ad.Graph([y, x * g], [x, g], ["z", "b"]))
    after = [cells[4] for cells in stage.table()]
    assert after[-1] == "z = x" and not any("b = " in cell for cell in after)


def test_the_table_of_a_symbolic_derivative_names_its_result():
    after = [cells[3] for cells in ad.symbolic_derivative(loss(), g).table()]
    assert after[0].startswith("∂L/∂γ = ")
    assert ad.generate(loss()).table().columns  # a stage that logs no graphs


def test_an_expression_by_grad_is_called_so_too():
    assert ad.grad(loss(), g).name == "∂L/∂γ"
    assert ad.grad(ad.grad(loss(), g), w).name == "∂²L/∂ω₀∂γ"
    assert "∂L/∂γ" in ad.draw(ad.grad(loss(), g)).listing


def test_three_modes_call_a_slope_the_same():
    for by in (A, g, w):
        modes = ad.reverse_mode(loss(), by), ad.forward_mode(loss(), by)
        names = {mode.graph.names for mode in (*modes, ad.symbolic_derivative(loss(), by))}
        assert names == {(f"∂L/∂{by.name}",)}


def test_only_a_slope_is_called_one():
    """Adjoints for other cotangents and tangents along several inputs are x̄ and ẏ; a differential
    is dy, and what has no name has none."""
    v, y = ad.vector("v"), loss()
    s = ad.sum(v * v)
    s.name = "s"
    assert ad.reverse_mode(v * v, v).graph.names == ("v\u0304",)
    assert ad.reverse_mode([y, s], [g, v]).graph.names == ("γ\u0304", "v\u0304")
    assert ad.reverse_mode(s, [v]).graph.names == ("∂s/∂v",)
    assert ad.forward_mode(s, v).graph.names == ("s\u0307",)
    assert ad.forward_mode([s, y], g).graph.names == ("∂s/∂γ", "∂L/∂γ")
    assert ad.symbolic_derivative(s, v).graph.names == ("ds",)
    assert ad.forward_mode([g * g, y], g).graph.names == ("", "∂L/∂γ")
    y_there = ad.scalar("y")
    assert ad.reverse_mode(y_there * g, [y_there]).graph.names == ("∂z/∂y",)
    loop = ad.reverse_mode(y, [g]).frame(3)
    assert loop.names[:2] == ("L", "L\u0304")


PLAIN = ["L", "loss", "ω₀", "x1", "γ", "v\u0304₁", "_"]
OTHERS = ["a/b", "∂", "x²", "(a)", "d1/d2", "my loss", "∂/∂x"]


def test_a_name_tells_the_order_and_the_variables():
    """Of any words, at any order: what is written can be read. Other names stand in brackets."""
    draw = random.Random(5)
    for words in (PLAIN, PLAIN + OTHERS):
        for _ in range(draws(1000)):
            y, *variables = draw.choices(words, k=draw.randint(2, 13))
            name = y
            for v in variables:
                name = slope_name(name, v)
            if words is PLAIN:
                assert slope(name) == Slope(y, tuple(reversed(variables))), name
                assert str(slope(name)) == name
            assert name.count("(") == name.count(")"), name
    assert slope_name("(dL/dx)", "x") == "∂²L/∂x²"
    assert slope_name("∂²L/∂z∂x", "z") == "∂³L/∂z²∂x"
    assert slope_name("a/b", "x") == "∂(a/b)/∂x" and slope_name("L", "x²") == "∂L/∂(x²)"
