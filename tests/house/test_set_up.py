"""The set-up keeps to its folder, says what it needs, and works where a package has no wheel.

Protects the first minutes of a person, and the rest of the person's machine.
"""

import os
import re
import subprocess
import sys
import tomllib

import pytest

import dev
from tests.helpers.depth import is_short

PROJECT = tomllib.loads((dev.ROOT / "pyproject.toml").read_text("utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]


class Installs:
    """Two ways to install, which do not work for some packages, or not at all."""

    def __init__(self, monkeypatch, fails):
        self.calls, self.fails = [], fails
        for name in ("install_with_uv", "install_with_pip"):
            monkeypatch.setattr(dev, name, self.way(name))

    def way(self, name):
        def install(environment, packages):
            self.calls.append((name, packages))
            if self.fails(name, packages):
                raise subprocess.CalledProcessError(1, name)

        install.__name__ = name
        return install


def has_pictures(packages):
    return any("pictures" in part for part in packages)


def test_usually_one_call_installs_all(monkeypatch):
    installs = Installs(monkeypatch, lambda name, packages: False)
    dev.install(dev.VENV, dev.WITH_TOOLS)
    assert installs.calls == [("install_with_uv", (*dev.WITH_TOOLS, "--only-binary", "pygraphviz"))]


@pytest.mark.parametrize("uv", [True, False], ids=["uv", "no uv"])
def test_where_pygraphviz_has_no_wheel_the_rest_is_installed(uv, monkeypatch, capsys):
    """No compiler is asked for: Graphviz' headers are not there either."""
    fails = lambda name, packages: has_pictures(packages) or (name == "install_with_uv" and not uv)
    installs = Installs(monkeypatch, fails)
    dev.install(dev.VENV, dev.WITH_TOOLS)
    name, packages = installs.calls[-1]
    assert name == ("install_with_uv" if uv else "install_with_pip")
    assert packages[:2] == ("-e", ".[dev]") and dev.NO_PICTURES in capsys.readouterr().err


def test_what_works_in_no_way_is_an_error(monkeypatch):
    installs = Installs(monkeypatch, lambda name, packages: True)
    with pytest.raises(subprocess.CalledProcessError):
        dev.install(dev.JAX, dev.WITH_JAX)
    assert [name for name, _ in installs.calls] == ["install_with_uv", "install_with_pip"]


def test_only_pictures_need_pygraphviz():
    """Else no way around it would help."""
    needs = {name for name, parts in EXTRAS.items() if any("pygraphviz" in p for p in parts)}
    assert needs == {"pictures"} and not any("pygraphviz" in p for p in PROJECT["dependencies"])


def test_the_time_and_the_space_are_said_before(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(dev, "install", lambda environment, packages: environment.mkdir())
    monkeypatch.setattr(dev, "ROOT", tmp_path)
    monkeypatch.setattr(dev, "wanted", lambda: "digest")
    dev.set_up(tmp_path / "env")
    assert f"setting up env, once: {dev.NEEDS}" in capsys.readouterr().err
    dev.set_up(tmp_path / "env")
    assert capsys.readouterr().err == ""


def test_a_person_sees_progress_and_a_log_does_not(monkeypatch):
    for is_terminal, words in ((True, ()), (False, ("-q",))):
        monkeypatch.setattr(sys, "stderr", type("E", (), {"isatty": lambda _, t=is_terminal: t})())
        assert dev.quiet() == words


def test_what_programs_keep_stays_in_the_folder(tmp_path):
    """In a home folder that is empty, and with no variable of its own."""
    code = (
        "import dev, subprocess, sys; dev.stay_here()\n"
        "program = 'import matplotlib as m, jupyter_core.paths as p, IPython.paths as i\\n'"
        "'print(p.jupyter_data_dir(), p.jupyter_config_dir(), p.jupyter_runtime_dir(),'"
        "'i.get_ipython_dir(), m.get_configdir(), m.get_cachedir(), sep=chr(10))'\n"
        "subprocess.run([sys.executable, '-c', program], check=True)\n"
    )
    free = {k: v for k, v in os.environ.items() if k not in dev.PLACES and k[:4] != "XDG_"}
    here = {"HOME": str(tmp_path), "PYTHONPATH": str(dev.ROOT)}
    done = subprocess.run([sys.executable, "-c", code], env=free | here, capture_output=True,
                          text=True, check=True)  # fmt: skip
    places = done.stdout.split("\n")[:-1]
    assert len(places) == 6 and all(p.startswith(str(dev.TOOLS)) for p in places), places
    assert list(tmp_path.iterdir()) == []


def test_uv_trusts_what_the_system_trusts(monkeypatch):
    """A network of a school may have an authority of its own, which the system knows."""
    monkeypatch.setenv("UV_NATIVE_TLS", "")
    monkeypatch.delenv("UV_NATIVE_TLS")
    monkeypatch.setattr(dev.shutil, "which", lambda name: name)
    assert dev.find_uv() == "uv" and os.environ["UV_NATIVE_TLS"] == "1"


@pytest.mark.skipif(is_short(), reason="takes half a minute and packages: dev.py test --all")
@pytest.mark.parametrize("wheels", [True, False], ids=["pictures", "no wheel of pygraphviz"])
def test_a_fresh_clone_is_set_up_and_answers(wheels, tmp_path):
    """With an empty home folder, in which nothing is afterwards: pip and uv find no cache."""
    clone, home = tmp_path / "clone", tmp_path / "home"
    subprocess.run(["git", "clone", "-q", dev.ROOT, clone], check=True)
    home.mkdir()
    if not wheels:  # of this version there are none
        for name in ("constraints.txt", "pyproject.toml"):
            text = (clone / name).read_text("utf-8")
            text = re.sub(r"pygraphviz[>=]=[\d.]+", "pygraphviz==1.14", text)
            (clone / name).write_text(text, "utf-8")
    free = {k: v for k, v in os.environ.items() if k not in dev.PLACES and k[:4] != "XDG_"}
    words = [sys.executable, "dev.py", "lab", "--version"]
    done = subprocess.run(words, cwd=clone, env=free | {"HOME": str(home)}, capture_output=True,
                          text=True, check=True)  # fmt: skip
    assert re.search(r"^4\.\d+\.\d+$", done.stdout, re.MULTILINE)
    assert (dev.NO_PICTURES in done.stderr) == (not wheels), done.stderr
    assert {path.name for path in home.iterdir()} <= {".rustup"}  # pip asks Rust for its version


def test_a_place_of_the_persons_own_is_kept(monkeypatch):
    monkeypatch.setenv("UV_CACHE_DIR", "mine")
    for name in dev.PLACES.keys() - {"UV_CACHE_DIR"}:
        monkeypatch.setenv(name, "")
        monkeypatch.delenv(name)
    dev.stay_here()
    assert os.environ["UV_CACHE_DIR"] == "mine"
    assert os.environ["PIP_CACHE_DIR"] == str(dev.TOOLS / "cache/pip")


def test_one_extra_brings_the_lectures_and_a_place_to_open_them():
    brought, *others = EXTRAS["lab"]
    assert re.fullmatch(r"autodiff-edu\[(.*)\]", brought)[1].split(",") == ["course", "pictures"]
    assert [other.partition(">")[0] for other in others] == ["jupyterlab"]


def test_a_notebook_has_pip():
    """%pip in a lecture installs where the kernel is."""
    words = [sys.executable, "-m", "pip", "--version"]
    done = subprocess.run(words, capture_output=True, text=True)
    assert (done.returncode == 0 and str(dev.VENV) in done.stdout) or sys.prefix != str(dev.VENV)
