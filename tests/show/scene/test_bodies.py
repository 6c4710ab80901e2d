"""An open box beside its derivative is a group, in whose frame its members stand."""

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu.show.build.expansion import Opening
from autodiff_edu.show.build.subgraphs import body
from autodiff_edu.show.scene.document import Document
from autodiff_edu.show.scene.view import View, seen

from ...helpers.depth import draws, some
from ...helpers.programs import random_numbers
from ..boxed import twice
from .test_turned import Page


def picture(stage, **options):
    return ad.draw(stage, **options).right.picture


def frames(page):
    return {n: box for n, box in page.boxes.items() if n.startswith("frame")}


def check_frames(page):
    """Frames overlap only where one is in the other, and a part is within a frame or outside it."""
    boxes = [*frames(page).items(), *page.parts.items()]
    for name, (x, y, width, height) in frames(page).items():
        for other, (u, v, w, h) in boxes:
            apart = abs(x - u) >= (width + w) / 2 - 0.2 or abs(y - v) >= (height + h) / 2 - 0.2
            inside = abs(x - u) <= (width - w) / 2 + 0.2 and abs(y - v) <= (height - h) / 2 + 0.2
            around = abs(x - u) <= (w - width) / 2 + 0.2 and abs(y - v) <= (h - height) / 2 + 0.2
            assert apart or inside or around, (name, other)


def check_open(stage, levels=True):
    for direction in ("TB", "LR"):
        page = Page(picture(stage, open=levels, direction=direction).dot)
        page.check()
        check_frames(page)
    return page


def random_boxed(seed):
    """A formula of random boxes, one in another, some of them in a loop."""
    rng = np.random.default_rng(seed)
    inputs, _, y = random_numbers(seed, 4)
    f = ad.OpFromGraph(inputs, [y, ad.sin(y)] if rng.random() < 0.5 else [y], name="f")
    a, b, c = (ad.scalar(name) for name in "abc")

    def first(*operands):
        results = f(*operands)
        return results[-1] if isinstance(results, (list, tuple)) else results

    g = ad.OpFromGraph([a, b], [first(a, b, a * b) + a], name="g")
    z = first(a, g(b, c), c) * b
    if rng.random() < 0.5:
        z = z + ad.scan(lambda h: ad.tanh(first(h, b, h)), outputs_info=[a], n_steps=3)[-1]
    return z, [a, b, c]


@pytest.mark.each("seed", range(draws(15)))
def test_random_boxes_open_beside_their_derivatives(seed):
    z, inputs = random_boxed(seed)
    ways = ad.reverse_mode(z, inputs), ad.forward_mode(z, inputs[0])
    stages = enumerate((*ways, ad.symbolic_derivative(z, inputs[0])), seed)
    for turn, stage in some(stages, 3):
        closed = Page(picture(stage).dot)
        assert not frames(closed)
        for levels in some((1, 2, True), 3, turn):
            page = check_open(stage, levels)
            assert frames(page)
            view = View(open=True, opening=Opening(levels))
            data = seen(Document(stage, None, {}, moves=False), view)
            rows, placed = data["parts"], {p for p in data["first"] if "x" in data["parts"][p]}
            assert all(
                p in placed for p in data["first"] if "box" in rows.get(rows[p].get("in"), ())
            )
            for n, words in closed.parts.items():
                assert n in page.parts, (n, words)


def test_what_is_inside_has_its_value():
    z, a = twice()
    (b,) = [i for i in ad.Graph(z).inputs if i.name == "b"]
    stage = ad.reverse_mode(z, [a, b])
    shown = picture(stage, open=True, values={a: 2.0, b: 3.0}).listing.splitlines()
    assert "sin = 0.9093" in shown and "sin = 0.1411" in shown and "x = 2" in shown
    assert sum(line.startswith("cos = ") for line in shown) == 2


def test_a_box_in_a_box_has_the_values_of_its_own_call():
    a, x = ad.scalar("a"), ad.scalar("x")
    f = ad.OpFromGraph([x], [ad.sin(x) * x], name="f")
    g = ad.OpFromGraph([x], [f(x) + f(x * x)], name="g")
    stage = ad.reverse_mode(g(a) + g(2 * a), [a])
    listing = picture(stage, open=True, values={a: 0.5}).listing.splitlines()
    for value in (0.5, 0.25, 1.0, 1.0):
        assert f"sin = {np.sin(value):.4g}" in listing
    assert sum(line.startswith("sin = ") for line in listing) >= 4


def test_results_of_a_step_are_named_as_those_of_the_next():
    a, w = ad.scalar("a"), ad.scalar("w")
    every = ad.scan(lambda h: ad.tanh(w * h + 0.5), outputs_info=[a], n_steps=10)
    stage = ad.reverse_mode(every[-1], [w])
    listing = picture(stage, open=True).listing
    assert "next h = tanh" in listing and "next sum_w = +" in listing
    assert len(frames(check_open(stage))) == 2


def test_boxes_are_opened_one_by_one_and_level_by_level():
    a, x = ad.scalar("a"), ad.scalar("x")
    f = ad.OpFromGraph([x], [ad.sin(x) * x], name="f")
    g = ad.OpFromGraph([x], [f(x) + f(x * x)], name="g")
    z = g(a) * a
    (box,) = [n for n in ad.Graph(z).operations if body(n) is not None]
    pages = [Page(picture(ad.forward_mode(z, a), open=open).dot) for open in (0, 1, 2, [box])]
    assert [len(frames(page)) for page in pages] == [0, 2, 6, 1]


def test_what_is_no_box_and_no_label_is_refused():
    z, a = twice()
    stage = ad.reverse_mode(z, [a])
    with pytest.raises(ValueError, match="no graph inside"):
        ad.draw(stage, open=[z])
    with pytest.raises(ValueError, match="no group is called 'line 1'; the groups: none"):
        ad.draw(stage, open="line 1")
