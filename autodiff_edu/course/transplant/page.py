"""A student's page: a file with some of the engine's functions.

It is read as text, compiled under its own name, and run with Python's builtins alone, so that an
error names its line. A hole whose body still says NotImplementedError is left to the engine.
"""

import ast
import linecache
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from pathlib import Path
from types import FrameType
from typing import Any

from ...expr import Expr, shown
from ..harness.feedback import Unsolved, Wrong

HOLES = {  # what a function is called with
    "evaluate": ("nodes", "values", "compute"),
    "sweep": ("nodes", "adjoint", "terms"),
    "match": ("pattern", "node", "bindings"),
    "one_round": ("nodes", "rebuild", "rewrite"),
    "frame": ("outputs", "became", "rebuild"),
    "line": ("name", "formula", "operands"),
}
YIELDS = {  # what each turn of a generator gives
    "evaluate": "(n, value)", "sweep": "(n, x, term, sum)", "one_round": "(n, new)",
}  # fmt: skip
PAPERS = {  # what the sweep also returns: another thing each term, so that no old page will do
    "paths": "the number of ways from the outputs to inputs, along the pairs that `terms` gives",
    "terms": "the number of terms that were added",
    "longest": "the number of pairs on the longest way from an output, along those of `terms`",
}
PLAIN = frozenset(("math", "itertools", "functools", "operator", "collections"))


def start_page(path: str | Path, paper: str = "paths", author: str = "you") -> Path:
    """Write an empty page: five holes of the engine, each with its docstring.

    Parameters
    ----------
    path : str or Path
        The file; it must not be there.
    paper : {'paths', 'terms', 'longest'}, default: 'paths'
        What the sweep also returns in this term.
    author : str, default: 'you'
        Who will write it.

    Returns
    -------
    Path
        The file.

    Raises
    ------
    FileExistsError
        If there is a file of this name.
    ValueError
        If there is no such paper.
    """
    path = Path(path)
    if paper not in PAPERS:
        raise ValueError(f"a paper is one of {', '.join(PAPERS)}, not {paper!r}")
    text = Path(__file__).with_name("template.py").read_text("utf-8")
    for word, value in {"author": author, "file": path.name, "asked": PAPERS[paper]}.items():
        text = text.replace(f"{{{word}}}", value)
    with path.open("x", encoding="utf-8") as file:
        file.write(text)
    return path


