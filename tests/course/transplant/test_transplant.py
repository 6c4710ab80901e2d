"""A student's page takes the engine's place: right pages run lecture 05, wrong ones are told.

Protects the capstone of the course: what a student writes is judged by the engine's own behaviour,
and a message names the line that is wrong.
"""

import json
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import autodiff_edu as ad
from autodiff_edu.command.lectures import lecture_notebooks
from autodiff_edu.command.transplant import transplant
from autodiff_edu.course.harness.feedback import Unsolved, Wrong
from autodiff_edu.course.transplant import PAPERS, start_page
from autodiff_edu.course.transplant.broken import changed_line, check_broken, check_visibly
from autodiff_edu.course.transplant.judge import check_page
from autodiff_edu.course.transplant.lecture import LECTURE
from autodiff_edu.course.transplant.page import HOLES, Page, read_page
from autodiff_edu.course.transplant.surgery import NAME, transplanted
from tests.helpers.depth import draws, is_short, some

RIGHT = Path(__file__).with_name("right.py")
TEXT = RIGHT.read_text("utf-8")
LINES = TEXT.splitlines()


WHOLE = "from autodiff_edu.command.app import main; main()"
SHORT = """
import sys
from pathlib import Path
from autodiff_edu.command import lectures
from autodiff_edu.command.app import commands
from autodiff_edu.course.transplant import lecture
copy, right, film, derive = sys.argv[1:]
notebooks, lectures.lecture_notebooks = lectures.lecture_notebooks, lambda: [Path(copy)]
commands(["transplant", right, "--film", film], standalone_mode=False)
lectures.lecture_notebooks = notebooks
lecture.LECTURE = "01_reading_a_graph.ipynb"  # a tenth of the work of lecture 05
commands(["transplant", derive], standalone_mode=False)
"""
BEGINNING = 40  # cells of lecture 05: the sweep, its film, and a sum of many paths


def run(*command):
    return subprocess.run(list(map(str, command)), capture_output=True, text=True, encoding="utf-8")


def write_beginning(path):
    """Write the first half of lecture 05 there."""
    (lecture,) = [path for path in lecture_notebooks() if path.name == LECTURE]
    cells = json.loads(lecture.read_text("utf-8"))["cells"]
    path.write_text(json.dumps({"cells": cells[:BEGINNING]}), "utf-8")


def write_one_function(path):
    """Begin a page there, and write one function of six."""
    text = start_page(path).read_text("utf-8")
    body = re.compile(r"def evaluate.*?(?=\n\n\n)", re.S)
    (ours,) = body.findall(TEXT)
    path.write_text(body.sub(lambda _: ours, text, count=1), "utf-8")


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """A folder, and how the command ran on a right page, with a film, and on a page of one
    function: by default in one process, and less of the lectures."""
    folder = tmp_path_factory.mktemp("pages")
    copy, film, derive = folder / LECTURE, folder / "film.html", folder / "derive.py"
    write_one_function(derive)
    if is_short():
        write_beginning(copy)
        return folder, *[run(sys.executable, "-c", SHORT, copy, RIGHT, film, derive)] * 2
    whole = (sys.executable, "-c", WHOLE, "transplant")
    return folder, run(*whole, RIGHT, "--film", film), run(*whole, derive)


def command(*words):
    """What `autodiff-edu transplant` says to these words, in this process."""
    return CliRunner().invoke(transplant, [*map(str, words)])


@pytest.mark.each("seed", range(draws(3)))
def test_a_right_page_is_right(seed):
    assert [*check_page(read_page(RIGHT), seed)] == list(HOLES)


def test_a_right_page_runs_lecture_05_and_draws_its_film(runs):
    folder, done, _ = runs
    assert done.returncode == 0, done.stderr
    assert re.search(r"lecture 05 runs on your page: \d\d cells", done.stdout)
    page = (folder / "film.html").read_text("utf-8")
    assert "Drawn by your reverse mode" in page and NAME in page


