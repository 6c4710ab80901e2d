"""`show`: from a formula as text to its derivative, its short form, its program and its value.

The stages are those of `autodiff_edu.pipeline`; here they are put into words and onto a page.
"""

import ast
import html
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import autodiff_edu as ad

from ..show.html.page import escape
from .expression import Refused, excerpt, parse, told

LONG = 2_000  # characters of a formula that is printed
MOST = 10_000  # characters of a value that is typed
WORK = 600  # frames times operations: a film that is drawn in a few seconds


@dataclass(frozen=True)
class Shown:
    """A formula, the stages that it went through, and the values of its inputs.

    Parameters
    ----------
    text : str
        The formula as it was typed.
    of : Expr
        The formula.
    wrt : dict
        The inputs with respect to which it is differentiated, by name.
    stages : Pipeline
        Derivative, simplification, program.
    at : dict
        Values of inputs; empty if none are given.
    """

    text: str
    of: Any
    wrt: dict[str, Any]
    stages: Any
    at: dict[Any, Any]

    @property
    def values(self) -> list[Any]:
        """The value of the formula, then those of the derivatives. Raises Refused where there is
        none."""
        try:
            return ad.evaluate([self.of, *self.stages.stages[1].outputs], self.at)
        except (ArithmeticError, TypeError, ValueError) as error:  # the largest of no numbers
            raise Refused(told(error)) from None

    @property
    def picture(self) -> Any:
        """The simplified derivative, drawn."""
        return ad.draw(self.stages.stages[1].after)

    def __str__(self) -> str:
        return "\n".join(lines(self))


def show(
    text: str, wrt: Sequence[str] = (), at: Iterable[str] = (), derivative: str | None = None
) -> Shown:
    """Read a formula and differentiate it.

    Parameters
    ----------
    text : str
        The formula: "x*x + x - 2".
    wrt : sequence of str, default: ()
        The names of the inputs; all of them by default.
    at : iterable of str, default: ()
        "x=3" or "w=[1, 2]": values, which also say what is an array.
    derivative : {'symbolic', 'forward', 'reverse'}, optional
        How; by default as in `autodiff_edu.pipeline`.

    Returns
    -------
    Shown
        What can be printed, drawn and written.

    Raises
    ------
    Refused
        If a text is no formula or no value, or the formula has no such derivative.
    """
    values = given(at)
    of, inputs = parse(text, {name: v.shape for name, v in values.items()})
    chosen = {name: named(name, inputs) for name in wrt or inputs}
    known = {named(name, inputs): v for name, v in values.items()}
    if not chosen:
        raise Refused("there is no input in this formula: write a letter, as in x*x")
    if missing := [name for name, x in inputs.items() if known and x not in known]:
        raise Refused(f"there is no value for {', '.join(missing)}: write --at {missing[0]}=3")
    try:
        stages = ad.pipeline(of, list(chosen.values()), derivative=way(chosen, derivative))
    except (ArithmeticError, TypeError, ValueError) as error:
        raise Refused(told(error)) from None
    return Shown(text.strip(), of, chosen, stages, known)


def given(at: Iterable[str]) -> dict[str, np.ndarray]:
    """The values by the names of their inputs. Raises Refused for an input that has two."""
    found: dict[str, np.ndarray] = {}
    for word in at:
        name, number = value(word)
        if name in found:
            raise Refused(f"{excerpt(name)} has two values: write --at {excerpt(name)}=3 once")
        found[name] = number
    return found


def way(chosen: Mapping[str, Any], derivative: str | None) -> str | None:
    """How to differentiate. Raises Refused for what has no such way."""
    if derivative in ("symbolic", "forward") and len(chosen) > 1:
        raise Refused(f"a {derivative} derivative has one input: write --wrt with one name")
    if derivative in ("symbolic", "forward") and any(x.ndim for x in chosen.values()):
        raise Refused(f"a {derivative} derivative by an array is one along a direction: write "
                      "--derivative reverse for the gradient")  # fmt: skip
    return derivative


