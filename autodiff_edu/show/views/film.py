"""`film`: a stage frame by frame, each frame made from the one before by one step."""

from typing import Any

from ...differentiate import D
from ...expr import Expr, Growing, Pipeline, Rewriting, Stage
from ..by_class import by_class
from ..diagram.diagram import Direction
from ..html.film_strip import Film
from ..tex.step_text import chosen
from .draw import check_numbers, drawing
from .expansion_frames import unfolding
from .frames import check_length, film_stages, result, sequence
from .legible import lie, picture


def film(
    what: Any,
    *,
    rule: str | None = None,
    phase: str | None = None,
    node: Expr | None = None,
    direction: Direction | None = None,
    numbers: bool = False,
    **options: Any,
) -> Film:
    """The film of a stage, frame by frame, one more than it has steps.

    Of a pipeline it is the stages' films; of a graph, or of expressions, how its boxes
    open.

    Parameters
    ----------
    what : Stage, Pipeline, Graph or Expr
        What to film.
    rule : str, optional
        Of a simplification, only the steps that used this rule.
    phase : str, optional
        Likewise, those that belong to this phase.
    node : Expr, optional
        Likewise, those that rewrote this node or what it became.
    direction : {'TB', 'BT', 'LR'}, optional
        Whether values flow down, up or right, in all frames.
    numbers : bool, default: False
        Of a derivative or a simplification, write on each part its number, #17, by which
        `stage.node(17)` gives its node.
    **options : object
        Those of `draw`.

    Returns
    -------
    Film
        What a notebook shows, with a slider.

    Raises
    ------
    TypeError
        If there are neither steps nor boxes.
    ValueError
        If there are more than 500 steps, or numbers are asked for where parts have none.

    See Also
    --------
    draw : Before and after.

    Examples
    --------
    >>> x = ad.scalar("x")
    >>> stage = ad.simplify(x * 1 + 0)
    >>> len(stage.steps), len(ad.film(stage).captions)
    (2, 3)
    """
    which = {"rule": rule, "phase": phase, "node": node}
    if numbers:
        options["numbers"] = True
    return filming(what, which, options | {"direction": direction})


@by_class
def filming(what: Any, which: dict[str, Any], options: dict[str, Any]) -> Film:
    """How the boxes of a graph open. What has another film registers here how it is made."""
    check_numbers(what, options)
    return unfolding(what, **options)


@filming.register
def film_stage(stage: Stage, which: dict[str, Any], options: dict[str, Any]) -> Film:
    derives = differentiates(stage)
    own = {**options, "types": None} if derives else options
    if not is_usual(own) or not (derives or isinstance(stage, Rewriting)):
        return film_stages([stage], which, options)
    from ..scene.film import scene_film  # loaded with the first stage that is filmed
    from ..scene.short_film import short_film

    places = chosen(stage, which)
    check_length(len(places))
    at = options.get("values")
    direction: Direction = options["direction"] or "TB"
    if isinstance(stage, Rewriting) and not derives:
        return short_film(stage, at, places, "numbers" in options, direction)
    return scene_film(stage, at, places, "numbers" in options, direction, options.get("types"))


def differentiates(stage: Stage) -> bool:
    return isinstance(stage, Growing) or any(y.op is D for y in stage.before.outputs)


def is_usual(options: dict[str, Any]) -> bool:
    """Is nothing asked for but values, numbers of parts and a direction?"""
    own = ("values", "direction", "numbers", "layout")
    asked = any(option for word, option in options.items() if word not in own)
    return options.get("layout", "graph") == "graph" and not asked


@filming.register
def film_pipeline(pipeline: Pipeline, which: dict[str, Any], options: dict[str, Any]) -> Film:
    check_numbers(pipeline, options)
    if not is_usual(options):
        return film_stages(list(pipeline), which, options)
    check_length(sum(len(chosen(stage, which)) for stage in pipeline))
    from ..scene.film import SceneFilm

    films = [filming(stage, which, dict(options)) for stage in pipeline]
    key = dict.fromkeys(word for film in films for word in film.key)
    return SceneFilm(sequence(list(pipeline), films), key)


# ---- a pipeline drawn


@drawing.register
def draw_pipeline(pipeline: Pipeline, options: dict[str, Any], highlight: Any = ()) -> Film:
    """The graph before the first stage and after each."""
    options["direction"] = options["direction"] or lie(pipeline.graphs, options["open"])
    captions = [f"before {pipeline[0].name}", *(f"after {stage.name}" for stage in pipeline)]
    first = picture(pipeline.graphs[0], **options)
    pictures = [first, *(result(stage, options) for stage in pipeline)]
    return Film(zip(captions, pictures))
