"""Bodies: graphs that are the inside of an operation. What they need from outside, and how
operands are put in the places of their inputs.
"""

from collections.abc import Iterable, Sequence

from ..expr import (
    Constant,
    Expr,
    Graph,
    Input,
    Shared,
    dependents,
    postorder,
    rebuild,
    substitute,
)


def placed(body: Graph, operands: Sequence[Expr]) -> list[Expr]:
    """The outputs of a body with operands in the places of its inputs, whose types may tell more.

    Only the body is walked: substitution would walk all that the operands need, too.
    """
    made: dict[Expr, Expr] = dict(zip(body.inputs, operands, strict=True))
    for n in body.nodes:
        if n not in made:
            made[n] = again(n, tuple([made[i] for i in n.inputs]))
    return [made[y] for y in body.outputs]


def again(n: Expr, inputs: tuple[Expr, ...]) -> Expr:
    """The operation of a node applied to other inputs; types are told anew where these differ."""
    if all(new.type is old.type for new, old in zip(inputs, n.inputs, strict=True)):
        return rebuild(n, inputs)
    new = n.op.apply(inputs, n.static)
    new.origin, new.name = n.origin, n.name
    return new


def captured(roots: Iterable[Expr], symbols: Iterable[Expr]) -> list[Expr]:
    """What an expression in these symbols takes from outside: the nodes nearest to its roots that
    do not depend on any symbol, constants aside."""
    roots = list(roots)
    order = postorder(roots)
    within = dependents(order, symbols)
    used = [i for n in order if n in within for i in n.inputs]
    outer = [n for n in (*used, *roots) if n not in within and not isinstance(n, Constant)]
    return list(dict.fromkeys(outer))


def free(roots: Iterable[Expr], symbols: Iterable[Expr]) -> list[Expr]:
    """The inputs and shared values that expressions need besides these symbols."""
    known = set(symbols)
    return [n for n in postorder(roots) if isinstance(n, (Input, Shared)) and n not in known]


def symbol_for(x: Expr, name: str = "") -> Input:
    """An input of a body that stands for x."""
    return Input(name or x.name or "x", x.type)


def closed(roots: Sequence[Expr], found: Sequence[Expr]) -> tuple[list[Expr], list[Input]]:
    """The roots with a symbol in the place of each captured node, and these symbols."""
    inner = [symbol_for(x) for x in found]
    became: dict[Expr, Expr] = dict(zip(found, inner, strict=True))
    return substitute(roots, became), inner
