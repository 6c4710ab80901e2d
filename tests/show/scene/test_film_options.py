"""Films keep their places with every option: open boxes, groups, trees and types."""

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu.show.scene.document import Document
from autodiff_edu.show.scene.steps import contents_of
from autodiff_edu.show.scene.tree import written_out

from ...helpers.depth import draws, some
from ...helpers.programs import random_numbers
from .test_bodies import check_frames, random_boxed
from .test_turned import Page, check_film

OPTIONS = (
    {"open": True}, {"open": 1}, {"types": True}, {"layout": "tree"}, {"fold": True},
    {"fold": False}, {"fold": ["gate"]}, {"layout": "tree", "open": True},
    {"fold": False, "open": True, "types": True},
)  # fmt: skip


def boxed(seed):
    """A derivative with boxes, one in another, and its simplification."""
    z, inputs = random_boxed(seed)
    stage = ad.reverse_mode(z, inputs)
    return stage, ad.symbolic_derivative(z, inputs[0]), ad.simplify(stage)


def formula(seed):
    inputs, _, y = random_numbers(seed, 6)
    slope = ad.symbolic_derivative(y, inputs[0])
    return ad.forward_mode(y, inputs[0]), ad.simplify(slope), ad.simplify(y, mode="real")


def layered(seed):
    """Layers that are groups, with a group in each; some of it vanishes."""
    x = h = ad.vector("x", shape=3)
    rng = np.random.default_rng(seed)
    for k in range(3):
        with ad.group(f"layer {k}"):
            h = [ad.tanh, ad.sin, ad.exp][rng.integers(3)](h * x * 1)
            with ad.group("gate"):
                h = h * x + 0 * h
    stage = ad.reverse_mode(ad.sum(h), [x])
    return stage, ad.simplify(stage)


def looped(seed):
    """The gradient of a loop at random, which rules make shorter."""
    X, W = ad.matrix("X", shape=(5, 3)), ad.matrix("W", shape=(3, 3))
    h0, c, rng = ad.vector("h0", shape=3), ad.scalar("c"), np.random.default_rng(seed)

    def step(x, h, g):
        pool = [x, h, g, x @ W, h @ W, c * x, c * c * h]
        for _ in range(rng.integers(1, 5)):
            a, b = (pool[k] for k in rng.integers(len(pool), size=2))
            pool.append([a + b, a * b, ad.tanh(a), a - b, 1 * a + 0 * b][rng.integers(5)])
        return pool[-1], pool[-2]

    h, g = ad.scan(step, sequences=X, outputs_info=[h0, h0])
    y = ad.sum(h[-1]) + ad.sum(g * c)
    return (ad.simplify(ad.grad(y, [W, c], disconnected_inputs="ignore")),)


@pytest.mark.each("seed", range(draws(5)))
def test_no_option_moves_anything_or_leads_an_edge_through_a_part(seed):
    """Each seed tries every stage, by default each eighth, with one of the options, and turned."""
    stages = [*boxed(seed), *formula(seed), *layered(seed), *looped(seed)]
    for k, stage in some(enumerate(stages), 8):
        options = OPTIONS[(seed + k) % len(OPTIONS)]
        if options.get("fold") == ["gate"] and k < 6:
            options = {"open": True}
        for frame in check_film(stage, "LR" if seed % 2 else "BT", **options):
            check_frames(Page(frame.dot))


def test_edges_around_open_boxes_stay_on_the_page():
    a, x = ad.scalar("a"), ad.scalar("x")
    f = ad.OpFromGraph([x], [ad.sin(x) * x], name="f")
    for direction in ("TB", "BT", "LR"):
        for frame in ad.film(ad.reverse_mode(f(a) * a, [a]), open=True, direction=direction):
            left, right, top, bottom = frame.still.scale.page
            for a_part, p in frame.still.edges():
                for x0, y0 in frame.still.curve(a_part, p):
                    assert left <= x0 <= right and bottom <= y0 <= top


def count(frame, sign):
    return sum(name.startswith(sign) for name in Page(frame.dot).boxes)


def test_boxes_are_open_in_all_frames_that_have_them():
    a, x = ad.scalar("a"), ad.scalar("x")
    f = ad.OpFromGraph([x], [ad.sin(x) * 1], name="f")
    film = ad.film(ad.reverse_mode(f(a) * f(2 * a), [a]), open=True)
    counts = [count(frame, "frame") for frame in film]
    assert counts[0] == 2 and counts[-1] == 4 and counts == sorted(counts)
    short = ad.film(ad.simplify(f(a) * 1 + 0), open=True)
    assert {count(frame, "frame") for frame in short} == {1}
    assert all("sin" in frame.listing for frame in short)


