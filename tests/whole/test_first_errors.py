"""The first error that a beginner's slip meets: what happened, and what to write instead.

Protects the first hour. Each slip is run as a cell of a notebook, and its error must say in the
user's own words what to write instead; then that is run, too. What looks like a slip and works is
in a table of its own, as silence is right only where the answer is. Most slips are from what people
asked about autograd, JAX, Theano and SymPy.
"""

import linecache
import math
import pickle
import warnings
from inspect import signature
from typing import NamedTuple

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu.expr import HOOKS
from autodiff_edu.expr.errors.suggestion import METHODS, NAMES
from autodiff_edu.ops.traits import TRAITS
from tests.helpers.depth import some

SETUP = """
import math
import numpy as np
import autodiff_edu as ad
x, z = ad.scalar("x"), ad.scalar("z")
v = ad.vector("v", shape=3)
y = x * x + (x - 2)
stage = ad.symbolic_derivative(y, x)
def f(x):
    return x * x + (x - 2)
def g(x, y):
    return x * y
"""
ERRORS = {
    "A": AttributeError, "I": IndexError, "M": ad.MissingInputError, "D": ad.DisconnectedInputError,
    "S": ad.ShapeError, "T": TypeError, "V": ValueError, "X": np.exceptions.AxisError,
}  # fmt: skip


class Slip(NamedTuple):
    """A cell, its error, words of what happened, what to write, and the cell as it then runs."""

    cell: str
    error: type[Exception]
    happened: str
    instead: str
    mended: str


def slips(text):
    """Blocks of `cell`, `! E what happened`, `> what to write`, and `= the cell that works`."""
    for block in text.strip().split("\n\n"):
        lines = block.splitlines()
        cell = "\n".join(line for line in lines if line[:2] not in ("! ", "> ", "= "))
        by_mark = {line[0]: line[2:] for line in lines if line[:2] in ("! ", "> ", "= ")}
        letter, happened = by_mark["!"].split(" ", 1)
        mended = by_mark.get("=", by_mark[">"]).replace("\\n", "\n")
        yield Slip(cell, ERRORS[letter], happened, by_mark[">"], mended)


