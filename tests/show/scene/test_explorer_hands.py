"""The explorer's pointers, keys and words, and the page around it.

Runs where Chromium is.
"""

import json
import math

import pytest

import autodiff_edu as ad
from tests.helpers.browser import axe
from tests.helpers.depth import some

from .explored import documents, show, x


def test_two_explorers_do_not_disturb_each_other(page):
    show(page, "seven", "seven")
    assert page.run("return all.every((one) => one.host.dataset.lmSuppressShortcuts === 'true')")
    before = page.run("return all[1].element.outerHTML")
    page.run("e.go(5); e.pull('0', 4); e.pin('0'); e.turn('table'); e.search.open()")
    assert page.run("return all[1].element.outerHTML") == before
    assert page.run("return all[0].head.answer.textContent") == "y′(4) = 9"


def test_hostile_names_do_no_harm(page):
    show(page, "names")
    page.run("""for (let k = 0; k <= e.stops; k++) e.go(k);
        for (const p of e.view.picture.shapes.keys()) e.pin(p); e.turn('table'); e.turn('help');""")
    assert page.run("return e.root.querySelectorAll('script, img').length") == 0
    assert page.run("return /[\\u2028\\u202e]/.test(e.element.textContent)") is False
    assert page.errors == [] and page.asked == []


def middle(page, part):
    where = f"e.view.picture.shapes.get('{part}').querySelector('rect').getBoundingClientRect()"
    return page.run(f"const r = {where}; return [r.x + r.width / 2, r.y + r.height / 2]")


def pull_by_hand(page, part, by):
    left, top = middle(page, part)
    for kind, along in (
        ("mousePressed", left),
        ("mouseMoved", left + by),
        ("mouseReleased", left + by),
    ):
        page.tell("Input.dispatchMouseEvent", type=kind, x=along, y=top, button="left", buttons=1,
                  clickCount=1)  # fmt: skip


def test_a_number_is_pulled_by_a_pointer_and_put_back_by_escape(page):
    show(page, "seven")
    pull_by_hand(page, "0", 50)
    assert page.run("return e.head.answer.textContent") == "y′(3.5) = 8"
    assert "x moved by 0.5, y by 3.75" in page.run("return e.card.element.innerText")
    page.press("Escape")
    assert page.run("return e.head.answer.textContent") == "y′(3) = 7"
    pull_by_hand(page, "0", 0)
    assert page.run("return e.pinned") == "0"


