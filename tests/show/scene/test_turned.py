"""A derivative that flows to the right, or up, stands at the same places, turned."""

import re

import numpy as np
import pygraphviz
import pytest

import autodiff_edu as ad
from autodiff_edu.show.scene.columns import WIDE
from autodiff_edu.show.scene.document import Document
from autodiff_edu.show.scene.still import Stills, still

from ...helpers.depth import draws, some
from ...helpers.programs import random_numbers, random_program
from .test_columns import chain
from .test_groups import LARGE, document, group_labels
from .test_still import NARROWER, curve_points

POINT = re.compile(r"(-?[\d.]+),(-?[\d.]+)")


class Page:
    """What a DOT text with fixed places draws: boxes by their middle and size, and curves."""

    def __init__(self, dot):
        graph = pygraphviz.AGraph(string=dot)
        self.boxes, self.words, self.curves = {}, {}, {}
        for n in graph.nodes():
            (place,) = POINT.findall(n.attr["pos"])
            size = (72 * float(n.attr[side]) for side in ("width", "height"))
            self.boxes[str(n)] = np.array([*map(float, place), *size])
            self.words[str(n)] = n.attr["label"]
        for e in graph.edges():
            points = [tuple(map(float, p)) for p in POINT.findall(e.attr["pos"])]
            self.curves[str(e[0]), str(e[1])] = np.array(points)

    @property
    def parts(self):
        return {n: box for n, box in self.boxes.items() if not n.startswith(("name", "frame"))}

    def check(self):
        """No two parts overlap, and no edge passes through a part that is not its end."""
        names, boxes = [*self.parts], np.array([*self.parts.values()])
        apart = np.abs(boxes[:, None, :2] - boxes[None, :, :2])
        both = (boxes[:, None, 2:] + boxes[None, :, 2:]) / 2
        overlap = (apart < both).all(axis=2)
        np.fill_diagonal(overlap, False)
        assert not overlap.any(), [(names[i], names[j]) for i, j in np.argwhere(overlap)]
        for ends, line in self.curves.items():
            points = curve_points(line)[:, None, :]
            inside = (np.abs(points - boxes[:, :2]) < boxes[:, 2:] / 2 - NARROWER).all(axis=2)
            assert {names[k] for k in np.flatnonzero(inside.any(axis=0))} <= {*ends}, ends


def check_turned(stage):
    """The same parts with the same words, before they are put in columns: rows are columns."""
    data = Document(stage, None, {}, runs=False, moves=False).picture()
    down, up, right = (Page(Stills(data, direction=way)[0].dot) for way in ("TB", "BT", "LR"))
    for page in (down, up, right):
        page.check()
    assert down.words == up.words
    assert {n: down.words[n] for n in down.parts} == {n: right.words[n] for n in down.parts}
    for n, (x, y, *_) in down.parts.items():
        assert np.allclose(up.boxes[n][:2], (x, -y), atol=0.11)
        for m, (u, v, *_) in down.parts.items():
            assert (y > v) == (right.boxes[n][0] < right.boxes[m][0] - 0.11), (n, m)
            if y == v:
                assert (x < u) == (right.boxes[n][1] > right.boxes[m][1]), (n, m)


@pytest.mark.each("seed", range(draws(10)))
def test_random_derivatives_keep_their_places(seed):
    inputs, _, y = random_numbers(seed, 8)
    check_turned(ad.reverse_mode(y, inputs))
    check_turned(ad.symbolic_derivative(y, inputs[0]))
    loss = ad.sum(random_program(seed, 5)[2])
    check_turned(ad.reverse_mode(loss, list(ad.Graph(loss).inputs)))


@pytest.mark.each("seed", range(draws(20)))
def test_nothing_overlaps_in_a_larger_one(seed):
    inputs, values, y = random_numbers(seed, 40)
    at = dict(zip(inputs, values, strict=True))
    shown = ad.draw(ad.reverse_mode(y, inputs), direction="LR", values=at)
    Page(shown.right.picture.dot).check()


