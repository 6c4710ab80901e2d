"""`vectorize` of a Python function: of one example, for many."""

from collections.abc import Callable, Iterable
from typing import Any

from ..expr import Expr, Input, Origin, ShapeError, TensorType, called, made_by, spell
from ..ops import batched, repeated
from .pytree import mapped, tree_flatten
from .traced import as_expression, traced


def of_examples(f: Callable[..., Any], in_axes: Any) -> Callable[..., Any]:
    def build(*args: Any, **named: Any) -> Any:
        axes = in_axes if isinstance(in_axes, (list, tuple)) else (in_axes,) * len(args)
        slices: dict[Expr, Expr] = {}

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

        given = [a if k is None else mapped(one, a) for a, k in zip(args, axes, strict=True)]
        by_name = {k: mapped(one, a) for k, a in named.items()}
        n = batch_length(slices.values())
        result = mapped(as_expression, called(f, *given, **by_name))
        made = batched(tree_flatten(result)[0], slices)
        return mapped(lambda y: made[y] if y in made else repeated(y, n), result)

    return traced(build, f)


def batch_length(arrays: Iterable[Expr]) -> Any:
    """The length of the leading axis, which all arrays share."""
    lengths = {x.type.shape[0]: x for x in arrays}
    if len(lengths.keys() - {None}) > 1:
        shapes = " and ".join(f"{x} of shape {spell(x.type.shape)}" for x in lengths.values())
        raise ShapeError(f"vectorize maps over leading axes of one length, not over {shapes}")
    if not lengths:
        raise TypeError("vectorize maps over an axis of array arguments, and there are none")
    return next(iter(lengths.values())).shape[0]
