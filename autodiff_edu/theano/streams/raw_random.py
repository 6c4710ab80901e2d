"""`theano.tensor.raw_random`: draws from a stream that the program keeps itself."""

from typing import Any

import numpy as np

from ..arrays.counting import permuted
from ..arrays.leaves import as_tensor_variable
from ..arrays.lengths import counted_entries
from ..core import config, unwrap, wrap
from ..core.variable import Variable
from .random_state import (
    RandomStateType,
    as_stream,
    draw,
    multinomials,
    permutations,
    random_state_type,
)
from .random_streams import RandomStreams, told


def drawn(
    how: Any, rng: Any, parameters: list[Any], lengths: Any, dtype: Any, more: int = 0
) -> tuple[Any, Any]:
    """The stream after a draw, and the draw."""
    if not isinstance(getattr(rng, "type", None), RandomStateType):
        raise TypeError("the state of a draw is theano.shared(RandomState(...)) or "
                        f"random_state_type(), not {rng!r}")  # fmt: skip
    given = [as_tensor_variable(p) for p in parameters]
    new, out = draw(how, rng.expr, [unwrap(p) for p in given], lengths, dtype, more)
    return as_stream(new, (rng,)), wrap(out, (rng, *given))


def helper(how: str, names: str, defaults: tuple[Any, ...], dtype: str | None) -> Any:
    """A function of (stream, size, parameters) -> (next stream, draw)."""
    more = 1 if how in ("permutation", "multinomial") else 0
    known = dict(zip(names.split(), defaults, strict=True))
    ours = dtype

    def draws(random_state: Any, size: Any = None, *parameters: Any, ndim: Any = None,
              dtype: Any = None, **named: Any) -> Any:  # fmt: skip
        if "prob" in named:
            named["p"] = named.pop("prob")
        given = dict(zip(known, parameters, strict=False))
        if unknown := [k for k in named if k not in known or k in given]:
            raise TypeError(f"{how} takes {', '.join(known)}; not, or not again, {unknown[0]}")
        values = [*(known | given | named).values()]
        exprs = [unwrap(as_tensor_variable(v)) for v in values]
        lengths = told(size, ndim, exprs)
        lengths = () if lengths is None and how == "permutation" else lengths
        kind = np.dtype(dtype or ours or config.floatX)
        return drawn(how, random_state, values, lengths, str(kind), more * (lengths is not None))

    draws.__name__, draws.__doc__ = how, f"The stream after a draw by {how}, and the draw."
    return draws


def choice(
    random_state: Any, size: Any = (), a: Any = 2, replace: Any = True, p: Any = None,
    ndim: Any = None, dtype: str = "int64",
) -> Any:  # fmt: skip
    """The stream after a draw among a things, or among those of a vector; and the draw."""
    p = p if isinstance(p, (Variable, np.ndarray)) else p or None
    how = ("choice" if p is not None else "choice_even") + "_once" * (not replace)
    given = [a] if p is None else [a, p]
    return drawn(how, random_state, given, told(() if size is None else size, ndim, []), dtype)


def shuffle_row_elements(random_state: Any, input: Any) -> Any:
    """The stream after a draw, and the rows with their entries in a random order."""
    before = [input.shape[k] for k in range(input.ndim - 1)]
    new, order = DRAWS["permutation"](random_state, before, input.shape[input.ndim - 1])
    return new, permuted(input, order)


def permutation_helper(random_state: Any, n: Any, shape: Any) -> np.ndarray:
    """As many random orders of the numbers below n as a shape asks for."""
    return permutations(random_state, n, () if shape is None else shape)


def multinomial_helper(random_state: Any, n: Any, pvals: Any, size: Any) -> np.ndarray:
    """How often each of several things happens, for each row of pvals."""
    return multinomials(random_state, n, pvals, size)


class RandomFunction:
    """RandomFunction("uniform", outtype)(stream, lengths, low, high): a method of RandomState, or a
    function of a stream, parameters and lengths, as an operation. Without lengths, (), those of
    the parameters count."""

    def __init__(self, fn: Any, outtype: Any, inplace: Any = False, ndim_added: int = 0):
        name = getattr(fn, "__name__", "")
        self.fn = name if name and getattr(np.random.RandomState, name, None) is fn else fn
        self.outtype, self.inplace, self.ndim_added = outtype, inplace, ndim_added
        self.destroy_map = {0: [0]} if inplace else {}

    def __call__(self, random_state: Any, shape: Any, *args: Any) -> tuple[Any, Any]:
        shape = as_tensor_variable(list(shape) if isinstance(shape, tuple) else shape)
        count = self.outtype.ndim - self.ndim_added
        lengths = None if shape.expr.type.shape == (0,) else told(
            wrap(counted_entries(shape.expr, count)), None, [])  # fmt: skip
        return drawn(self.fn, random_state, list(args), lengths, self.outtype.dtype,
                     self.ndim_added)  # fmt: skip


DRAWS: dict[str, Any] = {
    "uniform": helper("uniform", "low high", (0.0, 1.0), None),
    "normal": helper("normal", "avg std", (0.0, 1.0), None),
    "binomial": helper("binomial", "n p", (1, 0.5), "int64"),
    "random_integers": helper("random_integers", "low high", (0, 1), "int64"),
    "permutation": helper("permutation", "n", (1,), "int64"),
    "poisson": helper("poisson", "lam", (1.0,), "int64"),
    "multinomial": helper("multinomial", "n pvals", (1, (0.5, 0.5)), "int64"),
}
NAMES: dict[str, Any] = {
    **DRAWS, "choice": choice, "shuffle_row_elements": shuffle_row_elements,
    "permutation_helper": permutation_helper, "multinomial_helper": multinomial_helper,
    "RandomFunction": RandomFunction, "RandomStreamsBase": RandomStreams,
    "RandomStateType": RandomStateType, "random_state_type": random_state_type,
}  # fmt: skip
