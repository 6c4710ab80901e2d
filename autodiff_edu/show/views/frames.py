"""The frames of a stage that is neither a derivative nor a simplification: a caption and a picture
for each step, laid out frame by frame; or the text that the stage made.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...expr import Expr, Graph, Stage, as_graph
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


def film_frames(stage: Stage, steps: dict[str, Any], options: dict[str, Any]) -> Film:
    """The film of such a stage, whose pictures lie the same way."""
    check_numbers(stage, options)
    graphs = [as_graph(g) for g in (stage.before, stage.after)] if not is_text(stage.after) else []
    options["direction"] = options["direction"] or lie(graphs, options.get("open", False))
    check_length(len(chosen(stage, steps)))
    return Film(shots(stage, options), KEY)


def sequence(stages: Sequence[Stage], films: Sequence[Film]) -> Iterator[Shot]:
    """Their frames, one after another."""
    for stage, film in zip(stages, films, strict=True):
        for k, (words, shot) in enumerate(film.frames):
            yield f"{stage.name}: " * (k > 0 and len(films) > 1) + words, shot


def shots(stage: Stage, options: dict[str, Any]) -> Iterator[Shot]:
    """One more than there are steps: what each step said, or the text that the stage made."""
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
