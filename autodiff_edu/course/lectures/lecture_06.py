"""Two derivations of one derivative: what both have, how they become one, which end to start from.

A tree of a derivative is 0, 1, a name such as "cos(x)", or ("add" or "multiply", left, right): all
other operations are names. Multiplied out it is a list of terms, each a list of names.
"""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, NoReturn

import numpy as np

from ...differentiate import reverse_mode, symbolic_derivative
from ...expr import Constant, Expr, Graph, Input, TensorType
from ...ops import exp, sin
from ..harness.check import call, where
from ..harness.checker import checker
from ..harness.counting import counted
from ..harness.failing_tree import Tree, chart_tree, smallest_tree
from ..harness.feedback import Wrong, complain, expect, spell

Terms = list[list[str]]
Matrix = list[list[float]]


def both(formula: Expr) -> tuple[Expr, Expr]:
    """Its derivative in x by the rules, and by one sweep; nothing is simplified."""
    (x,) = [i for i in Graph(formula).inputs if i.name == "x"]
    return symbolic_derivative(formula, x).output, reverse_mode(formula, x).output


# ---- what both have


@checker
def check_overlap(
    student: Callable[[], Mapping[str, Collection[str]]],
    formulas: Mapping[str, Expr],
    nodes: Mapping[str, Collection[str]],
) -> None:
    """student() is for each formula the set of those nodes that both derivations have.

    Parameters
    ----------
    formulas : dict
        Expressions in x, by name.
    nodes : dict
        For each formula the nodes in question, as they are printed.

    Raises
    ------
    Wrong
        If it is not so, with the formula and the kind of error.
    """
    said, name = call(student, ()), student.__name__
    check_entries(name, said, formulas)
    for key, formula in formulas.items():
        found, at = said[key], str(formula)
        if not isinstance(found, (set, frozenset, list, tuple)):
            complain(name, "a set of nodes for each formula", spell(found), at)
        if strange := [n for n in found if n not in list(nodes[key])]:
            complain(name, "nodes of the list alone", spell(strange[0]), at)
        by_rules, by_sweep = ({str(n) for n in Graph(e).operations} for e in both(formula))
        shared = by_rules & by_sweep & set(nodes[key])
        problems = {
            "one derivation alone has a node of your set": set(found) - shared,
            "your set lacks a node that both derivations have": shared - set(found),
        }
        for problem, wrong in problems.items():
            if wrong:
                got = spell(sorted(found))
                raise Wrong(f"{name}: {problem}\n  got       {got}\n  at        {at}")
    print(f"{name}: right for {len(formulas)} formulas")


def check_entries(name: str, said: Any, formulas: Mapping[str, Expr]) -> None:
    if not isinstance(said, Mapping) or said.keys() != formulas.keys():
        complain(name, "a dict with an entry for each formula", spell(said))


# ---- how much it takes to make them one


def as_tree(n: Expr) -> Tree:
    """Sums and products as tuples; zeros and ones as numbers; all else as it is printed."""
    if n.op and n.op.name in ("add", "multiply"):
        return (n.op.name, *map(as_tree, n.inputs))
    if isinstance(n, Constant) and n.value in (0, 1):
        return int(n.value)
    return str(n)


def bare(tree: Tree) -> Tree:
    """Without factors 1 and terms 0; a product with 0 is 0."""
    if not isinstance(tree, tuple):
        return tree
    op, left, right = (tree[0], *map(bare, tree[1:]))
    if op == "multiply" and 0 in (left, right):
        return 0
    if left == (op == "multiply"):  # the number that changes nothing: 1 in products, 0 in sums
        return right
    return left if right == (op == "multiply") else (op, left, right)


def ordered(tree: Tree) -> Tree:
    """The operands of each sum and product, however bracketed, in one order."""
    if not isinstance(tree, tuple):
        return tree
    parts: list[Tree] = []
    for part in map(ordered, tree[1:]):
        inner = isinstance(part, tuple) and part[0] == tree[0]
        parts += part[1:] if inner else [part]
    return (tree[0], *sorted(parts, key=repr))


