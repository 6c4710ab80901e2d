"""Groups: what a reader sees of a graph that is too large to read, and that each of them opens."""

from itertools import combinations

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu.show.scene.boxes import frames_of
from autodiff_edu.show.scene.document import Document
from autodiff_edu.show.scene.groups import grouped
from autodiff_edu.show.scene.opening import Opening, is_own
from autodiff_edu.show.scene.parts import around
from autodiff_edu.show.scene.sheet import opened, sheet
from autodiff_edu.show.scene.still import Stills

from ...helpers.depth import draws, is_short, some
from ...helpers.programs import random_program
from .explored import recurrent
from .test_still import crossings, overlaps


def pendulum(steps):
    """The last angle by Runge and Kutta, the angles on the way, and the inputs."""
    g, length, c, angle, speed = map(ad.scalar, ("g", "l", "c", "θ", "ω"))
    inputs, dt, angles = [g, length, c, angle, speed], 0.05, []

    def slope(a, v):
        return v, -g / length * ad.sin(a) - c * v

    for _ in range(steps):
        k1 = slope(angle, speed)
        k2 = slope(angle + dt / 2 * k1[0], speed + dt / 2 * k1[1])
        k3 = slope(angle + dt / 2 * k2[0], speed + dt / 2 * k2[1])
        k4 = slope(angle + dt * k3[0], speed + dt * k3[1])
        angle = angle + dt / 6 * (k1[0] + 2 * k2[0] + 2 * k3[0] + k4[0])
        speed = speed + dt / 6 * (k1[1] + 2 * k2[1] + 2 * k3[1] + k4[1])
        angles.append(angle)
    return angle**2, angles, inputs


def layers(count):
    """Named by the user, one line a layer."""
    h, w = ad.scalar("x"), ad.scalar("w")
    for k in range(count):
        own = ad.scalar(f"b{k}")
        with ad.group(f"layer {k}"):
            h = ad.tanh(w * h + ad.sin(w) * k) + own + h
    return ad.square(h)


def one_line(count):
    x = ad.scalar("x")
    return sum(ad.sin(x * k) * x for k in range(1, count))


def losses(steps):
    """What each round adds to a loss is made in the round, and is used after the last one."""
    w, h, terms = ad.scalar("w"), ad.scalar("h"), []
    for t in range(steps):
        h = ad.tanh(w * h + t)
        terms.append(ad.square(h - 1))
    total = terms[0]
    for term in terms[1:]:
        total = total + term
    return total


LARGE = {
    "pendulum": lambda: pendulum(4)[0], "net": lambda: recurrent(20)[0],
    "layers": lambda: layers(20), "one line": lambda: one_line(60), "losses": lambda: losses(30),
    "long net": lambda: recurrent(70)[0],
}  # fmt: skip


def random_large(seed):
    return ad.sum(random_program(seed, 90)[2])


def flat(groups):
    for g in groups:
        yield g
        yield from flat(g.inner)


def check_order(groups, values):
    """Groups share no node, and no way leads out of one and back: their graph is one again."""
    for a, b in combinations(groups, 2):
        assert set(a.nodes).isdisjoint(b.nodes)
    owner = {n: k for k, g in enumerate(groups) for n in g.nodes if n.op is not None}
    reached = {}  # for each node the groups that it needs
    for n in ad.Graph(values[-1]).nodes:
        needs = set().union(*[reached[i] | {owner.get(i)} for i in n.inputs])
        reached[n] = needs - {owner.get(n), None}
    for k, g in enumerate(groups):
        operands = {i for n in g.nodes for i in n.inputs}
        assert not any(k in reached[i] for i in operands if owner.get(i) != k), g.label
        assert {m for inner in g.inner for m in inner.nodes} <= set(g.nodes)
        check_order(g.inner, values)


@pytest.mark.each("name", some(LARGE, 3))
def test_groups_are_the_nodes_of_a_graph_again(name):
    values = ad.Graph(LARGE[name]()).nodes
    groups = grouped(values).inner
    assert 1 < len(groups) <= 24
    check_order(groups, values)


def test_groups_of_random_programs_are_graphs():
    for seed in range(draws(8)):
        values = ad.Graph(random_large(seed)).nodes
        check_order(grouped(values).inner, values)