def test_an_empty_page_is_written_and_asks_for_the_paper_of_the_term(tmp_path):
    for paper, asked in PAPERS.items():
        path = start_page(tmp_path / f"{paper}.py", paper, "Ada")
        text = path.read_text("utf-8")
        assert (
            asked in text
            and "by Ada" in text
            and "{" not in text.replace("{0}", "").replace("{1}", "")
        )
        with pytest.raises(Unsolved, match="no hole is filled yet"):
            read_page(path)
    with pytest.raises(FileExistsError):
        start_page(path)
    with pytest.raises(ValueError, match="a paper is one of paths, terms, longest, not 'x'"):
        start_page(tmp_path / "x.py", "x")


def test_one_function_is_enough_and_the_rest_is_the_engines(runs):
    *_, done = runs
    assert done.returncode == 0, done.stderr
    left = "left to the engine: sweep, match, one_round, frame, line"
    assert re.search(rf"^evaluate: right\n{left}\nlecture 05 runs", done.stdout, re.M)


def test_the_engine_is_as_before_afterwards():
    x = ad.scalar("x")
    with transplanted(read_page(RIGHT)):
        assert ad.reverse_mode(x * x, x).name == NAME
    assert ad.reverse_mode(x * x, x).name == "reverse mode"
    assert ad.simplify(x * 1 + 0).output is x


def test_values_and_sizes_are_the_engines(rng):
    """Derivatives, simplifications and programs of a transplanted engine agree with ours."""
    x, y = ad.scalar("x"), ad.scalar("y")
    page = read_page(RIGHT)
    for z in (ad.sin(x * y) * x + ad.exp(-x) / y, ad.log(x) + x * y - ad.sin(y), (x + y) ** 3 / x):
        with transplanted(page):
            stage = ad.simplify(ad.reverse_mode(z, [x, y]))
            program = ad.function([x, y], stage)
            frames = [g.operations for g in stage.frames()]
        ours = ad.simplify(ad.reverse_mode(z, [x, y]))
        at = {x: rng.uniform(0.5, 1.5), y: rng.uniform(0.5, 1.5)}
        np.testing.assert_allclose(program(*at.values()), ad.evaluate(ours.after, at), rtol=1e-12)
        assert len(stage.after.operations) <= 1.2 * len(ours.after.operations)
        assert len(frames) == len(stage.steps) + 1


# ---- wrong pages: what stands in the file, what is written instead, and at which of both the
# message may point: the line that was changed, or the line where its function gave the wrong answer

OF_VALUES = "for n in nodes:\n        if n not in values"
OF_MATCH = "            return False\n    return True"
WRONG = [
    ("evaluate", "if n not in values:", "if n.op is not None and len(n.inputs) == 2:"),
    ("evaluate", "[values[i] for i in n.inputs]", "[values[i] for i in n.inputs[::-1]]"),
    ("evaluate", "yield n, values[n]", "yield n, values[n] + 1e-3"),
    ("evaluate", OF_VALUES, OF_VALUES.replace("nodes", "nodes[:-1]")),
    ("evaluate", OF_VALUES, OF_VALUES.replace("nodes", "reversed(nodes)")),
    ("sweep", "for n in reversed(nodes):", "for n in nodes:"),
    ("sweep", "adjoint[x] = adjoint[x] + term if x in adjoint else term", "adjoint[x] = term"),
    ("sweep", "adjoint[x] + term", "adjoint[x] - term"),
    ("sweep", "yield n, x, term, adjoint[x]", "yield n, x, term, term"),
    ("sweep", "yield n, x, term, adjoint[x]", "yield n, x, adjoint[x], adjoint[x]"),
    ("sweep", "return total", "return total + 1"),
    ("sweep", "total += ways[n]", "total += 1"),
    ("sweep", "return total", "return None"),
    ("sweep", "terms(n, adjoint[n])", "terms(n, adjoint[n])[:1]"),
    ("match", "is node\n", "is not None\n"),
    ("match", "        return False\n    for p, n", "        return True\n    for p, n"),
    ("match", "if node.op is not pattern.op or", "if node.op is None or"),
    ("match", "zip(pattern.inputs, node.inputs)", "zip(pattern.inputs, node.inputs[::-1])"),
    ("match", OF_MATCH, OF_MATCH.replace("\n", "\n        return True\n")),
    ("one_round", "[now[i] for i in n.inputs]", "list(n.inputs)"),
    ("one_round", "new = rewrite(same)", "new = rewrite(n)"),
    ("one_round", "yield n, now[n]", "yield n, same"),
    ("one_round", "for n in nodes:\n        same", "for n in nodes[1:]:\n        same"),
    ("frame", "now[n] = final(became[n])", "now[n] = became[n]"),
    ("frame", "rebuild(n, [final(i) for i in n.inputs])", "n"),
    ("frame", "if n not in now:", "if True:"),
    ("line", 'if text.startswith("-") else text', 'if text.startswith("+") else text'),
    ("line", 'f"{name} = ', 'f"{name} == '),
    ("line", "formula.format(*texts)", "formula.format(*texts[::-1])"),
    ("line", "for text in operands]", "for text in operand]"),
]  # fmt: skip


