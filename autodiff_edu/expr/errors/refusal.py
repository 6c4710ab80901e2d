"""What an expression is not: a number, a truth value, a function.

What to write instead is read off the line that is running, where that tells; else all is listed
that may be meant.
"""

import ast
import re
from collections.abc import Callable, Mapping
from threading import local
from typing import Any, NoReturn

from ...core.seams import HOOKS
from ..lazy import LazyModule
from ..methods import hook
from ..tracing import decided, steps_now
from .running import running_function, running_line

explanations = LazyModule(f"{__package__}.explanations")
libraries = LazyModule(f"{__package__}.libraries")
Way = str | Callable[[re.Match], str]
ASSIGN = "y = ad.array(y).at[0].set(e), or ad.array([...]) of all entries, for y[0] = e"

HOOKS["refused"] = set("item tolist fill put partition resize sort".split())  # never given


class Last(local):
    """The latest refusal of a thread: code in C may go on, and end with an error of its own."""

    error: Exception | None = None


LAST = Last()


def refuse(node: Any, what: str, instead: str) -> NoReturn:
    LAST.error = TypeError(f"{what}: {node}{explanations.where(node)}. Write {instead}.")
    raise LAST.error


def meant(ways: Mapping[str, Way], otherwise: str) -> str:
    """What to write instead, by what the running line says."""
    line = running_line() or explanations.names_in_line()
    found = [
        way if isinstance(way, str) else way(match)
        for pattern, way in ways.items()
        if (match := re.search(pattern, line))
    ]
    return ", ".join(found) or otherwise


# ---- no number


NUMBER: dict[str, Way] = {
    r"\bmath\.(\w+)": lambda match: explanations.for_math(match[1]),
    r"[\])]\s*[-+*/@]?=(?!=)": ASSIGN,
    r"\b((?:float|int|complex)\d*)\(": lambda match: (
        f"the expression itself, without {match[1]}(), or ad.evaluate(y, {{x: 3.0}}) for a number"
    ),
    r"\.(item|tolist)\(": lambda match: (
        f"the expression itself, without .{match[1]}(), or ad.evaluate(y, {{x: 3.0}}) for a number"
    ),
    r"\{.*:.*\}|[\"'] ?%|\.format\(": (
        "print(x) for the formula, or ad.evaluate(y, {x: 3.0}) for a number to print"
    ),
}
NUMBERS = f"ad.function(inputs, outputs) to compute it, np.sin(x) for math.sin(x), or {ASSIGN}"


@hook("no_number")
def no_number(node: Any, *_: Any) -> NoReturn:
    """Not of an expression, which has no number yet.

    Parameters
    ----------
    node : Expr
        The expression.
    *_ : object
        Anything.

    Raises
    ------
    TypeError
        Always, with what to write instead.
    """
    called = running_function()
    of_library = libraries.for_library()
    if of_library:
        refuse(node, *of_library)
    of_math = getattr(called, "__module__", "") == "math"  # under any name
    instead = explanations.for_math(called.__name__) if of_math else meant(NUMBER, NUMBERS)
    refuse(node, "an expression has no number yet", instead)


# ---- no array

DRAWS = (  # those of a stream
    "binomial|choice|exponential|gumbel|integers|laplace|logistic|lognormal|multivariate_normal|"
    "normal|permutation|poisson|random|standard_exponential|standard_normal|uniform"
)
ARRAY: dict[str, Way] = {
    rf"\.({DRAWS})\(": lambda match: explanations.for_draw(match[1]),
    r"\bplt\.|\bax\.|\.plot\(": "f = ad.function([x], y), and draw what f gives for numbers",
    r"[\])]\s*[-+*/@]?=(?!=)": ASSIGN,
    r"\bnp\.(array|asarray)\(": lambda match: f"ad.array(...) for np.{match[1]}(...)",
    r"\bnp\.(full|arange|pad)\(": lambda match: f"ad.{match[1]}(...) for np.{match[1]}(...)",
    r"\bnp\.r_\[": "ad.concatenate([...]) of arrays for np.r_[...]",
    r"\bnp\.c_\[": "ad.column_stack([...]) for np.c_[...]",
    r"\bnp\.((?:float|int)\d+)\(": lambda match: f"x.astype('{match[1]}') for np.{match[1]}(x)",
}