def terms(tree: Tree) -> Terms:
    """The sum over paths: every product of the factors along one, in one order."""
    if isinstance(tree, str):
        return [[tree]]
    if not isinstance(tree, tuple):
        return [[]] * tree
    left, right = map(terms, tree[1:])
    if tree[0] == "add":
        return sorted(left + right)
    return sorted(sorted(a + b) for a in left for b in right)


LEVELS: Mapping[str, Callable[[Tree], Tree]] = {
    "merge": lambda tree: tree,
    "ones": bare,
    "order": lambda tree: ordered(bare(tree)),
    "multiply out": terms,
}


def enough(formula: Expr) -> str:
    """The first of the levels at which the two derivations are the same."""
    trees = [as_tree(e) for e in both(formula)]
    same = [level for level, form in LEVELS.items() if form(trees[0]) == form(trees[1])]
    return same[0]


@checker
def check_enough(student: Callable[[], Mapping[str, str]], formulas: Mapping[str, Expr]) -> None:
    """student() says for each formula what it takes to make its two derivations the same.

    The levels are "merge", "ones", "order" and "multiply out"; each includes those before it.

    Parameters
    ----------
    formulas : dict
        Expressions in x, by name.

    Raises
    ------
    Wrong
        If it is not so, with the formula and the kind of error.
    """
    said, name, levels = call(student, ()), student.__name__, list(LEVELS)
    check_entries(name, said, formulas)
    for key, formula in formulas.items():
        if said[key] not in levels:
            complain(name, "one of the four levels", spell(said[key]), str(formula))
        more = levels.index(said[key]) - levels.index(enough(formula))
        if more:
            why = "less is enough" if more > 0 else "that is not enough"
            raise Wrong(f"{name}: {why}\n  got       {said[key]}\n  at        {formula}")
    print(f"{name}: right for {len(formulas)} formulas")


# ---- one form for both


