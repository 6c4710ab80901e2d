"""A derivative and its simplification as one document, from which everything is drawn.

The document is plain JSON, of the version that `VERSION` says; the book has its schema. Frame k is
frame k − 1 with what step k sets and drops.
"""

import json
from collections import deque
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any, Literal

import numpy as np

from ...expr import (
    Expr,
    Graph,
    Growing,
    Rewriting,
    Stage,
    as_graph,
    cached_property,
    evaluate_all,
)
from ...run import function
from ..tex.step_text import halts
from ..views.trace import BAR, DOT, names
from .bodies import Bodies
from .draft import Draft
from .groups import Group, by_name, grouped
from .growth import formula, grown, value_contents
from .layout import laid_out
from .misses import misses
from .neighbourhood import around, neighbourhood
from .nested import nested
from .parts import Frame, Moment, Parts, Shown
from .sheet import Open, opened
from .shortening import FEW, operands_of, shortened
from .steps import others, with_lines, written
from .values import computable, free_name, operations, plain, subscripted, value_names
from .words import mathematical

VERSION = 1
Values = Mapping[Expr, Any]
Grouping = bool | Literal["named", "both"]


class Document:
    """One document: the formula, its derivative if there is one, and what makes it short.

    Parameters
    ----------
    derivative : Stage or None
        What differentiates the formula.
    short : Rewriting or None
        What simplifies the derivative, or the formula where no derivative is asked for.
    at : dict
        Numbers for the inputs; without any, nothing is computed.
    numbered : bool, default: False
        Whether inputs and results are called v₋₁, v₀, … too, as in a trace.
    runs : bool, default: True
        Whether the document has what an explorer asks of the result: its program, and why its
        parts did not become shorter.
    groups : bool, 'named' or 'both', default: False
        Whether what is too large to read has groups; or the groups that the user named, alone or
        with others in them and beside them.
    graph : Graph, optional
        The formula, where there is neither a derivative nor a simplification.
    moves : bool, default: True
        Whether frames before the last one are seen.
    places : sequence of int, optional
        The steps of the simplification that are seen, if not all.
    """

    def __init__(
        self,
        derivative: Stage | None,
        short: Rewriting | None,
        at: Values,
        numbered: bool = False,
        runs: bool = True,
        groups: Grouping = False,
        graph: Graph | None = None,
        moves: bool = True,
        places: Sequence[int] | None = None,
    ):
        stage = derivative if derivative is not None else short
        graph = formula(stage) if stage is not None else graph
        assert graph is not None
        self.graph: Graph = graph
        self.derivative, self.short, self.at = derivative, short, at
        self.runs, self.groups = runs, groups
        self.ends = None if places is None else [halt.k for halt in halts(places)]
        self.parts = Parts(
            self.graph,
            names(self.graph) if numbered else value_names(self.graph),
            self.mode == "reverse",
            moves,
        )
        self.shots = list(self.show()) if moves else [*deque(self.show(), maxlen=1)]

    def show(self) -> Iterable[Shown]:
        """Every frame, with the step that led to it."""
        if self.derivative is not None:
            for shot in grown(self.parts, self.derivative):
                yield shot
            before = shot[1]
        else:
            before = self.alone()
            yield None, before
        if self.short is not None:
            derived = self.derivative is not None
            yield from shortened(self.parts, self.short, derived, before, self.at, self.ends)

    def alone(self) -> Frame:
        """The formula without a derivative."""
        for y in self.graph.outputs:
            p = self.parts.home.get(y) or self.parts.new("value", name="y")
            self.parts.anchors[p] = y
        return self.parts.frame(value_contents(self.parts), list(self.parts.anchors))

    @property
    def mode(self) -> str:
        if self.derivative is None:
            return "lone"
        if not isinstance(self.derivative, Growing):
            return "symbolic"
        return "reverse" if self.derivative.mark == BAR else "forward"

    @property
    def results(self) -> Graph:
        """The graph whose outputs are the results."""
        stage = self.short if self.short is not None else self.derivative
        return self.graph if stage is None else as_graph(stage)

    @property
    def steps(self) -> list[tuple[Moment, Frame]]:
        return [(moment, frame) for moment, frame in self.shots if moment is not None]

    # ---- written down

    def data(self) -> dict[str, Any]:
        """The document as plain lists and dictionaries."""
        first, last = self.shots[0][1], self.shots[-1][1]
        values = self.values
        return {
            **self.frame(first), "derived": sum(m.stage == "derive" for m, _ in self.steps),
            "steps": written(self.shots, self.changes), "answers": self.answers(values),
            "other": self.others(self.shots),
            **self.program(last), **self.misses(last),
        }  # fmt: skip

    def picture(self, open: Open = True, bodies: Bodies | None = None) -> dict[str, Any]:
        """The last frame alone, as a document without steps."""
        return self.film(slice(-1, None), open=open, bodies=bodies)

    def film(
        self,
        frames: slice = slice(None),
        near: bool = False,
        open: Open = True,
        bodies: Bodies | None = None,
    ) -> dict[str, Any]:
        """Frames one after another, in which these groups can be open, and boxes as `bodies` say;
        all of them or, `near` what the steps between change, what is seen there."""
        shots, changes = self.shots[frames], self.changes[frames]
        first = shots[0][1]
        document = self.frame(first, neighbourhood(shots) if near else None, open, bodies)
        return {**document, "steps": written(shots, changes), "idle": first.idle,
                "other": self.others(shots)}  # fmt: skip

    def frame(
        self,
        frame: Frame,
        near: Collection[str] | None = None,
        open: Open = True,
        bodies: Bodies | None = None,
    ) -> dict[str, Any]:
        """A document of one frame."""
        draft = self.drafted(near, open, bodies)
        rows, lines = with_lines(draft.rows, self.parts)
        home = self.parts.home
        return {
            "version": VERSION, "title": self.title, "mode": self.mode, "name": self.name,
            "parts": rows, "lines": lines,
            "operations": operations(self.parts.home),
            "at": {home[x]: plain(v) for x, v in self.at.items() if x in home},
            "wrt": [home[x] for x in self.wrt if x in home],
            "derived": 0, "first": frame.contents, "outs": frame.outs, "steps": [],
            "bends": draft.bends, "answers": [], "python": self.last_values(self.values),
        }  # fmt: skip

    def json(self) -> str:
        """The document as text; equal documents have equal texts."""
        return json.dumps(self.data(), ensure_ascii=False, separators=(",", ":"))

    @property
    def wrt(self) -> Sequence[Expr]:
        """The inputs of the derivative."""
        if isinstance(self.derivative, Growing) and self.mode == "reverse":
            return self.derivative.of
        steps = self.derivative.steps if self.derivative is not None else ()
        seeds = [s for s in steps if s.rule in ("the variable itself", "seed")]
        return [s.bindings["of"] if "of" in s.bindings else s.before.inputs[0] for s in seeds]

    @property
    def name(self) -> str:
        """That of the first result."""
        own = self.graph.names[0] if self.graph.names else ""
        return subscripted(own or free_name(self.graph))

    @property
    def title(self) -> str:
        return f"{self.name} = {mathematical(self.graph.outputs[0])}"

    def drafted(self, near: Collection[str] | None, open: Open, bodies: Bodies | None) -> Draft:
        """The passes from the parts to their places: groups, boxes, layout. Places have all parts,
        or those near a step, or those that are seen while these groups are open."""
        parts, edges = self.parts, [*self.edges()]
        mark = {"lone": None, "reverse": BAR, "symbolic": "′"}.get(self.mode, DOT)
        spots = {p: spot for p, spot in parts.spots.items() if near is None or p in near}
        draft = Draft(parts.rows, parts.operands, {}, {"": spots}, mark, parts.flows_up)
        draft = draft if bodies is None else bodies.enter(draft)
        draft = nested(draft, self.root(near), parts.of_value)
        if bodies is not None:
            draft, edges = bodies.open_in(draft), [*edges, *bodies.edges]
        return laid_out(draft, edges, None if open is True else opened(draft.rows, open))

    def root(self, near: Collection[str] | None) -> Group:
        """The values that have a place, in their groups."""
        values = self.parts.values
        if near is not None:
            return Group("", around(near, self.parts))
        if not self.groups:
            return Group("", values)
        return grouped(values) if self.groups is True else by_name(values, self.groups == "both")

    def edges(self) -> Iterable[tuple[str, str]]:
        """From which parts to which there is ever an edge."""
        for changes in self.changes:
            for p, content in changes.items():
                for a in operands_of(content):
                    yield a, p

    @cached_property
    def changes(self) -> list[dict[str, Any]]:
        """The parts of each frame that hold something else than before."""
        contents = [{}, *(frame.contents for _, frame in self.shots)]
        return [{p: content for p, content in new.items() if old.get(p) != content}
                for old, new in pairwise(contents)]  # fmt: skip

    # ---- numbers

    @cached_property
    def values(self) -> Values:
        """Python's value of every node that is ever seen, but for those with a D(·) in them."""
        nodes = dict.fromkeys([*self.parts.home, *self.parts.anchors.values()])
        for _, frame in self.shots:
            nodes |= dict.fromkeys(n for n in frame.results if n is not None)
        return self.evaluated([*nodes])

    def evaluated(self, nodes: Sequence[Any]) -> Values:
        """The values of those of the nodes that can be computed."""
        with np.errstate(all="ignore"):
            return evaluate_all(computable(nodes, self.at), self.at) if self.at else {}

    def answers(self, values: Values) -> list[list[Any] | None]:
        """The results in each frame; None where they cannot be computed yet."""
        answers: list[list[Any] | None] = []
        count = 0
        for moment, frame in self.shots:
            results, numbers = frame.results, values
            if moment is not None and moment.stage == "simplify" and self.short is not None:
                count += moment.words.get("steps", 1)
                if len(self.short.before.nodes) <= FEW:  # as the graph is by then
                    results = list(self.short.frame(count).outputs)
                    numbers = self.evaluated(results)
            nodes = [n for n in results if n is not None and n in numbers]
            whole = len(nodes) == len(results)
            answers.append([plain(numbers[n]) for n in nodes] if whole else None)
        return answers

    def others(self, shots: Sequence[Shown]) -> list[list[Any]]:
        """The values of parts in frames in which they have not their last ones."""
        numbers = {n: plain(v) for n, v in self.values.items()}
        return others(shots, numbers, self.last_values(self.values))

    def last_values(self, values: Values) -> dict[str, Any]:
        """The value of what each part holds, or held last."""
        homes = [*self.parts.of_value.items(), *self.parts.home.items()]
        latest = {p: values[n] for n, p in homes if n in values}
        latest |= {p: values[n] for p, n in self.parts.anchors.items() if n in values}
        numbers = {p: plain(latest[p]) for p in self.parts.rows if p in latest}
        return {p: number for p, number in numbers.items() if number is not None}

    def misses(self, last: Frame) -> dict[str, Any]:
        """Why the parts of the result did not become shorter."""
        short = self.short if self.runs else None
        rules = None if short is None else misses(short, self.parts.home, last.contents)
        return {} if rules is None else {"why_not": rules}

    def program(self, last: Frame) -> dict[str, Any]:
        """The program of the result, and the parts that each line that computes stands for: none
        where the program computes in another order than the picture."""
        if self.short is None or not self.runs:
            return {}
        graph = as_graph(self.short)
        program = function(list(graph.inputs), self.short, on_unused_input="ignore").program
        lines: dict[str, list[str]] = {}
        for line, n in program.lines.items():
            homes = [self.parts.home.get(m) for m in (n, *program.beside.get(n, ()))]
            lines[str(line)] = [p for p in homes if p in last.contents]
        return {"program": {"text": program.source, "lines": lines}}
