"""The rules of the house: imports point down, functions and files stay short enough to read.

Protects the plan of the house, for those who come later: what may import what, how long a file may
become, what a room says of itself, and the words that name things.
"""

import ast
import importlib
import pkgutil
import re
import sys
import tomllib
from fnmatch import fnmatch
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import pytest

from tests.helpers.changed import statements

HOUSE = Path(__file__).parents[2] / "autodiff_edu"
MODULES = sorted(HOUSE.rglob("*.py"))
FLOORS = {
    "core": 0,
    "expr": 1,
    "ops": 2,
    "library": 3,
    "chance": 3,
    "differentiate": 3,
    "nested": 4,
    "rewrite": 5,
    "structure": 5,
    "run": 6,
    "functions": 7,
    "check": 7,
    "show": 7,
    "course": 8,
    "optimisers": 8,
    "theano": 8,
    "__init__": 9,
    "command": 10,
    "__main__": 11,
}

IN_TEXTS = re.compile(r"""["'](autodiff_edu(?:\.\w+)+)["']""")
every_module = pytest.mark.each("path", MODULES, ids=lambda path: str(path.relative_to(HOUSE)))


def room_of(module):
    """The room that a dotted name leads to: autodiff_edu.expr.graph is in expr."""
    parts = [*module.split("."), "__init__"]
    return parts[1] if parts[1] in FLOORS else "__init__"


@cache
def imports(path):
    """Dotted names of what a module of the house takes from the house, late imports included, and
    names in texts, which are loaded when they are first used."""
    text, folders = path.read_text("utf-8"), path.relative_to(HOUSE).parent.parts
    names = [*imported(ast.parse(text), folders), *IN_TEXTS.findall(text)]
    return [name for name in names if name.split(".")[0] == "autodiff_edu"]


