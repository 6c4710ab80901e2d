"""Shapes: numbers that are only moved about.

Letters: x y expressions, a b axes, c a constant.
"""

from collections.abc import Iterator
from typing import Any

from ...core.pattern import Bindings, SomeHead
from ...core.rule import Rewrite
from ...expr import UNTYPED, Constant, Expr, Op
from ...library import concatenate
from ...ops import OPS, broadcast_to, cast, expand_dims, index, length, reshape, squeeze, transpose
from ..engine.coerce import length_without
from ..engine.match_context import MatchContext
from ..engine.rule_table import table
from ..engine.validate import wild

x, y = wild("x y")
a, b, k = wild("a b k")
c = wild("c", constant=True)


def node_of(op: Any, *inputs: Expr, **static: Any) -> Expr:
    """A pattern for an operation whose parameters are matched as they are stored."""
    return Expr(op, inputs, tuple(static.items()), UNTYPED)


# ---- conditions and right sides that algebra cannot write


def same_shape(node: Expr, x: Expr) -> bool:
    return x.type is node.type and node.type.known


def on_inner(node: Expr, x: Expr) -> Expr:
    """The outer operation applied to x: what came between made no difference."""
    return node.op.apply((x, *node.inputs[1:]), node.static)


def composed(node: Expr, a: tuple) -> Expr:
    return turn(node.inputs[0], a)


def of_leading(node: Expr, x: Expr, a: tuple) -> Expr | None:
    """New axes in front need not be made before spreading along them."""
    return on_inner(node, x) if a == tuple(range(len(a))) else None


def only_one(node: Expr, x: Expr) -> Expr | None:
    return x if len(node.inputs) == 1 else None


def minus_of_view(node: Expr, x: Expr) -> Expr:
    return -on_inner(node, x)


def number_of_view(node: Expr, c: Constant, x: Expr) -> Expr | None:
    return c * on_inner(node, x) if x.type is node.inputs[0].type else None


def of_number(x: Expr) -> bool:
    return not x.ndim


def in_order(a: tuple) -> bool:
    return a == tuple(range(len(a)))


def whole_key(node: Expr, x: Expr) -> bool:
    items = dict(node.static)["key"]
    slices = all(isinstance(item, tuple) and item[2] in (None, 1) for item in items)
    return slices and same_shape(node, x)


def length_elsewhere(node: Expr) -> Any:
    (x,), axis = node.inputs, dict(node.static)["axis"]
    return length_without(x, axis)


def number(c: Constant) -> bool:
    return not c.ndim


def back(x: Expr, node: Expr) -> Expr | None:
    """x, where casting it to a wider dtype and back changed nothing."""
    between = node.inputs[0].dtype
    same = x.dtype == node.dtype and x.dtype.kind == "f" == between.kind
    return x if same and between.itemsize >= x.dtype.itemsize else None


def holds_transposed(x: Expr) -> bool:
    """Is this a function of arrays as large as its result, half of which are transposed?"""
    if not getattr(x.op, "elementwise", False):
        return False
    turned = [i for i in x.inputs if i.op is transpose and i.ndim == x.ndim]
    whole = [i for i in x.inputs if i.ndim]
    return 0 < len(whole) <= 2 * len(turned) and all(i.ndim == x.ndim for i in whole)


def untransposed(node: Expr, x: Expr) -> Expr:
    """(f(xᵀ, y))ᵀ is f(x, yᵀ), where fewer axes are turned, or one function only is moved."""
    operands = tuple(turn(i, axes_of(node)) if i.ndim else i for i in x.inputs)
    moved: Expr = x.op.apply(operands, x.static)
    return moved


def axes_of(node: Expr) -> Any:
    return dict(node.static)["axes"]


def turn(x: Expr, axes: tuple) -> Expr:
    """x with its axes turned, in one step."""
    if x.op is transpose:
        x, axes = x.inputs[0], tuple(axes_of(x)[j] for j in axes)
    return x if in_order(axes) else transpose(x, axes)


expand_a, squeeze_a = node_of(expand_dims, x, axis=a), node_of(squeeze, x, axis=a)
VIEWS = (transpose, expand_dims, squeeze, reshape)

