"""`film`: a stage frame by frame, each frame made from the one before by one step."""

from collections.abc import Iterator, Sequence
from typing import Any

from ...expr import Expr, Growing, Pipeline, Rewriting, Stage, as_graph, hook
from ..build.render import is_text, lie, picture, result
from ..diagram.diagram import Direction
from ..diagram.theme import ORANGE
from ..html.film_strip import Film
from ..html.listing import Listing
from ..html.picture import Picture
from . import derivative_frames
from .expansion_frames import unfolding
from .rewrite_frames import caption, chosen, rewriting

KEY: tuple[Any, ...] = (
    "forward",
    "derivative",
    ("new", "made by this step"),
)
TAGS = ({"color": ORANGE, "fillcolor": ORANGE}, "x → what the rule calls x; → x the same after it")
LONGEST = 500  # steps
Shot = tuple[str, Picture | Listing]


@hook("film")
def film(
    what: Any,
    *,
    rule: str | None = None,
    phase: str | None = None,
    node: Expr | None = None,
    direction: Direction | None = None,
    **options: Any,
) -> Film:
    """The film of a stage, a frame more than it has steps; of a pipeline the stages' films; of a
    graph, or of expressions, how its boxes open.

    rule, phase, node: of a simplification, only the steps that used this rule, belong to this
    phase, rewrote this node or what it became. The other options are those of `draw`.
    Raises TypeError for what has neither steps nor boxes.
    """
    which = {"rule": rule, "phase": phase, "node": node}
    if not isinstance(what, (Stage, Pipeline)):
        return unfolding(what, direction, **options)
    stages = [what] if isinstance(what, Stage) else list(what)
    graphs = [as_graph(g) for stage in stages for g in (stage.before, stage.after)]
    options["direction"] = direction or lie(graphs, options.get("open", False))
    places = [chosen(stage, which) for stage in stages]
    check_length(sum(map(len, places)))
    shots: list[Shot] = []
    for stage, these in zip(stages, places, strict=True):
        first, *rest = shoot(stage, these, options)
        said = f"{stage.name}: " if len(stages) > 1 else ""
        shots += [first, *((said + words, frame) for words, frame in rest)]
    return Film(shots, key(stages))


def check_length(steps: int) -> None:
    """Raises ValueError for more steps than anybody looks through."""
    if steps > LONGEST:
        raise ValueError(f"a film of {steps:,} steps is too long to look through (at most "
                         f"{LONGEST}): of a simplification film a part, by rule=, phase= or node=; "
                         "or look at stage.draw(), at stage.table(), which has a row a step, or "
                         "at the stage of a smaller graph")  # fmt: skip


def key(stages: list[Stage]) -> tuple:
    steps = [step for s in stages if isinstance(s, Rewriting) for step in s.steps]
    if not steps:
        return (*KEY, ("matched", "whose rule was used"))
    return (*KEY, ("matched", "rewritten next"), *[TAGS] * any(step.bindings for step in steps))


def shoot(stage: Stage, places: Sequence[int], options: dict[str, Any]) -> Iterator[Shot]:
    if isinstance(stage, Rewriting):
        return rewriting(stage, places, options)
    if isinstance(stage, Growing):
        return derivative_frames.growing(stage, options)
    return plain(stage, options)


def plain(stage: Stage, options: dict[str, Any]) -> Iterator[Shot]:
    """A stage that logs no graphs of its own: what each step said, or the text that it made."""
    if is_text(stage.after):
        yield f"after {stage.name}", result(stage, options)
        return
    for k, graph in enumerate(stage.frames()):
        yield (
            caption(stage.steps[k - 1]) if k else f"before {stage.name}",
            picture(graph, **options),
        )
