"""What a program calls, as text: the rest of a file that runs with NumPy and SciPy alone.

The text of a program comes first. Behind it stand the functions that it calls, taken from this
package by their source, with what they call in turn. What cannot be written, or is too large, is
given by the caller: large constants, shared values, operations of the user's.
"""

import ast
import dis
import inspect
import re
import sys
import textwrap
from collections.abc import Iterator, Mapping
from functools import cache
from threading import local
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

from ..expr import same_bits
from ..ops import OPS
from .source.numbers import scalar_form
from .source.scalar_functions import FUNCTIONS, OF_MATH

CALL = r"(\w+)\(\{0\}(?:, \{1\})?\)"  # the form of an operation that is one function
LARGEST = 20  # entries of a constant that is written as text
ACCEPT = '''def accept(*values):
    """Values of the declared types; ad.function also checks their shapes."""
    return [np.asarray(v, t)[()] for v, t in zip(values, {dtypes})]'''
FLOATS = """def accept(*values):
    return [float(v) for v in values]"""
CAREFUL = '''def careful(function, *values):
    """The same by NumPy, which answers inf or nan where math raises an error."""

    class Row(np.ndarray):
        def tolist(self):  # NumPy's numbers
            return [*np.asarray(self)]

    def of_numpy(v):
        if np.ndim(v):
            return np.asarray(v).view(Row)
        return np.float64(v) if isinstance(v, float) else v

    def stop(*_):
        raise

    by_numpy = {{{names}, "careful": stop}}
    code = function.__code__
    numbers = [np.float64(c) if type(c) is float else c for c in code.co_consts]
    again = FunctionType(code.replace(co_consts=tuple(numbers)), {{**globals(), **by_numpy}})
    with np.errstate(all="ignore"):
        return again(*map(of_numpy, values))'''
STAND_INS = {
    "fresh": "fresh = np.array",
    "one_step": "def one_step(*shared):\n    return lambda function: function",
    "snapshot": "def snapshot(*shared):\n    return [w.value for w in shared]",
    "finite": '''def finite(value, place, *operands):
    """Stop at the first nan or inf that no operand had."""
    new = not np.isfinite(value).all() and all(np.isfinite(v).all() for v in operands)
    if new:
        raise FloatingPointError(f"operation {place} gives nan or inf")''',
}


class Definitions:
    """The definitions that a text needs, and what has to be given."""

    def __init__(self, text: str, space: Mapping[str, Any], special: Mapping[str, str]):
        self.imports: dict[str, None] = {}
        self.texts: dict[str, str] = {}
        self.given: dict[str, Any] = {}
        code = compile(text, "<source>", "exec")
        self.known = {n.name for n in ast.parse(text).body if isinstance(n, ast.FunctionDef)}
        for name in globals_of(code):
            if name in special and name not in self.known:
                self.known.add(name)
                self.write(name, special[name])
            elif name in space:
                self.define(name, space[name])

    def write(self, name: str, text: str) -> None:
        """A text of our own, and the modules that it uses."""
        if "np." in text:
            self.imports["import numpy as np"] = None
        if "FunctionType" in text:
            self.imports["from types import FunctionType"] = None
        self.texts[name] = text

    def define(self, name: str, value: Any) -> None:
        """The definition of a name, if it can be written."""
        if name in self.known:
            return
        self.known.add(name)
        value = getattr(value, "__wrapped__", value)
        module = getattr(value, "__module__", None) or ""
        if isinstance(value, ModuleType):
            self.imports[imported(name, value.__name__)] = None
        elif name in OF_MATH and FUNCTIONS[name] is value:
            self.imports[f"from math import {name}"] = None
        elif isinstance(value, np.ufunc) or getattr(np, name, None) is value:
            self.write(name, f"{name} = np.{getattr(value, '__name__', name)}")
        elif is_ours(value, module):
            self.copy(name, value)
        elif is_made_of_ours(value):
            self.define(type(value).__name__, type(value))
            self.texts[name] = f"{name} = {type(value).__name__}()"
        elif module in sys.stdlib_module_names and hasattr(value, "__name__"):
            self.imports[imported(name, f"{module}.{value.__name__}")] = None
        elif (text := literal(value)) is not None:
            self.write(name, f"{name} = {text}")
        elif isinstance(value, type) and issubclass(value, Exception):
            base = next(c for c in value.__mro__ if c.__module__ == "builtins")
            self.texts[name] = f"{name} = {base.__name__}"
        else:
            self.given[name] = value

    def copy(self, name: str, value: Any) -> None:
        """The source of a function or class of this package, without annotations; a function
        without decorators, too."""
        try:
            tree = ast.parse(textwrap.dedent(inspect.getsource(value)))
        except (OSError, SyntaxError):
            tree = ast.Module([], [])
        (definition,) = tree.body if len(tree.body) == 1 else (None,)
        if not isinstance(definition, (ast.FunctionDef, ast.ClassDef)):
            self.given[name] = value
            return
        definition.name = name
        bare(definition)
        around = vars(sys.modules[value.__module__])
        for inner in (
            names_in(definition) if isinstance(value, type) else globals_of(value.__code__)
        ):
            if inner in around:
                self.define(inner, around[inner])
        self.texts[name] = ast.unparse(definition)


def bare(definition: ast.FunctionDef | ast.ClassDef) -> None:
    """Leave the first line of docstrings, and no annotations."""
    if isinstance(definition, ast.FunctionDef):
        definition.decorator_list = []
    for part in ast.walk(definition):
        if isinstance(part, (ast.FunctionDef, ast.ClassDef)):
            shorten_docstring(part)
        if isinstance(part, ast.FunctionDef):
            part.returns = None
        if isinstance(part, ast.arg):
            part.annotation = None


