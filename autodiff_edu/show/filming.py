"""`film`: a stage frame by frame, each frame made from the one before by one step."""

from collections.abc import Iterator
from typing import Any

from ..expr import Expr, Growing, Pipeline, Rewriting, Stage, Step, as_graph, enters
from . import growth
from .film import Film
from .formula import local
from .listing import Listing
from .picture import Picture
from .picturing import is_text, lie, picture, result
from .replay import Change, Frame
from .sketch import Direction
from .style import Mark
from .unfolding import unfolding

KEY: tuple[Any, ...] = (
    "forward",
    "derivative",
    ("new", "made by this step"),
)
Shot = tuple[str, Picture | Listing]


@enters("film")
def film(what: Any, *, direction: Direction | None = None, **options: Any) -> Film:
    """The film of a stage, a frame more than it has steps; of a pipeline the stages' films; of a
    graph, or of expressions, how its boxes open.

    The options are those of `draw`. Raises TypeError for what has neither steps nor boxes.
    """
    if not isinstance(what, (Stage, Pipeline)):
        return unfolding(what, direction, **options)
    stages = [what] if isinstance(what, Stage) else list(what)
    graphs = [as_graph(g) for stage in stages for g in (stage.before, stage.after)]
    options["direction"] = direction or lie(graphs, options.get("open", False))
    shots: list[Shot] = []
    for stage in stages:
        first, *rest = shoot(stage, options)
        said = f"{stage.name}: " if len(stages) > 1 else ""
        shots += [first, *((said + words, frame) for words, frame in rest)]
    return Film(shots, key(stages))


def key(stages: list[Stage]) -> tuple:
    rewriting = any(isinstance(s, Rewriting) for s in stages)
    return (*KEY, ("matched", "rewritten next" if rewriting else "whose rule was used"))


def shoot(stage: Stage, options: dict[str, Any]) -> Iterator[Shot]:
    if isinstance(stage, Rewriting):
        return rewriting(stage, options)
    if isinstance(stage, Growing):
        return growth.growing(stage, options)
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


# ---- rewriting stages


def rewriting(stage: Rewriting, options: dict[str, Any]) -> Iterator[Shot]:
    before, new = Frame(stage, 0), dict[str, Any]()
    words = f"before {stage.name}"
    for k, step in enumerate(stage.steps):
        after = Frame(stage, k + 1)
        change = Change(step, before, after)
        yield words, shot(before, new, change.matched(), options)
        new = {"new": change.new(), "new_edges": change.new_edges()}
        before, words = after, caption(step)
    yield words, shot(before, new, [], options)


def shot(frame: Frame, new: dict[str, Any], matched: list[Expr], options: Any) -> Picture:
    marks: dict[Expr, Mark] = dict.fromkeys(new.get("new", ()), "new")
    marks |= dict.fromkeys(matched, "matched")
    return picture(frame.graph, marks=marks, new_edges=new.get("new_edges", ()), **options)


def caption(step: Step) -> str:
    """`times one: 1 * x → x`, and what the rule asks for."""
    before, after = local(step)
    return f"{step.rule}: {before} → {after}" + (f" ({step.note})" if step.note else "")