SOME = some(WRONG, 9)


def first_line(function):
    return next(k for k, line in enumerate(LINES, 1) if line.startswith(f"def {function}("))


def last_line(function):
    ends = [
        k for k, line in enumerate(LINES, 1) if line.startswith("def ") and k > first_line(function)
    ]
    return (ends or [len(LINES) + 3])[0]


@cache
def message(function, old, new):
    """What is said of a page that is wrong in one place, which two tests read."""
    start = TEXT.index(f"def {function}(")
    text = TEXT[:start] + TEXT[start:].replace(old, new, 1)
    with pytest.raises(Wrong) as error:
        list(check_page(Page(text, "derive.py"), 3))
    return str(error.value)


@pytest.mark.each("function, old, new", SOME)
def test_a_wrong_page_is_told_with_a_line_of_the_function(function, old, new):
    assert TEXT.count(old) >= 1
    line, named = re.match(
        r"derive\.py, line (\d+), in (\w+): .", message(function, old, new)
    ).groups()
    assert named == function
    assert first_line(function) <= int(line) <= last_line(function)


def test_there_are_twenty_and_most_messages_point_below_the_head_of_the_function():
    """A line inside the function says more than where it begins."""
    assert len(WRONG) >= 20
    inside = 0
    for function, old, new in SOME:
        inside += f"line {first_line(function)}," not in message(function, old, new)
    assert inside >= len(SOME) * 2 / 3


@pytest.mark.each("text, words", [
    ("def sweep(nodes:\n", "line 1: this is not Python"),
    ("x = 1\ny = x / 0\n", "derive.py, line 2, in the file itself: ZeroDivisionError"),
    ("import autodiff_edu\n", "line 1: it imports autodiff_edu. A page of your own rests on"),
    ("from autodiff_edu.core import reverse\n", "it imports autodiff_edu.core"),
])  # fmt: skip
def test_what_is_no_page_is_told(text, words):
    with pytest.raises(Wrong) as error:
        Page(text, "derive.py")
    assert words in str(error.value)


def test_a_sweep_that_yields_nothing_is_told():
    page = Page("def sweep(nodes, adjoint, terms):\n    return 3\n", "derive.py")
    words = r"line 1, in sweep: it yields nothing: write yield \(n, x, term, sum\)"
    with pytest.raises(Wrong, match=words):
        list(check_page(page))


