"""Groups in the explorer: they open and close in place, and stand where Python says.

Runs where Chromium is.
"""

import json
import math
from functools import cache

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu.show.scene.opening import Opening
from tests.helpers.browser import axe
from tests.helpers.depth import some

from .test_explorer_hands import middle
from .test_groups import LARGE, pendulum, random_large


@cache
def explored(name):
    """A large formula with its gradient, and numbers for all of its inputs."""
    loss = random_large(int(name)) if name.isdigit() else LARGE[name]()
    rng = np.random.default_rng(1)
    graph = ad.Graph(loss)
    at = {x: rng.uniform(0.2, 0.9, x.type.shape) for x in graph.inputs}
    at = {x: v if x.ndim else float(v) for x, v in at.items()}
    return ad.explore(loss, at=at, derivative="reverse", wrt=list(graph.inputs)[:3]).document


def show_large(page, name):
    page.run(f"show([{json.dumps(explored(name))}]); e.go(e.model.last)")
    rows = explored(name)["parts"]
    return [p for p, row in rows.items() if "group" in row and "of" not in row], rows


def test_what_is_seen_stands_where_python_says_whatever_is_open(page):
    rng = np.random.default_rng(7)
    for turn, name in some(enumerate(("pendulum", "net", "one line", "3")), 4):
        groups, _ = show_large(page, name)
        for size in some((0, 1, 3, len(groups)), 2, turn):
            open_groups = [str(g) for g in rng.permutation(groups)[:size]]
            python = Opening(explored(name), open_groups)
            at, bends, frames, feet = page.run(
                f"const o = e.groups.all.constructor; const n = new o(e.groups, "
                f"new Set({json.dumps(open_groups)})); return [n.at, n.bends, n.frames, n.feet]"
            )
            assert at.keys() == python.at.keys() and frames.keys() == python.frames.keys()
            for p, place in at.items():
                assert np.allclose(place, python.at[p], atol=0.01), (name, p)
            for p, box in frames.items():
                assert np.allclose(box, python.frames[p], atol=0.01), (name, p)
            assert bends.keys() == python.bends.keys() and feet.keys() == python.feet.keys()
            for edge, line in bends.items():
                assert np.allclose(line, [bend[:2] for bend in python.bends[edge]], atol=0.01)


ON_TOP = """
const boxes = [...e.view.picture.shapes].map(([p, g]) => [p, g.querySelector("rect").getBBox()]);
const bad = [];
for (const [p, a] of boxes)
  for (const [q, b] of boxes)
    if (p < q && a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height
      && b.y < a.y + a.height) bad.push(`${p} on ${q}`);
for (const edge of e.view.picture.lines.group.children) {
  const length = edge.getTotalLength();
  for (let s = 4; s < length - 4; s += 6) {
    const point = edge.getPointAtLength(s);
    for (const [p, r] of boxes)
      if (p !== edge.dataset.a && p !== edge.dataset.b && point.x > r.x + 1
        && point.x < r.x + r.width - 1 && point.y > r.y + 1 && point.y < r.y + r.height - 1)
        bad.push(`${edge.dataset.a} to ${edge.dataset.b} through ${p}`);
  }
}
return [...new Set(bad)];
"""


def test_every_group_opens_and_closes_and_nothing_is_on_top_of_anything(page):
    for name in some(("pendulum", "net", "3"), 3, turn=2):
        groups, rows = show_large(page, name)
        closed = page.run("return Object.keys(e.groups.now.at).length")
        assert closed < 70
        assert page.run(ON_TOP) == [], name
        for g in some(groups, 16):
            page.run(f"e.reveal('{g}'); e.pin('{g}')")
            seen = set(page.run("return e.view.places.placed"))
            assert {p for p, row in rows.items() if row.get("in") == g and "x" in row} <= seen
            if g in groups[:3]:
                page.run(f"e.view.show('{g}'); e.view.draw()")
                assert page.run(ON_TOP) == [], (name, g)
            page.run("e.open()")
            assert page.run("return Object.keys(e.groups.now.at).length") == closed
        page.run("e.open()")
        assert len(page.run("return e.view.places.placed")) == sum("x" in r for r in rows.values())
    assert not page.errors


def press(page, p):
    left, top = middle(page, p)
    for kind in ("mousePressed", "mouseReleased"):
        page.tell("Input.dispatchMouseEvent", type=kind, x=left, y=top, button="left", buttons=1,
                  clickCount=1)  # fmt: skip


