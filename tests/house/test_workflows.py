"""Files for services elsewhere: what they would run there is run here, on Linux.

Protects a copy of the project that is put online: its workflows, Binder, and an editor's container.
"""

import json
import os
import re
import subprocess
import sys
import tomllib

import pytest

import dev
from tests.helpers.depth import is_short

yaml = pytest.importorskip("yaml")
WORKFLOWS = sorted((dev.ROOT / ".github" / "workflows").glob("*.yml"))
STEPS = [
    pytest.param(step["run"], id=f"{path.stem}: {step['run']}")
    for path in WORKFLOWS
    for job in yaml.safe_load(path.read_text("utf-8"))["jobs"].values()
    for step in job["steps"]
    if "run" in step
]
QUICK = {"lab": (), "test": ("--version",), "book": ("--version",)}  # a step, without its work
PROJECT = tomllib.loads((dev.ROOT / "pyproject.toml").read_text("utf-8"))["project"]


def ran(command):
    """Run a step as a shell does, with the Python that a workflow sets up."""
    python, script, job, *words = command.split()
    assert (python, script) == ("python", "dev.py")
    words = [sys.executable, str(dev.ROOT / script), job, *words, *QUICK[job]]
    return subprocess.run(words, cwd=dev.ROOT, capture_output=True, text=True, env=os.environ)


@pytest.mark.skipif(sys.platform != "linux" or sys.prefix != str(dev.VENV), reason="of dev.py test")
@pytest.mark.parametrize("step", STEPS)
def test_a_step_runs_here(step):
    """The set-up is the one of this run; tests and the book are not run anew in a test."""
    done = ran(step)
    assert done.returncode == 0, done.stderr


@pytest.mark.skipif(
    is_short(), reason="sets up a fresh clone, and builds a book: dev.py test --all"
)
def test_the_artifact_of_a_workflow_is_there_after_its_steps(tmp_path):
    """In a fresh clone, with the variables that the workflow sets."""
    subprocess.run(["git", "clone", "-q", dev.ROOT, tmp_path / "clone"], check=True)
    (text,) = (path.read_text("utf-8") for path in WORKFLOWS if path.stem == "book")
    job = yaml.safe_load(text)["jobs"]["book"]
    values = os.environ | dict.fromkeys(job["env"], "https://localhost/owner/name/")
    for step in job["steps"]:
        if "run" in step:
            words = [sys.executable, *step["run"].split()[1:]]
            subprocess.run(words, cwd=tmp_path / "clone", env=values, check=True)
    page = tmp_path / "clone" / job["steps"][-1]["with"]["path"] / "lectures/05_reverse_mode.html"
    text = page.read_text("utf-8")
    assert '"canonical" href="https://localhost/owner/' in text and "mybinder.org" in text


def test_every_system_and_every_python_that_we_name_is_tried():
    (text,) = (path.read_text("utf-8") for path in WORKFLOWS if path.stem == "tests")
    matrix = yaml.safe_load(text)["jobs"]["tests"]["strategy"]["matrix"]
    named = [c.rpartition(" ")[2] for c in PROJECT["classifiers"] if re.search(r":: 3\.\d+$", c)]
    assert matrix["python"] == named and len(matrix["system"]) == 3


def test_what_a_workflow_takes_from_others_has_a_version():
    for path in WORKFLOWS:
        uses = re.findall(r"uses: (\S+)", path.read_text("utf-8"))
        assert uses and all(re.fullmatch(r"actions/[\w-]+@v\d+", one) for one in uses)


def test_binder_installs_what_the_lectures_need():
    (line,) = (dev.ROOT / "binder" / "requirements.txt").read_text("utf-8").splitlines()
    extra = re.fullmatch(r"\.\[(\w+)\]", line)[1]
    assert extra in PROJECT["optional-dependencies"]
    version = (dev.ROOT / "binder" / "runtime.txt").read_text("utf-8").strip()
    assert any(version == f"python-{c.rpartition(' ')[2]}" for c in PROJECT["classifiers"])


def test_the_container_of_an_editor_is_set_up_by_a_step_that_runs_here():
    place = dev.ROOT / ".devcontainer"
    stated = json.loads((place / "devcontainer.json").read_text("utf-8"))
    assert (place / stated["build"]["dockerfile"]).read_text("utf-8").startswith("FROM python:3.")
    assert stated["postCreateCommand"] in [step.values[0] for step in STEPS]
    settings = stated["customizations"]["vscode"]["settings"]
    python = dev.python_of(dev.VENV).relative_to(dev.ROOT).as_posix()
    assert os.name == "nt" or settings["python.defaultInterpreterPath"] == python
