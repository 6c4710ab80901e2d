"""Whatever is written is read back as what it was: the text by Python, programs by their values,
and LaTeX by a reader who knows the textbook's order and refuses what can be read in two ways."""

import ast
import random

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu.show.tex.formula import formula as written
from tests.helpers.depth import some
from tests.show.tex.reader import Ambiguous, value_of

x, y = ad.scalar("x"), ad.scalar("y")
v, w, A = ad.vector("v", shape=3), ad.vector("w", shape=3), ad.matrix("A", shape=(3, 3))
NUMBERS = [-2.0, 2.0, 3.0, -1.0, 0.5, -0.25, 1e20, -1e20, 1.0, -0.0]
NAMES = {"x": x, "y": y, "v": v, "w": w, "A": A}
POINT = {x: 1.75, y: -0.6, v: np.array([0.5, -1.5, 2.0]), w: np.array([1.25, 0.75, -0.5]),
         A: np.array([[0.5, -1.0, 2.0], [1.5, 0.25, -0.75], [-2.0, 1.0, 0.4]])}  # fmt: skip

SCALAR_OPS = [
    lambda a, b: a + b, lambda a, b: a - b, lambda a, b: a * b, lambda a, b: a / b,
    lambda a, b: a + 2.5e-7, lambda a, b: (-2.5e-7) ** b,
    lambda a, b: a**b, lambda a, b: b**a, lambda a, b: -a, lambda a, b: a % b,
    lambda a, b: np.abs(a), lambda a, b: np.sin(a), lambda a, b: np.exp(a), lambda a, b: a // b,
    lambda a, b: np.square(a), lambda a, b: np.sqrt(a), lambda a, b: np.maximum(a, b),
    lambda a, b: np.where(a > b, a, b), lambda a, b: np.where((a > b) & ~(b <= 1), a, b),
]  # fmt: skip
ARRAY_OPS = [
    lambda u, t, a: u + t, lambda u, t, a: u - t, lambda u, t, a: u * t, lambda u, t, a: -u,
    lambda u, t, a: a * u, lambda u, t, a: u * a, lambda u, t, a: A @ u, lambda u, t, a: u @ A,
    lambda u, t, a: u % 2, lambda u, t, a: u[::-1], lambda u, t, a: (A * a) @ u,
    lambda u, t, a: (A.T @ A) @ u, lambda u, t, a: u * (t @ u), lambda u, t, a: u.sum() * t,
    lambda u, t, a: u - t.sum(), lambda u, t, a: np.square(u),
]  # fmt: skip


def number(draw):
    return ad.constant(draw.choice(NUMBERS))


def formula(draw, depth):
    """A random formula of single numbers, some of them negative, and some sums over arrays."""
    if not depth or draw.random() < 0.15:
        return draw.choice([x, y, number(draw), number(draw)])
    if draw.random() < 0.2:
        of = vector_formula(draw, depth - 1)
        return draw.choice([of.sum(), of[1], of @ v, np.prod(of), -of[0]])
    a, b = formula(draw, depth - 1), formula(draw, depth - 1)
    return draw.choice(SCALAR_OPS)(a, b)


def vector_formula(draw, depth):
    if not depth or draw.random() < 0.2:
        return draw.choice([v, w])
    u, t = vector_formula(draw, depth - 1), vector_formula(draw, depth - 1)
    return draw.choice(ARRAY_OPS)(u, t, formula(draw, 0))


def formulas(seed, count):
    """Random formulas that are written in full."""
    draw = random.Random(seed)
    made = [formula(draw, draw.randint(1, 4)) for _ in range(count)]
    return [e for e in made if "…" not in str(e)]


def expected(e):
    with np.errstate(all="ignore"):
        return ad.evaluate(e, {i: POINT[i] for i in ad.Graph(e).inputs})


def check(got, e, words):
    np.testing.assert_allclose(got, expected(e), rtol=1e-9, err_msg=words)


VALUES = {i.name: np.asarray(value)[()] for i, value in POINT.items()}
OF_NUMPY = {
    name: getattr(np, name)
    for name in "sum where remainder square exp maximum sin floor_divide abs sqrt transpose".split()
}
SPACE = {"product": np.prod, **OF_NUMPY, **VALUES}  # fmt: skip


class Numbers(ast.NodeTransformer):
    """The numbers of a text as NumPy's, outside of subscripts and settings."""

    def visit_Constant(self, n):
        return ast.parse(f"float64({n.value!r})", mode="eval").body

    def visit_Subscript(self, n):
        return ast.Subscript(self.visit(n.value), n.slice, n.ctx)

    def visit_keyword(self, n):
        return n


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("seed", some(range(4), 4))
def test_python_reads_the_text(seed):
    found = formulas(seed, 150)
    assert len(found) > 100
    for e in found:
        tree = ast.fix_missing_locations(Numbers().visit(ast.parse(str(e), mode="eval")))
        check(eval(compile(tree, "text", "eval"), SPACE | {"float64": np.float64}), e, str(e))


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("seed", some(range(4), 4, turn=1))
def test_a_textbook_reads_the_formula(seed):
    for e in formulas(seed, 150):
        check(value_of(written(e), VALUES), e, written(e))


@pytest.mark.parametrize("seed", some(range(2), 4))
def test_programs_compute_what_was_written(seed):
    """Those of single numbers have brackets of their own, and those of arrays call NumPy."""
    for e in formulas(seed, 25):
        for of in (e, e * v):
            inputs = ad.Graph(of).inputs
            program = ad.function(list(inputs), of, simplify=None)
            check(program(*[POINT[i] for i in inputs]), of, program.source)


AMBIGUOUS = [
    r"x \bmod y \cdot y", r"-x \bmod y", r"x + x \bmod y", r"x \bmod y \bmod x",
    r"x \cdot \sum v", r"x \cdot -y", r"x y", r"x 2",
]  # fmt: skip


@pytest.mark.parametrize("formula", AMBIGUOUS)
def test_the_reader_refuses_what_can_be_read_in_two_ways(formula):
    with pytest.raises((Ambiguous, KeyError)):
        value_of(formula, VALUES)


def test_the_reader_knows_the_order():
    order = {"-x^{2}": -(1.75**2), r"2 x \cdot y": 2 * 1.75 * -0.6, r"x - y + 1": 3.35}
    for formula, value in order.items():
        assert abs(value_of(formula, VALUES) - value) < 1e-12
    assert value_of(r"A \, v \odot w", VALUES)[0] == (VALUES["A"] @ VALUES["v"])[0] * 1.25
