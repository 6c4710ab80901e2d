"""Which boxes are equal: copies, stored ones, other names; found once, and quickly."""

import copy
import pickle
import subprocess
import sys

import pytest

import autodiff_edu as ad
from autodiff_edu.expr import postorder
from autodiff_edu.nested import Nested
from autodiff_edu.nested.subgraph import op_from_graph as nested_box
from tests.helpers.boxes import box
from tests.helpers.depth import is_short


def test_copies_are_the_thing_itself():
    x = ad.scalar("x")
    f = box(x * 2, x)
    assert copy.copy(f) is f and copy.deepcopy(f) is f


def tripled(inputs, outputs, cotangents):
    return [3 * cotangents[0]]


class Quadrupled:
    """A rule that is an object, and hashable by what it is."""

    def __call__(self, inputs, outputs, cotangents):
        return [4 * cotangents[0]]

    def __eq__(self, other):
        return isinstance(other, Quadrupled)

    def __hash__(self):
        return 4


STORED = {
    "plain": {},
    "inline": {"inline": True},
    "function": {"pullback": tripled},
    "object": {"pullback": Quadrupled()},
    "list": {"pullback": [tripled]},
    "pattern": {"connection_pattern": [[True]], "pushforward": tripled},
}


@pytest.mark.each("how", STORED.values(), ids=STORED)
def test_storing_a_graph_with_boxes(how):
    x = ad.scalar("x")
    f = box(ad.sin(x), x, name="f", **how)
    hash(f), ad.grad(f(x), x), f.connection_pattern  # all that it remembers
    again = pickle.loads(pickle.dumps(ad.Graph([f(x), ad.grad(f(x), x)])))
    (y,) = again.inputs
    g = next(
        n.op for n in postorder(again.outputs) if isinstance(n.op, Nested) and n.op.name == "f"
    )
    assert g == f and hash(g) == hash(f) and g is not f
    assert again.evaluate({y: 0.3}) == ad.Graph([f(x), ad.grad(f(x), x)]).evaluate({x: 0.3})
    assert ad.evaluate(ad.grad(g(x), x), {x: 0.3}) == ad.evaluate(ad.grad(f(x), x), {x: 0.3})


def test_a_stored_box_is_equal_in_another_run_of_python():
    """Where strings, and so names, have other hashes."""
    x = ad.scalar("x")
    f = box(ad.sin(x), x, name="f", pullback=tripled)
    hash(f)
    lines = [
        "import pickle, sys",
        "import autodiff_edu as ad",
        "from tests.nested.subgraph.test_box_equality import tripled",
        "f = pickle.load(sys.stdin.buffer)",
        "x = ad.scalar('x')",
        "g = ad.OpFromGraph([x], [ad.sin(x)], name='f', pullback=tripled)",
        "assert f == g and hash(f) == hash(g)",
        "assert ad.simplify(ad.release(f(x) + g(x))).after.counts['f'] == 1",
    ]
    command = [sys.executable, "-c", "\n".join(lines)]
    subprocess.run(command, input=pickle.dumps(f), check=True)


def test_what_a_box_is_like_is_found_once(monkeypatch):
    """However often it is compared, hashed, applied and simplified."""
    looked = []
    like = nested_box.built_like
    monkeypatch.setattr(nested_box, "built_like", lambda body: looked.append(body) or like(body))
    x = ad.scalar("x")
    f, g = box(ad.sin(x) * x, x), box(ad.sin(x) * x, x)
    e = x
    for _ in range(20):
        e = f(g(e))
    for _ in range(3):
        assert f == g and hash(f) == hash(g)
        ad.simplify(ad.grad(e, x))
    assert len(looked) <= 6  # both, and what they are simplified and differentiated to


@pytest.mark.each("inline", [False, True])
def test_a_derivative_is_found_once_for_all_uses(monkeypatch, inline):
    swept = []
    pulled = nested_box.pulled
    monkeypatch.setattr(nested_box, "pulled", lambda *args: swept.append(args) or pulled(*args))
    x = ad.scalar("x")
    f = box(ad.sin(x) * x, x, inline=inline)
    e = x
    for _ in range(50):
        e = f(e) + f(x)
    g = ad.grad(e, x)
    assert len(swept) == 1
    derivatives = {id(n.op) for n in ad.Graph(g) if n.op is not None and "pullback" in n.op.name}
    assert len(derivatives) == (0 if inline else 1)


def test_equality_is_found_once():
    """Boxes of boxes, each used twice in the next: comparing them is linear in their number."""

    def tower(height):
        x = ad.scalar("x")
        f = box(ad.sin(x), x)
        for _ in range(height):
            f = box(f(x) * f(f(x)), x)
        return f

    one, other = tower(60), tower(60)
    assert one == other and hash(one) == hash(other)
    assert one != tower(59)
    x = ad.scalar("x")
    assert ad.simplify(one(x) + other(x)).after.counts["box"] == 1


def test_names_of_inputs_do_not_matter_but_their_facts_do():
    x, y = ad.scalar("x"), ad.scalar("y")
    p = ad.scalar("p", positive=True)
    assert box(x * 2, x) == box(y * 2, y) != box(p * 2, p)
    assert box(x * 2, x) != box(x * 3, x)
    k = ad.scalar("x", dtype="float32")
    assert box(k * 2, k) != box(x * 2, x)


# ---- size


def test_boxes_in_a_long_chain():
    """A box between any two operations: building, gradient, release and simplification stay
    linear."""
    x = ad.scalar("x")
    plain, inline = box(ad.sin(x), x), box(ad.cos(x), x, inline=True)
    v = x
    count = 200 if is_short() else 2_500
    for _ in range(count):
        v = inline(plain(v * 1.01))
    g = ad.grad(v, x)
    opened = ad.release(g, every=True)
    assert opened.after.counts["sin"] == 2 * count
    assert ad.function(x, g)(0.3) == pytest.approx(ad.evaluate(opened.output, {x: 0.3}), rel=1e-9)
