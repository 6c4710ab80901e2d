"""The process in which a notebook of a student's runs: a line of JSON goes out for each cell.

Cells run as in a notebook, by IPython. What a student's cell does to the checkers and to modules
is put back, and told. When a cell does not end, the process is stopped from outside (`run.py`).
"""

import json
import os
import sys
from types import ModuleType
from typing import Any

from ...expr.text import PLACE
from ..harness.limits import HAS_LIMIT, at_most, limited
from ..harness.supervisor import SUPERVISOR
from ..harness.verdict import Paper
from ..harness.worker import READY, SHARED, WATCH, private, send
from .keeper import keep
from .shell import Shell

PRINTED = 2_000  # characters that are kept of what a cell prints
LONGEST = 1_500  # characters of a message
FILES = 50_000_000  # bytes of a file that is written

Names = dict[tuple[str, str], tuple[dict[str, Any], Any]]  # where each stands, and its value


def serve() -> None:
    """Read cells as JSON, run them one after the other, and say what became of each."""
    keeper = keep()
    cells, verdicts = private(0, "rb"), private(1, "wb")
    order = json.loads(cells.readline())
    at_most("RLIMIT_FSIZE", FILES)
    is_limited = HAS_LIMIT and at_most("RLIMIT_AS", order["memory"])
    SUPERVISOR.starter.fork(cells, verdicts)  # while nothing of a student's has been run
    shell = Shell.begun(order["theirs"])
    send(verdicts, READY if is_limited else WATCH)
    with limited(seconds=order["seconds"], wait=order["wait"]):
        for is_answer, source in order["cells"]:
            said = outcome(shell, is_answer, source) | {"mark": order["mark"]}
            if keeper.ended():
                os._exit(1)
            send(verdicts, json.dumps(said).encode() + b"\n")
    cells.read()  # until it is stopped: what an answer started is found from here
    os._exit(0)  # whatever threads a student left


def outcome(shell: Shell, is_answer: bool, source: str) -> dict[str, Any]:
    """The outcome of a cell: the kind of error or "", the words, what was printed and put back, and
    the commands that were not run."""
    before = guarded(shell.user_ns) if is_answer else {}
    paper, out, err = Paper(PRINTED), sys.stdout, sys.stderr
    sys.stdout = sys.stderr = paper
    shell.refused = []
    try:
        error = Shell.cell(shell, source, is_answer)  # a student may hide that of the object
    except BaseException as raised:  # a student's class may raise when it is shown
        error = raised
    finally:
        sys.stdout, sys.stderr = out, err
    changed, commands = put_back(before), list(map(str, shell.refused))
    kind = type(error).__name__ if error is not None else ""
    said = {"kind": kind, "words": words(error), "printed": paper.getvalue()}
    return said | {"changed": changed, "commands": commands}


def words(error: BaseException | None) -> str:
    """The message of an error, which may itself be a student's, and fail."""
    try:
        return "" if error is None else PLACE.sub("", str(error))[:LONGEST]
    except BaseException:
        return "its message cannot be shown"


# ---- what is not the student's


def guarded(own: dict[str, Any]) -> Names:
    """Functions and classes of the checkers and of shared modules, and modules by their names."""
    found: Names = {}
    for place, names in (("", own), ("sys.modules", sys.modules)):
        modules = {k: v for k, v in names.items() if isinstance(v, ModuleType)}
        found |= {(place, k): (names, v) for k, v in modules.items()}
    for name in filter(is_shared, list(sys.modules)):
        names = vars(sys.modules[name])
        found |= {(name, k): (names, v) for k, v in names.items() if callable(v)}
    return found


def is_shared(name: Any) -> bool:
    """Is this the name of a module that is guarded? A student may have entered other things."""
    ours = isinstance(name, str) and (name in SHARED or name.startswith("autodiff_edu.course"))
    return ours and isinstance(sys.modules[name], ModuleType)


def put_back(before: Names) -> list[str]:
    """The names that have changed since then, which have their old values again."""
    changed = []
    for (module, name), (place, value) in before.items():
        if place.get(name) is not value:
            place[name] = value
            changed.append(f"{module}.{name}".lstrip("."))
    return sorted(changed)


if __name__ == "__main__":
    serve()
