"""einsum: sums of products of entries, with a letter for each index.

The subscripts are first brought to a form in which every operand has different letters, and every
letter of an operand is one of the result or of another operand; then each operand's cotangent is
an einsum with the result's cotangent in its place.
"""

from collections.abc import Sequence
from math import prod
from string import ascii_letters
from typing import Any

import numpy as np

from ..expr import Expr, LazyModule, ShapeError, TensorType, at, operands, register
from ..ops.declare import op
from ..ops.gather import gather
from ..ops.lengths import common_length, count
from ..ops.reduce import sum
from ..ops.shape import broadcast_to, moveaxis, squeeze, transpose
from .diagonals import diagonal

__all__ = ["einsum"]

selections = LazyModule(f"{__package__}.selections")


def read(subscripts: str) -> tuple[list[str], str]:
    """The letters of each operand, and those of the result."""
    names, _, result = subscripts.partition("->")
    return names.split(","), result


def contracted(*types: TensorType, subscripts: str) -> tuple:
    """The result's shape; a letter has one length wherever it stands."""
    names, result = read(subscripts)
    lengths: dict[str, int | None] = {}
    for letters, t in zip(names, types, strict=True):
        for letter, n in zip(letters, t.shape, strict=True):
            told = lengths.get(letter, n)
            if None not in (n, told) and n != told:
                raise ShapeError(f"the index {letter} has length {told} and length {n}")
            lengths[letter] = n if told is None else told
    return tuple(lengths[letter] for letter in result)


def contraction_pullback(ct: Expr, *rest: Expr, subscripts: str) -> list[Expr]:
    """For each operand the contraction of ct with the others, in the operand's letters."""
    names, result = read(subscripts)
    found = []
    for k, letters in enumerate(names):
        others = [x for j, x in enumerate(rest[:-1]) if j != k]
        known = [result, *[n for j, n in enumerate(names) if j != k]]
        mine = contract(ct, *others, subscripts=f"{','.join(known)}->{letters}")
        found.append(as_long(mine, rest[k]))
    return found


def as_long(mine: Expr, x: Expr) -> Expr:
    """An operand's cotangent, repeated along the axes where all others have length 1."""
    axes = [m == 1 != n for m, n in zip(mine.type.shape, x.type.shape, strict=True)]
    if True not in axes:
        return mine
    lengths = zip(axes, x.shape, mine.shape, strict=True)
    return broadcast_to(mine, tuple(n if long else m for long, n, m in lengths))


def contraction_slices(inputs: Sequence[Expr], flags: Sequence[bool], subscripts: str) -> Expr:
    """One more letter, for the new axis."""
    names, result = read(subscripts)
    new = next(c for c in ascii_letters if c not in subscripts)
    longer = [new * f + letters for f, letters in zip(flags, names, strict=True)]
    return contract(*inputs, subscripts=f"{','.join(longer)}->{new}{result}")


def products(*shapes: tuple[int, ...], subscripts: str) -> int:
    """A product of all operands for each choice of the letters, and its addition."""
    *operands, out = shapes
    letters = read(subscripts)[0]
    lengths: dict[str, int] = {}
    for names, shape in zip(letters, operands, strict=True):
        for letter, length in zip(names, shape, strict=True):
            lengths[letter] = max(length, lengths.get(letter, 1))
    every = prod(lengths.values())
    return every * (len(letters) - 1) + every * (every > prod(out))


@op(
    label="einsum",
    multilinear=True,
    subscripts=lambda ndims, subscripts: subscripts,
    type=contracted,
    pullback=contraction_pullback,
    batch=contraction_slices,
    cost=products,
)
def contract(*arrays, subscripts):
    """Σ of the products of entries over the letters that the result does not have."""
    return np.einsum(subscripts, *arrays, optimize=True)


# ---- NumPy's notation


