"""Reading graphs: counts, a graph for a sentence, one node for what is shared."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from typing import Any

import numpy as np

from ...expr import Expr, Graph, Input, TensorType, evaluate
from ..harness.check import call, cases, where
from ..harness.checker import checker
from ..harness.feedback import Wrong, complain, expect, kind, spell
from ..harness.sketch import sketch_graph

# ---- how many nodes

MISCOUNTED = {
    ("graph", True): "too many: what is used twice is one node, and equal constants are one",
    ("graph", False): "too few: inputs and constants are nodes, and what is written twice is two",
    ("tree", True): "too many: in a tree every node is there once for each of its uses",
    ("tree", False): "too few: all that is below a shared node is there at each of its uses",
}


@checker
def check_counts(
    student: Callable[[], Mapping[str, Sequence[int]]], formulas: Mapping[str, Expr]
) -> None:
    """student() says of each formula how many nodes its graph has, and how many its tree.

    Parameters
    ----------
    formulas : dict
        The expressions by name.

    Raises
    ------
    Wrong
        If it is not so, with where and in which direction.
    """
    said, name = call(student, ()), student.__name__
    if not isinstance(said, Mapping) or said.keys() != formulas.keys():
        complain(name, "a dict with an entry for each formula", spell(said))
    for formula, e in formulas.items():
        pair, sizes = said[formula], (Graph(e).size, Graph(e).tree_size)
        if not (isinstance(pair, (tuple, list)) and [whole(n) for n in pair] == [True, True]):
            complain(name, "two whole numbers: of the graph, of the tree", spell(pair), formula)
        for form, got, size in zip(("graph", "tree"), pair, sizes, strict=True):
            if got != size:
                why = MISCOUNTED[form, got > size]
                raise Wrong(f"as a {form}, {why}\n  got       {got}\n  at        {formula}")
    print(f"{name}: right for {len(formulas)} formulas")


def whole(n: Any) -> bool:
    return isinstance(n, (int, np.integer)) and not isinstance(n, bool)


# ---- from words to graphs

SPOKEN = {"sum": "add", "difference": "subtract", "product": "multiply", "quotient": "divide"}
ANY_ORDER = {"add", "multiply"}


@checker
def check_sentences(
    student: Callable[..., Mapping[str, Expr]],
    sentences: Mapping[str, str],
    fingerprints: Mapping[str, str],
) -> None:
    """student(a, b, c) has for each sentence an expression of just this structure.

    The operands of a sum or product may have either order, and what is equal may be shared.

    Parameters
    ----------
    sentences : dict
        In words: the sum, difference, product or quotient of what and what.
    fingerprints : dict
        What `fingerprint` gives for the right expressions, so that the check does not have them.

    Raises
    ------
    Wrong
        If it is not so, with the sentence and what is wrong with its graph.
    """
    inputs = [Input(letter, TensorType("float64", ())) for letter in "abc"]
    found, name = call(student, inputs, by_hand=False), student.__name__
    if not isinstance(found, Mapping) or found.keys() != sentences.keys():
        complain(name, "a dict with an entry for each sentence", spell(found))
    for key, words in sentences.items():
        e = found[key]
        at = f"{key}: {words}"
        if not isinstance(e, Expr) or not set(Graph(e).inputs) <= set(inputs):
            complain(name, "an expression in a, b and c", spell(e), at)
        sketch_graph(f"{name}: your graph of {key}", [e])
        needed = Counter({op: words.count(word) for word, op in SPOKEN.items() if word in words})
        if operations(e) != needed:
            what = f"{name}: these are not the operations of the sentence"
            complain(what, listed(needed), f"{e}, with {listed(operations(e))}", at)
        if fingerprint(e) != fingerprints[key]:
            why = "the operations are right, but not what they are applied to"
            raise Wrong(f"{name}: {why}\n  got       {e}\n  at        {at}")
    sketch_graph(f"{name}: your graphs, as one", [found[key] for key in sentences])
    print(f"{name}: {len(sentences)} graphs have the structure of their sentences")


def operations(e: Expr) -> Counter[str]:
    """How often each operation is there, in the tree."""
    counts: dict[Expr, Counter[str]] = {}
    for n in Graph(e).nodes:
        counts[n] = sum((counts[i] for i in n.inputs), Counter([n.op.name] if n.op else []))
    return counts[e]


def listed(counts: Counter[str]) -> str:
    return ", ".join(f"{counts[op]} × {op}" for op in sorted(counts)) or "no operation"


def fingerprint(e: Expr) -> str:
    """The structure of an expression as twelve letters; sums and products have no order."""
    marks: dict[Expr, str] = {}
    for n in Graph(e).nodes:
        words = [n.op.name if n.op else str(n), *(marks[i] for i in n.inputs)]
        if words[0] in ANY_ORDER:
            words[1:] = sorted(words[1:])
        marks[n] = sha256(" ".join(words).encode()).hexdigest()
    return marks[e][:12]


# ---- one node for what is equal


@checker
def check_shared(
    student: Callable[..., Any],
    of: Callable[..., Any],
    most: int,
    *,
    trials: int = 30,
    seed: int | None = None,
) -> None:
    """student(x, y) has the values of `of`, in a graph of at most so many operations.

    Parameters
    ----------
    student : callable
        What the student wrote, for numbers and for expressions.
    of : callable
        The function as it is written.
    most : int
        How many operations are allowed; inputs and constants are free.

    Raises
    ------
    Wrong
        If it is not so, with where, and what is right.
    """
    name = student.__name__
    for args, _ in cases(lambda rng: rng.uniform(-2, 2, 2).round(3).tolist(), (), trials, seed):
        expect(of(*args), call(student, args), where(student, args))
    inputs = [Input(letter, TensorType("float64", ())) for letter in "xy"]
    e, before = call(student, inputs, by_hand=False), len(Graph(of(*inputs)).operations)
    if not isinstance(e, Expr):
        at = where(student, inputs)
        raise Wrong(f"{name}: the result must be an expression, and is {kind(e)}\n  at        {at}")
    sketch_graph(f"{name}: your graph", [e])
    for args, _ in cases(lambda rng: rng.uniform(-2, 2, 2).round(3).tolist(), (), 3, seed):
        given = dict(zip(inputs, args, strict=True))
        got = evaluate(e, {n: given[n] for n in Graph(e).inputs if n in given})
        expect(of(*args), got, f"{name}(x, y) = {e}, and there x={args[0]}, y={args[1]}")
    found = len(Graph(e).operations)
    if found > most:
        complain(f"{name}: the graph has too many operations", f"at most {most}", found, f"{e}")
    print(f"{name}: right at {trials} inputs, and {before} operations became {found}")
