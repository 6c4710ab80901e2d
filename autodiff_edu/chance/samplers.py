"""Standard draws: pure functions of a stream's state, of a draw's place and of steps of loops.

A counter-based generator needs no more than its position: Philox turns key and counter into
numbers, and here the key is the seed and the place, the counter the step and the call.
(Salmon et al. 2011, Parallel random numbers: as easy as 1, 2, 3)

A state is three whole numbers: two words of the seed, and how many calls there have been.
"""

import threading
from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from ..expr import Expr, ShapeError, TensorType, broadcast_shapes
from ..ops.batch import after_leading
from ..ops.cost import each_result
from ..ops.declare import op
from ..ops.lengths import fill
from . import jax_draws

WORD = 2**64
STRIDE = 0x9E3779B97F4A7C15F39CC0605CEDC835  # odd: no step is shifted out, however deep
CHOSEN = "a standard draw depends on nothing but whole numbers: its stream's state and its step"


def words(state: Sequence[int], place: int, steps: Sequence[int]) -> dict[str, Any]:
    """The position of NumPy's generator for one draw."""
    low, high, calls = state
    step = 0
    for k in steps:
        step = (step * STRIDE + k) % WORD**2
    counter = (0, step % WORD, step // WORD, calls)  # the first one counts within the draw
    key = (low, high ^ place)
    return {"bit_generator": "Philox", "state": {"counter": counter, "key": key},
            "buffer": (0, 0, 0, 0), "buffer_pos": 4, "has_uint32": 0, "uinteger": 0}  # fmt: skip


class Local(threading.local):
    """A generator for each thread, put in position before every draw."""

    generator: "np.random.Generator"

    def __getattr__(self, name: str) -> "np.random.Generator":
        """Make it when a thread first asks for it."""
        if name != "generator":
            raise AttributeError(name)
        self.generator = np.random.Generator(np.random.Philox(0))
        return self.generator


local = Local()


def drawn(
    kind: str, state: Any, operands: Sequence[Any], place: int, shape: tuple, dtype: str
) -> np.ndarray:
    """Numbers by the generator's method `kind`, a fresh array; with many states or many steps
    along leading axes, the draw for each of them."""
    steps, lengths = parted(operands, shape)
    loop = np.broadcast_shapes(np.shape(state)[:-1], *map(np.shape, steps))
    full = fill(shape, lengths)
    out = np.empty((*loop, *full), dtype)
    draw, position = getattr(local.generator, kind), local.generator.bit_generator
    rows = out.reshape(prod(loop), prod(full))
    states = np.broadcast_to(state, (*loop, 3)).reshape(-1, 3).tolist()
    columns = [np.broadcast_to(s, loop).ravel().tolist() for s in steps]
    for row, one, *step in zip(rows, states, *columns, strict=True):
        position.state = words(one, place, step)
        draw(out=row, dtype=dtype)
    return out


def parted(operands: Sequence[Any], shape: tuple) -> tuple[Sequence[Any], Sequence[Any]]:
    """The operands behind the state: steps, then lengths that were not known."""
    count = len(operands) - shape.count(None)
    return operands[:count], operands[count:]


def stacked(
    state: TensorType, *operands: TensorType, place: int, shape: tuple, dtype: str
) -> TensorType:
    steps, _ = parted(operands, shape)
    loop = broadcast_shapes(state.shape[:-1], *[s.shape for s in steps])
    return TensorType(dtype, (*loop, *shape))


def every_step(draw: Any, inputs: Sequence[Expr], flags: Sequence[bool], static: dict) -> Expr:
    """The draw for all steps at once: for each what it would be alone."""
    steps, lengths = parted(inputs[1:], static["shape"])
    if any(flags[len(inputs) - len(lengths) :]):
        raise ShapeError("every slice would draw another number of values: draw the largest "
                         "number for all, and mask what is too much")  # fmt: skip
    loops = [inputs[0].ndim - 1 - flags[0], *[s.ndim - f for s, f in zip(steps, flags[1:])]]
    lined = [after_leading(x, max(loops) - loop) if flag else x
             for x, flag, loop in zip(inputs, flags, loops)]  # fmt: skip
    return draw.apply((*lined, *lengths), tuple(static.items()))


@op(
    label="U(0, 1)",
    nondifferentiable=CHOSEN,
    type=stacked,
    batch=lambda inputs, flags, **static: every_step(standard_uniform, inputs, flags, static),
    cost=each_result(),
    targets={"jax": jax_draws.standard_uniform},
)
def standard_uniform(state, *operands, place, shape=(), dtype="float64"):
    """Uniform between 0 and 1, both excluded, so that logarithms of u and of 1 − u are finite."""
    u = drawn("random", state, operands, place, shape, dtype)
    return np.maximum(u, np.finfo(dtype).epsneg / 2, out=u)[()]  # for a 0, half the next number


@op(
    label="N(0, 1)",
    nondifferentiable=CHOSEN,
    type=stacked,
    batch=lambda inputs, flags, **static: every_step(standard_normal, inputs, flags, static),
    cost=each_result(),
    targets={"jax": jax_draws.standard_normal},
)
def standard_normal(state, *operands, place, shape=(), dtype="float64"):
    """Normal with mean 0 and variance 1."""
    return drawn("standard_normal", state, operands, place, shape, dtype)[()]
