"""Graphs of any size and shape are drawn in groups: few boxes, apart, with everything in them."""

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu.expr import as_graph
from autodiff_edu.show.build.subgraphs import body
from autodiff_edu.show.scene import large
from autodiff_edu.show.scene.document import Document
from autodiff_edu.show.scene.sheet import sheet
from autodiff_edu.show.scene.still import still

from ...helpers.depth import draws, is_short, length, some
from ...helpers.growth import assert_linear
from .test_bodies import check_frames
from .test_groups import group_labels
from .test_turned import Page

FEW = 60  # boxes that a reader can follow, and as many for their derivatives


def layer(h, w):
    return ad.tanh(h * w) + h


def random_graph(seed, size):
    """A graph of some shape: few inputs or many, operands that are near or far, one loop or two,
    lines or calls. The result, and the inputs."""
    rng = np.random.default_rng(seed)
    count, reach = (int(np.exp(rng.uniform(np.log(2), np.log(most)))) for most in (size // 4, size))
    inputs = [ad.scalar(f"x{k}") for k in range(count)]
    made, style = list(inputs), rng.integers(3)

    def some():
        return made[-1 - int(rng.integers(min(len(made), reach)))]

    while len(made) < size:
        if style == 0:
            made.append(ad.sin(some()) * some() + made[-1])
        elif style == 1:
            made.append(layer(made[-1], some()))
        else:
            made.append([ad.sin, ad.cos, ad.tanh][rng.integers(3)](some()))
            made.append(some() + made[-1])
    total = made[-1]
    for x in inputs[: rng.integers(1, 60)]:
        total = total + x
    return total, inputs


def check_large(data, rng):
    """Closed there are few boxes, and together they have all operations; some groups open."""
    closed = sheet(data)
    boxes = [p for p in closed["first"] if "x" in closed["parts"][p]]
    assert len(boxes) <= FEW * (1 if data["mode"] == "lone" else 2)
    counts = [closed["first"][p][2]["count"] for p in boxes if "group" in closed["parts"][p]]
    kinds = [content[0] for content in data["first"].values()]
    alone = [p for p in boxes if "group" not in closed["parts"][p]]
    inside = {"input", "const", "empty", "tie", "D"}
    assert sum(counts) + sum(closed["first"][p][0] not in inside for p in alone) == sum(
        kind not in inside for kind in kinds
    )
    Page(still(data).dot).check()
    labels = [str(label) for label in rng.permutation(group_labels(data))[:2]]
    for direction in some(("TB", "LR"), 2, turn=len(boxes)):
        Page(still(data, open=labels, direction=direction).dot).check()


@pytest.mark.each("seed", some(range(draws(20)), 4))
def test_a_random_graph_is_drawn_in_few_groups_that_open(seed):
    y, inputs = random_graph(seed, length(1000))
    rng = np.random.default_rng(seed)
    check_large(Document(None, None, {}, groups=True, graph=as_graph(y)).picture(), rng)
    for wrt in some((inputs[:2], inputs), 2, turn=seed):
        stage = ad.reverse_mode(y, wrt)
        check_large(Document(stage, None, {}, groups=True, moves=False).picture(), rng)


@pytest.mark.each("seed", range(draws(10)))
def test_groups_that_stay_closed_need_no_places(seed):
    """The picture is that of the document in which all have places."""
    y, inputs = random_graph(seed, length(1000))
    document = Document(ad.reverse_mode(y, inputs[:2]), None, {}, groups=True, moves=False)
    whole = document.picture()
    labels = np.random.default_rng(seed).permutation(group_labels(whole))
    for opened in (False, str(labels[0]), [str(label) for label in labels[:3]]):
        document = Document(document.derivative, None, {}, groups=True, moves=False)
        assert still(document.picture(opened), open=opened) == still(whole, open=opened)


def test_the_time_grows_as_the_graph_does():
    def graph(size, attempt):
        return random_graph(4 + attempt, size)[0]

    assert_linear(ad.draw, graph, length(16_000))
    assert large.MOST >= 100_000


def test_many_inputs_are_one_group():
    h, weights = ad.scalar("h"), [ad.scalar(f"w{k}") for k in range(40)]
    for _ in range(4 if is_short() else 10):
        for w in weights:
            h = ad.tanh(w * h)
    assert "40 inputs" in ad.draw(h).listing.splitlines()
    assert "w₃₉" in ad.draw(h, open="40 inputs").listing.splitlines()
    shown = ad.draw(ad.reverse_mode(h, weights[:2])).right.picture.listing.splitlines()
    assert "38 inputs" in shown and "w₀" in shown


def test_a_number_opens_no_group():
    """It opens boxes, of which there are none."""
    y, inputs = random_graph(1, 400)
    for subject in some((y, ad.reverse_mode(y, inputs[:1])), 2):
        assert repr(ad.draw(subject, open=2)) == repr(ad.draw(subject))
        with pytest.raises(ValueError, match="no graph inside"):
            ad.draw(subject, open=y)


def test_two_loops_one_after_the_other_are_both_groups():
    x = h = ad.scalar("x")
    for k in range(40):
        h = ad.sin(h) * x + k
    for k in range(40):
        h = ad.cos(h) - k
    listing = ad.draw(h).listing
    assert len(listing.splitlines()) < 30 and listing.count("operations") > 2


def test_boxes_and_named_groups_open_in_a_large_graph():
    """Those that the user names, in any mixture; groups stay closed within a group that opens."""
    x, w = ad.scalar("x"), ad.scalar("w")
    h = x
    for layer in ("first", "second"):
        with ad.group(layer):
            for k in range(40):
                h = ad.tanh(h * w) + k
    loop = ad.scan(lambda h: ad.tanh(w * h + 0.5), outputs_info=[h], n_steps=10)[-1]
    box = next(n for n in ad.Graph(loop).operations if body(n) is not None)
    stage = ad.reverse_mode(loop, [w])
    for open, *counts in ((1, 1, 2), ("first", 1, 2), ([box, "first"], 2, 3)):
        drawn = ad.draw(loop, open=open), ad.draw(stage, open=open).right.picture
        for shown, count in zip(drawn, counts, strict=True):
            page = Page(shown.dot)
            page.check()
            check_frames(page)
            assert sum(n.startswith("frame") for n in page.boxes) == count, open
    folded, framed = (ad.draw(stage, fold=fold).right.picture for fold in (True, False))
    assert "first = 120 operations" in folded.listing and len(folded.listing.splitlines()) < 30
    assert sum(n.startswith("frame") for n in Page(framed.dot).boxes) == 4
    assert len(framed.listing.splitlines()) < FEW
