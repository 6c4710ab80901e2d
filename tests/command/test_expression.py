"""A formula as text is read, and never executed; hostile texts are refused with a sentence."""

import ast
import builtins
import random
import subprocess
import sys

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu.command import expression
from autodiff_edu.command.expression import FUNCTIONS, LONGEST, Refused, parse
from tests.helpers.depth import draws

HOSTILE = [
    "__import__('os')",
    "__import__('os').system('touch /x')",
    "().__class__.__bases__[0].__subclasses__()",
    "x.__class__",
    "x.sum()",
    "sum.__globals__",
    "open('/etc/passwd').read()",
    "exec('x')",
    "eval('1')",
    "print(x)",
    "lambda: x",
    "(lambda x: x)(1)",
    "[x for x in y]",
    "{x: 1}",
    "{x}",
    "[x]",
    "(x, y)",
    "x[0]",
    "f'{x}'",
    "'x' * 1000000000",
    "b'x'",
    "x if x else y",
    "x and y",
    "not x",
    "x := 3",
    "(x := 3)",
    "x = 3",
    "x; y",
    "import os",
    "await x",
    "yield x",
    "*x",
    "sum(*x)",
    "sum(**x)",
    "sum(x, axis=10**9)",
    "sum(x, out=x)",
    "sum(x, dtype=x)",
    "0 < x < 1",
    "x in y",
    "x is y",
    "x ^ 2",
    "x << 100000000",
    "~x",
    "9**9**9**9",
    "9**9999999999",
    "x**(10**9)",
    "2.5e300 * 1e300",
    "1e999",
    "1/0",
    "1 % 0",
    "(-1)**0.5",
    "1j * x",
    "True",
    "None",
    "...",
    "_",
    "__builtins__",
    "exp",
    "exp(exp)",
    "exp()",
    "exp(x, y)",
    "maximum(x)",
    "x" * 100,
    "scan(x, y)",
    "ones(1000000000)",
    "eye(100000)",
    "",
    "   ",
    "\x00",
    "x\x00y",
    "\ud800",
    "x +",
    ")",
    "(" * 500,
    "-" * 1500 + "x",
    "x" + "+x" * 900,
    "exp(" * 100 + "x" + ")" * 100,
    "x+" * 10**6 + "x",
    "9" * 10**6,
    "9" * 1900,
    "# x",
]


@pytest.mark.each("text", HOSTILE, ids=lambda text: repr(text[:24]))
def test_a_hostile_text_is_refused_with_a_sentence(text, monkeypatch):
    for name in ("eval", "exec", "open", "__import__", "print"):
        monkeypatch.setattr(builtins, name, forbidden) if name != "__import__" else None
    with pytest.raises(Refused) as refused:
        parse(text)
    message = str(refused.value)
    assert 10 < len(message) < 300 and "\n" not in message


def forbidden(*_, **__):
    raise AssertionError("text was executed")


PIECES = """x y w 1 2.5 0 1e308 10**9 10**20 exp sum __import__ open . , ( ) [ ] { } : ; = := ** * /
// % @ + - ~ not and or if
else lambda for in is < > == != ' " \\ # \n \t os .__class__ axis= *x await é
""".split(" ")


def test_random_texts_are_read_or_refused():
    """Pieces in a random order; and formulas of which one character has been changed."""
    draw = random.Random(7)
    for _ in range(draws(3000)):
        text = "".join(draw.choices(PIECES, k=draw.randint(1, 14)))
        settled(text)
    for text in ORDINARY:
        for _ in range(20):
            k = draw.randrange(len(text))
            settled(text[:k] + draw.choice("()*+-_.'[]{}:,x9 \x00é") + text[k + 1 :])


def settled(text):
    """Read, or refused: nothing else becomes of a text."""
    try:
        found, inputs = parse(text)
    except Refused as refused:
        assert ".py" not in str(refused) and "\n" not in str(refused)
        return
    assert isinstance(found, ad.Expr) and all(name.isidentifier() for name in inputs)


