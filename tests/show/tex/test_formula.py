"""Formulas: textbook forms, brackets only where they are needed, names that never act."""

import re

import pytest

from autodiff_edu.differentiate import D, reverse_mode, symbolic_derivative
from autodiff_edu.expr import Graph, Op
from autodiff_edu.library import sigmoid, softplus
from autodiff_edu.ops import (
    abs,
    exp,
    log,
    matrix,
    maximum,
    mean,
    scalar,
    sin,
    sqrt,
    square,
    vector,
    where,
)
from autodiff_edu.rewrite import Rule, wild
from autodiff_edu.show import latex
from autodiff_edu.show.tex.names import latex_name

x, y, alpha = scalar("x"), scalar("y"), scalar("alpha")
A, w = matrix("A"), vector("w")

IF, OTHERWISE = r"\text{if }", r"\text{otherwise}"
FORMULAS = [
    (x * x + (x - 2), r"x \cdot x + (x - 2)"),
    (x * x + x - 2, r"x \cdot x + x - 2"),
    (x - (y - 1), "x - (y - 1)"),
    (x - y + 1, "x - y + 1"),
    (2 * x, "2 x"),
    (x * 2, r"x \cdot 2"),
    (1 * x, r"1 \cdot x"),
    (2 * (3 * x), "2 (3 x)"),
    ((x + 1) * (x - 1), r"(x + 1) \cdot (x - 1)"),
    (x * -2, r"x \cdot (-2)"),
    (-(x + y), "-(x + y)"),
    (-x * y, r"(-x) \cdot y"),
    (x / y, r"\frac{x}{y}"),
    ((x + 1) / y * 2, r"\frac{x + 1}{y} \cdot 2"),
    (x**3, "x^{3}"),
    ((x + 1) ** y, "(x + 1)^{y}"),
    ((x / y) ** 2.0, r"\left(\frac{x}{y}\right)^{2}"),
    (square(sin(x)), r"(\sin(x))^{2}"),
    (sqrt(x + 1), r"\sqrt{x + 1}"),
    (exp(-x), "e^{-x}"),
    (exp(x / y), r"\exp\left(\frac{x}{y}\right)"),
    (log(1 + exp(x)), r"\log(1 + e^{x})"),
    (sigmoid(alpha * x), r"\sigma(\alpha \cdot x)"),
    (softplus(x), r"\operatorname{softplus}(x)"),
    (abs(x - y), r"\left|x - y\right|"),
    (maximum(x, 0), r"\max(x, 0)"),
    (x < y, r"x \lt y"),
    (A @ w, r"A \, w"),
    (A.T @ (A @ w), r"A^{\mathsf{T}} \, (A \, w)"),
    (w * w, r"w \odot w"),
    (x * w, r"x \cdot w"),
    (A.sum(axis=0), r"\sum_{\text{axis 0}} A"),
    (w.sum() * x, r"\left(\sum w\right) \cdot x"),
    (x + w.sum(), r"x + \sum w"),
    ((w * w).sum(), r"\sum w \odot w"),
    ((w * w) @ A, r"(w \odot w) \, A"),
    (A @ w * w, r"A \, w \odot w"),
    (x % y * y, r"(x \bmod y) \cdot y"),
    (-(x % y), r"-(x \bmod y)"),
    (y < 2 * x % y, r"y \lt (2 x) \bmod y"),
    (mean(w), r"\operatorname{mean}(w)"),
    (w[1:], "w_{[1:]}"),
    (where(x > 0, x, y), rf"\begin{{cases}} x & {IF} x \gt 0 \\ y & {OTHERWISE} \end{{cases}}"),
    (D(x * x), r"\mathrm{D}(x \cdot x)"),
    (x * 1e-5, r"x \cdot (1 \cdot 10^{-5})"),
    (x + 0.1, "x + 0.1"),
    (x * float("inf"), r"x \cdot \infty"),
]  # fmt: skip


@pytest.mark.each("e, formula", FORMULAS, ids=str)
def test_formula(e, formula):
    assert latex(e) == formula
    assert latex(e)._repr_latex_() == f"$$ {formula} $$"


