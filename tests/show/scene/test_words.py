"""The words of a step are mathematics: brackets go only where the formula says the same without."""

import ast

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu.expr import Graph, text
from autodiff_edu.show.scene.words import mathematical

from ...helpers.depth import draws
from ...helpers.programs import random_numbers, random_program

BACK = {"·": " * ", "^": " ** ", " − ": " - ", "−": "-", "²": " ** 2", "/": " / ", "…": "dots"}
INPUTS = [ad.matrix(name, shape=(2, 2)) for name in "xyz"]
KINDS = [
    lambda a, b: a + b, lambda a, b: a - b, lambda a, b: a * b, lambda a, b: a / b,
    lambda a, b: a @ b, lambda a, b: a**b, lambda a, b: ad.where((a < b) & ~(a == b), a, b),
    lambda a, b: -a, lambda a, b: a**2, lambda a, b: a**2.5 + b, lambda a, b: a**20,
    lambda a, b: a[0] * b, lambda a, b: a.T, lambda a, b: ad.sum(a, axis=0) * b,
    lambda a, b: ad.reshape(a, (4, 1))[:2] - b, lambda a, b: 1e-5 * a,
    lambda a, b: ad.sum(b, axis=(0, 1)) / a, lambda a, b: ad.maximum(a, -2.0),
]  # fmt: skip


def random_formula(seed):
    """All signs and settings, one in another."""
    draw = np.random.default_rng(seed)
    nodes = [*INPUTS]
    for _ in range(draw.integers(2, 7)):
        a, b = (nodes[-k] for k in draw.integers(1, 4, 2))
        nodes.append(KINDS[draw.integers(len(KINDS))](a, b))
    return nodes[-1]


def formulas():
    for seed in range(draws(60, least=12)):
        yield random_formula(seed)
        yield from Graph(random_program(seed)[2]).order
        yield from Graph(random_numbers(seed)[2]).order


def read(words):
    """The formula as Python reads it."""
    for sign, python in BACK.items():
        words = words.replace(sign, python)
    return ast.dump(ast.parse(words, mode="eval"))


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_without_its_needless_brackets_a_formula_reads_the_same():
    count = 0
    for n in formulas():
        if not (words := text(n)).endswith("…"):  # cut short in the middle
            assert read(mathematical(n)) == read(words), words
            count += 1
    assert count > 500


def test_brackets_that_say_nothing_are_left_out():
    x, y, _ = INPUTS
    assert mathematical(x * y + (x - 2)) == "x·y + (x − 2)"
    assert mathematical(2 * x**2 - y / x) == "2·x² − y/x"
    assert mathematical(ad.sum(x, axis=(0,)) + x) == "sum(x, axis=(0,)) + x"