def test_a_folded_group_is_one_part_whose_changes_are_marked():
    x = ad.scalar("x")
    with ad.group("layer"):
        y = ad.sin(x * 1) * 1
    film = ad.film(ad.simplify(y + x), fold=True)
    assert "v₃ = layer = 3 operations  [matched]" in film[0].listing.splitlines()
    assert "layer = 1 operation" in film[-1].listing
    assert all(count(frame, "frame") == 0 for frame in film)
    framed = ad.film(ad.simplify(y + x), fold=False)
    assert all(count(frame, "frame") == 1 for frame in framed)
    with pytest.raises(ValueError, match="no group of the graph is called 'other'"):
        ad.film(ad.simplify(y), fold="other")


def test_each_use_in_a_tree_is_a_copy_in_each_frame():
    for seed in range(draws(4)):
        inputs, _, y = random_numbers(seed, 6)
        for stage in (ad.reverse_mode(y, inputs), ad.simplify(y, mode="real")):
            if stage.before.tree_size > 150:
                continue
            derives = stage.name != "simplify"
            document = Document(*((stage, None) if derives else (None, stage)), {}, runs=False)
            tree = written_out(document.film())
            for k, contents in enumerate(contents_of(tree)):
                copies = [a for p, c in contents.items() if "x" in tree["parts"][p]
                          for a in (c[1] if len(c) > 1 and isinstance(c[1], list) else ())
                          if isinstance(a, str) and side(tree, a) == side(tree, p)]  # fmt: skip
                assert len(copies) == len({*copies}), (seed, k)
                assert contents.keys() >= {*copies}, (seed, k)


def side(tree, p):
    return tree["mode"] != "lone" and tree["parts"][p]["kind"] != "value"


def test_what_a_rewrite_uses_elsewhere_takes_its_copies_along():
    x = ad.scalar("x")
    film = ad.film(ad.simplify(ad.sin(ad.exp(x) * 1) + x), layout="tree")
    for text in ("exp", "x"):
        places = [{box[:2] for p, box in boxes(frame, text)} for frame in film]
        assert places[0] == places[-1]


def boxes(frame, text):
    page = Page(frame.dot)
    return [(p, tuple(box)) for p, box in page.parts.items() if page.words[p] == text]


def test_a_tree_that_is_too_large_says_so():
    y = ad.scalar("x")
    for _ in range(9):
        y = y * y * 1
    film = ad.film(ad.simplify(y), layout="tree")
    assert film.captions[0].startswith("before simplify; as a tree it would be ")


def test_types_are_those_of_the_frame():
    x = ad.vector("x", shape=3)
    film = ad.film(ad.simplify(ad.sum(x * 1) + ad.scalar("y")), types=True)
    assert "v₁ = ·1 = float64 (3,)" in film[0].listing
    assert "v₂ = Σ = float64" in film[-1].listing and "[new]" not in film[0].listing


def test_an_option_that_no_film_has_is_refused():
    x = ad.scalar("x")
    with pytest.raises(TypeError, match="film takes no colour="):
        ad.film(ad.simplify(x * 1), colour="red")
    with pytest.raises(ValueError, match="layout"):
        ad.film(ad.simplify(x * 1), layout="circle")


def test_a_loop_that_gets_shorter_stays_where_it_was():
    """Work leaves a loop and what is above it, not below; the next state keeps its place."""
    U, W = ad.matrix("U", shape=(3, 4)), ad.matrix("W", shape=(4, 4))
    X, h0 = ad.matrix("X", shape=(20, 3)), ad.vector("h0", shape=4)
    hidden = ad.scan(lambda x, h: ad.tanh(x @ U + h @ W), sequences=X, outputs_info=h0)[-1]
    frames = [frame.still for frame in ad.film(ad.simplify(hidden), open=True)]
    for sign in ("scan", "tanh"):
        assert len({place for still in frames for place in places(still, sign)}) == 1, sign
    ((_, loop),) = places(frames[-1], "scan")
    outside, inside = sorted([y for _, y in places(frames[-1], "@")], reverse=True)
    assert outside > loop > inside


def places(still, sign):
    """Where the nodes stand whose text begins so: y is larger above."""
    return [(box.x, box.y) for box in still.boxes.values() if box.text.startswith(sign)]