def named(name: str, inputs: Mapping[str, Any]) -> Any:
    """The input of this name."""
    if name not in inputs:
        there = ", ".join(inputs) or "none"
        raise Refused(f"{excerpt(name)!r} is no input of this formula; its inputs: {there}")
    return inputs[name]


def value(word: str) -> tuple[str, np.ndarray]:
    """The name and the number, or the array, of "x=3"."""
    name, sign, text = (part.strip() for part in word.partition("="))
    try:
        if not sign or len(text) > MOST:
            raise ValueError
        numbers = np.array(ast.literal_eval(text), dtype=object)
        if not all(isinstance(n, (int, float)) for n in numbers.flat):  # a text, or None
            raise ValueError
        found = numbers.astype(float)
    except (ArithmeticError, ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        raise Refused(
            f"{excerpt(word)!r} gives no value: write --at x=3 or --at 'w=[1, 2]'"
        ) from None
    return name, found


# ---- as text


def lines(shown: Shown) -> Iterable[str]:
    """The stages in words."""
    first, short, program = shown.stages.stages
    yield from stage_lines("formula", [shown.of], ad.Graph([shown.of]), shown)
    yield from stage_lines(first.name, first.outputs, first.graph, shown)
    yield from stage_lines(f"simplified, {steps(short)}", short.outputs, short.graph, shown)
    yield f"program\n{indented(str(program.after))}"
    if shown.at:
        where = ", ".join(f"{x.name} = {v.tolist()}" for x, v in shown.at.items())
        yield f"\nat {where}"
        names = ["value", *(f"d/d{name}" for name in shown.wrt)]
        for name, result in zip(names, shown.values, strict=True):
            yield f"    {name} = {np.asarray(result).tolist()}"


def stage_lines(title: str, outputs: Sequence[Any], graph: Any, shown: Shown) -> Iterable[str]:
    """A stage: its title, how large it is, and its formulas."""
    count = len(graph.operations)
    yield f"{title} ({count} operation{'' if count == 1 else 's'})"
    marks = [""] if len(outputs) == 1 else [f"d/d{name} = " for name in shown.wrt]
    for mark, output in zip(marks, outputs, strict=True):
        formula = str(output)
        yield f"    {mark}{formula if len(formula) <= LONG else formula[:LONG] + ' ...'}"
    yield ""


def steps(stage: Any) -> str:
    """How many rewrites a stage made."""
    count = len(stage.steps)
    return f"{count} step{'' if count == 1 else 's'}"


def indented(text: str) -> str:
    return "\n".join(f"    {line}".rstrip() for line in text.splitlines())


# ---- as a page


def page(shown: Shown) -> str:
    """A page that needs no network: film of the stages, formula and program, and the text.

    Parameters
    ----------
    shown : Shown
        What `show` gives.

    Returns
    -------
    str
        HTML. What was typed is escaped.
    """
    pair = ad.compare(*shown.stages.stages[:2])._repr_mimebundle_()["text/html"]
    title = escape(excerpt(shown.text))
    return (
        '<!doctype html>\n<html lang="en"><meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width">\n'
        f"<title>{title}</title>\n<style>{STYLE}</style>\n"
        f"<main><h1>The derivative of <code>{title}</code></h1>\n"
        f"<h2>Step by step</h2>\n{film(shown)}\n<h2>Before and after simplification</h2>\n{pair}\n"
        f'<h2>In words</h2>\n<pre tabindex="0">{html.escape(str(shown))}</pre></main></html>\n'
    )


def film(shown: Shown) -> str:
    """The film of the stages; of a long one a sentence, since each frame is laid out anew."""
    first, short, _ = shown.stages.stages
    frames = len(first.steps) + len(short.steps)
    if frames * len(first.graph.operations) > WORK:
        return f"<p>A film of these {frames} steps would be long: show a part of the formula.</p>"
    return shown.stages.film()._repr_mimebundle_()["text/html"]


STYLE = (
    "body{font-family:sans-serif;margin:2rem auto;max-width:75rem;padding:0 1rem}"
    "pre{overflow-x:auto;padding:1rem;border:1px solid #767676;border-radius:6px}"
)
