"""A static look at answers: what an exercise does not need.

Who wants to deceive the grader reads our solutions, looks into frames, or changes the checker. Such
an answer has to import, open or name something that no exercise needs. It is not refused, since it
may be innocent: a note tells the instructor, who reads the cell. Students do not see the notes.
"""

import ast
import re
import warnings
from collections.abc import Iterable, Iterator
from functools import cache

from .exercise import Cell, Exercise
from .shell import FOREIGN, OF_NOTEBOOKS

ORDINARY = {"math", "cmath", "itertools", "functools", "collections", "operator", "fractions",
            "decimal", "statistics", "random", "numbers", "typing", "dataclasses", "abc", "heapq",
            "bisect", "copy", "string", "re", "time", "graphlib", "enum", "array", "contextlib",
            "numpy", "scipy", "matplotlib", "autodiff_edu"}  # fmt: skip
CALLS = {"open", "exec", "eval", "compile", "globals", "locals", "vars", "breakpoint", "getattr",
         "get_ipython", "setattr", "delattr"}  # fmt: skip
FRAMES = {"_getframe", "_current_frames", "gi_frame", "tb_frame", "cr_frame", "ag_frame", "f_back",
          "f_globals", "f_locals", "f_builtins", "currentframe", "settrace", "setprofile",
          "get_objects", "attrgetter", "methodcaller"}  # fmt: skip
FILES = {"load", "loadtxt", "genfromtxt", "fromfile", "fromregex", "memmap", "open_memmap",
         "imread", "DataSource", "tofile", "open_code", "open_file_cm"}  # fmt: skip
# Other modules, which an ordinary one has for its own use, as `random._os` is: without underscores.
DOORS = {"os", "sys", "builtins", "subprocess", "importlib", "inspect", "gc", "ctypes", "ctypeslib",
         "io", "pathlib", "shutil", "socket", "pickle", "linecache", "multiprocessing", "f2py",
         "threading", "tempfile", "posix", "nt", "cloudpickle", "psutil"}  # fmt: skip
INSIDE = {"SUPERVISOR", "JUDGING", "harness", "grading", "supervisor", "worker", "verdict"}
DUNDER = re.compile(r"__\w+__")
USUAL = {"__name__", "__main__", "__init__", "__doc__", "__call__", "__repr__", "__str__"}
MAGICS = {"time", "timeit", "precision", "capture", "prun", "pdb", "config", "load_ext", "pinfo",
          "pinfo2", "autoreload", *OF_NOTEBOOKS}  # fmt: skip
OPTIONS = re.compile(r"^(\s*-\w+(\s*\d+)?)+")  # of a magic command, before its code
MOST = 20  # magic commands of a cell
SHOWN, LONGEST = 5, 60  # things in a note, and characters of one


def notes(cells: Iterable[Cell], exercise: Exercise) -> Iterator[str]:
    """What an instructor should look at.

    Parameters
    ----------
    cells : iterable of Cell
        Those that a student wrote.
    exercise : Exercise
        To which exercise: what its own cells import and call is usual there.

    Yields
    ------
    str
        A note for each cell with something.
    """
    modules, usual = ours(exercise)
    for cell in cells:
        own = tree(cell.source)
        if more := sorted(uses(own, modules | imported([own])) - usual):
            rest = ", …" * (len(more) > SHOWN)
            yield f"{cell.title} has {', '.join(more[:SHOWN])}{rest}: look at it"


@cache
def ours(exercise: Exercise) -> tuple[set[str], set[str]]:
    """The names that are bound to modules in an exercise, and the things in it."""
    trees = [tree(cell.source) for cell in exercise.cells]
    modules = imported(trees)
    return modules, {thing for one in trees for thing in uses(one, modules)}


def tree(source: str) -> ast.AST:
    """The syntax tree of a cell, as IPython reads it. One that it cannot read does not run."""
    from IPython.core.inputtransformer2 import TransformerManager

    flags = ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    try:
        with warnings.catch_warnings(action="ignore"):
            text = TransformerManager().transform_cell(source)
            return compile(text, "", "exec", flags)
    except Exception:  # whatever it is, IPython has it as well
        return ast.Module([], [])


