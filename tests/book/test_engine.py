"""The chapter on the engine is the engine: its files, its examples and its solutions.

Protects students who learn the engine from the book: each file and each name that the chapter shows
is there, the code is that of the file, and the examples print what the page shows.
"""

import ast
import doctest
import re

import pytest

import autodiff_edu as ad
from dev import ROOT
from tests.book.test_reference import page_of_the_book

engine = page_of_the_book("engine")
CHAPTER = (ROOT / "book" / "engine.md").read_text("utf-8")
PAGES, EXERCISES = CHAPTER.split("\n## Write a page yourself\n")
SECTION = re.compile(r"^### ([^\n]+)\n(.*?)(?=^##|\Z)", re.DOTALL | re.MULTILINE)
SECTIONS, SOLVED = dict(SECTION.findall(PAGES)), dict(SECTION.findall(EXERCISES))
EXAMPLE = re.compile(r"^```pycon\n(.*?)^```$", re.DOTALL | re.MULTILINE)
SOLUTION = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)
MARGIN = ("This page", "Look for", "It leaves")
LONGEST = {"An operation": 8, "A rule": 1, "A mode of differentiation": 40}  # lines of a solution
every_page = pytest.mark.parametrize("page", engine.PAGES, ids=lambda page: page.path)


def bare(source):
    """The syntax of a file without its docstrings."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(node):
            node.body[0].value.value = ""
    return ast.dump(tree)


def test_the_chapter_has_the_pages_of_the_table_in_their_order():
    assert list(SECTIONS) == [page.title for page in engine.PAGES]
    included = re.findall(r"\{include\} kit/engine/(\w+)\.inc", CHAPTER)
    assert included == ["contents", "imports", *[page.stem for page in engine.PAGES]]
    table = engine.contents()
    for path in [*[page.path for page in engine.PAGES], *engine.OUTLOOK]:
        assert (ROOT / "autodiff_edu" / path).is_file() and f"`{path}`" in table, path
    paths = [page.path for page in engine.PAGES]
    assert [path for path in paths if path in CHAPTER] == [], "names of files stand in the table"


@every_page
def test_a_page_shows_the_code_of_its_file(page):
    """Docstrings alone are shorter, and no parameter is left in them; a part is of the file."""
    source = (ROOT / "autodiff_edu" / page.path).read_text("utf-8")
    whole, part = page.text(), page.part()
    assert bare(whole) == bare(source)
    assert set(whole.splitlines()) - set(source.splitlines()) <= {
        f'{line}"""' for line in source.splitlines()
    }
    assert "--------" not in whole
    lines = whole.splitlines()
    assert set(part.splitlines()) <= set(lines)
    assert {n.rpartition(".")[2] for n in page.names.split()} <= {
        n.name for n in ast.walk(ast.parse(part)) if hasattr(n, "name")
    }
    assert len(part.splitlines()) <= max(60, len(lines) / 2)


def test_a_file_that_is_not_there_and_a_name_that_is_not_in_it_are_errors():
    page = engine.PAGES[0]
    with pytest.raises(FileNotFoundError):
        page._replace(path="core/nowhere.py").part()
    with pytest.raises(LookupError, match="nothing"):
        page._replace(names="TensorType.nothing").part()


@every_page
def test_a_page_has_a_margin_of_three_sentences_and_two_examples(page):
    text = SECTIONS[page.title]
    margin = " ".join(re.findall(r"^> (.*)$", text, re.MULTILINE))
    three = re.split(r"(?<=\.) ", margin)
    assert [sentence[2:].partition("**")[0] for sentence in three] == list(MARGIN)
    examples = EXAMPLE.findall(text)
    assert len(examples) == 2
    for example in examples:
        assert 1 < len(re.findall(r"^(?:>>>|\.\.\.) ", example, re.MULTILINE)) <= 6, example


def test_examples_and_solutions_run_in_one_session():
    """Each block of the chapter, from its first line to its last."""
    names, report = {}, []
    blocks = re.findall(r"^```(pycon|python)\n(.*?)^```$", CHAPTER, re.DOTALL | re.MULTILINE)
    runner = doctest.DocTestRunner(verbose=False)
    attempted = 0
    for kind, text in [("pycon", engine.imports()), *blocks]:
        if kind == "python":
            exec(text, names)
            continue
        example = doctest.DocTestParser().get_doctest(text, names, "engine", None, 0)
        attempted += runner.run(example, out=report.append, clear_globs=False).attempted
        names = example.globs
    assert not report, "".join(report)
    assert attempted > 60
    check_second_order(names["second_order"])
    assert not rule_with_cost(4).check().ok and rule_with_cost(3).check().ok


def check_second_order(second_order):
    """It agrees with the gradient of a gradient, for functions of several kinds."""
    x = ad.scalar("x")
    y = x * x + (x - 2)
    for f in (y, 3 - x, ad.exp(y) * x, ad.sin(ad.exp(y) / x) ** 3, ad.sqrt(x * x * x) / (1 + x)):
        slope = ad.grad(f, x)
        expected = ad.evaluate([slope, ad.grad(slope, x)], {x: 0.7})
        assert ad.evaluate([*second_order(f, x)], {x: 0.7}) == pytest.approx(expected), f


def rule_with_cost(cost):
    """The rule of the second exercise, for an operation of this cost."""
    a = ad.wild("a")
    record = ad.op(partials=lambda x, out: (2 * x + 1,), cost=cost)
    return ad.Rule("the formula", a * a + (a - 2), record(quadratic)(a))


def quadratic(x):
    return x * x + (x - 2)


def test_each_exercise_has_a_solution_of_the_length_that_it_states():
    assert list(SOLVED) == list(LONGEST)
    for title, text in SOLVED.items():
        (solution,) = SOLUTION.findall(text)
        assert 0 < len(solution.splitlines()) <= LONGEST[title]
        assert text.index("{dropdown} A solution") < text.index("```python")
        assert EXAMPLE.findall(text)