class Page:
    """The functions of a page by name, and the line of it that did something last.

    Parameters
    ----------
    text : str
        The file's content.
    name : str
        The file's name, for messages.
    """

    def __init__(self, text: str, name: str):
        self.name, self.lines = name, dict[str, int]()
        self.trail: list[tuple[tuple, int]] = []  # what was yielded last, with the lines
        self.returned: Any = None
        linecache.cache[name] = len(text), None, text.splitlines(True), name
        try:
            tree = ast.parse(text, name)
        except (SyntaxError, ValueError) as error:
            line = error.lineno if isinstance(error, SyntaxError) else 1
            raise Wrong(f"{name}, line {line}: this is not Python: {error.args[0]}") from None
        self.refuse_imports(tree)
        space: dict[str, Any] = {"__name__": Path(name).stem}
        try:
            exec(compile(tree, name, "exec"), space)
        except Wrong:
            raise
        except (Exception, SystemExit) as error:
            raise self.wrong("the file itself", error) from None
        self.refuse_others(tree)
        open_holes = set(unwritten(tree))
        self.functions = {
            hole: space[hole]
            for hole in HOLES
            if callable(space.get(hole)) and hole not in open_holes
        }
        self.lines = {hole: f.__code__.co_firstlineno for hole, f in self.functions.items()}

    def refuse_imports(self, tree: ast.AST) -> None:
        """Raise Wrong for an import of the engine, which would be no page of one's own."""
        for node in ast.walk(tree):
            if not isinstance(node, (ast.Import, ast.ImportFrom)):
                continue
            names = [alias.name for alias in node.names]
            for module in names if isinstance(node, ast.Import) else [node.module or "."]:
                if module.partition(".")[0] not in PLAIN:
                    raise Wrong(
                        f"{self.name}, line {node.lineno}: it imports {module}. A page of "
                        "your own rests on Python alone"
                    )

    def refuse_others(self, tree: ast.Module) -> None:
        """Raise Wrong for a function that is called nearly as a hole, or takes other arguments."""
        for function in tree.body:
            if not isinstance(function, ast.FunctionDef):
                continue
            name, arguments = function.name, tuple(a.arg for a in function.args.args)
            near = get_close_matches(name, HOLES, 1, 0.8) if name not in HOLES else []
            if near:
                raise self.wrong(name, f"write {near[0]}: the page has no such function",
                                 function.lineno)  # fmt: skip
            if name in HOLES and len(arguments) != len(HOLES[name]):
                needed = ", ".join(HOLES[name])
                raise self.wrong(name, f"its arguments are ({needed})", function.lineno)

    def wrong(self, hole: str, error: BaseException | str, line: int = 0) -> Wrong:
        """The error of a hole, with the line of the page at which it arose."""
        trace = error.__traceback__ if isinstance(error, BaseException) else None
        while trace is not None:
            if trace.tb_frame.f_code.co_filename == self.name:
                line = trace.tb_lineno
            trace = trace.tb_next
        kind = f"{type(error).__name__}: " if isinstance(error, BaseException) else ""
        if isinstance(error, KeyError) and isinstance(error.args[0], Expr):
            error = f"the dict has no entry of the node {error.args[0]}"
        line = line or self.lines.get(hole, 1)
        return Wrong(f"{self.name}, line {line}, in {hole}: {kind}{error}")

    def call(self, hole: str, *args: Any) -> Any:
        """Call a function of the page. The line at which it returned is in `lines`."""
        with self.noting(hole):
            try:
                return self.functions[hole](*args)
            except Wrong:
                raise
            except (Exception, SystemExit) as error:
                raise self.wrong(hole, error) from error

    def each(self, hole: str, *args: Any) -> Iterator[tuple]:
        """Go through a generator of the page. The value that it returns is in `returned`."""
        running = self.functions[hole](*args)
        if not hasattr(running, "gi_frame"):
            raise self.wrong(hole, f"it yields nothing: write yield {YIELDS[hole]}")
        self.returned, self.trail = None, []
        while True:
            try:
                pair = next(running)
            except StopIteration as end:
                self.returned = end.value
                return
            except Wrong:
                raise
            except (Exception, SystemExit) as error:
                raise self.wrong(hole, error) from error
            self.lines[hole] = running.gi_frame.f_lineno
            self.check_pair(hole, pair)
            self.trail.append((pair, self.lines[hole]))
            yield pair

    def check_pair(self, hole: str, pair: Any) -> None:
        """Raise Wrong unless a generator has given what its docstring says."""
        nodes = {"evaluate": 1, "sweep": 4, "one_round": 2}[hole]
        size = len(YIELDS[hole].split(","))
        whole = isinstance(pair, tuple) and len(pair) == size
        if not whole or not all(isinstance(n, Expr) for n in pair[:nodes]):
            raise self.wrong(hole, f"it yields {shown(pair)}, and {YIELDS[hole]} is needed",
                             self.lines[hole])  # fmt: skip

    @contextmanager
    def noting(self, hole: str) -> Iterator[None]:
        """Note the line at which the function returns."""
        code, before = self.functions[hole].__code__, sys.gettrace()

        def look(frame: FrameType, event: str, value: Any) -> Any:
            if frame.f_code is not code:
                return None
            if event == "return":
                self.lines[hole] = frame.f_lineno
            return look

        sys.settrace(look)
        try:
            yield
        finally:
            sys.settrace(before)


def unwritten(tree: ast.Module) -> Iterator[str]:
    """The functions whose body raises NotImplementedError."""
    for function in tree.body:
        if isinstance(function, ast.FunctionDef):
            last = function.body[-1]
            if isinstance(last, ast.Raise) and "NotImplementedError" in ast.dump(last):
                yield function.name


def read_page(path: str | Path) -> Page:
    """The page of a file. Raises Wrong if it is no Python, and Unsolved if no hole is filled."""
    path = Path(path)
    if not path.exists():
        raise Wrong(f"there is no file {path}: autodiff-edu transplant --start {path} makes it")
    try:
        page = Page(path.read_text("utf-8"), path.name)
    except UnicodeDecodeError as error:
        raise Wrong(f"{path.name} is no text in UTF-8: {error}") from None
    if not page.functions:
        raise Unsolved(f"{path.name}: no hole is filled yet: write one of {', '.join(HOLES)}")
    return page
