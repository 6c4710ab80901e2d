"""A film of a simplification: its frames are the log, and what persists does not move."""

import base64
import re

import numpy as np

import autodiff_edu as ad
from autodiff_edu.expr import HOOKS
from autodiff_edu.show.html.sanitized import WITHOUT_TEXT
from autodiff_edu.show.scene import shortening
from autodiff_edu.show.scene.document import Document
from autodiff_edu.show.scene.short_film import hollow

from ...helpers.depth import draws, is_short, length
from ...helpers.programs import random_numbers, random_program
from ...helpers.scenes import frames, number
from .test_still import check_pictures


def simplifications(seed):
    """Stages that rewrite a random program, a formula, and a gradient."""
    inputs, _, y = random_numbers(seed)
    yield ad.simplify(random_program(seed)[2])
    yield ad.simplify(y, mode="real")
    yield ad.simplify(ad.reverse_mode(y, inputs))


def tree(held, part, table):
    """A number for what a part computes, the same for equal trees."""
    done, stack = {}, [part]
    while stack:
        p = stack[-1]
        kind, *rest = held[p]
        below = [a for a in rest[0] if isinstance(a, str)] if rest and kind != "const" else []
        if pending := [a for a in below if a not in done]:
            stack += pending
            continue
        stack.pop()
        if kind == "input":
            key = "input", p
        elif kind == "const":
            key = constant(number(rest[0]))
        elif kind == "tie":
            done[p] = done[rest[0][0]]
            continue
        else:
            operands = [
                done[a]
                if isinstance(a, str)
                else table.setdefault(constant(number(a["c"])), len(table))
                for a in rest[0]
            ]
            key = kind, *operands, repr(rest[1:])
        done[p] = table.setdefault(key, len(table))
    return done[part]


def constant(value):
    return "constant", np.shape(value), np.asarray(value, float).tobytes()


def test_frame_k_is_the_log_read_up_to_step_k():
    """Each frame computes the same trees as a document that is made of the stage's frame alone."""
    steps = 0
    for seed in range(draws(6)):
        for stage in simplifications(seed):
            document = Document(None, stage, {}, runs=False)
            home = document.parts.home
            for k, (held, outs) in enumerate(frames(document.data())):
                graph = stage.frame(k)
                alone = Document(None, ad.simplify(graph, rules=[]), {}, runs=False)
                inputs = {alone.parts.home[n]: home[n] for n in graph.inputs if n in home}
                held_alone, outs_alone = next(frames(alone.data()))
                table = {("input", home[n]): j for j, n in enumerate(graph.inputs) if n in home}
                mine = [tree(held, p, table) for p in outs]
                table |= {("input", p): table["input", q] for p, q in inputs.items()}
                assert mine == [tree(held_alone, p, table) for p in outs_alone], (seed, k)
                steps += k > 0
    assert steps > 20


def test_what_persists_does_not_move_and_no_edge_crosses_a_part():
    for seed in range(draws(3)):
        for stage in simplifications(seed):
            check_pictures(Document(None, stage, {}, runs=False).data(), every=5)


def test_every_frame_marks_what_goes_next_and_what_was_made():
    for seed in range(draws(3)):
        for stage in simplifications(seed):
            film = ad.film(stage)
            assert len(film) == len(stage.steps) + 1 == len(film.captions)
            for k, frame in enumerate(film):
                assert bool(frame.marks.matched) == (k < len(stage.steps))
                assert k or not frame.marks.fresh
                assert "[" not in frame.listing or re.search(
                    r"\[(new|matched|.* →|→ )", frame.listing
                )


def test_a_page_has_a_picture_of_what_stays_and_small_frames_over_it():
    x = ad.scalar("x")
    y = ad.sin(x)
    steps = 20 if is_short() else 40
    for _ in range(steps):
        y = ad.sin(y * 1)
    stage = ad.simplify(y)
    page = ad.film(stage)._repr_mimebundle_()["text/html"]
    assert page == ad.film(stage)._repr_mimebundle_()["text/html"]
    assert page.count("<section") == 12
    assert f"Of {steps + 1} frames, {steps - 11} are left out" in page
    assert page.count("<style>.scene-") == 1


def recurrent():
    """The gradient of a net of four steps, by its matrices, as benchmarks/films.py has it."""
    U, W = ad.tensor("U", shape=(3, 4)), ad.tensor("W", shape=(4, 4))
    h = ad.constant(np.zeros(4))
    for t in range(4):
        h = ad.tanh(ad.tensor(f"x{t}", shape=3) @ U + h @ W)
    return ad.reverse_mode(ad.sum(ad.square(h - 1)), [U, W])


x = ad.scalar("x")
SLOPE = ad.symbolic_derivative(x * x + (x - 2), x)
SMALL = SLOPE, ad.simplify(SLOPE), ad.reverse_mode(ad.sin(x) * x, x), ad.forward_mode(x * x, x)
LARGE = recurrent(), ad.simplify(recurrent())
IMAGE = re.compile(r"data:image/svg\+xml;base64,([A-Za-z0-9+/=]+)")


