"""A box that opens: the film of a graph, one level of its boxes after the other."""

from itertools import islice
from typing import Any

from ...expr import as_graph, shown
from ..build.expansion import layers
from ..build.labels import label
from ..diagram.diagram import Direction
from ..html.film_strip import Film
from .legible import lie, opened, picture


def unfolding(what: Any, direction: Direction | None, **options: Any) -> Film:
    """The graph with its boxes closed, then a frame for each level of them that is opened.

    Raises TypeError where there is no box.
    """
    graph = as_graph(what)
    every = opened(graph, True)
    boxes = list(islice(layers(graph, every), every.levels))
    if not boxes and not every.cut:
        raise TypeError(
            "a film shows a stage, a pipeline or a graph with boxes that open, "
            f"not {shown(what)}: for any other graph, ad.draw"
        )
    options["direction"] = direction or lie([graph], True)
    names = [dict.fromkeys(label(n) for n in found) for found in boxes]
    captions = ["closed", *(f"{', '.join(level)} opened" for level in names)]
    frames = [(words, picture(graph, open=k, **options)) for k, words in enumerate(captions)]
    return Film(frames)
