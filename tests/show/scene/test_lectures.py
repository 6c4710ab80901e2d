"""The pictures that the lectures show: no edge crosses a part, and what has a name does not move.

They are read from the committed notebooks, as readers see them: a film's frame is an overlay with
its base. Graphviz wrote some of them, and its arrowheads stand between an edge and its part.
"""

import base64
import json
import re
from typing import NamedTuple
from xml.etree import ElementTree

import numpy as np
import pytest

import dev

from ...helpers.depth import some
from .test_still import NARROWER, curve_points

SVG = "{http://www.w3.org/2000/svg}"
IMAGE = re.compile(r"data:image/svg\+xml;base64,([A-Za-z0-9+/=]+)")
NUMBER = re.compile(r"-?[\d.]+")
CORNER = "9"  # the rounding of a part's box
HEAD = 14  # pixels: a head of Graphviz's arrows, and a little more


class Sheet(NamedTuple):
    """What one image draws: boxes by corner and size, curves, and the box of each name."""

    view: str
    is_whole: bool
    boxes: list
    lines: list
    names: dict
    reach: float = NARROWER  # how far from a box an edge of its own may end

    def over(self, base):
        """An overlay with the image that it is laid over."""
        names = base.names | self.names
        return Sheet(self.view, True, base.boxes + self.boxes, base.lines + self.lines, names)

    def crossings(self):
        """The boxes that a curve passes through, where it neither begins nor ends."""
        boxes = np.array(self.boxes).reshape(-1, 4)
        middle, half = boxes[:, :2] + boxes[:, 2:] / 2, boxes[:, 2:] / 2
        for line in self.lines:
            depth = (np.abs(curve_points(line)[:, None] - middle) - half).max(axis=2)
            is_end = np.minimum(depth[0], depth[-1]) < self.reach
            yield from boxes[(depth.min(axis=0) < -NARROWER) & ~is_end].tolist()


def numbers(text):
    return np.array(NUMBER.findall(text), float).reshape(-1, 2)


def curves(root):
    lines = [line for path in root.iter(f"{SVG}path") for line in path.get("d").split("M")]
    return [numbers(line) for line in lines if "C" in line]


def ours(root):
    """What we drew ourselves. A letter with a bar and one without are two names."""
    boxes, names = [], {}
    for piece in root.iter():
        if piece.get("rx") == CORNER and piece.get("style") is None:
            boxes.append([float(piece.get(k)) for k in ("x", "y", "width", "height")])
        elif piece.get("class") == "n":
            name = b"".join(map(ElementTree.tostring, piece))
            names[(piece.text or "").encode() + name] = boxes[-1]
    is_whole = any(piece.get("width") == "100%" for piece in root.iter(f"{SVG}rect"))
    return Sheet(root.get("viewBox"), is_whole, boxes, curves(root), names)


def of_graphviz(root):
    """What Graphviz drew: nodes are groups that begin with a shape with a line around it, and what
    has another one inside is the frame of a box."""
    boxes = []
    for shape, *_ in filter(len, root.find(f"{SVG}g").iter(f"{SVG}g")):
        if shape.tag == f"{SVG}ellipse":
            x, y, u, v = (float(shape.get(k)) for k in ("cx", "cy", "rx", "ry"))
            boxes.append([x - u, y - v, 2 * u, 2 * v])
        elif shape.tag == f"{SVG}polygon" and shape.get("stroke") != "none":
            low, high = numbers(shape.get("points")).min(0), numbers(shape.get("points")).max(0)
            boxes.append([*low, *(high - low)])
    places = np.array(boxes).reshape(-1, 4)
    low, high = places[:, None, :2], places[:, None, :2] + places[:, None, 2:]
    middle = places[:, :2] + places[:, 2:] / 2
    holds = ((low < middle) & (middle < high)).all(axis=2).sum(axis=1)  # its own middle, too
    leaves = [box for box, n in zip(boxes, holds, strict=True) if n == 1]
    return Sheet(root.get("viewBox"), True, leaves, curves(root), {}, HEAD)


def films(path):
    """The frames of each picture and film of a notebook."""
    for cell in json.loads(path.read_text("utf-8"))["cells"]:
        for output in cell.get("outputs", []):
            by_view: dict[str, list[Sheet]] = {}
            for data in IMAGE.findall("".join(output.get("data", {}).get("text/html", ""))):
                root = ElementTree.fromstring(base64.b64decode(data))
                by_graphviz = "." in root.get("viewBox") and root.find(f"{SVG}g") is not None
                one = of_graphviz(root) if by_graphviz else ours(root)
                by_view.setdefault(one.view, []).append(one)
            for shown in by_view.values():
                whole = [one for one in shown if one.is_whole]
                overlays = [one for one in shown if not one.is_whole]
                base = min(whole, key=lambda one: len(one.boxes), default=None)
                assert base or not any(one.boxes for one in overlays)  # else it is a chart
                yield [*(one.over(base) for one in overlays if base), *whole]


@pytest.mark.each("path", some(dev.notebooks(), 12), ids=lambda path: path.stem)
def test_no_edge_crosses_a_part_and_no_name_moves(path):
    for frames in films(path):
        places = {}
        for frame in frames:
            assert not list(frame.crossings())
            for name, (x, y, width, height) in frame.names.items():
                place = x + width / 2, y + height / 2
                apart = np.abs(np.subtract(places.setdefault(name, place), place))
                assert apart.max() <= 1, f"{name} moves from {places[name]} to {place}"


def test_there_are_many_and_a_box_on_an_edge_is_seen():
    everywhere = (frames for path in dev.notebooks() for frames in films(path))
    shown = [frame for frames in everywhere for frame in frames if frame.lines]
    for frame in shown:
        longest = max(frame.lines, key=lambda line: np.linalg.norm(line[-1] - line[0]))
        x, y = curve_points(longest)[len(curve_points(longest)) // 2]
        if min(abs(longest[[0, -1]] - (x, y)).max(axis=1)) > 2 * HEAD:
            assert list(frame._replace(boxes=[[x - 5, y - 5, 10, 10]]).crossings())
    assert len(shown) > 300 and sum(len(frame.lines) for frame in shown) > 4000
