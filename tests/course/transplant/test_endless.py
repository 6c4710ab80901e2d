"""A page that does not end is stopped with the line at which it was, by CPU time.

Protects the student at the terminal, and whoever grades a hundred pages: one loop stops no machine.
"""

import signal
from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner

from autodiff_edu.command.transplant import transplant
from autodiff_edu.course.harness.feedback import Stopped
from autodiff_edu.course.transplant import endless
from autodiff_edu.course.transplant.film_questions import film_questions
from autodiff_edu.course.transplant.judge import check_page
from autodiff_edu.course.transplant.page import read_page
from tests.helpers.depth import some

RIGHT = Path(__file__).with_name("right.py")
TEXT = RIGHT.read_text("utf-8")
LOOPS = [
    "while True: pass",
    "while True: x = 1",
    """while True:
    try:
        x = [k for k in range(99)]
    except BaseException:
        pass""",
]
CATCH = "def catch(page):\n    assert page\n"
pytestmark = pytest.mark.skipif(
    not hasattr(signal, "setitimer"), reason="the system has no such timer"
)


def placed(loop, before, indent=""):
    """The text of a page with a loop before this line, and the number of its first line."""
    lines = TEXT.splitlines()
    lines[before:before] = [indent + line for line in loop.splitlines()]
    return "\n".join(lines), before + 1


def limited(path, seconds=0.5):
    with endless.cpu_limit(path.name, seconds=seconds):
        return [*check_page(read_page(path))]


@pytest.mark.each("loop", some(LOOPS, 3, turn=2))
def test_a_loop_of_a_function_is_stopped_at_its_line(tmp_path, loop):
    """Also one that catches every error: the test takes half a second of CPU time."""
    lines = TEXT.splitlines()
    number = next(k for k, line in enumerate(lines) if line.startswith("def sweep("))
    body = next(k for k in range(number + 1, len(lines)) if "for " in lines[k] or "=" in lines[k])
    text, line = placed(loop, body, lines[body][: -len(lines[body].lstrip())])
    (path := tmp_path / "page.py").write_text(text, "utf-8")
    within = "|".join(str(line + k) for k in range(len(loop.splitlines())))
    with pytest.raises(Stopped, match=rf"line ({within}), in sweep: it was stopped after 0.5 sec"):
        limited(path)


@pytest.mark.each("loop", some(LOOPS, 3, turn=1))
def test_a_loop_outside_of_all_functions_is_too(tmp_path, loop):
    text, line = placed(loop, len(TEXT.splitlines()))
    (path := tmp_path / "page.py").write_text(text, "utf-8")
    within = "|".join(str(line + k) for k in range(len(loop.splitlines())))
    with pytest.raises(Stopped, match=rf"line ({within}), in the file itself: it was stopped"):
        limited(path, seconds=0.1)


@pytest.mark.each("part", some(["page", "broken", "catch"], 3, turn=1))
def test_the_command_stops_each_file_that_a_student_wrote(tmp_path, monkeypatch, part):
    """A loop in the student's check is no error that the check finds."""
    seconds = 0.5 if part != "catch" else 1.5  # before that one runs, a page that ends is checked
    monkeypatch.setattr(endless, "cpu_limit", partial(endless.cpu_limit, seconds=seconds))
    broken = TEXT.replace("yield n, values[n]", "yield n, values[n] + 0", 1)
    texts = {"page": TEXT, "broken": broken, "catch": CATCH.replace("assert page", LOOPS[0])}
    if part != "catch":
        texts |= {"page": TEXT + LOOPS[0], "broken": broken + LOOPS[0], "catch": CATCH}
    paths = {name: tmp_path / f"{name}.py" for name in texts}
    for name, path in paths.items():
        path.write_text(texts[name], "utf-8")
    options = [paths["page"]]
    if part != "page":
        options += ["--broken", paths["broken"], "--catch", paths["catch"]]
    done = CliRunner().invoke(transplant, [*map(str, options)])
    assert done.exit_code == 1 and f"{part}.py, line " in done.output, done.output
    assert f"it was stopped after {seconds} seconds of CPU time" in done.output


def test_a_page_that_ends_is_not_stopped():
    page = read_page(RIGHT)
    with endless.cpu_limit(page.name):
        assert len(film_questions(page, "s1")) == 3
