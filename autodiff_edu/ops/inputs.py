"""The leaves that a user writes: inputs of a stated type, and states."""

from collections.abc import Iterable
from typing import Any

from ..core.node import Expr, Input
from ..core.types import TensorType
from ..expr import Shared, as_dtype, constant, located, nearest, normalize_shape, shown

dtype_of = located(as_dtype)
FACTS = ("positive", "nonnegative", "nonzero", "integer", "finite")


@located
def tensor(name: str, dtype: object = "float64", shape: Iterable[Any] = (), **facts: bool) -> Input:
    """An input array, with None for a length that is not known yet.

    Parameters
    ----------
    name : str
        How it is called in formulas, pictures and errors.
    dtype : dtype, default: 'float64'
        Of its value.
    shape : int or tuple, default: ()
        Its lengths, None where one is not known yet.
    **facts : bool
        Promises that simplification may use: positive, nonnegative, nonzero, integer,
        finite.

    Returns
    -------
    Input
        A leaf of the graph.

    Raises
    ------
    TypeError
        If the name is not a string, or a fact is none of these.

    Notes
    -----
    Nobody checks a promise when a function is called: with a p declared positive, p/p
    becomes 1, and at p = 0 or nan the answer is 1 too, without a word. Promise only what
    every value will keep; `stage.assumptions` lists the promises that a result rests on.

    Examples
    --------
    >>> p = ad.tensor("p", positive=True)
    >>> ad.simplify(p / p).output
    1
    """
    if not isinstance(name, str):
        raise TypeError(
            f"the name of an input is a string, not {shown(name)}: write {by_name(name)}"
        )
    for fact in facts:
        if fact not in FACTS:
            near = nearest(fact, (*FACTS, "dtype", "shape"))
            hint = f"write {near}=" if near else f"say {', '.join(FACTS)}"
            raise TypeError(f"{fact} is not a fact about numbers: {hint}")
    plain = type(shape) is tuple and {*map(type, shape)} <= {int, type(None)}
    known = TensorType(dtype, shape if plain else normalize_shape(shape))
    return Input(name, known, frozenset(f for f, true in facts.items() if true))


def by_name(value: Any) -> str:
    """What to write where a value or a length stands in the place of a name."""
    if isinstance(value, Expr):
        return f"{value} itself"
    if isinstance(value, int):
        return f"ad.vector('x', shape={value})"
    return f"ad.constant({shown(value)}), or ad.shared({shown(value)}), for a value"


def scalar(name: str, dtype: object = "float64", **facts: bool) -> Input:
    """An input that is one number.

    Parameters
    ----------
    name : str
        How it is called in formulas, pictures and errors.
    dtype : dtype, default: 'float64'
        Of its value.
    **facts : bool
        Promises that nobody checks: see `tensor`.

    Returns
    -------
    Input
        A leaf of the graph.

    See Also
    --------
    tensor : An input of any shape.

    Examples
    --------
    >>> x = ad.scalar("x")
    >>> ad.evaluate(x * x, {x: 3.0})
    np.float64(9.0)
    """
    return tensor(name, dtype, (), **facts)


def vector(name: str, dtype: object = "float64", shape: Any = None, **facts: bool) -> Input:
    """An input with one axis.

    Parameters
    ----------
    name : str
        How it is called in formulas, pictures and errors.
    dtype : dtype, default: 'float64'
        Of its value.
    shape : int or tuple, optional
        Its length, or None where it is not known yet.
    **facts : bool
        Promises that nobody checks: see `tensor`.

    Returns
    -------
    Input
        A leaf of the graph.

    See Also
    --------
    tensor : An input of any shape.

    Examples
    --------
    >>> ad.vector("x", shape=3).type
    float64(3,)
    """
    return tensor(name, dtype_of(dtype), with_axes(1, shape), **facts)


def matrix(name: str, dtype: object = "float64", shape: Any = None, **facts: bool) -> Input:
    """An input with two axes.

    Parameters
    ----------
    name : str
        How it is called in formulas, pictures and errors.
    dtype : dtype, default: 'float64'
        Of its value.
    shape : tuple, optional
        Its lengths, None where one is not known yet.
    **facts : bool
        Promises that nobody checks: see `tensor`.

    Returns
    -------
    Input
        A leaf of the graph.

    See Also
    --------
    tensor : An input of any shape.

    Examples
    --------
    >>> ad.matrix("A", shape=(None, 3)).type
    float64(?, 3)
    """
    return tensor(name, dtype_of(dtype), with_axes(2, shape), **facts)


def tensor3(name: str, dtype: object = "float64", shape: Any = None, **facts: bool) -> Input:
    """An input with three axes.

    Parameters
    ----------
    name : str
        How it is called in formulas, pictures and errors.
    dtype : dtype, default: 'float64'
        Of its value.
    shape : tuple, optional
        Its lengths, None where one is not known yet.
    **facts : bool
        Promises that nobody checks: see `tensor`.

    Returns
    -------
    Input
        A leaf of the graph.

    See Also
    --------
    tensor : An input of any shape.

    Examples
    --------
    >>> ad.tensor3("x", shape=(2, 3, 4)).type
    float64(2, 3, 4)
    """
    return tensor(name, dtype_of(dtype), with_axes(3, shape), **facts)


def shared(value: Any, name: str | None = None, shape: Any = None, dtype: object = None) -> Shared:
    """A leaf with a value of its own, which functions read and their `updates` change.

    Its type is that of the value.

    Parameters
    ----------
    value : array_like
        The first value.
    name : str, optional
        How it is called in formulas, pictures and errors.
    shape : tuple, optional
        Such as (None, 3), if later values may have other lengths; by default that of the
        value.
    dtype : dtype, optional
        By default that of the value.

    Returns
    -------
    Shared
        A leaf that holds its value.

    Raises
    ------
    DTypeError
        If the value is not an array of real numbers.
    ShapeError
        If the value has another shape than is stated.

    Examples
    --------
    >>> w = ad.shared(1.0, "w")
    >>> step = ad.function([], w, updates=[(w, 2 * w)])
    >>> step(), step(), w.get_value()
    (np.float64(1.0), np.float64(2.0), np.float64(4.0))
    """
    first = constant(value, dtype)
    lengths = first.type.shape if shape is None else with_axes(first.ndim, shape)
    return Shared(first.value, name, TensorType(first.dtype, lengths))


@located
def with_axes(ndim: int, shape: Any) -> tuple:
    """A shape of so many lengths; by default none is known."""
    shape = (None,) * ndim if shape is None else normalize_shape(shape)
    if len(shape) != ndim:
        raise ValueError(f"{ndim} lengths are needed, not {shape}: ad.tensor takes any number")
    return shape
