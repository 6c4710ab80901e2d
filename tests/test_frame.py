"""The frame around the engine: package lists agree, commands are true, nothing private is kept.

Protects what no room owns: README, licence, lists of packages, and that no path or address of the
machine on which it was written is left in a file.
"""

import re
import subprocess
import tomllib
from pathlib import Path

import numpy as np
import pytest

import autodiff_edu as ad

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
README = (ROOT / "README.md").read_text("utf-8")
REQUIRED = PROJECT["dependencies"] + PROJECT["optional-dependencies"]["dev"]

# A link is a promise that it will still be there: a new host is added here on purpose.
HOSTS = {"www.w3.org", "doi.org", "arxiv.org", "localhost"}
PRIVATE_PATH = re.compile(r"(?<![\w+/.])/(?:root|home|Users|work|tmp|opt|mnt|var)/\w+")
LINK = re.compile(r"\w://([\w.-]+)")


def kept_files():
    """Every text that git keeps or is about to keep, by the name of its file."""
    listing = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listing, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    paths = {
        name: ROOT / name for name in names.split("\0") if not name.endswith((".png", ".woff"))
    }
    return {name: path.read_text("utf-8") for name, path in paths.items() if path.is_file()}


def name_of(requirement):
    return re.match(r"[\w.-]+", requirement)[0]


def test_environment_is_in_step_with_pyproject():
    entries = re.findall(r"^ +- ([^:\n]+)$", (ROOT / "environment.yml").read_text(), re.MULTILINE)
    renamed = [re.sub("^graphviz", "python-graphviz", requirement) for requirement in REQUIRED]
    around = ["conda-forge", "python" + PROJECT["requires-python"], "pip", "-e ."]
    assert sorted(entries) == sorted(renamed + around)


def test_constraints_pin_every_requirement_and_name_no_host():
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    pin = re.compile(r"[\w.-]+==[\w.]+( ; [\w.*<>=!' ()]+)?")
    assert [line for line in lines if not pin.fullmatch(line)] == []
    assert {name_of(r) for r in REQUIRED} <= {name_of(line) for line in lines}


def test_ci_runs_the_command_of_the_readme():
    commands = re.findall(r"^ {4}(python3 dev\.py \w+)", README, re.MULTILINE)
    assert commands == ["python3 dev.py lab", "python3 dev.py test"]
    lines = (ROOT / ".ci/run").read_text().splitlines()
    assert lines[-2:] == [commands[-1], f"{commands[-1]} --cpus"]


@pytest.mark.numeric
def test_the_readme_examples_run():
    first, second, third = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    *setup, last = first.strip().splitlines()
    names = {"np": np}
    exec("\n".join(setup), names)
    assert eval(last, names) == 7.0
    shapes = {"W1": (4, 5), "b1": 5, "W2": (5, 3), "b2": 3}
    names["parameters"] = {k: np.full(shape, 0.1) for k, shape in shapes.items()}
    names |= {"X": np.ones((6, 4)), "y": np.arange(6) % 3}
    *setup, last = second.strip().splitlines()
    exec("\n".join(setup), names)
    assert np.isclose(names["value"], np.log(3)) and names["slope"].keys() == shapes.keys()
    np.testing.assert_allclose(eval(last, names), [[1330, 480], [480, 200]])
    shapes = {"U": (3, 4), "W": (4, 4), "h0": 4, "xs": (6, 3), "v": 4}
    names |= {k: ad.tensor(k, shape=np.atleast_1d(s)) for k, s in shapes.items()}
    names |= {"cost": (names["W"] @ names["v"] + names["h0"]).sum(), "my_pullback": None}
    *setup, last = third.strip().splitlines()
    exec("\n".join(setup), names)
    assert len(eval(last, names).matches) == 1


def test_licence():
    text = (ROOT / "LICENSE").read_text()
    assert text.startswith("BSD 3-Clause License") and "The autodiff_edu authors" in text
    assert PROJECT["license"] == "BSD-3-Clause"


def test_nothing_private_is_kept():
    files = kept_files()
    paths = {name: PRIVATE_PATH.findall(text) for name, text in files.items()}
    hosts = {name: set(LINK.findall(text)) - HOSTS for name, text in files.items()}
    assert {name: found for name, found in paths.items() if found} == {}
    assert {name: found for name, found in hosts.items() if found} == {}
