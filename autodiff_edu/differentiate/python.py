"""Python functions: called once with symbols in place of arrays, they become graphs.

Arrays and floats are symbols of their exact type; whole numbers, truth values and strings stay
what they are, and so the function may loop and branch over them. The program made from the graph
is kept for further calls with arguments of the same types.
"""

import functools
import inspect
from collections.abc import Callable, Sequence
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from ..expr import Expr, Input, TensorType, as_graph, constant, substitute, upstairs
from .tree import flatten, mapped, paths, unflatten

SMALL = 2**16  # bytes of an array that are compared one by one


def of_functions(transform: Callable[..., Any]) -> Callable[..., Any]:
    """Let a derivative of expressions, transform(y, [x, ...]), take a Python function too."""

    @functools.wraps(transform)
    def either(what: Any, *args: Any, **options: Any) -> Any:
        if not callable(what):
            return transform(what, *args, **options)
        return derivative_of(what, transform, *args, **options)

    return either


def derivative_of(
    f: Callable[..., Any], transform: Callable[..., Any], argnums: Any = 0, **options: Any
) -> Callable[..., Any]:
    """The function that computes `transform` of f with respect to the arguments `argnums`."""

    def build(*args: Any, **kwargs: Any) -> Any:
        leaves, structure = flatten(chosen(args, argnums))
        for x in leaves:
            check_differentiable(x)
        take = functools.partial(transform, **options)
        return mapped(lambda y: grow(structure, take(as_expression(y), leaves)), f(*args, **kwargs))

    return traced(build, f)


def check_differentiable(x: Any) -> None:
    if not isinstance(x, Expr):
        hint = f": write {x}.0" if type(x) is int else ""
        raise TypeError(f"derivatives are taken with respect to arrays and floats, not {x!r}{hint}")


def grow(structure: Any, found: Any) -> Any:
    """The derivatives by leaf, in the structure of the arguments; (value, gradient) as a pair."""
    if isinstance(found, tuple):
        return found[0], unflatten(structure, found[1])
    if found and isinstance(found[0], list):
        found = [unflatten(structure, row) for row in found]
    return unflatten(structure, found)


def chosen(args: tuple, argnums: int | Sequence[int]) -> Any:
    return args[argnums] if isinstance(argnums, int) else tuple(args[k] for k in argnums)


def as_expression(y: Any) -> Expr:
    return y if isinstance(y, Expr) else constant(y)


# ---- tracing


def traced(build: Callable[..., Any], f: Callable[..., Any]) -> Callable[..., Any]:
    """`build`, a function of expressions, as a function of arrays. f is what the user wrote: the
    values that it closes over are remembered with its program, which is made anew when they change.
    """
    programs: dict[Any, Any] = {}

    @functools.wraps(f)
    def call(*args: Any, **kwargs: Any) -> Any:
        leaves, structure = flatten((args, kwargs))
        if any(isinstance(leaf, Expr) for leaf in leaves):
            return symbolic(build, f, leaves, structure)
        key = (structure, tuple(map(kind, leaves)))
        if key not in programs or programs[key][0] != fingerprint(f):
            made = program(build, f, leaves, structure)
            programs[key] = (fingerprint(f), *made)
        _, run, shape = programs[key]
        return unflatten(shape, run(*[v for v in leaves if is_array(v)]))

    return call


def kind(leaf: Any) -> Any:
    """What the graph depends on: an array's type, or the value of anything else."""
    if is_array(leaf):
        array = np.asarray(leaf)
        return array.dtype, array.shape
    return type(leaf), leaf if isinstance(leaf, (int, str, type(None))) else id(leaf)


def is_array(leaf: Any) -> bool:
    return isinstance(leaf, (np.ndarray, np.generic, float))


def symbols(f: Callable[..., Any], leaves: Sequence[Any], structure: Any) -> list[Any]:
    """An input for every array and every expression, named as the argument; the rest as it is."""
    return [symbol(leaf, name) for leaf, name in zip(leaves, names(f, structure), strict=True)]


def symbol(leaf: Any, name: str) -> Any:
    if isinstance(leaf, Expr):
        return Input(name, leaf.type)
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
    declared += [f"x{k}" for k in range(len(declared), args[1])]
    found = [n for name, part in zip(declared, args[2:]) for n in paths(part, name)]
    return found + list(paths(kwargs))


def program(build: Any, f: Any, leaves: list, structure: Any) -> tuple[Any, Any]:
    """The program for arguments of these types, and the structure of its results."""
    inputs = symbols(f, leaves, structure)
    args, kwargs = unflatten(structure, inputs)
    outputs, shape = flatten(build(*args, **kwargs))
    wanted = [i for i in inputs if isinstance(i, Input)]
    graph = as_graph([as_expression(y) for y in outputs])
    known = set(wanted)
    if any(i not in known for i in graph.inputs):  # f closes over an expression
        return lambda *values: put_in(graph.outputs, dict(zip(wanted, values))), shape
    return upstairs["function"](wanted, list(graph.outputs), on_unused_input="ignore"), shape


def symbolic(build: Any, f: Any, leaves: list, structure: Any) -> Any:
    """The result for arguments that are expressions: expressions."""
    inputs = symbols(f, leaves, structure)
    args, kwargs = unflatten(structure, inputs)
    outputs, shape = flatten(build(*args, **kwargs))
    given = {i: v for i, v in zip(inputs, leaves, strict=True) if isinstance(i, Input)}
    return unflatten(shape, put_in([as_expression(y) for y in outputs], given))


def put_in(outputs: Sequence[Expr], given: dict[Input, Any]) -> list[Expr]:
    return substitute(outputs, {i: as_expression(v) for i, v in given.items()})


def symbols_for(f: Callable[..., Any], example: tuple) -> list[Any]:
    """Symbols in place of the arrays in an example of f's arguments."""
    leaves, structure = flatten((example, {}))
    return list(unflatten(structure, symbols(f, leaves, structure))[0])


# ---- what a function closes over


def fingerprint(value: Any, depth: int = 3) -> Any:
    """Equal as long as nothing has changed that a function reads: arrays by their content."""
    if isinstance(value, np.ndarray):
        return value.shape, value.dtype, content(value)
    if isinstance(value, (int, float, str, bytes, bool, type(None))):
        return value
    if depth and isinstance(value, FunctionType):
        return id(value.__code__), *[fingerprint(v, depth - 1) for v in read_by(value)]
    if depth and isinstance(value, (list, tuple)):
        return tuple(fingerprint(v, depth - 1) for v in value)
    if depth and isinstance(value, dict):
        return tuple((id(k), fingerprint(v, depth - 1)) for k, v in value.items())
    if depth and hasattr(value, "__dict__") and not isinstance(value, (ModuleType, type)):
        return id(value), fingerprint(vars(value), depth - 1)
    return id(value)


def content(array: np.ndarray) -> Any:
    """The entries of a small array; of a large one the sum of all its words and a sample."""
    if array.nbytes <= SMALL or array.dtype.kind not in "biuf":
        return array.tobytes()
    words = array.ravel().view(f"u{array.itemsize}")
    return int(words.sum(dtype="u8")), words[:: words.size // 4096 + 1].tobytes()


def read_by(f: FunctionType) -> list[Any]:
    """The values of the variables that a function takes from outside."""
    cells = [c.cell_contents for c in f.__closure__ or ()]
    return [*cells, *[f.__globals__[n] for n in f.__code__.co_names if n in f.__globals__]]
