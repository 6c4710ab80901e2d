"""Every operation has a label, is drawn and is written in LaTeX, and so are its derivatives."""

import re

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu.expr import Graph, computed_by
from autodiff_edu.ops import batched
from autodiff_edu.ops.batch import Loop
from autodiff_edu.show import draw, latex
from autodiff_edu.show.build.labels import label
from tests.helpers.depth import is_short, some
from tests.helpers.examples import EXAMPLES, Example, inputs_for
from tests.helpers.numerics import at_random, floats, is_smooth, over

FIRST = list({e.name: e for e in reversed(EXAMPLES)}.values())[::-1]


def check(graph):
    """It is drawn, with a word on every node, and its formula is one that TeX can read."""
    picture = draw(graph)
    labels = [label(n) for n in graph.operations]
    assert all(labels) and not any("=" in words and len(words) > 20 for words in labels)
    assert "<svg" in picture.svg and "object" not in picture.listing
    formula = latex(graph)
    plain = re.sub(r"\\[{}]", "", formula)
    assert plain.count("{") == plain.count("}")
    assert plain.count(r"\left") == plain.count(r"\right") + plain.count(r"\leftarrow")
    assert not re.search(r"_(\w|\{[^{}]*\})_", plain), "a subscript below a subscript"
    return picture, formula


@over(some(FIRST, 3) if is_short() else EXAMPLES)
def test_it_is_drawn_and_written(e, rng):
    xs, ys, _ = at_random(e, rng)
    picture, formula = check(Graph(ys))
    assert label(computed_by(ys[0])[0]) in picture.listing or e.name == "length"
    assert "x_{0}" in formula


WAYS = [  # to differentiate, and the lengths that are known; by default operations take turns
    (ad.symbolic_derivative, "all"), (ad.forward_mode, "none"), (ad.reverse_mode, "all"),
    (ad.symbolic_derivative, "none"), (ad.forward_mode, "all"), (ad.reverse_mode, "none"),
]  # fmt: skip


@pytest.mark.each(
    ("stage", "known", "e"),
    [
        (*way, e)
        for turn, e in enumerate(filter(is_smooth, some(FIRST, 5)))
        for way in some(WAYS, 6, turn)
    ],
    ids=lambda value: str(value) if isinstance(value, Example) else None,
)
def test_its_derivatives_are_drawn_and_written(e, stage, known, rng):
    xs, ys, _ = at_random(e, rng, known)
    done = stage(ys, floats(xs)[0])
    assert draw(done) is not None
    check(done.after)


@over(some(FIRST, 5, turn=1))
def test_batches_are_drawn_and_written(e, rng):
    xs = inputs_for(e.values(rng))
    longer = {x: y for x, y in zip(xs, inputs_for([np.stack([v] * 3) for v in e.values(rng)]))
              if x.type.is_float or x.ndim}  # fmt: skip
    if longer:
        ys = e.build(xs)
        graph = Graph([batched(ys, longer)[y] for y in ys])
        check(graph)
        loops = [n for n in graph.operations if isinstance(n.op, Loop)]
        assert all(label(n).startswith("each ") for n in loops)
