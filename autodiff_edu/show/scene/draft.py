"""A document before it is written: its parts, and all that their places depend on.

Groups, open boxes and the layout are passes. Each takes a draft and returns another one. Letters:
p a part, g a group, a an operand.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from .folded import Spot

Row = dict[str, Any]
Edge = tuple[str, str]
Line = list[list[float]]  # of each bend its column, its row, and whether it is narrow


class Draft(NamedTuple):
    """What is known of the parts.

    rows      what the document says of each part; "in" is the group around it
    operands  the values that each value needs
    orders    the members of each group that are values, in order; "" is the whole
    spots     where the other members stand, by group
    mark      the sign of a derivative; None where there is none
    flows_up  whether derivatives do
    twin      for each group, that of the derivatives of its values
    leaves    the group of many inputs, if there is one
    is_flat   whether nothing is in a group: then all is in the order of the formula
    bends     where edges bend, by their ends
    """

    rows: Mapping[str, Row]
    operands: Mapping[str, Sequence[str]]
    orders: Mapping[str, Sequence[str]]
    spots: Mapping[str, Mapping[str, Spot]]
    mark: str | None
    flows_up: bool
    twin: Mapping[str, str] = {}
    leaves: str = ""
    is_flat: bool = True
    bends: Mapping[str, Line] = {}

    def side(self, p: str) -> int:
        """0 at the left, among the values, and 1 at the right."""
        return int(self.mark is not None and self.rows[p]["kind"] != "value")

    def chain(self, p: str) -> Iterator[str]:
        """A part, the group around it, and so on."""
        yield p
        while around := self.rows[p].get("in"):
            yield around
            p = around

    def lifted(self, a: str, p: str) -> Edge | None:
        """The ends of an edge where both are in one group; none within a box."""
        first = {self.rows[q].get("in", ""): q for q in self.chain(a)}
        for q in self.chain(p):
            if (other := first.get(self.rows[q].get("in", ""))) is not None:
                return (other, q) if other != q else None
        return None

    def within(self, p: str, g: str) -> str | None:
        """The member of a group in which a value stands."""
        return next((q for q in self.chain(p) if self.rows[q].get("in", "") == g), None)
