"""A round of a loop, or the hits of a search, alone: nearer together, and nothing is lost."""

import json

import autodiff_edu as ad

from ...helpers.depth import is_short, some
from .explored import show

W = ad.scalar("w")


def written_out(rounds):
    h = 0.1
    for _ in range(rounds):
        h = ad.tanh(W * h + 0.5)
    return h


def search(page, words):
    page.run(f"e.search.open(); e.search.box.value = '{words}'; e.search.find()")
    return page.run("return e.search.list")


def test_a_round_of_a_loop_is_what_its_line_made_in_that_round(page):
    for rounds in some((2, 5, 12), 3):
        explorer = ad.explore(written_out(rounds), at={W: 0.7}, derivative="reverse")
        page.run(f"show([{json.dumps(explorer.document)}]); e.go(e.model.end)")
        parts, seen = explorer.document["parts"], []
        for t in range(1, rounds + 1):
            hits = search(page, f"t = {t}")
            values = [p for p in hits if parts[p]["kind"] == "value"]
            held = [explorer.document["first"][p][0] for p in values]
            assert held == ["multiply", "add", "tanh"], (t, held)
            places = {parts[p]["of"] for p in hits if parts[p]["kind"] == "place"}
            assert places == set(values), t
            seen += hits
        assert len(seen) == len(set(seen))
        assert search(page, f"t = {rounds + 1}") == []


def test_only_these_shows_the_hits_with_their_neighbours_and_all_come_back(page):
    explorer = ad.explore(written_out(15 if is_short() else 30), at={W: 0.7}, derivative="reverse")
    page.run(f"show([{json.dumps(explorer.document)}]); e.go(e.model.end); e.open()")
    whole = page.run("return [e.view.places.placed.length, e.view.places.size.height]")
    hits = search(page, "t = 3")
    page.run("e.search.alone.click()")
    few = page.run("return [e.view.places.placed.length, e.view.places.size.height]")
    drawn = page.run("return [...e.view.picture.shapes.keys()]")
    assert set(hits) <= set(drawn) and few[0] < 20 and few[1] < whole[1] / 3
    page.run("e.turn('table'); e.turn('table'); e.go(e.model.last); e.go(3); e.pin('0')")
    page.run("e.pull('0', 0.9); e.putBack(); e.search.close()")
    assert page.run("return [e.view.places.placed.length, e.view.places.size.height]") == whole
    assert not page.errors


def test_a_line_that_is_used_once_has_no_rounds(page):
    show(page, "five")
    assert search(page, "t = 1") == []
    assert len(search(page, "log")) == 1