ORDINARY = """
    x*x + x - 2 | x**2 | x**3 - 3*x | 1/x | 1/(1 + exp(-x)) | sin(x)*cos(x) | exp(-x**2/2) | log(x)
    log(1 + exp(x)) | sqrt(x**2 + 1) | tanh(w*x + b) | x**y | abs(x) | maximum(0, x) | 2*pi*x
    where(x > 0, x, 0.1*x) | sin(exp(x)) | exp(sin(x)) | (x + y)*(x - y) | x*y*z | x/y | 4*x*(1-x)
    arctan2(y, x) | hypot(x, y) | x**0.5 | 2**x | log(x*y) | sin(x)/x | (x+1)**10 | logaddexp(x, y)
    -x**2 + +x | 1e-3*x | cosh(x) - sinh(x) | clip(x, 0, 1) | sigmoid(x) | erf(x) | x - x | 3 + 0*x
    square(x - y) | minimum(x, y) | x // 2 + x % 2 | exp(x)**2 | ((x)) | (x >= y)*x | log1p(x)
"""
ORDINARY = [text.strip() for row in ORDINARY.strip().splitlines() for text in row.split("|")]


@pytest.mark.each("text", ORDINARY)
def test_an_ordinary_formula_means_what_python_and_numpy_mean(text, rng):
    found, inputs = parse(text)
    values = {name: rng.uniform(0.2, 0.9) for name in inputs}
    names = {n: getattr(np, n) for n in FUNCTIONS if hasattr(np, n)} | {"pi": np.pi} | values
    got = ad.evaluate(found, {x: values[name] for name, x in inputs.items()})
    for own in ("sigmoid", "erf"):
        names[own] = lambda v, own=own: ad.evaluate(FUNCTIONS[own](v))
    wanted = eval(compile(ast.parse(text, mode="eval"), "<test>", "eval"), names)
    np.testing.assert_allclose(got, wanted, rtol=1e-12)


def test_an_input_that_is_an_array():
    found, inputs = parse("sum(w * x, axis=0) + b", {"w": (3,), "x": (3,)})
    assert found.type.shape == () and [i.type.shape for i in inputs.values()] == [(3,), (3,), ()]
    with pytest.raises(Refused, match="shape|broadcast|length"):
        parse("w + x", {"w": (3,), "x": (2,)})


def test_a_slip_is_told_what_to_write():
    for text, remedy in {
        "x^2": "x**2",
        "sinn(x)": "sin(...)",
        "np.exp(x)": "exp(x)",
        "a < x < b": "logical_and",
        "x if x > 0 else 0": "where",
        "exp + 1": "exp(...)",
        "exp(x": "never closed",
    }.items():
        with pytest.raises(Refused) as refused:
            parse(text)
        assert remedy in str(refused.value)


def test_no_line_of_a_program_is_named_where_there_is_none():
    run = [sys.executable, "-m", "autodiff_edu", "show", "sum(x, 5)"]
    error = subprocess.run(run, capture_output=True, text=True).stderr
    assert "sum of x: float64 does not fit: axis 5 is out of bounds" in error


def test_the_limits_hold_at_their_edges():
    assert parse("x" + " " * (LONGEST - 1))
    with pytest.raises(Refused, match="2,000 characters"):
        parse("x" + " " * LONGEST)
    assert parse("x**100") and parse("x**-100")
    with pytest.raises(Refused, match="at most 100"):
        parse("x**101")
    assert parse("-" * (expression.DEEPEST // 2 - 1) + "x")


def random_formula(draw, depth):
    """Numbers, names, operators and calls with any number of operands, as deep as that."""
    kind = draw.random()
    if depth == 0 or kind < 0.2:
        return draw.choice(["x", "y", "1", "2", "0.5", "0", "pi", "1e10", "1e-300", "(1 < 2)"])
    part = [random_formula(draw, depth - 1) for _ in range(3)]
    if kind < 0.6:
        return f"({part[0]} {draw.choice('+ - * / ** // % @ < == >='.split())} {part[1]})"
    name, count = draw.choice([*FUNCTIONS]), draw.choice([1, 1, 1, 2, 2, 3])
    return f"{name}({', '.join(part[:count])})"


def test_random_formulas_are_read_or_refused():
    draw = random.Random(11)
    for _ in range(draws(4000)):
        settled(random_formula(draw, draw.randint(1, 4)))
