"""Tall pictures in columns: nothing overlaps, no edge crosses a part, and what goes on is named."""

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu.show.scene.columns import Columns, Size, ends_of, in_columns
from autodiff_edu.show.scene.document import Document
from autodiff_edu.show.scene.sheet import last_frame, sheet
from autodiff_edu.show.scene.still import Stills

from ...helpers.depth import draws, some
from .explored import recurrent
from .test_groups import LARGE, document, group_labels
from .test_still import crossings, overlaps


def chain(length, seed):
    """A long formula: each value is used by the next, and some once more."""
    rng = np.random.default_rng(seed)
    values = [ad.scalar("x"), ad.scalar("w")]
    for _ in range(length):
        y, near = values[-1], values[max(0, len(values) - int(rng.integers(1, 4)))]
        values.append([ad.sin(y), y * near, y + values[0], y * 1.5][rng.integers(4)])
    return values[-1], values[:2]


def paged(document, labels=False):
    """A sheet, and the same in columns."""
    scale = Stills(sheet(last_frame(document), labels))
    return scale, Stills(in_columns(scale.words[0], Size(*scale.size)))


def check_columns(scale, columns):
    """Everything is there, apart, in its row's order; what an edge led to has a tie instead."""
    before, after = scale[0], columns[0]
    assert not list(overlaps(after)) and not list(crossings(after))
    ties = columns.document.get("continued", set())
    assert {*after.boxes} - {*ties} == {*before.boxes}
    assert all(
        box.lines == before.boxes[p].lines for p, box in after.boxes.items() if p not in ties
    )

    def edges(still):
        real = columns.document.get("first", {})
        return {(real[a][1][0] if a in ties else a, p) for a, p in still.edges() if p not in ties}

    assert edges(after) == edges(before)


def columns_of(stage):
    return paged(Document(stage, None, {}, groups=True, runs=False, moves=False).picture())


@pytest.mark.each("seed", range(draws(4)))
def test_a_long_chain_stands_in_columns(seed):
    y, inputs = chain(int(np.random.default_rng(seed).integers(30, 58)), seed)
    for stage in (ad.reverse_mode(y, inputs), ad.forward_mode(y, inputs[0])):
        scale, columns = columns_of(stage)
        check_columns(scale, columns)
        assert columns.document["continued"]
        assert columns.size[1] < 0.7 * scale.size[1]


@pytest.mark.each("turn, name", some(enumerate([*LARGE, "3"]), 4, turn=1))
def test_groups_stand_in_columns_closed_and_open(turn, name):
    rng = np.random.default_rng(7)
    for derivative in some(("reverse", None), 2, turn):
        data = document(name, derivative)
        labels = [*rng.permutation(group_labels(data))[:2]]
        for opened in some((False, labels[:1], labels), 3, turn):
            check_columns(*paged(data, [str(label) for label in opened] if opened else False))


def test_any_cuts_keep_everything():
    """Of random formulas cut at random rows, be they tall or not."""
    seen = 0
    for seed in range(draws(6, least=2)):
        rng = np.random.default_rng(seed)
        y, inputs = chain(int(rng.integers(8, 40)), seed)
        scale = Stills(Document(ad.reverse_mode(y, inputs), None, {}, groups=True, runs=False,
                                moves=False).picture())  # fmt: skip
        ends = ends_of(scale.words[0])
        cuts = sorted(rng.permutation(ends)[: rng.integers(1, 6)])
        if cuts:
            check_columns(scale, Stills(Columns(scale.words[0], cuts).document))
            seen += len(cuts)
    assert seen > 6


@pytest.mark.each("turn, name", some(enumerate([*LARGE, *map(str, range(draws(10)))]), 4))
def test_beside_open_groups_no_edge_to_a_tie_crosses_a_part(turn, name):
    rng = np.random.default_rng(11)
    for derivative in some((None, "reverse"), 2, turn):
        data = document(name, derivative)
        labels = [str(label) for label in rng.permutation(group_labels(data))[:2]]
        scale = Stills(sheet(last_frame(data), labels))
        ends = ends_of(scale.words[0])
        for count in some((1, 3), 2, turn // 2):
            cuts = sorted(rng.permutation(ends)[:count])
            frame = Stills(Columns(scale.words[0], cuts).document)[0]
            assert not list(overlaps(frame)) and not list(crossings(frame))


@pytest.mark.each("rounds", some([100, 40, 400], 3))
def test_the_picture_of_a_loop_is_not_much_higher_than_wide(rounds):
    x, w = ad.scalar("x"), ad.scalar("w")
    h = x
    for _ in range(rounds):
        h = ad.tanh(w * h + x)
        h = h * h + ad.sin(h)
    picture = ad.draw(h)
    width, height = picture.widths[0], picture.height
    assert height < max(1.3 * width, 650) and height < 800 and width < 1300
    assert "steps" in picture.listing or "step 1 " in picture.listing
    pair = ad.draw(ad.reverse_mode(h, [x, w]))
    assert pair.right.picture.height < 2 * pair.right.picture.widths[0]


def test_a_small_picture_stays_as_it_is():
    x = ad.scalar("x")
    data = Document(ad.reverse_mode(ad.sin(x) * x, x), None, {}, moves=False).picture()
    scale, columns = paged(data)
    assert columns.document is scale.document


def test_columns_are_about_equally_high():
    """Of a loop written out and made short, whose parts without a name tie all rows together; and
    of groups: the sheet stays as it is, or becomes much lower."""
    x, w = ad.scalar("x"), ad.scalar("w")
    h = x
    for _ in range(10):
        h = ad.tanh(w * h + 0.5)
    sheets = [ad.explore(h, at={w: 0.7, x: 0.1}, derivative="reverse").document]
    sheets += [document(name) for name in some(LARGE, 3)]
    for data in sheets:
        scale, columns = paged(data)
        assert columns.document is scale.document or columns.size[1] < 0.75 * scale.size[1]


@pytest.mark.each("steps", some(range(20, 200, 20), 18, turn=1))
def test_rows_of_edges_alone_stand_in_a_column(steps):
    """An edge may bend in a row in which no part stands."""
    y, at, *_ = recurrent(steps)
    check_columns(*paged(ad.explore(y, at=at).document))
