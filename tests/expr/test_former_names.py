"""Modules of the core by the names that they had before: old imports and old pickles find them."""

import importlib
import pickle
import zlib
from base64 import b64decode
from pathlib import Path

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu.expr.former import FORMER

ROWS = Path(__file__).with_name("stored_before_the_core.txt").read_text("utf-8").splitlines()
STORED = dict(row.split() for row in ROWS)  # what was pickled before there was a core


@pytest.mark.each("name", FORMER)
def test_an_old_name_is_the_new_module(name):
    new = importlib.import_module(f"autodiff_edu.core.{FORMER[name]}")
    assert importlib.import_module(f"autodiff_edu.{name}") is new


def stored(name):
    return pickle.loads(zlib.decompress(b64decode(STORED[name])))


def test_stored_expressions_load_and_compute():
    y = stored("expression")
    (x,) = ad.Graph(y).inputs
    assert str(y) == "sum(exp(x) * w, axis=(0,)) + 1"
    assert ad.evaluate(y, {x: np.zeros(2)}) == 5
    graph = stored("graph")
    assert [i.name for i in graph.inputs] == ["x", "z"]


def test_stored_stages_load_with_their_frames():
    assert str(list(stored("stage").frames())) == str(list(ad.simplify(z * 1 + 0).frames()))
    assert stored("stage").counts == {"times one": 1, "plus zero": 1}
    assert str(stored("derivative").output) == "(1 * z) + (z * 1)"


def test_stored_rules_and_patterns_load():
    assert str(stored("rule")) == str(ad.RULES["times one"])
    assert str(stored("pattern")) == "a * 2"


z = ad.scalar("z")
