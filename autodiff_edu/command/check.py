"""`check`: a class is graded, and each result is kept as soon as it is known."""

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import click

from .files import ANY, FILE, FOUND, need, to_different_files, written

SHOWN = 5  # names in a sentence


@click.command(no_args_is_help=True)
@click.argument("files", type=ANY, nargs=-1, required=True)
@click.option("--exercise", type=FOUND, help="The instructor's notebook; else one of ours.")
@click.option("--csv", type=FILE, help="Write a table for a learning platform.")
@click.option("--html", type=FILE, help="Write a page for the class.")
@click.option("--journal", type=FILE, default="grading.jsonl", show_default=True,
              help="Each result is a line of it, as soon as it is known.")  # fmt: skip
@click.option("--resume", is_flag=True, help="Keep what the journal has, and grade the rest.")
@click.option("--seconds", default=60.0, show_default=True, type=click.FloatRange(1, 86_400),
              help="Of CPU time: so much a cell may use, and so much a check in it.")  # fmt: skip
@click.option("--seed", default=1, show_default=True, help="Of what checks draw, for all alike.")
@click.option("--jobs", default=2, show_default=True, type=click.IntRange(1, 64),
              help="Answers at the same time. Never more than there are processors.")  # fmt: skip
def check(files, exercise, csv, html, journal, resume, seconds, seed, jobs) -> None:
    """Grade the notebooks FILES of students. It says why points are missing.

    A folder among FILES stands for all notebooks in it. An answer that uses more time, or waits for
    a minute, is stopped. It is graded once more, alone, before it loses points. The exit code is 1
    if something could not be graded.
    """
    need("nbformat", "IPython")
    from ..course.grading.journal import Journal
    from ..course.grading.report import as_csv, as_html, as_text
    from ..course.grading.run import Limits, NotStarted
    from ..course.grading.score import Interrupted, grade

    to_different_files(csv, html, journal)
    for path in filter(None, (csv, html, journal)):
        if not os.access(path.resolve().parent, os.W_OK):
            raise click.ClickException(f"{path} cannot be written: is there such a folder?")
    paths, exercises = list(notebooks(files)), exercises_of(exercise)
    kept = Journal(begun(journal, resume))
    limits, code = Limits(seconds, 10 * seconds, seed), 0
    with click.progressbar(length=len(paths), label="grading", file=sys.stderr) as bar:
        try:
            results = grade(paths, exercises, limits, jobs, lambda: bar.update(1), kept)
        except NotStarted as error:
            raise click.ClickException(f"nothing is graded: {error}") from None
        except Interrupted as end:
            results, code = end.results, 130
    click.echo(as_text(results))
    for path, table in ((csv, as_csv), (html, as_html)):
        if path:
            written(path, table(results))
    if code:
        click.echo(f"{len(results)} of {len(paths)} are graded: --resume grades the rest", err=True)
    sys.exit(code or not_graded([result.name for result in results if not result.graded]))


def notebooks(files: Iterable[Path]) -> Iterator[Path]:
    """The files, and those in folders; but no copies that JupyterLab and others keep."""
    for path in files:
        if path.suffix == ".ipynb" or not path.is_dir():
            yield path
            continue
        inside = [p for p in sorted(path.rglob("*.ipynb")) if not is_hidden(p.relative_to(path))]
        if not inside:
            raise click.ClickException(f"there is no notebook in {path}")
        yield from inside


def is_hidden(path: Path) -> bool:
    return any(part.startswith(".") for part in path.parts)


def exercises_of(path: Path | None) -> list:
    """That of the instructor's, or all of ours."""
    from ..course.grading.exercise import read_exercise
    from .lectures import instructor_notebooks

    try:
        return [read_exercise(path) for path in ([path] if path else instructor_notebooks())]
    except Exception as error:  # of nbformat, which has no common class for them
        raise click.ClickException(str(error)) from None


def begun(journal: Path, resume: bool) -> Path:
    """The journal, which is empty or goes on. One that has no end is not overwritten."""
    from ..course.grading.journal import Journal

    kept = Journal(journal)
    if not kept.is_ours:
        raise click.ClickException(f"{journal} is no journal of a grading: name another file")
    if resume or not journal.exists():
        return journal
    if not kept.is_over:
        raise click.ClickException(f"{journal} has results of a grading that has not ended. Add "
                                   "--resume to go on with it, or remove it")  # fmt: skip
    journal.unlink()
    return journal


def not_graded(names: Sequence[str]) -> int:
    """The exit code; it says which answers could not be graded."""
    if names:
        rest = f", and {len(names) - SHOWN} more" * (len(names) > SHOWN)
        click.echo(f"{len(names)} not graded: {', '.join(names[:SHOWN])}{rest}", err=True)
    return bool(names)
