#!/usr/bin/env python3
"""The door to the project: `python3 dev.py lab` opens the lectures, `... test` checks everything.

    lab        open the lectures in JupyterLab
    test       run every test                        (further arguments go to pytest)
    test --changed  run the tests that your change concerns   (since main, or since a revision)
    test --all   run every test with all its cases, then all of these:
    test --jax   run the tests of programs for JAX, in an environment that has it
    test --cpus  run what compares digits, on every processor that this one can play
    test --nbgrader  run nbgrader's own commands on an exercise, in an environment that has it
    test --editions  run the unit tests with the lowest and with the newest packages and Python
    book       build the book                        (into book/_build/html)
    pdf        lectures of that book as PDF files   (into book/_build/pdf; all, or 05 07)
    slides     slides of the lectures            (into book/_build/slides; all, or 05 07)
    html       lectures in which nothing can run     (into book/_build/safe; all, or 05 07)
    execute    run notebooks anew, outputs in place  (all, or 05 07, or paths of files)
    stamp      put the modules of the explorer into outputs, without running notebooks
    exercises  make the student versions anew
    wheel      build the package as one file         (into dist/; with all lectures)
    wheel --class  the same without solutions, for students         (into dist/class/)
    release    all files of a release, with checksums     (into dist/VERSION/; from a clean tree)
    lite       lectures that run in a browser        (into book/_build/lite)
    bench      run the benchmarks                    (all, or those named; --full, --write)

On Windows write `py dev.py` for `python3 dev.py`.
Needs Python 3.11 alone. What it installs, what it fetches for that, and what Jupyter and Matplotlib
keep lands in .venv/ and .tools/ beside this file, unless a variable names another place for it.
"""

import hashlib
import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
TOOLS = ROOT / ".tools"
JAX = TOOLS / "jax"  # an environment of its own: with JAX, without the tools
STAMP = VENV / ".stamp"
WINDOWS = os.name == "nt"
COMMAND = ("py" if WINDOWS else "python3") + " dev.py"
WITH_TOOLS = ("-e", ".[dev,pictures]")
WITH_JAX = ("-e", ".[jax]", "pytest", "pytest-xdist", "hypothesis")
NBGRADER = TOOLS / "nbgrader"  # one more: it pins what Jupyter consists of
WITH_NBGRADER = ("-e", ".[nbgrader,pictures]", "pytest", "hypothesis", "psutil")


def python_of(environment):
    """Where the Python of an environment stands."""
    return environment / ("Scripts/python.exe" if WINDOWS else "bin/python")


PYTHON = python_of(VENV)


def run(*command, **options):
    """Run a command in the project's folder; a failure is an exception."""
    subprocess.run([str(part) for part in command], check=True, **{"cwd": ROOT, **options})


def python(*args, within=VENV, **options):
    """Run the project's own Python, one thread each: several run side by side."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    run(python_of(within), *args, **options)


# ---- set-up ----


def wanted():
    """Digest of what the set-up depends on: both lists of packages, this folder, this Python."""
    lists = [(ROOT / name).read_bytes() for name in ("pyproject.toml", "constraints.txt")]
    parts = [*lists, str(ROOT).encode(), sys.version.encode()]
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


def find_uv():
    """uv from the machine, or from .tools/: pip's --target works where PEP 668 forbids the rest."""
    os.environ.setdefault("UV_NATIVE_TLS", "1")  # it trusts what this system trusts, as pip does
    if found := shutil.which("uv"):
        return found
    uv = TOOLS / "bin" / ("uv.exe" if WINDOWS else "uv")
    if not uv.exists():
        run(sys.executable, "-m", "pip", "install", "-qq", "--target", TOOLS, "uv>=0.9")
    return uv


def install_with_uv(environment, packages):
    """The fast way: seconds. With pip, so that %pip works in a notebook."""
    uv = find_uv()
    run(uv, "venv", "-q", "--clear", "--seed", "--python", sys.executable, environment)
    target = ("--python", python_of(environment), "--compile-bytecode")
    run(uv, "pip", "install", *quiet(), *target, *packages, "-c", "constraints.txt")


def install_with_pip(environment, packages):
    """The way that needs no further tool: a minute."""
    run(sys.executable, "-m", "venv", "--clear", environment)
    pip = ("-m", "pip", "install", *quiet())
    python(*pip, *packages, "-c", "constraints.txt", within=environment)


