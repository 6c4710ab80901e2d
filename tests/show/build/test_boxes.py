"""Operations with a graph inside, closed as boxes and open as frames around what is inside."""

import re
from xml.etree import ElementTree as ET

import pytest

from autodiff_edu.differentiate import grad
from autodiff_edu.ops import exp, scalar, sin, sum, vector
from autodiff_edu.show import draw, film, latex
from autodiff_edu.show.build.labels import label
from tests.helpers.depth import some
from tests.show.boxed import Boxed, Looped, lines, nested, product, twice

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def za():
    return twice()


@pytest.fixture
def z(za):
    return za[0]


@pytest.fixture
def a(za):
    return za[1]


# ---- closed


def test_a_closed_box_says_how_much_is_inside(z):
    picture = draw(z)
    assert lines(picture, "box")[0] == "n2  box  f  [3 operations inside]"
    assert "n0 -> n2  [x]\nn1 -> n2  [y]\nn1 -> n3  [x]\nn0 -> n3  [y]" in picture.listing
    assert "shape=box3d" in picture.dot and "cluster" not in picture.dot
    assert picture.alt == "Graph: 2 inputs (a, b); 1 operation (×); 2 boxes (f, f); 1 output (z)."


def test_results_are_called_as_the_body_calls_them(a):
    picture = draw(nested())
    assert lines(picture, "operation  .u") and lines(picture, "operation  .v")
    x = scalar("x")
    unnamed = Boxed("h", [x], [sin(x), exp(x)])(a)
    assert [label(n) for n in unnamed] == [".0", ".1"]


def test_a_loop_says_what_it_counts_and_what_comes_out(a):
    last, every, rows = Looped()(10.0, a, scalar("w"))
    picture = draw([last, every])
    assert lines(picture, "box")[0].endswith("scan × 10  [4 operations a step]")
    assert lines(picture, "operation  last h") and lines(picture, "every h  [(11,)]")
    assert "[steps]" in picture.listing and "[w]" in picture.listing


# ---- open


def test_an_open_box_is_a_frame_around_its_graph():
    x, y, a = scalar("x"), scalar("y"), scalar("a")
    z = Boxed("f", [x, y], [x * y], ["p"])(a, 2 * a)
    picture = draw(z, open=True)
    assert picture.listing.splitlines() == [
        "n0  input  a",
        "n1  constant  2",
        "n2  operation  ×",
        "n3  open box  f",
        "  n3.n0  input  x",
        "  n3.n1  input  y",
        "  n3.n2  operation  ×",
        "  n3.out0  output  p",
        "out0  output  out",
        "n1 -> n2",
        "n0 -> n2",
        "n0 -> n3.n0",
        "n2 -> n3.n1",
        "n3.n0 -> n3.n2",
        "n3.n1 -> n3.n2",
        "n3.n2 -> n3.out0",
        "n3.out0 -> out0",
    ]
    assert picture.alt.endswith(
        "1 open box (f); 1 output (out). Inside f: 2 inputs (x, y); 1 operation (×); 1 output (p)."
    )
    assert "subgraph cluster_n3" in picture.dot and "<svg" in picture.svg


def test_results_leave_an_open_box_by_their_names():
    picture = draw(nested(), open=1)
    assert not lines(picture, ".u") and lines(picture, "output  u")
    assert "n2.out0 -> n5" in picture.listing and "n2.out1 -> n6" in picture.listing


def test_boxes_within_boxes_are_frames_within_frames():
    picture = draw(nested(), open=True)
    assert "    n2.n3.n0  input  x" in picture.listing
    assert 'subgraph "cluster_n2.n3"' in picture.dot
    assert "box  f" in draw(nested(), open=1).listing
    assert draw(nested(), open=2) == picture


def test_chosen_boxes_open(z):
    picture = draw(z, open=z.inputs[1])
    assert len(lines(picture, "open box  f")) == 1 and len(lines(picture, "  box  f")) == 1
    assert draw(z, open=list(z.inputs)) == draw(z, open=True)
    u = nested().inputs[1]
    assert lines(draw(u, open=[u]), "open box  g"), "a result stands for its box"
    with pytest.raises(ValueError, match="no graph inside.*boxed.py.*open=True"):
        draw(z, open=z)


