"""Frames as trees: every use of a part is written out.

Values are a tree at the left and derivatives one at the right. Each copy stands in the row of its
part, so a derivative stays in the row of its value; what a derivative takes from the values is
named in it, as anywhere. All frames have one layout. A copy keeps its place as long as its part is
used there; and what a rewrite uses elsewhere takes its copies along. Letters: p and a a part, q a
copy of it.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from .folded import Point, routes
from .parts import Content, part_of
from .shortening import operands_of
from .steps import Contents, contents_of, with_contents

APART = 1.5  # columns between both sides
Document = Mapping[str, Any]


class Use(NamedTuple):
    """The user of a part, which is a copy, or "" for what nothing uses; the part; and which of the
    user's uses of it this is."""

    user: str
    part: str
    number: int


class Copies(NamedTuple):
    """The copies of one frame, users first: the use that each stands for, and its operands."""

    uses: dict[str, Use]
    operands: dict[str, list[str]]

    def chain(self, q: str) -> Iterator[str]:
        """A copy, its user, and so on."""
        while q:
            yield q
            q = self.uses[q].user if q in self.uses else ""


def written_out(document: Document) -> Document:
    """The document with a copy of each part for each of its uses."""
    return Tree(document).document


class Tree:
    """The copies of the parts in all frames, each with one user at most."""

    def __init__(self, document: Document):
        self.old, self.rows = document, document["parts"]
        self.contents = [*contents_of(document)]
        self.outs = [document["outs"]]
        self.outs += [step.get("outs", []) for step in document["steps"]]
        for k, outs in enumerate(self.outs):
            self.outs[k] = outs or self.outs[k - 1]
        self.number = Counter[str]()
        self.places: dict[Use, str] = {}  # the copy that stood there last
        self.below: dict[str, list[str]] = {"": []}  # each copy where it was made
        self.frames: list[Copies] = []
        for contents, outs in zip(self.contents, self.outs, strict=True):
            self.frames.append(self.frame(contents, outs))

    def is_seen(self, p: str) -> bool:
        return "x" in self.rows[p] and "in" not in self.rows[p]

    def side(self, p: str) -> int:
        return int(self.old["mode"] != "lone" and self.rows[p]["kind"] != "value")

    def operands(self, p: str, contents: Contents) -> list[str]:
        """The operands of a part that are drawn, once for each use."""
        return [a for a in operands_of(contents[p]) if a in contents
                and self.is_seen(a) and self.side(a) == self.side(p)]  # fmt: skip

    # ---- copies

    def frame(self, contents: Contents, outs: Sequence[str]) -> Copies:
        """The copies of a frame: first those that stand where they stood, then the others."""
        before, now = self.frames[-1] if self.frames else Copies({}, {}), Copies({}, {})
        parts = [p for p in contents if self.is_seen(p)]
        used = {a for p in parts for a in self.operands(p, contents)}
        roots = [Use("", p, 0) for p in parts if p not in used or p in outs]
        stack, waiting = roots[::-1], list[Use]()
        while stack or waiting:
            if stack:
                use = stack.pop()
                q = self.places.get(use, "")
                if not q or q in now.uses:
                    waiting.append(use)
                    continue
            else:
                use = waiting.pop(0)
                q = taken_along(use, before, now) or self.copy(use)
            self.places[use], now.uses[q] = q, use
            stack += reversed(self.uses_in(q, contents))
        return self.in_order(roots, now.uses, contents)

    def uses_in(self, q: str, contents: Contents) -> list[Use]:
        """The uses of its operands by a copy."""
        operands = self.operands(part_of(q), contents)
        return [Use(q, a, operands[:k].count(a)) for k, a in enumerate(operands)]

    def copy(self, use: Use) -> str:
        """A new copy; the first one keeps the name of the part."""
        p, siblings = use.part, self.below[use.user]
        q = f"{p}.{self.number[p]}" if self.number[p] else p
        self.number[p] += 1
        self.below[q] = []
        siblings.append(q)
        return q

    def in_order(self, roots: Sequence[Use], uses: Mapping[str, Use], contents: Contents) -> Copies:
        """The copies with their operands, which come first."""
        now, order = Copies({}, {}), list[str]()
        stack = [self.places[use] for use in roots]
        while stack:
            order.append(q := stack.pop())
            now.operands[q] = [self.places[use] for use in self.uses_in(q, contents)]
            stack += now.operands[q]
        now.uses.update({q: uses[q] for q in reversed(order)})
        return now

    # ---- places

    def spots(self) -> dict[str, Point]:
        """The column and the row of each copy."""
        at, first = dict[str, Point](), 0.0
        for side in (0, 1):
            roots = [q for q in self.below[""] if self.side(part_of(q)) == side]
            own = self.spread(roots)
            least = min([x for x, _ in own.values()], default=0.0)
            at |= {q: (x - least + first, y) for q, (x, y) in own.items()}
            first = max([x for x, _ in at.values()], default=0.0) + APART
        return at

    def spread(self, roots: Sequence[str]) -> dict[str, Point]:
        """Trees beside each other, each part in the middle above or below what it uses."""
        whole = Block({}, {})
        for q in roots:
            whole.add(self.block(q))
        return whole.at

    def block(self, root: str) -> "Block":
        """One tree; what stands beside a part, in its row, stands to the right of it."""
        order, stack = list[str](), [root]
        while stack:
            order.append(q := stack.pop())
            stack += self.below[q]
        blocks: dict[str, Block] = {}
        for q in reversed(order):
            y, operands = self.row(q), self.below[q]
            beside = [a for a in operands if self.row(a) == y]
            blocks[q] = block = Block({}, {})
            for a in operands:
                if a not in beside:
                    block.add(blocks.pop(a))
            xs = [block.at[a][0] for a in operands if a not in beside]
            x = sum(xs) / len(xs) if xs else 0.0
            x = max(x, block.ends[y][1] + 1) if y in block.ends else x
            block.put(Block({q: (x, y)}, {y: (x, x)}), 0.0)
            for a in beside:
                block.add(blocks.pop(a))
        return blocks[root]

    def row(self, q: str) -> float:
        return self.rows[part_of(q)]["y"]

    # ---- written down

    @property
    def document(self) -> Document:
        """The document with the copies, and with what stands in their open boxes."""
        at, inside = self.spots(), Insides(self.old)
        edges = dict.fromkeys((a, q) for now in self.frames for q in now.uses
                              for a in now.operands[q])  # fmt: skip
        rows = {p: {k: word for k, word in row.items() if k not in ("x", "y")}
                if self.is_seen(p) else row for p, row in self.rows.items()}  # fmt: skip
        for q, (x, y) in at.items():
            rows[q] = {**self.rows[part_of(q)], "x": round(x, 3), "y": y}
            inside.open(q, rows)
        opens = any("group" in rows[q] for q in at)
        bends = {f"{a}>{q}": line for (a, q), line in routes(at, edges, every=opens).items()}
        frames = [self.written(now, contents, inside)
                  for now, contents in zip(self.frames, self.contents, strict=True)]  # fmt: skip
        outs = [[self.places[Use("", p, 0)] if self.is_seen(p) else p for p in own]
                for own in self.outs]  # fmt: skip
        document = with_contents(self.old, frames)
        steps = [step | {"outs": own}
                 for step, own in zip(document["steps"], outs[1:], strict=True)]  # fmt: skip
        return {**document, "parts": rows, "outs": outs[0], "steps": steps,
                "bends": inside.bends | bends, "tree": True}  # fmt: skip

    def written(self, now: Copies, contents: Contents, inside: "Insides") -> Contents:
        """The contents of a frame: those of the copies, and of what is in their boxes."""
        held = {p: content for p, content in contents.items() if not self.is_seen(p)}
        for q in now.uses:
            held[q] = self.content(q, now.operands[q], contents)
            held |= inside.contents(q, contents)
        return held

    def content(self, q: str, copies: Sequence[str], contents: Contents) -> Content:
        """The content of a part, with the copies of its operands."""
        content = contents[part_of(q)]
        if not copies:
            return content
        kind, operands, *rest = content
        following, below = iter(copies), {*map(part_of, copies)}
        return [kind, [next(following) if isinstance(a, str) and a in below else a
                       for a in operands], *rest]  # fmt: skip