def quiet():
    """A person sees what is fetched; a log does not."""
    return () if sys.stderr.isatty() else ("-q",)


def set_up(environment=VENV, packages=WITH_TOOLS):
    """Install the project and its tools, unless the stamp says that this is done."""
    stamp = environment / STAMP.name
    if stamp.exists() and stamp.read_text() == wanted():
        return
    name = environment.relative_to(ROOT).as_posix()
    print(f"setting up {name}, once: {NEEDS} ...", file=sys.stderr, flush=True)
    install(environment, packages)
    if environment == VENV:
        quiet_lab()
    stamp.write_text(wanted())


NEEDS = "a minute or some more, and 1.5 GB in this folder"
NO_PICTURES = "here is no wheel of pygraphviz: pictures are drawn by the system's dot, or as text"


def install(environment, packages):
    """Install by uv, else by pip; and where pygraphviz has no wheel, without it."""
    plain = tuple(part.replace(",pictures]", "]") for part in packages)
    choices = dict.fromkeys([packages, plain])
    ways = [(way, parts) for way in (install_with_uv, install_with_pip) for parts in choices]
    for way, parts in ways:
        try:
            way(environment, (*parts, "--only-binary", "pygraphviz"))
        except (OSError, subprocess.CalledProcessError) as problem:
            print(f"{way.__name__} did not work ({problem}); trying another way", file=sys.stderr)
            failure = problem
        else:
            if parts != packages:
                print(NO_PICTURES, file=sys.stderr)
            return
    raise failure


PLACES = {  # of what programs keep for a person, by the variable that names it
    "UV_CACHE_DIR": "cache/uv",
    "PIP_CACHE_DIR": "cache/pip",
    "MPLCONFIGDIR": "cache/matplotlib",
    "npm_config_cache": "cache/npm",  # JupyterLab asks npm for language servers
    "IPYTHONDIR": "jupyter/ipython",
    "JUPYTER_CONFIG_DIR": "jupyter/config",
    "JUPYTER_DATA_DIR": "jupyter/data",
    "JUPYTER_RUNTIME_DIR": "jupyter/runtime",
}


def stay_here():
    """Let uv, pip, Jupyter and Matplotlib keep what they keep in .tools/, not in a home folder."""
    (TOOLS / "jupyter").mkdir(parents=True, exist_ok=True)  # else IPython takes another folder
    for name, place in PLACES.items():
        os.environ.setdefault(name, str(TOOLS / place))


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
BLANK = " \n"  # a line that is not empty
SOURCE, OUTPUTS = {"source_hidden": True}, {"outputs_hidden": True}
FOLDED = {"hide-input": SOURCE, "hide-output": OUTPUTS, "hide-cell": SOURCE | OUTPUTS}
SECTION = {"jp-MarkdownHeadingCollapsed": True}  # what stands under a heading, to the next one


def notebooks():
    """Every notebook that is kept executed: the lectures, then the exercises with their answers."""
    return lectures() + sorted((ROOT / "notebooks" / "exercises").glob("*.ipynb"))


def lectures():
    return sorted((ROOT / "notebooks").glob("*.ipynb"))


def paths(args):
    """Notebooks by their paths; a lecture by its number, such as 5, 05 or 15b, too."""
    files = [lecture(arg) or Path(arg).resolve() for arg in args]
    for path in files:
        if not path.is_file():
            sys.exit(f"there is no notebook {path}: write its path, or the number of a lecture")
    return files


def lecture(number):
    begins = (f"{number}_", f"0{number}_")
    return next((path for path in lectures() if path.name.startswith(begins)), None)


def digest(text):
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def cell_id(cell, taken):
    """A cell is named by its content: stable when other cells come, go or move."""
    name = digest(cell["cell_type"] + "".join(cell["source"]))
    while name in taken:
        name = digest(name)
    taken.add(name)
    return name


def folded(tags):
    """The book folds a cell by its tags; JupyterLab has metadata of its own for that."""
    hidden = {key: True for tag in tags for key in FOLDED.get(tag, ())}
    section = SECTION if "hide-section" in tags else {}
    return section | ({"jupyter": hidden} if hidden else {})


