"""Run the tests that a change concerns: those from which a way of uses leads to a changed file.

    python3 dev.py test --changed              what differs from main, committed or not
    python3 dev.py test --changed HEAD~2       what differs from a revision

A file uses the modules that it imports, early or late, or names in a text; a test also the files
that it names. Outside the package a public name, or a method that an upper room provides, stands
for its module. Tests of a room use all of the room, and the hooks for which it asks. Notebooks, the
book and tests of all rooms use the hooks for which any module on their way asks. Where a test
starts a process, no text shows what that uses: it may be the whole package. Tests of the house read
all but lectures and pages.
"""

import ast
import json
import re
import subprocess
import sys
from collections import Counter
from functools import cache, lru_cache

import dev

PACKAGE, TOP = "autodiff_edu/", "autodiff_edu/__init__.py"
FOR_ALL = {"conftest.py", "tests/conftest.py", "pyproject.toml", "constraints.txt"}
AHEAD = {"tests/helpers/kernel.py", "tests/helpers/kernels.py"}  # load what a notebook may use
FOR_NOTEBOOKS = FOR_ALL - {"tests/conftest.py"} | AHEAD | {"tests/nbval_sanitize.cfg"}
DOTTED = re.compile(r"\b(?:autodiff_edu|tests|benchmarks)(?:\.\w+)+|import autodiff_edu\b")
NAMED = re.compile(r"[\w./-]+\.(?:py|md|ipynb|toml|cfg|json|css|js|svg)\b")
FOLDERS = re.compile(r"""["'/](book|benchmarks|notebooks)["'/]|(notebooks)\(""")
TAKEN = re.compile(r"(?<=\.)\w+|(?<=autodiff_edu import ).*")  # ad.draw, f.draw(), or by its name
HOOK = re.compile(r"""HOOKS\[["']([^"']+)""")
BESIDE = re.compile(r"\{__package__\}\.([\w.]+)")  # a module loaded when it is first used
COMPUTED = re.compile(r"import_module\(f?[^\"']|iter_modules")  # a name that no text shows
PROCESS = re.compile(r"subprocess|sys\.executable")


def git(*words):
    command = ["git", "-C", str(dev.ROOT), *words]
    done = subprocess.run(command, capture_output=True, text=True, check=True, encoding="utf-8")
    return done.stdout.splitlines()


@cache
def files():
    """The files of the project, in order: what git has, or would take."""
    paths = git("ls-files", "-co", "--exclude-standard")
    return dict.fromkeys(path for path in paths if (dev.ROOT / path).exists())


@cache
def below(folder):
    return {path for path in files() if path.startswith(folder)}


def folder_of(path):
    return path.rpartition("/")[0] + "/"


# ---- what differs


def revision(*names):
    """The revision to compare with: where the first of these names that there is was left."""
    for name in names:
        try:
            return git("merge-base", name, "HEAD")[0]
        except subprocess.CalledProcessError:
            continue
    sys.exit(f"git has no revision {' or '.join(names)}: name one after --changed")


def changed(base):
    """Paths that differ from a revision; in the place of a path that is gone, those beside it."""
    paths = {*git("diff", "--name-only", base), *git("ls-files", "-o", "--exclude-standard")}
    folders = {folder_of(path) for path in paths - files().keys()}
    return paths | {path for path in files() if folder_of(path) in folders}


# ---- what a file uses


@cache
def text_of(path):
    """Its text; of a module less docstrings, of a notebook the cells that run."""
    if not path.endswith((".py", ".md", ".ipynb")):
        return ""
    text = (dev.ROOT / path).read_text("utf-8")
    if path.endswith(".ipynb"):
        cells = [cell for cell in json.loads(text)["cells"] if cell["cell_type"] == "code"]
        return "\n".join("".join(cell["source"]) for cell in cells)
    return without_docstrings(text, path) if path.endswith(".py") else text


def tree_of(path):
    return ast.parse((dev.ROOT / path).read_text("utf-8"), path)


@lru_cache(1)  # its text and its imports are asked for one after the other
def notable(path):
    """The imports of a file, and the texts in it that are statements."""
    return [node for node in statements(tree_of(path)) if is_import(node) or is_docstring(node)]


def statements(node):
    """The statements of a module, and those within them; expressions are most of a tree."""
    for part in ("body", "handlers", "orelse", "finalbody", "cases"):
        for inner in getattr(node, part, ()):
            yield inner
            yield from statements(inner)


def is_import(node):
    return isinstance(node, (ast.Import, ast.ImportFrom))


def is_docstring(node):
    return isinstance(node, ast.Expr) and isinstance(getattr(node.value, "value", None), str)


def without_docstrings(text, path):
    lines = text.split("\n")
    for node in filter(is_docstring, notable(path)):
        rest = [""] * (node.end_lineno - node.lineno)
        lines[node.lineno - 1 : node.end_lineno] = [" " * node.col_offset + "...", *rest]
    return "\n".join(lines)


def module(name):
    """The files of a dotted name: packages on its way, and a module; the first loads nothing."""
    parts = name.removeprefix("import ").split(".")
    ways = ["/".join(parts[:n]) for n in range(1, len(parts) + 1)]
    paths = [path for way in ways for path in (f"{way}/__init__.py", f"{way}.py")]
    return {path for path in paths if path in files() and (path != TOP or len(parts) == 1)}


