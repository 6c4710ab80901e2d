"""How a simplification changes a scene: what a rewrite makes takes the place of what it replaces.

The root of what a step makes takes the part of the root that it replaces. The other new nodes take
parts whose nodes leave the graph with this step, or new ones. Ancestors that the log rebuilds keep
their parts, and so nothing moves that persists.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from ...expr import Expr, Rewriting, evaluate_all, postorder
from ..build.labels import drawn_operands, per_use
from .folded import Spot
from .parts import Content, Frame, Moment, Parts, Shown, depths
from .words import equation_of_rewrite

FEW = 300  # nodes of a graph that is computed once more for each step
BESIDE = 1.0731  # a factor of the values of inputs, near 1 and of no other use
MOST = 300_000  # nodes in all frames: beyond, several steps are one


def shortened(
    parts: Parts,
    stage: Rewriting,
    derived: bool,
    before: Frame,
    at: Mapping[Expr, Any],
    ends: Sequence[int] | None = None,
) -> Iterator[Shown]:
    """The frames of a simplification, one for each step, or after so many as `ends` say; `before`
    is what was seen last, and `at` are the values of the inputs."""
    state = Shortening(parts, stage, derived, before, at)
    marks = [*stage.marks, len(stage.log)]
    state.follow(0, marks[0])
    for steps in bundles(stage, ends):
        for k in steps:
            equation, letters = equation_of_rewrite(stage.steps[k])
            words: dict[str, Any] = {"bind": state.homes(letters)}
            part = state.take(k)
            state.follow(marks[k], marks[k + 1])
            state.update()
            state.give_homes()
        words |= {"steps": len(steps)} if len(steps) > 1 else {}
        yield Moment("simplify", stage.steps[k], part, equation, words), state.frame()


def bundles(stage: Rewriting, ends: Sequence[int] | None) -> list[range]:
    """The steps up to each end; or one by one and, where there are very many nodes, several at a
    time."""
    count = len(stage.steps)
    each = max(1, -(-count * len(stage.before.nodes) // MOST))
    ends = [*range(each, count, each), count] if ends is None else ends
    return [range(a, b) for a, b in pairwise([0, *ends]) if a < b]


class Shortening:
    """The scene while the log is read: the nodes that there are, and which node each anchor is."""

    def __init__(
        self, parts: Parts, stage: Rewriting, derived: bool, before: Frame, at: Mapping[Expr, Any]
    ):
        self.parts, self.stage, self.derived, self.at = parts, stage, derived, at
        self.outs, self.contents = list(before.outs), before.contents
        self.flow = 1 if parts.flows_up else -1
        self.stays = {p: h for p, h in self.contents.items()
                      if parts.is_value(p) and (derived or h == ["input"])}  # fmt: skip
        self.outputs = list(stage.before.outputs)
        self.taken = set[str]()  # parts that got a node of another value since the last frame
        self.update()

    def update(self) -> None:
        """Read off the nodes that the outputs need, and who uses each."""
        order, stack = dict[Expr, None](), [self.parts.latest(n) for n in self.outputs]
        self.users: dict[Expr, set[Expr]] = {}
        while stack:
            n = stack.pop()
            if n in order or per_use(n):
                continue
            order[n] = None
            for i in map(self.parts.latest, drawn_operands(n)):
                self.users.setdefault(i, set()).add(n)
                stack.append(i)
        self.nodes = [*reversed(order)]

    # ---- one step

    def homes(self, letters: Mapping[str, Expr]) -> dict[str, str]:
        """The parts for which the letters of a rule stand."""
        nodes = {letter: self.parts.latest(n) for letter, n in letters.items()}
        return {c: self.parts.home[n] for c, n in nodes.items() if n in self.parts.home}

    def take(self, k: int) -> str:
        """Give what one step makes its parts; return the part at which it happens."""
        step, home = self.stage.steps[k], self.parts.home
        p = self.own(step.before)
        free = self.dying(step.before, step.after)
        new = self.parts.newcomers(step.after)
        depth = depths(new, step.after)
        deepest = max(depth.values(), default=0)
        like: dict[Expr, str | None] = {}
        for n in new:
            if n.op and n is not step.after:
                like[n] = self.choose(free, n, n.op)  # which is free no more
        above = nearest_users(step.after, new, like)
        for n in new:
            share = (depth[n] - depth[above[n]]) / (deepest + 1)
            part = p if n is step.after else like.get(n) or self.choose(free, n)
            home[n] = part or self.near(like.get(above[n]) or p, share)
            self.taken |= {home[n]} - {p}
        return p

    def choose(self, free: dict[str, Expr], n: Expr, like: Any = None) -> str | None:
        """A part for a new node, of those that lose theirs, perhaps one `like` it: a loop that has
        become shorter stays where it was. A place is for what has the value of the derivative that
        it stands for."""
        for p, m in free.items():
            anchor = self.parts.anchors.get(p)
            if like is not None and (m.op is None or m.op.name != like.name):
                continue
            if anchor is None or self.are_equal(anchor, n):
                del free[p]
                if anchor is not None:
                    self.parts.anchors[p] = n
                return p
        return None

    def are_equal(self, m: Expr, n: Expr) -> bool:
        """Have both the same value near the point, as far as that is known? At the point itself
        they may have it by chance."""
        if not self.at or len(self.nodes) > FEW:
            return False
        beside = {x: np.asarray(v) * BESIDE + (BESIDE - 1) for x, v in self.at.items()}
        values = evaluate_all([m, n], beside if all_real(self.at) else self.at)
        if np.shape(values[m]) != np.shape(values[n]):
            return False
        return bool(np.allclose(values[m], values[n], rtol=1e-9, atol=0, equal_nan=True))

    def own(self, n: Expr) -> str:
        """The part that a rewrite of this node changes. The formula stays as it is: the derivative
        has a copy of a value that it rewrites."""
        p = self.parts.home.get(n)
        if p is None or p in self.stays:
            p = self.parts.home[n] = self.near(p)
        return p

    def near(self, p: str | None, share: float = 0.0) -> str:
        """A new part for an operand of this one: below it in reverse mode, else above."""
        spot = self.parts.spots.get(p or "")
        value = p if p in self.parts.operands else self.parts.last
        user, of = (spot.user or spot.of, spot.of) if spot is not None else (value, value)
        offset = spot.offset if spot is not None else 0.0
        if spot is not None and spot.kind == "place" and self.flow > 0:
            offset += 2 - share
        else:
            offset += self.flow * share
        return self.parts.new("helper", Spot("helper", user, of, 1, offset))

    def dying(self, before: Expr, after: Expr) -> dict[str, Expr]:
        """The parts of the nodes under `before` that nothing else needs, and these nodes."""
        stay = set(postorder([after]))
        dead, order = {before}, [before]
        for n in order:  # which grows on the way
            for i in map(self.parts.latest, drawn_operands(n)):
                if i not in stay and i not in dead and self.users.get(i, set()) <= dead:
                    dead.add(i)
                    order.append(i)
        homes = {self.parts.home.get(n): n for n in order[1:] if not per_use(n)}
        return {p: n for p, n in homes.items() if p is not None and p not in self.stays}

    def follow(self, begin: int, end: int) -> None:
        """Let ancestors that are rebuilt, and nodes that are merged, be at home where they were."""
        for old, new in self.stage.log[begin:end]:
            self.parts.became[old] = new
            if new not in self.parts.home and not per_use(new) and old in self.parts.home:
                self.parts.home[new] = self.own(old)
                self.parts.links[new] = self.parts.links.get(old, {})
        anchors = self.parts.anchors
        anchors.update([(p, self.parts.latest(n)) for p, n in anchors.items()])

    # ---- what is seen

    def frame(self) -> Frame:
        """Return the content of each part now."""
        parts, contents = self.parts, dict(self.stays)
        for n in self.nodes:
            contents.setdefault(parts.home[n], parts.content(n))
        here = set(self.nodes)
        for p, n in parts.anchors.items():
            if n in here or per_use(n) or parts.home.get(n) in self.stays:
                contents[p] = parts.shown(p)
        for p in parts.anchors:
            if p not in contents:
                contents[p] = self.unchanged(p, contents)
        self.contents, self.taken = contents, set()
        return parts.frame(contents, self.outs, self.idle(contents))

    def unchanged(self, p: str, contents: dict[str, Content]) -> Content:
        """Return the earlier content of a place if its operands are as before; else it is empty. A
        part may have been taken by a node that looks like the one before, and has other operands.
        """
        content, before = self.contents.get(p, ["empty"]), self.contents
        operands = operands_of(content)
        same = all(q not in self.taken and contents.get(q) == before.get(q) for q in operands)
        return content if same else ["empty"]

    def give_homes(self) -> None:
        """Let every node have a part, and no two nodes the same."""
        owner: dict[str, Expr] = {}
        for n in self.nodes:
            p = self.parts.home.get(n)
            other = p is not None and p not in self.stays and owner.setdefault(p, n) is not n
            if p is None or other:
                p = self.parts.home[n] = self.near(p)
                owner[p] = n

    def idle(self, contents: dict[str, Content]) -> list[str]:
        """The places that no result needs."""
        reached, stack = set[str](), list(self.outs)
        while stack:
            p = stack.pop()
            if p not in reached:
                reached.add(p)
                stack += operands_of(contents.get(p, ["empty"]))
        return [p for p in self.parts.anchors if p not in reached]


def nearest_users(
    root: Expr, new: Sequence[Expr], like: Mapping[Expr, str | None]
) -> dict[Expr, Expr]:
    """For each new node, operands first, the nearest one above it that has taken the part of one
    like it; or the root."""
    above = dict.fromkeys(new, root)
    for user in reversed(new):
        nearest = user if like.get(user) else above[user]
        above |= {i: nearest for i in user.inputs if i in above and nearest is not root}
    return above


def all_real(at: Mapping[Expr, Any]) -> bool:
    return all(np.asarray(v).dtype.kind == "f" and x.type.is_float for x, v in at.items())


def operands_of(content: Content) -> list[str]:
    """The parts that a part needs."""
    several = content[1] if len(content) > 1 and isinstance(content[1], list) else []
    return [p for p in several if isinstance(p, str)]
