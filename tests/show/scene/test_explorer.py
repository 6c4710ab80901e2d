"""The explorer as Chromium runs it, with the network off: numbers, places, pulls, keys and steps.

Runs where Chromium is. One page holds several explorers, and a test runs over all of them.
"""

import json
import math
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import autodiff_edu as ad
from autodiff_edu.show.scene.explorer import modules
from tests.helpers.browser import axe
from tests.helpers.depth import draws

PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Explorers</title></head>
<body style="margin:0"><main><h1 hidden>Explorers</h1></main><script type="module">
%s
globalThis.mount = mount;
globalThis.show = (documents) => {
  const hosts = documents.map((data) => {
    const host = document.createElement("div");
    Object.assign(host.style, { height: "720px", width: "1280px" });
    return host;
  });
  document.querySelector("main").replaceChildren(...hosts);
  globalThis.all = hosts.map((host, n) => mount(host, documents[n]));
  globalThis.e = all[0];
};
</script></body></html>"""
x, u, z, x1, x2 = map(ad.scalar, ("x", "u", "z", "x1", "x2"))
HOSTILE = ['<script>alert("1")</script>', "a\u2028b\u202ec", "</script><img src=x onerror=e()>"]


def recurrent(steps):
    w, h = ad.scalar("w"), ad.scalar("h0")
    inputs = [ad.scalar(f"x{t}") for t in range(1, steps + 1)]
    at = dict(zip([w, h, *inputs], np.linspace(0.3, 0.9, steps + 2).tolist(), strict=True))
    for value in inputs:
        h = ad.tanh(w * h + u * value)
    return (h - 1) ** 2, at | {u: 0.5}, [w, u]


@cache
def documents():
    """By name: the README's formula, lecture 05 in three ways, a net, arrays, three that change."""
    five, point = ad.log(x1) + x1 * x2 - ad.sin(x2), {x1: 2.0, x2: 5.0}
    net, at, wrt = recurrent(4)
    W, b = ad.matrix("W", shape=(2, 2)), ad.vector("b", shape=2)
    layer = ad.sum(ad.tanh(W @ b + b) ** 2)
    numbers = {W: np.array([[0.5, -0.2], [0.3, 0.8]]), b: np.array([0.1, -0.1])}
    first, second, third = map(ad.scalar, HOSTILE)
    explored = {
        "seven": ad.explore(x * x + (x - 2), at={x: 3.0}),
        "five": ad.explore(five, at=point),
        "symbolic": ad.explore(five, at=point, wrt=x2, how="symbolic"),
        "forward": ad.explore(five, at=point, wrt=x2, how="forward"),
        "net": ad.explore(net, at=at, wrt=wrt),
        "arrays": ad.explore(layer, at=numbers, wrt=[W, b]),
        "softplus": ad.explore(ad.log(1 + ad.exp(z)), at={z: 1000.0}),
        "quotient": ad.explore(x / x, at={x: 0.0}, how=None, simplified="real"),
        "erf": ad.explore(ad.erf(x) * x, at={x: 0.5}),
        "blank": ad.explore(five),
        "names": ad.explore(first * second + ad.exp(third * ad.scalar("n" * 10_000)),
                            at={first: 1.0, second: 2.0, third: 0.5}),
    }  # fmt: skip
    return {name: explorer.document for name, explorer in explored.items()}


@pytest.fixture(scope="module")
def page(chromium, tmp_path_factory):
    path = tmp_path_factory.mktemp("explorer") / "page.html"
    style, _, source = modules().rpartition("export {")
    path.write_text(PAGE % style, "utf-8")
    chromium.prefer("light")
    chromium.open(path)
    assert source and not chromium.errors
    return chromium


def show(page, *names):
    shown = [documents()[name] for name in names]
    page.run(f"show({json.dumps(shown)})")


def plain(value):
    """A value of JavaScript as Python has it."""
    special = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}
    if isinstance(value, dict):
        return plain(value["data"])
    return [plain(v) for v in value] if isinstance(value, list) else special.get(value, value)


SEND = """
const send = (v) => v === undefined ? null : v.needs ? "needs" : v.shape ? [...v.data].map(send)
  : Number.isFinite(v) ? v : Number.isNaN(v) ? "nan" : v > 0 ? "inf" : "-inf";
"""


def values(page, frame="e.model.last", at="e.at"):
    script = f"const v = e.model.values({frame}, {at}, e.cut); const out = {{}};"
    script += "for (const p of Object.keys(v)) out[p] = send(v[p]); return out;"
    return {p: plain(v) for p, v in page.run(SEND + script).items()}


# ---- numbers


