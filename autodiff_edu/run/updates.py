"""State in a program: what `updates` and `givens` say, checked, and what moves on by itself."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..expr import (
    DTypeError,
    Expr,
    Graph,
    Input,
    ShapeError,
    Shared,
    at,
    expression_of,
    operands,
    postorder,
    put_in,
    shown,
)
from ..nested.loops.shared_updates import check_shared, moved_on
from ..ops import agree


def with_state(
    roots: Graph, inputs: Sequence[Input], updates: Any, givens: Any
) -> tuple[Graph, dict[Shared, Expr]]:
    """What a function computes, and the shared values that become its last outputs."""
    own, given = apart(inputs, pairs(givens))
    results, changes = stated(roots, pairs(updates), given)
    graph = Graph([*results, *changes.values()], own, names_of(roots, changes))
    return graph, changes


def pairs(given: Mapping[Any, Any] | Iterable[tuple[Any, Any]]) -> dict[Expr, Any]:
    """Pairs or a dictionary as a dictionary. Raises TypeError for what is neither, ValueError for a
    key that comes twice."""
    found: dict[Expr, Any] = {}
    for n, e in map(pair, rows_of(given)):
        key = expression_of(n)
        if key in found:
            raise ValueError(f"{key}{at(key)} has two expressions among updates, or among givens: "
                             "leave one of them out")  # fmt: skip
        found[key] = expression_of(e)
    return found


def rows_of(given: Any) -> Iterable[Any]:
    if isinstance(given, Mapping):
        return given.items()
    return given if isinstance(given, Iterable) and not isinstance(given, Expr) else [given]


def pair(row: Any) -> tuple[Any, Any]:
    """The node and its expression. Raises TypeError for what is no pair."""
    if not isinstance(row, (tuple, list)) or len(row) != 2:
        raise TypeError("updates and givens are a list of pairs (node, expression), or a "
                        f"dictionary; {shown(row)} is no pair: write [(w, w + 1)]")  # fmt: skip
    return row[0], row[1]


def stated(
    roots: Graph, updates: dict[Expr, Any], givens: dict[Expr, Any]
) -> tuple[list[Expr], dict[Shared, Expr]]:
    """The outputs and the updates with `givens` put in, and the default updates added."""
    check_shared(updates, "updates change")
    new = {w: fitting(w, e, "the update of") for w, e in updates.items()}
    given = {n: fitting(n, e, "what is given for") for n, e in givens.items()}
    found = [*roots.outputs, *new.values()]
    found = put_in(found, given) if given else found
    count = len(roots.outputs)
    changes: dict[Any, Expr] = dict(zip(new, found[count:], strict=True))
    return found[:count], changes | moving(found, changes)


def apart(
    inputs: Sequence[Input], givens: dict[Expr, Any]
) -> tuple[tuple[Input, ...], dict[Expr, Any]]:
    """Inputs and givens, with another leaf for an input that has a given: what was differentiated
    met what is given, and not the input's value, and so the lengths of that tell nothing there."""
    own = tuple(Input(i.name or "", i.type, i.facts) if i in givens else i for i in inputs)
    twins: dict[Expr, Expr] = dict(zip(inputs, own, strict=True))
    new = {n: put_in([e], twins)[0] if isinstance(e, Expr) else e for n, e in givens.items()}
    return own, new


def moving(roots: Sequence[Expr], changes: Mapping[Any, Expr]) -> dict[Shared, Expr]:
    """The default updates of the shared values that these expressions read, and the next values
    of those that loops move on."""
    order = postorder(roots)
    read = [n for n in order if isinstance(n, Shared) and n not in changes]
    by_loops = moved_on(order, changes)
    return {n: n.default_update for n in read if n.default_update is not None} | by_loops


def fitting(n: Any, value: Any, what: str) -> Expr:
    """A value as an expression that can stand where n stands. Raises DTypeError, ShapeError."""
    if not isinstance(n, Expr):
        raise TypeError(f"{what} is said by pairs (node, expression); {n!r} is no node")
    e = value if isinstance(value, Expr) else operands((n, value), what)[1]
    if e.dtype != n.dtype:
        raise DTypeError(f"{what} {n} has the dtype {e.dtype}, not {n.dtype}{at(e)}: "
                         f"write .astype({str(n.dtype)!r})")  # fmt: skip
    if not agree(e.type.shape, n.type.shape):
        raise ShapeError(f"{what} {n} has the type {e.type!r}, not {n.type!r}{at(e)}: "
                         "sum, reshape or broadcast it")  # fmt: skip
    return e


def names_of(roots: Graph, changes: Mapping[Shared, Expr]) -> list[str]:
    """The outputs' names, and w' for the next value of w."""
    return [*roots.names, *(f"{w.name or 'shared'}'" for w in changes)]