def imports(path):
    """Dotted names that a file imports; of the package's own, only what is loaded at once."""
    package = path.split("/")[:-1]
    for node in tree_of(path).body if path == TOP else notable(path):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else []
            base = ".".join([*above, *filter(None, [node.module])])
            yield from (f"{base}.{alias.name}" for alias in node.names)


@cache
def places():
    """The module of each name that the package loads when it is first used."""
    rooms = {path.split("/")[1].removesuffix(".py") for path in below(PACKAGE)}
    table = {room: f"autodiff_edu.{room}" for room in rooms}
    for node in ast.walk(ast.parse(text_of(TOP))):
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "place":
            target, *names = (argument.value for argument in node.args)
            table |= dict.fromkeys(names, target)
    return table


def stands_for(names):
    """The files of the modules for which names stand."""
    return {path for name in names if name in places() for path in module(places()[name])}


@cache
def uses(path):
    """The files that a file uses."""
    if path in AHEAD:
        return set()
    text, names = text_of(path), []
    if path.endswith(".py"):
        names += imports(path)
    if path != TOP:
        names += DOTTED.findall(text)
        names += [f"{folder_of(path).replace('/', '.')}{m}" for m in BESIDE.findall(text)]
    found = {file for name in names for file in module(name)}
    if not path.startswith(PACKAGE) and "autodiff_edu" in text:
        taken = " ".join([*TAKEN.findall(text), *names]).replace(".", " ")
        found |= stands_for({*re.findall(r"\w+", taken)})
    if path.startswith(PACKAGE) and path != TOP and COMPUTED.search(text):
        found |= below(folder_of(path))
    if path.startswith("tests/") or path.startswith("book/") and path.endswith(".py"):
        found |= names_files(text)
    return found | (uses_of_test(path, text) if is_test(path) else set())


def asks(path):
    """The files of the hooks for which a module of the package asks."""
    return stands_for(HOOK.findall(text_of(path))) if path.startswith(PACKAGE) else set()


def names_files(text):
    """The files that a text names, and those of the folders that it names."""
    ends = {name.rpartition("../")[2] for name in NAMED.findall(text)}
    folders = {name for pair in FOLDERS.findall(text) for name in pair if name}
    named = {path for end in ends for path in endings().get(end, ())}
    return named.union(*[below(folder + "/") for folder in folders])


@cache
def endings():
    """The files whose paths end so, by each end of a path."""
    table = {}
    for path in files():
        parts = path.split("/")
        for n in range(len(parts)):
            table.setdefault("/".join(parts[n:]), set()).add(path)
    return table


def uses_of_test(path, text):
    """What a file of tests uses beside what its text says."""
    if path.endswith(".ipynb"):
        return FOR_NOTEBOOKS | stands_for(["mimebundle"])  # a cell shows its last expression
    room = path.split("/")[1]
    data = {file for file in below(f"tests/{room}/") if not is_test(file)}
    asked = {use for file in below(PACKAGE + room) for use in asks(file)}
    whole = below(PACKAGE) if PROCESS.search(text) else below(PACKAGE + room)
    return FOR_ALL | data | asked | whole


@cache
def reads(path):
    """The files that a test reads as texts, so that what those use does not matter."""
    if not path.startswith("tests/house/"):
        return set()
    others = () if "ls-files" in text_of(path) else ("notebooks/", "book/")
    return {file for file in files() if not file.startswith(others)}


@cache
def is_test(path):
    """Say whether pytest collects this file."""
    first, _, name = path.partition("/")
    if first == "notebooks":
        return name.endswith(".ipynb") and "student" not in name
    return first == "tests" and bool(re.search(r"/test_\w+\.py$", path))


@cache
def users(with_hooks):
    """The files that use a file, by its path."""
    table = {}
    for path in files():
        for use in uses(path) | (asks(path) if with_hooks else set()):
            table.setdefault(use, set()).add(path)
    return table


def reached(paths, table):
    """These paths, and all files from which a way of uses leads to one of them."""
    seen, new = set(paths), [*paths]
    while new:
        more = table.get(new.pop(), set()) - seen
        seen |= more
        new += more
    return seen


def concerned(paths):
    """The files of tests that use one of these paths, or read one."""
    of_rooms, of_all = (reached(paths, users(with_hooks)) for with_hooks in (False, True))
    for path in filter(is_test, files()):
        among = of_rooms if below(PACKAGE + path.split("/")[1]) else of_all
        if path in among or not reads(path).isdisjoint(paths):
            yield path


# ---- the command


def counts(tests):
    """How many files of tests there are, by folder."""
    return Counter("/".join(path.split("/")[: 1 + path.startswith("tests/")]) for path in tests)


def main(*args):
    """Say what is run, and why; then run it."""
    named = [arg for arg in args[:1] if not arg.startswith("-")]
    base = revision(*named or ("main", "origin/main"))
    paths = changed(base)
    tests, every = [*concerned(paths)], counts(filter(is_test, files()))
    some = ", ".join(sorted(paths)[:4]) + (", ..." if len(paths) > 4 else "")
    shares = ", ".join(f"{n} of {every[f]} in {f}" for f, n in counts(tests).items())
    print(f"{len(paths)} files differ from {base[:9]}: {some or 'none'}")
    print(f"{len(tests)} files of tests use them: {shares or 'none'}", flush=True)
    if tests:
        dev.test(*tests, *args[len(named) :])


if __name__ == "__main__":
    main(*sys.argv[1:])
