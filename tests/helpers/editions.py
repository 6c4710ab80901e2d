"""The unit tests with the lowest allowed packages, and with the newest, on the newest Python here.

    python3 dev.py test --editions

Each edition has an environment of its own, which uv makes in `.tools/`. The tests of rooms
run, of cases one in three; tests of exercises and of the whole house are for the other
steps of CI. Lectures and exercises, one in three or with --all all of them, show on the newest
what they show here. Each edition may take fifteen minutes, and needs about four.
"""

import os
import subprocess
import sys
import time
from pathlib import Path

import dev
from tests.helpers import depth
from tests.helpers.debian_python import debian_python, output

MINUTES = 15
ROOT = Path(__file__).resolve().parents[2]
LEFT_OUT = {"benchmarks", "book", "course", "house", "whole"}  # what measures, and what takes long
PYTEST = ("-m", "pytest", "-q", "-p", "no:nbval", "-o", "addopts=--import-mode=importlib")


def newest():
    """The newest Python that can be had here: of Debian's next release, of pyenv, or this one."""
    if python := debian_python(dev.TOOLS / "python"):
        return str(python)
    found = {sys.version_info[:3]: sys.executable}
    for folder in Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")).glob("versions/3.*"):
        version = tuple(int(part) for part in folder.name.split(".") if part.isdecimal())
        if (folder / "bin" / "python").exists():
            found[version] = str(folder / "bin" / "python")
    return found[max(found)]


EDITIONS = {"lowest": (lambda: sys.executable, "lowest-direct"), "newest": (newest, "highest")}


def made(name):
    """The Python of an edition, in an environment with its packages."""
    choose, resolution = EDITIONS[name]
    interpreter = choose()
    uv, folder = dev.find_uv(), dev.TOOLS / "editions" / name
    python = folder / dev.PYTHON.relative_to(dev.VENV)
    dev.run(uv, "venv", "-q", "--clear", "--python", interpreter, folder)
    target = ("--python", python, "--resolution", resolution)
    dev.run(uv, "pip", "install", "-q", *target, "-e", ".[dev,pictures]")
    return python


def tests():
    """The files of unit tests."""
    files = sorted((ROOT / "tests").glob("*/**/test_*.py"))
    return [p for p in files if p.relative_to(ROOT / "tests").parts[0] not in LEFT_OUT]


def notebooks():
    """Of the notebooks one in three, or all of them."""
    return depth.some(dev.notebooks(), 3)


def runs(name):
    """For each run of pytest its arguments."""
    yield [*PYTEST, "--one-in=3", *map(str, tests())]
    if name == "newest":
        yield ["-m", "pytest", "-q", *map(str, notebooks())]


def main(*args):
    """Run every edition, or those named; the first that fails or takes too long ends the rest."""
    depth.load()
    for name in [arg for arg in args if arg in EDITIONS] or EDITIONS:
        python, begin = made(name), time.perf_counter()
        environment = os.environ | {"OPENBLAS_NUM_THREADS": "1", "PYTHONPATH": str(ROOT)}
        limits = {"cwd": ROOT, "env": environment, "timeout": 60 * MINUTES}
        print(f"---- {name}: {output(python, '--version')}", end="", flush=True)
        for words in runs(name):
            subprocess.run([str(python), *words, *dev.PARALLEL], check=True, **limits)
        print(f"     {time.perf_counter() - begin:.0f} s", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
