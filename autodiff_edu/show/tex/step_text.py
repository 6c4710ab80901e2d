"""Steps in words: which of them are seen, a caption for each, its rewrite as a small formula.

In the formula, what the step leaves alone is written by a letter where it is long.
"""

from collections.abc import Collection, Iterable, Sequence
from typing import Any, NamedTuple

from ...expr import Built, Expr, Stage, Step, in_sight, text, visible

LONG = 24  # characters of an operand that are still read at a glance
LETTERS = "uvwpqrstabcdefgh"


# ---- which steps are seen


def chosen(stage: Stage, which: dict[str, Any]) -> Sequence[int]:
    """The places of the steps that a rule, a phase or a node chooses; all of them without any.

    Raises TypeError where the stage cannot tell them apart, ValueError where none is left.
    """
    which = {word: value for word, value in which.items() if value is not None}
    if not which:
        return range(len(stage.steps))
    if not hasattr(stage, "select"):
        raise TypeError(
            f"{' and '.join(which)} choose among the steps of a simplification, and this is "
            f"{stage!r}; of a pipeline, take the stage: pipeline['simplify']"
        )
    places = stage.select(**which)
    if not places:
        asked = ", ".join(f"{word}={value!r}" for word, value in which.items())
        raise ValueError(f"no step of {stage!r} has {asked}; its rules: {', '.join(stage.counts)}")
    return places


class Halt(NamedTuple):
    """A frame of a film that has some of the steps: `k` steps are made by then, the last `left` of
    which were left out, and the next one may be coming."""

    k: int
    left: int
    shows_next: bool

    @property
    def shows_last(self) -> bool:
        """Does the frame show what the last step made?"""
        return self.k > 0 and not self.left


def halts(places: Sequence[int]) -> list[Halt]:
    """The frame before the first of these steps and one after each; where steps are left out, one
    before the next step too."""
    found, k, left = list[Halt](), 0, 0
    for place in places:
        if place > k:
            found += [Halt(k, 0, shows_next=False)] if k else []
            k, left = place, place - k
        found.append(Halt(k, left, shows_next=True))
        k, left = place + 1, 0
    return [*found, Halt(k, left, shows_next=False)]


# ---- a caption


def words_of(halt: Halt, stage: Stage, by: str = "") -> str:
    """The caption of a frame of a simplification; `by` is the equation of the last rule."""
    if halt.left:
        return f"after {halt.left} other step{'s' * (halt.left > 1)}"
    return caption(stage.steps[halt.k - 1], by) if halt.k else f"before {stage.name}"


def caption(step: Step, by: str = "") -> str:
    """`over itself: x / x → 1 (needs x != 0; 0/0 is nan, this says 1; cost 7 → 5)`; `by` is the
    equation of the rule."""
    change = local(step)
    asides = [f"needs {condition}" for condition in change.needs]
    asides += [words for words in (step.note, f"cost {cost(step)}" if step.cost else "") if words]
    said = f" ({'; '.join(asides)})" if asides else ""
    equation = f", by {by}" if by else ""
    return f"{step.rule}: {change.before} → {change.after}{change.where}{equation}{said}"


def cost(step: Step) -> str:
    """The cost of the whole graph before the step and after it."""
    return " → ".join(map(str, step.cost or ()))


# ---- a rewrite as a formula


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
