"""The book's catalogue of rules: each rule once, with its picture, and nothing in it is markup.

Protects the pages of rules, which nobody reads through after each change of a rule.
"""

import importlib
import os
import re
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from autodiff_edu.ops import exp, sin
from autodiff_edu.rewrite import RULES, Rule, wild
from autodiff_edu.show import draw
from tests.helpers.depth import FULL, draws
from tests.house.test_plain_english import FOUND, long

BOOK = Path(__file__).parents[2] / "book"


@pytest.fixture(scope="module")
def catalogue():
    sys.path.insert(0, str(BOOK))
    yield importlib.import_module("catalogue")
    sys.path.remove(str(BOOK))


@pytest.fixture(scope="module")
def folder(catalogue, tmp_path_factory):
    folder = tmp_path_factory.mktemp("rules")
    catalogue.write_pages(folder)
    return folder


def test_the_page_is_in_plain_english(folder):
    page = (folder / "index.md").read_text("utf-8")
    assert long([page]) == [] and FOUND.findall(page) == []


def test_every_rule_has_its_place_and_its_picture(catalogue, folder):
    page = (folder / "index.md").read_text("utf-8")
    slugs = [catalogue.slug(name) for name in RULES.names]
    assert len(set(slugs)) == len(slugs) and all(slugs)
    assert re.findall(r"```{image} (\S+)\.svg", page) == slugs
    assert {path.stem for path in folder.glob("*.svg")} == set(slugs)


def test_every_rule_names_its_law(catalogue):
    laws = {rule.name: catalogue.law(rule) for rule in RULES}
    assert all(laws.values()) and laws["collect powers"] == "products"
    assert laws["collect terms"] == "none is asked of sums of like terms"


def test_pictures_are_whole_and_small(folder):
    for path in folder.glob("*.svg"):
        text = path.read_text("utf-8")
        assert text.count("→") >= 1 and len(ET.fromstring(text).findall("{*}svg")) == 2, path
        assert len(text) < 30_000, path


def test_a_rule_is_told_and_drawn_the_same_again(catalogue, folder):
    """A picture and an entry do not depend on what was made before; one in five at first."""
    page = (folder / "index.md").read_text("utf-8")
    for rule in list(RULES)[:: max(FULL // draws(FULL), 1)]:
        assert catalogue.entry(rule) in page, rule
        path = folder / f"{catalogue.slug(rule.name)}.svg"
        assert catalogue.drawing(draw(rule)) == path.read_text("utf-8"), rule


def test_a_file_that_does_not_change_is_left_alone(catalogue, tmp_path):
    catalogue.api.write_files(tmp_path, {"same": "x", "other": "x", "gone": "x"})
    for path in tmp_path.iterdir():
        os.utime(path, ns=(0, 0))
    catalogue.api.write_files(tmp_path, {"same": "x", "other": "y"})
    times = {path.name: path.stat().st_mtime_ns for path in tmp_path.iterdir()}
    assert times.pop("same") == 0 and times.pop("other") > 0 and times == {}


def test_a_counterexample_says_where_the_stricter_mode_breaks(catalogue):
    x = wild("x")
    assert catalogue.broken(Rule("r", x / x, 1, "real")) == "safe: nan becomes 1 at x = 0"
    assert catalogue.broken(Rule("r", x * 1, x, "ieee")) == ""


def test_odd_names_are_text(catalogue):
    x = wild("x")
    entry = catalogue.entry(Rule("<b> *a* {c}\n$", sin(x), exp(x), caveat="`i` [j]"))
    assert r"\<b\> \*a\* \{c\} \$" in entry and r"\`i\` \[j\]" in entry
    assert catalogue.slug("sin² + cos²") == "sin2-cos2"
    assert catalogue.slug("minus out of @") == "minus-out-of-matmul"


def test_a_rule_with_one_side_is_drawn_too(catalogue):
    x = wild("x")
    assert "→" not in catalogue.drawing(draw(Rule("r", sin(x), lambda x: None)))
