"""Names are nouns and verbs, and docstrings name their subject: exceptions may only become fewer.

Protects readers from looking up what `found` is. A participle or a pronoun as a name, and a
docstring that begins with "what" or "the same", leave out their subject. Both are counted by room.
"""

import ast
from collections import Counter
from functools import cache
from pathlib import Path

from tests.helpers.changed import statements

PACKAGE = Path(__file__).parents[2] / "autodiff_edu"
VAGUE = frozenset(
    "found given known told kept met made seen asked wanted chosen drawn taken used done gone held"
    " needed missed what how who whom which this that these those something anything"
    " everything others".split()
)
# By room: vague names, and docstrings without a subject. Lower them, never raise them.
MOST = {
    "chance": (10, 1),
    "check": (89, 28),
    "command": (20, 6),
    "core": (3, 0),
    "course": (348, 55),
    "differentiate": (34, 4),
    "expr": (64, 20),
    "functions": (70, 22),
    "library": (114, 3),
    "nested": (240, 32),
    "ops": (70, 17),
    "rewrite": (236, 55),
    "run": (133, 44),
    "show": (170, 47),
    "structure": (86, 8),
    "theano": (302, 68),
    "top": (1, 0),
}


def names(tree):
    """Each name that a file binds, as often as it does."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield node.name


def docstrings(tree):
    """The first words of each docstring, in lower case."""
    for node in (tree, *statements(tree)):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            yield (ast.get_docstring(node) or "").lower()


@cache
def count():
    vague, subjectless = Counter(), Counter()
    for path in sorted(PACKAGE.rglob("*.py")):
        place = path.relative_to(PACKAGE)
        room = place.parts[0] if len(place.parts) > 1 else "top"
        tree = ast.parse(path.read_text("utf-8"))
        vague[room] += sum(name in VAGUE for name in names(tree))
        subjectless[room] += sum(
            text.startswith(("what ", "of which ", "which ", "the same "))
            for text in docstrings(tree)
        )
    return {room: (vague[room], subjectless[room]) for room in sorted(vague)}


def test_vague_names_and_docstrings_become_fewer():
    for room, numbers in count().items():
        for number, most in zip(numbers, MOST[room], strict=True):
            assert number <= most, (room, numbers)


def test_counts_that_fell_are_held():
    """A bound is no more than a tenth above what it bounds."""
    for room, numbers in count().items():
        for number, most in zip(numbers, MOST[room], strict=True):
            assert most <= max(1.1 * number, number + 2), (room, numbers)
