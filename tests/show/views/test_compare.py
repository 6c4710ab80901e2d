"""Two graphs are compared by structure, whatever they share."""

import re

from autodiff_edu.differentiate import reverse_mode, symbolic_derivative
from autodiff_edu.nested import OpFromGraph
from autodiff_edu.ops import cos, scalar, sin
from autodiff_edu.rewrite import simplify
from autodiff_edu.show import compare


def marked(picture, mark):
    return [
        line.split("  ")[2]
        for line in picture.listing.splitlines()
        if line.endswith(f"{mark}]") and "->" not in line
    ]


def test_removed_kept_and_new():
    x = scalar("x")
    pair = compare(sin(x) * 1 + 2, sin(x) + 2)
    assert marked(pair.left.picture, "removed") == ["1", "×", "2", "+"]
    assert marked(pair.right.picture, "new") == ["2", "+"]
    assert pair.left.caption == "before" and pair.right.caption == "after"


def test_structure_counts_and_identity_does_not():
    x = scalar("x")
    pair = compare(sin(x) * cos(x), sin(x) * cos(x))
    assert not marked(pair.left.picture, "removed") and not marked(pair.right.picture, "new")
    assert pair.left.picture.digest == pair.right.picture.digest


def test_order_of_operands_is_structure():
    x = scalar("x")
    assert marked(compare(x - 1, 1 - x).left.picture, "removed") == ["1", "−"]


def test_counts_and_captions():
    x = scalar("x")
    y = x * x + x * x
    pair = compare(y, simplify(y), ("raw", "short"))
    assert [tuple(c) for c in pair.counts[:3]] == [
        ("nodes", 4, 4),
        ("operations", 3, 2),
        ("nodes written out as a tree", 7, 4),
    ]
    assert pair.left.caption == "raw"
    assert compare(y, simplify(y)).right.caption == "simplify"


def test_values():
    x = scalar("x")
    pair = compare(x * 1, x, values={x: 3.0})
    assert "= 3" in pair.left.picture.listing and "= 3" in pair.right.picture.listing


def places(picture, id):
    """Where the SVG has the text of a node: the layout lists nodes in the order of their ids."""
    at = re.findall(
        r'class="node">.*?<text[^>]* x="([\d.-]+)" y="([\d.-]+)"[^>]*>([^<]*)<', picture.svg, re.S
    )
    return [(x, y) for x, y, text in at if text == id]


def test_what_both_have_stays_where_it_is():
    x, y = scalar("x"), scalar("y")
    pair = compare(sin(x) * cos(y) + 1 * y, sin(x) * cos(y) + y)
    left, right = pair.left.picture, pair.right.picture
    for word in ("x", "y", "sin", "cos"):
        assert places(left, word) == places(right, word) != []
    assert left.widths == right.widths and left.height == right.height
    assert "1" in left.listing and "constant" not in right.listing
    assert "n3  operation  cos" in left.listing and "n3  operation  cos" in right.listing


def test_what_has_little_in_common_takes_no_room_of_the_other():
    x, y = scalar("x"), scalar("y")
    far = sin(cos(sin(cos(sin(cos(sin(x)))))))
    pair = compare(far, cos(y), direction="TB")
    assert pair.right.picture.height < pair.left.picture.height / 2


def test_open_boxes_and_trees_stay_where_they_are():
    x = scalar("x")
    box = OpFromGraph([x], [sin(x) * x], name="box")
    for options in ({"open": True}, {"layout": "tree"}):
        pair = compare(cos(box(x)) * 1, cos(box(x)), **options)
        assert places(pair.left.picture, "cos") == places(pair.right.picture, "cos") != []


def test_of_equal_nodes_those_of_one_part_stay():
    x = scalar("x")
    y = sin(x) * cos(x)
    symbolic, reverse = symbolic_derivative(y, x).after, reverse_mode(y, x).output
    pair = compare(symbolic, reverse, ("symbolic", "reverse"))
    both = [side.picture for side in (pair.left, pair.right)]
    for part in ("", "  [derivative]"):
        row = re.compile(rf"(n\d+)  operation  (sin|cos){re.escape(part)}$", re.M)
        left, right = (set(row.findall(picture.listing)) for picture in both)
        assert left == right and len(left) == 2


def test_beside_a_graph_its_adjoints_have_names():
    a, b = scalar("a"), scalar("b")
    listing = reverse_mode(sin(a + b), [a, b]).draw().right.picture.listing
    assert re.findall(r"output  (.\u0304)", listing) == ["a\u0304", "b\u0304"]
