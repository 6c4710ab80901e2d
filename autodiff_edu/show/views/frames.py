"""The frames of a stage: a caption and a picture for each step, in the way of its kind.

What is here is laid out by Graphviz, frame by frame: pipelines that do not flow down, stages that
are neither derivatives nor simplifications, and what is shown another way than usual.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ...expr import Rewriting, Stage, Step, as_graph, shown
from ..build.render import is_text, lie, picture, result
from ..by_class import by_class
from ..html.film_strip import Film
from ..html.page import Word
from ..html.showable import Showable
from ..tex.step_text import local

Shot = tuple[str, Showable]
LONGEST = 500  # steps
KEY: tuple[Word, ...] = (("new", "made by this step"),)


def film_stages(stages: list[Stage], steps: dict[str, Any], options: dict[str, Any]) -> Film:
    """One film, whose pictures lie the same way; captions name the stage where there are many."""
    check_numbers(stages, options)
    graphs = [as_graph(g) for stage in stages for g in (stage.before, stage.after)]
    options["direction"] = options["direction"] or lie(graphs, options.get("open", False))
    places = [chosen(stage, steps) for stage in stages]
    check_length(sum(map(len, places)))
    films = [Film(shots(stage, these, dict(options))) for stage, these in zip(stages, places)]
    rewrites = any(isinstance(s, Rewriting) and s.steps for s in stages)
    matched = "rewritten next" if rewrites else "whose rule was used"
    return Film(sequence(stages, films), (*KEY, ("matched", matched)))


def sequence(stages: Sequence[Stage], films: Sequence[Film]) -> Iterator[Shot]:
    """Their frames, one after another."""
    for stage, film in zip(stages, films, strict=True):
        for k, (words, shot) in enumerate(film.frames):
            yield f"{stage.name}: " * (k > 0 and len(films) > 1) + words, shot


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


# ---- what is asked for


def check_numbers(what: Any, options: Mapping[str, Any]) -> None:
    """Raise ValueError if numbers are asked for in a picture of another kind."""
    if "numbers" in options:
        raise ValueError("the parts of a derivative or of a simplification have numbers, in a "
                         f"picture whose values flow down; this is {shown(what)}"
                         )  # fmt: skip


def check_length(steps: int) -> None:
    """Raises ValueError for more steps than anybody looks through."""
    if steps > LONGEST:
        raise ValueError(f"a film of {steps:,} steps is too long to look through (at most "
                         f"{LONGEST}): of a simplification film a part, by rule=, phase= or node=; "
                         "or look at stage.draw(), at stage.table(), which has a row a step, or "
                         "at the stage of a smaller graph")  # fmt: skip


# ---- in words


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
