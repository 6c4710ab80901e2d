"""Groups: named parts of a graph, in a frame or as one node, and large graphs that stay legible."""

import re
from graphlib import TopologicalSorter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import autodiff_edu as ad
from autodiff_edu.expr import Origin, Place, is_derived
from autodiff_edu.show.build.groups import pieces
from autodiff_edu.show.build.labels import groups
from autodiff_edu.show.diagram.diagram import Edge
from autodiff_edu.show.diagram.theme import LEGIBLE
from autodiff_edu.show.views import legible as page
from autodiff_edu.show.views.legible import LARGEST, PAGE
from tests.helpers.depth import is_short, some

ROWS = 16


def network(layers):
    """The cross entropy of a network, and its parameters."""
    x, t, parameters = ad.matrix("X", shape=(ROWS, 8)), ad.matrix("T", shape=(ROWS, 3)), []
    widths = [8] + [6] * (layers - 1) + [3]
    for k in range(layers):
        with ad.group(f"layer {k + 1}"):
            w = ad.matrix(f"W{k + 1}", shape=(widths[k], widths[k + 1]))
            b = ad.vector(f"b{k + 1}", shape=(widths[k + 1],))
            x = x @ w + b
            x = ad.tanh(x) if k < layers - 1 else x
        parameters += [w, b]
    with ad.group("loss"):
        loss = -ad.mean(ad.sum(t * ad.log_softmax(x, axis=1), axis=1))
    return loss, parameters


def gradient(layers):
    loss, parameters = network(layers)
    return [loss, *ad.grad(loss, parameters)]


def nodes(picture):
    return [line.split("  ") for line in picture.listing.splitlines() if " -> " not in line]


def edges(picture):
    found = [line for line in picture.listing.splitlines() if " -> " in line]
    return [re.match(r"(.*?) -> (.*?)(?:  \[|$)", line).groups() for line in found]


# ---- what belongs to a group


def test_a_node_knows_the_groups_in_which_it_was_written():
    x = ad.scalar("x")
    with ad.group("outer"):
        a = ad.sin(x)
        with ad.group("inner"):
            b = a * a
    c = a + b
    assert [groups(n) for n in (x, a, b, c)] == [(), ("outer",), ("outer", "inner"), ()]


def test_what_a_derivative_or_a_rewrite_makes_belongs_to_the_group_of_what_it_was_made_of():
    x = ad.scalar("x")
    with ad.group("cubes"):
        y = x * x * x
    g = ad.grad(y, x)
    inner = [n for n in ad.Graph([g]).operations if n is not y]
    assert inner and all(groups(n) == ("cubes",) for n in inner)
    after = ad.simplify(g).after.operations
    assert after and all(groups(n) == ("cubes",) for n in after)


def test_every_node_of_a_simplified_gradient_descends_from_a_line_of_the_graph():
    """Not from the line that called `simplify`, as what was combined while matching did."""
    before = ad.Graph(gradient(2))
    lines = {id(place(n)) for n in before.nodes}
    assert all(id(place(n)) in lines for n in ad.simplify(before).after.nodes if n.op)


def place(n):
    while isinstance(n.origin, Origin):
        n = n.origin.node
    assert isinstance(n.origin, Place)
    return n.origin


def test_within_a_traced_function_and_as_a_decorator():
    @ad.group("body")
    def f(x):
        return ad.sin(x) * x

    x = ad.scalar("x")
    assert ad.draw(f(x), fold=True).alt.count("body") == 1
    assert ad.grad(f)(1.0) == pytest.approx(np.sin(1) + np.cos(1))


def test_an_error_in_a_group_closes_it():
    with pytest.raises(ZeroDivisionError), ad.group("broken"):
        1 / 0  # noqa: B018
    assert groups(ad.scalar("x") + 1) == ()


@pytest.mark.each("name", ["", "  ", 3, None])
def test_a_group_has_a_name(name):
    with pytest.raises(TypeError, match='with ad.group\\("layer 1"\\)'), ad.group(name):
        pass


def test_values_do_not_depend_on_groups():
    x = ad.scalar("x")
    with ad.group("a"):
        y = ad.exp(x)
    with ad.group("b"):
        z = ad.exp(x)
    assert len(ad.simplify(y * z).after.operations) == len(ad.simplify(y * y).after.operations)
    assert ad.evaluate(y - z, {x: 2.0}) == 0


# ---- frames


def test_each_group_has_a_frame_and_its_derivative_another():
    drawn = nodes(ad.draw(gradient(2), fold=False))
    frames = [text for _, kind, text, *_ in drawn if kind == "group"]
    assert sorted(frames) == sorted(
        name + words for name in ("layer 1", "layer 2", "loss") for words in ("", ", derivative")
    )


