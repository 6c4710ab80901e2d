"""`RandomStreams`: draws of RandomState's own numbers, one state for each draw in a program."""

from typing import Any

import numpy as np

from ...expr import Expr
from ..arrays.counting import permuted
from ..arrays.leaves import expression
from ..arrays.lengths import counted_entries, lengths_of
from ..core import config, unwrap, wrap
from ..core.variable import TABLES
from .random_state import RandomStateSharedVariable, draw, state


def told(size: Any, ndim: Any, parameters: list[Expr]) -> tuple[Any, ...] | None:
    """The lengths of a draw; None where those of its parameters count."""
    if size is None:
        return None
    size = unwrap(size)
    if isinstance(size, Expr) and size.ndim == 1:
        size = counted_entries(size, ndim)
    found = lengths_of(size)
    if ndim is not None and len(found) != ndim:
        raise ValueError(f"ndim should be equal to len(size), and ndim = {ndim}, size = {size}")
    return found


class RandomStreams:
    """A maker of draws. Each has a state of its own, which moves on at every call."""

    def __init__(self, seed: int | None = None, no_warn: bool = False):
        self.default_instance_seed = seed
        self.state_updates: list[tuple[Any, Any]] = []
        self.gen_seedgen = np.random.RandomState(seed)

    def seed(self, seed: int | None = None) -> None:
        """Begin anew."""
        seed = self.default_instance_seed if seed is None else seed
        seedgen = np.random.RandomState(seed)
        for rng, _ in self.state_updates:
            rng.set_value(np.random.RandomState(int(seedgen.randint(2**30))))

    def updates(self) -> list[tuple[Any, Any]]:
        """The states and their next values."""
        return list(self.state_updates)

    def __getitem__(self, item: Any) -> Any:
        return item.get_value()

    def __setitem__(self, item: Any, value: Any) -> None:
        item.set_value(value)

    def draw(
        self, how: str, parameters: list[Any], size: Any, ndim: Any, dtype: Any, more: int = 0
    ) -> Any:
        """A draw with a new state."""
        rng = state(np.random.RandomState(int(self.gen_seedgen.randint(2**30))))
        assert isinstance(rng, RandomStateSharedVariable)
        sources = [p for p in parameters if hasattr(p, "expr")]
        given = [unwrap(TABLES["as_tensor_variable"](p)) for p in parameters]
        lengths = told(size, ndim, given)
        dtype = config.floatX if dtype is None else dtype
        new, out = draw(how, rng.expr, given, lengths, str(np.dtype(dtype)), more)
        found = wrap(out, sources)
        rng.default_update = wrap(new)
        found.rng, found.update = rng, (rng, wrap(new))
        self.state_updates.append(found.update)
        return found

    def uniform(
        self, size: Any = None, low: Any = 0.0, high: Any = 1.0, ndim: Any = None, dtype: Any = None
    ) -> Any:
        """Numbers between low and high."""
        return self.draw("uniform", [low, high], size, ndim, dtype)

    def normal(
        self, size: Any = None, avg: Any = 0.0, std: Any = 1.0, ndim: Any = None, dtype: Any = None
    ) -> Any:
        """Normal numbers."""
        return self.draw("normal", [avg, std], size, ndim, dtype)

    def binomial(
        self,
        size: Any = None,
        n: Any = 1,
        p: Any = 0.5,
        ndim: Any = None,
        dtype: Any = "int64",
        prob: Any = None,
    ) -> Any:
        """How often something of probability p happens in n trials."""
        return self.draw("binomial", [n, p if prob is None else prob], size, ndim, dtype)

    def poisson(
        self, size: Any = None, lam: Any = None, ndim: Any = None, dtype: Any = "int64"
    ) -> Any:
        """How often something happens that happens lam times on average."""
        return self.draw("poisson", [1.0 if lam is None else lam], size, ndim, dtype)

    def random_integers(
        self, size: Any = None, low: Any = 0, high: Any = 1, ndim: Any = None, dtype: Any = "int64"
    ) -> Any:
        """Whole numbers from low to high, both included."""
        return self.draw("random_integers", [low, high], size, ndim, dtype)

    def choice(
        self,
        size: Any = (),
        a: Any = 2,
        replace: bool = True,
        p: Any = None,
        ndim: Any = None,
        dtype: Any = "int64",
    ) -> Any:
        """Numbers below a, or entries of a, with probabilities p."""
        p = None if p is not None and expression(unwrap(p)).ndim == 0 else p  # 0 stood for None
        how = ("choice" if p is not None else "choice_even") + "_once" * (not replace)
        return self.draw(how, [a] if p is None else [a, p], size, ndim, dtype)

    def permutation(
        self, size: Any = (), n: Any = 1, ndim: Any = None, dtype: Any = "int64"
    ) -> Any:
        """The numbers below n in random orders."""
        return self.draw("permutation", [n], () if size is None else size, ndim, dtype, more=1)

    def multinomial(
        self,
        size: Any = None,
        n: Any = 1,
        pvals: Any = (0.5, 0.5),
        ndim: Any = None,
        dtype: Any = "int64",
    ) -> Any:
        """How often each of several things happens in n trials."""
        p = expression(unwrap(pvals))
        return self.draw("multinomial", [n, wrap(p)], size, ndim, dtype, int(size is not None))

    def shuffle_row_elements(self, input: Any) -> Any:
        """The entries of a vector, or of each row, in a random order."""
        before = [input.shape[k] for k in range(input.ndim - 1)]
        return permuted(input, self.permutation(before, input.shape[input.ndim - 1]))


__all__ = ["RandomStateSharedVariable", "RandomStreams"]