def test_pointing_lights_the_neighbours_and_a_tap_pins(page):
    show(page, "five")
    page.run("e.go(e.model.last)")
    lit = "[...e.root.querySelectorAll('.node.lit')].map((g) => e.model.name(g.dataset.p))"
    product = page.run("return Object.keys(e.values).find((p) => e.model.name(p) === 'v₂')")
    x, y = middle(page, product)
    page.tell("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
    page.until(f"{lit}.length")
    assert set(page.run(f"return {lit}")) == {"x₁", "x₂", "v₂", "v₄"}
    page.tell("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y - 90)
    page.until("e.hover === null")
    assert page.run(f"return {lit}") == []
    page.tell("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
    page.tell("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
    page.until("e.pinned")
    assert page.run("return e.pinned") == product


def test_keys_lead_everywhere_from_one_tab_stop(page):
    show(page, "five")
    page.run("e.go(e.model.last)")
    assert page.run("return e.root.querySelectorAll('.node[tabindex=\"0\"]').length") == 1
    page.run("e.root.querySelector('.node[tabindex=\"0\"]').focus()")
    names = []
    for key in ("ArrowRight", "ArrowDown", "ArrowDown", "ArrowUp"):
        page.press(key)
        names.append(page.run("return e.model.name(e.root.activeElement.dataset.p)"))
    assert names == ["x₂", "v₂", "v₄", "v₁"] or names == ["x₂", "v₂", "v₄", "v₂"], names
    page.run("e.putBack()")
    y = page.run("return e.values[e.model.y]")
    page.press("+")
    assert page.run("return e.values[e.model.y]") > y
    page.press("7")
    assert page.run("return e.root.activeElement.tagName") == "INPUT"
    page.press("Escape")
    page.press("t")
    rows = page.run("return [...e.root.querySelectorAll('tbody th')].map((c) => c.textContent)")
    assert rows[:3] == ["x₁", "x₂", "v₁"]
    page.press("t")
    page.press("?")
    assert page.run("return e.help.element.hidden") is False


def test_the_table_tells_apart_what_has_no_name(page):
    show(page, "five")
    page.run("e.go(e.model.end); e.turn('table')")
    rows = page.run("""return [...e.root.querySelectorAll('tbody tr')]
        .map((row) => [...row.children].map((cell) => cell.textContent))""")
    named = {row[0]: row for row in rows}
    assert named["x̄₁"][4] == "1·x₂, 1/x₁"
    assert not [row[0] for row in rows if "helper helper" in row[0] or "term x" in row[0]]
    page.run("e.turn('table')")


def test_the_focus_stays_where_its_element_is_made_anew(page):
    show(page, "five")
    page.run("e.pin('3'); e.root.querySelector('[data-name=more]').focus()")
    page.press(" ")
    assert page.run("return e.root.activeElement.textContent") == "Less"
    page.run("e.go(e.model.end)")
    gone = page.run("return e.model.steps.slice(e.model.end).flatMap((step) => step.drop)[0]")
    page.run(f"e.focus = '{gone}'; e.go(e.model.last)")
    assert page.run("return e.root.querySelectorAll('.node[tabindex=\"0\"]').length") == 1


def test_the_page_scrolls_by_the_wheel_and_ctrl_zooms(page):
    show(page, "net", "net")
    for modifiers, scrolls, zooms in ((0, True, False), (2, False, True)):
        page.run("scrollTo(0, 0)")
        page.tell("Input.dispatchMouseEvent", type="mouseWheel", x=400, y=300, deltaX=0,
                  deltaY=120, modifiers=modifiers)  # fmt: skip
        page.until("scrollY || e.view.zoom !== 1")
        page.settle()
        top, zoom = page.run("return [scrollY, e.view.zoom]")
        assert (top > 0, zoom != 1) == (scrolls, zooms), (modifiers, top, zoom)


def test_search_ways_and_the_slider(page):
    show(page, "net")
    page.run("e.search.open(); e.search.box.value = 'tanh'; e.search.find()")
    assert page.run("return e.search.result.textContent") == "4 hits"
    line = documents()["net"]["lines"][0]["at"].replace(":", ", line ").split(", ")[-1]
    page.run(f"e.search.box.value = '{line}'; e.search.find()")
    assert page.run("return e.search.list.length") > 8
    page.run("e.search.close()")
    w = documents()["net"]["wrt"][0]
    page.run(f"e.pin('{w}'); e.card.showWays('{w}')")
    total, number = page.run("return [e.ways.total, e.ways.number]")
    assert number == 4
    place = next(p for p, q in documents()["net"]["parts"].items() if q.get("of") == w)
    assert math.isclose(total, documents()["net"]["python"][place], rel_tol=1e-6)
    (first, final) = page.run(f"""const sum = (test) => [...e.ways.edges].filter(([k]) => test(k))
        .reduce((all, [, carried]) => all + carried, 0);
        return [sum((k) => k.startsWith("{w}>")), sum((k) => k.endsWith(">" + e.model.y))]""")
    assert math.isclose(first, total) and math.isclose(final, total)  # nothing is lost on the way
    page.run("e.release(); e.help.compare()")
    assert page.run("return e.view.before.nodes.children.length") > 10
    assert page.run("return e.shown === e.model.last")


@pytest.mark.parametrize("scheme", some(["light", "dark"], 2, turn=1))
def test_axe_finds_nothing(page, scheme):
    """By default, after one act."""
    page.prefer(scheme)
    show(page, "five")
    rules = (
        axe()
        + f"; const seen = {some(range(7), 7, turn=2)};"
        + """
    const look = async () => (await axe.run("main", { resultTypes: ["violations"] })).violations
      .map((v) => [v.id, v.nodes.length, v.nodes[0].html]);
    const found = [];
    const acts = [() => e.go(0), () => e.go(9), () => e.pin("3"), () => e.go(e.stops),
      () => e.turn("table"), () => e.turn("help"), () => { e.turn("help"); e.search.open(); }];
    for (const [n, act] of acts.entries()) {
      act();
      if (seen.includes(n)) found.push(...await look());
    }
    return found;"""
    )
    assert page.run(rules) == []
    page.prefer("light")


# ---- the page around it


def test_it_is_dark_where_the_page_is(page):
    show(page, "seven")
    ground = "await new Promise(requestAnimationFrame); return getComputedStyle(e.element).color"
    light = page.run(ground)
    for mark in ("document.documentElement.dataset.theme = 'dark'",
                 "document.body.dataset.jpThemeLight = 'false'"):  # fmt: skip
        assert page.run(f"{mark}; {ground}") != light
        page.run("delete document.documentElement.dataset.theme")
        page.run("delete document.body.dataset.jpThemeLight")
        assert page.run(ground) == light


def test_it_is_drawn_when_its_tab_is_shown(page):
    show(page, "seven")
    data = json.dumps(documents()["seven"])
    page.run(f"""const host = document.createElement("div");
        host.style.display = "none";
        document.querySelector("main").replaceChildren(host);
        globalThis.hidden = mount(host, {data});
        hidden.go(3);
        host.style.display = "block";""")
    page.until("hidden.view.picture.shapes.size > 6")


def test_what_stood_there_comes_back_if_it_fails(page):
    broken = json.dumps(documents()["seven"] | {"bends": None, "operations": None, "wrt": None})
    words = page.run(f"""const host = document.createElement("div");
        host.textContent = "the picture";
        document.querySelector("main").replaceChildren(host);
        try {{ mount(host, {broken}); }} catch {{ return host.innerText; }}""")
    assert words == "the picture"


def test_a_saved_page_needs_nothing_else(chromium, page, tmp_path):
    path = ad.explore(x * x + (x - 2), at={x: 3.0}).save(tmp_path / "seven.html")
    chromium.open(path)
    shown = "[...document.querySelectorAll('.autodiff-explorer')].at(-1)?.shadowRoot"
    chromium.until(f"{shown}?.querySelector('output')?.textContent")
    assert "y′(3) = 7" in chromium.run(f"return {shown}.querySelector('output').textContent")
    assert chromium.errors == [] and chromium.asked == []
