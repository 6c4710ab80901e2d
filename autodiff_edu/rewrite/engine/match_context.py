"""What a rule may ask of the rewriter when it matches, beside the node itself."""

from typing import Protocol

from ...core.node import Expr
from ...core.uses import Uses


class MatchContext(Protocol):
    """The graph around a node, as a rule sees it.

    mode     the mode in which the rule is used
    uses     who uses what: `uses.once(n)`, and `uses.user_op(n)`, the operation of its only user
    roots    the results; `final` says what a node has become
    against  a word for what was against the bindings that the rule gave last
    """

    mode: str
    against: str
    uses: Uses
    roots: list[Expr]
    final: dict[Expr, Expr]

    def hash_cons(self, new: Expr) -> tuple[Expr, list[Expr]]:
        """An expression made of what the graph has, and the operations that it does not have."""

    def has(self, new: Expr) -> bool:
        """Has the graph this expression? If not, the node at hand is visited again once it has."""