def imported(tree, folders):
    package = ["autodiff_edu", *folders]
    for node in statements(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else []
            base = ".".join([*above, *filter(None, [node.module])])
            yield from (f"{base}.{alias.name}" for alias in node.names)


@every_module
def test_imports_point_down(path):
    room = path.relative_to(HOUSE).parts[0].removesuffix(".py")
    assert room in FLOORS, f"{room} has no floor yet: give it one in book/architecture.md and here"
    used = {room_of(name) for name in imports(path)} - {room}
    assert [other for other in used if FLOORS[other] >= FLOORS[room]] == []


def test_names_in_texts_are_imports():
    top = set(imports(HOUSE / "__init__.py"))
    assert {"autodiff_edu.show.views.draw", "autodiff_edu.check.op.rule_errors"} <= top


class Page(NamedTuple):
    """What three tests ask of a module, which is parsed once for them: that takes longest."""

    lines: int  # docstrings aside: they are for the reader of a page, not of the code
    functions: dict[str, int]  # the lines of each
    names: set[str]  # of the module, its functions, classes, arguments and imports
    errors: list[set[str]]  # the words of each that it raises


@cache
def page(path):
    text = path.read_text("utf-8")
    tree = ast.parse(text)
    nodes = [tree, *statements(tree)]
    documentation = docstring_lines(nodes)
    functions = {
        node.name: len({*range(node.lineno, node.end_lineno + 1)} - documentation)
        for node in nodes
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
    }
    errors = [spans(node.exc) for node in nodes if isinstance(node, ast.Raise) and node.exc]
    lines = text.count("\n") - len(documentation)
    return Page(lines, functions, {path.stem, *names(tree)}, errors)


@every_module
def test_files_and_functions_are_short(path):
    lengths = page(path).functions
    assert {name: length for name, length in lengths.items() if length > 40} == {}
    assert page(path).lines <= 260


def docstring_lines(nodes):
    """The lines that are docstrings."""
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    first = [n.body[0] for n in nodes if isinstance(n, documented) and ast.get_docstring(n)]
    return {line for n in first for line in range(n.lineno, n.end_lineno + 1)}


def module_of(path):
    """The dotted name of a file."""
    parts = path.relative_to(HOUSE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def test_no_circle_of_imports():
    """Neither between rooms nor inside one, imports for annotations included.

    A package that hands on names of its modules is no part of the walk.
    """
    files = {module_of(path): path for path in MODULES}
    graph = {}
    for module, path in files.items():
        found = (files.keys() & {name, name.rpartition(".")[0]} for name in imports(path))
        graph[module] = {m for names in found for m in names if files[m].name != "__init__.py"}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" → ".join(error.args[1]))


def test_no_module_is_hidden_by_a_name_of_another():
    """`import autodiff_edu.rewrite.engine.rewriter` leads where it says."""
    hidden = []
    for path in MODULES:
        if path.name == "__init__.py":
            package = importlib.import_module(module_of(path))
            for info in pkgutil.iter_modules(package.__path__):
                found = getattr(package, info.name, None)
                own = f"{package.__name__}.{info.name}"
                if not (found is None or isinstance(found, ModuleType) or is_of(found, own)):
                    hidden.append(own)
    assert hidden == []


def is_of(found, module):
    """Is it a function, a class or an object that this module defines?"""
    if hasattr(found, "__qualname__"):
        return found.__module__ == module
    return any(v is found for v in vars(sys.modules[module]).values())


PACKAGES = [path for path in MODULES if path.name == "__init__.py" and path.parent != HOUSE]


@pytest.mark.each("path", PACKAGES, ids=lambda path: str(path.relative_to(HOUSE).parent))
def test_a_room_says_what_it_is_for_what_it_takes_and_what_it_gives(path):
    said = ast.get_docstring(ast.parse(path.read_text("utf-8"))) or ""
    purpose, paragraph = [*said.split("\n\n"), ""][:2]
    assert purpose.endswith("."), "a line that says what the room is for, then a paragraph"
    assert re.match(r"Takes: .+\. Gives: .+\.", paragraph, re.DOTALL), paragraph


TESTS = HOUSE.parent / "tests"
OF_ALL = ("house", "book", "whole")  # folders of tests that are of no single room
WHOLE_HOUSE = sorted(path for folder in OF_ALL for path in (TESTS / folder).glob("test_*.py"))


@pytest.mark.each("path", WHOLE_HOUSE, ids=lambda path: path.stem)
def test_a_test_of_the_whole_house_says_what_it_protects(path):
    assert "\n\nProtects " in ast.get_docstring(ast.parse(path.read_text("utf-8")))


def test_tests_stand_in_folders_named_after_rooms():
    """Those of nested and show are in folders named after the rooms inside these."""
    for room in (".", "nested", "show"):
        homes = {path.parent.name for path in (TESTS / room).glob("*/test_*.py")}
        rooms = {path.parent.name for path in (HOUSE / room).glob("*/__init__.py")}
        assert homes - {"benchmarks", *OF_ALL} <= rooms
        assert not list((TESTS / room).glob("test_*.py"))


HOME_MADE = {
    "upstairs": "HOOKS, OPERATIONS",
    "enters": "register, hook",
    "fit": "unbroadcast",
    "stretch": "broadcast_like",
    "settle": "normalize_static",
    "settles": "normalize_static",
    "settled": "normalize_static, normalize_override",
    "Found": "Bindings",
    "woken": "worklist",
    "severed": "nondifferentiable",
    "pays": "cost_policy, no_worse",
    "saves": "cheaper",
    "lowers": "decreases",
    "proving": "Prover",
    "Proving": "Prover",
    "daring": "an expansion policy",
    "paired": "combine",
    "looking": "MatchContext",
    "Looking": "MatchContext",
    "hushed": "suppressed",
    "deaf": "ignores_cotangent",
    "sly": "deceptive",
    "Sketch": "Diagram",
    "sketch": "diagram",
}
HOME_MADE_IN = {  # plain English elsewhere
    "nested": {
        "captured": "free_variables",
        "closed": "closure_convert",
        "many": "batching",
        "placed": "inline_body",
    },
    "rewrite": {
        "growing": "logaddexp",
        "made": "apply_rule",
        "known": "hash_cons",
        "said": "parse_fact",
        "stands": "is_live",
        "waiting": "worklist, revisit",
    },
    "rewrite/engine": {
        "counts": "fewer",
        "engine": "MatchContext",
        "found": "bindings",
        "stated": "validate",
    },
    "rewrite/rules": {"engine": "MatchContext"},
    "run": {"gate": "input_guard"},
}


@every_module
def test_names_are_the_words_of_the_field(path):
    """Of modules, functions, classes, arguments and what is imported; prose may use any word."""
    place = path.relative_to(HOUSE)
    words = dict(HOME_MADE)
    for folder, more in HOME_MADE_IN.items():
        words |= more if place.is_relative_to(folder) else {}
    assert {name: words[name] for name in page(path).names & words.keys()} == {}


def names(tree):
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            yield node.name
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.alias):
            yield node.asname or node.name
        elif isinstance(node, ast.keyword) and node.arg:
            yield node.arg


SPAN = 8  # words in a row that two errors do not share by chance


def spans(error):
    """The words of an error, so many in a row."""
    strings = [n for n in ast.walk(error) if isinstance(n, ast.Constant) and type(n.value) is str]
    strings.sort(key=lambda n: (n.lineno, n.col_offset))
    words = re.findall(r"\w+", " ".join(n.value for n in strings))
    return {" ".join(words[k : k + SPAN]) for k in range(len(words) - SPAN + 1)}


def test_the_words_of_an_error_stand_in_one_place():
    """Who finds better words changes one file."""
    places, twice = {}, []
    for path in MODULES:
        for error in page(path).errors:
            twice += [(words, places[words], path) for words in error if words in places]
            places |= dict.fromkeys(error, path)
    assert twice == []


def test_every_test_is_collected():
    """No folder of tests has a name that pytest passes over."""
    stated = tomllib.loads((HOUSE.parent / "pyproject.toml").read_text(encoding="utf-8"))
    patterns = stated["tool"]["pytest"]["ini_options"]["norecursedirs"]
    tests = HOUSE.parent / "tests"
    ways = {f.parent.relative_to(tests) for f in tests.rglob("test_*.py")}
    assert not [w for w in ways for name in w.parts for p in patterns if fnmatch(name, p)]
