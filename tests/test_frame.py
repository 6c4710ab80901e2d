"""The frame around the engine: package lists agree, commands are true, nothing private is kept."""

import re
import subprocess
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
REQUIRED = PROJECT["dependencies"] + PROJECT["optional-dependencies"]["dev"]
CONDA_NAMES = {"graphviz": "python-graphviz"}  # there, `graphviz` is the program

# A link is a promise that it will still be there: a new host is added here on purpose.
HOSTS = {"www.w3.org", "doi.org", "arxiv.org", "localhost"}
PRIVATE_PATH = re.compile(r"(?<![\w+/.])/(?:root|home|Users|work|tmp|opt|mnt|var)/\w+")
LINK = re.compile(r"\w://([\w.-]+)")


def kept_files():
    """Every text file that git keeps or is about to keep."""
    listing = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listing, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    paths = (ROOT / name for name in names.splitlines())
    return [path for path in paths if path.is_file() and path.suffix != ".png"]


def name_of(requirement):
    return re.match(r"[\w.-]+", requirement)[0]


def test_environment_is_in_step_with_pyproject():
    entries = re.findall(r"^ +- ([^:\n]+)$", (ROOT / "environment.yml").read_text(), re.MULTILINE)
    renamed = [
        requirement.replace(
            name_of(requirement), CONDA_NAMES.get(name_of(requirement), name_of(requirement))
        )
        for requirement in REQUIRED
    ]
    around = ["conda-forge", "python" + PROJECT["requires-python"], "pip", "-e ."]
    assert sorted(entries) == sorted(renamed + around)


def test_constraints_pin_every_requirement_and_name_no_host():
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    pin = re.compile(r"[\w.-]+==[\w.]+( ; [\w.*<>=!' ()]+)?")
    assert [line for line in lines if not pin.fullmatch(line)] == []
    assert {name_of(r) for r in REQUIRED} <= {name_of(line) for line in lines}


def test_ci_runs_the_command_of_the_readme():
    commands = re.findall(
        r"^ {4}(python3 dev\.py \w+)", (ROOT / "README.md").read_text(), re.MULTILINE
    )
    assert commands == ["python3 dev.py lab", "python3 dev.py test"]
    assert (ROOT / ".ci/run").read_text().splitlines()[-1] == commands[-1]


def test_the_readme_example_runs():
    example = re.search(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)[1]
    *setup, last = example.strip().splitlines()
    names = {}
    exec("\n".join(setup), names)
    assert eval(last, names) == 7.0


def test_licence():
    text = (ROOT / "LICENSE").read_text()
    assert text.startswith("BSD 3-Clause License") and "The autodiff_edu authors" in text
    assert PROJECT["license"] == "BSD-3-Clause"


@pytest.mark.parametrize("path", kept_files(), ids=lambda path: str(path.relative_to(ROOT)))
def test_nothing_private_is_kept(path):
    text = path.read_text("utf-8")
    assert PRIVATE_PATH.findall(text) == []
    assert set(LINK.findall(text)) <= HOSTS
