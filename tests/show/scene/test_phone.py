"""The explorer on a phone: its words have room, and a finger finds what can be pressed.

Runs where Chromium is.
"""

import pytest

from ...helpers.depth import some
from .explored import documents, show

NAMES = "seven five net arrays softplus quotient".split()
NARROW = """
Object.assign(e.host.style, { width: "390px" });
await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
const size = (node) => node.getBoundingClientRect();
const isCut = (node) => node.scrollWidth > node.clientWidth + 1;
"""
SEEN = """
const bad = new Set();
for (let k = 0; k <= e.stops; k++) {
  e.go(k);
  const { equation } = e.track; // a long one ends in …, but has a line of its own
  if (isCut(equation) && equation.clientWidth < 340) bad.add(equation.textContent);
  if (isCut(e.head.answer)) bad.add(e.head.answer.textContent);
  for (const mark of e.track.marks.values()) {
    const { width, height } = size(mark);
    if (width < 24 || height < 24) bad.add(`a mark of ${width} by ${height}`);
  }
  const [top] = [e.track.back, e.track.helpButton].map((button) => size(button).top);
  if (size(e.track.helpButton).top !== top) bad.add("a second row of buttons");
}
e.go(0);
for (const tool of e.card.element.querySelectorAll(".tools button"))
  if (size(tool).bottom > size(e.card.element).bottom) bad.add(tool.textContent);
return [...bad];
"""


@pytest.mark.parametrize("name", some(NAMES, 4, turn=1))
def test_words_have_room_and_every_mark_is_wide_enough_for_a_finger(page, name):
    show(page, name)
    assert page.run(NARROW + SEEN) == []


def test_marks_come_back_where_there_is_room(page):
    show(page, "five")
    wide = page.run("return e.track.marks.size")
    narrow = page.run(f"{NARROW} return e.track.marks.size")
    back = page.run(f"{NARROW.replace('390px', '1280px')} return e.track.marks.size")
    assert narrow < wide == back == len(documents()["five"]["steps"]) + 2


def test_a_shape_is_not_told_as_a_value(page):
    show(page, "arrays")
    page.run("e.go(e.stops)")
    answer = page.run("return e.head.answer.textContent")
    assert ": shape (2, 2)" in answer
    assert "= (" not in answer
