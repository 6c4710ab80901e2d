"""The text of a program with arrays, or with operations that have a body.

Bodies become programs of their own, which check nothing: they are called within others. A body of
single numbers is written in plain Python, and called by programs of arrays and of numbers.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

from ..expr import Expr, Graph, item
from ..nested import Branch
from ..ops import where
from .entry import entered
from .input_guard import InputGuard
from .plan import Plan
from .source.careful import of_python, performed
from .source.numbers import (
    by_evaluating,
    by_numbers,
    careful_text,
    lines_and_results,
    loaded,
    only_numbers,
    scalar_form,
)
from .source.target import target_of
from .source.text import Written, load, plain, together
from .source.writer import Common, Source


def written(program: Any) -> Written:
    """The text of a program and the functions that it defines."""
    target, loop, graph = target_of(program.target), program.loop, program.graph
    side = loop is not None and isinstance(loop[0], Branch)
    shared = loop[0].shared if side else ()
    in_place = target.in_place and not program.check
    plan = Plan(graph, in_place, shared, program.fuse and in_place and not side)
    common = program.common or Common()
    text = target(
        plan, program.inputs, program.name, program.listed, program.updated,
        partial(inner, program, common), program.within, loop, program.answers, program.check,
        common,
    )  # fmt: skip
    numbers = program.target == "numpy" and are_numbers(text)
    if numbers and not program.check and is_written_with_branches(text):
        return body_of_numbers(text, side) if text.within else by_numbers(text)
    accept = InputGuard(program.declared, program.inputs, target.accept)
    run, source = by_arrays(text, accept)
    if numbers and program.check and not program.within and only_scalar_forms(graph):
        run = with_numbers_of_python(run)
    return Written(text, run, source)


def inner(program: Any, common: Common, body: Graph, name: str, loop: Any) -> Any:
    """The program of an operation's body, or the loop around it."""
    options: dict[str, Any] = {n: getattr(program, n) for n in ("target", "fuse", "check")}
    options |= {"within": True, "loop": loop, "common": common}
    return type(program)(body, body.inputs, name=name, **options)


def by_arrays(text: Source, accept: InputGuard) -> tuple[Callable[..., Any], str]:
    """The program by NumPy, and its text with those of bodies before it."""
    lines = text.text()
    run = load(lines, text.space | {"accept": accept.entry}, text.function)
    before = [by_arrays for by_arrays, _ in text.before]
    return text.finished(entered(run, text), accept), together(before, lines)


def body_of_numbers(text: Source, side: bool) -> Written:
    """A body in plain Python; `side` says that programs of numbers call it, too, as a branch of
    theirs."""
    own: Any = (None, "")
    if side:
        own = loaded(text, body_text(text), performed(text.loop.op, of_python))
    careful = performed(text.loop.op) if text.loop else by_evaluating(text, strict=True)
    return Written(text, *loaded(text, body_text(text, strict=True), careful), *own)


def body_text(text: Source, strict: bool = False) -> str:
    """The text of a body in plain Python, with the lines around it. A `strict` one gives NumPy's
    numbers, to a program of arrays: of Python's, 1/0 is an error."""
    loop, (lines, results) = text.loop, lines_and_results(text)
    if strict and (loop is None or loop.fresh):
        outputs = text.plan.graph.outputs
        results = [f"np.{o.dtype}({r})" for o, r in zip(outputs, results, strict=True)]
    if loop is None:
        return careful_text(text, (), [*lines, *plain([f"return {text.together(results)}"])])
    lines = loop.text(lines, results, numbers=True)
    if not loop.moves_on:
        return careful_text(text, (), lines)
    comma = "," * ("," not in loop.arguments)
    name = text.new_name("given")  # its arguments are not what they were
    return careful_text(text, [f"{name} = {loop.arguments}{comma}"], lines, f"*{name}")


def with_numbers_of_python(run: Callable[..., Any]) -> Callable[..., Any]:
    """The function, with results that are Python's own numbers."""

    def program(*values: Any) -> Any:
        result = run(*values)
        if isinstance(result, tuple):  # a guard's
            return result
        return [*map(of_python, result)] if isinstance(result, list) else of_python(result)

    return program


# ---- which programs are of numbers


def are_numbers(text: Source) -> bool:
    """Are all values single numbers, none of which is changed?"""
    graph = text.plan.graph
    if not graph.outputs or text.updated:
        return False
    truths = only_asked(graph) if text.within else set()
    return only_numbers([n for n in (*text.inputs, *graph.order) if n not in truths])


def only_asked(graph: Graph) -> set[Expr]:
    """The inputs that are truth values of which nothing but a choice depends."""
    asked: set[Expr] = {i for i in graph.inputs if i.dtype == "bool" and not i.ndim}
    asked -= set(graph.outputs)
    for n in graph.operations:
        chooses = n.op is where or isinstance(n.op, Branch)
        asked -= set(n.inputs[1:] if chooses else n.inputs)
    return asked


def is_written_with_branches(text: Source) -> bool:
    """Can all operations be written in Python? A branch can, if its sides are."""
    return all(n.op is item or scalar_form(n.op) or is_branch(text, n) for n in text.plan.order)


def is_branch(text: Source, n: Expr) -> bool:
    return isinstance(n.op, Branch) and text.callee(n) in text.numbers


def only_scalar_forms(graph: Graph) -> bool:
    """Is every operation one of numbers, branches among them?"""
    return all(
        n.op is item or bool(scalar_form(n.op)) or isinstance(n.op, Branch)
        for n in graph.operations
    )
