"""A newcomer's walk: the wheel, an empty environment, and the page "First ten minutes" typed there.

Protects the door: that the package can be built and installed without this folder, that it asks for
all that it needs, and that the first page of the book prints what a newcomer sees.
"""

import json
import os
import re
import subprocess
import sys
import sysconfig
import zipfile
from contextlib import suppress
from email import message_from_string
from pathlib import Path

import pytest

import autodiff_edu as ad
import dev
from tests.house.test_docstrings import Close
from tests.house.test_frame import PROJECT, README

PAGE = Path(__file__).parents[2] / "book" / "first_ten_minutes.md"
CELLS = Path(__file__).parents[1] / "helpers" / "cells.py"
BLOCK = re.compile(r"^```(python|text)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
OLD_PYTHON = sys.version_info[:2] == (3, 11)  # in whose words help() is printed on the page


def cells(page):
    """The page's cells, and what it prints below each."""
    texts, printed = [], []
    for language, text in BLOCK.findall(page):
        if language == "python":
            texts.append(text)
            printed.append("")
        else:
            printed[-1] = text
    return texts, printed


# ---- an environment with nothing in it


def with_uv(folder, wheel, extra=""):
    """The environment, in a second: uv has in store what the set-up installed."""
    uv, python = dev.find_uv(), environment_python(folder)
    call(uv, "venv", "-q", "--clear", "--python", sys.executable, folder / "env")
    install = (uv, "pip", "install", "-q", "--python", python, wanted(wheel, extra), *PINNED)
    if subprocess.run([*install, "--offline"], stderr=subprocess.DEVNULL).returncode:
        call(*install)
    with suppress(OSError):  # of folders on another disk there are no links
        lend(folder / "env")


def with_pip(folder, wheel, extra=""):
    """The way that needs no further tool."""
    call(sys.executable, "-m", "venv", folder / "env")
    pip = [environment_python(folder), "-m", "pip"]
    call(*pip, "install", "-q", wanted(wheel, extra), *PINNED)


def lend(environment):
    """Lend it what our environment has compiled of the same files: to compile takes seconds.

    Python reads what is lent only if the time and the size of the source are those of ours.
    """
    ours = Path(sysconfig.get_path("purelib"))
    theirs = Path(sysconfig.get_path("purelib", "venv", {"base": str(environment)}))
    for folder, _, names in os.walk(theirs):
        compiled = ours / os.path.relpath(folder, theirs) / "__pycache__"
        pairs = [(compiled / name, Path(folder, "__pycache__", name)) for name in listed(compiled)]
        for path, copy in pairs if names else ():
            if f"{path.name.partition('.')[0]}.py" in names:
                copy.parent.mkdir(exist_ok=True)
                copy.hardlink_to(path)


def listed(folder):
    return os.listdir(folder) if folder.is_dir() else ()


PINNED = ["-c", dev.ROOT / "constraints.txt"]


def call(*command, more=(), **options):
    """Run a command that finds nothing of this project but what it is told of."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "VIRTUAL_ENV"))}
    kept |= {"OPENBLAS_NUM_THREADS": "1", "PYTHONIOENCODING": "utf-8", **dict(more)}
    parts = [str(part) for part in command]
    return subprocess.run(parts, check=True, env=kept, encoding="utf-8", **options)


def environment_python(folder):
    return folder / "env" / dev.PYTHON.relative_to(dev.VENV)


def wanted(wheel, extra):
    """What is asked of the installer: the wheel, and perhaps an extra."""
    return f"{wheel}[{extra}]" if extra else wheel


def installed(folder, wheel, extra=""):
    """The folder, with an environment into which the wheel is installed."""
    try:
        with_uv(folder, wheel, extra)
    except (OSError, subprocess.CalledProcessError):
        with_pip(folder, wheel, extra)
    return folder


@pytest.fixture(scope="module")
def place(tmp_path_factory, wheel):
    """A folder with an environment into which the wheel is installed."""
    return installed(tmp_path_factory.mktemp("walk"), wheel)


@pytest.fixture(scope="module")
def answers(place):
    """What each cell of the page shows there."""
    texts, _ = cells(PAGE.read_text("utf-8"))
    where = "import autodiff_edu, os\nprint(os.path.dirname(autodiff_edu.__file__))\n"
    command = [environment_python(place), CELLS]
    given = json.dumps([where, *texts])
    done = call(*command, input=given, cwd=place, capture_output=True)
    home, *shown = json.loads(done.stdout)
    assert Path(home.strip()).is_relative_to(place / "env")
    return shown


# ---- the page


@pytest.mark.numeric
@pytest.mark.parametrize("number", range(len(cells(PAGE.read_text("utf-8"))[0])))
def test_the_page_prints_what_is_shown(number, answers):
    """If not: python -c "from tests.book.test_first_ten_minutes import *; write()"."""
    texts, printed = cells(PAGE.read_text("utf-8"))
    if texts[number].startswith("help(") and not OLD_PYTHON:
        assert answers[number].startswith("Help on function grad in module autodiff_edu")
    else:
        assert Close().check_output(printed[number], answers[number], 0), answers[number]


def test_the_page_has_the_blocks_of_the_readme_in_their_order():
    """All but the three lines of the first screen."""
    texts, _ = cells(PAGE.read_text("utf-8"))
    blocks = re.findall(r"```python\n(.*?)```", README, re.DOTALL)[1:]
    assert len(blocks) == 3 and [text for text in texts if text in blocks] == blocks


def test_the_page_shows_help_a_picture_and_errors_with_their_remedies():
    texts, printed = cells(PAGE.read_text("utf-8"))
    assert {"help(ad.grad)\n", "ad.draw(shorter.after)\n"} <= set(texts)
    errors = [text for text in printed if re.match(r"\w+Error: ", text)]
    assert len(errors) == 4
    remedies = [cell.strip() for cell in texts if cell.strip() in errors[0]]
    assert remedies == ["y(3.0)", "ad.evaluate(y, {x: 3.0})", "ad.function([x], y)(3.0)"][1:]


def test_the_landing_page_and_the_readme_lead_to_it():
    assert "first_ten_minutes" in (PAGE.parent / "index.md").read_text("utf-8")
    assert "book/first_ten_minutes.md" in README


def write():
    """Put what this environment shows on the page."""
    page = PAGE.read_text("utf-8")
    given = json.dumps(cells(page)[0])
    here = {"PYTHONPATH": str(dev.ROOT)}
    done = call(sys.executable, CELLS, more=here, input=given, capture_output=True)
    shown = iter([text for text in json.loads(done.stdout) if text])

    def filled(block):
        return block[0] if block[1] == "python" else f"```text\n{tidy(next(shown))}```"

    PAGE.write_text(BLOCK.sub(filled, page), "utf-8", newline="\n")


def tidy(text):
    """No spaces at the ends of lines, and one end of the text."""
    return "\n".join(line.rstrip() for line in text.rstrip().split("\n")) + "\n"


# ---- the wheel


def test_the_wheel_says_what_it_is(wheel):
    with zipfile.ZipFile(wheel) as file:
        names = set(file.namelist())
        about = next(name for name in names if name.endswith(".dist-info/METADATA"))
        told = message_from_string(file.read(about).decode("utf-8"))
    assert told["Name"] == "autodiff-edu" and told["Version"] == ad.__version__
    assert told["Summary"] == PROJECT["description"]
    assert told["License-Expression"] == PROJECT["license"]
    assert set(told.get_all("Classifier")) == set(PROJECT["classifiers"])
    assert set(told["Keywords"].split(",")) == set(PROJECT["keywords"])
    assert told.get_all("Project-URL") is None, "there is no public address yet"
    assert told.get_payload().startswith("# autodiff_edu")
    needed = [r for r in told.get_all("Requires-Dist") if "extra ==" not in r]
    assert sorted(needed) == sorted(PROJECT["dependencies"])
    assert "autodiff_edu/py.typed" in names
    assert {name.split("/")[0].split("-")[0] for name in names} == {"autodiff_edu"}


def test_the_wheel_has_every_file_of_the_package(wheel):
    with zipfile.ZipFile(wheel) as file:
        packed = {name for name in file.namelist() if name.startswith("autodiff_edu/")}
    assert packed == files("autodiff_edu") | {
        f"autodiff_edu/course/{name}" for name in files("notebooks")
    }


def files(folder):
    """What is kept in a folder of the project, and its folders."""
    skipped = {"__pycache__", ".ipynb_checkpoints"}
    here = [p for p in (dev.ROOT / folder).rglob("*") if p.is_file()]
    return {p.relative_to(dev.ROOT).as_posix() for p in here if not skipped & set(p.parts)}
