"""A derivative keeps its places with every option: types, highlights, groups that are folded, and a
tree, in which every use is written out."""

from collections import Counter
from itertools import combinations

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu.expr import as_graph
from autodiff_edu.show.diagram.theme import MARKS
from autodiff_edu.show.scene.document import Document
from autodiff_edu.show.scene.tree import written_out

from ...helpers.depth import draws
from ...helpers.programs import random_numbers
from .test_bodies import check_frames, random_boxed
from .test_turned import Page

PURPLE = MARKS["matched"]["color"]


def net():
    """Two layers, of which the second has a group in it; the loss and its weights."""
    X, w = ad.matrix("X", shape=(3, 2)), ad.vector("w", shape=2)
    with ad.group("layer 1"):
        h = ad.tanh(X @ w)
    with ad.group("layer 2"):
        with ad.group("gate"):
            gate = ad.exp(h) * h
        z = gate + h
    return ad.sum(z), [w], h


def modes(y, inputs):
    yield ad.reverse_mode(y, inputs)
    yield ad.forward_mode(y, inputs[0])
    yield ad.symbolic_derivative(y, inputs[0])


def picture(stage, **options):
    pair = ad.draw(stage, **options)
    assert pair.right.caption.partition(";")[0] == f"values, and {stage.name} beside them"
    assert "layout=nop2" in pair.right.picture.dot
    return pair.right.picture


def middles(page):
    return {n: tuple(box[:2]) for n, box in page.parts.items()}


# ---- types and highlights


@pytest.mark.each("seed", range(draws(10)))
def test_types_and_highlights_move_nothing(seed):
    """Rows and columns are those of the picture without; only boxes are larger."""
    inputs, _, y = random_numbers(seed, 8)
    for stage in modes(y, inputs):
        plain = Page(picture(stage).dot)
        page = Page(picture(stage, types=True, highlight=[y]).dot)
        page.check()
        at, before = middles(page), middles(plain)
        assert at.keys() == before.keys()
        for n, m in combinations(at, 2):
            for side in (0, 1):
                if abs(before[n][side] - before[m][side]) > 1:
                    order = before[n][side] < before[m][side]
                    assert (at[n][side] < at[m][side] + 0.2) == order, (n, m)


def test_types_are_written_on_values_and_derivatives():
    y, wrt, _ = net()
    listing = picture(ad.reverse_mode(y, wrt), types=True).listing.splitlines()
    assert "X = float64 (3, 2)" in listing and "∂y/∂w = w\u0304 = @ = float64 (2,)" in listing
    assert "v₁ = @ = float64 (3,)" in listing and "float64" not in picture(
        ad.reverse_mode(y, wrt)).listing  # fmt: skip
    at = {wrt[0]: np.ones(2), ad.Graph(y).inputs[0]: np.ones((3, 2))}
    shown = picture(ad.reverse_mode(y, wrt), types=True, values=at).listing.splitlines()
    assert "v₁ = @ = float64 (3,)" in shown  # and its shape once
    film = ad.film(ad.reverse_mode(y, wrt), types=True)
    assert "v\u0304₀ = @ = float64 (2,)" in film[-1].listing


def test_highlighted_are_the_value_and_its_derivative():
    y, wrt, h = net()
    stage = ad.reverse_mode(y, wrt)
    gradient = stage.graph.output
    shown = picture(stage, highlight=[h, gradient])
    marked = [line for line in shown.listing.splitlines() if line.endswith("  [matched]")]
    assert marked == ["v₂ = tanh  [matched]", "∂y/∂w = w\u0304 = @  [matched]"]
    assert shown.dot.count(f'fillcolor="{PURPLE}"') == 2 and "matched" in shown.signs
    closed = picture(stage, highlight=h, fold=True)
    assert "v₂ = layer 1 = 2 operations  [matched]" in closed.listing.splitlines()
    assert closed.listing.count("[matched]") == 1
    assert "matched" not in picture(stage).signs


