"""The way: the files that one must read to follow the README's first example, and their length.

    python -m tests.helpers.way            a table, a stage a line
    python -m tests.helpers.way --files    the same, with the files, the longest first
    python -m tests.helpers.way --json     the same numbers as one JSON object

Code lines are lines with code: no blank lines, comments and docstrings. Each stage is traced in a
second run, so that it counts nothing that is loaded or built only once. The row "first time" is the
first run of the process, with all that it loads and builds. The row "loaded" counts the modules
that are loaded at its end. Programs that the package writes and executes count as files, too.
"""

import ast
import inspect
import io
import json
import sys
import tokenize
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from tests.helpers.changed import statements

ROOT = Path(__file__).resolve().parents[2] / "autodiff_edu"
NO_CODE = {
    tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT,
    tokenize.ENCODING, tokenize.ENDMARKER,
}  # fmt: skip
ASIDE = ("reverse", "film")  # stages beside the way: another derivative, another picture
WRITTEN = "<"  # the name of a file of code that a program has written
LIBRARY = ("<frozen", "<string>", "<__array_function__")  # written by Python or NumPy for itself
Stages = Iterator[tuple[str, Callable[[], Any]]]


class Row(NamedTuple):
    """What one stage makes a reader open."""

    files: int
    code: int
    run: int
    changes: int


@cache  # several stages enter one file
def code_lines(source: str) -> int:
    """The lines of a text that are neither blank nor comments nor docstrings."""
    lines = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in NO_CODE:
            lines.update(range(token.start[0], token.end[0] + 1))
    return len(lines - docstring_lines(ast.parse(source)))


def docstring_lines(tree: ast.Module) -> set[int]:
    lines = set()
    for node in (tree, *statements(tree)):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            first = node.body[0] if node.body else None
            value = first.value if isinstance(first, ast.Expr) else None
            if isinstance(value, ast.Constant) and isinstance(value.value, str):
                lines.update(range(value.lineno, (value.end_lineno or 0) + 1))
    return lines


class Trace:
    """The lines of the package that run, by file, and how often one file calls another.

    `written` has, for each text that was executed without a file, how many lines of code it has.
    """

    def __init__(self) -> None:
        self.lines: dict[str, set[int]] = defaultdict(set)
        self.written: dict[str, int] = {}
        self.changes, self.last = 0, ""

    def called(self, frame: Any, event: str, arg: Any) -> Any:
        code = frame.f_code
        name = code.co_filename
        if not code.co_flags & inspect.CO_OPTIMIZED or code.co_name == "__annotate__":
            return None  # a module's own lines, and those of its annotations, are not the way
        if name.startswith(WRITTEN) and not name.startswith(LIBRARY):
            length = len({line for *_, line in code.co_lines() if line})
            self.written[name] = max(length, self.written.get(name, 0))
        elif not name.startswith(str(ROOT)):
            return None
        if name != self.last:
            self.changes, self.last = self.changes + 1, name
        lines = self.lines[name]
        lines.add(frame.f_lineno)

        def line(frame: Any, event: str, arg: Any) -> Any:
            if event == "line":
                lines.add(frame.f_lineno)
            return line

        return line

    def __enter__(self) -> "Trace":
        sys.settrace(self.called)
        return self

    def __exit__(self, *_: Any) -> None:
        sys.settrace(None)


def stages() -> Stages:
    """The README's first example, one stage at a time."""
    import autodiff_edu as ad

    at: dict[str, Any] = {}
    yield "build", lambda: at.update(x=(x := ad.scalar("x")), y=x * x + (x - 2))
    yield "derivative", lambda: at.update(d=ad.symbolic_derivative(at["y"], at["x"]))
    yield "reverse", lambda: ad.reverse_mode(at["y"], at["x"])
    yield "simplify", lambda: at.update(s=ad.simplify(at["d"]))
    yield "program", lambda: at.update(f=ad.function([at["x"]], at["s"]))
    yield "call", lambda: at["f"](3.0)
    yield "picture", lambda: ad.draw(at["s"].after).svg
    yield "film", lambda: ad.film(at["s"])._repr_mimebundle_()


def traces() -> dict[str, Trace]:
    """What each stage runs, and rows that join them."""
    whole, engine = Trace(), Trace()
    with Trace() as first:
        for name, run in stages():
            if name not in ASIDE:
                run()
    loaded = Trace()
    paths = [getattr(module, "__file__", None) or "" for module in list(sys.modules.values())]
    loaded.lines.update((path, set()) for path in paths if path.startswith(str(ROOT)))
    for _, run in stages():
        run()
    rows: dict[str, Trace] = {}
    for name, run in stages():
        with Trace() as rows[name]:
            run()
        if name not in ASIDE:
            join(whole, rows[name])
        if name in ("build", "derivative", "simplify"):
            join(engine, rows[name])
    return rows | {"engine": engine, "the way": whole, "first time": first, "loaded": loaded}


def join(whole: Trace, part: Trace) -> None:
    """Add what one stage runs to what several run."""
    whole.changes += part.changes
    whole.written |= part.written
    for name, lines in part.lines.items():
        whole.lines[name] |= lines


def lengths(trace: Trace) -> dict[str, int]:
    """The code lines of each file that a stage enters."""
    return {
        name: trace.written.get(name) or code_lines(Path(name).read_text(encoding="utf-8"))
        for name in trace.lines
    }


def row(trace: Trace) -> Row:
    code = lengths(trace)
    return Row(len(code), sum(code.values()), sum(map(len, trace.lines.values())), trace.changes)


def main() -> None:
    import autodiff_edu  # noqa: F401  (what the import itself loads is no part of the way)

    rows = traces()
    table = {name: row(trace) for name, trace in rows.items()}
    if "--json" in sys.argv:
        print(json.dumps({name: numbers._asdict() for name, numbers in table.items()}))
        return
    print(f"{'stage':12}{'files':>7}{'code lines':>12}{'lines run':>11}{'changes of file':>17}")
    for name, numbers in table.items():
        print(f"{name:12}{numbers.files:7}{numbers.code:12}{numbers.run:11}{numbers.changes:17}")
    print("engine: build, derivative, simplify; the way: these, and program, call, picture")
    if "--files" in sys.argv:
        code, lines = lengths(rows["the way"]), rows["the way"].lines
        for name in sorted(code, key=code.__getitem__, reverse=True):
            shown = Path(name).relative_to(ROOT) if name.startswith(str(ROOT)) else name
            print(f"  {shown}  {code[name]} code lines, {len(lines[name])} run")


if __name__ == "__main__":
    main()
