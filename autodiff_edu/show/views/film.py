"""`film`: a stage frame by frame, each frame made from the one before by one step."""

from typing import Any, get_args

from ...differentiate import D
from ...expr import Expr, Growing, Pipeline, Rewriting, Stage, as_graph
from ..build.builder import Layout
from ..by_class import by_class
from ..diagram.diagram import Direction
from ..html.film_strip import Film
from ..tex.step_text import chosen
from .draw import check_numbers, check_word, drawing
from .expansion_frames import unfolding
from .frames import check_length, film_frames, result, sequence
from .legible import lie, picture

FURTHER = ("types", "open", "fold")


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
    if not derives and not isinstance(stage, Rewriting):
        return film_frames(stage, which, options)
    from ..scene.film import scene_film  # loaded with the first stage that is filmed
    from ..scene.short_film import short_film
    from ..scene.view import View

    check_options(options)
    places = chosen(stage, which)
    check_length(len(places))
    after = [as_graph(stage)] if derives else []
    at, view = options.get("values"), View.of([stage.before, *after], options)
    if isinstance(stage, Rewriting) and not derives:
        return short_film(stage, at, places, view).begun(view.words)
    return scene_film(stage, at, places, view).begun(view.words)


def differentiates(stage: Stage) -> bool:
    return isinstance(stage, Growing) or any(y.op is D for y in stage.before.outputs)


def check_options(options: dict[str, Any]) -> None:
    """Raise TypeError for an option that no film has, and ValueError for an unknown layout."""
    for word in options.keys() - {"layout", "values", "direction", "numbers", *FURTHER}:
        raise TypeError(f"film takes no {word}=; it takes those options of draw that all frames "
                        f"can have: layout, values, {', '.join(FURTHER)}")  # fmt: skip
    check_word("layout", options.get("layout", "graph"), get_args(Layout))
    check_word("direction", options["direction"], (None, *get_args(Direction)))


@filming.register
def film_pipeline(pipeline: Pipeline, which: dict[str, Any], options: dict[str, Any]) -> Film:
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