# ---- groups


def test_groups_that_the_user_named_are_folded_or_framed():
    y, wrt, _ = net()
    stage = ad.reverse_mode(y, wrt)
    counts = {}
    for fold in (True, False, "layer 1", ["gate"], "layer 2"):
        shown = picture(stage, fold=fold)
        page = Page(shown.dot)
        page.check()
        check_frames(page)
        counts[str(fold)] = sum(n.startswith("frame") for n in page.boxes)
    assert counts == {"True": 0, "False": 6, "layer 1": 4, "['gate']": 4, "layer 2": 2}
    both = picture(stage, fold=True, direction="LR").listing.splitlines()
    assert "v₂ = layer 1 = 2 operations" in both
    assert "v\u0304₂ = layer 1 = 5 operations" in both
    with pytest.raises(ValueError, match="no group of the graph is called 'layer 3'"):
        picture(stage, fold="layer 3")
    with pytest.raises(TypeError, match="fold is True, False or names"):
        picture(stage, fold=3)


def test_a_group_that_is_left_and_entered_again_is_two():
    x, h = ad.scalar("x"), ad.scalar("h")
    for _ in range(2):
        with ad.group("cell"):
            h = ad.tanh(h * x)
        h = ad.sin(h)
    listing = picture(ad.reverse_mode(h, [x]), fold=True).listing.splitlines()
    assert sum("cell" in line for line in listing) == 4


# ---- trees


@pytest.mark.each("seed", range(draws(15)))
def test_a_tree_writes_out_every_use(seed):
    """Each copy has one user; it stands in the row of its part, and computes what that does."""
    inputs, values, y = random_numbers(seed, 6)
    at = dict(zip(inputs, values, strict=True))
    for stage in modes(y, inputs):
        if max(as_graph(stage).tree_size, stage.before.tree_size) > 150:
            continue
        data = Document(stage, None, at, runs=False, moves=False).picture()
        tree = written_out(data)
        users = Counter(edge.partition(">")[0] for edge in edges(tree))
        assert max(users.values(), default=1) == 1
        for p in tree["first"]:
            part = p.partition(".")[0]
            if "y" in tree["parts"][p]:
                assert tree["parts"][p]["y"] == data["parts"][part]["y"]
        assert sum(users.values()) >= len([*edges(data)])
        for direction in ("TB", "LR"):
            Page(picture(stage, layout="tree", direction=direction).dot).check()


def edges(document):
    """The drawn edges between parts of one side, by both ends."""
    rows = document["parts"]
    for p, content in document["first"].items():
        for a in content[1] if len(content) > 1 and isinstance(content[1], list) else ():
            if isinstance(a, str) and "x" in rows[a] and "x" in rows[p]:
                if (rows[a]["kind"] == "value") == (rows[p]["kind"] == "value"):
                    yield f"{a}>{p}"


def test_the_tree_of_values_is_that_of_the_formula():
    x = ad.scalar("x")
    y = ad.sin(x * x) * (x * x)
    shown = picture(ad.reverse_mode((v := x * x) * v, [x]), layout="tree")
    assert shown.listing.splitlines().count("x") == 4
    squares = picture(ad.reverse_mode(y, [x]), layout="tree", numbers=True).listing.splitlines()
    assert squares.count("#0 x = x") == 4


@pytest.mark.each("seed", range(draws(8)))
def test_boxes_open_in_a_tree(seed):
    z, inputs = random_boxed(seed)
    stage = ad.reverse_mode(z, inputs)
    if as_graph(stage).tree_size <= 150:
        page = Page(picture(stage, layout="tree", open=True).dot)
        page.check()
        check_frames(page)
        assert any(n.startswith("frame") for n in page.boxes)


def test_a_large_tree_is_summed_up():
    x = y = ad.scalar("x")
    for _ in range(9):
        y = y * y
    assert "summary" in ad.draw(ad.reverse_mode(y, [x]), layout="tree").right.picture.listing
