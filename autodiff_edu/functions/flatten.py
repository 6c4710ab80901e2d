"""Parameters in any containers as one vector, and back: for optimisers that know vectors only."""

from collections.abc import Sequence
from itertools import accumulate, pairwise
from math import prod
from typing import Any

import numpy as np

from ..expr import Expr, ShapeError, at, shown, spell
from .pytree import tree_flatten, tree_unflatten
from .symbols import is_array


class Unflatten:
    """The way back: a vector becomes the containers from which `flatten` made one.

    Parameters
    ----------
    structure : object
        That of the containers.
    forms : list of tuple
        (shape, dtype) of each array in them.
    """

    def __init__(self, structure: Any, forms: Sequence[tuple[Any, np.dtype]]):
        self.structure, self.forms = structure, tuple(forms)
        self.ends = tuple(accumulate([prod(shape) for shape, _ in forms], initial=0))

    def __call__(self, vector: Any) -> Any:
        """The containers, with fresh arrays of the shapes and dtypes that they had."""
        if not isinstance(vector, Expr):
            vector = np.asarray(vector)
        size = self.ends[-1]
        shape = vector.type.shape if isinstance(vector, Expr) else vector.shape
        if shape not in ((size,), (None,)):
            raise ShapeError(
                f"unflatten takes a vector of {size} numbers, as ad.flatten gave it, "
                f"not an array of shape {spell(shape)}"
            )
        parts = [vector[a:b] for a, b in pairwise(self.ends)]
        return tree_unflatten(self.structure, [formed(*row) for row in zip(parts, self.forms)])

    def __repr__(self) -> str:
        return f"unflatten(vector of {self.ends[-1]} numbers)"


def formed(part: Any, form: tuple[Any, np.dtype]) -> Any:
    """A part of the vector in its shape and dtype."""
    shape, dtype = form
    if isinstance(part, Expr):
        return part.reshape(shape).astype(dtype)
    return part.reshape(shape).astype(dtype, casting="same_kind")[()]


def flatten(parameters: Any) -> tuple[Any, Unflatten]:
    """The vector of all numbers in the parameters, and the function that leads back.

    Both take expressions as well as arrays, and so a derivative with respect to the vector
    is that of a function of `unflatten(vector)`.

    Parameters
    ----------
    parameters : array_like, Expr or container
        Floats and arrays of floats, of any shapes, in lists, tuples, named tuples,
        dictionaries and dataclasses, in any nesting.

    Returns
    -------
    vector : numpy.ndarray or Expr
        Of all entries in order, in the dtype that holds them all.
    unflatten : callable
        `unflatten(vector)` gives the containers with entries of the vector, in the shapes
        and dtypes that they had.

    Raises
    ------
    TypeError
        If a parameter is neither a float nor an array of floats.
    ShapeError
        If the shape of an expression is not known.

    See Also
    --------
    value_and_grad : What an optimiser asks for.

    Examples
    --------
    >>> from scipy.optimize import minimize
    >>> parameters = {"w": np.array([[3.0, -1.0]]), "b": 2.0}
    >>> start, unflatten = ad.flatten(parameters)
    >>> start
    array([ 3., -1.,  2.])
    >>> loss = lambda p: np.sum((p["w"] - 1) ** 2) + (p["b"] - 5) ** 2
    >>> found = minimize(ad.value_and_grad(lambda v: loss(unflatten(v))), start, jac=True)
    >>> best = unflatten(found.x)
    >>> np.round(best["w"], 3), round(best["b"], 3)
    (array([[1., 1.]]), np.float64(5.0))
    """
    leaves, structure = tree_flatten(parameters)
    forms = [form_of(leaf) for leaf in leaves]
    vector = np.concatenate([np.ravel(leaf) for leaf in leaves]) if leaves else np.zeros(0)
    return vector, Unflatten(structure, forms)


def form_of(leaf: Any) -> tuple[Any, np.dtype]:
    """Shape and dtype of a parameter. Raises TypeError for what an optimiser cannot move."""
    if not isinstance(leaf, Expr) and not is_array(leaf):
        hint = f": write {leaf}.0" if type(leaf) is int else ""
        raise TypeError(f"flatten takes floats and arrays of floats, not {shown(leaf)}{hint}")
    t = leaf.type if isinstance(leaf, Expr) else np.asarray(leaf)
    if t.dtype.kind != "f":
        raise TypeError(f"flatten takes arrays of floats, not of {t.dtype}, to which no step of an "
                        "optimiser leads: write x.astype(float)")  # fmt: skip
    if None in t.shape:
        raise ShapeError(f"flatten needs the shape of {leaf}{at(leaf)}, and of {spell(t.shape)} "
                         "only a part is known: declare it, as in shape=(3, 4)")  # fmt: skip
    return t.shape, t.dtype
