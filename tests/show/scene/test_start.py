"""The explorer before anybody has touched it: its words and marks say what there is to do."""

import pytest

from ...helpers.depth import some
from .explored import show

BOXES = """return [...e.view.picture.shapes].map(([p, node]) => {
    const text = (kind) => node.querySelector(`.${kind}`)?.textContent ?? "";
    const at = (kind) => node.querySelector(`.${kind}`)?.getBBox().y ?? 0;
    return { word: text("op"), sign: text("equals"), number: text("num"),
             apart: at("num") - at("op"), grip: !!node.querySelector(".grip").getAttribute("d"),
             handle: e.isHandle(p) };
});"""
SHOWN = ["seven", "five", "symbolic", "forward", "net", "arrays", "blank"]


@pytest.mark.each("name", some(SHOWN, 3))
def test_a_word_and_its_number_are_told_apart_and_handles_are_marked(page, name):
    show(page, name)
    for k in some(("0", "e.model.end", "e.model.last"), 3, turn=len(name)):
        page.run(f"e.go({k})")
        boxes = page.run(BOXES)
        for box in boxes:
            assert box["word"] != "·", box
            assert box["grip"] == box["handle"], box
            if box["word"] and box["number"]:
                assert "=" in (box["sign"], box["word"]) or box["apart"] > 12, box
        assert any(box["handle"] for box in boxes) == (name != "blank")


@pytest.mark.each("name", ["five", "symbolic", "forward"])
def test_both_sides_have_a_heading_and_the_card_says_what_stands_there(page, name):
    word = {"five": "adjoints", "symbolic": "derivatives", "forward": "tangents"}[name]
    show(page, name)
    headings = page.run("return [...e.view.picture.titles.children].map((t) => t.textContent)")
    assert headings[0] == "values" and headings[1].startswith(f"{word} v")
    assert f"Right: the {word}." in page.run("return e.card.element.innerText")


def test_each_button_says_what_it_does(page):
    show(page, "five")
    titles = page.run("""return [...e.root.querySelectorAll(".tool, footer button")]
        .map((b) => b.title)""")
    assert len(titles) == 8
    assert all(len(title.split()) > 4 and "(key " in title for title in titles), titles
    assert "0" not in page.run("return e.track.count.textContent")
