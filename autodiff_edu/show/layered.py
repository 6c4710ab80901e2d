"""Films whose frames Graphviz lays out one by one: of pipelines, of some steps of a stage, and of a
stage that is shown another way than usual. It is loaded with the first of them.
"""

from typing import Any

from ..expr import Growing, Rewriting, Stage, as_graph
from .build.render import lie
from .html.film_strip import Film
from .html.page import Word
from .views.derivative_frames import BACKWARD, adjoints
from .views.frames import Shot, check_length, check_numbers, chosen, shots

KEY: tuple[Word, ...] = (("new", "made by this step"),)


def film_stages(stages: list[Stage], steps: dict[str, Any], options: dict[str, Any]) -> Film:
    """One film, whose pictures lie the same way; captions name the stage where there are many."""
    check_numbers(stages, options)
    graphs = [as_graph(g) for stage in stages for g in (stage.before, stage.after)]
    if len(stages) > 1 or not isinstance(stages[0], Growing) or not adjoints(stages[0]):
        options["direction"] = options["direction"] or lie(graphs, options.get("open", False))
    places = [chosen(stage, steps) for stage in stages]
    check_length(sum(map(len, places)))
    film: list[Shot] = []
    for stage, these in zip(stages, places, strict=True):
        first, *rest = shots(stage, these, options)
        said = f"{stage.name}: " if len(stages) > 1 else ""
        film += [first, *((said + words, frame) for words, frame in rest)]
    return Film(film, key(stages))


def key(stages: list[Stage]) -> tuple[Word, ...]:
    steps = [step for s in stages if isinstance(s, Rewriting) for step in s.steps]
    if not steps:
        back = BACKWARD if any(isinstance(s, Growing) and adjoints(s) for s in stages) else ()
        return (*KEY, ("matched", "whose rule was used"), *back)
    return (*KEY, ("matched", "rewritten next"))
