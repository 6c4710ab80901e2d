"""The explorer's picture: nothing moves, nothing crosses a box, steps end at once, answers stay.

Runs where Chromium is.
"""

import json

import pytest

import autodiff_edu as ad
from tests.helpers.depth import some

from .explored import documents, recurrent, show, u, x

# ---- places

GEOMETRY = """
const seen = {}, bad = new Set();
const boxes = (scene) => [...scene.view.picture.shapes].map(([p, g]) => {
  const r = g.querySelector("rect");
  return [p, ...["x", "y", "width", "height"].map((name) => Number(r.getAttribute(name)))];
});
for (const k of stops) {
  e.go(k);
  const all = boxes(e);
  for (const [p, x, y, w, h] of all) {
    const centre = `${(x + w / 2).toFixed(2)}, ${(y + h / 2).toFixed(2)}`;
    if ((seen[p] ??= centre) !== centre) bad.add(`${p} moves in ${k}`);
    for (const [q, x2, y2, w2, h2] of all)
      if (p < q && x < x2 + w2 && x2 < x + w && y < y2 + h2 && y2 < y + h) bad.add(`${p} on ${q}`);
  }
  for (const edge of e.view.picture.lines.group.children) {
    const length = edge.getTotalLength(), { a, b } = edge.dataset;
    for (let s = 4; s < length - 4; s += 6) {
      const point = edge.getPointAtLength(s);
      for (const [p, x, y, w, h] of all)
        if (p !== a && p !== b && point.x > x + 1 && point.x < x + w - 1 && point.y > y + 1
          && point.y < y + h - 1) bad.add(`${a} to ${b} through ${p}`);
    }
  }
}
return [...bad];
"""


@pytest.mark.parametrize("width", [1280, 640])
def test_nothing_moves_and_no_edge_crosses_a_box(page, width):
    for name in some(documents(), 12, turn=4 * (width == 640)):
        show(page, name)
        page.run(f"e.host.style.width = '{width}px'; await new Promise(requestAnimationFrame)")
        stops = some(range(page.run("return e.stops") + 1), 3)
        assert page.run(f"const stops = {stops}; {GEOMETRY}") == [], name


def test_without_numbers_there_are_words_only_and_signs_stand_between(page):
    show(page, "blank")
    page.run("e.go(e.model.last)")
    texts = page.run("""return [...e.root.querySelectorAll('.node')]
        .filter((g) => g.querySelector('.op') && g.querySelector('.num').textContent).length""")
    assert texts == 0
    y = ad.where(x <= 2, x, u)
    page.run(f"show([{json.dumps(ad.explore(y, derivative=None).document)}])")
    assert page.run("return e.head.formulas.textContent") == "y = where(x ≤ 2, x, u)"


def test_a_pull_moves_no_box_and_changes_no_width(page):
    show(page, "seven")
    boxes = """return [...e.view.picture.shapes.values()].map((g) => {
        const r = g.querySelector("rect");
        return r.getAttribute("x") + " " + r.getAttribute("width"); })"""
    page.run("e.go(e.model.last)")
    before = page.run(boxes)
    page.run("e.pull('0', -1234.5678)")
    assert page.run(boxes) == before


# ---- steps


def test_a_step_has_three_phases_and_any_key_ends_it(page):
    show(page, "seven")
    page.tell("Emulation.setEmulatedMedia", features=[
        {"name": "prefers-reduced-motion", "value": "no-preference"}])  # fmt: skip
    page.run("e.go(0); e.steps.step()")
    assert page.run("return [e.k, e.root.querySelectorAll('.ring').length > 0]") == [0, True]
    page.run("e.track.next.focus()")
    page.press("x")
    assert page.run("await 0; return [e.k, e.steps.hurry]") == [1, None]
    page.prefer("light")
    page.run("await e.steps.step()")
    assert page.run("return [e.k, e.root.querySelectorAll('.ring').length > 0]") == [2, True]
    page.run("e.go(3)")
    assert page.run("return e.root.querySelectorAll('.ring').length") == 0


def test_a_click_during_a_step_ends_it_and_takes_the_next_one(page):
    show(page, "seven")
    page.tell("Emulation.setEmulatedMedia", features=[
        {"name": "prefers-reduced-motion", "value": "no-preference"}])  # fmt: skip
    soon = "await new Promise((done) => setTimeout(done, 20));"
    page.run("e.go(0); for (const n of [1, 2, 3]) e.track.next.click(); ")
    page.run(f"{soon} e.steps.end(); await e.steps.running;")
    assert page.run("return [e.k, e.steps.hurry]") == [3, None]
    page.run("e.steps.step(); e.track.next.focus()")
    page.press("n")
    page.run(f"{soon} e.steps.end(); await e.steps.running")
    assert page.run("return e.k") == 5
    page.prefer("light")