def test_a_small_formula_has_no_groups():
    x = ad.scalar("x")
    assert not grouped(ad.Graph(x * x + (x - 2)).nodes).inner


def test_a_round_has_what_the_loop_made_in_it():
    loss, angles, _ = pendulum(6)
    groups = grouped(ad.Graph(loss).nodes).inner
    assert [g.label for g in groups] == [f"step {k} of 6" for k in range(1, 7)]
    for group, angle, before in zip(groups, angles, [None, *angles], strict=False):
        assert angle in set(group.nodes) and before not in set(group.nodes)
    assert {"slope()"} < {g.label for g in groups[1].inner}
    labels = [g.label for g in grouped(ad.Graph(losses(30)).nodes).inner]
    assert labels[0].startswith("steps 1–"), labels


def test_a_group_has_the_name_that_the_user_gave_it():
    labels = [g.label for g in grouped(ad.Graph(layers(20)).nodes).inner]
    assert labels == [f"layer {k}" for k in range(20)]


# ---- pictures


def document(name, derivative="reverse"):
    loss = random_large(int(name)) if name.isdigit() else LARGE[name]()
    inputs = list(ad.Graph(loss).inputs)[:3]
    if derivative is None:
        return Document(None, None, {}, groups=True, graph=ad.Graph(loss)).picture()
    stage = ad.reverse_mode(loss, inputs)
    if derivative == "forward":
        stage = ad.forward_mode(loss, inputs[0])
    return Document(stage, None, {}, groups=True, runs=False).picture()


def check_sheet(document, labels):
    """What is seen overlaps nothing, and no edge crosses a box."""
    frame = Stills(sheet(document, labels))[0]
    assert not list(overlaps(frame)), labels
    assert not list(crossings(frame)), labels
    for (g, one), (h, other) in combinations(frame.frames.items(), 2):
        (left, right, top, bottom), (a, b, c, d) = one, other
        apart = right <= a or b <= left or bottom >= c or d >= top
        inside = left <= a and b <= right and bottom <= d and c <= top
        assert apart or inside, (g, h)
    return frame


def group_labels(document):
    return [row["group"] for row in document["parts"].values() if "group" in row]


@pytest.mark.each("derivative, name", [
    (derivative, name)
    for turn, name in some(enumerate([*LARGE, "3"]), 3)
    for derivative in some(["reverse", "forward", None], 3, turn)
])  # fmt: skip
def test_every_group_opens(name, derivative):
    data = document(name, derivative)
    rows = data["parts"]
    closed = check_sheet(data, False)
    assert len(closed.boxes) <= 70
    rng = np.random.default_rng(5)
    groups = [g for g, row in rows.items() if "group" in row and "of" not in row]
    for g in rng.permutation(groups)[:6]:
        opening = Opening(data, {g, *outer(rows, g)})
        assert {p for p, row in rows.items() if row.get("in") == g and "x" in row} <= {*opening.at}
    for size in some((1, 2, 4), 3, turn=len(groups)):
        labels = [rows[g]["group"] for g in rng.permutation(groups)[:size]]
        check_sheet(data, labels)
    whole = check_sheet(data, True)
    assert {*whole.boxes} == {p for p, row in rows.items() if "x" in row and
                              (p in data["first"] or "group" in row)}  # fmt: skip


def outer(rows, g):
    while g := rows[g].get("in"):
        yield g


def test_draw_opens_groups_by_their_labels():
    loss, _, inputs = pendulum(6)
    picture = ad.draw(ad.reverse_mode(loss, inputs[:3])).right.picture
    assert "step 3 of 6 = 50 operations" in picture.listing and len(picture.svg) < 60_000
    opened = ad.draw(loss, open="step 3").listing
    assert "slope() = 6 operations" in opened and opened.count("slope()") < 6
    everything = ad.draw(loss, open=True).listing
    assert (
        everything.count("sin")
        == ad.Graph(loss).counts["sin"]
        > ad.draw(loss, open=["step 1"]).listing.count("sin")
    )


