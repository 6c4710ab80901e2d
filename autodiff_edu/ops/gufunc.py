"""Operations on the last axes of arrays, mapped over the axes before them.

What they take and give is written as NumPy writes it: "(m,n),(n,p)->(m,p)" is a matrix product for
each matrix of two stacks. An elementwise operation is the case "(),()->()".
"""

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from ..core.derivative_rules import Declared
from ..expr import MatrixError, Op, Shape, ShapeError, TensorType, broadcast_shapes, give, spell

LETTER = re.compile(r"[A-Za-z]")
AXES = r"\(([A-Za-z](,[A-Za-z])*)?\)"
SIGNATURE = re.compile(f"{AXES}(,{AXES})*->{AXES}(,{AXES})*")


class Core(NamedTuple):
    """The letters of the last axes of each operand and of each result."""

    operands: tuple[str, ...]
    results: tuple[str, ...]

    def __call__(self, *types: TensorType) -> Shape | list[Shape]:
        """The result's shape, or a list of shapes where there are several results."""
        if len(types) != len(self.operands):
            raise ShapeError(f"its core= speaks of {len(self.operands)} operands, and there are "
                             f"{len(types)}")  # fmt: skip
        lengths: dict[str, int | None] = {}
        for letters, t in zip(self.operands, types, strict=True):
            self.match(letters, t, lengths)
        loops = [t.shape[: t.ndim - len(k)] for k, t in zip(self.operands, types, strict=True)]
        stack = broadcast_shapes(*loops)
        found = [stack + tuple(lengths[c] for c in letters) for letters in self.results]
        return found[0] if len(found) == 1 else found

    def match(self, letters: str, t: TensorType, lengths: dict[str, int | None]) -> None:
        if t.ndim < len(letters):
            raise MatrixError(f"{len(letters)} axes or more are needed, and {spell(t.shape)} has "
                             f"{t.ndim}")  # fmt: skip
        for letter, n in zip(letters, t.shape[t.ndim - len(letters) :], strict=True):
            told = lengths.setdefault(letter, n)
            if told is None or n is None:
                lengths[letter] = n if told is None else told
            elif told != n:
                both = f"{spell(t.shape)} has {n} where {told} is needed"
                if letters.count(letter) > 1:
                    raise MatrixError(f"{both}: not square")
                raise ShapeError(both)


def core(signature: str) -> Core:
    """Read a signature: core("(n,n),(n,k)->(n,k)"). Raises ValueError for what is none."""
    before, _, after = signature.partition("->")
    if not SIGNATURE.fullmatch(signature) or set(LETTER.findall(after)) - set(before):
        raise ValueError(
            f'core={signature!r} is no signature: write it as "(m,n),(n)->(m)", with '
            "a letter for each axis, and in the result letters of operands alone"
        )
    sides = [side[1:-1].split("),(") for side in signature.split("->")]
    taken, given = [tuple(part.replace(",", "") for part in side) for side in sides]
    return Core(taken, given)


def declared_cores(op: Any, ndims: Sequence[int]) -> Sequence[int] | None:
    """How many last axes of each operand, and of the result, do not broadcast."""
    if op.core:
        return [len(letters) for letters in (*op.core.operands, op.core.results[0])]
    if "cores" in op.stated:
        stated: Sequence[int] = op.stated["cores"](*ndims)
        return stated
    return Op.cores(op, ndims)


give(Op, core=None)
give(Declared, cores=declared_cores)