OTHER_SHAPES = [
    ("evaluate", "yield n, values[n]", "yield values[n]", "it yields", "(n, value) is needed"),
    ("evaluate", "yield n, values[n]", "yield values[n], n", "it yields", "(n, value) is needed"),
    ("evaluate", "yield n, values[n]", "yield", "it yields None", "(n, value) is needed"),
    ("sweep", "yield n, x, term, adjoint[x]", "yield n, x", "it yields", "(n, x, term, sum)"),
    ("sweep", "yield n, x, term, adjoint[x]", "yield x, n, term, adjoint[x]", "is no operand", ""),
    ("sweep", "terms(n, adjoint[n])", "terms(adjoint, n)", "it needs a node and its adjoint", ""),
    ("sweep", "if n in adjoint:", "if True:", "the dict has no entry of the node", ""),
    ("one_round", "yield n, now[n]", "yield 3", "it yields 3, and (n, new) is needed", ""),
    ("frame", "return [final(y) for y in outputs]", "[final(y) for y in outputs]",
     "it returns None, and a list of nodes is needed", ""),
    ("frame", "return [final(y) for y in outputs]", "return [final(outputs[0])]",
     "a list of nodes is needed, one an output", ""),
    ("evaluate", "if n not in values:", "if True:", "compute is called for the input", ""),
    ("evaluate", "def evaluate(nodes, values, compute)", "def evaluate(nodes, values)",
     "its arguments are (nodes, values, compute)", ""),
    ("sweep", "def sweep(", "def sweeep(", "write sweep: the page has no such function", ""),
    ("line", "    return f", "    exit(0)\n    return f", "SystemExit: 0", ""),
]  # fmt: skip


@pytest.mark.each("function, old, new, words, more", some(OTHER_SHAPES, 7))
def test_an_answer_of_another_shape_is_told_with_its_line(function, old, new, words, more):
    text = TEXT.replace(old, new, 1)
    assert text != TEXT
    with pytest.raises(Wrong) as error:
        list(check_page(Page(text, "derive.py"), 2))
    assert re.match(r"derive\.py, line \d+, in \w+: ", str(error.value))
    assert words in str(error.value) and more in str(error.value)


def test_files_that_are_no_pages(tmp_path):
    done = command(tmp_path / "nope.py")
    assert "there is no file" in done.stderr and "--start" in done.stderr
    path = tmp_path / "latin.py"
    path.write_bytes("# é\n".encode("latin-1"))
    with pytest.raises(Wrong, match="latin.py is no text in UTF-8"):
        read_page(path)
    done = command("--start", path)
    assert done.exit_code == 1 and "is there, and stays as it is" in done.stderr


# ---- break your own page

BROKEN = TEXT.replace(
    "len(node.inputs) != len(pattern.inputs)", "len(node.inputs) < len(pattern.inputs)"
)
CATCH = """
class Node:
    def __init__(self, op, *inputs, name=""):
        self.op, self.inputs, self.name = op, inputs, name


def catch(page):
    x = Node(None, name="x")
    assert not page.match(Node("f", x), Node("f", x, x), {})
"""


def files(folder, **texts):
    paths = [folder / f"{name}.py" for name in texts]
    for path, text in zip(paths, texts.values(), strict=True):
        path.write_text(text, encoding="utf-8")
    return paths


def test_a_broken_page_is_caught_by_its_author(tmp_path):
    broken, catch = files(tmp_path, broken=BROKEN, catch=CATCH)
    done = command(RIGHT, "--broken", broken, "--catch", catch)
    said = re.match(r"catch.py finds line (\d+) of broken.py", done.stdout)
    assert said, done.stderr
    number = int(said[1])
    assert BROKEN.splitlines()[number - 1] != LINES[number - 1]


@pytest.mark.each("broken, catch, words", some([
    (TEXT, CATCH, "0 lines of broken.py are not those of your page: change one line"),
    (TEXT.replace("is node", "is not None"), CATCH, "the visible checks see the change: broken.py"),
    (BROKEN, "def catch(page):\n    assert False\n", "finds an error in right.py, which is right"),
    (BROKEN, "def catch(page):\n    pass\n", "does not find the error in line"),
    (BROKEN, "x = 1\n", "catch.py has no function catch(page)"),
    (BROKEN, "def catch(page:\n", "catch.py: SyntaxError"),
    (BROKEN, "def catch():\n    pass\n", "catch raises no AssertionError, but TypeError"),
], 4, turn=1))  # fmt: skip
def test_what_does_not_count_is_told(tmp_path, broken, catch, words):
    paths = files(tmp_path, broken=broken, catch=catch)
    with pytest.raises(Wrong, match=re.escape(words)):
        check_broken(RIGHT, *paths)


def test_lines_of_two_texts():
    assert changed_line("a\nb\nc", "a\nB\nc", "x") == 2
    check_visibly(read_page(RIGHT))
