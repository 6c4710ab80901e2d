"""An engine of one's own is checked: a task with all tasks before it, each in a job of its own."""

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

import numpy as np

from ..harness.checker import checker
from ..harness.feedback import Unsolved, Wrong
from .engine import loaded
from .files import TASKS, Files, read


def check_engine(folder: str | Path, upto: int | str = 8, *, seed: int | None = None) -> None:
    """Check the files of an engine of one's own: one task, with all tasks before it.

    Each task that is right prints a line. The student's files may use Python and NumPy, and not
    this package.

    Parameters
    ----------
    folder : str or Path
        The folder of the engine, begun by `start_engine`.
    upto : int or str, default: 8
        The last task: a number from 1 to 8, or a name, as "reverse".
    seed : int, optional
        Of the random inputs; by default a fresh one each time.

    Raises
    ------
    Wrong
        If a task is not right: what was done, what was got, and at which input.
    Unsolved
        If nothing has been written for a task.
    ValueError
        If there is no such task.
    """
    names = [*TASKS, *range(1, len(TASKS) + 1)]
    if upto not in names:
        raise ValueError(f"there is no task {upto!r}: write a number from 1 to 8, or a file's name")
    last = upto if isinstance(upto, int) else TASKS.index(upto) + 1
    files = read(folder)
    seed = int(np.random.default_rng(seed).integers(2**32))
    for task in range(1, last + 1):
        check_task(files, task, last, seed)


@checker
def check_task(files: Files, task: int, last: int, seed: int) -> None:
    """One task, while the files of all tasks up to the last are loaded: each may break another."""
    name, later = TASKS[task - 1], importable(files, TASKS[task:last])
    problem = found(files, task, later, seed)
    if problem and later:
        alone = found(files, task, (), seed)
        if not alone and not isinstance(problem, Unsolved):  # unwritten files have their own turn
            others = ", ".join(f"{other}.py" for other in later)
            raise Wrong(f"{name}.py is right, but not after the import of {others}: {problem}")
        problem = alone
    if problem:
        raise type(problem)(f"task {task}, {name}: {problem}")
    print(f"task {task}, {name}: right")


def found(files: Files, task: int, later: Sequence[str], seed: int) -> Wrong | None:
    """What is wrong with a task, once these later files are loaded too."""
    check = import_module(f"{__package__}.task_{task}_{TASKS[task - 1]}").check
    try:
        with loaded(files) as engine:
            for name in later:
                engine.load(name)
            check(engine, np.random.default_rng(seed))
    except Wrong as wrong:
        return wrong
    return None


def importable(files: Files, names: Sequence[str]) -> Sequence[str]:
    """The first of these files that can be imported, up to one that is not written, or wrong."""
    with loaded(files) as engine:
        for k, name in enumerate(names):
            try:
                engine.load(name, seconds=1)
            except Wrong:  # it is told when the turn of that file comes
                return names[:k]
    return names
