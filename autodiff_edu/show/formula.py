"""A step's rewrite as a small formula: what it leaves alone is written by a letter where long."""

from collections.abc import Iterable

from ..expr import Expr, Input, Step, postorder, substitute, text

LONG = 24  # characters of an operand that are still read at a glance
LETTERS = "uvwpqrstabcdefgh"


def local(step: Step) -> tuple[str, str]:
    """Both sides of the rewrite: ("1 * x", "x")."""
    long = {
        name: e
        for name, e in step.bindings.items()
        if isinstance(e, Expr) and e.op is not None and len(text(e)) > LONG
    }
    names = free(long, {n.name or "" for n in postorder([step.before, step.after])})
    letters: dict[Expr, Expr] = {e: Input(x, e.type) for x, e in zip(names, long.values())}
    sides = [substitute([side], dict(letters))[0] for side in (step.before, step.after)]
    where = ", ".join(f"{x.name} = {text(e)}" for e, x in letters.items())
    before, after = map(text, sides)
    return before, after + (f", where {where}" if where else "")


def free(wanted: Iterable[str], taken: set[str]) -> list[str]:
    """The names, each replaced by a letter that is free if the graph has it already."""
    found: list[str] = []
    for name in wanted:
        names = (x for x in (name, *LETTERS) if x not in taken and x not in found)
        found.append(next(names, f"{name}'"))
    return found
