"""From a student's file to marks: a mark for each task, and remarks on what is odd."""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

from ..harness.cpu_time import processors
from ..harness.starter import Starter
from .equal_texts import digests
from .exercise import Cell, Exercise, best
from .journal import Journal, digest, key_of
from .look import notes
from .marks import CUT, KINDS, Mark, Result
from .run import RUNNER, Limits, NotStarted, Outcome, run
from .submission import Submission, answers, helpers, read_submission

OURS = {"Wrong", "Unsolved"}  # errors whose message says all
TRIES = 3  # how often the grader may end while an answer runs
OVER = "the grading has ended"


class Interrupted(KeyboardInterrupt):
    """A person ended the grading."""

    def __init__(self, results: list[Result]):
        super().__init__()
        self.results = results


def grade(
    paths: Sequence[Path],
    exercises: Sequence[Exercise],
    limits: Limits | None = None,
    jobs: int = 1,
    done: Callable[[], None] = lambda: None,
    journal: Journal | None = None,
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
    journal : Journal, optional
        What is known already; each result is written there at once.

    Returns
    -------
    list of Result
        One for each file, in their order. No file makes this fail. An answer that was stopped, or
        ended its process, is graded once more, alone.

    Raises
    ------
    NotStarted
        If no process for answers can be started here: no answer is to blame.
    Interrupted
        If a person ends it. It has the results that are known.
    """
    work = Grading(paths, exercises, limits or Limits(), done, journal or Journal())
    try:
        return work.results(jobs)
    except KeyboardInterrupt:
        work.journal.pause()
        raise Interrupted(work.so_far()) from None
    finally:
        work.close()


class Grading:
    """The way of a class through the grader: first those that nothing speaks against, side by side;
    then, alone, those during which the grader ended before; then, once more, those cut off."""

    def __init__(
        self,
        paths: Sequence[Path],
        exercises: Sequence[Exercise],
        limits: Limits,
        done: Callable[[], None],
        journal: Journal,
    ):
        self.exercises, self.limits, self.done = exercises, limits, done
        self.journal, self.names, self.is_over = journal, distinct(paths), False
        settings = digest(exercises, limits, journal.version)
        self.keys = [key_of(path, settings) for path in paths]
        # all are read before an answer runs, which may change files
        self.files = [read_submission(*pair) for pair in zip(self.names, paths, strict=True)]
        self.faults: dict[str, Result] = {}  # ours, so that they are not kept
        self.has_run = False
        self.starter = Starter(RUNNER, keeper=True)

    def results(self, jobs: int) -> list[Result]:
        """The result of each file."""
        journal, files = self.journal, {key: k for k, key in reversed([*enumerate(self.keys)])}
        rest = [k for key, k in files.items() if key not in journal.results]
        for _ in range(len(self.keys) - len(rest)):
            self.done()
        alone = [k for k in rest if journal.begun[self.keys[k]]]
        with ThreadPoolExecutor(max_workers=min(jobs, processors())) as pool:
            try:
                list(pool.map(self.first, sorted(set(rest) - set(alone))))
            except BaseException:
                self.close()
                raise
        for k in alone:
            self.first(k)
        for key in files.keys() & journal.results.keys() - journal.final:
            journal.add(key, self.one(files[key]), final=True)
        if not self.faults:
            journal.end()
        return self.so_far()

    def so_far(self) -> list[Result]:
        """The results that are known, in the order of the files."""
        results = self.journal.results | self.faults
        there = [(given, key) for given, key in zip(self.files, self.keys) if key in results]
        return [
            looked_at(given, self.exercise(given), results[key]._replace(name=given.name))
            for given, key in there
        ]

    def first(self, k: int) -> None:
        """Grade a file, and write what came out."""
        key = self.keys[k]
        tries = self.journal.begun[key]
        self.journal.begin(key)
        if tries < TRIES:
            self.try_once(k, key)
        else:
            self.fault(k, f"the grading ended {tries} times while this answer ran")
        self.done()

    def try_once(self, k: int, key: str) -> None:
        """Grade it, if a process can be started. Raise NotStarted if none ever was."""
        try:
            result = self.one(k)
            if self.is_over:  # which may be the reason that its process ended
                raise NotStarted(OVER)
            self.journal.add(key, result, final=not result.cut)
            self.has_run = True
        except NotStarted as error:
            if not self.has_run:
                raise
            self.fault(k, str(error))

    def fault(self, k: int, why: str) -> None:
        """This file is not graded."""
        self.faults[self.keys[k]] = Result(self.names[k], "", remarks=(why,), graded=False)

    def one(self, k: int) -> Result:
        """The result of a file. Raise NotStarted if no process can be started for it."""
        given, start = self.files[k], partial(run, limits=self.limits, start=self.start)
        return graded(given, self.exercise(given), start)

    def exercise(self, given: Submission) -> Exercise | None:
        """The exercise of a file: that of its cells; where nothing tells, the only one."""
        names = {cell.name for cell in given.cells if cell.is_answer}
        only = self.exercises[0] if len(self.exercises) == 1 else None
        return best(names, self.exercises) or only

    def start(self, *args: Any, **own: str) -> Any:
        """A process for cells. After the end there is none."""
        if self.is_over:
            raise NotStarted(OVER)
        return self.starter.start(*args, **own)

    def close(self) -> None:
        """End all processes."""
        self.is_over = True
        self.starter.close()


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
    given: Submission, exercise: Exercise | None, run: Callable[..., list[Outcome]]
) -> Result:
    """The result of one file, whose cells this function runs. One that cannot be read, or has no
    cell of an exercise and earns no point, has no marks: 0 points would be a grade."""
    if exercise is None or not given.is_readable:
        no_cells = "there is no cell of an exercise that we know"
        return Result(given.name, "", remarks=given.remarks or (no_cells,), graded=False)
    sources, remarks = answers(given, exercise)
    cells = list(in_order(given, exercise, sources))
    outcomes = run([(c.is_answer, c.source) for c in cells], theirs=exercise.theirs)
    told = list(zip(cells, outcomes, strict=True))
    result = Result(given.name, exercise.name, tuple(marks_of(told)), (*remarks, *changes(told)))
    if not any(sources.values()) and not result.points:
        return result._replace(marks=(), graded=False)
    return result


def looked_at(given: Submission, exercise: Exercise | None, result: Result) -> Result:
    """The result with what is for the instructor alone. It needs no run, and no journal has it."""
    if exercise is None:
        return result
    sources, _ = answers(given, exercise)
    own = [cell for cell in in_order(given, exercise, sources) if cell.is_answer]
    texts = {name: "\n".join(own) for name, own in sources.items()}
    return result._replace(
        notes=tuple(notes(own, exercise)), texts=tuple(digests(texts, exercise.answers))
    )


def in_order(
    given: Submission, exercise: Exercise, sources: dict[str, list[str]]
) -> Iterator[Cell]:
    """The exercise with the student's answers in their places, and the cells of their own."""
    own = helpers(given, exercise)

    def after(name: str) -> Iterator[Cell]:
        title = f"the own cell after {name}" if name else "the first cell"
        return (Cell(title, source, is_answer=True, is_own=True) for source in own.pop(name, ()))

    yield from after("")
    for cell in exercise.cells:
        for source in sources[cell.name] if cell.is_answer else [cell.source]:
            yield cell._replace(source=source)
        yield from after(cell.name)


def marks_of(told: Iterable[tuple[Cell, Outcome]]) -> Iterator[Mark]:
    """A mark for each cell that checks; errors of the answers before it are told with it."""
    before: list[str] = []
    cut: list[str] = []  # the kinds of answers before it that are not whole
    for cell, outcome in told:
        if cell.points is None:
            before += [f"{cell.name}: {in_words(outcome)}"] * bool(cell.is_answer and outcome.kind)
            cut += [outcome.kind] * (cell.is_answer and outcome.kind in CUT)
            continue
        kind = KINDS.get([*cut, outcome.kind][0] if outcome.kind else "", "wrong")
        words = "\n".join([*before, in_words(outcome)]) if outcome.kind else ""
        yield Mark(cell.name, 0 if outcome.kind else cell.points, cell.points, kind, words)
        before, cut = [], []


def in_words(outcome: Outcome) -> str:
    """An error, with its class where the message alone does not say all."""
    if outcome.kind in OURS or KINDS.get(outcome.kind):
        return outcome.words
    return f"{outcome.kind}: {outcome.words}".rstrip(": ")


def changes(told: Iterable[tuple[Cell, Outcome]]) -> Iterator[str]:
    """Remarks on answers that changed what is not theirs, or wanted to."""
    for cell, outcome in told:
        if outcome.changed:
            names = ", ".join(outcome.changed[:5])
            yield f"{cell.title} changed {names}, which was put back"
        for command in outcome.commands:
            yield f"{cell.title} calls `{command}`, which was not run"
