"""The saved page where it is opened: frames without rights, without scripts, on paper, on small and
large screens, with colours of the reader's own.

Runs where Chromium is. A page that is sent to a frame tells by a message what it shows.
"""

import html
import re

import numpy as np
import pytest

import autodiff_edu as ad

from ...helpers.depth import length, some
from .explored import recurrent, x1, x2

FIND = "[...document.querySelectorAll('.autodiff-explorer')].at(-1)"
READY = f"""
while (!{FIND}?.shadowRoot?.querySelector(".node")) await new Promise((r) => setTimeout(r, 20));
globalThis.e = {FIND}.autodiffExplorer;
"""
TELL = """<script>(async () => { %s
parent.postMessage(e.head.answer.textContent, "*"); })()</script>"""


def saved(folder, y, at, wrt=()):
    return ad.explore(y, at=at, wrt=wrt).save(folder / "page.html")


@pytest.fixture(scope="module")
def five(tmp_path_factory):
    y = ad.log(x1) + x1 * x2 - ad.sin(x2)
    return saved(tmp_path_factory.mktemp("five"), y, {x1: 2.0, x2: 5.0})


@pytest.fixture
def fresh(chromium):
    """A browser whose settings are put back."""
    yield chromium
    chromium.tell("Emulation.setScriptExecutionDisabled", value=False)
    chromium.prefer("light")
    chromium.resize(1280, 720)


def test_a_sandboxed_frame_has_the_explorer(fresh, five, tmp_path):
    """As learning platforms show a page: scripts run, and the frame is of no origin."""
    inside = five.read_text("utf-8").replace("</body>", TELL % READY + "</body>")
    frame = f'<iframe sandbox="allow-scripts" srcdoc="{html.escape(inside)}"></iframe>'
    outside = tmp_path / "outside.html"
    listen = 'globalThis.said = new Promise((r) => addEventListener("message", (m) => r(m.data)));'
    outside.write_text(f"<script>{listen}</script>{frame}", "utf-8")
    fresh.open(outside)
    assert fresh.run("return said") == "∂y/∂x₁ = 5.5∂y/∂x₂ = 1.716"
    assert fresh.errors == [] and fresh.asked == []


def picture_of(page):
    """Width and height of the picture that stands in the page, and the words there."""
    root = page.tell("DOM.getDocument", depth=-1, pierce=True)["root"]
    image = page.tell("DOM.querySelector", nodeId=root["nodeId"], selector=".autodiff-explorer img")
    box = page.tell("DOM.getBoxModel", nodeId=image["nodeId"])["model"]
    return box["width"], box["height"]


def test_without_scripts_a_picture_stands_there(fresh, five, tmp_path):
    fresh.tell("Emulation.setScriptExecutionDisabled", value=True)
    fresh.open(five)
    assert min(picture_of(fresh)) > 200
    y, at, wrt = recurrent(length(60))
    fresh.open(saved(tmp_path, y, at, wrt))  # of very many parts, too
    assert min(picture_of(fresh)) > 200


def test_the_picture_of_very_many_parts_is_small(fresh, tmp_path):
    """It is one of groups: a large one would take a page longer than the explorer itself."""
    sizes = {}
    for steps in map(length, (60, 160)):
        text = saved(tmp_path, *recurrent(steps)).read_text("utf-8")
        (picture,) = re.findall(r"<img[^>]*>", text)
        sizes[steps] = len(picture)
    assert sizes[length(160)] < 1.5 * sizes[length(60)] < 150_000, sizes


def test_on_paper_nothing_lies_over_the_picture_and_all_of_it_is_there(fresh, five):
    fresh.open(five)
    fresh.run(READY + "e.go(e.model.end); e.pin('0')")
    fresh.resize(700, 1000)
    fresh.tell("Emulation.setEmulatedMedia", media="print")
    fresh.settle()
    boxes = fresh.run("""const box = (x) => x.getBoundingClientRect();
        const parts = [...e.root.querySelectorAll(".node rect")].map(box);
        const [stage, card] = [e.stage, e.card.element].map(box);
        return { right: Math.max(...parts.map((b) => b.right)), width: innerWidth,
                 low: Math.max(...parts.map((b) => b.bottom)), below: card.top,
                 buttons: [...e.root.querySelectorAll("button")].filter((b) => box(b).width).length,
                 pale: [...e.root.querySelectorAll(".node:not(.idle)")]
                   .filter((n) => getComputedStyle(n).opacity < 1).length };""")
    assert boxes["right"] <= boxes["width"] and boxes["low"] <= boxes["below"], boxes
    assert boxes["buttons"] == boxes["pale"] == 0, boxes


