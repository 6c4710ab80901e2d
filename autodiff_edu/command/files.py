"""The files and packages that a command needs: each is looked at before the work begins."""

import importlib.util
from pathlib import Path
from typing import Any

import click


class Output(click.Path):
    """A file to be written, which is no notebook: a shell puts the first name for *.ipynb."""

    def convert(self, value, param, ctx):
        path: Any = super().convert(value, param, ctx)
        if path.suffix == ".ipynb":
            self.fail(f"{path} is a notebook, and would be overwritten", param, ctx)
        return path


FILE = Output(dir_okay=False, path_type=Path)
FOUND = click.Path(exists=True, dir_okay=False, path_type=Path)
ANY = click.Path(readable=False, path_type=Path)  # a class hands it in; what is odd is reported
FOLDER = click.Path(file_okay=False, path_type=Path)


def need(*names: str) -> None:
    """Raise the error that says what to install, unless these packages are here."""
    from .doctor import COURSE

    for name in names:
        if importlib.util.find_spec(name) is None:
            raise click.ClickException(f"the package {name} is not here: {COURSE} brings it")


def to_different_files(*paths: Path | None) -> None:
    """Raise the error that says that two outputs would be one file."""
    places = [path.resolve() for path in paths if path]
    if twice := [place for place in places if places.count(place) > 1]:
        raise click.ClickException(f"{twice[0].name} is named twice: write two files")


def written(path: Path, text: str, folder: bool = False, is_told: bool = True) -> None:
    """Write a file, in a folder that is made if that is wanted, and say so."""
    try:
        if folder:
            path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8", errors="replace", newline="")
    except OSError as error:
        raise click.ClickException(f"{path} cannot be written: {error.strerror}") from None
    if is_told:
        click.echo(f"{path} is written", err=True)
