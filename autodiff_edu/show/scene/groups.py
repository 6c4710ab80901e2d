"""The groups of a formula that is too large to read: the rounds of a loop, calls of functions, what
the user named by `ad.group`, and lines.

A group is what was written one after another, so no way leads out of it and back: groups are the
nodes of a graph again. Letters: n a node.
"""

import re
from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby, pairwise
from types import CodeType
from typing import NamedTuple

from ...expr import Expr, Place, first_place, is_derived
from ..build.labels import groups as names_of

MANY = 60  # values that a reader can follow without groups
FEW = 15  # operations of a group that has no groups in it
MOST = 24  # groups that stand one after another: more are taken together
PART = 20  # operations of a part of what is not otherwise divided
LABEL = re.compile(r"(step|line|part) (\d+)")


class Group(NamedTuple):
    """One box for a reader: its label, all its nodes, and the groups in it."""

    label: str
    nodes: Sequence[Expr]
    inner: "Sequence[Group]" = ()


def grouped(values: Sequence[Expr]) -> Group:
    """The whole formula as a group, with the outermost groups in it: none where a reader can follow
    all of its values."""
    if len(values) <= MANY:
        return Group("", values)
    order = as_written([n for n in values if not is_derived(n)])
    derived = [n for n in values if is_derived(n)]  # read from the results back to the inputs
    parts = [Group("derivative", derived, parted(derived))] if derived else []
    return Group("", [*order, *derived], [*split(order), *parts])


def by_name(values: Sequence[Expr], is_split: bool = False, level: int = 0) -> Group:
    """The whole formula, with the groups that the user named; one whose nodes do not follow each
    other is several. What is in no group, or in one alone, is `split` if it is asked for."""
    order = as_written(values) if not level else values
    paths = {n: names_of(n) for n in order}
    labels = [paths[n][level : level + 1] or ("",) if n.op is not None else None for n in order]
    pieces = runs_by(order, [label and label[0] for label in labels])
    inner: list[Group] = []
    for label, nodes in pieces:
        if label:
            inner.append(by_name(nodes, is_split, level + 1)._replace(label=label))
        elif is_split:
            inner += group("", nodes).inner
    return Group("", order, inner)


def split(order: Sequence[Expr]) -> Sequence[Group]:
    """Groups of these nodes; a node that is no group's stands alone."""
    pieces = [piece for piece in named(order) or rounds(order) or runs(order) if piece[1]]
    if len(pieces) == 1:
        label, nodes = pieces[0]
        return group(label, nodes).inner if label and nodes is not order else parted(order)
    long = [nodes for label, nodes in pieces if not label and size(nodes) > FEW]
    beside = [piece for nodes in long for piece in runs(nodes)]  # before a loop, and after it
    return [*together(pieces), *together(beside)]


def together(pieces: "Iterable[Piece]") -> Sequence[Group]:
    """The groups of the pieces that have a label."""
    return taken_together([group(*piece) for piece in pieces if piece[0]])


def group(label: str, nodes: Sequence[Expr]) -> Group:
    if size(nodes) <= FEW:
        return Group(label, nodes)
    order = as_written(nodes)
    return Group(label, order, split(order))


def parted(order: Sequence[Expr]) -> Sequence[Group]:
    """Parts of what is one line, or was written nowhere."""
    if size(order) <= MANY:
        return ()
    cuts = [order[k : k + PART] for k in range(0, len(order), PART)]
    return taken_together([Group(f"part {k} of {len(cuts)}", cut) for k, cut in enumerate(cuts, 1)])


def size(nodes: Iterable[Expr]) -> int:
    """The number of operations."""
    return sum(n.op is not None for n in nodes)


# ---- the order in which the program made the nodes


def as_written(nodes: Sequence[Expr]) -> list[Expr]:
    """The nodes in the order of the lines that made them, as far as one can tell: read backwards,
    each stands as late as it can, and a line of the program stands before the lines below it."""
    inside, users = set(nodes), Counter[Expr]()
    for n in nodes:
        users.update(i for i in dict.fromkeys(n.inputs) if i in inside)
    own, number = main(nodes), {n: k for k, n in enumerate(nodes)}
    ready: list[tuple[int, int]] = []  # nodes of the program's own lines, by instruction
    elsewhere: list[Expr] = []
    order: list[Expr] = []

    def open_node(n: Expr, user: Expr | None) -> None:
        if place_of(n, own) is None or (user is not None and is_one_call(n, user)):
            elsewhere.append(n)
        else:
            insort(ready, (instruction(n), number[n]))

    for n in nodes:
        if not users[n]:
            open_node(n, None)
    now = -1
    while ready or elsewhere:
        if elsewhere:
            n = elsewhere.pop()
        else:
            k = bisect_left(ready, (now,)) if now >= 0 else len(ready)
            now, j = ready.pop(k - 1)  # of no earlier line: the last one of the round before
            n = nodes[j]
        order.append(n)
        for i in dict.fromkeys(n.inputs):
            if i in inside:
                users[i] -= 1
                if not users[i]:
                    open_node(i, n)
    return order[::-1]


