"""A step's rewrite as a small formula: what it leaves alone is written by a letter where long."""

from collections.abc import Collection, Iterable
from typing import NamedTuple

from ...expr import Built, Expr, Step, in_sight, text, visible

LONG = 24  # characters of an operand that are still read at a glance
LETTERS = "uvwpqrstabcdefgh"


class Local(NamedTuple):
    """Both sides of a rewrite, what its letters stand for, and the conditions that it needs."""

    before: str
    after: str
    where: str = ""
    needs: tuple[str, ...] = ()


def local(step: Step) -> Local:
    """`1 * x`, `x`, and `, where u = ...` for parts that are too long to stand in them."""
    bound = parts(step)
    written = {e: text(e) for e in bound.values()}
    long = {name: e for name, e in bound.items() if len(written[e]) > LONG}
    names = free(long, {n.name or "" for n in in_sight([step.before, step.after])} if long else ())
    letters = {e: visible(x) for x, e in zip(names, long.values())}
    where = ", ".join(f"{x} = {written[e]}" for e, x in letters.items())
    before, after, *needs = (text(e, letters) for e in (step.before, step.after, *step.needs))
    return Local(before, after, f", where {where}" if where else "", tuple(needs))


def parts(step: Step) -> dict[str, Expr]:
    """What may be written by a letter, by its name in the rule. A step of forward or reverse mode
    has no rule with letters, and what it made is what one wants to see."""
    if isinstance(step.bindings, Built):
        of = step.bindings.of
        return {} if of.op is None or of is step.before else {"u": of}
    return {k: e for k, e in step.bindings.items() if isinstance(e, Expr) and e.op is not None}


def free(wanted: Iterable[str], taken: Collection[str]) -> list[str]:
    """The names, each replaced by a letter that is free if the graph has it already."""
    found: list[str] = []
    for name in wanted:
        names = (x for x in (name, *LETTERS) if x not in taken and x not in found)
        found.append(next(names, f"{name}'"))
    return found
