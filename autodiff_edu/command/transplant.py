"""`transplant`: a student's page takes the engine's place. It is checked, and lecture 05 runs."""

from pathlib import Path

import click

from .files import FILE, FOUND, need, written

PAPERS = ("paths", "terms", "longest")


@click.command(no_args_is_help=True)
@click.argument("page", type=FILE)
@click.option("--start", is_flag=True, help="Write an empty PAGE, with six functions to fill.")
@click.option("--paper", default="paths", show_default=True, type=click.Choice(PAPERS),
              help="What the sweep also returns, in this term.")  # fmt: skip
@click.option(
    "--seed", default=0, show_default=True, help="The student's number: whose operations."
)
@click.option("--author", default="you", help="A name for the first line of the page.")
@click.option("--broken", type=FOUND, help="Your page with one wrong line, which checks overlook.")
@click.option("--catch", type=FOUND, help="Your check, catch(page), which finds that line.")
@click.option("--film", type=FILE, help="Write the film that your reverse mode makes.")
@click.option("--questions", is_flag=True, help="Ask three questions about the film of your page.")
@click.option("--student", default="0", show_default=True, help="Whose questions.")
@click.option("--answers", type=FOUND, help="A file with an answer in each line; else it asks.")
def transplant(
    page, start, paper, seed, author, broken, catch, film, questions, student, answers
) -> None:
    """Put the functions of PAGE, a Python file, in the engine. Check them, and run lecture 05.

    All of this happens in this process alone: nothing that is installed changes.
    """
    from ..course.harness.feedback import Wrong
    from ..course.transplant.endless import cpu_limit
    from ..course.transplant.page import read_page, start_page

    if start:
        try:
            click.echo(f"{start_page(page, paper, author)}: write one function, then run "
                       f"autodiff-edu transplant {page}")  # fmt: skip
        except FileExistsError:
            raise click.ClickException(f"{page} is there, and stays as it is") from None
        except OSError as error:
            raise click.ClickException(str(error)) from None
        return
    need("IPython")
    if bool(broken) != bool(catch):
        raise click.ClickException("--broken and --catch belong together: give both files")
    try:
        with cpu_limit(*[path.name for path in (page, broken, catch) if path]):
            if broken:
                compared(page, broken, catch, paper)
            elif questions:
                ask_about_film(read_page(page), student, answers)
            else:
                operated(read_page(page), seed, paper, film)
    except (OSError, Wrong) as error:
        raise click.ClickException(str(error)) from None


def compared(page: Path, broken: Path, catch: Path, paper: str) -> None:
    """Does the check of a student find the line that is wrong?"""
    from ..course.transplant.broken import check_broken

    number = check_broken(page, broken, catch, paper)
    click.echo(f"{catch.name} finds line {number} of {broken.name}; visible checks do not")


def operated(page, seed: int, paper: str, film: Path | None) -> None:
    """Check each function, then run the lecture."""
    from ..course.transplant.judge import check_page
    from ..course.transplant.lecture import LECTURE, film_of_page, run_lecture
    from ..course.transplant.page import HOLES
    from .lectures import lecture_notebooks

    for hole in check_page(page, seed, paper):
        click.echo(f"{hole}: right")
    if rest := [hole for hole in HOLES if hole not in page.functions]:
        click.echo(f"left to the engine: {', '.join(rest)}")
    (notebook,) = [path for path in lecture_notebooks() if path.name == LECTURE]
    cells = len(list(run_lecture(page, notebook)))
    click.echo(f"lecture 05 runs on your page: {cells} cells")
    if film:
        written(film, film_of_page(page))
        yours = "sweep" in page.functions
        click.echo(f"{film}: drawn by {'your' if yours else 'our'} reverse mode")


def ask_about_film(page, student: str, answers: Path | None) -> None:
    """Ask about the film of the page, and say which answers are right."""
    from ..course.transplant.film_questions import film_questions, grade

    questions = film_questions(page, student)
    if answers:
        rows = answers.read_text("utf-8").splitlines()
    else:
        rows = [click.prompt(f"{k}. {q.question}") for k, q in enumerate(questions, 1)]
    verdicts = grade(questions, rows)
    for k, (question, right) in enumerate(zip(questions, verdicts), 1):
        click.echo(f"{k}. {question.question} {'right' if right else 'not right'}")
    click.echo(f"{sum(verdicts)} of {len(verdicts)} are right")
