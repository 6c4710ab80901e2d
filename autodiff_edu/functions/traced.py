"""Python functions: called once with symbols in place of arrays, they become graphs.

Arrays and floats are symbols of their exact type; whole numbers, truth values and strings stay
what they are, and so the function may loop and branch over them. The program made from the graph
is kept for further calls with arguments of the same types.
"""

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..expr import (
    HOOKS,
    Expr,
    Input,
    Origin,
    TensorType,
    as_graph,
    called,
    constant,
    made_by,
    put_in,
    signature,
    watched,
)
from .captured import Kept, Look, Unsure
from .pytree import Static, classes, mapped, paths, tree_flatten, tree_unflatten

KEPT = 64  # programs of a function


def derivative_of(
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
    check_numbers(f, word, argnums)

    def build(*args: Any, **kwargs: Any) -> Any:
        leaves, structure = tree_flatten(chosen(f, word, args, argnums))
        for x in leaves:
            check_differentiable(x)
        take = functools.partial(transform, **options)
        found = called(f, *args, **kwargs)
        y, aux = pair(f, found) if has_aux else (found, None)
        made = mapped(lambda y: grow(structure, take(as_expression(y), leaves)), y)
        if not has_aux:
            return made
        return ((made[0], aux), made[1]) if word == "value_and_grad" else (made, aux)

    return traced(build, f)


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


def check_differentiable(x: Any) -> None:
    if not isinstance(x, Expr):
        hint = f": write {x}.0" if type(x) is int else ""
        raise TypeError(f"derivatives are taken with respect to arrays and floats, not {x!r}{hint}")


def grow(structure: Any, found: Any) -> Any:
    """The derivatives by leaf, in the structure of the arguments; (value, gradient) as a pair."""
    if isinstance(found, tuple):
        return found[0], tree_unflatten(structure, found[1])
    if found and isinstance(found[0], list):
        found = [tree_unflatten(structure, row) for row in found]
    return tree_unflatten(structure, found)


def check_numbers(f: Callable[..., Any], word: str, argnums: Any) -> None:
    """Raises TypeError for what does not number arguments, such as a value."""
    for k in argnums if isinstance(argnums, (list, tuple)) else [argnums]:
        if not isinstance(k, (int, np.integer)) or isinstance(k, bool):
            name = name_of(f)
            raise TypeError(
                f"ad.{word}({name}, argnums=0) makes a function, and argnums are the places of "
                f"arguments, not {k!r}: call that function with the values of {name}, as in "
                f"ad.{word}({name})({'x' if np.ndim(k) else repr(k)})"
            )


def name_of(f: Callable[..., Any]) -> str:
    name = getattr(f, "__name__", "f")
    return name if name.isidentifier() else "f"  # not <lambda>


def chosen(f: Callable[..., Any], word: str, args: tuple, argnums: int | Sequence[int]) -> Any:
    """The arguments with these numbers."""
    for k in np.atleast_1d(argnums).tolist():
        if not -len(args) <= k < len(args):
            name = name_of(f)
            given = f"{len(args)} were given by place" if args else "none was given by place"
            raise TypeError(
                f"argnums={argnums!r} names an argument of {name} by its place, and {given}: call "
                f"the derivative with the values of {name}, as in ad.{word}({name})(3.0), and pass "
                "it without its name"
            )
    found = tuple(args[k] for k in np.atleast_1d(argnums).tolist())
    return found[0] if np.ndim(argnums) == 0 else found


def as_expression(y: Any) -> Expr:
    """One result of a Python function. Raises TypeError for what is no number."""
    if y is None or isinstance(y, str):
        raise TypeError(f"a Python function returns numbers, arrays and expressions, not {y!r}")
    return y if isinstance(y, Expr) else constant(y)


# ---- tracing


def traced(build: Callable[..., Any], f: Callable[..., Any]) -> Callable[..., Any]:
    """`build`, a function of expressions, as a function of arrays. f is what the user wrote.

    f is called once for each combination of types, and again when anything has changed that it
    reads; where that cannot be told, as with random draws, it is called every time. Graphs that
    are equal share a program.
    """
    known, programs = Kept(), Kept()

    @functools.wraps(f)
    def call(*args: Any, **kwargs: Any) -> Any:
        leaves, structure = tree_flatten((args, kwargs))
        if any(isinstance(leaf, Expr) for leaf in leaves):
            return symbolic(build, f, leaves, structure)
        key, now = (structure, tuple(map(kind, leaves))), look(f, leaves, structure)
        found = known.get(key)
        if now is None or found is None or found[0] != now:
            now = now and shared_look(now, known)
            with watched() as reads:
                inputs, outputs, shape = trace(build, f, leaves, structure)
            changed = bool(reads) or look(f, leaves, structure) != now  # f changes what it reads
            found = (None if changed else now, compiled(inputs, outputs, programs), shape)
            remember(known, key, found)
        _, run, shape = found
        return tree_unflatten(shape, run(*[v for v in leaves if is_array(v)]))

    return call


def kind(leaf: Any) -> Any:
    """The type of an array; of anything else its class, and its value if it is a plain one."""
    if is_array(leaf):
        array = np.asarray(leaf)
        return array.dtype, array.shape
    return type(leaf), repr(leaf) if isinstance(leaf, (int, str, np.generic)) else None


def look(f: Callable[..., Any], leaves: Sequence[Any], structure: Any) -> Look | None:
    """What the graph depends on besides types, or None where that cannot be told: f may call the
    methods of containers."""
    try:
        rest = [leaf for leaf in leaves if not is_array(leaf)]
        return Look((f, *rest, *classes(structure)))
    except Unsure:
        return None


def shared_look(now: Look, known: Kept) -> Look:
    """An equal look that is remembered already, so that arrays are kept once; else this one."""
    kept = next((found[0] for found in list(known.values()) if found[0] == now), None)
    return kept or now.keep()


def remember(table: Kept, key: Any, value: Any) -> None:
    """Put it in the table, as the latest of those that are kept; threads may do so at once."""
    table.pop(key, None)
    table[key] = value
    for old in list(table)[:-KEPT]:
        table.pop(old, None)


def is_array(leaf: Any) -> bool:
    if isinstance(leaf, np.ma.MaskedArray):
        raise TypeError("a masked array would lose its mask: pass data and mask, and write "
                        "ad.where(mask, 0, data)")  # fmt: skip
    if isinstance(leaf, np.ndarray):
        return leaf.dtype.kind in "biufc"
    return isinstance(leaf, (np.floating, np.complexfloating, float))


def symbols(f: Callable[..., Any], leaves: Sequence[Any], structure: Any) -> list[Any]:
    """An input for every array and every expression, named as the argument; the rest as it is."""
    return [symbol(leaf, name) for leaf, name in zip(leaves, names(f, structure), strict=True)]


def symbol(leaf: Any, name: str) -> Any:
    if isinstance(leaf, Expr):
        return made_by(Origin("argument", name, leaf), Input, name, leaf.type)
    if is_array(leaf):
        return Input(name, TensorType(np.asarray(leaf).dtype, np.shape(leaf)))
    return leaf


def names(f: Callable[..., Any], structure: Any) -> list[str]:
    """The parameters' names, for the leaves of (args, kwargs)."""
    try:
        declared = list(inspect.signature(f).parameters)
    except (TypeError, ValueError):
        declared = []
    _, _, args, kwargs = structure
    declared += [f"x{k}" for k in range(len(declared), len(args[1]))]
    found = [n for name, part in zip(declared, args[2:]) for n in paths(part, name)]
    return found + list(paths(kwargs))


def trace(build: Any, f: Any, leaves: list, structure: Any) -> tuple[list[Input], list, Any]:
    """Symbols for the arguments, the results in them, and the structure of these."""
    inputs = symbols(f, leaves, structure)
    args, kwargs = tree_unflatten(structure, inputs)
    outputs, shape = tree_flatten(build(*args, **kwargs))
    return [i for i in inputs if isinstance(i, Input)], list(map(as_expression, outputs)), shape


def compiled(inputs: list[Input], outputs: list[Expr], programs: Kept) -> Any:
    """The program for a graph; equal graphs share one, the latest few are kept."""
    graph = as_graph(outputs)
    if not set(graph.inputs) <= set(inputs):  # f closes over an expression
        return lambda *values: with_arguments(outputs, dict(zip(inputs, values, strict=True)))
    key = signature(outputs, inputs)
    run = programs.get(key) or HOOKS["function"](inputs, outputs, on_unused_input="ignore")
    remember(programs, key, run)
    return run


def symbolic(build: Any, f: Any, leaves: list, structure: Any) -> Any:
    """The result for arguments that are expressions: expressions."""
    inputs, outputs, shape = trace(build, f, leaves, structure)
    values = [v for v in leaves if isinstance(v, Expr) or is_array(v)]
    return tree_unflatten(shape, with_arguments(outputs, dict(zip(inputs, values, strict=True))))


def with_arguments(outputs: Sequence[Expr], given: dict[Input, Any]) -> list[Expr]:
    return put_in(outputs, {i: as_expression(v) for i, v in given.items()})


def example(f: Callable[..., Any], values: tuple) -> tuple[Any, list[Input]]:
    """Symbols in place of the arrays in an example of f's arguments; and in a list, the symbols."""
    leaves, structure = tree_flatten((values, {}))
    found = symbols(f, leaves, structure)
    return tree_unflatten(structure, found)[0], [i for i in found if isinstance(i, Input)]