NAMES = {
    "x": "x",
    "x1": "x_{1}",
    "x_12": "x_{12}",
    "alpha": r"\alpha",
    "Sigma_0": r"\Sigma_{0}",
    "θ": r"\theta",
    "W_hidden": r"W_{\mathrm{hidden}}",
    "loss": r"\mathit{loss}",
    "dx": r"\mathrm{d}x",
    "(dy/dx)": r"\frac{\partial y}{\partial x}",
    "v₋₁": "v_{-1}",
    "v̄₋₁": r"\bar{v}_{-1}",
    "v̇₃": r"\dot{v}_{3}",
    "ω₀": r"\omega_{0}",
    "ω_12": r"\omega_{12}",
    "ωx": r"{\text{ωx}}",
    "∂L/∂γ": r"\frac{\partial L}{\partial \gamma}",
    "∂L/∂ω₀": r"\frac{\partial L}{\partial \omega_{0}}",
    "∂³L/∂γ∂ω₀²": r"\frac{\partial^{3} L}{\partial \gamma \, \partial \omega_{0}^{2}}",
    "d1/d2": r"{\text{d1/d2}}",
    "größe": r"{\text{größe}}",
    "gro\u0308ße": r"{\text{größe}}",
    "".join(c + "\u0304" for c in "größe"): r"\overline{{\text{größe}}}",
    "życie": r"{\text{życie}}",
    "गति": r"{\text{गति}}",
    "w′_é": r"{\text{w′}\_\text{é}}",
    "\u1e8b₁": r"\dot{x}_{1}",
    "\u1e8b_1": r"\dot{x}_{1}",
    "скорость": r"{\text{скорость}}",
    "<script>": r"{\lt \text{script}\gt }",
    "a$b": r"{\text{a}\$\text{b}}",
    "\\N": r"{\backslash \text{N}}",
    "a%b_c": r"{\text{a}\%\text{b}\_\text{c}}",
}


@pytest.mark.each("name, written", NAMES.items())
def test_name(name, written):
    assert latex_name(name) == written


@pytest.mark.each("name", ["}{", "$$x$$", "\\input{a}", "&&", "#1", "^_^", "v" * 300, "`~"])
def test_hostile_names_do_not_act(name):
    written = latex(scalar(name))
    assert len(written) < 200
    bare = re.sub(r"\\[\\{}$%#_&]", "", written)
    assert bare.count("{") == bare.count("}") and not re.search(r"[$%#&]", bare)
    assert not re.search(r"\\(?!backslash|text|lt|gt|sim|wedge|mathit|mathrm)[a-z]", bare)


def test_a_result_that_is_an_input_keeps_the_name_that_the_graph_gives_it():
    named = latex(Graph([x, y, x * y], [x, y], ["first", "y", "z"]))
    assert named == (
        r"\begin{aligned} \mathit{first} &= x \\ \mathrm{out}_{2} &= y \\ "
        r"z &= x \cdot y \end{aligned}"
    )


def test_several_outputs_are_lines():
    found = latex([x + 1, x * y])
    assert found == (
        r"\begin{aligned} \mathrm{out}_{1} &= x + 1 \\ \mathrm{out}_{2} &= x \cdot y \end{aligned}"
    )


def test_shared_parts_of_a_large_formula_get_a_name():
    z = x
    for _ in range(5):
        z = sin(z) * z
    found = Graph(z, names=["z"]).latex()
    assert found.startswith(r"\begin{aligned} v_{1} &= \sin(x) \cdot x \\ v_{2} &= \sin(v_{1})")
    assert r"\\ z &=" in found


def test_a_named_part_keeps_its_name():
    u = sin(x) + exp(x) * x
    u.name = "u"
    z = u * u * u * u * u * u * u * u
    assert r"\begin{aligned} u &=" in latex(z)


def test_a_large_formula_is_cut_short():
    z = x
    for _ in range(500):
        z = sin(z)
    assert latex(z) == r"\sin(" * 8 + r"\cdots" + ")" * 8


def test_stages_patterns_and_traces():
    slope = symbolic_derivative(x * x, x).latex()
    assert slope == r"\frac{\partial y}{\partial x} = 1 \cdot x + x \cdot 1"
    a = wild("a")
    assert latex(Rule("times one", a * 1, a).left) == r"a \cdot 1"
    assert (
        r"\bar{v}_{0} &= \bar{v}_{0} + v_{0} \cdot \bar{v}_{1}"
        in reverse_mode(x * x, x).trace({x: 1.0}).latex()
    )


STATED = {  # LaTeX that a user states for an operation f: of f(x + y) * x, then of f(f(x))**2
    "#1 \\oplus #1": (
        r"((x + y) \oplus (x + y)) \cdot x",
        r"((x \oplus x) \oplus (x \oplus x))^{2}",
    ),
    "-#1": (r"(-(x + y)) \cdot x", "(-(-x))^{2}"),
    "\\nabla #1": (r"\nabla (x + y) \cdot x", r"(\nabla \nabla x)^{2}"),
    "#1^{\\star}": (r"(x + y)^{\star} \cdot x", r"((x^{\star})^{\star})^{2}"),
    "\\lVert{#1}\\rVert": (r"\lVert{x + y}\rVert \cdot x", r"(\lVert{\lVert{x}\rVert}\rVert)^{2}"),
}


@pytest.mark.parametrize("stated", STATED)
def test_an_operation_of_a_users_is_kept_together(stated):
    class Own(Op):
        latex = stated

        def infer_type(self, x):
            return x

    own = Own()
    assert (latex(own(x + y) * x), latex(own(own(x)) ** 2)) == STATED[stated]
