"""Random draws as Theano made them: RandomState's own numbers, and a state as a shared variable.

The state of a Mersenne Twister is an array, so that a draw is a pure function of it, and the next
state is an expression like any other.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from ...expr import Expr, Input, Null, Shared, TensorType, TupleType, broadcast_shapes
from ...expr import Op as EngineOp
from ..arrays import shared
from ..core.lifting import key_of, known
from ..core.types import Type
from ..core.variable import SharedVariable, Variable

WORDS = 624
WHY = "No gradient defined through raw random numbers op"


def packed(rng: np.random.RandomState) -> np.ndarray:
    """The state as an array of whole numbers."""
    _, keys, place, has, gauss = rng.get_state()
    rest = np.array([place, has, np.float64(gauss).view("uint64")], dtype="uint64")
    return np.concatenate([np.asarray(keys, dtype="uint64"), rest])


def unpacked(state: np.ndarray) -> np.random.RandomState:
    """The stream in a state."""
    rng = np.random.RandomState(0)
    gauss = np.uint64(state[WORDS + 2]).view("float64")
    place, has = int(state[WORDS]), int(state[WORDS + 1])
    rng.set_state(("MT19937", state[:WORDS].astype("uint32"), place, has, float(gauss)))
    return rng


class RandomStateType(Type):
    """The type of a random stream's state."""

    dtype, broadcastable, ndim = "RandomState", (), 0
    numpy_dtype, outward = np.dtype("uint64"), staticmethod(unpacked)

    def __call__(self, name: str | None = None) -> "RandomStateVariable":
        """A stream that is given when the program runs."""
        node = Input("rng" if name is None else name, TensorType("uint64", (WORDS + 3,)))
        found = as_stream(node)
        found._name = name
        return found

    def filter(self, data: Any, strict: bool = False, allow_downcast: Any = None) -> np.ndarray:
        """A stream as an array. Raises TypeError for anything else."""
        if isinstance(data, np.ndarray) and data.dtype == "uint64" and len(data) == WORDS + 3:
            return data
        if not isinstance(data, np.random.RandomState):
            raise TypeError(f"a numpy.random.RandomState is expected, not {data!r}")
        return packed(data)

    def is_valid_value(self, value: Any) -> bool:
        """Is it a stream?"""
        return isinstance(value, np.random.RandomState)

    def values_eq(self, a: Any, b: Any) -> bool:
        """Are two streams in the same state?"""
        return np.array_equal(packed(a), packed(b))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RandomStateType)

    def __hash__(self) -> int:
        return hash(RandomStateType)

    def __repr__(self) -> str:
        return "RandomStateType"


class RandomStateVariable(Variable):
    """A stream: an input, or what a draw leaves."""

    @property
    def type(self) -> Any:
        return RandomStateType()


def as_stream(node: Expr, sources: Any = ()) -> RandomStateVariable:
    """The variable of a state."""
    found = known[key_of(node)] = RandomStateVariable(node, sources)
    return found


class RandomStateSharedVariable(SharedVariable):
    """A shared variable whose value is a RandomState."""

    @property
    def type(self) -> Any:
        return RandomStateType()

    def get_value(self, borrow: bool = False, return_internal_type: bool = False) -> Any:
        """The stream, in the state that is reached."""
        return unpacked(self.expr.value)

    def set_value(self, new_value: Any, borrow: bool = False) -> None:
        """Put another stream in its place."""
        self.expr.set_value(packed(new_value))

    default_update = shared.METHODS_OF_SHARED["default_update"]
    container = shared.METHODS_OF_SHARED["container"]


def state(rng: Any, name: str | None = None) -> RandomStateSharedVariable | None:
    """A shared variable of a RandomState; None for anything else."""
    if not isinstance(rng, np.random.RandomState):
        return None
    node = Shared(packed(rng), name, TensorType("uint64", (WORDS + 3,)))
    found = known[node] = RandomStateSharedVariable(node)
    return found


class Draw(EngineOp):
    """(state, parameters, lengths) -> (next state, draw), by a method of RandomState."""

    arity = None

    def __init__(self, how: Any, dtype: str, ndim: int, parameters: int, call: Callable[..., Any]):
        super().__init__()
        self.how, self.dtype, self.axes, self.count, self.call = how, dtype, ndim, parameters, call
        self.name = self.label = how if isinstance(how, str) else how.__name__
        self.shape: tuple[int | None, ...] = (None,) * ndim
        self.sized = False  # are lengths given, or do the parameters tell them?

    def infer_type(self, *types: TensorType) -> TupleType:
        return TupleType([types[0], TensorType(self.dtype, self.shape)])

    def perform(self, *values: Any) -> Any:
        rng = unpacked(values[0])
        given, lengths = values[1 : 1 + self.count], values[1 + self.count :]
        size = tuple(map(int, lengths)) if self.sized else None
        found = np.asarray(self.call(rng, *given, size), self.dtype)
        if not self.sized and not found.ndim:
            found = found.reshape((1,) * self.axes)
        if found.ndim != self.axes:
            raise ValueError(f"{self.name} gives an array of {found.ndim} axes, not {self.axes}")
        return packed(rng), found

    def pullback(self, inputs: Any, outputs: Any, cotangents: Any, **_: Any) -> list[Any]:
        return [Null(WHY) if i.dtype.kind == "f" else None for i in inputs]

    def __eq__(self, other: object) -> bool:
        mine = (self.how, self.dtype, self.axes, self.count, self.shape, self.sized)
        return isinstance(other, Draw) and mine == (
            other.how, other.dtype, other.axes, other.count, other.shape, other.sized)  # fmt: skip

    def __hash__(self) -> int:
        return hash((self.how, self.dtype, self.axes, self.count))

    def __reduce__(self) -> Any:
        return rebuilt, (self.how, self.dtype, self.axes, self.count, self.shape, self.sized)