def names_in(definition: ast.AST) -> Iterator[str]:
    """The names that a definition reads, each once."""
    return iter(dict.fromkeys([n.id for n in ast.walk(definition) if isinstance(n, ast.Name)]))


def shorten_docstring(definition: ast.FunctionDef | ast.ClassDef) -> None:
    """Leave the first line of it."""
    first = definition.body[0]
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
        first.value.value = str(first.value.value).partition("\n")[0]


def imported(name: str, module: str) -> str:
    parent, _, last = module.rpartition(".")
    if parent:
        return f"from {parent} import {last}" + f" as {name}" * (last != name)
    return f"import {module}" if name == module else f"import {module} as {name}"


def is_ours(value: Any, module: str) -> bool:
    """Is it a function of this package that stands by itself, or a class of values that each thread
    makes for itself?"""
    if module.partition(".")[0] != __name__.partition(".")[0]:
        return False
    if isinstance(value, type):
        return issubclass(value, local) and "__init__" not in vars(value)
    return isinstance(value, FunctionType) and not value.__code__.co_freevars


def is_made_of_ours(value: Any) -> bool:
    """Is it an object of such a class?"""
    return is_ours(type(value), type(value).__module__)


def literal(value: Any) -> str | None:
    """A number, a text or a few of them as Python writes them."""
    if isinstance(value, np.ndarray):
        return literal_array(value)
    if isinstance(value, dict):
        rows = [(literal(k), literal(v)) for k, v in value.items()]
        known = all(text is not None for row in rows for text in row)
        return f"{{{', '.join([f'{k}: {v}' for k, v in rows])}}}" if known else None
    if isinstance(value, np.dtype):
        return f"np.dtype({str(value)!r})"
    if isinstance(value, np.generic):
        number = literal(value.item())
        return None if number is None else f"np.{type(value).__name__}({number})"
    if isinstance(value, (tuple, list)):
        texts = [literal(v) for v in value]
        inside = ", ".join(map(str, texts)) + "," * (isinstance(value, tuple) and len(texts) == 1)
        pair = "()" if isinstance(value, tuple) else "[]"
        return None if None in texts else f"{pair[0]}{inside}{pair[1]}"
    if isinstance(value, float) and not np.isfinite(value):
        return f'float("{float(value)}")'
    return repr(value) if isinstance(value, (bool, int, float, str, type(None))) else None


def literal_array(value: np.ndarray) -> str | None:
    """An array that repeats a number, or has few of them."""
    if value.dtype.kind not in "biuf":
        return None
    dtype, first = str(value.dtype), value.flat[0].item() if value.size else 0
    if same_bits(value, np.broadcast_to(np.asarray(first, value.dtype), value.shape)):  # not -0.0
        return f"np.full({value.shape}, {literal(first)}, {dtype!r})[()]"
    few = value.size <= LARGEST and np.isfinite(value).all()
    return f"np.array({value.tolist()!r}, {dtype!r})[()]" if few else None


def globals_of(code: CodeType) -> Iterator[str]:
    """The names that are looked up outside of the functions, each once."""
    found: dict[str, None] = {}
    waiting = [code]
    for one in waiting:
        for step in dis.get_instructions(one):
            if step.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
                found[step.argval] = None
        waiting += [c for c in one.co_consts if isinstance(c, CodeType)]
    return iter(found)


def completed(program: Any) -> tuple[str, dict[str, Any]]:
    """The text of a program as a file, and by name what the file is to be given."""
    text = program.source
    if program.target != "numpy":
        return text, {}
    found = Definitions(text, program.space, own_definitions(program))
    later = [line for line in found.imports if line not in text.splitlines()]
    needed = [f"# {name}: {described(value)}" for name, value in found.given.items()]
    head = ["\n".join(["# Given by the caller:", *needed])] if needed else []
    parts = [*head, text.strip("\n"), "\n".join(later), *found.texts.values()]
    return "\n\n\n".join([part for part in parts if part]) + "\n", found.given


def own_definitions(program: Any) -> dict[str, str]:
    """What stands in the place of functions that know the program."""
    names = [name for name in FUNCTIONS if f"{name}(" in program.source]
    table = [f'"{name}": {by_numpy(name)}' for name in names if name in operations()]
    table += ['"accept": lambda *v: v', '"float": np.float64']
    careful = CAREFUL.format(names=", ".join(table))
    by_numbers = "return careful(" in program.source and bool(program.text.scalar)
    dtypes = [str(i.dtype) for i in program.inputs]
    accept = FLOATS if by_numbers else ACCEPT.format(dtypes=dtypes)
    return STAND_INS | {"accept": accept, "careful": careful}


@cache
def operations() -> dict[str, Any]:
    """The operation for which each function in a text stands."""
    called = [(re.fullmatch(CALL, scalar_form(op)), op) for op in OPS.values()]
    return {call[1]: op for call, op in called if call}


def by_numpy(name: str) -> str:
    """NumPy's operator or function, or the same one, whose results are NumPy's."""
    op = operations()[name]
    if op.symbol:
        return f"lambda x, y: x {op.symbol} y"
    return f"np.{op.name}" if hasattr(np, op.name) else f"lambda v: np.float64({name}(v))"


def described(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return f"an array of shape {value.shape}, {value.dtype}"
    return re.sub(r"\W", "_", str(getattr(value, "__name__", type(value).__name__)))
