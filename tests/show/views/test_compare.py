"""Two graphs are compared by structure, whatever they share, and what a stage made by its log."""

import re

from autodiff_edu.differentiate import reverse_mode, symbolic_derivative
from autodiff_edu.expr import postorder
from autodiff_edu.nested import OpFromGraph
from autodiff_edu.ops import cos, exp, scalar, sin
from autodiff_edu.rewrite import simplify
from autodiff_edu.show import compare
from autodiff_edu.show.pairing import numbers

from ...helpers.depth import draws
from ...helpers.programs import random_program


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
    for given, names in (None, ["y", "∂y/∂a", "∂y/∂b"]), (2.0, ["y", "a\u0304", "b\u0304"]):
        listing = reverse_mode(sin(a + b), [a, b], given).draw(types=True).right.picture.listing
        assert all(re.search(rf"^{name} = ", listing, re.M) for name in names), listing


# ---- a graph and what a pass made of it: the log tells what became of a node


def oscillator():
    """The squared error of a damped oscillation at one time, by amplitude, friction, frequency and
    phase."""
    A, friction, frequency, phase = map(scalar, ("A", "γ", "ω", "φ"))
    error = A * exp(-friction * 0.5) * cos(frequency * 0.5 + phase) - 1.2
    return reverse_mode(error**2, [A, friction, frequency, phase])


def test_what_stands_above_a_change_is_not_marked():
    gradient = oscillator()
    short = simplify(gradient)
    pair = compare(gradient, short)
    operations = [w for w in marked(pair.left.picture, "removed") if not re.match(r"[\d.]", w)]
    assert len(short.steps) == 8 and len(operations) == 10 < len(gradient.graph.operations) / 2
    made = marked(pair.right.picture, "new")
    assert sorted(made) == sorted(["−0.5", "−0.5", "0.5", "0.5", *"×××××", "−·"])
    assert marked(short.draw().right.picture, "new") == made


def test_two_results_that_were_never_one_graph_are_compared_by_structure():
    x, y = scalar("x"), scalar("y")
    other = compare(sin(y * 1), simplify(sin(x * 1)))
    assert marked(other.right.picture, "new") == ["x", "sin"]


def made_by_steps(stage):
    """The nodes that steps made, and what was rebuilt from them."""
    before, made = set(stage.before.nodes), set()
    for step in stage.steps:
        made.update(n for n in postorder([step.after]) if n not in before)
    steps = set(stage.marks)
    for k, (old, new) in enumerate(stage.log):
        if k in steps or old in made:
            made.add(new)
    return made


def test_a_mark_is_a_node_that_a_step_made_or_took_away():
    """Of random graphs: a node that was rebuilt and nothing else has its number on both sides."""
    rebuilt = 0
    for seed in range(draws(20)):
        stage = simplify(random_program(seed, 20)[2])
        number, after = numbers(stage.before, stage), set(stage.after.nodes)
        left, right = ({number[n] for n in g.nodes} for g in (stage.before, stage.after))
        made, steps = made_by_steps(stage), {step.before for step in stage.steps}
        new = [n for n in after if number[n] not in left]
        assert made.issuperset(new)
        became = dict(stage.log)
        for n in stage.before.nodes:
            own = [n]
            while own[-1] in became and own[-1] not in steps and became[own[-1]] is not own[-1]:
                own.append(became[own[-1]])
            if own[-1] in after:
                assert number[n] in right, "a node that is there, under another number"
                rebuilt += own[-1] is not n
    assert rebuilt
