"""From a student's file to marks: a mark for each task, and remarks on what is odd."""

from collections.abc import Callable, Iterable, Iterator

from .equal_texts import digests
from .exercise import Cell, Exercise
from .look import notes
from .marks import CUT, KINDS, Mark, Result
from .run import Outcome
from .submission import Submission, answers, helpers

OURS = {"Wrong", "Unsolved"}  # errors whose message says all


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