def test_the_answer_stays_or_the_step_that_changes_it_is_named(page):
    for name in some(("seven", "five", "net"), 3, turn=1):
        show(page, name)
        seen = page.run("""const all = new Set(); for (let k = 0; k <= e.stops; k++) {
            e.go(k); all.add(e.head.answer.textContent) } return [...all]""")
        assert len(seen) == 1, (name, seen)
    for name, rule in (("softplus", "sigmoid as quotient"), ("quotient", "over itself")):
        show(page, name)
        page.run("await e.steps.play(); while (e.k < e.model.end) await e.steps.play()")
        text, words = page.run("return [e.head.answer.textContent, e.head.verdict.textContent]")
        assert "nan → 1" in text and f"“{rule}” changed it here" in words
        assert page.run("return e.root.querySelectorAll('.mark.broken').length") == 1


def test_play_stops_where_the_answer_changes(page):
    y = ((x / x) * 1 + u) - 0
    document = ad.explore(y, at={x: 0.0, u: 2.0}, derivative=None, simplified="real").document
    page.run(f"show([{json.dumps(document)}]); await e.steps.play()")
    assert page.run("return [e.k, e.model.last]") == [1, 4]
    assert page.run("return e.head.answer.textContent") == "y = nan → 3"
    page.run("await e.steps.play()")
    assert page.run("return e.k") == 4


# ---- many parts


def test_many_parts_are_drawn_only_where_one_looks(page):
    net, at, wrt = recurrent(60)
    page.run(f"show([{json.dumps(ad.explore(net, at=at, wrt=wrt).document)}]); e.open()")
    drawn, whole = page.run("return [e.view.picture.shapes.size, e.view.places.placed.length]")
    assert drawn < 100 < 700 < whole
    page.run("e.view.pan(0, 3000); await new Promise(requestAnimationFrame)")
    assert page.run("return e.view.picture.shapes.size") < 150
    assert page.run("e.view.fit(); return e.view.zoom") < 0.7


STAND = """
for (let n = 0; n < 2; n++) await new Promise(requestAnimationFrame); // what scrolls is drawn
const where = {};
const room = e.view.scroller.getBoundingClientRect();
for (const [p, node] of e.view.picture.shapes) {
  const { left, right, top } = node.querySelector("rect").getBoundingClientRect();
  where[p] = [(left + right) / 2, top, left >= room.left - 1 && right <= room.right + 1];
}
return where;
"""


@pytest.mark.each("width, name", [
    (width, name)
    for turn, name in some(
        enumerate(["seven", "five", "symbolic", "forward", "net", "arrays"]), 3
    )
    for width in some([900, 1280, 1600], 3, turn // 3)
])  # fmt: skip
def test_the_program_covers_no_part_and_moves_none(page, name, width):
    show(page, name)
    page.run(f"Object.assign(e.host.style, {{ width: '{width}px' }}); e.lay(); e.go(e.model.last)")
    before = page.run(STAND)
    page.run("e.go(e.stops)")
    after = page.run(STAND)
    both = before.keys() & after.keys()  # of those in view
    assert len(both) > 4 and [p for p in both if before[p][:2] != after[p][:2]] == []
    if all(inside for *_, inside in before.values()):
        assert all(inside for *_, inside in after.values())


def test_from_afar_one_points_at_parts_and_pins_them(page):
    net, at, wrt = recurrent(12)
    page.run(f"show([{json.dumps(ad.explore(net, at=at, wrt=wrt).document)}]); e.open()")
    page.run("e.go(e.model.end); e.view.fit()")
    assert page.run("return e.view.zoom") < 0.7
    parts = page.run("return e.view.places.placed.filter((p) => e.model.frame(e.shown)[p])")
    for p in some(parts, 20):
        left, top = page.run(f"""const box = e.view.scroller.getBoundingClientRect();
            const [x, y] = e.view.places.spots["{p}"];
            const {{ left, top }} = e.view.window();
            return [box.left + (x - left) * e.view.zoom, box.top + (y - top) * e.view.zoom];""")
        for kind in ("mousePressed", "mouseReleased"):
            page.tell("Input.dispatchMouseEvent", type=kind, x=left, y=top, button="left",
                      buttons=1, clickCount=1)  # fmt: skip
        assert page.run("return e.pinned") == p
    assert page.errors == []
