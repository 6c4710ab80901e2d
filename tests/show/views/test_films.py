"""A film has one frame more than its stage has steps, and each marks what its step did."""

import re

import pytest

from autodiff_edu.differentiate import forward_mode, reverse_mode, symbolic_derivative
from autodiff_edu.expr import Stage, same
from autodiff_edu.ops import exp, log, matrix, mean, scalar, sin, vector
from autodiff_edu.rewrite import Rule, simplify, wild
from autodiff_edu.run import pipeline
from autodiff_edu.show import film
from autodiff_edu.show.views.replay import Frame
from tests.helpers.depth import is_short, some


def polynomial():
    x = scalar("x")
    return x * x + (x - 2), x


def quotient():
    x = scalar("x")
    return sin(x * x) / (1 + exp(-x)), x


def regression():
    X, w, y = matrix("X"), vector("w"), vector("y")
    return mean(log(1 + exp(-y * (X @ w)))), w


def stages():
    for make in (polynomial, quotient, regression):
        y, x = make()
        symbolic = symbolic_derivative(y, x)
        yield from (symbolic, simplify(symbolic), reverse_mode(y, x), simplify(reverse_mode(y, x)))
        yield forward_mode(y, x)


STAGES = list(stages())
every_stage = pytest.mark.each("stage", STAGES, ids=lambda s: s.name)


@every_stage
def test_one_frame_more_than_steps(stage):
    frames = film(stage)
    assert len(frames) == len(stage.steps) + 1
    assert frames.captions[0].startswith(f"before {stage.name}")
    assert [c.split(":")[0] for c in frames.captions[1:]] == [s.rule for s in stage.steps]


@every_stage
def test_every_frame_marks_what_its_step_made(stage):
    pictures = [frame.picture for frame in film(stage).frames]
    # what is made and goes at once is marked as going; D(2) has no place, it stands in its user
    made = [bool(re.search("new]|matched]", picture.listing)) for picture in pictures[1:]]
    assert made.count(False) <= stage.counts["a constant"]
    assert "new]" not in pictures[0].listing


@pytest.mark.parametrize("stage", [s for s in STAGES if hasattr(s, "log")], ids=lambda s: s.name)
def test_frames_are_those_of_the_stage(stage):
    for k, graph in enumerate(stage.frames()):
        assert same(Frame(stage, k).graph.outputs, graph.outputs)


@pytest.mark.parametrize("way", [forward_mode, reverse_mode])
def test_nothing_moves_while_a_derivative_grows(way):
    y, x = quotient()
    sizes = {f.picture.widths for f in film(way(y, x)).frames}
    assert len(sizes) == 1
    first, *_, last = (frame.picture.svg for frame in film(way(y, x)).frames)
    place = re.compile(r'<ellipse [^>]*cx="([\d.-]+)" cy="([\d.-]+)"')
    assert set(place.findall(first)) <= set(place.findall(last))


@pytest.mark.parametrize(
    "way, made", some([(reverse_mode, "v̄₉₈"), (forward_mode, "v̇₂")], 2, turn=1)
)
def test_a_long_derivative_is_shown_in_a_dozen_frames(way, made):
    """All frames are there by number. What a step made has its name."""
    x = scalar("x")
    y = x
    times = 30 if is_short() and way is forward_mode else 100
    for _ in range(times):
        y = sin(y)
    shown = film(way(y, x))
    assert len(shown) > times
    assert f"{made} = " in shown[3].listing
    html = shown._repr_mimebundle_()["text/html"]
    assert html.count("<section") == 12 and len(html) < 1e6
    assert f"Of {len(shown)} frames, {len(shown) - 12} are left out" in html


def test_accumulation_is_told():
    a = scalar("a")
    b = a + a
    last = film(reverse_mode(b + b, a))[-1].listing
    assert "v̄₁ = 1 + 1" in last
    frames = [frame.listing for frame in film(reverse_mode(b + b, a))]
    assert any("v̄₁ (1 of 2) = " in listing for listing in frames)
    assert "(1 of 2)" not in last


def test_each_adjoint_has_the_name_of_its_variable():
    """The adjoints of the two operands of a sum are one node."""
    a, b = scalar("a"), scalar("b")
    for wrt in ([a, b], [b, a]):
        last = film(reverse_mode(sin(a + b), wrt))[-1].listing
        assert re.findall(r"^(v\S+) = =(?:  \[new\])?$", last, re.M) == ["v̄₋₁", "v̄₀"]


