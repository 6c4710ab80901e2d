"""The lines of a program, as a reader meets them: what the text takes from NumPy, and the node that
each line computes."""

import re
from itertools import zip_longest
from typing import Any

from ..expr import Expr
from .source.scalar_functions import OF_MATH

FROM_MATH = rf"(?<![\w.])({'|'.join(OF_MATH)})\b"


def head(program: Any) -> str:
    """The first lines of a text: what it takes from math and NumPy."""
    if program.target != "numpy" or program.within:
        return ""
    source = program.function_text
    names = set(re.findall(FROM_MATH, source)) if "return careful(" in source else ()
    lines = [f"from math import {', '.join(sorted(names))}"] if names else []
    lines += ["import numpy as np"] if "np." in source else []
    return "\n\n".join(lines) + "\n\n\n" if lines else ""


def lines_of(program: Any, above: int | None = None) -> dict[int, Expr]:
    """The node that each line of the whole text computes, those of bodies before it included, if
    so many lines stand above it; by default its head."""
    above = head(program).count("\n") if above is None else above
    found: dict[int, Expr] = {}
    text = program.text
    for body, texts in zip_longest(program.bodies, text.before):
        if body is not None:  # a target may make none
            found |= lines_of(body, above)
        above += texts[is_by_numbers(program)].count("\n") + 2
    text.above = above
    own = text.number_lines if is_by_numbers(program) else text.lines
    return found | {above + line: n for line, n in own.items()}


def beside(program: Any) -> dict[Expr, list[Expr]]:
    """What is computed in the line of each operation besides it, in bodies, too."""
    found: dict[Expr, list[Expr]] = {}
    for body in program.bodies:
        found |= body.beside
    text = program.text
    joined = text.inlined if is_by_numbers(program) else text.plan.swallowed | text.inlined
    for inner, n in joined.items():
        found.setdefault(n, []).append(inner)
    return found


def is_by_numbers(program: Any) -> bool:
    """Is it written in plain Python?"""
    return bool(program.text.scalar) and program.source.endswith(program.text.scalar)
