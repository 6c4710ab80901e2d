"""`check`: a class is graded, and each result is kept as soon as it is known."""

import csv
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import click

from .files import ANY, FILE, FOLDER, FOUND, need, to_different_files, written

MARK = "\ufeff"  # the byte order mark
SHOWN = 5  # names in a sentence


@click.command(no_args_is_help=True)
@click.argument("files", type=ANY, nargs=-1, required=True)
@click.option("--exercise", type=FOUND, multiple=True,
              help="The instructor's notebook, or several; else ours.")  # fmt: skip
@click.option("--csv", type=FILE, help="Write a table, a column for each task.")
@click.option("--html", type=FILE, help="Write a page about the class, for the instructor.")
@click.option("--feedback", type=FOLDER, help="Write a page for each student into a folder.")
@click.option("--roster", type=FOUND, help="The class, as CSV: of Moodle, of Canvas, or with id.")
@click.option("--upload", type=FILE, help="Write the roster with points, for Moodle or Canvas.")
@click.option(
    "--points", type=FOUND, help="Points by hand, as CSV: name, task, points, of, comment."
)
@click.option("--journal", type=FILE, default="grading.jsonl", show_default=True,
              help="Each result is a line of it, as soon as it is known.")  # fmt: skip
@click.option("--resume", is_flag=True, help="Keep what the journal has, and grade the rest.")
@click.option("--seconds", default=60.0, show_default=True, type=click.FloatRange(1, 86_400),
              help="Of CPU time: so much a cell may use, and so much a check in it.")  # fmt: skip
@click.option("--seed", default=1, show_default=True, help="Of what checks draw, for all alike.")
@click.option("--jobs", default=2, show_default=True, type=click.IntRange(1, 64),
              help="Answers at the same time. Never more than there are processors.")  # fmt: skip
@click.option("--user", default="", help="Run answers as this user: for root, on Linux.")
def check(
    files, exercise, journal, resume, seconds, seed, jobs, user, roster, points, **outputs
) -> None:
    """Grade the notebooks FILES of students. It says why points are missing.

    A folder among FILES stands for all notebooks in it. An answer that uses more time, or waits for
    a minute, is stopped. It is graded once more, alone, before it loses points. The exit code is 1
    if something could not be graded.
    """
    need("nbformat", "IPython")
    from ..course.grading.by_hand import merged, read_points
    from ..course.grading.equal_texts import with_equal_texts
    from ..course.grading.report import as_text
    from ..course.grading.roster import read_roster, strangers
    from ..course.grading.run import Limits

    outputs = {kind: path for kind, path in outputs.items() if path}
    can_be_written(journal, *outputs.values())
    with told():
        paths, exercises = list(notebooks(files)), exercises_of(exercise)
        people = read_roster(roster) if roster else None
        by_hand = read_points(points) if points else []
        if "upload" in outputs and not (people and people.platform):
            raise ValueError("--upload needs a --roster of Moodle (with Identifier and Grade) or "
                             "of Canvas (with Student, ID and Section)")  # fmt: skip
    can_become(user)
    limits = Limits(seconds, 10 * seconds, seed, user=user)
    folder = files[0] if len(files) == 1 and is_class(files[0]) else None
    results, code = graded(paths, exercises, limits, jobs, log_of(journal, resume), folder)
    try:
        results = merged(with_equal_texts(results, exercises), by_hand, people)
    except ValueError as error:  # what is graded is written all the same
        click.echo(f"Error: {error}", err=True)
        code = code or 1
    click.echo(as_text(results))
    for kind, path in outputs.items():
        write(kind, path, results, people)
    tell("of nobody in the roster, or of several", strangers(results, people) if people else [])
    is_partial = tell("not graded", [r.name for r in results if not r.graded])
    sys.exit(code or is_partial)


def graded(paths, exercises, limits, jobs, log, folder) -> tuple[list, int]:
    """The results, and the exit code so far: a person may end it before all are there."""
    from ..course.grading.run import NotStarted
    from ..course.grading.score import Interrupted, grade

    with click.progressbar(length=len(paths), label="grading", file=sys.stderr) as bar:
        try:
            return grade(paths, exercises, limits, jobs, lambda: bar.update(1), log, folder), 0
        except NotStarted as error:
            raise click.ClickException(f"nothing is graded: {error}") from None
        except Interrupted as end:
            results, why = end.results, str(end)
    click.echo(f"Error: {why}\n" * bool(why), nl=False, err=True)
    click.echo(f"{len(results)} of {len(paths)} are graded: --resume grades the rest", err=True)
    return results, 1 if why else 130