def test_frames_stand_in_frames():
    x = ad.scalar("x")
    with ad.group("outer"):
        a = ad.sin(x)
        with ad.group("inner"):
            b = ad.cos(a)
    picture = ad.draw(b)
    assert "Inside outer: 1 operation (sin); 1 group (inner)." in picture.alt
    assert picture.dot.index("cluster_group0") < picture.dot.index("cluster_group1")
    folded = ad.draw(b, fold="inner")
    assert "Inside outer: 1 operation (sin); 1 summary (inner)." in folded.alt


def test_a_name_is_data():
    with ad.group("<b>&\"'\\N \u202e" + "x" * 100):
        y = ad.scalar("x") + 1
    for fold in (True, False):
        svg = ad.draw(y, fold=fold).svg
        assert "<b>" not in svg and "\u202e" not in svg


# ---- one node


def test_what_a_folded_group_says():
    loss, _ = network(2)
    rows = {text: note for _, kind, text, *note in nodes(ad.draw(loss, fold=True))}
    assert rows["layer 1"] == ["[W1, b1; 3 operations]"]
    assert rows["loss"] == ["[5 operations]"]
    assert edges(ad.draw(loss, fold=["layer 1", "layer 2", "loss"])) == edges(
        ad.draw(loss, fold=True)
    )


def test_a_group_that_is_left_and_entered_again_is_two_nodes():
    x = ad.scalar("x")
    with ad.group("shell"):
        a = ad.sin(x)
    b = ad.cos(a)
    with ad.group("shell"):
        c = ad.tan(b)
    texts = [text for _, kind, text, *_ in nodes(ad.draw(c, fold=True)) if kind == "summary"]
    assert texts == ["shell (1 of 2)", "shell (2 of 2)"]


def test_names_that_look_alike_are_told_apart():
    """("a b",) and ("a", "b"): the nodes that stand for them are two."""
    x = ad.scalar("x")
    with ad.group("a b"):
        p = ad.sin(x)
    with ad.group("c"):
        q = ad.cos(p)
    with ad.group("a"), ad.group("b"):
        r = ad.exp(q)
    assert "3 summaries (a b, c, a)" in ad.draw(r * x, fold=True).alt
    assert "2 groups (c, a); 1 summary (a b)" in ad.draw(r * x, fold=["a b", "b"]).alt


def test_a_folded_group_hides_the_groups_in_it():
    x = ad.scalar("x")
    with ad.group("outer"):
        with ad.group("inner"):
            y = ad.sin(x) * x
        z = ad.exp(y)
    picture = ad.draw(z, fold="outer")
    assert [text for _, kind, text, *_ in nodes(picture) if kind == "summary"] == ["outer"]
    assert "inner" not in picture.listing


@pytest.mark.each("fold", [5, b"a", [1], [None], [("a",)]])
def test_what_is_no_name_is_an_error(fold):
    with pytest.raises(TypeError, match="fold=\\['layer 1'\\]"):
        ad.draw(network(1)[0], fold=fold)


def test_many_groups_are_laid_out_a_few_times(monkeypatch):
    x, w = ad.scalar("x"), ad.scalar("w")
    h, drawn = x, []
    for k in range(30):
        with ad.group(f"step {k}"):
            h = ad.tanh(h * w + k)
    monkeypatch.setattr(page, "width", lambda diagram: drawn.append(diagram) or PAGE + 1)
    ad.draw(h)
    assert len(drawn) <= 4 * page.TRIES


def test_an_unknown_name_is_an_error_that_tells_the_names():
    with pytest.raises(ValueError, match="is called 'layer 9'; its groups: 'layer 1', 'loss'"):
        ad.draw(network(1)[0], fold=["layer 9"])


@st.composite
def graphs(draw):
    """Operations in random groups, each of two nodes before it."""
    x, names = ad.scalar("x"), ["a", "b", "c", ""]
    found = [x]
    for _ in range(draw(st.integers(3, 25))):
        i, j = (found[draw(st.integers(0, len(found) - 1))] for _ in range(2))
        name = draw(st.sampled_from(names))
        if name:
            with ad.group(name):
                found.append(i * j)
        else:
            found.append(i + j)
    return found[-1], draw(st.sampled_from([True, False, None])), draw(st.booleans())


@given(graphs())
def test_folding_makes_no_circle(case):
    y, fold, differentiate = case
    outputs = [y, ad.grad(y, list(ad.Graph([y]).inputs))[0]] if differentiate else [y]
    picture = ad.draw(outputs, fold=fold)
    operands = {}
    for tail, head in edges(picture):
        operands.setdefault(head, []).append(tail)
    order = list(TopologicalSorter(operands).static_order())  # raises CycleError for a circle
    assert set(order) <= {row[0].strip() for row in nodes(picture)}


