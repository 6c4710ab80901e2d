"""Two graphs are compared by structure, whatever they share."""

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