def write(kind: str, path: Path, results: Sequence, roster) -> None:
    """One of the outputs. Excel takes a CSV file for UTF-8 if it begins with a mark."""
    from ..course.grading.feedback_page import feedback
    from ..course.grading.report import as_csv, as_html
    from ..course.grading.roster import upload

    match kind:
        case "csv":
            written(path, MARK + as_csv(results, roster))
        case "upload":
            written(path, MARK + upload(results, roster))
        case "html":
            written(path, as_html(results))
        case "feedback":
            pages = feedback(results, roster)
            for name, text in pages.items():
                written(path / name, text, folder=True, is_told=False)
            click.echo(f"{len(pages)} pages are written into {path}", err=True)


def can_be_written(*paths: Path) -> None:
    """Raise the error that says which output has no place."""
    to_different_files(*paths)
    for path in paths:
        place = path if path.is_dir() else path.resolve().parent
        if not os.access(place, os.W_OK):
            raise click.ClickException(f"{path} cannot be written: is there such a folder?")


def can_become(user: str) -> None:
    """Raise the error that says why no process goes on as this user."""
    if not user:
        return
    try:
        import pwd

        pwd.getpwnam(user)
        is_root = os.geteuid() == 0
    except (ImportError, KeyError):
        raise click.ClickException(f"--user {user}: there is no such user here") from None
    if not (is_root and sys.platform == "linux"):
        raise click.ClickException("--user is for root, on Linux: as in the container")


@contextmanager
def told() -> Iterator[None]:
    """Tell a fault of an input in a sentence, before a class is graded."""
    try:
        yield
    except (OSError, ValueError, csv.Error) as error:
        raise click.ClickException(str(error)) from None


def notebooks(files: Iterable[Path]) -> Iterator[Path]:
    """The files, and those in folders; but no copies that JupyterLab and others keep."""
    for path in files:
        if not is_class(path):
            yield path
            continue
        inside = [p for p in sorted(path.rglob("*")) if not is_hidden(p.relative_to(path))]
        ours = [p for p in inside if ".ipynb" in p.name.lower()]  # browsers add .txt and (1)
        if not ours:
            raise click.ClickException(f"there is no notebook in {path}")
        rest = [str(p.relative_to(path)) for p in inside if p not in ours and not p.is_dir()]
        tell("left out, since no notebook is called so", rest)
        yield from ours


def is_class(path: Path) -> bool:
    """Does this stand for the notebooks in it? A folder in the place of a notebook does not."""
    return path.is_dir() and path.suffix != ".ipynb"


def is_hidden(path: Path) -> bool:
    return any(part.startswith(".") for part in path.parts)


def exercises_of(paths: Sequence[Path]) -> list:
    """Those of the instructor's, or all of ours."""
    from ..course.grading.exercise import read_exercise
    from .lectures import instructor_notebooks

    paths = paths or instructor_notebooks()
    if not paths:
        raise ValueError("this installation has no solutions: name the instructor's notebook with "
                         "--exercise")  # fmt: skip
    return [read_exercise(path) for path in paths]


def log_of(path: Path, resume: bool):
    """The journal, which is empty or goes on. One that has no end is not overwritten."""
    from .. import __version__
    from ..course.grading.journal import Journal

    log = Journal(path, __version__)
    if not log.is_ours:
        raise click.ClickException(f"{path} is no journal of a grading: name another file")
    if resume or not path.exists():
        return log
    if not log.is_over:
        raise click.ClickException(f"{path} has results of a grading that has not ended. Add "
                                   "--resume to go on with it, or remove it")  # fmt: skip
    path.unlink()
    return Journal(path, __version__)


def tell(title: str, names: Sequence[str]) -> bool:
    """Say in a line which files there are of a kind, if any."""
    if names:
        rest = f", and {len(names) - SHOWN} more" * (len(names) > SHOWN)
        click.echo(f"{len(names)} {title}: {', '.join(names[:SHOWN])}{rest}", err=True)
    return bool(names)
