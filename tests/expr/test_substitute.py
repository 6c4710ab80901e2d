"""One walk rebuilds what stands above a node that was replaced."""

import pytest

from autodiff_edu.expr import Graph, RewriteLoopError, put_in, resolve, same, substitute
from autodiff_edu.ops import add, cos, scalar, sin
from tests.helpers.depth import some

x, y, z = scalar("x"), scalar("y"), scalar("z")


def test_a_node_becomes_another_again_and_again():
    became = {x: y, y: z}
    (found,) = substitute([sin(x) + y], became)
    assert same(found, sin(z) + z)


def test_the_table_grows_by_the_ancestors_that_were_rebuilt():
    old = sin(x)
    became = {x: y}
    (found,) = substitute([cos(old)], became)
    assert became[old] is found.inputs[0]


def test_what_does_not_change_stays_the_same_object():
    kept, whole = sin(y), cos(x) + sin(y)
    (found,) = substitute([kept + whole], {x: z})
    assert found.inputs[0] is kept


def test_values_are_put_in_all_at_once():
    found = put_in([x - y, x], {x: y, y: x + 1})
    assert same(found, [y - (x + 1), y])


def test_what_is_put_in_is_not_walked():
    deep = z
    for _ in range(1000):
        deep = sin(deep)
    visited = []

    def visit(n):
        visited.append(n)
        final[n] = n

    final = {x: deep}
    resolve([x + y], {}, final, visit)
    assert visited == [y] + visited[1:] and len(visited) == 2


def test_types_may_be_told_anew():
    (found,) = put_in([x + y], {x: y}, lambda n, inputs: add(*inputs) if n.op else n)
    assert same(found, y + y)


def test_a_node_that_becomes_what_is_made_of_it_is_refused():
    with pytest.raises(RewriteLoopError, match="made of it"):
        substitute([cos(x)], {x: sin(x)})


def test_long_chains_need_no_recursion():
    deep = x
    for _ in some(range(50_000), 10):
        deep = sin(deep)
    for found in (substitute([deep], {x: y}), put_in([deep], {x: y})):
        assert Graph(found).inputs == (y,)
