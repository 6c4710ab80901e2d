"""A static look at answers: what an exercise does not need, and texts that are equal.

Who wants to deceive the grader reads our solutions, looks into frames, or changes the checker. Such
an answer has to import, open or name something that no exercise needs. It is not refused, since it
may be innocent: a note tells the instructor, who reads the cell. Students do not see the notes.
"""

import ast
import io
import tokenize
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256

from .exercise import MAGIC, Cell, Exercise
from .marks import Result

ORDINARY = {"math", "cmath", "itertools", "functools", "collections", "operator", "fractions",
            "decimal", "statistics", "random", "numbers", "typing", "dataclasses", "abc", "heapq",
            "bisect", "copy", "string", "re", "time", "graphlib", "enum", "array", "contextlib",
            "numpy", "scipy", "matplotlib"}  # fmt: skip
CALLS = {"open", "exec", "eval", "compile", "__import__", "globals", "vars", "breakpoint",
         "get_ipython", "delattr"}  # fmt: skip
FRAMES = {"_getframe", "_current_frames", "gi_frame", "tb_frame", "cr_frame", "f_back", "f_globals",
          "f_locals", "currentframe", "settrace", "setprofile", "get_objects"}  # fmt: skip
USUAL = {"__name__", "__init__", "__doc__", "__call__"}  # of the names with two underscores
INSIDE = {"SUPERVISOR", "JUDGING", "harness", "grading", "supervisor", "worker", "verdict"}
LONG = 200  # characters of an answer, without comments and space, that two do not write alike
RARE = 0.1  # part of a class that may have a text without its being the one of a lecture
SHOWN = 5  # things, and names, in a note


def notes(sources: dict[str, str], exercise: Exercise) -> Iterator[str]:
    """What an instructor should look at.

    Parameters
    ----------
    sources : dict
        The cells that a student wrote, by name.
    exercise : Exercise
        To which exercise: what its own cells import and call is usual there.

    Yields
    ------
    str
        A note for each cell with something.
    """
    usual = set().union(*(uses(cell.source) for cell in exercise.cells))
    for name, source in sources.items():
        if more := sorted(uses(source) - usual):
            rest = ", …" * (len(more) > SHOWN)
            yield f"cell {name} has {', '.join(more[:SHOWN])}{rest}: look at it"


def uses(source: str) -> set[str]:
    """The things in a cell that an exercise seldom needs, as one would call them."""
    try:
        tree = ast.parse(MAGIC.sub("pass", source))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set()
    return {thing for node in ast.walk(tree) for thing in things(node)}


def things(node: ast.AST) -> Iterator[str]:
    """Those of one node of the syntax tree."""
    match node:
        case ast.Import(names=names):
            yield from (f"import {a.name}" for a in names if is_far(a.name))
        case ast.ImportFrom(module=module, names=names):
            yield from (f"import {module}.{a.name}" for a in names if is_far(f"{module}.{a.name}"))
        case ast.Name(id=name) if name in CALLS | INSIDE or is_dunder(name):
            yield name
        case ast.Attribute(attr=name) if name in FRAMES | INSIDE or is_dunder(name):
            yield f".{name}"
        case ast.Attribute(ast.Name("course" | "ad" as module), name, ast.Store()):
            yield f"{module}.{name} = …"


def is_far(module: str) -> bool:
    """Is this beyond what every exercise may import?"""
    first, *rest = module.split(".")
    inside = first == "autodiff_edu" and rest[:1] == ["course"] and len(rest) > 1
    return inside or first not in ORDINARY | {"autodiff_edu"}


def is_dunder(name: str) -> bool:
    return name.startswith("__") and name.endswith("__") and name not in USUAL


# ---- equal texts


def digests(sources: dict[str, str], cells: dict[str, Cell]) -> Iterator[tuple[str, str]]:
    """The digests of long answers, by the names of their cells."""
    for name, source in sources.items():
        text = plain(source)
        if len(text) >= LONG and text != plain(cells[name].handed_out):
            yield name, sha256(text.encode("utf-8", "replace")).hexdigest()[:16]


def plain(source: str) -> str:
    """A text without its comments and space."""
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(source).readline))
    except (tokenize.TokenError, SyntaxError):
        return "".join(source.split())
    blank = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT}
    return " ".join(token.string for token in tokens if token.type not in blank).strip()


def with_equal_texts(results: Sequence[Result], exercises: Iterable[Exercise]) -> list[Result]:
    """The results, with a note where a long answer is equal to few others, or to our own."""
    solutions = {
        (exercise.name, *pair)
        for exercise in exercises
        for pair in digests({n: c.source for n, c in exercise.answers.items()}, exercise.answers)
    }
    owners: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for result in results:
        for pair in result.texts:
            owners[result.exercise, *pair].append(result.name)
    few = max(2, RARE * len(results))

    def note(result: Result, cell: str, text: str) -> Iterator[str]:
        key = (result.exercise, cell, text)
        names = [name for name in owners[key] if name != result.name]
        if key in solutions:
            yield f"equal text: cell {cell} is our solution"
        elif names and len(owners[key]) <= few:
            yield f"equal text: cell {cell}, as {', '.join(names[:SHOWN])}"

    return [
        r._replace(notes=(*r.notes, *(n for pair in r.texts for n in note(r, *pair))))
        for r in results
    ]
