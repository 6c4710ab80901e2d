"""The words of the command line, by click: each command reads its options and calls a function.

A command imports what it works with when it is called, so that `autodiff-edu --help` is quick, and
one that lacks a package does not stop the others.
"""

import sys
import tempfile
import webbrowser
from pathlib import Path

import click

from .. import __version__
from .check import check
from .files import FILE, FOLDER, FOUND, need, to_different_files, written
from .transplant import transplant


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="autodiff-edu")
def commands() -> None:
    """Derivatives that can be looked into, and the course about them."""


@commands.command(no_args_is_help=True, context_settings={"ignore_unknown_options": True})
@click.argument("formula")
@click.option("--wrt", multiple=True, metavar="NAME", help="Differentiate by it; else by all.")
@click.option("--at", multiple=True, metavar="NAME=VALUE", help='A value: x=3 or "w=[1, 2]".')
@click.option("--derivative", type=click.Choice(["symbolic", "forward", "reverse"]))
@click.option("--html", type=FILE, help="Write a page with a film of the stages.")
@click.option("--svg", type=FILE, help="Write the picture of the simplified derivative.")
@click.option("--open", "opens", is_flag=True, help="Show the page in a browser.")
def show(formula, wrt, at, derivative, html, svg, opens) -> None:
    """Show how a FORMULA, such as "x*x + x - 2", is differentiated. A pipe is read for -."""
    from ..show.diagram.layout import GraphvizMissing
    from .expression import LONGEST, Refused
    from .show import page as page_of
    from .show import show as stages_of

    to_different_files(html, svg)
    if formula == "-":
        formula = sys.stdin.buffer.read(4 * LONGEST + 1).decode("utf-8", "replace")
    try:
        shown = stages_of(formula, wrt, at, derivative)
        click.echo(str(shown))
        if svg:
            written(svg, shown.picture.svg)
        if html or opens:
            page = html or Path(tempfile.mkdtemp(prefix="autodiff-edu-"), "formula.html")
            written(page, page_of(shown))
            if opens:
                webbrowser.open(page.resolve().as_uri())
    except (GraphvizMissing, Refused) as error:
        raise click.ClickException(str(error)) from None


@commands.command(no_args_is_help=True, context_settings={"ignore_unknown_options": True})
@click.argument("formula")
@click.option("--wrt", multiple=True, metavar="NAME", help="Differentiate by it; else by all.")
@click.option("--at", multiple=True, metavar="NAME=VALUE", help='A value: x=3 or "w=[1, 2]".')
@click.option("--derivative", type=click.Choice(["symbolic", "forward", "reverse"]))
@click.option("--html", type=FILE, help="Write the page into this file; do not open it.")
def explore(formula, wrt, at, derivative, html) -> None:
    """Open a page that steps through the derivative of a FORMULA."""
    from ..show.diagram.layout import GraphvizMissing
    from .explore import explorer
    from .expression import Refused

    page = html or Path(tempfile.mkdtemp(prefix="autodiff-edu-"), "explorer.html")
    try:
        explorer(formula, wrt, at, derivative).save(page)
    except (GraphvizMissing, OSError, Refused) as error:
        raise click.ClickException(str(error)) from None
    click.echo(str(page))
    if html is None:
        webbrowser.open(page.resolve().as_uri())


@commands.command()
@click.argument("folder", type=FOLDER)
@click.option("--instructor", is_flag=True, help="Exercises with their solutions.")
@click.option("--handout", is_flag=True, help="Lectures without outputs, to be run in class.")
def lectures(folder, instructor, handout) -> None:
    """Copy the lectures and the exercises into FOLDER. What is there stays as it is."""
    from .lectures import copy_lectures

    try:
        done = copy_lectures(folder, instructor, handout)
    except OSError as error:
        raise click.ClickException(str(error)) from None
    for copied in done:
        click.echo(f"{copied.path}: {copied.words}")


@commands.command()
@click.argument("folder", type=FOLDER)
@click.argument("files", type=FOUND, nargs=-1)
def slides(folder, files) -> None:
    """Write the slides of the lectures FILES into FOLDER. Without FILES, of all lectures."""
    from ..course.slides import SlidesMissing, write_slides
    from .lectures import lecture_notebooks

    try:
        pages = write_slides(folder, files or lecture_notebooks())
    except (OSError, SlidesMissing, ValueError) as error:
        raise click.ClickException(str(error)) from None
    for page in pages:
        click.echo(page)


NO_SOLUTIONS = (
    "{} has no solutions and no hidden tests: is it a student's version? "
    "`autodiff-edu lectures FOLDER --instructor` copies ours"
)


@commands.command(no_args_is_help=True)
@click.argument("files", type=FOUND, nargs=-1, required=True)
@click.option("-o", "--output", type=FOLDER, required=True, help="Where students' versions go.")
def release(files, output) -> None:
    """Write students' versions of exercises. Solutions and hidden tests are taken out."""
    need("nbformat")
    from ..course.harness.student import has_markers, student_version

    if twice := [path.name for path in files if [p.name for p in files].count(path.name) > 1]:
        raise click.ClickException(f"{len(twice)} files have the name {twice[0]}: release each "
                                   "into a folder of its own")  # fmt: skip
    for path in files:
        target = output / path.name
        if target.exists() and target.samefile(path):
            raise click.ClickException(f"{target} would be overwritten: choose another folder")
        try:
            source = path.read_text("utf-8-sig")
            text = student_version(source)
        except Exception as error:  # of nbformat, which has no common class for them
            raise click.ClickException(f"{path} is no exercise: {error}") from None
        if not has_markers(source):
            click.echo(NO_SOLUTIONS.format(path), err=True)
        written(target, text, folder=True)


commands.add_command(check)
commands.add_command(transplant)

OF_THE_SCRIPT = {"ignore_unknown_options": True, "allow_interspersed_args": False}


@commands.command(no_args_is_help=True, context_settings=OF_THE_SCRIPT)
@click.option("--show", "shows", is_flag=True, help="First print the conversion from Python 2.")
@click.option("--modernise", "moves", is_flag=True, help="Print it with modern names instead.")
@click.argument("script", type=FOUND)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def theano(shows, moves, script, arguments) -> None:
    """Run a SCRIPT of Theano's years as it is, with its own ARGUMENTS."""
    from ..theano.script import Unreadable, modernise, run

    if not moves:
        try:
            run(script, shows, arguments)
        except Unreadable as error:  # what the script itself raises is its own
            raise click.ClickException(str(error)) from None
        return
    try:
        done = modernise(script)
    except (ImportError, SyntaxError, UnicodeDecodeError) as error:
        raise click.ClickException(f"{script}: {error}") from None
    click.echo(done.text, nl=False)
    click.echo(done.report(), err=True)


@commands.command()
def doctor() -> None:
    """Say what works on this machine. For the rest it says what to install.

    The exit code is 1 if something is missing that the course needs.
    """
    from .doctor import findings

    works = True
    for finding in findings():
        state = "works" if finding.works else "MISSING" if finding.needed else "not here"
        click.echo(f"{state:<8} {finding.what}: {finding.words}")
        works &= finding.works or not finding.needed
    sys.exit(not works)


def main() -> None:
    """Run the command that was typed."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a terminal may know few letters
    commands(prog_name="autodiff-edu")