SCREENS = {"phone": (390, 844, 2), "twice as large": (640, 360, 2), "frame": (700, 500, 1),
           "lecture": (1280, 720, 1)}  # fmt: skip


@pytest.mark.each("name", some(SCREENS, 4, turn=2))
def test_the_answer_and_the_buttons_are_in_sight(fresh, five, name):
    width, height, ratio = SCREENS[name]
    size = {"width": width, "height": height, "deviceScaleFactor": ratio, "mobile": False}
    fresh.tell("Emulation.setDeviceMetricsOverride", **size)
    fresh.open(five)
    fresh.run(READY)
    fresh.settle()
    fresh.run("e.go(e.model.end)")
    for selector in ("output", "footer button", "aside", ".stage"):
        box = fresh.run(f"""const node = e.root.querySelector("{selector}");
            const {{ left, right, height }} = node.getBoundingClientRect();
            return {{ left, right, height, cut: node.scrollWidth > node.clientWidth + 1 }};""")
        assert box["left"] >= 0 and box["right"] <= width and box["height"] > 20, (selector, box)
        assert not box["cut"] or selector == "aside", selector
    smallest = fresh.run("""return Math.min(...[...e.root.querySelectorAll("text, p, button")]
        .map((t) => parseFloat(getComputedStyle(t).fontSize)));""")
    assert smallest >= 14


@pytest.mark.each("name", some(["phone", "lecture"], 2))
def test_a_saved_page_is_as_high_as_its_window(fresh, tmp_path, name):
    """So that a phone shows some of an RNN at once, and a window has nothing to scroll."""
    width, height, _ = SCREENS[name]
    fresh.resize(width, height)
    W, h, b = ad.matrix("W", shape=(3, 3)), ad.vector("h", shape=3), ad.vector("b", shape=3)
    at = {n: np.full(n.type.shape, 0.3) for n in (W, h, b)}
    fresh.open(saved(tmp_path, ad.sum(ad.tanh(W @ ad.tanh(W @ h + b) + b) ** 2), at, [W, b]))
    seen = """const room = e.stage.getBoundingClientRect();
        const isIn = ({ top, bottom, left, right }) => top >= room.top - 1
          && bottom <= room.bottom + 1 && left >= room.left - 1 && right <= room.right + 1;
        const nodes = [...e.root.querySelectorAll(".node rect")];
        return [nodes.filter((n) => isIn(n.getBoundingClientRect())).length,
                document.scrollingElement.scrollHeight - innerHeight];"""
    parts, rest = fresh.run(READY + seen)
    assert parts >= 5 and rest <= 0


@pytest.mark.each("scheme", some(["light", "dark"], 2, turn=1))
def test_in_the_reader_s_own_colours_marks_are_seen(fresh, five, scheme):
    features = [{"name": "forced-colors", "value": "active"},
                {"name": "prefers-color-scheme", "value": scheme}]  # fmt: skip
    fresh.tell("Emulation.setEmulatedMedia", media="screen", features=features)
    fresh.open(five)
    colours = fresh.run(
        READY
        + """e.go(e.model.end);
        const of = (s, what, pseudo) =>
          getComputedStyle(e.root.querySelector(s), pseudo)[what];
        return { ground: of(".explorer", "backgroundColor"),
          each: [of(".mark", "backgroundColor", "::after"), of(".grip", "stroke"),
                 of(".mark.now", "backgroundColor", "::after"), of(".node.d rect", "stroke"),
                 of(".node.v rect", "stroke"), of(".edge", "stroke"), of(".node text", "fill")] };
    """
    )
    assert all(colour != colours["ground"] for colour in colours["each"]), colours


def test_less_motion_is_none(fresh, five):
    fresh.open(five)
    moving = fresh.run(
        READY
        + """e.steps.step(); e.steps.end();
        const late = (n) => parseFloat(getComputedStyle(n).transitionDuration)
          + parseFloat(getComputedStyle(n).animationDuration);
        return Math.max(...[...e.root.querySelectorAll(".node, .edge")].map(late));"""
    )
    assert moving <= 0.001