@register("einsum")
def einsum(subscripts: Any, *arrays: Any, optimize: Any = True) -> Expr:
    """Sum products of entries over indices, as NumPy's einsum does.

    With ... for axes that broadcast, and repeated letters for diagonals. NumPy's other notation has
    numbers for letters: einsum(x, [0, 1], y, [1, 2], [0, 2]).

    Parameters
    ----------
    subscripts : str
        The letters of the axes of each operand and of the result, "ij,jk->ik".
    *arrays : Expr or array_like
        The operands.
    optimize : bool or str, default: True
        Has no effect; accepted as NumPy's einsum accepts it.

    Returns
    -------
    Expr
        The sums.

    Raises
    ------
    TypeError
        If the subscripts are neither a string nor lists of numbers behind the operands.
    ValueError
        If the subscripts do not name the axes of the operands.
    ShapeError
        If an index has several lengths.

    Examples
    --------
    >>> ad.evaluate(ad.einsum("i,j->ij", [1.0, 2.0], [3.0, 4.0]))
    array([[3., 4.],
           [6., 8.]])
    """
    if not isinstance(subscripts, str):
        subscripts, arrays = selections.in_letters(subscripts, *arrays)
    given = operands(arrays, "einsum")
    names, result = spelled_out(subscripts.replace(" ", ""), given)
    once = [without_repeats(x, letters) for x, letters in zip(given, names, strict=True)]
    if any(1 in x.type.shape for x in given):
        once = [without_ones(x, letters, once) for x, letters in once]
    found = []
    for k, (x, letters) in enumerate(once):
        elsewhere = result + "".join(n for j, (_, n) in enumerate(once) if j != k)
        gone = "".join(c for c in letters if c not in elsewhere)
        found.append(summed(x, letters, gone, np.result_type(*[y.dtype for y in given])))
    names = [letters for _, letters in found]
    if len(found) == 1:
        return transpose(found[0][0], tuple(names[0].index(c) for c in result))
    return contract(*[x for x, _ in found], subscripts=f"{','.join(names)}->{result}")


def spelled_out(subscripts: str, given: Sequence[Expr]) -> tuple[list[str], str]:
    """The letters of each operand and of the result, with letters for ... and, if none is
    written, a result of the letters that stand once, in the order of the alphabet."""
    names, result = read(subscripts)
    if len(names) != len(given):
        raise ValueError(f"{subscripts!r} has {len(names)} operands, {len(given)} were given")
    extra = [x.ndim - len(n.replace("...", "")) for x, n in zip(given, names, strict=True)]
    most = max((d for d, n in zip(extra, names, strict=True) if "..." in n), default=0)
    dots = "".join([c for c in ascii_letters if c not in subscripts][:most])
    for k, name in enumerate(names):
        if extra[k] < 0 or ("..." not in name and extra[k]):
            raise ValueError(
                f"{name!r} in {subscripts!r} does not name the {given[k].ndim} axes of {given[k]}"
            )
        names[k] = name.replace("...", dots[most - extra[k] :])
    letters = "".join(names)
    if "->" not in subscripts:
        once = sorted(c for c in set(letters) - set(dots) if letters.count(c) == 1)
        return names, dots + "".join(once)
    unknown = set(result.replace("...", "")) - set(letters)
    if unknown:
        raise ValueError(f"{subscripts!r} has {', '.join(sorted(unknown))} in its result alone")
    return names, result.replace("...", dots)


def without_repeats(x: Expr, letters: str) -> tuple[Expr, str]:
    """An operand that names an axis twice stands for its diagonal."""
    for c in letters:
        while letters.count(c) > 1:
            first = letters.index(c)
            second = letters.index(c, first + 1)
            m, n = x.type.shape[first], x.type.shape[second]
            if None not in (m, n) and m != n:
                raise ShapeError(f"the index {c} of {x}{at(x)} has length {m} and length {n}")
            if None in (m, n):  # then lengths are compared when the program runs
                k = count(common_length(x.shape[first], x.shape[second]))
                x = moveaxis(gather(moveaxis(x, (first, second), (0, 1)), k, k), 0, -1)
            else:
                x = diagonal(x, axis1=first, axis2=second)
            letters = letters[:first] + letters[first + 1 : second] + letters[second + 1 :] + c
    return x, letters


def without_ones(x: Expr, letters: str, all_of_them: Any) -> tuple[Expr, str]:
    """An operand of length 1 along an index that is longer elsewhere does not have that index."""
    longer = {c for y, others in all_of_them for c, n in zip(others, y.type.shape) if n != 1}
    gone = tuple(k for k, c in enumerate(letters) if x.type.shape[k] == 1 and c in longer)
    kept = "".join(c for k, c in enumerate(letters) if k not in gone)
    return (squeeze(x, axis=gone) if gone else x), kept


def summed(x: Expr, letters: str, gone: str, dtype: np.dtype) -> tuple[Expr, str]:
    """The operand summed, in the dtype of the result, over the letters that stand nowhere else."""
    if not gone:
        return x, letters
    kept = "".join(c for c in letters if c not in gone)
    axes = tuple(letters.index(c) for c in gone)
    return sum(x.astype(dtype), axis=axes).astype(dtype), kept
