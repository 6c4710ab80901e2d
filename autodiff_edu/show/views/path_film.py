"""The film of one call: what each line asked, the answer, and the graph that was built by then.

A condition ends in a box with its answer. What is built later takes its room, so nothing moves.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Any

from ...expr import Expr, Graph, evaluate_all
from ..build.builder import Drawing
from ..build.labels import numbers as short
from ..build.marks import Marking
from ..build.passes import diagram
from ..diagram.theme import Mark
from ..html.film_strip import Film
from ..html.listing import Listing
from ..html.picture import Picture
from ..html.showable import Showable
from .legible import LARGEST, lie, size
from .path_tree import Guard, answer_words, line, with_numbers

KEY: tuple[Any, ...] = (("new", "built since the last frame"), ("matched", "the condition"))
FRAMES = 60  # of a film with a frame for each condition; in longer ones repetitions are left out
ENDS = 3  # of a repetition that are shown at its beginning


def film_path(
    outputs: Sequence[Expr],
    numbers: Mapping[Expr, Any],
    guards: Sequence[Guard],
    made: Mapping[Expr, int] = {},
) -> Film:
    """A call of a function as a film.

    Parameters
    ----------
    outputs : list of Expr
        What it returned.
    numbers : dict
        The numbers of its symbols.
    guards : list of Guard
        What was asked, in this order.
    made : dict, default: {}
        By node the number of the question before which it was made, where that is known.

    Returns
    -------
    Film
        A frame for the arguments, one for each condition, and one for what is returned.
    """
    return Film(Call(outputs, numbers, guards, made).shots(), KEY)


class Call:
    """What was asked, and what was built by then."""

    def __init__(
        self,
        outputs: Sequence[Expr],
        numbers: Mapping[Expr, Any],
        guards: Sequence[Guard],
        made: Mapping[Expr, int],
    ):
        self.guards, self.numbers = guards, numbers
        roots = [*(g.condition for g in guards), *outputs]
        names = [*(answer_words(g.answer) for g in guards), *(y.name or "result" for y in outputs)]
        self.graph = Graph(roots, list(numbers), names)  # type: ignore[arg-type]
        self.values = evaluate_all(roots, numbers)
        self.direction = lie([self.graph])
        self.since = self.seen_since(made)

    def seen_since(self, made: Mapping[Expr, int]) -> dict[Expr, int]:
        """The first frame of each node: where it was made, at the latest where it is used."""
        end = len(self.guards) + 1
        since = dict.fromkeys(self.numbers, 0) | dict.fromkeys(self.graph.outputs, end)
        for k, g in enumerate(self.guards, 1):
            since[g.condition] = min(since[g.condition], k)
        for n in reversed(self.graph.order):
            since[n] = min(since.get(n, end), made.get(n, end))
            for i in n.inputs:
                since[i] = min(since.get(i, end), since[n])
        return since

    def shots(self) -> Iterator[tuple[str, Showable]]:
        yield f"called with {self.values_of(self.numbers)}", self.frame(0)
        for k, left_out in self.stops():
            before = f"{left_out:,} times more alike, then " if left_out else ""
            yield before + question(self.guards[k - 1]), self.frame(k)
        last = len(self.guards)
        yield f"returns {self.values_of(self.graph.outputs[last:])}", self.frame(last + 1)

    def values_of(self, nodes: Iterable[Expr]) -> str:
        """Some nodes with their values."""
        return ", ".join(f"{n.name or 'result'} = {short(self.values[n], 6)}" for n in nodes)

    def stops(self) -> Iterator[tuple[int, int]]:
        """The frames with a condition, and how many are left out before each."""
        k, cut = 0, len(self.guards) > FRAMES
        for _, run in groupby(self.guards, key=attrgetter("place", "answer")):
            n = len(list(run))
            left_out = max(n - ENDS - 1, 0) if cut else 0
            for j in range(1, n + 1):
                if j <= ENDS or j > ENDS + left_out:
                    yield k + j, left_out if j == ENDS + left_out + 1 else 0
            k += n

    def frame(self, k: int) -> Showable:
        """What is seen after k conditions; as text, where the graph is too large."""
        if size(self.graph) > LARGEST:
            roots = self.graph.outputs[max(k - 1, 0) : k] if k <= len(self.guards) else ()
            return Listing("\n".join(map(str, roots or self.graph.outputs[len(self.guards) :])))
        marks: dict[Expr, Mark] = {n: "new" for n, since in self.since.items() if k and since == k}
        if 0 < k <= len(self.guards):
            marks[self.guards[k - 1].condition] = "matched"
        drawing = Drawing(
            self.graph,
            direction=self.direction,
            values=self.values,
            marking=Marking(
                marks,
                hidden={n for n, since in self.since.items() if since > k},
                hidden_outputs=self.later(k),
            ),
        )
        return Picture.of(diagram(drawing))

    def later(self, k: int) -> range:
        """The results that are not seen after k conditions."""
        last = len(self.guards)
        return range(len(self.graph.outputs) if k > last else k, len(self.graph.outputs))


def question(guard: Guard) -> str:
    """The line, the condition with its numbers where it has any, and the answer."""
    return f"`{line(guard)}` {with_numbers(guard)}: {answer_words(guard.answer)}"
