"""One protocol for all that is shown; a new kind of picture joins with one file."""

import ast
from pathlib import Path

import pytest

from autodiff_edu.differentiate import reverse_mode
from autodiff_edu.expr import Graph
from autodiff_edu.ops import scalar, sin
from autodiff_edu.rewrite import RULES, simplify
from autodiff_edu.show import Film, Showable, SideBySide, compare, draw, latex, table, trace, why
from autodiff_edu.show.views.draw import drawing

SHOW = Path(__file__).parents[3] / "autodiff_edu" / "show"
x = scalar("x")
y = sin(1 * x)


def kinds():
    stage = simplify(y)
    derivative = reverse_mode(y, x)
    films, tables = [stage.film(), stage.film()[:1]], [stage.table(), table(RULES[:2])]
    return [draw(y), stage.draw(), *films, *tables, compare(y, x), draw(RULES[0]),
            why(stage.output), trace(derivative, at={x: 1.0})]  # fmt: skip


@pytest.mark.each("shown", kinds(), ids=lambda shown: type(shown).__name__)
def test_every_kind_of_picture_keeps_the_protocol(shown):
    assert isinstance(shown, Showable)
    bundle = shown._repr_mimebundle_()
    assert bundle["text/plain"] == repr(shown) and shown.image() in bundle["text/html"]
    assert f'class="autodiff-card autodiff-{shown.kind}"' in bundle["text/html"]


class Word(str):
    """Something that the house cannot draw."""


class WordPicture(Showable):
    kind = "word"

    def __init__(self, word):
        self.word = word

    def __repr__(self):
        return self.word

    def image(self, widest=0):
        return f"<p>{self.word}</p>"


@pytest.fixture
def registered():
    drawing.register(Word, lambda word, options, highlight: WordPicture(str(word)))


def test_a_new_kind_registers_itself_and_stands_wherever_a_picture_stands(registered):
    picture = draw(Word("tree"))
    assert picture._repr_mimebundle_()["text/plain"] == "tree"
    film = Film([("graph", draw(y)), ("word", picture)])
    assert repr(film).endswith("1. word:\ntree")
    assert "<p>tree</p>" in film._repr_mimebundle_()["text/html"]
    pair = SideBySide(("graph", draw(y)), ("word", picture))
    assert repr(pair).endswith("word:\ntree") and "<p>tree</p>" in pair.image()


def test_what_has_no_table_says_so():
    with pytest.raises(
        TypeError, match=r"a table shows a stage, a trace, rules or paths, not Graph"
    ):
        table(Graph(y))


def test_a_trace_is_a_formula_too():
    assert latex(trace(y, at={x: 1.0})).count("&=") == 3


def test_the_folders_of_the_show_build_on_each_other():
    """A diagram knows nothing of HTML, HTML nothing of graphs, and none of them the views."""
    floors = ["diagram", "html", "build", "tex", "views"]
    for k, folder in enumerate(floors):
        for path in (SHOW / folder).glob("*.py"):
            used = {n.module.split(".")[0] for n in ast.walk(ast.parse(path.read_text("utf-8")))
                    if isinstance(n, ast.ImportFrom) and n.level == 2 and n.module}  # fmt: skip
            assert used.isdisjoint(floors[k + 1 :]), path