def images(page):
    """The pictures of a page without styles, each with the words of its frame."""
    sections = WITHOUT_TEXT.sub("", page).split("<section")[1:]
    return [(IMAGE.search(section)[1], section) for section in sections]


def test_without_styles_frames_are_whole_or_say_where_the_rest_is():
    """Small films have whole frames. Of large ones the first and the last are whole."""
    for stage in (*SMALL, *LARGE):
        film = ad.film(stage)
        drawn = images(film._repr_mimebundle_()["text/html"])
        last = len(film) - 1
        places = np.linspace(0, last, len(drawn)).round().astype(int)
        for k, (data, words) in zip(places, drawn, strict=True):
            svg = base64.b64decode(data).decode()
            is_whole = svg == film[k].svg
            assert is_whole == ("What stays is in the first" not in words)
            assert is_whole or (stage in LARGE and 0 < k < last)
        assert stage in SMALL or len({words for _, words in drawn}) > 2


def test_a_film_is_no_larger_than_a_mail_can_carry():
    """That of a net of four steps: 150 KB, and 100 KB of its simplification."""
    for stage, most in zip(LARGE, (150, 100), strict=True):
        page = ad.film(stage)._repr_mimebundle_()["text/html"]
        assert len(page.encode()) <= most * 1024
        small = [frame.picture.svg for frame in ad.film(stage).frames]
        assert sum(map(len, small)) > 60_000


def test_letters_of_rules_are_no_letters_of_formulas():
    a, b = ad.scalar("a"), ad.scalar("b")
    film = ad.film(ad.simplify(1 * b + a * 1))
    assert film.captions[1] == "times one: 1 * b → b, by 𝕒·1 = 𝕒 (cost 3 → 2)"
    assert film[0].listing.splitlines()[0] == "b  [𝕒 →]"
    assert hollow("tanh a·a² + exp b") == "tanh 𝕒·𝕒² + exp 𝕓"


def test_results_keep_their_names_and_order():
    """Through the stage, its film, its comparison and its function, also where they become one."""
    x, y = ad.scalar("x"), ad.scalar("y")
    graph = ad.Graph([x * 1, y + 0, 1 * x], [x, y], ["first", "second", "third"])
    stage = ad.simplify(graph)
    assert stage.graph.names == graph.names
    for frame in ad.film(stage):
        named = re.findall(r"(first|second|third)\]", frame.listing)
        assert sorted(named) == ["first", "second", "third"]
    pair = ad.compare(graph, stage)
    for side in (pair.left, pair.right):
        words = re.findall(r"^out\d  output  (\w+)", side.picture.listing, re.M)
        assert words == ["first", "second", "third"]
    assert ad.function([x, y], stage)(2.0, 3.0) == [2.0, 3.0, 2.0]
    unnamed = ad.film(ad.simplify([x * 1, y + 0]))[0].listing
    assert "out 1]" in unnamed and "out 2]" in unnamed


def test_a_film_asks_no_rule_why_it_was_not_used(monkeypatch):
    """Only an explorer's card shows that, and each answer runs the simplification again."""
    x = ad.scalar("x")
    stage = ad.simplify(ad.symbolic_derivative(x * x + (x - 2), x))
    asked = []
    monkeypatch.setitem(HOOKS, "why_not", lambda *question: asked.append(question))
    assert len(ad.film(stage)) == 5 and stage.node("∂y/∂x") is not None
    assert asked == []


def test_some_steps_of_a_large_graph_are_seen_with_what_is_near_them():
    """Of a chain of hundreds of operations: each step, its letters, and few other parts."""
    x = ad.scalar("x")
    y = x
    for k in range(120):
        y = ad.sin(y * (x / x) if k % 40 == 7 else ad.exp(y))
    stage = ad.simplify(y, mode="real")
    film = ad.film(stage, rule="over itself", numbers=True)
    places = stage.select(rule="over itself")
    assert places and len(film) >= len(places) + 1
    for frame in film.frames:
        boxes = frame.picture.still.boxes
        assert 2 < len(boxes) < 30, frame.caption
        assert frame.picture.widths[0] < 1000
        for p in boxes:
            assert stage.node(int(p)) is not None
    before = [frame.picture.listing for frame in film.frames if "after" in frame.caption]
    assert all("[matched" in words or ", matched" in words for words in before)


def test_each_frame_of_a_long_film_has_its_caption(monkeypatch):
    """A film shows each step even where an explorer takes several together."""
    monkeypatch.setattr(
        shortening, "MOST", shortening.MOST // 16
    )  # a quarter of the length is enough
    x = ad.scalar("x")
    y = x
    for k in range(length(300)):
        y = ad.sin(1 * y) if k % 3 else ad.exp(y * 1) + k
    stage = ad.simplify(y)
    assert len(stage.steps) * len(stage.before.nodes) > shortening.MOST
    assert len(ad.film(stage)) == len(stage.steps) + 1
