#!/usr/bin/env python3
"""The door to the project: `python3 dev.py lab` opens the lectures, `... test` checks everything.

    lab        open the lectures in JupyterLab
    test       run every test                        (further arguments go to pytest)
    test --cpus  run what compares digits, on every processor that this one can play
    book       build the book                        (into book/_build/html)
    execute    run notebooks anew, outputs in place  (all of them, or those named)
    exercises  make the student versions anew
    bench      run the benchmarks                    (all of them, or those named)

On Windows write `py dev.py` for `python3 dev.py`.
Needs Python 3.11 alone. What it installs lands in .venv/ and .tools/ beside this file.
"""

import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
TOOLS = ROOT / ".tools"
STAMP = VENV / ".stamp"
WINDOWS = os.name == "nt"
PYTHON = VENV / ("Scripts/python.exe" if WINDOWS else "bin/python")
COMMAND = ("py" if WINDOWS else "python3") + " dev.py"


def run(*command, **options):
    """Run a command in the project's folder; a failure is an exception."""
    subprocess.run([str(part) for part in command], check=True, cwd=ROOT, **options)


def python(*args, **options):
    """Run the project's own Python, one thread each: several run side by side."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    run(PYTHON, *args, **options)


# ---- set-up ----


def wanted():
    """Digest of what the set-up depends on: both lists of packages, this folder, this Python."""
    lists = [(ROOT / name).read_bytes() for name in ("pyproject.toml", "constraints.txt")]
    parts = [*lists, str(ROOT).encode(), sys.version.encode()]
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


def find_uv():
    """uv from the machine, or from .tools/: pip's --target works where PEP 668 forbids the rest."""
    if found := shutil.which("uv"):
        return found
    uv = TOOLS / "bin" / ("uv.exe" if WINDOWS else "uv")
    if not uv.exists():
        run(sys.executable, "-m", "pip", "install", "-q", "--target", TOOLS, "uv>=0.9")
    return uv


def install_with_uv():
    """The fast way: seconds."""
    uv = find_uv()
    run(uv, "venv", "-q", "--clear", "--python", sys.executable, VENV)
    target = ("--python", PYTHON, "--compile-bytecode")
    run(uv, "pip", "install", "-q", *target, "-e", ".[dev]", "-c", "constraints.txt")


def install_with_pip():
    """The way that needs no further tool: a minute."""
    run(sys.executable, "-m", "venv", "--clear", VENV)
    python("-m", "pip", "install", "-q", "-e", ".[dev]", "-c", "constraints.txt")


def set_up():
    """Install the project and its tools, unless the stamp says that this is done."""
    if STAMP.exists() and STAMP.read_text() == wanted():
        return
    print("setting up .venv (once) ...", file=sys.stderr, flush=True)
    try:
        install_with_uv()
    except (OSError, subprocess.CalledProcessError) as problem:
        print(f"uv did not work ({problem}); trying venv and pip", file=sys.stderr)
        install_with_pip()
    quiet_lab()
    STAMP.write_text(wanted())


def quiet_lab():
    """JupyterLab shall not ask a student about news."""
    settings = VENV / "share/jupyter/lab/settings"
    settings.mkdir(parents=True, exist_ok=True)
    news = {"fetchNews": "false", "checkForUpdates": False}
    overrides = {"@jupyterlab/apputils-extension:notification": news}
    (settings / "overrides.json").write_text(json.dumps(overrides))


# ---- notebooks ----

KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}
METADATA = {"kernelspec": KERNEL, "language_info": {"name": "python"}}
AUTHORED = ("tags", "nbgrader", "mystnb", "slideshow")  # the cell metadata that people write


def notebooks():
    """Every notebook that is kept executed: the lectures, then the exercises with their answers."""
    folder = ROOT / "notebooks"
    return sorted(folder.glob("*.ipynb")) + sorted(folder.glob("exercises/*.ipynb"))


def digest(text):
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def cell_id(cell, taken):
    """A cell is named by its content: stable when other cells come, go or move."""
    name = digest(cell["cell_type"] + "".join(cell["source"]))
    while name in taken:
        name = digest(name)
    taken.add(name)
    return name


def joined(outputs):
    """Printed text in one piece: in how many it arrives is chance."""
    kept = []
    for output in outputs:
        if kept and "name" in output and output["name"] == kept[-1].get("name"):
            output["text"] = "".join([*kept.pop()["text"], *output["text"]]).splitlines(True)
        kept.append(output)
    return kept


def cleaned(text):
    """The text of a notebook, less all that neither its author wrote nor its cells showed."""
    notebook = json.loads(text) | {"metadata": METADATA, "nbformat": 4, "nbformat_minor": 5}
    taken = set()
    for cell in notebook["cells"]:
        cell["id"] = cell_id(cell, taken)
        cell["metadata"] = {k: v for k, v in cell["metadata"].items() if k in AUTHORED}
        if "outputs" in cell:
            cell["outputs"] = joined(cell["outputs"])
    return json.dumps(notebook, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


# ---- jobs ----


def lab(*args):
    """Trust our own notebooks, so that stored pictures show before the first run, and open Lab."""
    python("-m", "jupyter", "trust", *notebooks(), stdout=subprocess.DEVNULL)
    python("-m", "jupyterlab", "notebooks", *args)


def test(*args):
    """Run every test; a file stays with one worker, since a notebook's cells need each other."""
    if "--cpus" in args:
        python("tests/processors.py", *[arg for arg in args if arg != "--cpus"])
        return
    python("-m", "pytest", "-n", "auto", "--maxprocesses=4", "--dist=loadfile", *args)


def book(*args):
    """Build the book; a broken reference is an error."""
    strict = ("-n", "-W", "--keep-going")
    python("-m", "sphinx", *strict, "-b", "html", *args, "book", "book/_build/html")


def execute(*args):
    """Run notebooks from top to bottom; the same notebook twice gives the same bytes."""
    paths = [Path(arg).resolve() for arg in args] or notebooks()
    convert = ("-m", "nbconvert", "--log-level=WARN", "--to=notebook", "--inplace", "--execute")
    python(*convert, "--ExecutePreprocessor.timeout=300", *paths)
    for path in paths:
        path.write_text(cleaned(path.read_text("utf-8")), "utf-8", newline="\n")


def exercises(*args):
    """Make the student versions of the exercise notebooks."""
    python("-m", "autodiff_edu.course", *args)


def bench(*args):
    """Run the benchmarks, each a program of its own."""
    for path in args or sorted((ROOT / "benchmarks").glob("[!_]*.py")):
        python(path)


JOBS = {job.__name__: job for job in (lab, test, book, execute, exercises, bench)}


def next_step():
    """What a person who has just arrived does next, in the words of this machine."""
    first = f"Next: {COMMAND} lab"
    if not STAMP.exists():
        return f"{first}    (the first time it sets up .venv/ here, and says so)"
    return f"{first}    (all is set up; the package's own Python is {PYTHON.relative_to(ROOT)})"


def main():
    """Set up, then do the job that the command line names; without one, say what to do next."""
    if sys.version_info < (3, 11):  # noqa: UP036 - this file alone is read by older ones
        sys.exit("autodiff_edu needs Python 3.11 or newer; this is " + sys.version.split()[0])
    if not sys.argv[1:]:
        print(f"{__doc__}\n{next_step()}")
        return
    job, *args = sys.argv[1:]
    if job not in JOBS:
        sys.exit(f"there is no job {job!r}: write {COMMAND} and one of {', '.join(JOBS)}")
    try:
        set_up()
        JOBS[job](*args)
    except subprocess.CalledProcessError as failed:
        sys.exit(failed.returncode)
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
