"""Marks of a student's file, one for each task, and remarks; also as JSON."""

from typing import Any, NamedTuple

CUT = {"Stopped": "stopped", "Ended": "ended"}  # of cells that do not come to their end
KINDS = {"": "right", "Unsolved": "not written"} | CUT  # by the class of an error; else wrong

BY_HAND = "by hand"  # of points that a person gives
KEPT = ("name", "exercise", "marks", "remarks", "graded")  # of a result, in a journal


class Mark(NamedTuple):
    """The points of a task, and why some are missing."""

    task: str
    points: float
    of: float
    kind: str  # right, wrong, not written, stopped, ended, by hand
    words: str = ""


class Result(NamedTuple):
    """The marks of a student's file."""

    name: str
    exercise: str
    marks: tuple[Mark, ...] = ()
    remarks: tuple[str, ...] = ()
    graded: bool = True  # False where the file cannot be read, and where we have a fault
    notes: tuple[str, ...] = ()  # for the instructor alone
    texts: tuple[tuple[str, str], ...] = ()  # digests of long answers, by cell

    @property
    def points(self) -> float:
        """All points."""
        return sum(mark.points for mark in self.marks)

    @property
    def cut(self) -> list[Mark]:
        """The marks of tasks whose cells did not come to their end."""
        return [mark for mark in self.marks if mark.kind in CUT.values()]

    @property
    def of(self) -> float:
        """All points that there are."""
        return sum(mark.of for mark in self.marks)


def as_json(result: Result) -> dict[str, Any]:
    """The part of a result that needs a run of the answer: a look at its text needs none."""
    said = result._asdict()
    return {key: said[key] for key in KEPT}


def from_json(said: dict[str, Any]) -> Result:
    """The result that was written so."""
    name, exercise, marks, remarks, graded = (said[key] for key in KEPT)
    return Result(name, exercise, tuple(Mark(*mark) for mark in marks), tuple(remarks), graded)
