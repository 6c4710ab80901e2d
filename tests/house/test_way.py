"""The way of the README's first example, which a reader walks from file to file, gets no longer.

Protects a compact engine: features and speed that enter the heart of it are seen here at once.
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers.way import code_lines

# Files and code lines, at most. A change that shortens the way lowers its figures here.
MOST = {
    "build": (9, 950),
    "derivative": (17, 1801),
    "reverse": (14, 1765),
    "simplify": (33, 3425),
    "program": (52, 4910),
    "call": (1, 8),
    "picture": (22, 2226),
    "engine": (43, 4254),
    "the way": (88, 8135),
    "first time": (123, 11643),
    "loaded": (332, 27439),
}


@pytest.fixture(scope="module")
def way():
    """The rows of the table, from a process in which nothing has run before."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.helpers.way", "--json"],
        cwd=Path(__file__).parents[2], capture_output=True, text=True, check=True,
    )  # fmt: skip
    return json.loads(done.stdout)


def test_the_way_gets_no_longer(way):
    for stage, (files, code) in MOST.items():
        assert way[stage]["files"] <= files, f"{stage}: files"
        assert way[stage]["code"] <= code, f"{stage}: code lines"


def test_figures_that_fell_are_held(way):
    """A bound is no more than a tenth above what it bounds, so that it cannot be forgotten."""
    for stage, (files, code) in MOST.items():
        assert files <= max(1.1 * way[stage]["files"], way[stage]["files"] + 1), stage
        assert code <= 1.1 * way[stage]["code"], stage


def test_every_stage_runs(way):
    assert all(way[stage]["run"] for stage in MOST if stage != "loaded")
    assert way["call"]["run"] > 1  # the program that was written


TEXT = '''"""A docstring
of two lines."""

# a comment
x = [
    1,
]

def f():
    "one"
    return x  # a result
'''


def test_code_lines_are_lines_with_code():
    assert code_lines(TEXT) == 5
