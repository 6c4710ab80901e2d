"""A key explains every colour and label that the picture uses, and none that it does not."""

import base64
import re
from functools import cache

import pytest

from autodiff_edu.differentiate import forward_mode, reverse_mode, symbolic_derivative
from autodiff_edu.nested import OpFromGraph, scan
from autodiff_edu.ops import exp, scalar, sin, vector
from autodiff_edu.rewrite import RULES, simplify
from autodiff_edu.run import Profile, function, pipeline
from autodiff_edu.show import Film, Picture, SideBySide, compare, draw, film, why
from autodiff_edu.show.diagram import theme
from autodiff_edu.show.html import page

x = scalar("x")
y = sin(x * 1) / exp(-x)


@cache
def kinds():
    """Every kind of picture."""
    return [*drawn()]


def drawn():
    symbolic, reverse, forward = (
        way(y, x) for way in (symbolic_derivative, reverse_mode, forward_mode)
    )
    box = OpFromGraph([x], [x * x + 1], name="square")
    states = scan(lambda row, s: sin(s) * row, vector("v"), [x])[0]
    yield from (
        draw(y),
        draw(y, highlight=y),
        draw(symbolic.after),
        draw(list(symbolic.frames())[1]),
    )
    yield from (s.draw() for s in (symbolic, reverse, forward, simplify(reverse)))
    yield from (film(s) for s in (symbolic, reverse, forward, simplify(symbolic)))
    yield from (compare(symbolic.after, reverse.output), compare(y, y), why(reverse.output))
    yield from (draw(pipeline(y, x)), film(pipeline(y, x)), film(box(x)), draw(box(x), open=True))
    yield from (draw(states, open=True), *[draw(rule) for rule in RULES[:3]])
    yield draw(profiled())


def profiled():
    """A profile in which lines take a half, a fifth and a twentieth of the time."""
    v = vector("v", shape=3)
    profile = function(v, v @ exp(sin(v))).profile([1.0, 2.0, 3.0])
    shares = iter((0.5, 0.2, 0.05))
    lines = [
        line if line.node is None else line._replace(seconds=next(shares, 0.01))
        for line in profile.lines
    ]
    return Profile(lines, profile.graph, 1.0)


every_kind = pytest.mark.each("shown", kinds, ids=lambda shown: shown.kind)
COLOURS = {
    theme.PARTS["derivative"]["color"]: "derivative",
    theme.MARKS["new"]["color"]: "new",
    theme.MARKS["matched"]["color"]: "matched",
    theme.STRIKING["open derivative"]["fillcolor"]: "open derivative",
}


def seen(html):
    """The signs whose colours stand in the pictures of a page, or which are told by dots."""
    data = re.findall(r'src="data:image/svg\+xml;base64,([^"]*)"', html)
    svg = "".join(base64.b64decode(d).decode() for d in data)
    svg = re.sub("<desc>.*?</desc>", "", svg, flags=re.S)
    found = {sign for colour, sign in COLOURS.items() if colour in svg}
    if re.search('stroke-dasharray[=:]"?5,2[";}]', svg):
        found |= {"derivative"}
    if re.search(f'stroke="{theme.FAINT}"[^>]* stroke-dasharray="2,3"', svg):
        found |= {"removed"}
    return found | ({"tag"} if re.search(r">(→ \w|\w →)</text>", svg) else set())


def explained(html):
    """The signs in the keys of a page, by the look of their samples."""
    keys = "".join(re.findall(r'<p class="key".*?</p>', html))
    found = {sign for colour, sign in COLOURS.items() if f"solid {colour}" in keys}
    found |= {"derivative"} if f"dashed {theme.OCHRE}" in keys else set()
    found |= (
        {"open derivative"} if theme.STRIKING["open derivative"]["fillcolor"] in keys else set()
    )
    found |= {"removed"} if f"dotted {theme.FAINT}" in keys else set()
    return found | (
        {"tag"} if re.search(r"(\w) → the part that the rule calls \1", keys) else set()
    )


@every_kind
def test_what_is_seen_is_explained_and_nothing_else(shown):
    html = shown._repr_mimebundle_()["text/html"]
    assert seen(html) - {"open derivative"} == explained(html) - {"open derivative"}
    assert html.count('<p class="key"') <= 1


def test_together_they_use_every_sign():
    used = {sign for shown in kinds() for sign in shown.signs or ()}
    assert used == set(theme.SIGNS)


def test_the_words_of_a_key_may_be_chosen(diagram):
    pair = SideBySide(("a", Picture.of(diagram)), ("b", Picture.of(diagram)), key=[("new", "mine")])
    html = pair._repr_mimebundle_()["text/html"]
    assert ">mine</span>" in html and ">new</span>" not in html and ">removed</span>" in html


def test_a_picture_that_does_not_tell_has_the_key_that_is_given():
    drawn = Picture("digraph { a [color=red] }", "one", "a")
    assert ">new</span>" in Film([("a", drawn)], key=["new"])._repr_mimebundle_()["text/html"]
    assert page.key((), None) == "" and page.key((), ("forward",)) == ""


def test_two_derivations_have_keys_of_their_own():
    two = symbolic_derivative(y, x).after, reverse_mode(y, x).output
    html = compare(*two, ("symbolic", "reverse"))._repr_mimebundle_()["text/html"]
    assert ">only symbolic</span>" in html and ">only reverse</span>" in html
    html = compare(*two)._repr_mimebundle_()["text/html"]
    assert ">removed</span>" in html and ">new</span>" in html
