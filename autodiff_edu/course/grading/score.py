"""From a student's file to marks: a mark for each task, and remarks on what is odd."""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import NamedTuple

from ..harness.cpu_time import processors
from ..harness.starter import Starter
from .exercise import Cell, Exercise, best
from .run import RUNNER, Cells, Limits, Outcome, run
from .submission import Submission, answers, read_submission

KINDS = {"": "right", "Unsolved": "not written", "Stopped": "stopped", "Ended": "ended"}
OURS = {"Wrong", "Unsolved"}  # errors whose message says all


class Mark(NamedTuple):
    """The points of a task, and why some are missing."""

    task: str
    points: float
    of: float
    kind: str  # right, wrong, not written, stopped, ended
    words: str = ""


class Result(NamedTuple):
    """What a student's file is worth."""

    name: str
    exercise: str
    marks: tuple[Mark, ...] = ()
    remarks: tuple[str, ...] = ()

    @property
    def points(self) -> float:
        """All points."""
        return sum(mark.points for mark in self.marks)

    @property
    def stopped(self) -> list[str]:
        """The tasks whose cells did not come to their end."""
        return [mark.task for mark in self.marks if mark.kind == "stopped"]

    @property
    def of(self) -> float:
        """All points that there are."""
        return sum(mark.of for mark in self.marks)


def grade(
    paths: Sequence[Path],
    exercises: Sequence[Exercise],
    limits: Limits | None = None,
    jobs: int = 1,
    done: Callable[[], None] = lambda: None,
) -> list[Result]:
    """What students' files are worth.

    Parameters
    ----------
    paths : sequence of Path
        The files.
    exercises : sequence of Exercise
        The instructor's; each file is graded by that whose cells it has.
    limits : Limits, optional
        How much time cells may use.
    jobs : int, default: 1
        How many files are graded at the same time: never more than there are processors.
    done : callable, optional
        Called after each file.

    Returns
    -------
    list of Result
        One for each file, in their order. No file makes this fail. An answer that was stopped is
        graded once more, alone.
    """
    names, starter = distinct(paths), Starter(RUNNER)

    def one(k: int) -> Result:
        given = read_submission(names[k], paths[k])
        start = partial(run, limits=limits or Limits(), start=starter.start)
        return graded(given, best(given.cells, exercises) or only(exercises), start)

    def first(k: int) -> Result:
        try:
            return one(k)
        finally:
            done()

    with closing(starter):
        with ThreadPoolExecutor(max_workers=min(jobs, processors())) as pool:
            results = list(pool.map(first, range(len(paths))))
        return [one(k) if result.stopped else result for k, result in enumerate(results)]


def only(exercises: Sequence[Exercise]) -> Exercise | None:
    """The exercise of a file in which nothing tells: that which was named, if it was one."""
    return exercises[0] if len(exercises) == 1 else None


def distinct(paths: Sequence[Path]) -> list[str]:
    """A name for each file: its path without what all have in common. A link has its own name."""
    parts = [Path(os.path.abspath(path)).with_suffix("").parts for path in paths]
    if len(parts) == 1:
        return [parts[0][-1]]
    shared = 0
    while len({p[:shared] for p in parts}) == 1 and all(len(p) > shared for p in parts):
        shared += 1
    if len({p[-1] for p in parts}) == 1:  # anna/05.ipynb, ben/05.ipynb
        parts = [p[:-1] for p in parts]
    return ["/".join(p[shared - 1 :]) or p[-1] for p in parts]


def graded(
    given: Submission, exercise: Exercise | None, run: Callable[[Cells], list[Outcome]]
) -> Result:
    """The result of one file, whose cells this function runs."""
    if exercise is None:
        no_cells = "there is no cell of an exercise that we know"
        return Result(given.name, "", remarks=given.remarks or (no_cells,))
    sources, remarks = answers(given, exercise)
    if not any(given.cells.values()):
        marks = [Mark(t.name, 0, t.points or 0, "not written") for t in exercise.tasks]
        return Result(given.name, exercise.name, tuple(marks), remarks)
    cells = [(c.is_answer, sources.get(c.name, c.source)) for c in exercise.cells]
    outcomes = run(cells)
    told = list(zip(exercise.cells, outcomes, strict=True))
    return Result(given.name, exercise.name, tuple(marks_of(told)), (*remarks, *changes(told)))


def marks_of(told: Iterable[tuple[Cell, Outcome]]) -> Iterator[Mark]:
    """A mark for each cell that checks; errors of the answers before it are told with it."""
    before: list[str] = []
    stopped = False  # is one of the answers before it not whole?
    for cell, outcome in told:
        if cell.points is None:
            before += [f"{cell.name}: {in_words(outcome)}"] * bool(cell.is_answer and outcome.kind)
            stopped |= cell.is_answer and outcome.kind == "Stopped"
            continue
        kind = KINDS.get("Stopped" if stopped and outcome.kind else outcome.kind, "wrong")
        words = "\n".join([*before, in_words(outcome)]) if outcome.kind else ""
        yield Mark(cell.name, 0 if outcome.kind else cell.points, cell.points, kind, words)
        before, stopped = [], False


def in_words(outcome: Outcome) -> str:
    """An error, with its class where the message alone does not say all."""
    if outcome.kind in OURS or KINDS.get(outcome.kind):
        return outcome.words
    return f"{outcome.kind}: {outcome.words}".rstrip(": ")


def changes(told: Iterable[tuple[Cell, Outcome]]) -> Iterator[str]:
    """Remarks on answers that changed what is not theirs."""
    for cell, outcome in told:
        if outcome.changed:
            names = ", ".join(outcome.changed[:5])
            yield f"cell {cell.name} changed {names}, which was put back"