DERIVATIVES = slips(
    """
ad.grad(f(3.0))
! T takes an expression or a function, and 10.0 is a value
> ad.grad(f)(3.0)

ad.grad(f(x))
! T needs to know with respect to what
> ad.grad(f(x), x)

ad.grad(y)(3.0)
! T needs to know with respect to what
> ad.grad(y, x)

ad.symbolic_derivative(y)
! T needs to know with respect to what
> ad.symbolic_derivative(y, x)

ad.reverse_mode(f)
! T takes an expression
> ad.reverse_mode(f(x), x)

ad.hessian(x * z)
! T needs to know with respect to what
> ad.hessian(x * z, [x, z])

ad.grad(x, y)
! D it is (x * x) + (x - 2) that depends on the cost
> ad.grad(y, x)

ad.grad(y, "x")
! T differentiate with respect to an expression, not 'x'
> x itself
= ad.grad(y, x)

ad.grad("x**2", "x")
! T the cost is an expression, not 'x**2'
> without quotation marks
= ad.grad(x**2, x)

ad.grad(y, x, 3.0)
! T takes a list of expressions, not 3.0
> ad.evaluate(ad.grad(y, x), {x: 3.0})

ad.grad(y, x)(3.0)
! T an expression is not a function
> ad.function([x], ad.grad(y, x))(3.0)

ad.grad(f, 3.0)
! T argnums are the places of arguments, not 3.0
> ad.grad(f)(3.0)

ad.grad(g, "y")(3.0, 4.0)
! T argnums are the places of arguments, not 'y'
> ad.grad(g, 1)
= ad.grad(g, 1)(3.0, 4.0)

ad.grad(f, argnum=0)(3.0)
! T takes no argnum=
> argnums=
= ad.grad(f, argnums=0)(3.0)

ad.grad(f, wrt=x)
! T of a function, argnums says which arguments
> ad.grad(f, argnums=0)

ad.grad(y, argnums=0)
! T argnums numbers the arguments of a Python function
> ad.grad(y, x)

ad.grad(f)(3)
! T arrays and floats, not 3
> write 3.0
= ad.grad(f)(3.0)

ad.grad(lambda v: np.sum(v * v))([1, 2])
! T arrays and floats, not 1
> np.array([1.0, 2.0])
= ad.grad(lambda v: np.sum(v * v))(np.array([1.0, 2.0]))

ad.grad(lambda v: np.sum(v**2))([1.0, 2.0])
! T an argument is a list
> np.array([1.0, 2.0])
= ad.grad(lambda v: np.sum(v**2))(np.array([1.0, 2.0]))

ad.grad(lambda p: p["b"]**2)({"a": "relu", "b": 1.0})
! T not 'relu' at a
> in another argument
= ad.grad(lambda p, a: p["b"]**2)({"b": 1.0}, "relu")

ad.grad(v * v, v)
! T cost must be a scalar
> sum it
= ad.grad((v * v).sum(), v)

ad.grad(lambda v: v * v)(np.ones(3))
! T cost must be a scalar
> ad.jacobian
= ad.jacobian(lambda v: v * v)(np.ones(3))

def h(x):
    x * x
ad.grad(h)(3.0)
! T returned None
> `return` before its result
= def h(x): return x * x\\nad.grad(h)(3.0)

ad.grad(lambda x: 3.0, disconnected_inputs="raise")(2.0)
! D the cost does not depend on x
> disconnected_inputs="ignore"
= ad.grad(lambda x: 3.0, disconnected_inputs="ignore")(2.0)

ad.grad(lambda x: np.floor(x) * 2, disconnected_inputs="raise")(2.5)
! D every path ends at floor
> disconnected_inputs="ignore"
= ad.grad(lambda x: np.floor(x) * 2, disconnected_inputs="ignore")(2.5)

ad.gradient(y, x)
! S gradient takes differences
> ad.grad(y, x)

ad.diff(y, x)
! S diff takes differences
> ad.grad(y, x)

x = ad.scalar("x")
ad.grad(y, x)
! D the x that was given is another one
> make x once
= x = ad.scalar("x")\\ny = x * x\\nad.grad(y, x)

ad.grad(lambda x: np.sum(np.full(3, x)))(2.0)
! T an expression is not an array
> ad.full(...) for np.full(...)
= ad.grad(lambda x: np.sum(ad.full(3, x)))(2.0)

ad.grad(lambda x: np.sum(np.arange(x, 3)))(0.5)
! T an expression is not an array
> ad.arange(...) for np.arange(...)
= ad.grad(lambda x: np.sum(ad.arange(x, 3)))(0.5)

ad.grad(lambda x: np.sum(np.r_[x, x]))(np.ones(3))
! T an expression is not an array
> ad.concatenate([...])
= ad.grad(lambda x: np.sum(ad.concatenate([x, x])))(np.ones(3))

ad.grad(lambda x: np.sum(np.c_[x, x]))(np.ones(3))
! T an expression is not an array
> ad.column_stack([...])
= ad.grad(lambda x: np.sum(ad.column_stack([x, x])))(np.ones(3))

ad.grad((v[1:] ** 2).sum(), v[1:])
! D the v[1:] in it is another one
> z = v[1:]
= z = v[1:]\\nad.grad((z ** 2).sum(), z)

ad.grad(stage, x)
! T the cost is an expression, not Stage
> .output
= ad.grad(stage.output, x)
"""
)