def main(nodes: Sequence[Expr]) -> CodeType | None:
    """The code that made the last of the nodes: a cell, or a function that calls the others."""
    places = (first_place(n) for n in reversed(nodes) if n.op is not None)
    return next((place.code for place in places if isinstance(place, Place)), None)


def place_of(n: Expr, code: CodeType | None) -> Place | None:
    """The place of a node that this code made."""
    place = first_place(n) if n.op is not None else None
    return place if isinstance(place, Place) and place.code is code else None


def instruction(n: Expr) -> int:
    place = first_place(n)
    assert isinstance(place, Place)
    return place.instruction


def is_one_call(n: Expr, user: Expr) -> bool:
    """Did one instruction make both, as it makes the sum and the quotient of a mean?"""
    places = first_place(n), first_place(user)
    return (all(isinstance(place, Place) for place in places) and n.op is not user.op
            and places[0] == places[1] and instruction(n) == instruction(user))  # fmt: skip


# ---- pieces: labels, and what they are the labels of

Piece = tuple[str, Sequence[Expr]]


def rounds(order: Sequence[Expr]) -> list[Piece]:
    """The rounds of the outermost loop that was written out, and what stands before and after."""
    own = main(order)
    steps = [(k, instruction(n)) for k, n in enumerate(order) if place_of(n, own) is not None]
    jumps = [b for a, b in pairwise(steps)
             if b[1] <= a[1] and not is_one_call(order[a[0]], order[b[0]])]  # fmt: skip
    if not jumps:
        return []
    first = min(i for _, i in jumps)
    starts = [k for k, i in jumps if i <= first]
    last = max(i for k, i in steps if k < starts[-1] and i >= first)
    before = next(k for k, i in steps if i >= first)
    after = next((k for k, i in steps if k >= starts[-1] and i > last), len(order))
    cuts = [start_of(order, k, own) for k in (before, *starts, after)]
    count = len(cuts) - 1
    pieces = [("", order[: cuts[0]])]
    for k, (a, b) in enumerate(pairwise(cuts)):
        pieces.append((f"step {k + 1} of {count}", order[a:b]))
    return [*pieces, ("", order[cuts[-1] :])]


def start_of(order: Sequence[Expr], k: int, own: CodeType | None) -> int:
    """Where that begins which was made for node k alone: what a function gave it goes before."""
    while 0 < k < len(order) and place_of(order[k - 1], own) is None:
        k -= 1
    return k


def named(order: Sequence[Expr]) -> list[Piece]:
    """The groups that the user named, if each name is that of one run of nodes."""
    pieces = runs_by(
        order, [(names_of(n) or ("",))[0] if n.op is not None else None for n in order]
    )
    labels = [label for label, _ in pieces if label]
    return pieces if len(labels) == len(set(labels)) > 1 else []


def runs(order: Sequence[Expr]) -> list[Piece]:
    """Calls of functions, and lines."""
    own, labels = main(order), list[str | None]()
    for n in order:
        place = first_place(n) if n.op is not None else None
        if not isinstance(place, Place):
            labels.append(None)
        elif place.code is own or place.code.co_name[:1] == "<":
            labels.append(f"line {place.line}")
        else:
            labels.append(f"{place.code.co_name}()")
    return runs_by(order, labels)


def runs_by(order: Sequence[Expr], labels: Sequence[str | None]) -> list[Piece]:
    """Nodes one after another that have the same label; one without has that of the next one."""
    whole, label = list[str](), ""
    for own in reversed(labels):
        label = label if own is None else own
        whole.append(label)
    pairs = groupby(zip(reversed(whole), order, strict=True), key=lambda pair: pair[0])
    return [(label, [n for _, n in piece]) for label, piece in pairs]


def taken_together(groups: list[Group]) -> list[Group]:
    """The groups that have several operations; groups of groups where there are very many."""
    if len(groups) <= MOST:
        return several(groups)
    each = max(-(-len(groups) // MOST), round(len(groups) ** 0.5))
    parts = [groups[k : k + each] for k in range(0, len(groups), each)]
    return [part[0] if len(part) == 1 else Group(span(part), nodes_of(part), taken_together(part))
            for part in parts]  # fmt: skip


def nodes_of(groups: Iterable[Group]) -> list[Expr]:
    return [n for g in groups for n in g.nodes]


def several(groups: Iterable[Group]) -> list[Group]:
    return [g for g in groups if size(g.nodes) > 1]


def span(groups: Sequence[Group]) -> str:
    """steps 1–8, or the labels of the first and the last."""
    first, last = groups[0].label, groups[-1].label
    ends = [LABEL.match(label) for label in (first, last)]
    if ends[0] and ends[1] and ends[0][1] == ends[1][1]:
        return f"{ends[0][1]}s {ends[0][2]}–{ends[1][2]}"
    return f"{first} … {last}"
