"""Derivatives of Python functions: what `ad.grad(f)` and its like give."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from ..differentiate import differentiated_before
from ..differentiate.second import hessian_blocks
from ..expr import (
    Expr,
    Input,
    called,
    decisions_now,
    is_derived,
    postorder,
)
from ..ops import reshape
from ..rewrite import simplify
from .called_with import (
    CHANGES,
    check_differentiable,
    check_numbers,
    check_options,
    check_pair,
    chosen,
    leaves_like,
    told_of_lists,
)
from .pytree import LEAF, Static, mapped, tree_flatten, tree_unflatten
from .symbols import as_expression, expressions_of, is_array, name_of
from .traced import traced

APART = {  # what a function does not depend on has the derivative 0
    "pushforward": {"disconnected_outputs": "ignore"},
    "pullback": {"disconnected_inputs": "ignore"},
}


def derivative_of(
    f: Callable[..., Any], transform: Callable[..., Any], *args: Any, **options: Any
) -> Any:
    """What `transform` gives of a function: a function of its arguments, or a product there."""
    if transform.__name__ not in CHANGES:
        return of_arguments(f, transform, *args, **options)
    product = along_change(f, transform, **options)
    return product(*args) if args else product


def of_arguments(
    f: Callable[..., Any],
    transform: Callable[..., Any],
    argnums: Any = 0,
    has_aux: bool = False,
    **options: Any,
) -> Callable[..., Any]:
    """The function that computes `transform` of f with respect to the arguments `argnums`.

    With has_aux, f returns a pair, and the second of it is handed on: ((value, aux), gradient)
    or (gradient, aux).
    """
    word = transform.__name__.removesuffix("_blocks")
    twice = word == "hessian"
    differentiate = hessians if twice else partial(differentiated, transform)
    check_numbers(f, word, argnums)
    check_options(word, transform, options)
    how = ({"between": simplified} if twice else {"disconnected_inputs": "ignore"}) | options

    def build(*args: Any, **kwargs: Any) -> Any:
        leaves, structure = tree_flatten(chosen(f, word, args, argnums))
        check_differentiable(leaves, structure)
        with told_of_lists(args):
            found = called(f, *args, **kwargs)
        y, aux = pair(f, found) if has_aux else (found, None)
        note(y)
        derived: Callable[[Expr], Any] = partial(differentiate, wrt=leaves, **how)
        derived = derived if word == "jacobian" else of_one_entry(derived)
        made = mapped(lambda y: grow(structure, derived(as_expression(y))), y)
        if not has_aux:
            return made
        return ((made[0], aux), made[1]) if word == "value_and_grad" else (made, aux)

    made = traced(build, f, identity(transform, argnums, has_aux, options))
    made.__qualname__ = f"{word}({name_of(f)})"  # so that it is not printed as f itself
    return made


def identity(transform: Callable[..., Any], argnums: Any, has_aux: bool, options: Any) -> Any:
    """All that makes a difference between derivatives of one function; None where it cannot be
    compared."""
    numbers = tuple(argnums) if isinstance(argnums, list) else argnums
    key = (
        transform,
        type(argnums),
        numbers,
        has_aux,
        tuple((k, type(v), v) for k, v in sorted(options.items())),
    )
    try:
        hash(key)
    except TypeError:  # a list of expressions, as in consider_constant
        return None
    return key


def along_change(
    f: Callable[..., Any], transform: Callable[..., Any], **options: Any
) -> Callable[..., Any]:
    """The function of a point and a change there, a tangent, a cotangent or a vector, that computes
    the product `transform` of f. A tuple is a point of a function of several arguments."""
    word = transform.__name__
    choices = APART.get(word, {}) | options

    def build(*pair: Any) -> Any:
        point, change = check_pair(f, word, pair)
        leaves, structure = tree_flatten(point)
        check_differentiable(leaves, structure)
        several = isinstance(point, tuple) and not hasattr(point, "_fields")
        result = called(f, *(point if several else (point,)))
        note(result)
        ys, shape = expressions_of(result)
        changes = leaves_like(shape if word == "pullback" else structure, change, word)
        of_one = word == "hessian_vector_product" and shape == LEAF
        products = transform(ys[0] if of_one else ys, leaves, changes, **choices)
        return tree_unflatten(shape if word == "pushforward" else structure, products)

    function = traced(build, f)
    function.__qualname__ = f"{word}({name_of(f)})"
    return function


def differentiated(transform: Callable[..., Any], y: Expr, wrt: Sequence[Expr], **how: Any) -> Any:
    """The transform of y, which is simplified first if it holds derivatives."""
    again = any(map(is_derived, postorder([y])))
    return transform(*simplified([y]) if again else [y], wrt, **how)


def hessians(cost: Expr, wrt: Sequence[Expr], sparse: bool = False, **how: Any) -> list[list[Any]]:
    """The blocks of the Hessian, and a note of which of them may be computed by colours."""
    blocks = hessian_blocks(cost, wrt, sparse, **how)
    decisions = decisions_now.get()
    if decisions is not None and not sparse:
        decisions.hessians += [
            (row[k], cost, x, how["between"]) for k, (row, x) in enumerate(zip(blocks, wrt))
        ]
    return blocks


def of_one_entry(derived: Callable[[Expr], Any]) -> Callable[[Expr], Any]:
    """A derivative of numbers, for arrays of one entry, too; their value keeps its shape."""

    def of(y: Expr) -> Any:
        if not y.ndim or set(y.type.shape) != {1}:
            return derived(y)
        derivatives = derived(reshape(y, ()))
        return (y, *derivatives[1:]) if isinstance(derivatives, tuple) else derivatives

    return of


def simplified(derivatives: Sequence[Expr]) -> list[Expr]:
    """Shorter ones, to be differentiated again: the derivatives of e^x/(1 + e^x) are longer than
    those of the sigmoid, and stay so. One is left as it is where a shorter one would not tell any
    more what it is the derivative of: that of 3·x is 3, whose derivative in x is 0."""
    short = simplify(list(derivatives)).outputs
    return [s if connected(d) <= connected(s) else d for d, s in zip(derivatives, short)]


def connected(y: Expr) -> set[Expr]:
    """The inputs on which y, or what was differentiated on the way to it, depends."""
    nodes = postorder([y])
    return {n for n in differentiated_before(nodes).union(nodes) if isinstance(n, Input)}


def note(y: Any) -> None:
    """Keep what f returned beside its derivative, so that the path can be shown."""
    decisions = decisions_now.get()
    if decisions is not None:
        decisions.formula = expressions(y)


def expressions(y: Any) -> list[Expr]:
    return [e for e in tree_flatten(y)[0] if isinstance(e, Expr)]


def pair(f: Callable[..., Any], found: Any) -> tuple[Any, Any]:
    """What is differentiated, and what f returns beside it, in which all but numbers is static.

    Raises TypeError for anything but such a pair.
    """
    if not isinstance(found, tuple) or len(found) != 2 or tree_flatten(found[0])[0] != [found[0]]:
        raise TypeError(
            f"with has_aux=True, {name_of(f)} returns a pair, (loss, anything), in which the loss "
            f"is one expression, not {found!r}"
        )
    y, aux = found
    return y, mapped(lambda v: v if isinstance(v, Expr) or is_array(v) else Static(v), aux)


def grow(structure: Any, found: Any) -> Any:
    """The derivatives by leaf, in the structure of the arguments; (value, gradient) as a pair."""
    if isinstance(found, tuple):
        return found[0], tree_unflatten(structure, found[1])
    if found and isinstance(found[0], list):
        found = [tree_unflatten(structure, row) for row in found]
    return tree_unflatten(structure, found)
