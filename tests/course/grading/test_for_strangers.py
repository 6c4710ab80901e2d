"""What is made for answers of strangers: a wheel without solutions, and a container."""

import contextlib
import io
import json
import os
import re
import shlex
import sys
import zipfile

import pytest
from click.testing import CliRunner

import dev
from autodiff_edu.command import lectures
from autodiff_edu.command.app import commands

RECIPE = dev.ROOT / "containers" / "grading" / "Dockerfile"
BOUNDS = {"network": "none", "read-only": True, "cap-drop": "ALL", "pids-limit": None,
          "memory": None, "memory-swap": None, "security-opt": "no-new-privileges"}  # fmt: skip


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """A wheel as `dev.py wheel` makes it, small, and the same after solutions were taken out."""
    path = tmp_path_factory.mktemp("wheel") / "autodiff_edu-0-py3-none-any.whl"
    folder = dev.ROOT / "notebooks"
    files = {f.relative_to(folder).as_posix(): f for f in folder.rglob("*.ipynb")}
    place = dev.SOLUTIONS.removesuffix("/exercises")
    record = "".join(f"{place}/{name},sha256=x,1\n" for name in files)
    with zipfile.ZipFile(path, "w") as out:
        for name, file in files.items():
            out.write(file, f"{place}/{name}")
        out.writestr("autodiff_edu-0.dist-info/RECORD", record)
    dev.without_solutions(path)
    return zipfile.ZipFile(path)


def test_a_wheel_for_a_class_has_no_solution_and_no_hidden_test(wheel):
    names = [name for name in wheel.namelist() if name.endswith(".ipynb")]
    students = [path.name for path in (dev.ROOT / "notebooks/exercises/student").glob("*.ipynb")]
    assert {f"{dev.SOLUTIONS}/student/{name}" for name in students} <= set(names)
    for name in names:
        text = json.dumps(json.loads(wheel.read(name))["cells"])
        assert "BEGIN SOLUTION" not in text and "HIDDEN TESTS" not in text, name
    record = wheel.read("autodiff_edu-0.dist-info/RECORD").decode().splitlines()
    assert sorted(line.partition(",")[0] for line in record) == sorted(names)


def test_such_an_installation_says_what_it_lacks(wheel, tmp_path, monkeypatch):
    wheel.extractall(tmp_path)
    monkeypatch.setattr(lectures, "PACKED", tmp_path / dev.SOLUTIONS.removesuffix("/exercises"))
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(commands, ["lectures", "mine"])
    assert done.exit_code == 0 and "05_reverse_mode.ipynb: copied" in done.stdout
    done = CliRunner().invoke(commands, ["lectures", "ours", "--instructor"])
    assert done.exit_code == 1 and "it has no solutions" in done.stderr
    done = CliRunner().invoke(commands, ["check", "mine"])
    assert done.exit_code == 1 and "name the instructor's notebook with --exercise" in done.stderr


# ---- the container: no engine is here, so the recipe is read


def instructions():
    """The lines of the recipe, each a word and the rest."""
    text = re.sub(r"^#.*\n", "", RECIPE.read_text("utf-8"), flags=re.MULTILINE)
    lines = text.replace("\\\n", " ").strip().splitlines()
    return [line.split(None, 1) for line in lines if line.strip()]


def test_the_container_has_a_user_without_rights_and_runs_check():
    words = dict(instructions())
    assert "useradd --no-create-home grader" in words["RUN"]
    assert json.loads(words["ENTRYPOINT"]) == ["autodiff-edu", "check", "--user", "grader"]
    assert "://" not in RECIPE.read_text("utf-8")
    extras = re.search(r"\[(.*?)\]", words["RUN"])[1].split(",")
    assert set(extras) <= set(re.findall(r"^(\w+) = \[", PROJECT, re.MULTILINE))


def test_the_recipe_closes_the_folder_with_the_solutions_to_answers():
    (program,) = re.findall(r"python -c '(.*?)'", dict(instructions())["RUN"])
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(program, {})
    place = dev.SOLUTIONS.removesuffix("/exercises")
    assert (
        printed.getvalue().strip().endswith(place)
        and " chmod -R go-rwx" in dict(instructions())["RUN"]
    )


PROJECT = (dev.ROOT / "pyproject.toml").read_text("utf-8")


def test_the_command_beside_it_has_bounds_and_words_that_check_knows():
    text = re.sub(r"^# ?", "", RECIPE.read_text("utf-8"), flags=re.MULTILINE)
    (line,) = re.findall(r"docker run.*", text.replace("\\\n", " "))
    words = shlex.split(line)
    image = words.index("autodiff-edu-grading")
    given = dict(word[2:].partition("=")[::2] for word in words[:image] if word.startswith("--"))
    assert BOUNDS.keys() <= given.keys()
    rights = {word.removeprefix("--cap-add=") for word in words if word.startswith("--cap-add=")}
    assert rights == {"SETUID", "SETGID", "CHOWN", "KILL", "DAC_OVERRIDE"}
    assert all(given[name] == value for name, value in BOUNDS.items() if isinstance(value, str))
    options = {name for p in commands.commands["check"].params for name in p.opts}
    assert {word for word in words[image:] if word.startswith("--")} | {"--resume"} <= options


def test_another_user_is_for_root_and_there(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.ipynb").touch()
    for user, words in {"no-such-user-1": "there is no such user", "root": "is for root"}.items():
        monkeypatch.setattr(os, "geteuid", lambda: 1000, raising=False)
        done = CliRunner().invoke(commands, ["check", "a.ipynb", "--user", user])
        assert done.exit_code == 1 and words in done.stderr, done.output


@pytest.mark.skipif(sys.platform != "linux", reason="the system of the container")
def test_what_the_recipe_copies_is_there_and_what_it_needs_not_is_left_out():
    assert [rest.split() for word, rest in instructions() if word == "COPY"] == [[".", "/project"]]
    ignored = (dev.ROOT / ".dockerignore").read_text("utf-8").split()
    assert {".git", ".venv", ".tools"} <= set(ignored)
    assert not {"notebooks", "autodiff_edu", "pyproject.toml", "constraints.txt"} & set(ignored)
