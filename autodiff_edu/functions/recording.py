"""A call that is filmed: what it returns, what was asked, and what was built by then."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from ..expr import Expr, first_place, postorder, renew_places
from .decisions import Decisions, Guard


class Recording(NamedTuple):
    """What a call returns, before derivatives; its symbols with their numbers; what was asked; and
    by how many questions a node was followed first: 1 if it was made before the first one."""

    outputs: Sequence[Expr]
    numbers: Mapping[Expr, Any]
    guards: Sequence[Guard]
    made: Mapping[Expr, int]


class Recorder(Decisions):
    """Decisions that note when nodes are made: after each question their places are new objects."""

    def __init__(self, numbers: Mapping[Expr, Any]):
        super().__init__(numbers)
        self.places: dict[int, tuple[Any, int]] = {}  # held, so that an identity stays its own
        renew_places()

    def decide(self, node: Expr, question: str) -> bool | int | None:
        answer = super().decide(node, question)
        if answer is not None:
            self.note(len(self.guards))
        return answer

    def note(self, k: int) -> None:
        """What was made since the last question was made before the k-th."""
        for place in renew_places():
            self.places.setdefault(id(place), (place, k))

    def made(self, roots: Sequence[Expr]) -> dict[Expr, int]:
        """The first question, or the result, that each node was made before."""
        self.note(len(self.guards) + 1)
        found = ((n, self.places.get(id(first_place(n)))) for n in postorder(roots))
        return {n: noted[1] for n, noted in found if noted}


def recorded(trace: Callable[[], Sequence[Expr]], numbers: Mapping[Expr, Any]) -> Recording:
    """A call; `trace` gives what it returns for its symbols."""
    recorder = Recorder(numbers)
    with recorder.used():
        outputs = trace()
    outputs = recorder.formula or outputs
    made = recorder.made([*(g.condition for g in recorder.guards), *outputs])
    return Recording(outputs, numbers, recorder.guards, made)
