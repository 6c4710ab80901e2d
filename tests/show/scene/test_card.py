"""The card answers what Python answers: why a node did not become shorter, and its life."""

import json

import pytest

import autodiff_edu as ad
from autodiff_edu.show.scene.document import Document
from autodiff_edu.show.scene.misses import MOST

from ...helpers.depth import draws, some
from ...helpers.programs import random_numbers
from .explored import recurrent, x, x1, x2

ASK = """e.go(e.model.last); const asked = {};
for (const p of Object.keys(e.model.frame(e.model.last))) {
  e.pin(p);
  const button = e.card.element.querySelector("[data-name=why]");
  if (!button) continue;
  button.click();
  asked[p] = e.card.element.innerText;
}
return asked;"""


def documents():
    yield None, ad.simplify(x / x), {x: 2.0}
    five = ad.reverse_mode(ad.log(x1) + x1 * x2 - ad.sin(x2), [x1, x2])
    yield five, ad.simplify(five), {x1: 2.0, x2: 5.0}
    for seed in range(draws(3)):
        inputs, values, y = random_numbers(seed, 6)
        yield None, ad.simplify(y), dict(zip(inputs, values, strict=True))


def test_a_click_answers_why_a_node_did_not_become_shorter(page):
    count = 0
    for derivative, short, at in documents():
        document = Document(derivative, short, at)
        page.run(f"show([{document.json()}])")
        asked = page.run(ASK)
        for n in short.graph.order:
            if n.op is None or len(short.graph.order) > MOST:
                continue
            text = asked.get(document.parts.home[n], "")
            for answer in short.why_not(None, n).answers:
                for line in (answer.rule.name, *answer.lines):
                    assert line[:200] in text, (n, line)
                    count += 1
    assert count > 20


def test_why_did_a_number_over_itself_not_become_one(page):
    page.run(f"show([{json.dumps(ad.explore(x / x, at={x: 2.0}, derivative=None).document)}])")
    (text,) = page.run(ASK).values()
    assert "over itself" in text and "A fact is missing" in text
    assert 'Declare it: x = ad.scalar("x", nonzero=True).' in text


def test_a_page_says_where_only_python_knows(page):
    y, at, wrt = recurrent(4)
    page.run(f"show([{json.dumps(ad.explore(y, at=at, wrt=wrt).document)}])")
    texts = page.run(ASK)
    assert texts and all("Ask Python: stage.why_not(node=…)" in text for text in texts.values())


@pytest.mark.each("name", some(["x₁", "x₂", "v₁", "v₂", "v₃", "v₄"], 4))
def test_the_life_of_a_part_is_its_biography(page, name):
    y = ad.log(x1) + x1 * x2 - ad.sin(x2)
    stage = ad.reverse_mode(y, [x1, x2])
    short = ad.simplify(stage)
    document = Document(stage, short, {x1: 2.0, x2: 5.0})
    page.run(f"show([{document.json()}]); e.go(e.model.last)")
    node = next(n for n, p in document.parts.home.items()
                if document.parts.rows[p].get("name") == name)  # fmt: skip
    part = document.parts.home[node]
    page.run(f"e.pin('{part}'); e.card.element.querySelector('[data-name=more]').click()")
    text = page.run("return e.card.element.querySelector('.biography').innerText")
    life = ad.biography(node, ad.pipeline(y, [x1, x2], derivative="reverse"))
    begin = len(stage.steps)
    for event in life.events:
        if event.event == "written" and node.op is not None:
            assert document.data()["lines"][0]["code"] in text
        if event.step:
            k = int(event.step) + begin * (event.stage == "simplify")
            assert f"step {k}" in text and event.event in text, (event, text)
            assert event.stage == "reverse mode" or event.reason in text, (event, text)
    assert "value " in text


LIT = """
const [program, code] = e.card.element.querySelectorAll("pre");
const rows = (list) => [...list.children].map((row) => [row.textContent, row.parts]);
const lit = {};
for (const p of Object.keys(e.model.frame(e.shown))) {
  e.point(p);
  lit[p] = [...code.children].filter((r) => r.classList.contains("lit")).map((r) => r.textContent);
}
e.point(null);
for (const row of code.children) {
  row.dispatchEvent(new Event("pointerenter"));
  if ([...e.matches].join() !== row.parts.join()) throw new Error(row.textContent);
  row.dispatchEvent(new Event("pointerleave"));
}
return [rows(program).length, rows(code), lit];
"""


def test_beside_the_program_stands_one_s_own_code_and_each_lights_the_other(page):
    product = x1 * x2
    y = ad.log(x1) + product
    stage = ad.reverse_mode(y, [x1, x2])
    document = Document(stage, ad.simplify(stage), {x1: 2.0, x2: 5.0})
    page.run(f"show([{document.json()}]); e.go(e.stops)")
    count, code, lit = page.run(LIT)
    assert count > 2
    assert [text for text, _ in code] == ["product = x1 * x2", "y = ad.log(x1) + product"]
    for n, p in document.parts.of_value.items():
        wanted = [] if n.op is None else [code[n is not product][0]]
        assert lit[p] == wanted
        assert [text for text, parts in code if p in parts] == wanted
