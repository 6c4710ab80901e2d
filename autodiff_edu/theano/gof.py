"""`Apply`: what an old Op's make_node returns."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from ..expr import Expr


class Apply(NamedTuple):
    """An Op, its inputs, and variables of its outputs' types."""

    op: Any
    inputs: Sequence[Expr]
    outputs: Sequence[Expr]