@checker
def check_terms(
    student: Callable[[Tree], Sequence[Sequence[str]]],
    *,
    trials: int = 60,
    seed: int | None = None,
) -> None:
    """student(tree) is the list of its terms, and the same list for both derivations.

    Which order the terms and their factors have is free, as long as it is the same.

    Parameters
    ----------
    trials : int, default: 60
        How many random formulas are tried; each is differentiated in two ways.
    seed : int, optional
        Of the random formulas; by default a fresh one each time.

    Raises
    ------
    Wrong
        If it is not so, with the tree, and what is right.
    """
    rng, name = np.random.default_rng(seed), student.__name__
    for k in range(trials):
        formula = some_formula(rng, 1 + min(k // 15, 2))
        trees = [as_tree(e) for e in both(formula)]
        lists = []
        for tree in trees:
            at, got = where(student, (tree,)), call(student, (tree,))
            if not are_terms(got):
                complain(name, "a list of terms, each a list of names", spell(got), at)
            lists.append([list(term) for term in got])
            wanted = terms(tree)
            if sorted(map(sorted, lists[-1])) != wanted:
                object_to(student, tree)
        if lists[0] != lists[1]:
            two = "\n            ".join(map(spell, lists))
            why = "the two derivations have the same terms, in different orders"
            raise Wrong(f"{name}: {why}\n  got       {two}\n  at        {formula}")
    draw(student, "your terms of a small tree", EXAMPLE)
    print(f"{name}: both derivations of {trials} random formulas have the same terms")


def own_terms(student: Callable[[Tree], Any], tree: Tree) -> Terms | None:
    """The student's terms in one order, or None where they are no terms."""
    try:
        answer = call(student, (tree,))
    except Wrong:
        return None
    return sorted(map(sorted, answer)) if are_terms(answer) else None


def object_to(student: Callable[[Tree], Any], tree: Tree) -> NoReturn:
    """Raise Wrong, with the smallest tree whose terms are wrong, drawn."""

    def fails(other: Tree) -> bool:
        return own_terms(student, other) not in (None, terms(other))

    tree, name = smallest_tree(tree, fails), student.__name__
    draw(student, "the smallest tree whose terms are wrong", tree)
    right, got = terms(tree), call(student, (tree,))
    lines = f"  expected  {spell(right)}\n  got       {spell(got)}\n  at        "
    raise Wrong(f"{name}: {other_terms(got, right)}\n{lines}{where(student, (tree,))}")


def draw(student: Callable[[Tree], Any], title: str, tree: Tree) -> None:
    """Chart a tree, with the student's terms of each part."""

    def spelled(rows: Terms | None) -> str:
        if not rows:
            return "an error" if rows is None else "no term"
        return " + ".join("·".join(row) or "1" for row in rows)

    own = lambda part: own_terms(student, part)
    chart_tree(f"{student.__name__}: {title}", tree, own, terms, spelled)


EXAMPLE: Tree = ("multiply", ("add", "y", 1), ("multiply", "cos(x)", 1))


def are_terms(found: Any) -> bool:
    if not isinstance(found, (list, tuple)):
        return False
    return all(isinstance(t, (list, tuple)) and all(isinstance(n, str) for n in t) for t in found)


def other_terms(found: Terms, wanted: Terms) -> str:
    """What is wrong with the terms."""
    if len(found) != len(wanted):
        return "there are too many terms" if len(found) > len(wanted) else "terms are missing"
    return "a term has other factors"


def some_formula(rng: np.random.Generator, depth: int) -> Expr:
    """A formula of x and y with sums, products, sines and exps, in which x is."""
    x, y = (Input(letter, TensorType("float64", ())) for letter in "xy")

    def part(depth: int) -> Expr:
        kind = rng.integers(6) if depth else 6
        if kind >= 4:
            return x if rng.random() < 0.7 else y
        if kind < 2:
            return (sin, exp)[kind](part(depth - 1))
        left, right = part(depth - 1), part(depth - 1)
        return left + right if kind == 2 else left * right

    while True:
        formula = part(depth) if rng.random() < 0.3 else part(depth) * part(depth)
        if formula.op and any(i is x for i in Graph(formula).inputs):
            return formula


# ---- from which end


@checker
def check_chain(
    student: Callable[[list[Matrix]], Matrix], *, trials: int = 60, seed: int | None = None
) -> None:
    """student(factors) is their product, the last one leftmost, started from the cheaper end.

    Parameters
    ----------
    student : callable
        What the student wrote, for a list of matrices as lists of rows.
    trials : int, default: 60
        How many random chains are tried.
    seed : int, optional
        Of the random chains; by default a fresh one each time.

    Raises
    ------
    Wrong
        If it is not so, with the widths, and what is right.
    """
    rng, name = np.random.default_rng(seed), student.__name__
    for _ in range(trials):
        widths = rng.integers(1, 7, rng.integers(3, 7)).tolist()
        factors, tally = random_chain(rng, widths)
        at = f"widths {widths}, from the inputs to the result"
        got = call(student, (factors,))
        wanted = np.linalg.multi_dot([np.eye(widths[-1]), *map(np.array, factors[::-1])])
        expect(wanted, got, at)
        ends = multiplications(widths), multiplications(widths[::-1])
        found = tally["mul"]
        if found > min(ends):
            words = f"{ends[0]} from the inputs, {ends[1]} from the result"
            complain(f"{name}: too many multiplications ({words})", min(ends), found, at)
        if not found:
            complain(name, "products of the given numbers (arrays do not count)", "none", at)
    print(f"{name}: right, from the cheaper end, for {trials} random chains")


def random_chain(rng: np.random.Generator, widths: list[int]) -> tuple[list[Matrix], Counter[str]]:
    """Matrices of whole numbers that count; the first is widths[1] × widths[0]."""
    sizes = [(m, n) for n, m in zip(widths, widths[1:], strict=False)]
    numbers, tally = counted(rng.integers(-3, 4, sum(m * n for m, n in sizes)).tolist())
    fresh = iter(numbers)
    return [[[next(fresh) for _ in range(n)] for _ in range(m)] for m, n in sizes], tally


def multiplications(widths: Sequence[int]) -> int:
    """Those of a product that is begun at the first of these widths."""
    return widths[0] * sum(a * b for a, b in zip(widths[1:], widths[2:], strict=False))
