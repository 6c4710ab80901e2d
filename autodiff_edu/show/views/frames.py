"""The frames of a stage: a caption and a picture for each step, in the way of its kind."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...expr import Stage, Step, shown
from ..build.render import is_text, picture, result
from ..by_class import by_class
from ..html.showable import Showable
from ..tex.step_text import local

Shot = tuple[str, Showable]
LONGEST = 500  # steps


@by_class
def shots(stage: Stage, places: Sequence[int], options: dict[str, Any]) -> Iterator[Shot]:
    """One more than there are steps. Here of a stage that logs no graphs of its own: what each
    step said, or the text that it made; a kind of stage with other frames registers them."""
    if is_text(stage.after):
        yield f"after {stage.name}", result(stage, options)
        return
    for k, graph in enumerate(stage.frames()):
        yield (
            caption(stage.steps[k - 1]) if k else f"before {stage.name}",
            picture(graph, **options),
        )


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


# ---- what is asked for


def check_numbers(what: Any, options: Mapping[str, Any]) -> None:
    """Raise ValueError if numbers are asked for in a film of another kind."""
    if "numbers" in options:
        raise ValueError("the parts of a derivative or of a simplification have numbers, in a film "
                         f"of all its steps whose values flow down; this is {shown(what)}"
                         )  # fmt: skip


def check_length(steps: int) -> None:
    """Raises ValueError for more steps than anybody looks through."""
    if steps > LONGEST:
        raise ValueError(f"a film of {steps:,} steps is too long to look through (at most "
                         f"{LONGEST}): of a simplification film a part, by rule=, phase= or node=; "
                         "or look at stage.draw(), at stage.table(), which has a row a step, or "
                         "at the stage of a smaller graph")  # fmt: skip


# ---- in words


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