VALUES = slips(
    """
y(3.0)
! T an expression is not a function
> ad.evaluate(y, {x: 3.0})

x(x + 1)
! T an expression is not a function
> x * (...)
= x * (x + 1)

stage(3.0)
! T a stage is not a function
> ad.evaluate(stage, {x: 3.0})

stage + 1
! T a stage is not an expression
> stage.output + 1

y.eval({x: 3})
! A no attribute 'eval'
> ad.evaluate(y, {x: 3.0})

y.subs(x, 3)
! A no attribute 'subs'
> ad.evaluate(y, {x: 3.0})

y.backward()
! A no attribute 'backward'
> ad.grad(y, x)

ad.simplify(y).eval()
! A a stage has no attribute 'eval'
> ad.evaluate(ad.simplify(y), {x: 3.0})

ad.evaluate(y, {"x": 3.0})
! T by input
> {x: 3.0}
= ad.evaluate(y, {x: 3.0})

ad.evaluate(y, 3)
! T by input
> {x: 3.0}
= ad.evaluate(y, {x: 3.0})

ad.evaluate(y, x=3)
! T by input
> ad.evaluate(y, {x: 3})

ad.evaluate(y)
! M no value was given for the input 'x'
> {x: 3.0}
= ad.evaluate(y, {x: 3.0})

ad.evaluate(y, {ad.scalar("x"): 3.0})
! M the x that was given is another one
> make x once
= ad.evaluate(y, {x: 3.0})

ad.function([x], x * z)
! M the outputs need z
> [x, z]
= ad.function([x, z], x * z)

x = ad.scalar("x")
ad.function([x], y)
! M the x that was given is another one
> make x once
= ad.function([x], y)

ad.function(y, [x])
! T the inputs come first
> ad.function([x], y)

ad.function(["x"], y)
! T an expression is needed here, not 'x'
> x itself
= ad.function([x], y)

ad.function([x], f)
! T not the function f
> f(x)
= ad.function([x], f(x))

ad.function([x, z], y)
! V do not depend on z
> drop it from the inputs
= ad.function([x], y)

ad.function([x], y)(np.ones(2))
! S a value of shape (2,) was given
> declare other lengths
= u = ad.vector("u")\\nad.function([u], u * u)(np.ones(2))

ad.draw(f)
! T not the function f
> f(x)
= ad.draw(f(x))

float(y)
! T has no number yet
> ad.evaluate(y, {x: 3.0})

ad.grad(lambda x: float(x)**2)(3.0)
! T has no number yet
> the expression itself, without float()
= ad.grad(lambda x: x**2)(3.0)

ad.grad(lambda v: np.sum(v * v).item())(np.ones(3))
! T has no number yet
> without .item()
= ad.grad(lambda v: np.sum(v * v))(np.ones(3))

f"{y:.2f}"
! T has no number yet
> print(x)

"loss %.3f" % y
! T has no number yet
> ad.evaluate(y, {x: 3.0})
"""
)

PYTHON = slips(
    """
math.sin(x)
! T has no number yet
> np.sin(x)

ad.grad(lambda x: math.atan2(x, 1.0))(3.0)
! T has no number yet
> np.arctan2(x) for math.atan2(x)
= ad.grad(lambda x: np.arctan2(x, 1.0))(3.0)

from math import *
exp(x)
! T has no number yet
> np.exp(x)

if x > 0: y = x
! T neither true nor false
> ad.where(condition, a, b)
= ad.where(x > 0, x, y)

0 < x < 1
! T neither true nor false
> (0 < x) & (x < 1)

x > 0 and z > 0
! T neither true nor false
> ad.logical_and
= ad.logical_and(x > 0, z > 0)

max(x, 0)
! T neither true nor false
> ad.maximum(a, b)
= ad.maximum(x, 0)

sorted([x, z])
! T neither true nor false
> ad.sort(ad.array([...]))
= ad.sort(ad.array([x, z]))

assert y == x * x + (x - 2)
! T neither true nor false
> ad.same(a, b)
= assert ad.same(y, x * x + (x - 2))

ad.grad(lambda x: x ^ 2)(3.0)
! T works on the bits of whole numbers
> x**2
= ad.grad(lambda x: x**2)(3.0)

range(x)
! T not a number that Python can count with
> ad.arange(n)
= n = ad.scalar("n", dtype=int)\\nad.arange(n)

for entry in ad.vector("w"): pass
! T needs a length known now
> ad.vector('w', shape=3)
= for entry in ad.vector('w', shape=3): pass

x[0]
! I 1 indices for 0 axes
> 0 axes
= v[0]

v[0] = 1.0
! T never changes
> v = v.at[0].set(1.0)

v[:2] += x
! T never changes
> v = v.at[:2].add(x)

v *= 2; v[0] *= 3
! T never changes
> x = x.at[key].set(value)
= v = v.at[0].set(3 * v[0])

y = np.zeros(3)
y[0] = x
! V has no number yet
> y = ad.array(y).at[0].set(e)
= y = np.zeros(3)\\ny = ad.array(y).at[0].set(x)

x + [x, z]
! T met a list of expressions
> ad.array([...])
= x + ad.array([x, z])
"""
)

