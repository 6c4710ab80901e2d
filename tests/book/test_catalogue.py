"""An entry of the catalogue of rules: its law and its counterexample, and nothing in it is markup.

Protects the pages of rules, at which tests/book/test_book.py looks as the book shows them.
"""

import os

from autodiff_edu.ops import exp, sin
from autodiff_edu.rewrite import RULES, Rule, wild
from autodiff_edu.show import draw
from tests.book.test_reference import page_of_the_book

catalogue = page_of_the_book("catalogue")


def test_every_rule_names_its_law():
    laws = {rule.name: catalogue.law(rule) for rule in RULES}
    assert all(laws.values()) and laws["collect powers"] == "products"
    assert laws["collect terms"] == "none is asked of sums of like terms"


def test_a_file_that_does_not_change_is_left_alone(tmp_path):
    catalogue.api.write_files(tmp_path, {"same": "x", "other": "x", "gone": "x"})
    for path in tmp_path.iterdir():
        os.utime(path, ns=(0, 0))
    catalogue.api.write_files(tmp_path, {"same": "x", "other": "y"})
    times = {path.name: path.stat().st_mtime_ns for path in tmp_path.iterdir()}
    assert times.pop("same") == 0 and times.pop("other") > 0 and times == {}


def test_a_counterexample_says_where_the_stricter_mode_breaks():
    x = wild("x")
    assert catalogue.broken(Rule("r", x / x, 1, "real")) == "safe: nan becomes 1 at x = 0"
    assert catalogue.broken(Rule("r", x * 1, x, "ieee")) == ""


def test_odd_names_are_text():
    x = wild("x")
    entry = catalogue.entry(Rule("<b> *a* {c}\n$", sin(x), exp(x), caveat="`i` [j]"))
    assert r"\<b\> \*a\* \{c\} \$" in entry and r"\`i\` \[j\]" in entry
    assert catalogue.slug("sin² + cos²") == "sin2-cos2"
    assert catalogue.slug("minus out of @") == "minus-out-of-matmul"


def test_a_rule_with_one_side_is_drawn_too():
    x = wild("x")
    assert "→" not in catalogue.drawing(draw(Rule("r", sin(x), lambda x: None)))