def test_every_number_is_python_s(page):
    for name, document in documents().items():
        if name == "erf":
            continue
        show(page, name)
        last, answers = (
            values(page),
            page.run(
                SEND + "return e.model.steps.concat(0).map((_, k) => e.model.answer(k).map(send));"
            ),
        )
        for p in computed(document, last):
            assert_same(last[p], document["python"][p], (name, p))
        for k, answer in enumerate(document["answers"]):
            if answer and k >= document["derived"]:
                assert_same(plain(answers[k]), answer, (name, k))


def computed(document, values):
    """The parts of which both have a value; a place that nothing needs is empty at the end."""
    final = document["first"].copy()
    for step in document["steps"]:
        final |= step["set"]
    return [p for p in document["python"] if p in values and final[p] != ["empty"]]


def assert_same(one, other, message):
    one, other = map(flat, (one, plain(other)))
    np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-300, err_msg=str(message))


def flat(value):
    return [v for part in value for v in flat(part)] if isinstance(value, list) else [value]


UNARY = [ad.sin, ad.exp, ad.tanh, ad.sqrt, ad.log, ad.square, ad.sigmoid, abs]


@st.composite
def formulas(draw):
    """Formulas of two numbers, in which values are used again."""
    nodes = [x1, x2]
    for _ in range(draw(st.integers(1, 8))):
        a, b = draw(st.sampled_from(nodes)), draw(st.sampled_from(nodes))
        kinds = [a + b, a - b, a * b, a / b, a + 2.0, 3.0 * a, ad.maximum(a, b), a**3]
        kinds += [f(a) for f in UNARY]
        nodes.append(draw(st.sampled_from(kinds)))
    return nodes[-1] * x1 + x2


@settings(max_examples=draws(100))
@given(formulas(), st.floats(0.5, 4.0), st.floats(0.5, 4.0))
def test_after_a_pull_all_numbers_are_python_s(page, y, a, b):
    document = ad.explore(y, at={x1: 1.0, x2: 2.0}, wrt=[x1, x2], how="reverse").document
    page.run(f"show([{json.dumps(document)}])")
    pulled = ad.explore(y, at={x1: a, x2: b}, wrt=[x1, x2], how="reverse").document
    page.run(f"for (const [p, v] of {json.dumps(list(pulled['at'].items()))}) e.pull(p, v);")
    here = values(page)
    for p in computed(pulled, here):
        assert_near(here[p], pulled["python"][p])


def assert_near(one, other):
    """Both libraries round functions in their own way; a difference of large numbers shows it."""
    np.testing.assert_allclose(one, plain(other), rtol=1e-9, atol=1e-9)


def test_an_inner_number_cuts_its_operands(page):
    show(page, "five")
    product = next(p for p, q in documents()["five"]["parts"].items() if q.get("name") == "v₂")
    before = values(page)
    page.run(f"e.go(e.model.end); e.pin('{product}'); e.pull('{product}', 11)")
    after, text = values(page), page.run("return e.card.element.textContent")
    inputs = documents()["five"]["at"]
    assert all(after[p] == before[p] for p in inputs)
    y = page.run("return e.model.y")
    assert math.isclose(after[y] - before[y], 1)
    assert "cut off: was 2 · 5 = 10, is 11" in text and "its adjoint was 1" in text
    assert page.run("return e.view.picture.marks.querySelectorAll('.cut').length") == 2


def test_the_card_tells_the_value_the_adjoint_its_terms_and_the_line(page):
    show(page, "five")
    parts = documents()["five"]["parts"]
    p = next(p for p, q in parts.items() if q.get("name") == "x₂")
    place = next(q for q, part in parts.items() if part.get("of") == p)
    page.run(f"e.go(e.model.end); e.pin('{p}')")
    lines = page.run("return e.card.element.innerText").split("\n")
    assert {"x₂ = 5", "adjoint ∂y/∂x₂ = 1.716"} < set(lines)
    page.run(f"e.pin('{place}')")
    text = page.run("return e.card.element.innerText")
    assert "+ x₁·" in text and "= (−0.2837) + 2 = 1.716" in text
    assert "made by step" in text and "pullback of multiply" in text


def test_without_an_operation_a_pulled_number_needs_python(page):
    show(page, "erf")
    (p,) = documents()["erf"]["at"]
    y = page.run("return e.model.y")
    assert values(page)[y] == documents()["erf"]["python"][y]
    page.run(f"e.pull('{p}', 0.6); e.pin('{y}')")
    assert values(page)[y] == "needs"
    assert "needs Python" in page.run("return e.card.element.textContent")