NUMPY = slips(
    """
np.array([x, z])
! T is not an array
> ad.array(...)
= ad.array([x, z])

ad.grad(lambda x: np.float64(x)**2)(3.0)
! T is not an array
> x.astype('float64')
= ad.grad(lambda x: x.astype('float64')**2)(3.0)

np.random.normal(0, x)
! T is not an array
> rs = ad.RandomStream(0)
= ad.RandomStream(0).normal(0, x)

v * ad.vector("w", shape=4)
! S lengths 3 and 4 meet
> 3 and 4
= v * ad.vector("w", shape=3)

v @ ad.matrix("A", shape=(4, 3))
! S inner lengths are 3 and 4
> transpose one
= v @ ad.matrix("A", shape=(4, 3)).T

ad.max(x, z)
! T needs axis to be known now
> ad.maximum(x, y)
= ad.maximum(x, z)

ad.max(x, 0)
! X out of bounds
> ad.maximum(x, y)
= ad.maximum(x, 0)

ad.where(x > 0, x)
! T takes 3 operands, 2 were given
> where(condition, x, y)
= ad.where(x > 0, x, 0)

ad.log(x, 10)
! T takes 1 operands, 2 were given
> ad.log(x) / ad.log(base)
= ad.log(x) / ad.log(10)

ad.stack(x, z)
! T in one list
> ad.stack([x, y])
= ad.stack([x, z])

ad.zeros(2, 3)
! T given together
> (2, 3)
= ad.zeros((2, 3))

ad.matrix("A", (2, 3))
! T a dtype is needed
> shape=(2, 3)
= ad.matrix("A", shape=(2, 3))

ad.scalar("x", 3.0)
! T a dtype is needed
> ad.constant(3.0)

ad.vector(3)
! T the name of an input is a string, not 3
> ad.vector('x', shape=3)

x, z = ad.scalar("x z")
! T one call makes one input
> x, z = ad.scalar('x'), ad.scalar('z')

ad.scalar("n", dtype="complex")
! T booleans, integers and reals
> the real and the imaginary part
= re, im = ad.scalar("re"), ad.scalar("im")

ad.Symbol("x")
! A no attribute 'Symbol'
> ad.scalar
= ad.scalar("x")

ad.simplfy(y)
! A no attribute 'simplfy'
> ad.simplify
= ad.simplify(y)

ad.ln(x)
! A no attribute 'ln'
> ad.log
= ad.log(x)

x.sin()
! A no attribute 'sin'
> ad.sin(x)

v.summ()
! A no attribute 'summ'
> v.sum
= v.sum()

v.simplfy()
! A no attribute 'simplfy'
> ad.simplify(v)

w = ad.shared(1.0)
w.set(3.0)
! A no attribute 'set'
> w.set_value
= w = ad.shared(1.0)\\nw.set_value(3.0)

ad.scalar("x", dtype="flaot64")
! T a dtype is needed
> 'float64'
= ad.scalar("x", dtype='float64')

ad.scalar("x", dtpye="float64")
! T dtpye is not a fact about numbers
> dtype=
= ad.scalar("x", dtype="float64")

ad.sin("x")
! T takes expressions and numbers, not 'x'
> x itself
= ad.sin(x)

ad.sin(stage)
! T takes expressions and numbers, not Stage
> .output
= ad.sin(stage.output)

ad.exp(f)
! T takes expressions and numbers, not the function f
> f(x)
= ad.exp(f(x))

ad.scan(lambda h: 2 * h, x, n_steps=3)
! V is one number
> outputs_info=
= ad.scan(lambda h: 2 * h, outputs_info=x, n_steps=3)
"""
)
SLIPS = [*DERIVATIVES, *VALUES, *PYTHON, *NUMPY]


def run(cell):
    """The value of a cell's last line, if it has one; the cell is run as in a notebook."""
    name, space = f"<cell {cell}>", {}
    exec(SETUP, space)
    linecache.cache[name] = len(cell), None, cell.splitlines(True), name
    *before, last = cell.splitlines(True)
    try:
        whole = compile("".join(before) + "\n" * (not before), name, "exec")
        value = compile("\n" * len(before) + last, name, "eval")
    except SyntaxError:  # the last line is a statement, or part of one
        return exec(compile(cell, name, "exec"), space)
    exec(whole, space)
    return eval(value, space)


@pytest.fixture(autouse=True)
def without_the_old_names(monkeypatch):
    """A beginner has not imported the room of Theano's names, where y.eval({x: 3}) works."""
    monkeypatch.delitem(HOOKS, "old attribute", raising=False)


def said(error):
    """What a notebook shows beside the traceback: of the error, its cause and its notes."""
    return "\n".join([str(error.__cause__ or ""), str(error), *getattr(error, "__notes__", [])])


