"""The smallest tree on which an answer fails, drawn with the student's answer at each of its parts.

A tree is a leaf or a tuple (operation, left, right). The student's function is called on each part,
so that the picture shows the first node at which it is wrong:

    ("add", ("multiply", "x", "x"), 3)     becomes     ("multiply", "x", "x")
"""

from collections.abc import Callable, Iterator
from typing import Any

from .chart import OPERATORS, chart_answers
from .counterexample import smallest

Tree = Any


def smallest_tree(tree: Tree, fails: Callable[[Tree], bool]) -> Tree:
    """The tree after as many cuts as leave it a failure; it still has an operation.

    Parameters
    ----------
    tree : tuple
        The tree in which an answer fails.
    fails : callable
        Whether the answer fails in a tree.

    Returns
    -------
    tuple
        The last tree in which it fails.
    """
    return smallest(tree, smaller, lambda other: isinstance(other, tuple) and fails(other))


def smaller(tree: Tree) -> Iterator[Tree]:
    """A part in place of the whole, then in place of a part."""
    if isinstance(tree, tuple):
        op, left, right = tree
        yield from (left, right)
        yield from ((op, other, right) for other in smaller(left))
        yield from ((op, left, other) for other in smaller(right))


def parts(tree: Tree) -> Iterator[Tree]:
    """All parts, operands first; the same part may come twice."""
    if isinstance(tree, tuple):
        for part in tree[1:]:
            yield from parts(part)
    yield tree


def chart_tree(
    title: str,
    tree: Tree,
    own: Callable[[Tree], Any],
    right: Callable[[Tree], Any],
    spelled: Callable[[Any], str],
) -> None:
    """Draw a tree; equal parts are one node.

    Parameters
    ----------
    title : str
        What stands above the picture.
    tree : tuple
        The tree.
    own : callable
        The student's answer for a part.
    right : callable
        The right answer for a part.
    spelled : callable
        An answer in words.
    """
    names = {part: f"n{k}" for k, part in enumerate(dict.fromkeys(parts(tree)))}
    links = {
        names[part]: [names[o] for o in part[1:]] if isinstance(part, tuple) else []
        for part in names
    }
    texts = {
        names[part]: OPERATORS[part[0]] if isinstance(part, tuple) else str(part) for part in names
    }
    yours, theirs = ({n: answer(part) for part, n in names.items()} for answer in (own, right))
    chart_answers(title, links, texts, yours, theirs, spelled)