def veil(outputs):
    """JupyterLab shows the first line of a folded output, whatever it says: let it be blank."""
    for output in outputs[:1]:
        texts = output.get("data", output)
        kind = next((k for k in ("text/html", "image/png", "text/plain", "text") if k in texts), "")
        text = "".join(texts.get(kind, ()))
        if kind.startswith("text") and not text.startswith(BLANK):
            texts[kind] = (BLANK + text).splitlines(True)


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
        kept = {k: v for k, v in cell["metadata"].items() if k in AUTHORED}
        cell["metadata"] = kept | folded(kept.get("tags", ()))
        if "outputs" in cell:
            cell["outputs"] = joined(cell["outputs"])
        if "outputs_hidden" in cell["metadata"].get("jupyter", ()):
            veil(cell["outputs"])
    return json.dumps(notebook, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


# ---- jobs ----


def lab(*args):
    """Trust our own notebooks, so that stored pictures show before the first run, and open Lab."""
    python("-m", "jupyter", "trust", *notebooks(), stdout=subprocess.DEVNULL)
    print("If no browser opens: JupyterLab prints its address below. Ctrl-C ends it.", flush=True)
    python("-m", "jupyterlab", "notebooks", *as_root(), *args)


def as_root():
    """JupyterLab refuses to run as root unless it is told: in a container there is nobody else."""
    return ["--allow-root"] if getattr(os, "geteuid", os.getpid)() == 0 else []


PLAIN = ("-o", "addopts=--import-mode=importlib --strict-markers", "-q")  # no plugin for notebooks


# One worker more than there are processors: while a test waits, another one runs. A file stays with
# one worker, since the cells of a notebook need each other, and in its place.
WORKERS = min(4, (os.cpu_count() or 1) + 1)
PARALLEL = ("-n", str(WORKERS), "--dist=loadfile", "--no-loadscope-reorder")


def test(*args):
    """Run every test; or another run that the arguments name; or, with --all, all of these."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # hundreds of processes share what is compiled
    for word, run_of in RUNS.items():
        if word in args:
            run_of(*[arg for arg in args if arg != word])
            return
    python("-m", "pytest", *PARALLEL, *args)
    if not args:
        print(f"{COMMAND} test --all tries all cases and random examples, and adds {ADDS}.")


def test_all(*args):
    """Run every test with all its cases, then what `dev.py test` leaves out."""
    os.environ.setdefault("HYPOTHESIS_PROFILE", "full")  # see tests/helpers/depth.py
    python("-m", "pytest", *PARALLEL, *args)
    for word in ("--jax", "--cpus", "--nbgrader", "--editions"):
        RUNS[word]()


def test_jax(*args):
    """Run the tests that are skipped where JAX is missing, without the plugins for notebooks."""
    set_up(JAX, WITH_JAX)
    files = sorted((ROOT / "tests/run").glob("test_jax*.py"))
    python("-m", "pytest", *PLAIN, *PARALLEL, *files, *args, within=JAX)


def test_nbgrader(*args):
    """Run the tests that are skipped where nbgrader is missing."""
    set_up(NBGRADER, WITH_NBGRADER)
    files = sorted((ROOT / "tests/course/grading").glob("test_nbgrader*.py"))
    python("-m", "pytest", *PLAIN, *files, *args, within=NBGRADER)


def module_of_tests(name):
    """A run that is a program of its own; a module, since it may import this file."""
    return lambda *args: python("-m", f"tests.helpers.{name}", *args)


RUNS = {
    "--all": test_all,
    "--changed": module_of_tests("changed"),
    "--cpus": module_of_tests("processors"),
    "--editions": module_of_tests("editions"),
    "--jax": test_jax,
    "--nbgrader": test_nbgrader,
}
ADDS = "other processors, the lowest and the newest packages, JAX and nbgrader"


def book(*args):
    """Build the book; a broken reference is an error."""
    strict = ("-n", "-W", "--keep-going", "-E")  # anew: else the search forgets words of old pages
    python("-m", "sphinx", *strict, "-b", "html", *args, "book", "book/_build/html")


def pdf(*args):
    """Print lectures of the book, which is built anew if it is older than one of them."""
    files = paths(args) or lectures()
    pages = [ROOT / f"book/_build/html/lectures/{path.stem}.html" for path in files]
    if any(is_older(page, path) for page, path in zip(pages, files)):
        book()
    python("book/pdf.py", *pages)


def is_older(page, path):
    return not page.exists() or page.stat().st_mtime < path.stat().st_mtime


def html(*args):
    """Write notebooks as sanitised HTML: a film is a strip of its pictures."""
    keep = "clean_html=autodiff_edu.show.html.sanitized.clean_html"
    safe = ("--HTMLExporter.sanitize_html=True", f"--HTMLExporter.filters={keep}")
    target = ("--to=html", f"--output-dir={ROOT / 'book/_build/safe'}")
    files = paths(args) or lectures()
    python("-m", "nbconvert", "--log-level=ERROR", *target, *safe, *files)


def slides(*args):
    """Write the slides of lectures: pages that need a browser, and no network."""
    python("-m", "autodiff_edu", "slides", "book/_build/slides", *paths(args))


def execute(*args):
    """Run notebooks from top to bottom; the same notebook twice gives the same bytes."""
    files = paths(args) or notebooks()
    convert = ("-m", "nbconvert", "--log-level=WARN", "--to=notebook", "--inplace", "--execute")
    python(*convert, "--ExecutePreprocessor.timeout=300", *files)
    for path in files:
        path.write_text(cleaned(path.read_text("utf-8")), "utf-8", newline="\n")


def stamp(*args):
    """Put the explorer's modules into the outputs of notebooks, without running these."""
    python("-m", "autodiff_edu.show.scene.stamp", *(args or notebooks()))


def exercises(*args):
    """Make the student versions of the exercise notebooks."""
    python("-m", "autodiff_edu.course", *args)


def wheel(*args):
    """Build the package as one file, which `pip install` takes; with --class, without solutions."""
    for_class = "--class" in args
    place = ROOT / "dist" / ("class" if for_class else "")
    more = [arg for arg in args if arg != "--class"]
    run(find_uv(), "build", "-q", "--wheel", "--out-dir", place, *more)
    for path in sorted(place.glob("*.whl")):
        if for_class:
            without_solutions(path)
        print(path.relative_to(ROOT))


SOLUTIONS = "autodiff_edu/course/notebooks/exercises"  # in a wheel; students' versions are below


def without_solutions(path):
    """Take the instructor's exercises out of a wheel, and out of the list of its files."""
    whole = path.with_suffix(".whole")
    path.rename(whole)
    with zipfile.ZipFile(whole) as source, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as out:
        for entry in source.infolist():
            data = source.read(entry)
            if entry.filename.endswith(".dist-info/RECORD"):
                lines = data.decode().splitlines(keepends=True)
                data = "".join(x for x in lines if not is_solution(x.partition(",")[0])).encode()
            if not is_solution(entry.filename):
                out.writestr(entry, data)
    whole.unlink()


def is_solution(name):
    return name.rpartition("/")[0] == SOLUTIONS


def release(*args):
    """Make all files of a release, or say what stands against it."""
    python("release.py", *args)


def lite(*args):
    """Build a site for JupyterLite; a reader's browser takes Python and NumPy from the network."""
    wheel()
    tools, site = TOOLS / "lite", ROOT / "book/_build/lite"
    notebooks = ROOT / "build/lite"  # JupyterLite leaves out what is below a folder _build
    there = tools / PYTHON.relative_to(VENV)
    run(find_uv(), "venv", "-q", "--clear", "--python", sys.executable, tools)
    run(find_uv(), "pip", "install", "-q", "--python", there, f"{ROOT}[lite]")
    python("book/lite.py", notebooks)
    places = ("--contents", notebooks, "--lite-dir", notebooks, "--output-dir", site)
    wheels = [part for path in (ROOT / "dist").glob("*.whl") for part in ("--piplite-wheels", path)]
    run(there, "-m", "jupyterlite_core.app", "build", *places, *wheels, *args, cwd=notebooks)
    print(f"python3 -m http.server --directory {site.relative_to(ROOT)}")


def bench(*args):
    """Run the benchmarks, each a program of its own; --full takes all sizes, for hours; --write
    renews the numbers of the book."""
    if "--write" in args:
        python("benchmarks/programs.py", "--write")
        return
    flags = [word for word in args if word.startswith("--")]
    named = [word for word in args if word not in flags]
    for path in named or sorted((ROOT / "benchmarks").glob("[!_]*.py")):
        python(path, *flags)


JOBS = {job.__name__: job for job in (
    lab, test, book, pdf, slides, html, execute, stamp, exercises, wheel, release, lite, bench
)}  # fmt: skip


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
    stay_here()
    try:
        set_up()
        JOBS[job](*args)
    except subprocess.CalledProcessError as failed:
        sys.exit(failed.returncode)
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