def test_an_entry_of_an_array_can_be_typed(page):
    show(page, "arrays")
    W = next(p for p, v in documents()["arrays"]["at"].items() if v["shape"] == [2, 2])
    page.run(f"""e.pin('{W}'); const box = e.root.querySelectorAll('aside input')[2];
        box.value = '0.75'; box.dispatchEvent(new Event('input'));""")
    assert values(page)[W] == [0.5, -0.2, 0.75, 0.8]
    w, b = np.array([[0.5, -0.2], [0.75, 0.8]]), np.array([0.1, -0.1])
    assert math.isclose(values(page)[page.run("return e.model.y")], np.sum(np.tanh(w @ b + b) ** 2))


# ---- places

GEOMETRY = """
const seen = {}, bad = new Set();
const boxes = (scene) => [...scene.view.picture.shapes].map(([p, g]) => {
  const r = g.querySelector("rect");
  return [p, ...["x", "y", "width", "height"].map((name) => Number(r.getAttribute(name)))];
});
for (let k = 0; k <= e.stops; k++) {
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
    for name in documents():
        show(page, name)
        page.run(f"e.host.style.width = '{width}px'; await new Promise(requestAnimationFrame)")
        assert page.run(GEOMETRY) == [], name


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
    assert page.run("return [e.k, e.root.querySelectorAll('.ring').length]") == [2, 0]


def test_the_answer_stays_or_the_step_that_changes_it_is_named(page):
    for name in ("seven", "five", "net"):
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
    document = ad.explore(y, at={x: 0.0, u: 2.0}, how=None, simplified="real").document
    page.run(f"show([{json.dumps(document)}]); await e.steps.play()")
    assert page.run("return [e.k, e.model.last]") == [1, 4]
    assert page.run("return e.head.answer.textContent") == "y = nan → 3"
    page.run("await e.steps.play()")
    assert page.run("return e.k") == 4


# ---- hands and ears


def test_two_explorers_do_not_disturb_each_other(page):
    show(page, "seven", "seven")
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


def pull_by_hand(page, part, by):
    where = f"e.view.picture.shapes.get('{part}').querySelector('rect').getBoundingClientRect()"
    left, top = page.run(f"const r = {where}; return [r.x + r.width / 2, r.y + r.height / 2]")
    for kind, x in (
        ("mousePressed", left),
        ("mouseMoved", left + by),
        ("mouseReleased", left + by),
    ):
        page.tell("Input.dispatchMouseEvent", type=kind, x=x, y=top, button="left", buttons=1,
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


def test_the_page_scrolls_by_the_wheel_and_ctrl_zooms(page):
    show(page, "net", "net")
    for modifiers, scrolls, zooms in ((0, True, False), (2, False, True)):
        page.run("scrollTo(0, 0)")
        page.tell("Input.dispatchMouseEvent", type="mouseWheel", x=400, y=300, deltaX=0,
                  deltaY=120, modifiers=modifiers)  # fmt: skip
        page.run("await new Promise((r) => setTimeout(r, 150))")
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


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(page, scheme):
    page.prefer(scheme)
    show(page, "five")
    rules = (
        axe()
        + """;
    const look = async () => (await axe.run("main", { resultTypes: ["violations"] })).violations
      .map((v) => [v.id, v.nodes.length, v.nodes[0].html]);
    const found = [];
    for (const act of [() => e.go(0), () => e.go(9), () => e.pin("3"), () => e.go(e.stops),
      () => e.turn("table"), () => e.turn("help"), () => { e.turn("help"); e.search.open(); }]) {
      act();
      found.push(...await look());
    }
    return found;"""
    )
    assert page.run(rules) == []
    page.prefer("light")


def test_many_parts_are_drawn_only_where_one_looks(page):
    net, at, wrt = recurrent(60)
    page.run(f"show([{json.dumps(ad.explore(net, at=at, wrt=wrt).document)}])")
    drawn, whole = page.run("return [e.view.picture.shapes.size, e.view.places.placed.length]")
    assert drawn < 100 < 700 < whole
    page.run("e.view.pan(0, 3000); await new Promise(requestAnimationFrame)")
    assert page.run("return e.view.picture.shapes.size") < 150
    assert page.run("e.view.fit(); return e.view.zoom") < 0.7


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
    drawn = page.run(f"""const host = document.createElement("div");
        host.style.display = "none";
        document.querySelector("main").replaceChildren(host);
        const hidden = mount(host, {data});
        hidden.go(3);
        host.style.display = "block";
        await new Promise((done) => setTimeout(done, 100));
        return hidden.view.picture.shapes.size;""")
    assert drawn > 6


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
    chromium.run("await new Promise((r) => setTimeout(r, 300))")
    shown = "return [...document.querySelectorAll('.autodiff-explorer')].at(-1).shadowRoot"
    assert "y′(3) = 7" in chromium.run(f"{shown}.querySelector('output').textContent")
    assert chromium.errors == [] and chromium.asked == []