# fmt: off
RULES = table(
    "ieee",
    ("reshape twice",      node_of(reshape, node_of(reshape, x)),                      on_inner),
    ("reshape of expand",  node_of(reshape, node_of(expand_dims, x)),                  on_inner),
    ("reshape of squeeze", node_of(reshape, node_of(squeeze, x)),                      on_inner),
    ("transpose twice",    node_of(transpose, node_of(transpose, x, axes=b), axes=a),  composed),
    ("squeeze of expand",  node_of(squeeze, expand_a, axis=a),                         x),
    ("expand of squeeze",  node_of(expand_dims, squeeze_a, axis=a),                    x),
    ("spread twice",       node_of(broadcast_to, node_of(broadcast_to, x)),            on_inner),
    ("spread of leading axes", node_of(broadcast_to, node_of(expand_dims, x, axis=a)), of_leading),
    ("join of one",        node_of(concatenate, x),                                    only_one),
    ("cast back",          node_of(cast, node_of(cast, x)),                            back),
    any_dtype=True, decreases="order",
) + table(
    "ieee",
    ("reshape to same",    node_of(reshape, x),                                        x),
    ("spread to same",     node_of(broadcast_to, x),                                   x),
    when=same_shape, any_dtype=True, decreases="order",
) + table(
    "ieee",
    ("slice of all",       node_of(index, x),                                          x),
    when=whole_key, any_dtype=True, decreases="order",
) + table(
    "ieee",
    ("transpose of function of transposed", node_of(transpose, x),                 untransposed),
    when=holds_transposed, any_dtype=True,
) + table(
    "ieee",
    ("transpose in order", node_of(transpose, x, axes=a),                              x),
    when=in_order, any_dtype=True,
) + table(
    "ieee",
    ("length elsewhere",   node_of(length, x),                                 length_elsewhere),
    any_dtype=True, decreases="order",
) + table(
    "ieee",
    *[(f"minus out of {op.name}", node_of(op, -x),                             minus_of_view)
      for op in VIEWS],
    decreases="order",
) + table(
    "ieee",
    *[(f"number out of {op.name}", node_of(op, c * x),                         number_of_view)
      for op in VIEWS],
    when=number, decreases="order",
) + table(
    "ieee",
    ("new axes of spread number", node_of(expand_dims, node_of(broadcast_to, x)),      x),
    when=of_number, any_dtype=True, decreases="order",
)
# fmt: on


class Bare(Rewrite):
    """An elementwise operation on operands as they were before a view put them into a shape that
    broadcasting gives them anyway."""

    mode = "ieee"
    view: Op

    @property
    def replaces(self) -> tuple:
        return tuple(op for op in OPS.values() if op.elementwise)

    def forms(self, op: Op) -> list[tuple]:
        return [(SomeHead((self.view,)),)]

    def matches(self, n: Expr, context: MatchContext) -> Iterator[Bindings]:
        for operands in self.ways(n) if n.op.elementwise else ():
            if any(i is not j for i, j in zip(operands, n.inputs, strict=True)):
                yield {"operands": operands}

    def ways(self, n: Expr) -> Iterator[tuple[Expr, ...]]:
        """The operands in the order in which they are tried."""
        raise NotImplementedError

    def build(self, bindings: Bindings, n: Expr) -> Expr:
        result: Expr = n.op.apply(bindings["operands"], n.static)
        return result


class Outward(Bare):
    """f(x spread, y) → f(x, y), spread again where y does not spread it anyway: what is the same
    everywhere is computed once."""

    name, view, functions = "spread outward", broadcast_to, frozenset((broadcast_to,))

    def __repr__(self) -> str:
        return f"{self.name}: f(broadcast_to(x), y) → f(x, y)  [{self.mode}]"

    def ways(self, n: Expr) -> Iterator[tuple[Expr, ...]]:
        """All without their spreading; then with that of one, which others need too."""
        bare = tuple([i.inputs[0] if i.op is broadcast_to else i for i in n.inputs])
        yield bare
        yield from ((*bare[:k], i, *bare[k + 1 :]) for k, i in enumerate(n.inputs))


class InFront(Bare):
    """f(x squeezed in front, y) → f(x, y), where y has as many axes: spreading puts them back."""

    name, view, functions = "squeezed in front", squeeze, frozenset((squeeze,))

    def __repr__(self) -> str:
        return f"{self.name}: f(squeeze(x), y) → f(x, y)  [{self.mode}]"

    def ways(self, n: Expr) -> Iterator[tuple[Expr, ...]]:
        yield tuple([i.inputs[0] if self.is_put_back(i, n) else i for i in n.inputs])

    def is_put_back(self, i: Expr, n: Expr) -> bool:
        """Does broadcasting put back the axes that were taken from i?"""
        return i.op is squeeze and i.inputs[0].ndim <= n.ndim and in_order(dict(i.static)["axis"])


RULES += [Outward(), InFront()]
