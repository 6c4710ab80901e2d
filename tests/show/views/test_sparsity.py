"""Patterns drawn: matrices in colours, seeds, products, and the graph with its index sets."""

import base64
import re
from xml.etree import ElementTree as ET

import pytest

import autodiff_edu as ad

x = ad.vector("x", shape=5)
y = ad.sin(x[1:]) * x[:-1]
COST = ad.sum((x[1:] - x[:-1]) ** 4)


def drawn():
    arrow = ad.concatenate([ad.sum(x)[None], x[1:]])
    return [
        ad.sparsity(y, x), ad.jacobian(y, x, sparse=True), ad.jacobian(arrow, x, sparse=True),
        ad.sparsity(COST, x, order=2), ad.hessian(COST, x, sparse=True, coloring="acyclic"),
        ad.sparsity(ad.constant([1.0]), x),
    ]  # fmt: skip


@pytest.mark.parametrize("what", drawn(), ids=repr)
def test_a_pattern_is_drawn_and_filmed(what):
    for picture in (what.draw(), *what.film(), ad.draw(what)):
        ET.fromstring(picture.svg)
        bundle = picture._repr_mimebundle_()
        assert bundle["text/plain"] == repr(picture) and "<img" in bundle["text/html"]
        for image in re.findall(r'base64,([^"]+)"', bundle["text/html"]):
            assert ET.fromstring(base64.b64decode(image)).tag.endswith("svg")


def test_matrix_seeds_and_products_stand_side_by_side():
    text = repr(ad.jacobian(y, x, sparse=True).draw())
    assert text.splitlines() == [
        "4 × 5, 8 nonzeros, in 2 colours by columns",
        "matrix", "01···", "·10··", "··01·", "···10",
        "seeds", "0·", "·1", "0·", "·1", "0·",
        "products", "01", "01", "01", "01",
    ]  # fmt: skip


def test_by_rows_seeds_and_products_lie():
    arrow = ad.concatenate([ad.sum(x)[None], x[1:]])
    text = repr(ad.jacobian(arrow, x, sparse=True).draw())
    assert text.splitlines()[7:] == ["seeds", "0····", "·1111", "products", "00000", "·1111"]


def test_the_graph_tells_the_index_sets_of_its_nodes():
    first = ad.film(ad.sparsity(y, x))[0]
    assert "{0} {1} {2} {3} …" in first.listing
    assert "{0 1} {1 2} {2 3} {3 4}" in first.listing


def test_of_a_large_pattern_the_first_rows_are_drawn():
    long = ad.vector("long", shape=1000)
    picture = ad.sparsity(long[1:] - long[:-1], long).draw()
    assert "the first 40 rows and columns" in repr(picture)
    assert picture.widths[0] < 900 and len(repr(picture).splitlines()) == 41


def test_a_colour_is_said_by_a_number_too():
    svg = ad.sparsity(y, x).draw().svg
    assert svg.count("<text") == 1 + 8


def test_before_there_are_colours_a_cell_has_no_number():
    """A 0 would say that the entry is zero, and means the first colour."""
    film = ad.sparsity(y, x).film()
    plain = film.frames[1].picture
    assert repr(plain).splitlines() == ["4 × 5, 8 nonzeros", "■■···", "·■■··", "··■■·", "···■■"]
    assert plain.svg.count("<text") == 1 and plain.svg.count("<rect") == 2 + 8