def test_captions_write_the_local_rewrite():
    y, x = polynomial()
    captions = film(simplify(symbolic_derivative(y, x))).captions
    assert captions[1] == "times one: 1 * x → x, by 𝕒·1 = 𝕒 (cost 5 → 4)"
    assert film(reverse_mode(y, x)).captions[-1] == "pullback of multiply: v̄₀ = v̄₀ + (v₀ * v̄₁)"


def test_captions_tell_needs_caveat_and_cost():
    x, y = scalar("x"), scalar("y")
    said = film(simplify((x + y) / (x + y), mode="real")).captions
    assert said[-1] == (
        "over itself: (x + y) / (x + y) → 1, by 𝕒/𝕒 = 1 "
        "(needs (x + y) != 0; 0/0 is nan, this says 1; cost 3 → 0)"
    )


def tags(picture):
    """Which node carries which tags: {("x", "→ x"), ...}."""
    node = re.compile(r"(?:n\d+  [a-z ]+  )?(\S+)  \[(.*)]")
    found = [match.groups() for match in map(node.match, picture.listing.splitlines()) if match]
    return {(text, w) for text, words in found for w in words.split(", ") if "→" in w}


def test_bound_parts_carry_their_wildcards_before_and_after():
    a, b, x, y = scalar("a"), scalar("b"), *wild("x y")
    swap = Rule("swap", exp(x) * sin(y), sin(y + x), commute=False, cost_policy="")
    first, last = film(simplify(exp(a) * sin(b), rules=[swap]))
    assert tags(first) == {("a", "𝕒 →"), ("b", "𝕓 →")}
    assert tags(last) == {("a", "→ 𝕒"), ("b", "→ 𝕓")}


def test_a_node_may_be_what_two_steps_call_x():
    a = scalar("a")
    frames = film(simplify(1 * a + a * 1))
    assert tags(frames[1]) == {("a", "→ 𝕒"), ("a", "𝕒 →")}


def test_selected_steps_tell_how_many_are_left_out():
    x, y = scalar("x"), scalar("y")
    stage = simplify(1 * x + (y / y) * exp(1 * y) - sin(x) / sin(x), mode="real")
    places = stage.select(rule="over itself")
    chosen = film(stage, rule="over itself")
    assert len(places) == 2 and [c.split(":")[0] for c in chosen.captions] == [
        "after 1 other step", "over itself",
        f"after {places[1] - places[0] - 1} other steps", "over itself",
    ]  # fmt: skip
    whole = film(stage)
    assert chosen.captions[-1] == whole.captions[places[1] + 1]
    assert len(film(stage, phase="canonicalise")) > 2 and len(film(stage, node=y)) >= 2


def test_steps_that_cannot_be_chosen_are_refused():
    y, x = polynomial()
    with pytest.raises(ValueError, match="rule='exp of log'.*times one"):
        film(simplify(symbolic_derivative(y, x)), rule="exp of log")
    with pytest.raises(TypeError, match="rule choose among the steps of a simplification"):
        film(reverse_mode(y, x), rule="none")
    with pytest.raises(TypeError, match="pipeline\\['simplify'\\]"):
        film(pipeline(y, x), rule="times one")


def test_odd_names_are_escaped():
    x, a = wild("x<b>&"), scalar("a")
    rule = Rule("<script>&\n", exp(x), sin(x), cost_policy="", caveat="<i>")
    html = film(simplify(exp(a), rules=[rule]))._repr_mimebundle_()["text/html"]
    assert "<script>" not in html and "&lt;script&gt;&amp;" in html and "&lt;i&gt;" in html


def test_values_are_written_where_they_are_known():
    y, x = polynomial()
    symbolic = film(symbolic_derivative(y, x), values={x: 3.0})
    assert "= 7" not in symbolic[0].listing and "= 7" in symbolic[-1].listing
    assert "v̄₀ = + = 7" in film(reverse_mode(y, x), values={x: 3.0})[-1].listing


def test_a_pipeline_strings_its_stages():
    y, x = polynomial()
    whole = pipeline(y, x)
    assert len(film(whole)) == sum(len(stage.steps) + 1 for stage in whole)
    assert whole.film().captions[-2].startswith("simplify: collect terms")


def test_a_stage_without_steps_is_one_frame():
    y, _ = polynomial()
    assert len(film(Stage("plan", y, y))) == 1


def test_what_has_no_steps_is_refused():
    with pytest.raises(TypeError, match="ad.draw"):
        film(polynomial()[0])