@pytest.mark.each("seed", range(draws(10)))
def test_a_long_chain_goes_on_in_the_next_line(seed):
    y, inputs = chain(50, seed)
    page = Page(ad.draw(ad.reverse_mode(y, inputs), direction="LR").right.picture.dot)
    page.check()
    assert np.ptp([box[0] for box in page.parts.values()]) < 1.3 * WIDE


@pytest.mark.each("turn, name", some(enumerate(LARGE), 6, turn=1))
def test_groups_open_to_the_right(turn, name):
    rng = np.random.default_rng(3)
    for derivative in some((None, "reverse"), 2, turn):
        data = document(name, derivative)
        labels = [str(label) for label in rng.permutation(group_labels(data))[:2]]
        for opened in some((labels, False, labels[:1]), 3, turn):
            Page(still(data, open=opened, direction="LR").dot).check()


def test_names_and_numbers_stay():
    x = ad.scalar("x")
    shown = ad.draw(ad.reverse_mode(ad.sin(x) * x, x), direction="LR", numbers=True)
    assert shown.right.caption == "values, and reverse mode beside them"
    assert "#1 v₁ = sin" in shown.right.picture.listing


# ---- films

RECT = re.compile(r'<rect x="(-?\d+)" y="(-?\d+)" width="(\d+)" height="(\d+)" rx="9"')
VIEW = re.compile(r'viewBox="(-?\d+) (-?\d+) (\d+) (\d+)"')


def check_film(stage, direction, **options):
    """All frames lie as the first one does, with the words of the film whose values flow down; what
    persists does not move, and the drawing is where its text says, on the page."""
    film, down = (ad.film(stage, direction=way, **options) for way in (direction, None))
    assert [*film.captions] == [*down.captions]
    assert [frame.listing for frame in film] == [frame.listing for frame in down]
    places, views = {}, {}
    for frame in film:
        page = Page(frame.dot)
        page.check()
        scene = places.setdefault(id(frame.stills), {})
        for p, box in page.parts.items():
            assert tuple(scene.setdefault(p, box)[:2]) == tuple(box[:2])
        (view,) = VIEW.findall(frame.svg)
        assert views.setdefault(id(frame.stills), view) == view
        left, top, width, height = map(int, view)
        rects = np.array([[*map(int, rect)] for rect in RECT.findall(frame.svg)])
        middles = {(x + w / 2, -y - h / 2) for x, y, w, h in rects}
        for x, y, *_ in page.parts.values():
            assert any(abs(x - u) + abs(y - v) <= 3 for u, v in middles), (x, y)
        assert (rects[:, 0] >= left).all() and (rects[:, 0] + rects[:, 2] <= left + width).all()
        assert (rects[:, 1] >= top).all() and (rects[:, 1] + rects[:, 3] <= top + height).all()
    return film


@pytest.mark.each("seed", range(draws(6)))
def test_films_of_random_formulas_lie_one_way(seed):
    inputs, _, y = random_numbers(seed, 6)
    stage = ad.reverse_mode(y, inputs)
    stages = stage, ad.symbolic_derivative(y, inputs[0]), ad.simplify(stage)
    for turn, direction in enumerate(("LR", "BT")):
        for one in some(stages, 3, turn):
            check_film(one, direction)


def test_a_film_flows_to_the_right():
    """A value stands right of its operands, and derivatives stand below all values."""
    x, y = ad.scalar("x"), ad.scalar("y")
    film = check_film(ad.reverse_mode(ad.sin(x) * y, [x, y]), "LR", numbers=True)
    boxes = film[-1].still.placed.values()
    at = {box.text: box for box in boxes if not box.derivative}
    assert at["x"].x < at["sin"].x < at["×"].x and len(at) == 4
    assert min(box.y for box in at.values()) > max(box.y for box in boxes if box.derivative)


def test_a_pipeline_is_filmed_one_way():
    x = ad.scalar("x")
    derivative = ad.reverse_mode(ad.sin(x * 1), x)
    film = ad.film(ad.Pipeline([derivative, ad.simplify(derivative)]), direction="LR")
    assert all("layout=nop2" in frame.dot for frame in film)
    assert {frame.stills.direction for frame in film} == {"LR"}
