"""A step's rewrite as a small formula: what it leaves alone is written by a letter where long."""

from ..expr import Expr, Input, Step, substitute, text

LONG = 24  # characters of an operand that are still read at a glance


def local(step: Step) -> tuple[str, str]:
    """Both sides of the rewrite: ("1 * x", "x")."""
    letters: dict[Expr, Expr] = {
        e: Input(name, e.type)
        for name, e in step.bindings.items()
        if isinstance(e, Expr) and e.op is not None and len(text(e)) > LONG
    }
    sides = [substitute([side], dict(letters))[0] for side in (step.before, step.after)]
    where = ", ".join(f"{x.name} = {text(e)}" for e, x in letters.items())
    before, after = map(text, sides)
    return before, after + (f", where {where}" if where else "")
