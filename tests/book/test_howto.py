"""Each how-to page runs as it stands, from its first line to its last.

Protects answers to questions that people asked: what is told there works.
"""

import os
import re

import pytest

from dev import ROOT
from tests.helpers.depth import some
from tests.helpers.forks import forks

PAGES = sorted((ROOT / "book" / "howto").glob("*.md"))
INDEX = (ROOT / "book" / "howto.md").read_text("utf-8")
PRINTED = {"gradient_through_a_loop": "rate"}  # what is told, too


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Run a program."""
    env = os.environ | {"PYTHONPATH": str(ROOT)}
    with forks("import runpy, autodiff_edu", tmp_path_factory.mktemp("forks"), env=env) as program:
        yield lambda path: program(f"runpy.run_path({str(path)!r}, run_name='__main__')")


@pytest.mark.parametrize("path", some(PAGES, 2), ids=lambda path: path.stem)
def test_a_page_runs_from_top_to_bottom(path, tmp_path, run):
    text = path.read_text("utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    program = tmp_path / "howto.py"
    program.write_text("\n\n".join(blocks), "utf-8")
    done = run(program)
    assert done.returncode == 0, done.stderr
    assert PRINTED.get(path.stem, "") in done.stdout


@pytest.mark.each("path", PAGES, ids=lambda path: path.stem)
def test_a_page_begins_with_its_question_and_ends_with_a_lecture(path):
    text = path.read_text("utf-8")
    assert re.match(r"# .*\?\n\n\*.*?\*", text, re.DOTALL)
    assert "](../lectures/" in text.rpartition("```\n")[2]


def test_there_is_a_page_for_each_thread_and_the_index_has_it():
    assert len(PAGES) == 4
    assert re.findall(r"\]\(howto/(\w+)\.md\)", INDEX) and all(p.stem in INDEX for p in PAGES)