@given(st.lists(st.tuples(st.integers(0, 14), st.integers(0, 14)), max_size=40), st.integers(0))
def test_pieces_have_no_node_between_them(pairs, which):
    found = [Edge(f"n{min(p)}", f"n{max(p)}") for p in pairs if p[0] != p[1]]
    ids = {id for e in found for id in e[:2]}
    within = [f"n{k}" for k in range(15) if which >> k & 1 and f"n{k}" in ids]
    if within:
        number = pieces(found, within)
        name = {id: f"piece {k}" for id, k in number.items()}
        operands = {}
        for e in found:
            tail, head = name.get(e.tail, e.tail), name.get(e.head, e.head)
            if tail != head:
                operands.setdefault(head, []).append(tail)
        list(TopologicalSorter(operands).static_order())


# ---- large graphs


@pytest.mark.parametrize("layers", some([6, 8, 11], 3))
def test_graphs_of_80_to_150_nodes_are_legible(layers):
    outputs = gradient(layers)
    assert 80 <= len(ad.Graph(outputs).nodes) <= LARGEST
    picture = ad.draw(outputs)
    width, narrowest = picture.widths
    letters = min(map(float, re.findall(r'font-size="([\d.]+)"', picture.svg)))
    assert narrowest <= PAGE and letters * min(1, PAGE / width) >= LEGIBLE * 0.99
    assert any(kind == "summary" for _, kind, *_ in nodes(picture))


def test_a_graph_that_is_too_large_is_folded_if_it_can_be():
    outputs = gradient(12)
    assert len(ad.Graph(outputs).nodes) > LARGEST
    drawn = nodes(ad.draw(outputs))
    assert len(drawn) <= LARGEST and ["layer 7"] in [row[2:3] for row in drawn]
    x = ad.scalar("x")
    y = x
    with ad.group("start"):
        y = ad.sin(y)
    for _ in range(400):
        y = ad.sin(y) * x
    assert "steps 21–40 = 40 operations" in ad.draw(y).listing  # one of which nobody named


def test_no_more_is_folded_than_must_be():
    small = gradient(2)
    assert not any(kind == "summary" for _, kind, *_ in nodes(ad.draw(small)))
    layers = (4, 6) if is_short() else (4, 6, 8)
    folded = [sum(r[1] == "summary" for r in nodes(ad.draw(gradient(k)))) for k in layers]
    assert folded[0] < folded[-1]


def test_the_same_graph_gives_the_same_bytes():
    layers = 3 if is_short() else 5
    assert ad.draw(gradient(layers)).dot == ad.draw(gradient(layers)).dot


# ---- what a derivative made stays of one


def dashed(graph):
    return {n for n in graph.nodes if n.op is not None and is_derived(n)}


def operations(graph):
    return {n for n in graph.nodes if n.op is not None}


def test_a_box_of_a_derivative_opens_as_one():
    x, y = ad.scalar("x"), ad.scalar("y")
    rule = ad.OpFromGraph([x, y], ad.sin(x * y) / y, name="f", inline=False)
    value, slope = rule(x, y), ad.grad(rule(x, y), x)
    opened = ad.release(ad.Graph([value, slope]), every=True).graph
    above = operations(ad.Graph(opened.outputs[1]))
    assert above and above == dashed(opened)
    assert not dashed(ad.Graph(opened.outputs[0]))


def test_a_loop_of_a_derivative_is_written_out_as_one():
    x = ad.scalar("x")
    y = ad.scan(lambda s: ad.sin(s) * x, outputs_info=1.0, n_steps=2)[-1]
    plain = ad.unroll(y).graph
    assert not dashed(plain)
    both = ad.unroll(ad.Graph([y, ad.grad(y, x)])).graph
    forward = operations(ad.Graph(both.outputs[0]))
    assert forward.isdisjoint(dashed(both)) and is_derived(both.outputs[1])
    cosines = {n for n in both.nodes if n.op is ad.cos}
    assert cosines and cosines <= dashed(both)


def test_a_derivative_of_many_examples_is_one():
    v, w = ad.vector("v"), ad.vector("w")
    with ad.group("layer"):
        z = v @ w
    slope = ad.simplify(ad.grad(ad.sin(z), w)).graph
    many = ad.vectorize(slope, over=v, size=5).graph
    words = {n.op.name for n in dashed(many)}
    assert words == {n.op.name for n in dashed(slope)} | {"expand_dims"}
    assert ad.draw(many, fold=True).alt == ad.draw(slope, fold=True).alt
    assert str(ad.why(many.output)).count("rule: vectorize") == 1
