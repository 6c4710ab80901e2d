"""The frames of a stage: a caption and a picture for each step, in the way of its kind.

What is here is laid out by Graphviz, frame by frame: pipelines that do not flow down, stages that
are neither derivatives nor simplifications, and what is shown another way than usual.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...expr import Expr, Graph, Rewriting, Stage, as_graph
from ..by_class import by_class
from ..html.film_strip import Film
from ..html.listing import Listing
from ..html.page import Word
from ..html.picture import Picture
from ..html.showable import Showable
from ..tex.step_text import caption, chosen
from .draw import check_numbers
from .legible import lie, picture

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


def check_length(steps: int) -> None:
    """Raises ValueError for more steps than anybody looks through."""
    if steps > LONGEST:
        raise ValueError(f"a film of {steps:,} steps is too long to look through (at most "
                         f"{LONGEST}): of a simplification film a part, by rule=, phase= or node=; "
                         "or look at stage.draw(), at stage.table(), which has a row a step, or "
                         "at the stage of a smaller graph")  # fmt: skip


# ---- what a stage made


def is_text(after: Any) -> bool:
    """Is what a stage made no graph, but a plan or a program, which prints as its text?"""
    return not isinstance(after, (Graph, Expr, list, tuple))


def result(stage: Stage, options: Mapping[str, Any]) -> Picture | Listing:
    """What a stage made."""
    is_picture = not is_text(stage.after)
    return picture(as_graph(stage), **options) if is_picture else Listing(repr(stage.after))
