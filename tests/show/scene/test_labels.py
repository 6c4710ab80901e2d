"""What is written in a part is composed twice: in Python for still pictures, and in the script.
Both write the same.
"""

import json

import pytest

import autodiff_edu as ad
from autodiff_edu.show.scene.boxes import FAR, frames_of

from ...helpers.depth import draws, some
from ...helpers.programs import random_numbers, random_program
from . import test_evaluator
from .explored import documents, x1, x2


class Seven(ad.Op):
    """An operation of nothing."""

    name, arity = "seven", 0

    def infer_type(self):
        return x1.type

    def perform(self):
        return 7.0

    def pullback(self, inputs, outputs, cotangents):
        return []


def random_documents():
    for seed in range(draws(10)):
        inputs, values, y = random_numbers(seed)
        at = dict(zip(inputs, values, strict=True))
        yield f"numbers {seed}", ad.explore(y, at=at, derivative="reverse").document
        *_, y = random_program(seed)
        yield f"program {seed}", ad.explore(y, derivative=None).document


def all_documents():
    yield from some([(n, d) for n, d in documents().items() if n != "names"], 7)
    yield from test_evaluator.documents(of=24)
    yield from random_documents()
    powers = x1**2 + x1**3 + x1**-1 + x1**0.5 + x1**x2 + 2.0**x1 + ad.exp(x1) ** x2
    powers += (-2.0) ** x1 + ad.square(ad.constant(-2.0)) + ad.constant(-2.0) ** 3
    powers += Seven()()
    for name, way in some((("powers", None), ("derived", "reverse")), 2):
        yield name, ad.explore(powers, at={x1: 2.0, x2: 3.0}, derivative=way).document


def is_far(words, a, p):
    """Are there more than two rows between the two?"""
    rows = [words.parts[q].get("y", 0) for q in (a, p)]
    return abs(rows[0] - rows[1]) > FAR


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_the_picture_and_the_script_write_the_same_words(page):
    for name, document in all_documents():
        page.run(f"show([{json.dumps(document)}])")
        script = page.run("""return e.model.steps.concat(0).map((_, k) => {
            const frame = e.model.frame(k);
            const pairs = Object.keys(frame).map((p) => [p, e.formulas.label(p, frame)]);
            return Object.fromEntries(pairs);
        })""")
        for k, words in enumerate(frames_of(document)):
            for p in words.boxes():
                parts = words.contents[p][1] if len(words.contents[p]) > 1 else ()
                operands = [a for a in (parts if isinstance(parts, list) else ()) if type(a) is str]
                if words.is_lone and any(words.is_drawn(a, p) and is_far(words, a, p)
                                         for a in operands):  # fmt: skip
                    continue  # the picture has an edge around what is there, the script a name
                here = words.label(p, words.contents[p])
                assert script[k][p] == here, (name, k, p, words.contents[p])