def taken_along(use: Use, before: Copies, now: Copies) -> str:
    """A copy that stood elsewhere under the same user, or under the nearest one around it."""
    free = [q for q, old in before.uses.items() if old.part == use.part and q not in now.uses]
    chains = {q: {*before.chain(q)} for q in free}
    return next((q for user in now.chain(use.user) for q in free if user in chains[q]), "")


class Insides:
    """The members of the open boxes of copies."""

    def __init__(self, document: Document):
        self.rows = document["parts"]
        self.members: dict[str, list[str]] = {}
        for p, row in self.rows.items():
            if "in" in row:
                self.members.setdefault(row["in"], []).append(p)
        self.lines: dict[str, list[tuple[str, str, Any]]] = {}
        self.bends: dict[str, Any] = {}  # the lines of each box, and those of all copies
        for edge, line in document["bends"].items():
            a, _, p = edge.partition(">")
            if around := self.rows[a].get("in", ""):
                self.bends[edge] = line
                self.lines.setdefault(around, []).append((a, p, line))
        self.names: dict[str, dict[str, str]] = {}  # by the copy of a box, those of its members

    def open(self, box: str, rows: dict[str, Any]) -> None:
        """Copy the members of a box, and those of boxes in it; the first copy has them already."""
        number, stack = box.partition(".")[2], [(part_of(box), box)]
        while number and stack:
            p, q = stack.pop()
            names = {m: f"{m}.{number}" for m in self.members.get(p, ())}
            self.names.setdefault(box, {}).update(names)
            for m, new in names.items():
                rows[new] = {**self.rows[m], "in": q}
                stack.append((m, new))
            for a, m, line in self.lines.get(p, ()):
                self.bends[f"{names[a]}>{names[m]}"] = line

    def contents(self, box: str, contents: Contents) -> dict[str, Content]:
        """The contents of the members of a copy."""
        names, held = self.names.get(box, {}), dict[str, Content]()
        for m in (m for m in names if m in contents):
            kind, *rest = contents[m]
            if rest and isinstance(rest[0], list):
                rest[0] = [names.get(a, a) if isinstance(a, str) else a for a in rest[0]]
            held[names[m]] = [kind, *rest]
        return held


class Block:
    """Parts at their places, and the ends of each row."""

    def __init__(self, at: dict[str, Point], ends: dict[float, Point]):
        self.at, self.ends = at, ends

    @property
    def left(self) -> float:
        return min([left for left, _ in self.ends.values()], default=0.0)

    def add(self, other: "Block") -> None:
        """Put another block to the right of this one, as near as it can stand."""
        near = [self.ends[y][1] + 1 - left for y, (left, _) in other.ends.items() if y in self.ends]
        self.put(other, max([self.left - other.left, *near]))

    def put(self, other: "Block", shift: float) -> None:
        """Take in another block, which moves so far to the right."""
        self.at |= {q: (x + shift, y) for q, (x, y) in other.at.items()}
        for y, (left, right) in other.ends.items():
            low, high = self.ends.get(y, (left + shift, right + shift))
            self.ends[y] = min(low, left + shift), max(high, right + shift)
