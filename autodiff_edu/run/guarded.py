"""A function for one path of a Python function, as `functions` traces it."""

from collections.abc import Sequence

from ..expr import Expr, Graph, Input
from .compiled import Compiled
from .function import compiled
from .updates import stated


def guarded(
    inputs: Sequence[Input],
    outputs: Sequence[Expr],
    conditions: Sequence[Expr],
    answers: Sequence[bool | int],
) -> Compiled:
    """A function that computes the list of outputs, as long as the conditions have these answers.

    It asks them one after the other, and gives the pair (place, answer) for the first that has
    another one.
    """
    results, changes = stated(Graph([*conditions, *outputs]), {}, {})
    declared = Graph([*results, *changes.values()], inputs)
    return compiled(declared, tuple(changes), True, "safe", "program", "numpy", tuple(answers))
