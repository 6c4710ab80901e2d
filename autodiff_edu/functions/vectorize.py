"""`vectorize` of a Python function: of one example, for many.

Where all examples take one path, the graph of one is batched. Where f decides by the numbers of an
example, those that take the same path are computed together: by `examples` where the arrays are at
hand, and as parts of one graph where they are expressions of a trace that knows their numbers.
"""

import functools
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from ..expr import (
    OPERATIONS,
    Expr,
    Input,
    LazyModule,
    MissingInputError,
    Origin,
    ShapeError,
    TensorType,
    called,
    decisions_now,
    made_by,
    spell,
)
from ..ops import all_batched, batched, repeated
from .decisions import Decisions, Guard
from .examples import Examples, agree, axes_of, check_alike
from .kept import Kept
from .pytree import mapped, tree_flatten, tree_unflatten
from .symbols import expressions_of, kind
from .traced import Tracer, showing, symbolic

surprises = LazyModule(f"{__package__}.surprises")
Slices = dict[Expr, Expr]  # the symbol of one example, and the array of all
One = Callable[[], Any]  # the results for the symbols of one example


class Differs(Exception):
    """Examples may take different paths."""


def of_examples(f: Callable[..., Any], in_axes: Any) -> Callable[..., Any]:
    """The function of many examples, for arrays and for expressions."""
    alike = Tracer(functools.partial(build, f, in_axes, one_path), f)
    examples, branching = Examples(f, in_axes), Kept()
    grouped = functools.partial(build, f, in_axes, in_groups)

    @functools.wraps(f)
    def call(*args: Any, **kwargs: Any) -> Any:
        leaves, structure = tree_flatten((args, kwargs))
        if any(isinstance(leaf, Expr) for leaf in leaves):
            return symbolic(grouped, f, leaves, structure)
        key = structure, tuple(map(kind, leaves))
        if key not in branching:
            try:
                return alike.call(leaves, structure)
            except Differs:
                branching.keep(key, True)
        return examples.call(args, kwargs)

    return showing(call, examples.tracer, grouped)


def build(f: Callable[..., Any], in_axes: Any, together: Any, /, *args: Any, **named: Any) -> Any:
    """The results for all examples, as expressions; `together` makes them from those of one."""
    slices: Slices = {}

    def one(x: Any) -> Any:
        if not isinstance(x, Expr):
            return x
        if not x.ndim:
            raise TypeError(f"{x} is a single number: vectorize maps over a leading axis; name "
                            "the arguments without one by in_axes=None")  # fmt: skip
        name, one_of = x.name or "x", TensorType(x.dtype, x.type.shape[1:])
        slice_of = made_by(Origin("argument", name, x), Input, name, one_of)
        slices[slice_of] = x
        return slice_of

    axes = axes_of(in_axes, args)
    given = [a if k is None else mapped(one, a) for a, k in zip(args, axes, strict=True)]
    by_name = {k: mapped(one, a) for k, a in named.items()}
    n = batch_length(slices.values())
    found, structure = together(lambda: called(f, *given, **by_name), slices, n)
    surprises.end(slices)
    return tree_unflatten(structure, found)


def batch_length(arrays: Iterable[Expr]) -> Any:
    """The length of the leading axis, which all arrays share."""
    lengths = {x.type.shape[0]: x for x in arrays}
    if len(lengths.keys() - {None}) > 1:
        shapes = " and ".join(f"{x} of shape {spell(x.type.shape)}" for x in lengths.values())
        raise ShapeError(f"vectorize maps over leading axes of one length, not over {shapes}")
    if not lengths:
        raise TypeError("vectorize maps over an axis of array arguments, and there are none")
    return next(iter(lengths.values())).shape[0]


def numbers_of(slices: Slices, outer: Decisions | None) -> dict[Expr, Any] | None:
    """The numbers of all examples, where the trace knows them and there are any."""
    try:
        found = {s: outer.number(x) for s, x in slices.items()} if outer else {}
    except MissingInputError:
        return None
    return found if found and all(map(len, found.values())) else None


def one_path(one: One, slices: Slices, n: Any) -> tuple[list[Expr], Any]:
    """All examples by the path of the first. Raises Differs if f decides by what varies."""
    outer = decisions_now.get()
    numbers = numbers_of(slices, outer)
    inner = outer.within({s: v[0] for s, v in (numbers or {}).items()})
    with inner.used():
        ys, structure = expressions_of(one())
    conditions = [g.condition for g in inner.guards]
    made = batched([*ys, *conditions], slices)
    if inner.failed or any(c in made for c in conditions):
        raise Differs
    outer.guards += inner.guards
    return [made[y] if y in made else repeated(y, n) for y in ys], structure


def in_groups(one: One, slices: Slices, n: Any) -> tuple[list[Expr], Any]:
    """Group by group, each by the path of its first example, put in order again."""
    outer = decisions_now.get()
    numbers = numbers_of(slices, outer)
    if numbers is None:
        ys, structure = expressions_of(one())
        return all_batched(ys, slices, n), structure
    left, parts = np.arange(len(next(iter(numbers.values())))), []
    while left.size:
        inner = outer.within({s: v[left[0]] for s, v in numbers.items()})
        with inner.used():
            ys, structure = expressions_of(one())
        rows = left[:1] if inner.failed else taking_path(inner.guards, slices, left, outer)
        outer.failed = outer.failed or inner.failed
        some = slices if rows.size == n else {s: x[rows] for s, x in slices.items()}
        parts.append((rows, all_batched(ys, some, rows.size), structure))
        left = np.setdiff1d(left, rows)
    if len(parts) == 1:
        return parts[0][1:]
    check_alike([(rows, [y.type.shape[1:] for y in ys], s) for rows, ys, s in parts])
    order = np.argsort(np.concatenate([rows for rows, _, _ in parts]))
    columns = zip(*[ys for _, ys, _ in parts], strict=True)
    return [OPERATIONS["concatenate"](ys)[order] for ys in columns], parts[0][2]


def taking_path(
    guards: Sequence[Guard], slices: Slices, rows: np.ndarray, outer: Decisions
) -> np.ndarray:
    """Which of these rows answer all questions alike; what each answered becomes a guard."""
    left = list(guards)
    made = of_rows(left, slices, rows)
    while left:
        g = left.pop(0)
        if g.condition not in made:
            outer.guards.append(g)
            continue
        asked = made[g.condition].reshape(-1)
        answers = outer.number(made[g.condition])
        told = tuple(np.ravel(answers).tolist())
        outer.guards.append(g._replace(condition=asked, answer=told, numbers=()))
        fits = agree(answers, g.answer)
        rows = rows[fits]
        if not fits.all():  # what comes later is asked of those that are left
            made = of_rows(left, slices, rows)
    return rows


def of_rows(guards: Sequence[Guard], slices: Slices, rows: np.ndarray) -> Slices:
    """The questions, of some examples."""
    return batched([g.condition for g in guards], {s: x[rows] for s, x in slices.items()})