@hook("no_array")
def no_array(node: Any, *_: Any, **__: Any) -> NoReturn:
    every = (
        "ad.array([...]) around a list of expressions, "
        f"ad.array(a)[{node.name or 'e'}] to index an array with one, ad.arange(n) for its "
        f"length, ad.function(inputs, outputs) to compute it, or {ASSIGN}"
    )
    refuse(
        node, *(libraries.for_library() or ("an expression is not an array", meant(ARRAY, every)))
    )


def declared(node: Any) -> str:
    """A declaration that tells the first length."""
    shape = (3, *node.type.shape[1:])
    kind = {1: "vector", 2: "matrix"}.get(len(shape), "tensor")
    lengths = 3 if len(shape) == 1 else shape
    return f"ad.{kind}({node.name or 'x'!r}, shape={lengths})"


def one_number(node: Any) -> str:
    """What to write where several were wanted."""
    names = re.split(r"[\s,]+", node.name or "")
    if len(names) > 1:
        one_by_one = ", ".join(f"ad.scalar({name!r})" for name in names)
        return f"one call makes one input, so write {', '.join(names)} = {one_by_one}"
    return "it is one number; for an array, write ad.vector('x', shape=3) or ad.array([...])"


def updated() -> str:
    """A functional update in place of the assignment that is running."""
    try:
        (done,) = ast.parse(running_line()).body
    except (SyntaxError, ValueError):  # no line, or several statements on it
        done = ast.Pass()
    target: ast.expr | None = None
    if isinstance(done, ast.Assign):
        target, value, how = done.targets[0], done.value, "set"
    elif isinstance(done, ast.AugAssign) and isinstance(done.op, ast.Add):
        target, value, how = done.target, done.value, "add"
    if not isinstance(target, ast.Subscript):
        return "x = x.at[key].set(value), or .add(value)"
    x, key = ast.unparse(target.value), ast.unparse(target.slice)
    return f"{x} = {x}.at[{key}].{how}({ast.unparse(value)})"


# ---- no truth value

TRUTH: dict[str, Way] = {
    r"\bmax\(": "ad.maximum(a, b) for max(a, b); ",
    r"\bmin\(": "ad.minimum(a, b) for min(a, b); ",
    r"\bsort(ed)?\(": "ad.sort(ad.array([...])) for sorted([...]); ",
    r"\bwhile\b": "ad.scan, whose step returns ad.until(condition), for `while`; ",
    r"\bassert\b.*==": "ad.same(a, b) for the comparison of two formulas; ",
    r"\bin\b(?!.*:)": "any(item is e for item in ...) for `in`; ",
}


@hook("truth")
def truth(node: Any) -> bool:
    answer = decided(node, "truth")
    if answer is not None:
        return answer
    refuse(
        node,
        "an expression is neither true nor false",
        meant(TRUTH, "")
        + "ad.where(condition, a, b) for `if`, (0 < x) & (x < 1) or ad.logical_and for `and` and "
        "for 0 < x < 1, | or ad.logical_or for `or`, ~ or ad.logical_not for `not`"
        + ", and ad.until(condition) to end the loop"
        * bool(steps_now.get()),
    )


# ---- no function


def leaves(node: Any) -> list[Any]:
    """The inputs on which a node depends, in no particular order."""
    seen, waiting = {node}, [node]
    while waiting:
        new = {i for i in waiting.pop().inputs if i not in seen}
        seen |= new
        waiting += new
    return [n for n in seen if hasattr(type(n), "facts")]


# ---- a stage is no expression


@hook("no_expression")
def no_expression(stage: Any, *_: Any, **__: Any) -> NoReturn:
    raise TypeError(
        f"a stage is not an expression: {stage}. Write stage.output for the expression that it "
        "made, as in stage.output + 1."
    )
