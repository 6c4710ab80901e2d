"""Many examples of a function that branches: each path is one program, run on those that take it.

Letters: n how many examples there are, rows the places of some.
"""

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..expr import HOOKS, Expr, Input, ShapeError, TensorType, called, evaluate
from ..ops import all_batched
from .kept import Kept
from .paths import Path, taken
from .pytree import tree_flatten, tree_unflatten
from .symbols import is_array
from .traced import Tracer

Part = tuple[np.ndarray, Sequence[Any], Any]  # rows, what belongs to them, their structure


def axes_of(in_axes: Any, args: Sequence[Any]) -> Sequence[Any]:
    """For each argument 0 or None. Raises ValueError for another axis."""
    given = in_axes if isinstance(in_axes, (list, tuple)) else (in_axes,)
    if any(k is not None and (isinstance(k, bool) or k != 0) for k in given):
        raise ValueError(
            f"vectorize maps over the first axis, and in_axes is 0, None or a tuple of these, not "
            f"{in_axes!r}: move the axis, as in np.moveaxis(x, 1, 0)"
        )
    return in_axes if isinstance(in_axes, (list, tuple)) else (in_axes,) * len(args)


class Examples:
    """The paths of a function of one example, and their programs for many."""

    def __init__(self, f: Callable[..., Any], in_axes: Any):
        self.tracer, self.in_axes = Tracer(functools.partial(called, f), f), in_axes
        self.batches = Kept()

    def call(self, args: tuple, kwargs: dict[str, Any]) -> Any:
        """The results for all examples, in their order."""
        leaves, structure = tree_flatten((args, kwargs))
        flags = self.flags(args, kwargs)
        n = next(len(v) for v, flag in zip(leaves, flags, strict=True) if flag)
        parts = self.parts(leaves, flags, structure, n)
        check_alike([(rows, [v.shape[1:] for v in found], s) for rows, found, s in parts])
        columns = zip(*[found for _, found, _ in parts], strict=True)
        together = [in_order([rows for rows, _, _ in parts], column) for column in columns]
        return tree_unflatten(parts[0][2], together)

    def flags(self, args: tuple, kwargs: dict[str, Any]) -> list[bool]:
        """For each leaf of (args, kwargs) whether it has one row for each example."""
        axes = [*axes_of(self.in_axes, args), *[0] * len(kwargs)]
        found = zip([*args, *kwargs.values()], axes, strict=True)
        return [k is not None and is_array(leaf) for x, k in found for leaf in tree_flatten(x)[0]]

    def parts(self, leaves: list, flags: list[bool], structure: Any, n: int) -> list[Part]:
        """The examples by paths: those that are known, and others for what is left."""

        def given(rows: Any) -> list:
            pairs = zip(leaves, flags, strict=True)
            return [np.asarray(v[rows]) if flag else v for v, flag in pairs]

        first = given(0)
        key, branches = self.tracer.branches(first, structure)
        tried = sorted(branches.paths.values(), key=taken, reverse=True)
        left, parts = np.arange(n), []
        while left.size:
            if tried:
                path, sure = tried.pop(0), 0
            else:
                path, sure = self.tracer.trace(branches, given(left[0]), structure), 1
            batch, values = self.batch(path, flags, leaves), list(filter(is_array, given(left)))
            fits = batch.fits(values) if path.repeats else np.zeros(left.size, bool)
            fits[:sure] = True  # for this one it was traced
            if fits.any():
                rows = left[fits]
                parts.append((rows, batch.run(*filter(is_array, given(rows))), path.structure))
                path.taken += len(rows) - sure
            left = left[~fits]
        self.tracer.known.keep(key, branches)
        return parts

    def batch(self, path: Path, flags: Sequence[bool], leaves: Sequence[Any]) -> "Batch":
        """The programs of a path for many examples."""
        batch = self.batches.get(path)
        if batch is None:
            some = [flag for flag, v in zip(flags, leaves, strict=True) if is_array(v)]
            batch = Batch(path, some)
        self.batches.keep(path, batch)
        return batch


class Batch:
    """Two programs of a path, for any number of examples: what it asks, and what it computes."""

    def __init__(self, path: Path, flags: Sequence[bool]):
        self.guards, self.flags = path.guards, flags
        longer: dict[Expr, Expr] = {
            i: Input(i.name or "x", TensorType(i.dtype, (None, *i.type.shape)))
            for i, flag in zip(path.inputs, flags, strict=True)
            if flag
        }
        self.inputs = [longer.get(i, i) for i in path.inputs]
        n = next(iter(longer.values())).shape[0]
        self.conditions = all_batched([g.condition for g in path.guards], longer, n)
        make = functools.partial(HOOKS["function"], self.inputs, on_unused_input="ignore")
        self.ask, self.run = make(self.conditions), make(all_batched(path.outputs, longer, n))

    def fits(self, values: Sequence[Any]) -> np.ndarray:
        """For each example whether it takes this path."""
        n = next(len(v) for v, flag in zip(values, self.flags, strict=True) if flag)
        answers = [g.answer for g in self.guards]
        try:
            found = self.ask(*values)
        except Exception:  # a question that has no answer where one before it differs
            return self.one_by_one(values, n)
        rows = [agree(v, answer) for v, answer in zip(found, answers, strict=True)]
        return np.all([np.ones(n, bool), *rows], axis=0)

    def one_by_one(self, values: Sequence[Any], n: int) -> np.ndarray:
        """The same; each question is asked of the examples that still fit."""
        rows = np.arange(n)
        for condition, g in zip(self.conditions, self.guards, strict=True):
            if rows.size:
                rows = rows[self.agreeing(condition, g.answer, values, rows)]
        return np.isin(np.arange(n), rows)

    def agreeing(
        self, condition: Expr, answer: Any, values: Sequence[Any], rows: np.ndarray
    ) -> np.ndarray:
        """For each of these examples whether it gives this answer; one that gives none does not."""
        some = [v[rows] if flag else v for v, flag in zip(values, self.flags, strict=True)]
        try:
            return agree(evaluate(condition, dict(zip(self.inputs, some, strict=True))), answer)
        except Exception:
            if rows.size == 1:
                return np.zeros(1, bool)
            each = [self.agreeing(condition, answer, values, row) for row in rows[:, None]]
            return np.concatenate(each)


def agree(answers: Any, answer: Any) -> np.ndarray:
    """For each example whether it answers so; an answer may be several."""
    alike = np.asarray(answers) == np.asarray(answer)
    return alike.reshape(len(alike), -1).all(axis=1)


def check_alike(parts: Sequence[Part]) -> None:
    """Raises ShapeError for paths whose results cannot stand in one array."""
    first, shapes, structure = parts[0]
    for rows, others, containers in parts[1:]:
        if containers != structure or others != shapes:
            raise ShapeError(
                f"example {first[0]} and example {rows[0]} take different paths, and these return "
                f"results of different forms, {shapes} and {others}: let every path return "
                "arrays of the same shapes in the same containers"
            )


def in_order(rows: Sequence[np.ndarray], parts: Sequence[np.ndarray]) -> np.ndarray:
    """The parts in one array, each in its rows."""
    together = np.concatenate([np.asarray(part) for part in parts])
    return together[np.argsort(np.concatenate(rows))]
