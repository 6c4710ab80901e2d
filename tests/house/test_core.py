"""The core is short, and knows no other room.

Protects what a student reads in an evening: pages of a size that can be read, on NumPy alone, which
run without the rest of the house.
"""

import ast
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers.way import code_lines

HOUSE = Path(__file__).parents[2] / "autodiff_edu"
CORE = HOUSE / "core"
PAGES = sorted(CORE.glob("*.py"))
LONGEST, ALL = 220, 1900  # code lines


def test_pages_are_short():
    lines = {path.name: code_lines(path.read_text("utf-8")) for path in PAGES}
    assert {name: n for name, n in lines.items() if n > LONGEST} == {}
    assert sum(lines.values()) <= ALL


@pytest.mark.each("path", PAGES, ids=lambda path: path.name)
def test_pages_import_python_numpy_and_each_other(path):
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            modules = {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            modules = set() if node.level == 1 else {(node.module or "..").partition(".")[0]}
        else:
            continue
        assert modules <= {"numpy", *sys.stdlib_module_names}


STORY = '''
import numpy as np

from engine.graph import Graph, substitute
from engine.node import Constant, Input
from engine.derivative_rules import Declared
from engine.seams import OPERATIONS
from engine.stage import Rewriting, Step
from engine.types import TensorType


def state(body, **fields):
    OPERATIONS[body.__name__] = op = Declared(body, **fields)
    return op


def multiply(x, y): return x * y
def add(x, y): return x + y
def subtract(x, y): return x - y
def sin(x): return np.sin(x)
def cos(x): return np.cos(x)


multiply = state(multiply, multilinear=True)
add, subtract = state(add, linear=True), state(subtract, linear=True)
cos = state(cos, nondifferentiable="left out")
sin = state(sin, partials=lambda x, out: (cos(x),))

x = Input("x", TensorType("float64"))
y = x * x + (sin(x) - 2)
graph = Graph(y)
print(y, y.type, len(graph.order))

values = {x: 0.5}
for n in graph.order:
    if n.op is not None:
        values[n] = n.op.perform(*[values[i] for i in n.inputs])
    elif n is not x:
        values[n] = n.value
assert values[y] == 0.25 + np.sin(0.5) - 2

one = Constant(1.0)
print(*sin(x).op.pullback([x], [sin(x)], [one]))
print(*add.pushforward(y.inputs, [y], [x, x]))
step = Step("square", y.inputs[0], sin(x))
stage = Rewriting("by hand", graph, Graph(substitute([y], {step.before: step.after})), [step],
                  [(step.before, step.after)], [0])
print(stage, stage.after.output)
print(step)
v, w = Input("v", TensorType("float64", (3,))), Input("w", TensorType("float64", (4,)))
for wrong in (lambda: v + w, lambda: x.foo):
    try:
        wrong()
    except (ValueError, AttributeError) as error:
        print(error)
'''  # fmt: skip


TOLD = [
    "add(multiply(x, x), subtract(sin(x), 2.0)) float64 6",
    "multiply(1.0, cos(x))",
    "add(x, x)",
    "Stage(by hand: 1 step) add(sin(x), subtract(sin(x), 2.0))",
    "square: multiply(x, x) → sin(x)",
    "lengths 3 and 4 meet",
    "an expression has no attribute 'foo'",
]


def lines_of(story, folder):
    """What the story prints, run in this folder."""
    (folder / "story.py").write_text(story, "utf-8")
    run = subprocess.run([sys.executable, "story.py"], cwd=folder, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return run.stdout.splitlines()


def test_the_core_runs_alone(tmp_path):
    """A copy of it, under another name, builds, types, differentiates and replaces."""
    shutil.copytree(CORE, tmp_path / "engine", ignore=shutil.ignore_patterns("__pycache__"))
    assert lines_of(STORY, tmp_path) == TOLD


REWRITES = '''
from engine.graph import Graph
from engine.node import Input, Wild
from engine.derivative_rules import Declared
from engine.rewriter import Rewriter
from engine.rule import Rule, RuleSet
from engine.seams import OPERATIONS
from engine.types import TensorType


def multiply(x, y): return x * y
def add(x, y): return x + y


for body, trait in (multiply, "multilinear"), (add, "linear"):
    OPERATIONS[body.__name__] = Declared(body, commutative=True, **{trait: True})

x, y = (Input(name, TensorType("float64")) for name in "xy")
u, v, w = (Wild(name) for name in "uvw")
rules = [
    Rule("times one", u * 1, u),
    Rule("plus zero", u + 0, u),
    Rule("common factor", u * v + u * w, u * (v + w), decreases="cost"),
    Rule("unproved", u + u, u, mode="real", needs=u * 0),
]
rewriter = Rewriter(Graph((x * 1) * y + y * (x * 2 + 0) + (x + x)), RuleSet(rules, "safe"))
rewriter.finish()
print(*rewriter.roots)
for step in rewriter.steps:
    print(step)
'''  # fmt: skip


REWRITTEN = [
    "add(multiply(y, add(x, multiply(x, 2.0))), add(x, x))",
    "times one: multiply(x, 1.0) → x",
    "plus zero: add(multiply(x, 2.0), 0.0) → multiply(x, 2.0)",
    "common factor: add(multiply(x, y), multiply(y, multiply(x, 2.0))) → "
    "multiply(y, add(x, multiply(x, 2.0)))",
]


def test_the_core_rewrites_alone(tmp_path):
    """It needs neither operations of the house nor proofs nor a table of rules."""
    shutil.copytree(CORE, tmp_path / "engine", ignore=shutil.ignore_patterns("__pycache__"))
    assert lines_of(REWRITES, tmp_path) == REWRITTEN
