"""A lecture tells in words of every name that it uses, or one that it needs does so.

Protects the reader from code with names of the engine that nobody has explained. Each is mentioned,
as `ad.name`, `name(...)`, `name`, or for an attribute `x.name`, in a text before the cell, or in a
lecture that stands in the line "You need". Python and NumPy are known; so are operations that have
NumPy's name, in lectures that say so or need one that does.
"""

import ast
import builtins
import importlib
import inspect
import json
import re
import textwrap
from collections import Counter
from functools import cache

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu.show.views.trace import Row, Trace
from dev import ROOT
from tests.helpers.depth import some

LECTURES = {
    path.stem.partition("_")[0]: path for path in sorted((ROOT / "notebooks").glob("*.ipynb"))
}
ROOMS = ("chance", "check", "differentiate", "expr", "functions", "nested", "ops", "rewrite")
ROOMS += ("run", "show", "course")
NEEDED = re.compile(r"\*\*You need:\*\*.*?(?:\n\n|\Z)", re.DOTALL)
LINKED = re.compile(r"\]\((\d\d\w?)_\w+\.ipynb")
MODULES = ("ad", "course")
SPAN = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
ATTRIBUTE, FUNCTION = re.compile(r"(\w*)\.([^\W\d]\w*)"), re.compile(r"(?<!\.)\b\w+(?=\()|^\w+$")
AS_IN_NUMPY = re.compile(r"named\s+as\s+in\s+NumPy")


# ---- what is a name of the engine


def own(source):
    """Names that a source gives itself: functions, methods, attributes."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            yield node.name
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr


def classes():
    """What the rooms give, and what inherits from it."""
    todo = [Row, Trace]
    for room in ROOMS:
        given = importlib.import_module(f"autodiff_edu.{room}")
        todo += [c for c in map(vars(given).get, given.__all__) if inspect.isclass(c)]
    while todo:
        kind = todo.pop()
        todo += kind.__subclasses__() if kind.__module__.startswith("autodiff_edu") else []
        yield kind


def members(kind):
    names = {*dir(kind), *getattr(kind, "__annotations__", ())}
    if kind.__module__.startswith("autodiff_edu"):
        names.update(own(textwrap.dedent(inspect.getsource(kind))))
    return {name for name in names if not name.startswith("_")}


EVERYDAY = (np.ndarray, np.float64, np.random.Generator, Exception, Counter, str, list, dict, set)


@cache
def attributes():
    """The public attributes of our classes, less those that everyone knows."""
    ours, known = (set().union(*map(members, kinds)) for kinds in (classes(), EVERYDAY))
    return ours - known


OPERATIONS = {
    name
    for name in {*dir(np), *dir(np.linalg)}.intersection(ad.__all__)
    if getattr(ad, name).__module__.startswith(("autodiff_edu.ops", "autodiff_edu.library"))
    and not inspect.isclass(getattr(np, name, None))
}


# ---- what a lecture uses


def root(node):
    """The variable with which a chain such as a.b(c)[d].e begins, or None."""
    while isinstance(node, (ast.Attribute, ast.Subscript, ast.Call, ast.Starred)):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else None


def targets(node):
    return [n.id for n in ast.walk(node) if isinstance(n, ast.Name)]


def all_code(lecture):
    trees = [ast.parse(source) for kind, source in cells(lecture) if kind == "code"]
    return [node for tree in trees for node in ast.walk(tree)]


@cache
def taken_over(lecture):
    """What it imports from a room of the engine."""
    imports = [node for node in all_code(lecture) if isinstance(node, ast.ImportFrom)]
    ours = [node for node in imports if node.module.startswith("autodiff_edu")]
    return {alias.name for node in ours for alias in node.names}.difference(MODULES)


@cache
def not_ours(lecture):
    """Variables that hold what other libraries made, and those libraries."""
    found, made = {"axes"}, []  # what functions that draw call their parameter
    for node in all_code(lecture):
        if isinstance(node, ast.Import) and node.names[0].name != "autodiff_edu":
            found.update(a.asname or a.name.partition(".")[0] for a in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.module.startswith("autodiff_edu"):
            found.update(a.asname or a.name for a in node.names)
        elif isinstance(node, ast.Assign):
            made.append((targets(ast.Tuple(node.targets)), root(node.value)))
    for names, source in made:
        found.update(names if source in found and not hasattr(builtins, source) else ())
    return found


def uses(lecture, source):
    """Each name of the engine in a cell; an attribute has a dot before it."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Name) and node.id in taken_over(lecture):
            yield node.id
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
            if isinstance(node.value, ast.Name) and node.value.id in MODULES:
                yield node.attr
            elif node.attr in attributes() and root(node.value) not in not_ours(lecture):
                yield f".{node.attr}"


# ---- what it tells


@cache
def cells(lecture):
    found = json.loads(LECTURES[lecture].read_text("utf-8"))["cells"]
    return [(cell["cell_type"], "".join(cell["source"])) for cell in found]


def told(text):
    """The names in backticks, attributes with a dot; those of NumPy where it says so."""
    names = set(OPERATIONS) if AS_IN_NUMPY.search(text) else set()
    for span in SPAN.findall(text):
        attributes = ATTRIBUTE.findall(span)
        names.update(f".{name}" for _, name in attributes)
        names.update(name for of, name in attributes if of in MODULES)
        names.update(kind + name for name in FUNCTION.findall(span) for kind in ("", "."))
    return names


@cache
def needed(lecture):
    """The lectures that it needs, and those that they need."""
    header = NEEDED.search(cells(lecture)[0][1])
    direct = set(LINKED.findall(header.group()))
    return direct.union(*map(needed, direct))


def missing(lecture):
    """(place of the cell, name) where a name is used that no text has told of."""
    before = [cell for other in needed(lecture) for cell in cells(other)]
    known = set().union(*(told(text) for kind, text in before if kind == "markdown"))
    known |= {f".{name}" for kind, text in cells(lecture) if kind == "code" for name in own(text)}
    for place, (kind, text) in enumerate(cells(lecture)):
        if kind == "markdown":
            known |= told(text)
            continue
        for name in uses(lecture, text):
            if name not in known:
                known.add(name)
                yield place, name


@pytest.mark.parametrize("lecture", some(LECTURES, 2))
def test_every_name_is_introduced(lecture):
    """The places are those of the cells, from 0."""
    assert list(missing(lecture)) == []


def test_what_counts_as_told():
    text = "`ad.draw(f)` and `stage.film()`, `Graph`; `y = two * x` names no two."
    assert told(text) == {"draw", ".draw", ".film", "Graph", ".Graph"}
    assert "exp" in told("Operations are named as in\nNumPy.") and "exp" not in told("As ever.")
    assert {"steps", "tree_size", "tangents"} <= attributes() and not {"sum", "T"} & attributes()
    assert {"exp", "sum", "where"} <= OPERATIONS and not {"matrix", "trace"} & OPERATIONS


def test_what_counts_as_used():
    source = "figure, axes = plt.subplots()\naxes.draw(ad.grad(y, x).inputs, stage.steps.sum())"
    assert set(uses("05", source)) == {"grad", ".inputs", ".steps"}
