"""The explorer's numbers, as Chromium computes them: they are Python's, after a pull too.

Runs where Chromium is.
"""

import json
import math

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import autodiff_edu as ad
from tests.helpers.depth import draws, some
from tests.helpers.scenes import frames

from .explored import SEND, documents, flat, plain, show, values, x1, x2


def test_every_number_is_python_s(page):
    for name, document in some(documents().items(), 4, turn=1):
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
    document = ad.explore(y, at={x1: 1.0, x2: 2.0}, wrt=[x1, x2], derivative="reverse").document
    page.run(f"show([{json.dumps(document)}])")
    pulled = ad.explore(y, at={x1: a, x2: b}, wrt=[x1, x2], derivative="reverse").document
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
    answer, words = page.run("return [e.head.answer.textContent, e.head.verdict.textContent]")
    assert "∂y/∂x₁ = 5.5" in answer and words == "of the whole formula; v₂ is cut off from it"


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


def test_the_count_is_that_of_the_graph_in_every_mode(page):
    """A derivative that rewrites a value has a copy of it, which is no saving."""
    for name in some(("seven", "five", "symbolic", "forward", "net", "arrays", "softplus"), 3):
        show(page, name)
        document = documents()[name]
        counts = page.run("return [e.model.end, e.model.last].map((k) => e.model.operations(k))")
        assert counts == [needed(document, k) for k in (document["derived"], -1)], name


def needed(document, k):
    """The operations that the results need after k steps."""
    held, outs = list(frames(document))[k]
    reached, stack = set(), list(outs)
    while stack:
        p = stack.pop()
        if p not in reached:
            reached.add(p)
            operands = held[p][1] if len(held[p]) > 1 and isinstance(held[p][1], list) else []
            stack += [a for a in operands if isinstance(a, str)]
    return sum(held[p][0] not in ("input", "const", "empty", "tie") for p in reached)
