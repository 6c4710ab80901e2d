"""HTML that nbconvert has sanitised is legible: pictures are pictures, and no markup is shown.

Protects those who read a lecture where nothing may run: on a course's server, in a mail.
"""

import html
import re

import nbformat
import pytest

import autodiff_edu as ad
import dev
from autodiff_edu.show.html.sanitized import clean_html
from tests.helpers.depth import some

FILTER = {"clean_html": "autodiff_edu.show.html.sanitized.clean_html"}
MARKUP = re.compile(r"&lt;/?(?:p|h\d|img|form|style|section|label|input|table|th|details)\b")


def converted(notebook, **settings):
    """What a browser shows of it, without the template's own styles and scripts."""
    from nbconvert import HTMLExporter  # not when tests are collected: a quarter of a second

    page, _ = HTMLExporter(sanitize_html=True, **settings).from_notebook_node(notebook)
    return page.partition("<main")[2]


def cell(shown):
    bundle = getattr(shown, "_repr_mimebundle_", lambda: {"text/latex": shown._repr_latex_()})()
    output = nbformat.v4.new_output("execute_result", bundle | {"text/plain": repr(shown)})
    return nbformat.v4.new_code_cell("shown", outputs=[output])


@pytest.fixture(scope="module")
def shown():
    x = ad.scalar("x")
    stage = ad.simplify(ad.symbolic_derivative(x * x + (x - 2), x))
    return {
        "picture": ad.draw(x * x),
        "film": stage.film(),
        "table": stage.table(),
        "formula": ad.latex(stage.before),
        "pair": ad.compare(x * 1, x),
        "trace": ad.trace(x * x, at={x: 3.0}),
        "rule": ad.RULES["times one"],
    }


@pytest.fixture(scope="module")
def notebook(shown):
    folded = "<details><summary>Answer</summary>seven</details>"
    text = nbformat.v4.new_markdown_cell(f"# A lecture\n\nIf $a < b$:\n\n> quoted\n\n{folded}")
    cells = [text, *map(cell, shown.values())]
    return nbformat.v4.new_notebook(cells=cells)


@pytest.fixture(scope="module")
def page(notebook):
    return converted(notebook, filters=FILTER)


def test_everything_is_there_and_no_markup_is_shown(page, shown):
    assert MARKUP.findall(page) == []
    frames, pair, rule = len(shown["film"]), 2, shown["rule"]._repr_mimebundle_()["text/html"]
    assert page.count("<img ") == 1 + frames + pair + rule.count("<img ")
    assert page.count('src="data:image/svg+xml;base64,') == page.count("<img ")
    for words in (*shown["film"].captions, *sum(shown["table"].rows, ()), "before", "nodes"):
        assert html.escape(words, quote=False) in page
    assert f"$$ {shown['formula']} $$".replace("&", "&amp;") in page
    assert '<h1 id="A-lecture">' in page and "<blockquote>" in page
    assert "<details><summary>Answer</summary>seven</details>" in page


def test_nothing_can_run_or_ask(page):
    shown = page[: page.rindex("</main>")]
    assert not re.search(r"<(script|style|form|input|label|iframe)\b|\son\w+=", shown)
    assert '<p class="steps" style="display:none;">' in shown  # the numbers of the buttons


def test_nbconverts_own_filter_shows_markup(notebook):
    """When it no longer does, ours can go."""
    assert {"&lt;p", "&lt;img", "&lt;form", "&lt;h1"} <= set(MARKUP.findall(converted(notebook)))


@pytest.mark.parametrize("lecture", some(["00_tour", "05_reverse_mode"], 2))
def test_a_lecture(lecture):
    notebook = nbformat.read(dev.ROOT / "notebooks" / f"{lecture}.ipynb", 4)
    page = converted(notebook, filters=FILTER)
    outputs = [output.get("data", {}) for c in notebook.cells for output in c.get("outputs", ())]
    pictures = [data.get("text/html", "<img " * ("image/png" in data)) for data in outputs]
    assert MARKUP.findall(page) == []
    assert page.count("<img ") == "".join(pictures).count("<img ") > 10


HOSTILE = [
    ("<script>alert(1)</script>", ""),
    ("<scr<script></script>ipt>alert(1)</scr<script></script>ipt>", "alert(1)"),
    ('<img src="x.png" onerror="alert(1)">', '<img src="x.png">'),
    ('<a href="javascript:alert(1)">a</a>', "<a>a</a>"),
    ('<a href="data:text/html,<script>alert(1)</script>">a</a>', "<a>a</a>"),
    ('<img src="data:text/html,x">', "<img>"),
    ('<p style="background:url(https://www.w3.org)">p</p>', "<p>p</p>"),
    ('<p style="position:fixed;color:red">p</p>', '<p style="color:red;">p</p>'),
    ('<iframe srcdoc="x">f</iframe><svg onload="alert(1)">s</svg>', "fs"),
    ("a &lt;b&gt; c", "a &lt;b&gt; c"),
]


@pytest.mark.each("given, left", HOSTILE)
def test_what_is_left_of_hostile_html(given, left):
    assert clean_html(given) == left
