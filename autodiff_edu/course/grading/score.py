"""The way of a class through the grader: what runs when, what is run anew, and what is kept."""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from os.path import commonprefix
from pathlib import Path
from typing import Any

from ..harness.cpu_time import processors
from ..harness.starter import Starter
from .exercise import Exercise, best
from .journal import Journal, digest, key_of
from .marking import graded, looked_at
from .marks import Result
from .run import RUNNER, Limits, NotStarted, run
from .submission import Submission, read_submission

TRIES = 3  # how often the grader may end while an answer runs
OVER = "the grading has ended"


class Interrupted(Exception):
    """A person ended the grading, or the journal cannot be written: the text says why."""

    def __init__(self, why: str, results: list[Result]):
        super().__init__(why)
        self.results = results


def grade(
    paths: Sequence[Path],
    exercises: Sequence[Exercise],
    limits: Limits | None = None,
    jobs: int = 1,
    done: Callable[[], None] = lambda: None,
    journal: Journal | None = None,
    folder: Path | None = None,
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
    folder : Path, optional
        That of the class: paths in it are names. Else they are what differs between the paths.

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
        If a person ends it, or the disk is full. It has the results that are known.
    """
    work = Grading(
        paths, distinct(paths, folder), exercises, limits or Limits(), done, journal or Journal()
    )
    try:
        return work.results(jobs)
    except KeyboardInterrupt:
        work.journal.pause()
        raise Interrupted("", work.so_far()) from None
    except OSError as error:  # only the journal raises it
        why = f"the journal cannot be written: {error.strerror}"
        raise Interrupted(why, work.so_far()) from None
    finally:
        work.close()


class Grading:
    """The way of a class through the grader: first those that nothing speaks against, side by side;
    then, alone, those during which the grader ended before; then, once more, those cut off."""

    def __init__(
        self,
        paths: Sequence[Path],
        names: Sequence[str],
        exercises: Sequence[Exercise],
        limits: Limits,
        done: Callable[[], None],
        journal: Journal,
    ):
        self.exercises, self.limits, self.done = exercises, limits, done
        self.journal, self.names, self.is_over = journal, names, False
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
            if self.is_over or not self.has_run:
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


def distinct(paths: Sequence[Path], folder: Path | None = None) -> list[str]:
    """A name for each file: its path in the folder of the class, or without what all have in
    common; and without the last part, if that is the same for all. A link has its own name."""
    parts = [Path(os.path.abspath(path)).with_suffix("").parts for path in paths]
    place = Path(os.path.abspath(folder)).parts if folder else commonprefix([p[:-1] for p in parts])
    own = [p[len(place) :] for p in parts]
    if len({p[-1] for p in own}) == 1 and all(len(p) > 1 for p in own):
        own = [p[:-1] for p in own]  # anna/05.ipynb, ben/05.ipynb
    return ["/".join(p) for p in own]
