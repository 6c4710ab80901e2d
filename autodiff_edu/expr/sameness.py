"""Which expressions are equal as trees, and which graphs but for the identity of their inputs."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..core.graph import as_graph, postorder
from ..core.node import Constant, Expr
from .methods import hook


@hook("same")
def same(some: Any, others: Any) -> bool:
    """Are the expressions equal as trees, whatever they share?

    Parameters
    ----------
    some : Expr, Graph or list of Expr
        One or several.
    others : Expr, graph or list of Expr
        As many.

    Returns
    -------
    bool
        Whether the same operations are applied to the same inputs. It takes time linear in
        the graphs' sizes.

    Examples
    --------
    >>> x = ad.scalar("x")
    >>> ad.same(x * x, x * x)
    True
    >>> x * x is x * x
    False
    """
    some, others = as_graph(some).outputs, as_graph(others).outputs
    number = numbered(some + others, {})
    return [number[n] for n in some] == [number[n] for n in others]


def signature(outputs: Sequence[Expr], inputs: Sequence[Expr]) -> tuple:
    """Equal for graphs that are equal but for the identity of their inputs."""
    table: dict[tuple, int] = {}
    place = {i: (k, i.type, getattr(i, "facts", ())) for k, i in enumerate(inputs)}
    number = numbered(outputs, table, place)
    return tuple(table), tuple(number[o] for o in outputs), tuple(place.values())


def numbered(
    roots: Iterable[Expr], table: dict[tuple, int], place: Mapping[Expr, Any] | None = None
) -> dict[Expr, int]:
    """A number for every node, the same for nodes that are equal as trees."""
    number: dict[Expr, int] = {}
    for n in postorder(roots):
        key: tuple
        if isinstance(n, Constant):
            key = ("constant", n.key)
        elif n.op is None:
            key = ("leaf", place[n] if place and n in place else id(n))
        else:
            key = (n.op, n.static, *[number[i] for i in n.inputs])
        number[n] = table.setdefault(key, len(table))
    return number
