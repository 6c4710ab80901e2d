"""Entries of small arrays are pulled in the card, by pointer and by key, and Python agrees.

Runs where Chromium is.
"""

import json
import math

import numpy as np
import pytest

import autodiff_edu as ad

from ...helpers.depth import draws
from ...helpers.programs import random_program
from .explored import documents, plain, show, values

PLACE = "const r = %s.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]"


def pull_entry(page, n, by):
    """Drag the box of an entry sideways, in the card."""
    left, top = page.run(PLACE % f"e.root.querySelectorAll('aside input')[{n}]")
    for kind, along in (("mousePressed", left), ("mouseMoved", left + by / 2),
                        ("mouseMoved", left + by), ("mouseReleased", left + by)):  # fmt: skip
        page.tell("Input.dispatchMouseEvent", type=kind, x=along, y=top, button="left", buttons=1,
                  clickCount=1)  # fmt: skip


def array(page, shape):
    return next(p for p, v in documents()["arrays"]["at"].items() if v["shape"] == shape)


def test_an_entry_is_pulled_sideways_and_tells_its_slope(page):
    show(page, "arrays")
    W = array(page, [2, 2])
    page.run(f"e.go(e.model.end); e.pin('{W}')")
    pull_entry(page, 2, 30)
    assert values(page)[W] == [0.5, -0.2, 0.6, 0.8]
    text = page.run("return e.card.element.innerText")
    assert "W[1, 0] moved by 0.3, y by" in text and "its adjoint was" in text
    pull_entry(page, 1, 0)
    assert values(page)[W] == [0.5, -0.2, 0.6, 0.8]
    page.press("ArrowUp")
    assert math.isclose(values(page)[W][1], -0.1)
    page.press("Escape")
    assert values(page)[W] == [0.5, -0.2, 0.3, 0.8]


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_after_pulls_of_entries_all_numbers_are_python_s(page):
    for seed in range(draws(8)):
        inputs, numbers, y = random_program(seed)
        loss = ad.sum(y)
        inside = set(ad.Graph(loss).inputs)
        at = {x: v for x, v in zip(inputs, numbers, strict=True) if x in inside}
        wrt = [x for x in at if x.ndim]
        if not wrt:
            continue
        explorer = ad.explore(loss, at=at, wrt=wrt, derivative="reverse")
        page.run(f"show([{json.dumps(explorer.document)}]); e.go(e.model.last)")
        rng = np.random.default_rng(seed)
        for x, p in zip(wrt, explorer.document["wrt"], strict=True):
            page.run(f"if (e.pinned !== '{p}') e.pin('{p}')")
            n = int(rng.integers(at[x].size))
            pull_entry(page, n, int(rng.integers(5, 60)))
            there = at[x].copy()
            there.flat[n] = plain(page.run(f"return e.at['{p}'].data[{n}]"))
            assert there.flat[n] != at[x].flat[n]
            at[x] = there
        pulled = ad.explore(loss, at=at, wrt=wrt, derivative="reverse").document
        here = values(page)
        same_frame = set(pulled["python"]) & set(here)
        for p in same_frame:
            if here[p] not in (None, "needs") and pulled["first"].get(p) == explorer.document[
                "first"].get(p):  # fmt: skip
                want = np.array(plain(pulled["python"][p]), float)
                np.testing.assert_allclose(here[p], want.ravel() if want.ndim else want, rtol=1e-9,
                                           atol=1e-9, err_msg=f"{seed}: {p}")  # fmt: skip
        found = page.run("return e.model.answer(e.shown, e.at, e.cut).map((v) => [...v.data])")
        for x, slope in zip(wrt, found, strict=True):
            want = ad.evaluate(ad.grad(loss, x), at)
            np.testing.assert_allclose(slope, np.ravel(want), rtol=1e-8, atol=1e-8)