@pytest.mark.each("slip", some(SLIPS, 6), ids=lambda slip: slip.cell)
def test_the_first_error_says_what_to_write(slip):
    with pytest.raises(slip.error) as caught:
        run(slip.cell)
    message = said(caught.value)
    assert slip.happened.lower() in message.lower()
    assert slip.instead in message
    assert " at 0x" not in message and "<class" not in message
    run(slip.mended)


def test_there_are_slips_of_every_kind():
    assert len({slip.cell for slip in SLIPS}) == len(SLIPS) >= 90


# ---- what looks like a slip and works

WORKING = {
    "np.sin(x)": "sin(x)",
    "y": "(x * x) + (x - 2)",
    "y == 3": "((x * x) + (x - 2)) == 3",
    "sum([x, z])": "(0 + x) + z",
    "x += 1\nx": "x + 1",
    "f'{x}, {x:>3}'": "'x,   x'",
    "ad.grad(f)(x)": "(1 + (1 * x)) + (x * 1)",
    "ad.grad(f).__qualname__": "'grad(f)'",
    "ad.grad(np.sin)(0.0)": "1.0",
    "ad.grad(lambda v: np.sum(v * v))(np.array([1, 2]))": "array([2., 4.])",
    "ad.grad(lambda x, y: x * y, argnums=(0, 1))(3.0, 4.0)": "(4.0, 3.0)",
    "ad.evaluate(x**0.5, {x: -1.0})": "np.float64(nan)",
    "ad.grad(ad.grad(f))(3.0)": "2.0",
    "ad.grad(lambda x: x if x > 0 else -x)(-3.0)": "-1.0",
    "ad.function(x, y)(3)": "10.0",
    "ad.function((x, z), (x * z, x + z))(1, 2)": "[2.0, 3.0]",
    # what a function does beside its result
    "a = np.array([1.0, 2.0])\ndef h(v): v += 1; return np.sum(v * v)\nad.grad(h)(a), a":
        "(array([4., 6.]), array([1., 2.]))",
    "kept = []\ndef h(x): kept.append(x); return x * x\nad.grad(h)(3.0), kept": "(6.0, [x])",
    "w = np.ones(2)\nh = ad.grad(lambda v: np.sum(w * v))\nh(np.ones(2)); w[0] = 5\nh(np.ones(2))":
        "array([5., 1.])",
    "w = np.ones(2)\nc = ad.array(w)\nw[0] = 5\nad.evaluate(c)": "array([1., 1.])",
    # which is told as a warning
    "import warnings\nwarnings.simplefilter('ignore')\n"
    "h = ad.grad(lambda x: x * np.random.normal())\nh(1.0) == h(1.0)": "False",
    "ad.grad(lambda v: sum(e**2 for e in v))(np.ones(3))": "array([2., 2., 2.])",
    # two inputs of one name
    "a, b = ad.scalar('x'), ad.scalar('x')\nad.function([a, b], a + 2 * b)(1.0, 2.0)": "5.0",
}  # fmt: skip


@pytest.mark.each("cell", some(WORKING, 3))
def test_what_works_is_right(cell):
    *before, last = cell.splitlines()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert repr(run("\n".join([*before, last]))) == WORKING[cell]


# ---- the kinds: not these slips alone

x, z, v = ad.scalar("x"), ad.scalar("z"), ad.vector("v", shape=3)
OF_MATH = [n for n in dir(math) if n[0] != "_" and callable(getattr(math, n))]
COUNTING = {"comb", "perm", "factorial", "gcd", "lcm", "isqrt"}  # of whole numbers
NOT_OURS = {"prod", "fma", "nextafter", "ulp", "frexp", "ldexp", "modf", "isclose", "sumprod"}


@pytest.mark.each("name", some(sorted({*OF_MATH} - COUNTING - NOT_OURS), 3))
def test_functions_of_math_lead_to_those_of_numpy(name):
    two = name in ("atan2", "copysign", "fmod", "hypot", "pow", "remainder")
    args = {"fsum": "[x]", "dist": "[x], [x]"}.get(name, "x, 1.0" if two else "x")
    with pytest.raises(TypeError) as caught:
        run(f"math.{name}({args})")
    instead = str(caught.value).partition("Write ")[2].partition(" for ")[0]
    if two or name == "fsum":
        instead = f"{instead.partition('(')[0]}({'v' if name == 'fsum' else args})"
    run(instead)