def test_a_label_that_no_group_has_is_refused_with_those_that_there_are():
    loss, _, inputs = pendulum(4)
    with pytest.raises(ValueError, match="no group is called 'line 1'; the groups: 'step 1 of 4'"):
        ad.draw(loss, open="line 1")
    with pytest.raises(TypeError, match="an expression is needed"):
        ad.draw(inputs[0] * inputs[1], open="line 1")


def test_the_picture_of_a_large_graph_is_small_and_always_the_same():
    loss, _, inputs = pendulum(20)
    stage = ad.reverse_mode(loss, inputs[:3])
    first, again = (ad.draw(stage).right.picture.svg for _ in range(2))
    assert first == again and len(first) < 60_000


def test_no_part_of_a_sum_bears_the_name_of_the_sum():
    """The adjoint of a weight is added up inside the groups: w̄ is not w̄ + w̄."""
    h, w, x = ad.scalar("h"), ad.scalar("w"), ad.scalar("x")
    for _ in range(60):
        h = ad.tanh(h * w + x)
    stage = ad.reverse_mode(h, [w, x])
    words = list(frames_of(ad.explore(stage).document))[-1]
    labels = {words.name(p): words.label(p, c) for p, c in words.contents.items()}
    assert (labels["w\u0304"], labels["x\u0304"]) == ("… + …", "… + v\u0304₂")


# ---- the pendulum, with many steps

STEPS = 8 if is_short() else 20


@pytest.fixture(scope="module")
def long_pendulum():
    """Its loss with the gradient by three parameters: some 3,000 nodes, by default fewer."""
    loss, _, inputs = pendulum(STEPS)
    stage = ad.reverse_mode(loss, inputs[:3])
    assert len(stage.graph) > 110 * STEPS
    return Document(stage, None, {}, groups=True, runs=False, moves=False).picture()


def test_every_group_of_the_pendulum_opens(long_pendulum):
    """Each by itself: its members have places of their own, on both sides within its frames."""
    rows = long_pendulum["parts"]
    groups = [g for g, row in rows.items() if is_own(row)]
    twin = {row["of"]: p for p, row in rows.items() if "group" in row and not is_own(row)}
    members = {}
    for p, row in rows.items():
        if "in" in row and "x" in row:
            members.setdefault(row["in"], []).append(p)
    assert len(groups) > 10 * STEPS
    for g in some(groups, 9):
        opening = Opening(long_pendulum, {g, *around(rows, g)})
        assert len({*opening.at.values()}) == len(opening.at), rows[g]["group"]
        for side in filter(None, (g, twin.get(g))):
            left, right, top, bottom = opening.frames[side]
            assert members[side]
            for p in members[side]:
                x, y = opening.at[p]
                assert left <= x - 0.5 and x + 0.5 <= right and top < y <= bottom, (g, p)


def test_open_groups_of_the_pendulum_overlap_nothing(long_pendulum):
    """All of one label at once: `slope()` and a line are in each of the steps."""
    labels = [*dict.fromkeys(group_labels(long_pendulum))]
    (line, *_), calls = [label for label in labels if label.startswith("line")], "slope()"
    for label in some(("step 1", f"step {STEPS}", line, calls), 4, turn=3):
        scale = Stills(sheet(long_pendulum, label))
        assert not list(overlaps(scale[0])) and not list(crossings(scale[0])), label
        many = label in (line, calls)
        assert (
            len(scale.document["frames"]) == 2 or many and len(scale.document["frames"]) > 4 * STEPS
        )


def test_a_label_opens_the_groups_in_those_of_another_label(long_pendulum):
    """The calls in one step, in whichever order they are named; and one group in two others."""
    rows = long_pendulum["parts"]
    calls = [g for g, row in rows.items() if row.get("group") == "slope()" and is_own(row)]
    for labels in (["step 3", "slope()"], ["slope()", "step 3"]):
        groups = opened(rows, labels)
        chains = [[rows[q]["group"] for q in around(rows, g)] for g in groups.intersection(calls)]
        assert 1 < len(chains) < len(calls) / (STEPS / 2)
        assert all(f"step 3 of {STEPS}" in chain for chain in chains)
    assert opened(rows, "slope()").issuperset(calls)
    both = opened(rows, ["step 3", "step 4"])
    assert {rows[g]["group"] for g in both} == {f"step {k} of {STEPS}" for k in (3, 4)}