def rebuilt(how: Any, dtype: str, ndim: int, count: int, shape: tuple, sized: bool) -> Draw:
    made = Draw(how, dtype, ndim, count, caller(how))
    made.shape, made.sized = shape, sized
    return made


def among(a: Any) -> Any:
    """A number of things, or the things."""
    return int(a) if np.ndim(a) == 0 else a


def permutations(rng: Any, n: Any, size: Any) -> np.ndarray:
    rows = [rng.permutation(int(n)) for _ in range(int(np.prod(size)))]
    return np.array(rows).reshape((*(size or ()), int(n)))


def multinomials(rng: Any, n: Any, p: Any, size: Any) -> np.ndarray:
    """One draw for each row of p; numbers of a low precision may add up to a little more than 1."""
    p = np.asarray(p, "float64")
    p = p / np.maximum(p.sum(axis=-1, keepdims=True), 1.0)
    if p.ndim == 1 and np.ndim(n) == 0:
        return rng.multinomial(int(n), p, size)
    shape = np.broadcast_shapes(np.shape(n), p.shape[:-1]) if size is None else size
    counts, p = np.broadcast_to(n, shape), np.broadcast_to(p, (*shape, p.shape[-1]))
    rows = [rng.multinomial(int(counts[k]), p[k]) for k in np.ndindex(*shape)]
    return np.array(rows).reshape(p.shape)


def truncated(rng: Any, low: Any, high: Any, size: Any) -> np.ndarray:
    """Normal numbers; those more than two deviations away are drawn again."""
    z = np.asarray(rng.normal(0.0, 1.0, size))
    while np.any(far := np.abs(z) > 2.0):
        z = np.where(far, rng.normal(0.0, 1.0, size), z)
    return z


CALLS: dict[str, Callable[..., Any]] = {
    "uniform": lambda rng, low, high, size: rng.uniform(low, high, size),
    "normal": lambda rng, avg, std, size: rng.normal(avg, std, size),
    "binomial": lambda rng, n, p, size: rng.binomial(n, p, size),
    "poisson": lambda rng, lam, size: rng.poisson(lam, size),
    "random_integers": lambda rng, low, high, size: rng.randint(low, high + 1, size),
    "choice": lambda rng, a, p, size: rng.choice(among(a), size, True, p),
    "choice_once": lambda rng, a, p, size: rng.choice(among(a), size, False, p),
    "choice_even": lambda rng, a, size: rng.choice(among(a), size, True),
    "choice_even_once": lambda rng, a, size: rng.choice(among(a), size, False),
    "permutation": permutations, "truncated": truncated,
    "multinomial": multinomials,
}  # fmt: skip


STRETCHING = ("uniform", "normal", "binomial", "poisson", "random_integers")


def caller(how: Any) -> Callable[..., Any]:
    """What draws: a name, or a function of a stream, parameters and lengths."""
    if not isinstance(how, str):
        return how
    return CALLS.get(how) or getattr(np.random.RandomState, how)


def draw(
    how: Any, rng: Expr, parameters: list[Expr], lengths: Any, dtype: str, more: int = 0
) -> Any:
    """(the next state, the draw). Lengths are None where the parameters tell them."""
    if lengths is None:
        ndim = max([p.ndim for p in parameters], default=0)
        op = Draw(how, dtype, ndim, len(parameters), caller(how))
        if how in STRETCHING:
            op.shape = broadcast_shapes(*[p.type.shape for p in parameters])
        return op(rng, *parameters)
    op = Draw(how, dtype, len(lengths) + more, len(parameters), caller(how))
    op.sized = True
    known_lengths = tuple(n if isinstance(n, int) else None for n in lengths)
    op.shape = (*known_lengths, *op.shape[len(lengths) :])
    return op(rng, *parameters, *lengths)


shared.CONSTRUCTORS.append(state)
random_state_type = RandomStateType()
__all__ = [
    "RandomStateSharedVariable", "RandomStateType", "draw", "packed", "random_state_type", "state",
    "unpacked",
]  # fmt: skip