@pytest.mark.each("name", METHODS)
def test_methods_of_other_libraries_lead_to_something_that_runs(name):
    if hasattr(ad.Expr, name):
        return
    with pytest.raises(AttributeError) as caught:
        run(f"v.{name}")
    instead = str(caught.value).partition("write ")[2].replace("{v: 3.0}", "{v: np.ones(3)}")
    instead = instead.replace("ad.grad(v, v)", "ad.grad(v.sum(), v)")
    run(instead.replace("...", "3").replace("value", "3.0").replace("dtype", "'float32'"))


@pytest.mark.each("name", NAMES)
def test_functions_of_other_libraries_lead_to_ours(name):
    if name not in ad.__all__:
        with pytest.raises(AttributeError, match=rf"write ad\.{NAMES[name]}$"):
            getattr(ad, name)
    assert NAMES[name] in ad.__all__


@pytest.mark.each("name", some(sorted(ad.__all__), 40))
def test_a_slip_of_the_pen_leads_to_the_name(name):
    for wrong in (name + "e", name[:-1] + name[-1] * 2, name.swapcase()):
        if not hasattr(ad, wrong) and wrong not in NAMES and len(name) > 4:
            with pytest.raises(AttributeError, match=r"write ad\.\w+$") as caught:
                getattr(ad, wrong)
            near = str(caught.value).rpartition(".")[2]
            assert near[:3].lower() == name[:3].lower()


WITH_WRT = ["grad", "value_and_grad", "jacobian", "hessian", "symbolic_derivative", "forward_mode",
            "reverse_mode"]  # fmt: skip


@pytest.mark.each("name", WITH_WRT)
@pytest.mark.each("cell", ["ad.{}(y)", "ad.{}(f(3.0))", "ad.{}(x * z)"])
def test_every_derivative_says_that_the_variable_is_missing(name, cell):
    with pytest.raises(TypeError) as caught:
        run(cell.format(name))
    instead = str(caught.value).partition("write ")[2].partition(", with")[0].partition(", or ")[0]
    if not (instead.endswith("(3.0)") and name in WITH_WRT[4:]):  # these take no function
        run(instead)


@pytest.mark.each("thing", [x, x * x, v, ad.simplify(x * 1)], ids=str)
def test_nothing_of_ours_passes_for_a_function(thing):
    with pytest.raises(TypeError, match="is not a function"):
        thing(3.0)
    for use in (ad.grad, ad.jacobian, ad.hessian, ad.verify_grad, ad.checkpoint):
        with pytest.raises(TypeError):
            use(thing)
    assert pickle.loads(pickle.dumps(x)).name == "x"


@pytest.mark.each("name", some(sorted(ad.__all__), 3))
def test_no_message_tells_a_place_in_memory(name):
    thing, given = getattr(ad, name), (lambda x: x, object(), [object()])
    for args in [(g,) for g in given] + [(x, g) for g in given] + [(given[0], g) for g in given]:
        try:
            thing(*args)
        except Exception as error:
            assert " at 0x" not in str(error)


def test_a_library_that_calls_an_expression_meets_the_same_error():
    minimize = pytest.importorskip("scipy.optimize").minimize
    with pytest.raises(TypeError, match=r"ad\.evaluate\(y, \{x: 3\.0\}\)"):
        minimize(x * x, 3.0)


def test_attributes_that_libraries_look_for_are_quietly_absent():
    for name in ("_repr_png_", "__array_interface__", "__cuda_array_interface__", "_ipython_key"):
        with pytest.raises(AttributeError, match="has no attribute") as caught:
            getattr(x, name)
        assert "write" not in str(caught.value)


def stated_wrong(field):
    """A rule, or an operation, one of whose fields is something else than what is asked for."""
    w = ad.wild("w")
    if field in ("left", "right"):
        return ad.Rule("double", **({"left": w + w, "right": 2 * w} | {field: object()}))
    if field in signature(ad.Rule).parameters:
        return ad.Rule("double", w + w, 2 * w, **{field: object()})
    return ad.op(**{field: object()})(lambda x: x)


@pytest.mark.each("field", sorted({*signature(ad.Rule).parameters, *TRAITS} - {"others"}))
def test_no_message_about_what_is_stated_tells_a_place_in_memory(field):
    try:
        stated_wrong(field)
    except Exception as error:
        assert " at 0x" not in str(error)