def test_a_loop_shows_what_it_hands_from_step_to_step(a):
    last, every, rows = Looped()(10.0, a, scalar("w"))
    picture = draw([last, sum(every), sum(rows)], open=True)
    assert "n3  open box  scan × 10  [each step]" in picture.listing
    assert "n3.out0 -> n3.n0  [next step]" in picture.listing
    assert lines(picture, "output  next h") and lines(picture, "output  rows")
    (last_h,) = (line.split()[0] for line in lines(picture, "operation  last h"))
    assert f"n3.out0 -> {last_h}" in picture.listing
    assert lines(picture, "-> n3  [steps]") and "lhead=cluster_n3" in picture.dot
    assert "to the next step next h → h" in picture.alt
    assert "dir=back" in picture.dot and ">next step<" in picture.svg


def test_what_feeds_nothing_inside_ends_at_the_frame(a):
    x, y = scalar("x"), scalar("y")
    op = Boxed("f", [x, y], [sin(x)])
    assert lines(draw(op(a, 2 * a), open=True), "input  y"), "an input that nothing uses"
    op.inside = (None, 1)
    picture = draw(op(a, 2 * a), open=True)
    assert "n0 -> n3  [1]" not in picture.listing and lines(picture, "n0 -> n3")
    op.outside = (None,)
    assert "n3 -> out0" in draw(op(a, 2 * a), open=True).listing and "<svg" in picture.svg


def test_unknown_attributes_may_be_missing(z):
    assert not any(hasattr(product(), name) for name in ("inside", "outside", "feedback"))
    assert draw(z, open=True).svg


def test_an_open_box_of_a_derivative_is_one_as_a_whole(a):
    f = product()
    picture = draw(grad(f(a, 2 * a), a), open=True)
    assert "open box  pullback of f  [derivative]" in picture.listing
    assert all("derivative" in line for line in lines(picture, "operation  cos"))
    assert "filled,dashed,rounded" in picture.dot


def test_values_are_those_inside(z, a):
    b = z.inputs[0].inputs[1]
    picture = draw(z, open=True, values={a: 2.0, b: 3.0})
    assert "  n2.n2  operation  ×  [= 6]" in picture.listing and lines(picture, "y  [= 2]")
    last, *_ = Looped()(10.0, a, b)
    assert "open box" in draw(last, open=True).listing


def test_what_is_too_large_stays_closed_and_says_so(a):
    x = y = scalar("x")
    for _ in range(200):
        y = sin(y)
    picture = draw(Boxed("deep", [x], [y])(a), open=True)
    assert lines(picture, "box  deep  [200 operations inside, too many to draw]")


def test_a_tower_of_boxes_opens_as_far_as_one_can_follow():
    x = scalar("x")
    op = Boxed("b0", [x], [sin(x)])
    for k in range(1, 400):
        x = scalar("x")
        op = Boxed(f"b{k}", [x], [op(x)])
    picture = draw(op(scalar("a")), open=True)
    assert "too many to draw" in picture.listing and len(lines(picture, "open box")) > 20


# ---- the drawing


def test_equal_graphs_are_equal_bytes():
    one, other = draw(nested(), open=True), draw(nested(), open=True)
    assert one == other and one.svg == other.svg and "0x" not in one.listing + one.svg


def test_plates_lie_on_top_and_nothing_of_graphviz_is_left(z):
    root = ET.fromstring(draw(z, open=True).svg)
    (graph,) = root.findall(f"{SVG}g")
    names = [g.get("class") for g in graph.findall(f"{SVG}g")]
    assert names[:2] == ["cluster"] * 2 and names[-2:] == [None] * 2
    assert [g.find(f"{SVG}text").text for g in graph.findall(f"{SVG}g")[-2:]] == ["f", "f"]
    assert graph.findall(f"{SVG}g")[-1].find(f"{SVG}title").text == "f(b, a): float64"
    assert "cluster_" not in ET.tostring(root, encoding="unicode")


NAMES = ["<script>", 'a"b', "]; n9 [", "\\N", "损失函数", *"where D cast item reshape".split()]


@pytest.mark.parametrize("name", some(NAMES, 3))
def test_boxes_of_any_name(name, a):
    z = product(name)(a, 2 * a)
    for picture in (draw(z), draw(z, open=True)):
        assert name in picture.listing and "<script" not in picture.svg
        assert "box" in picture.listing and "open derivative" not in picture.listing
    html = film(z)._repr_mimebundle_()["text/html"]
    assert "<script" not in html
    assert "<" not in latex(z)


def test_letters_in_frames_are_legible():
    sizes = [float(n) for n in re.findall(r'font-size="(.*?)"', draw(nested(), open=True).svg)]
    assert min(sizes) >= 13


def test_vectors_inside_show_their_types():
    x = vector("x", shape=3)
    picture = draw(Boxed("f", [x], [sum(x * x)])(vector("v", shape=3)), open=True)
    assert lines(picture, "n1.n0  input  x  [(3,)]")
