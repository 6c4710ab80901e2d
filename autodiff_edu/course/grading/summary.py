"""Numbers about a class: how many have each task right, and the inputs at which most fail."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from .marks import Mark, Result

MOST = 3  # inputs that are listed
AT = re.compile(r"(?m)^  at        (.+)$")  # as a checker says it
NUMBER = re.compile(r"(\d+)_")


class Task(NamedTuple):
    """A task, and its marks in the class."""

    label: str
    of: float
    kinds: Counter[str]
    mean: float
    inputs: list[tuple[str, int]]  # at which answers fail, and how many do, most first


def labels(results: Sequence[Result]) -> dict[tuple[str, str], str]:
    """A short name of each task with that of its exercise, as "05/count", in their order."""
    exercises = list(dict.fromkeys(result.exercise for result in results))
    begins = [number[1] if (number := NUMBER.match(name)) else name for name in exercises]
    short = {
        name: begin if begins.count(begin) == 1 else name
        for name, begin in zip(exercises, begins, strict=True)
    }
    keys = dict.fromkeys((r.exercise, mark.task) for r in results for mark in r.marks)
    order = sorted(keys, key=lambda key: key[0])  # of an exercise as its first answer has them
    named = {key: f"{short[key[0]]}/{key[1].removesuffix('-check')}" for key in order}
    return {key: label.lstrip("/") for key, label in named.items()}


def tasks(results: Sequence[Result]) -> list[Task]:
    """The tasks of all exercises."""
    return [
        task(label, [m for r in results for m in r.marks if (r.exercise, m.task) == key])
        for key, label in labels(results).items()
    ]


def task(label: str, marks: Sequence[Mark]) -> Task:
    """A task with these marks."""
    inputs = Counter(at for mark in marks for at in set(AT.findall(mark.words)))
    ranked = sorted(inputs.items(), key=lambda pair: (-pair[1], pair[0]))
    mean = sum(mark.points for mark in marks) / len(marks)
    kinds = Counter(mark.kind for mark in marks)
    return Task(label, max(mark.of for mark in marks), kinds, mean, ranked[:MOST])