def test_a_click_or_enter_opens_a_group_where_it_is(page):
    groups, rows = show_large(page, "pendulum")
    g = groups[0]
    before = middle(page, g)
    press(page, g)
    inside = next(p for p, row in rows.items() if row.get("in") == g)
    assert page.run(f"return e.view.picture.shapes.has('{inside}')")
    assert np.allclose(middle(page, g), before, atol=1.5)
    page.run(f"e.keys.move('{g}')")
    page.press("Enter")
    assert not page.run(f"return e.view.picture.shapes.has('{inside}')")
    page.press("Enter")
    assert page.run(f"return e.view.picture.shapes.has('{inside}')")
    page.press("g")
    assert page.run("return e.groups.open.size") == 0
    page.run(f"e.point('{g}')")
    words = page.run("return e.card.element.innerText")
    assert "step 1 of 4" in words and "50 operations" in words and "opens" in words


def test_search_and_the_table_find_what_is_in_closed_groups(page):
    show_large(page, "pendulum")
    page.run("e.search.open(); e.search.box.value = 'sin'; e.search.find()")
    hits = page.run("return e.search.list")
    assert len(hits) >= ad.Graph(pendulum(4)[0]).counts["sin"]
    page.run("e.search.next()")
    assert page.run(f"return e.view.picture.shapes.has('{hits[0]}')")
    page.run("e.search.close(); e.open(); e.turn('table')")
    count = page.run("return [e.root.querySelectorAll('tbody tr').length, e.table.parts("
                     "e.model.frame(e.shown)).length]")  # fmt: skip
    assert count[0] == min(400, count[1]) and count[1] > 400
    page.run("e.table.choose(e.search.list[1])")
    assert page.run("return e.view.picture.shapes.has(e.search.list[1])")


def test_numbers_follow_a_pull_through_closed_groups(page):
    show_large(page, "pendulum")
    x = explored("pendulum")["wrt"][0]
    page.run(f"e.pull('{x}', 9.81)")
    loss, _, inputs = pendulum(4)
    names = {row.get("symbol") or row.get("name"): p for p, row in
             explored("pendulum")["parts"].items() if row["kind"] == "value"}  # fmt: skip
    at = {v: explored("pendulum")["at"][names[v.name]] for v in inputs}
    moved = next(v for v in inputs if names[v.name] == x)
    want = ad.evaluate(ad.grad(loss, moved), {**at, moved: 9.81})
    found = page.run("return e.model.answer(e.shown, e.at, e.cut)")
    wrt = explored("pendulum")["wrt"].index(x)
    assert math.isclose(found[wrt], float(want), rel_tol=1e-9)


def test_the_head_tells_the_number_of_operations_whole(page):
    show_large(page, "pendulum")
    texts = set()
    for width in (1280, 1000, 900, 720):
        page.run(f"e.host.style.width = '{width}px'; await new Promise(requestAnimationFrame)")
        lines = page.run("""e.update(); return [...e.root.querySelectorAll('.formulas div')]
            .map((line) => [line.textContent, line.scrollWidth <= line.clientWidth])""")
        assert all(text.endswith("operations") and fits for text, fits in lines), (width, lines)
        texts.add(lines[1][0])
    assert len(texts) > 1, texts


def test_a_step_in_a_closed_group_rings_its_box(page):
    groups, _ = show_large(page, "pendulum")
    page.run("e.go(2); globalThis.run = e.steps.step()")
    page.run("await run")
    part = page.run("return e.model.steps[2].part")
    assert page.run(f"return e.groups.seen('{part}') !== '{part}'")
    assert not page.errors


@pytest.mark.parametrize("scheme", some(["light", "dark"], 2))
def test_axe_finds_nothing_whatever_is_open(page, scheme):
    page.prefer(scheme)
    groups, _ = show_large(page, "pendulum")
    run = 'axe.run("main", { resultTypes: ["violations"] })'
    look = f"return (await {run}).violations.map((v) => v.id)"
    assert page.run(f"{axe()}; {look}") == []
    page.run(f"e.pin('{groups[0]}'); e.point('{groups[0]}')")
    said = page.run(f"return e.view.picture.shapes.get('{groups[0]}').ariaExpanded")
    assert said == "true" and page.run(look) == []
    page.prefer("light")
