"""The questions that Python asks of an expression, or of a stage: answered where a trace knows the
number, else refused."""

from collections.abc import Callable
from typing import Any, NoReturn

from ...core.node import Expr
from ...core.seams import OPERATIONS
from ...core.stage import Stage
from ..methods import hook
from ..origins import at
from ..tracing import decided
from .refusal import (
    declared,
    explanations,
    leaves,
    no_number,
    one_number,
    refuse,
    updated,
)
from .running import asked_by_the_house
from .suggestion import no_attribute_of_stage


@hook("index")
def index(node: Any) -> int:
    answer = decided(node, "index")
    if answer is not None:
        return answer
    refuse(
        node,
        "an expression is not a number that Python can count with",
        f"ad.array(a)[{node.name or 'e'}] to index an array with it, ad.arange(n), ad.zeros(n), "
        "ad.scan for a loop, or a whole number such as n=3",
    )


@hook("len")
def length(node: Any) -> int:
    if not node.type.shape:
        raise TypeError(f"{node} is 0-d and has no length{at(node)}: {one_number(node)}")
    length = node.type.shape[0]
    if length is None:
        length = decided(node.shape[0], "index")
    if length is None:
        instead = f"{declared(node)}, or ad.scan for a loop over it,"
        refuse(node, "len() needs a length known now", instead)
    return length


def whole(question: str) -> Callable[[Any], int]:
    """A method that gives a whole number, where a trace knows it."""

    @hook(question)
    def ask(node: Any) -> int:
        answer = decided(node, question)
        return no_number(node) if answer is None else answer

    return ask


trunc, floor, ceil = map(whole, ("trunc", "floor", "ceil"))


@hook("format")
def formatted(node: Any, form: str) -> str:
    answer = None if asked_by_the_house() else decided(node, "index")
    if answer is not None:
        return format(answer, form)
    if not form:
        explanations.tell_of_formula(node)
    of_number = form.endswith(tuple("bcdeEfFgGnoxX%"))
    return no_number(node) if of_number else format(str(node), form)


@hook("contains")
def contains(node: Any, wanted: object) -> bool:
    answer = decided(OPERATIONS["equal"](node, wanted), "any")
    if answer is None:
        refuse(node, "`in` compares numbers", "any(item is e for item in ...)")
    return answer


# ---- what changes in place, and what is called


def never_changes(name: str, instead: Callable[[], str]) -> None:
    """Enter a method that would change its object: it refuses, with this remedy."""

    @hook(name)
    def refuse_change(node: Any, *_: Any, **__: Any) -> NoReturn:
        """Not of an expression, which never changes.

        Parameters
        ----------
        node : Expr
            The expression.
        *_ : object
            Anything.
        **__ : object
            Anything.

        Raises
        ------
        TypeError
            Always, with what to write instead.
        """
        refuse(node, "an expression never changes", instead())


never_changes("no_change", updated)
never_changes("no_sort", lambda: "x = ad.sort(x)")


@hook("no_call")
def no_call(node: Any, *args: Any, **_: Any) -> NoReturn:
    of_expressions = any(isinstance(a, Expr) for a in args)
    raise explanations.no_function("an expression", node, leaves(node), of_expressions)


@hook("no_stage_call")
def no_stage_call(stage: Any, *args: Any, **_: Any) -> NoReturn:
    of_expressions = any(isinstance(a, Expr) for a in args)
    raise explanations.no_function("a stage", stage, stage.graph.inputs, of_expressions)


@hook("stage_attribute")
def stage_attribute(stage: Any, name: str) -> Any:
    if name in Stage.__annotations__:
        raise TypeError(f"a {type(stage).__name__} has no {name!r} yet: begin its __init__ "
                        "by super().__init__(name, before, after, steps)")  # fmt: skip
    if hasattr(type(stage), name):  # a property, with an error of its own
        return object.__getattribute__(stage, name)
    raise no_attribute_of_stage(stage, name)
