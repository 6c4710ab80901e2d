"""The docstring of a checker: what holds for all checkers is written here, once.

A checker's own docstring says what is right, and of parameters and errors what is not said here.
"""

import inspect
import re
from collections.abc import Callable, Iterator
from typing import Any

from ...ops.docs import joined, read

PARAMETERS = {
    "student": ("callable", "What the student wrote."),
    "of": ("callable", "The function that is differentiated, in NumPy's words."),
    "inputs": (
        "callable",
        "Draws the arguments from a generator: lambda rng: (rng.normal(size=3),).",
    ),
    "trials": ("int", "How many random inputs are tried."),
    "seed": ("int, optional", "Of the random inputs; by default a fresh one each time."),
}
ERRORS = {
    "Wrong": "If it is not so, with where and what is right.",
    "Unsolved": "If nothing has been written.",
}
ENTRY = re.compile(r"^(\*{0,2}\w+)(.*\n(?: +.*(?:\n|$))*)", re.MULTILINE)


def documented(check: Callable[..., Any]) -> str:
    """All sections, by numpydoc."""
    sections = read(check.__doc__ or "")
    sections["Parameters"] = "".join(parameters(check, own(sections, "Parameters"))).strip()
    errors = {name: f"\n    {text}\n" for name, text in ERRORS.items()} | own(sections, "Raises")
    sections["Raises"] = "".join(f"{name}{text}" for name, text in errors.items()).strip()
    return joined(sections)


def own(sections: dict[str, str], title: str) -> dict[str, str]:
    """What the author of a checker wrote, by names."""
    return dict(ENTRY.findall(sections.get(title, "") + "\n"))


def parameters(check: Callable[..., Any], given: dict[str, str]) -> Iterator[str]:
    """One entry for each parameter: the author's words, or those for all checkers."""
    for name, p in inspect.signature(check).parameters.items():
        name = "*" * (p.kind is p.VAR_POSITIONAL) + "**" * (p.kind is p.VAR_KEYWORD) + name
        if name not in given and name in PARAMETERS:
            kind, text = PARAMETERS[name]
            default = "" if p.default in (p.empty, None) else f", default: {p.default!r}"
            given[name] = f" : {kind}{default}\n    {text}\n"
        if name in given:
            yield name + given[name].rstrip("\n") + "\n"
