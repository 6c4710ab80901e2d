"""The page of worked changes is made true in a copy of the package.

Protects contributors: each file that the page names is there, each line that it changes stands in
it as quoted, and what it says of the result holds.
"""

import ast
import os
import re
import shutil

import pytest

from dev import ROOT
from tests.helpers.depth import some
from tests.helpers.forks import forks

PAGE = (ROOT / "book" / "worked_changes.md").read_text("utf-8")
CODE = r"```python\n(.*?)```"
APPENDED = re.compile(rf"At the end of `([^`]+)`:\n\n{CODE}", re.DOTALL)
ADDED = re.compile(rf"A new file `([^`]+)`:\n\n{CODE}", re.DOTALL)
REPLACED = re.compile(rf"In `([^`]+)`, write\n\n{CODE}\n\nas\n\n{CODE}", re.DOTALL)
CLAIM = re.compile(rf"Then this holds.*?{CODE}", re.DOTALL)
CHANGES = re.findall(r"^## ((?:A new|Better) .*)$", PAGE, re.MULTILINE)


def section(title):
    return PAGE.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def change(text, package):
    """Make the changes of a section in a copy of the package."""
    for name, code in APPENDED.findall(text):
        path = package / name
        path.write_text(f"{path.read_text('utf-8')}\n\n{code}", "utf-8")
    for name, code in ADDED.findall(text):
        assert not (package / name).exists()
        (package / name).write_text(code, "utf-8")
    for name, before, after in REPLACED.findall(text):
        source = (package / name).read_text("utf-8")
        assert source.count(before) == 1, f"{name} has no such line:\n{before}"
        (package / name).write_text(source.replace(before, after), "utf-8")


@pytest.fixture(scope="module")
def called(tmp_path_factory):
    """What Python says to a program, with the package as the page leaves it after all changes."""
    folder = tmp_path_factory.mktemp("changed")
    left_out = shutil.ignore_patterns("notebooks")  # what is compiled stays: it is loaded at once
    shutil.copytree(ROOT / "autodiff_edu", folder / "autodiff_edu", ignore=left_out)
    for title in CHANGES:
        change(section(title), folder)
    with running(folder, tmp_path_factory) as run:
        yield lambda program: run(program).stderr


def running(package, tmp_path_factory):
    """Run programs with the package that stands in this folder."""
    options = {"env": os.environ | {"PYTHONPATH": str(package)}, "cwd": package}
    return forks("import autodiff_edu", tmp_path_factory.mktemp("forks"), **options)


def test_there_are_six():
    assert len(CHANGES) == 6
    whole = APPENDED.findall(PAGE) + ADDED.findall(PAGE) + REPLACED.findall(PAGE)
    assert len(CLAIM.findall(PAGE)) == 6 and len(whole) == 8
    assert PAGE.count("```python") == 6 + 4 + 2 * 4, "a block that no test reads"


@pytest.mark.parametrize("title", some(CHANGES, 2))
def test_what_the_page_says_holds(called, title):
    assert called(CLAIM.search(section(title))[1]) == ""


def test_nothing_of_it_is_in_the_package_already(tmp_path_factory):
    """A change that has been made teaches nobody: the page takes another."""
    with running(ROOT, tmp_path_factory) as run:
        for title in CHANGES[:1]:
            assert "AttributeError" in run(CLAIM.search(section(title))[1]).stderr


def test_the_new_lines_keep_the_rules_of_the_house():
    for code in re.findall(CODE, PAGE, re.DOTALL):
        assert max(map(len, code.splitlines())) <= 100
    for _, code in ADDED.findall(PAGE):
        assert ast.get_docstring(ast.parse(code))
