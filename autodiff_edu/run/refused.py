"""The refusals of `function`, in words; more of them stand in `expr`."""

from collections.abc import Sequence
from typing import Any, NoReturn

from ..expr import (
    Constant,
    Expr,
    Graph,
    Input,
    Shared,
    at,
    check_distinct,
    check_has_value,
    check_listed,
    exchanged,
    shown,
)
from .source.text import TAKEN, is_plain


def inputs(stated: Sequence[Expr]) -> None:
    """Raise TypeError for what is no leaf, and ValueError for an input that is listed twice."""
    for i in stated:
        if not isinstance(i, Input):
            raise TypeError(f"inputs are leaves such as ad.scalar('x'), not {i}{at(i)}: the inputs "
                            f"come first, as in {exchanged('ad.function([x], y)')}")  # fmt: skip
    check_distinct(stated)


def missing(unlisted: Sequence[Expr], stated: Sequence[Expr]) -> None:
    """Raise MissingInputError for what is not listed and has no value by itself; TypeError for what
    can have none."""
    leaves = [n for n in unlisted if not isinstance(n, (Constant, Shared))]
    for n in leaves:
        check_has_value(n)
    check_listed(leaves, stated)


def unused(graph: Graph, policy: str) -> NoReturn:
    """Raise ValueError for inputs on which no output depends, or for another policy than two."""
    if policy != "raise":
        raise ValueError(f"on_unused_input is raise or ignore, not {shown(policy)}")
    names = ", ".join(str(i) for i in graph.inputs if i not in {*graph.order})
    raise ValueError(
        f"the outputs do not depend on {names}: drop it from the inputs, or pass "
        'on_unused_input="ignore"'
    )


def options(name: Any, target: str, check: str | None) -> None:
    """Raise ValueError for a name that is taken or none, and for another check than there is."""
    if not is_plain(name) or name in TAKEN:
        raise ValueError(f"the name of a function is a free identifier, which {shown(name)} is not")
    if check not in (None, "nan"):
        raise ValueError(f'check is None or "nan", not {shown(check)}')
    if check and target != "numpy":
        raise ValueError(f'check="nan" is for the target numpy, not for {target}')
