"""One frame as a picture: parts keep their places, and no edge crosses a part."""

import re
from itertools import pairwise

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu.show.scene.document import Document
from autodiff_edu.show.scene.still import Stills, still

from ...helpers.depth import draws, some
from ...helpers.programs import random_numbers, random_program
from .test_document import FORMULAS, stages

NARROWER = 3  # pixels: an edge may touch a corner


def curve_points(line):
    """Points on the curve of an edge."""
    points = np.array(line)
    t = np.linspace(0, 1, 25)[:, None]
    pieces = [points[k : k + 4] for k in range(0, len(points) - 1, 3)]
    return np.concatenate(
        [(1 - t) ** 3 * a + 3 * t * (1 - t) ** 2 * b + 3 * t**2 * (1 - t) * c + t**3 * d
         for a, b, c, d in pieces]
    )  # fmt: skip


def crossings(frame):
    """The edges that pass through a part at which they neither begin nor end."""
    names = np.array([*frame.boxes])
    places = np.array([(box.x, box.y, box.width) for box in frame.boxes.values()])
    for a, p in frame.edges():
        x, y = curve_points(frame.line(a, p)).T[:, :, None]
        inside = np.abs(x - places[:, 0]) < places[:, 2] / 2 - NARROWER
        inside &= np.abs(y - places[:, 1]) < frame.tall / 2 - NARROWER
        yield from ((a, p, q) for q in names[inside.any(axis=0)] if q not in (a, p))


def overlaps(frame):
    """Pairs of parts of a row that overlap."""
    rows = {}
    for p, box in frame.boxes.items():
        rows.setdefault(box.y, []).append((box.x, box.width, p))
    for row in rows.values():
        row.sort()
        for (x, width, p), (other, next_width, q) in pairwise(row):
            if other - x < (width + next_width) / 2:
                yield p, q


def check_pictures(document, every=1):
    """The frames, and the places of their parts."""
    places, stills = {}, Stills(document)
    for k in [*range(0, len(stills), every), document["derived"], len(stills) - 1]:
        frame = stills[k]
        assert not list(overlaps(frame))
        assert not list(crossings(frame))
        for p, box in frame.boxes.items():
            assert places.setdefault(p, (box.x, box.y)) == (box.x, box.y)


@pytest.mark.each("name", some(FORMULAS, 6))
def test_no_edge_crosses_a_part_and_no_part_moves(name):
    for derivative, short in stages(FORMULAS[name], 4, turn=[*FORMULAS].index(name)):
        check_pictures(Document(derivative, short, {}).data())


def test_pictures_of_random_formulas_and_programs():
    for seed in some(range(draws(40)), 2):
        inputs, values, y = random_numbers(seed)
        for derivative, short in stages(ad.sum(y), 4, turn=seed // 2):
            document = Document(derivative, short, dict(zip(inputs, values, strict=True)))
            check_pictures(document.data(), every=20)
        loss = ad.sum(random_program(seed)[2])
        derivative = ad.reverse_mode(loss, list(ad.Graph(loss).inputs))
        check_pictures(Document(derivative, ad.simplify(derivative), {}).data(), every=20)


def test_rows_show_values_beside_their_adjoints_as_lecture_05_reads_them():
    x1, x2 = ad.scalar("x1"), ad.scalar("x2")
    y = ad.log(x1) + x1 * x2 - ad.sin(x2)
    document = ad.explore(y, at={x1: 2.0, x2: 5.0}).document
    frame = Stills(document)[document["derived"]]
    rows = {}
    for box in frame.boxes.values():
        if box.name:
            rows.setdefault(box.y, []).append((box.x, box.name))
    names = [[name for _, name in sorted(row)] for _, row in sorted(rows.items())]
    assert names == [
        ["y", "y\u0304"],
        ["v₄", "v₃", "v\u0304₄", "v\u0304₃"],
        ["v₁", "v₂", "v\u0304₁", "v\u0304₂"],
        ["x₁", "x₂", "x\u0304₁", "x\u0304₂"],
    ]


def test_the_picture_is_the_same_bytes_and_its_text_is_data():
    hostile = ad.scalar('<b>\\N"]; a -> b; //')
    document = ad.explore(hostile * hostile, at={hostile: 3.0}).document
    first, again = still(document), still(document)
    assert first.svg == again.svg and first.dot == again.dot
    assert "<b>" not in re.sub(r"<title>.*?</title>|<desc>.*?</desc>", "", first.svg, flags=re.S)
    assert "&lt;b&gt;" in first.svg
