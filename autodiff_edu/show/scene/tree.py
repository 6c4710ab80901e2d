"""A frame as a tree: every use of a part is written out.

Values are a tree at the left and derivatives one at the right. Each copy stands in the row of its
part, so a derivative stays in the row of its value; what a derivative takes from the values is
named in it, as anywhere. Letters: p a part, q a copy of it.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from .folded import Point, routes
from .parts import Content
from .shortening import operands_of

APART = 1.5  # columns between both sides
Document = Mapping[str, Any]


class Copy(NamedTuple):
    """A part at one of its uses: its id, the part, and the copies of its operands."""

    id: str
    part: str
    operands: Sequence[str]


def written_out(document: Document) -> Document:
    """The document of one frame with a copy of each part for each of its uses."""
    return Tree(document).document


class Tree:
    """The copies of the parts, each with one user at most."""

    def __init__(self, document: Document):
        self.old, self.rows = document, document["parts"]
        self.contents: Mapping[str, Content] = document["first"]
        self.number = Counter[str]()
        self.copies: dict[str, Copy] = {}  # operands come first
        self.roots = [self.copy(p) for p in self.ends()]

    def is_seen(self, p: str) -> bool:
        return p in self.contents and "x" in self.rows[p] and "in" not in self.rows[p]

    def side(self, p: str) -> int:
        return int(self.old["mode"] != "lone" and self.rows[p]["kind"] != "value")

    def below(self, p: str) -> list[str]:
        """The operands of a part that are drawn, once for each use."""
        return [a for a in operands_of(self.contents[p])
                if a in self.rows and self.is_seen(a) and self.side(a) == self.side(p)]  # fmt: skip

    def ends(self) -> list[str]:
        """The parts that nothing beside them uses, and the results."""
        parts = [p for p in self.contents if self.is_seen(p)]
        operands = {a for p in parts for a in self.below(p)}
        return [p for p in parts if p not in operands or p in self.old["outs"]]

    def copy(self, root: str) -> str:
        """Write a part out with everything below it; the first copy keeps the name of the part."""
        order, stack = list[str](), [root]
        while stack:
            order.append(p := stack.pop())
            stack += self.below(p)
        ready: list[str] = []
        for p in reversed(order):
            count = len(self.below(p))
            operands = ready[len(ready) - count :]
            del ready[len(ready) - count :]
            q = f"{p}.{self.number[p]}" if self.number[p] else p
            self.number[p] += 1
            self.copies[q] = Copy(q, p, operands)
            ready.append(q)
        return ready[0]

    # ---- places

    def places(self) -> dict[str, Point]:
        """The column and the row of each copy."""
        at, first = dict[str, Point](), 0.0
        for side in (0, 1):
            roots = [q for q in self.roots if self.side(self.copies[q].part) == side]
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
            stack += self.copies[q].operands
        blocks: dict[str, Block] = {}
        for q in reversed(order):
            y, operands = self.row(q), self.copies[q].operands
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
        return self.rows[self.copies[q].part]["y"]

    # ---- written down

    @property
    def document(self) -> Document:
        """The document with the copies, and with what stands in their open boxes."""
        at, old = self.places(), self.old
        rows = {p: {k: word for k, word in row.items() if k not in ("x", "y")}
                if self.is_seen(p) else row for p, row in self.rows.items()}  # fmt: skip
        contents = {p: content for p, content in self.contents.items() if not self.is_seen(p)}
        for q, copy in self.copies.items():
            x, y = at[q]
            rows[q] = {**self.rows[copy.part], "x": round(x, 3), "y": y}
            contents[q] = self.content(copy)
        edges = [(a, q) for q, copy in self.copies.items() for a in copy.operands]
        opens = any("group" in rows[q] for q in self.copies)
        bends = {f"{a}>{q}": line for (a, q), line in routes(at, edges, every=opens).items()}
        inside = Insides(self.old)
        for copy in self.copies.values():
            inside.write(copy, rows, contents)
        part = {q: copy.part for q, copy in self.copies.items()} | inside.part
        own = {name: {**old[name], **{q: old[name][p] for q, p in part.items() if p in old[name]}}
               for name in ("python", "types", "results") if name in old}  # fmt: skip
        lists = {name: [*old[name], *(q for q, p in part.items() if q != p and p in old[name])]
                 for name in ("idle", "highlighted") if name in old}  # fmt: skip
        bends |= inside.bends
        return {
            **old,
            "parts": rows,
            "first": contents,
            "bends": bends,
            "tree": True,
            **own,
            **lists,
        }

    def content(self, copy: Copy) -> Content:
        """The content of a part, with the copies of its operands."""
        if not copy.operands:
            return self.contents[copy.part]
        kind, *rest = self.contents[copy.part]
        copies, below = iter(copy.operands), {*self.below(copy.part)}
        operands = [next(copies) if isinstance(a, str) and a in below else a for a in rest[0]]
        return [kind, operands, *rest[1:]]


class Insides:
    """The members of the open boxes of copies."""

    def __init__(self, document: Document):
        self.rows, self.contents = document["parts"], document["first"]
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
        self.part: dict[str, str] = {}

    def write(self, copy: Copy, rows: dict[str, Any], contents: dict[str, Content]) -> None:
        """Copy the members of a box, and those of boxes in it; the first copy has them already."""
        stack = [(copy.part, copy.id)] if copy.id != copy.part else []
        while stack:
            p, q = stack.pop()
            number = copy.id.partition(".")[2]
            names = {m: f"{m}.{number}" for m in self.members.get(p, ())}
            self.part |= {new: m for m, new in names.items()}
            for m, new in names.items():
                rows[new] = {**self.rows[m], "in": q}
                kind, *rest = self.contents[m]
                if rest and isinstance(rest[0], list):
                    rest[0] = [names.get(a, a) if isinstance(a, str) else a for a in rest[0]]
                contents[new] = [kind, *rest]
                stack.append((m, new))
            for a, m, line in self.lines.get(p, ()):
                self.bends[f"{names[a]}>{names[m]}"] = line


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
