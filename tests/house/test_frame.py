"""The frame around the engine: package lists agree, commands are true, nothing private is kept.

Protects what no room owns: README, licence, lists of packages, and that no path or address of the
machine on which it was written is left in a file.
"""

import hashlib
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import autodiff_edu as ad
import dev

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
README = (ROOT / "README.md").read_text("utf-8")
EXTRAS = PROJECT["optional-dependencies"]
REQUIRED = PROJECT["dependencies"] + EXTRAS["dev"] + EXTRAS["pictures"]

# A link is a promise that it will still be there: a new host is added here on purpose.
HOSTS = {"www.w3.org", "doi.org", "arxiv.org", "localhost", "mybinder.org"}
MATHJAX = "autodiff_edu/course/slides/static/mathjax/"
AXE = "tests/helpers/axe/"
BY_OTHERS = (MATHJAX, AXE)
PUBLISHED = {  # SHA-256 of files of npm's packages mathjax 3.2.2 and axe-core 4.14.1
    "tex-svg-full.js": "a4354ff94fd868aea0cc6eaaa79a57fda0588646fc46ee3700a349ee0a11cbe6",
    "LICENSE-mathjax": "cfc7749b96f63bd31c3c42b5c471bf756814053e847c10f3eb003417bc523d30",
    "axe.min.js": "29348999450cdf2849a8e70b7912fc2da85a849da39c0d0d5394f51d4a9ed95c",
    "LICENSE": "af175b9d96ee93c21a036152e1b905b0b95304d4ae8c2c921c7609100ba8df7e",
}
PRIVATE_PATH = re.compile(r"/(?<![\w+/.]/)(?:root|home|Users|work|tmp|opt|mnt|var)/\w+")
LINK = re.compile(r"://(?<=\w://)([\w.-]+)")


def kept_files():
    """Every text that git keeps or is about to keep, by the name of its file."""
    listing = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listing, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    ours = [name for name in names.split("\0") if not name.startswith(BY_OTHERS)]
    paths = {name: ROOT / name for name in ours if not name.endswith((".png", ".woff"))}
    return {name: path.read_text("utf-8") for name, path in paths.items() if path.is_file()}


def name_of(requirement):
    return re.match(r"[\w.-]+", requirement)[0]


def test_environment_is_in_step_with_pyproject():
    entries = re.findall(r"^ +- ([^:\n]+)$", (ROOT / "environment.yml").read_text(), re.MULTILINE)
    plain = [requirement.partition(";")[0] for requirement in REQUIRED]
    renamed = [re.sub("^graphviz", "python-graphviz", requirement) for requirement in plain]
    around = ["conda-forge", "python" + PROJECT["requires-python"], "pip", "-e ."]
    assert sorted(entries) == sorted(renamed + around)


def test_constraints_pin_every_requirement_and_name_no_host():
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    pin = re.compile(r"[\w.-]+==[\w.]+( ; [\w.*<>=!' ()]+)?")
    assert [line for line in lines if not pin.fullmatch(line)] == []
    assert {name_of(r) for r in [*REQUIRED, *EXTRAS["jax"]]} <= {name_of(line) for line in lines}


def test_ci_runs_the_command_of_the_readme():
    commands = re.findall(r"^ {4}(python3 dev\.py \w+)", README, re.MULTILINE)
    assert commands == ["python3 dev.py lab", "python3 dev.py test"]
    lines = (ROOT / ".ci/run").read_text().splitlines()
    kinds = ("", " --jax", " --cpus --in-turn", " --nbgrader", " --editions")
    assert lines[-5:] == [commands[-1] + more for more in kinds]
    assert {more.split()[0] for more in kinds if more} == dev.RUNS.keys() - {"--all", "--changed"}


CLAIMS = [  # of the README's blocks, in order; _ is what a block shows last
    "assert [answer for answer in _.document['answers'] if answer] == [[7]] * 5",
    "assert f(3.0) == 7.0",
    "np.testing.assert_allclose(_, [[1330, 480], [480, 200]])\n"
    "assert {k: v.shape for k, v in slope.items()} == {k: v.shape for k, v in parameters.items()}",
    "assert len(_.matches) == 1",
]


@pytest.mark.numeric
def test_the_readme_runs_as_pasted(tmp_path):
    """Every block in order, line by line, into one Python that knows nothing."""
    blocks = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    pasted = [f"{block}{claim}\n" for block, claim in zip(blocks, CLAIMS, strict=True)]
    done = typed("".join(pasted), tmp_path)
    assert "Traceback" not in done.stderr and "Error" not in done.stderr, done.stderr
    assert "7.0" in done.stdout.splitlines()


def typed(text, folder):
    """What a fresh Python answers to this text, as if somebody typed it."""
    command = [sys.executable, "-i", "-q", "-c", ""]
    env = os.environ | {"PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"}
    return subprocess.run(
        command, input=text, cwd=folder, env=env, capture_output=True, text=True, encoding="utf-8"
    )


def test_the_readme_has_a_word_for_each_platform():
    rows = dict(re.findall(r"^\| (Linux|macOS|Windows) \| `(.*?)`", README, re.MULTILINE))
    unix = "python3 dev.py lab"
    assert rows == {"Linux": unix, "macOS": unix, "Windows": "py dev.py lab"}
    tried = re.findall(r"^\| (\w[\w ]*) \| (?:yes|in part|no)[:,.]", README, re.MULTILINE)
    assert {"Linux", "macOS", "Windows", "Colab", "VS Code", "JupyterHub"} <= set(tried)


def test_the_first_cell_elsewhere_installs_what_the_project_builds():
    """The README's line for Colab names the wheel by its real name, and extras that there are."""
    (line,) = re.findall(r"^%pip install .*$", README, re.MULTILINE)
    name, extras = re.search(r'"(.*?)\[(.*?)\]"', line).groups()
    assert name == f"autodiff_edu-{ad.__version__}-py3-none-any.whl"
    assert set(extras.split(",")) <= PROJECT["optional-dependencies"].keys()


def test_the_package_says_what_it_is():
    """Classifiers and keywords; no address, since there is no public one yet."""
    assert "Programming Language :: Python :: 3.11" in PROJECT["classifiers"]
    assert "Typing :: Typed" in PROJECT["classifiers"]
    assert "automatic differentiation" in PROJECT["keywords"]
    assert "urls" not in PROJECT
    assert (ROOT / "pyproject.toml").read_text().count("[project.urls]") == 1  # in a comment


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


def test_what_others_wrote_is_as_they_published_it():
    """Whole files, with their licences. A newer version has a new checksum and a new number."""
    files = [path for folder in BY_OTHERS for path in (ROOT / folder).iterdir()]
    sums = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in files}
    assert sums == PUBLISHED
    assert (ROOT / AXE / "axe.min.js").read_text("utf-8").startswith("/*! axe v4.14.1\n")
    assert MATHJAX + "LICENSE-mathjax" in PROJECT["license-files"]  # a wheel has it