def nodes(root: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a tree, with those of the code in magic commands."""
    waiting, commands = [root], 0
    while waiting:
        node = waiting.pop()
        yield node
        match node:
            case ast.Call() if magic(node):
                texts = [a.value for a in node.args[1:] if isinstance(a, ast.Constant)]
                commands += 1
                if commands > MOST:  # each may hold all others: that takes long, and is odd
                    waiting, texts = [ast.Name("get_ipython")], []
                waiting += [tree(OPTIONS.sub("", text)) for text in texts if isinstance(text, str)]
            case _:
                waiting += ast.iter_child_nodes(node)


def magic(node: ast.AST) -> str:
    """The name of the magic command that is called here, "!" for one of the system, or ""."""
    match node:
        case ast.Call(
            ast.Attribute(ast.Call(ast.Name("get_ipython")), "run_line_magic" | "run_cell_magic"),
            [ast.Constant(str(name)), *_],
        ):
            return name
        case ast.Call(ast.Attribute(ast.Call(ast.Name("get_ipython")), "system" | "getoutput")):
            return "!"
    return ""


# ---- things that an exercise seldom needs


def uses(root: ast.AST, modules: set[str]) -> set[str]:
    """Those in a tree, as one would call them; `modules` are names of modules."""
    names: set[str] = set()
    for node in nodes(root):
        names.update(things(node))
        match node:
            case ast.Attribute(ctx=ast.Store() | ast.Del()) if (path := chain(node))[0] in modules:
                names.add(f"{'.'.join(path)} = …"[:LONGEST])
    return names


def things(node: ast.AST) -> Iterator[str]:
    """Those of one node. Commands of the system are not run, and reported elsewhere."""
    match node:
        case ast.Import(names=names):
            yield from (f"import {a.name}" for a in names if is_far(a.name))
        case ast.ImportFrom(module=module, names=names):
            yield from (f"import {module}.{a.name}" for a in names if is_far(f"{module}.{a.name}"))
        case ast.Name(id=name) if name in CALLS | INSIDE or is_dunder(name):
            yield name
        case ast.Attribute(attr=name) if is_inner(name):
            yield f".{name}"
        case ast.MatchClass(kwd_attrs=names):
            yield from (f".{name}" for name in names if is_inner(name))
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) if is_dunder(name):
            yield f"def {name}"
        case ast.keyword(arg=str(name)) if is_dunder(name):
            yield name
        case ast.Constant(value=str(text)):
            yield from filter(is_dunder, DUNDER.findall(text))
        case ast.Call() if (name := magic(node)) and name not in MAGICS | FOREIGN:
            yield f"%{name}"


def is_far(module: str) -> bool:
    """Is this beyond what every exercise may import?"""
    first, *rest = module.split(".")
    if module.startswith("IPython.display."):
        return False
    inside = first == "autodiff_edu" and (rest[:1] == ["command"] or rest[:1] == ["course"] != rest)
    return inside or first not in ORDINARY or any(map(is_inner, rest))


def is_inner(name: str) -> bool:
    """Does an attribute of this name lead to frames, files, other modules or the checker?"""
    return name in FRAMES | FILES | INSIDE or is_dunder(name) or name.lstrip("_") in DOORS


def is_dunder(name: str) -> bool:
    return bool(DUNDER.fullmatch(name)) and name not in USUAL


def imported(trees: Iterable[ast.AST]) -> set[str]:
    """The names that are bound to modules, or to what is imported of them."""
    aliases = (a for one in trees for a in nodes(one) if isinstance(a, ast.alias))
    return {alias.asname or alias.name.partition(".")[0] for alias in aliases}


def chain(node: ast.expr) -> list[str]:
    """The names in `a.b.c`; the first one is "" where it begins with something else."""
    names: list[str] = []
    while isinstance(node, ast.Attribute):
        names.append(node.attr)
        node = node.value
    return [node.id if isinstance(node, ast.Name) else "", *reversed(names)]
