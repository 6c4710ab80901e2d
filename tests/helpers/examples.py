"""Examples of every operation: operands to draw at random, away from kinks, and parameters.

A test asks for fresh operands with `values(rng)`; each is drawn by the function that stands in the
table for it. Parameters are in the form in which a node stores them.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from autodiff_edu.expr import Expr, Input, TensorType, results
from autodiff_edu.ops import OPS

Draw = Callable[[np.random.Generator], np.ndarray]


class Example(NamedTuple):
    """An operation, what draws each of its operands, and its static parameters."""

    name: str
    draws: tuple[Draw, ...]
    static: dict[str, Any]

    def values(self, rng: np.random.Generator) -> list[np.ndarray]:
        return [np.asarray(draw(rng)) for draw in self.draws]

    def build(self, inputs: list[Expr]) -> list[Expr]:
        """The results of the operation, one or several."""
        op = OPS[self.name]
        return list(results(op.apply(tuple(inputs), op.normalize_static(inputs, self.static))))

    def __str__(self) -> str:
        shapes = [str(v.shape).replace(" ", "") for v in self.values(np.random.default_rng(0))]
        settings = [f"{k}={v}" for k, v in self.static.items()]
        return " ".join([self.name, *shapes, *settings]).replace(", ", ",")


def some(name: str, *draws: Draw, **static: Any) -> Example:
    return Example(name, draws, static)


def inputs_for(values: list[np.ndarray], known: str = "all") -> list[Input]:
    """An input for each value, with these lengths known: all, first, last, or none. A length of
    1 is always known, for only that stretches."""
    return [Input(f"x{k}", TensorType(v.dtype, told(v.shape, known))) for k, v in enumerate(values)]


def told(shape: tuple[int, ...], known: str) -> list[int | None]:
    places = {"all": set(range(len(shape))), "first": {0}, "last": {len(shape) - 1}, "none": set()}
    return [n if n == 1 or k in places[known] else None for k, n in enumerate(shape)]


# ---- what draws an operand


def real(*shape: int, low: float = -2, high: float = 2) -> Draw:
    return lambda rng: rng.uniform(low, high, shape)


def below(n: int, *shape: int) -> Draw:
    """Places 0, …, n − 1, in any order and repeated."""
    return lambda rng: rng.integers(0, n, shape)


def mask(*shape: int) -> Draw:
    """As many true as false."""
    return lambda rng: rng.permutation(np.arange(np.prod(shape)) % 2 == 0).reshape(shape)


def given(value: int) -> Draw:
    return lambda rng: np.int64(value)


def increasing(n: int) -> Draw:
    return lambda rng: np.cumsum(rng.uniform(0.5, 1, n)) - 2


def matrices(*shape: int) -> Draw:
    """Matrices with singular values near 1, 2, …, k."""

    def draw(rng: np.random.Generator) -> np.ndarray:
        u, _, vh = np.linalg.svd(rng.normal(size=shape), full_matrices=False)
        return (u * (np.arange(1, min(shape[-2:]) + 1) + rng.uniform(0, 0.3))) @ vh

    return draw


def positive(*shape: int) -> Draw:
    """Symmetric matrices with eigenvalues near 1, 2, …, k."""

    def draw(rng: np.random.Generator) -> np.ndarray:
        q, _ = np.linalg.qr(rng.normal(size=shape))
        return (q * (np.arange(1, shape[-1] + 1) + rng.uniform(0, 0.3))) @ np.swapaxes(q, -1, -2)

    return draw


def part(*shape: int) -> Draw:
    """Probabilities, or numbers between 0 and 1 that choose by them."""
    return real(*shape, low=0.1, high=0.9)


def sure(*shape: int) -> Draw:
    """Probabilities 0 and 1, which every dtype can hold."""
    return lambda rng: np.eye(shape[-1])[rng.integers(0, shape[-1], shape[:-1])]


def state(rng: np.random.Generator) -> np.ndarray:
    """The state of a random stream."""
    return rng.integers(0, 2**64, 3, "uint64")


STANDARD = ("standard_uniform", "standard_normal")

# ---- operations entry by entry


def each(names: str, low: float = -2, high: float = 2) -> list[Example]:
    shapes = [(3, 4), (), (0, 2)]
    return [some(name, real(*s, low=low, high=high)) for name in names.split() for s in shapes]


def pairs(names: str, low: float = -2, high: float = 2) -> list[Example]:
    shapes = [((3, 4), (4,)), ((2, 1), (1, 3)), ((), (2,))]
    bounds = {"low": low, "high": high}
    return [
        some(n, real(*a, **bounds), real(*b, **bounds)) for n in names.split() for a, b in shapes
    ]


ELEMENTWISE = [
    *each("negative square abs exp expm1 exp2 sin cos arctan sinh cosh tanh arcsinh deg2rad"),
    *each("tanh_slope rad2deg sinc sigmoid sigmoid_slope softplus erf erfc erfcx"),
    *each("sign floor ceil trunc rint isnan isinf isfinite logical_not"),
    *each("tan", -1, 1),
    *each("arcsin arccos arctanh", -0.8, 0.8),
    *each("logit", 0.1, 0.9),
    *each("log log2 log10 sqrt cbrt reciprocal gammaln digamma", 0.3, 3),
    *each("log1p", -0.7, 2),
    *each("arccosh", 1.3, 3),
    *pairs("add subtract multiply maximum minimum arctan2 hypot logaddexp logaddexp2 copysign"),
    *pairs("less less_equal greater greater_equal equal not_equal heaviside"),
    *pairs("logical_and logical_or logical_xor"),
    *pairs("divide power remainder fmod floor_divide xlogy", 0.3, 2),
    some("remainder", real(3, 4, low=-5, high=5), real(4, low=-2, high=-0.5)),
    some("fmod", real(3, 4, low=-5, high=5), real(4, low=-2, high=-0.5)),
    *[some(n, below(9, 3, 4), below(9, 4)) for n in ("both_bits", "either_bits", "other_bits")],
    *[some("inverted_bits", below(9, *s)) for s in [(3, 4), ()]],
    some("where", mask(3, 4), real(3, 4), real(4)),
    some("where", mask(4), real(), real(3, 1)),
    some("clip", real(3, 4), real(), real(1, 4, low=0.3, high=0.6)),
    some("clip", real(), real(low=-1, high=-0.5), real(low=0.5, high=1)),
    *[some(name, real(3, 2), order=k) for name in ("sinc_slope", "erfcx_slope") for k in (1, 3)],
    *[some("sine_quotient", real(*s), sign=g, order=k) for s, g, k in [((3,), -1, 0), ((), 1, 2)]],
    *[some("polygamma", real(*s, low=1, high=3), order=k) for s, k in [((3, 2), 1), ((), 2)]],
]  # fmt: skip

# ---- operations along axes

ALONG = [
    *[some(name, real(3, 4), axis=axis, keepdims=kept)
      for name in ("sum", "mean", "max", "min", "logsumexp", "norm2", "all", "any")
      for axis, kept in [(None, False), (-1, True), (0, False)]],
    *[some(name, real(2, 3, 4), axis=(0, -1)) for name in ("sum", "max", "logsumexp", "norm2")],
    *[some(name, real(), axis=None) for name in ("sum", "mean", "max", "logsumexp")],
    *[some(name, real(0, 3), axis=0) for name in ("sum", "norm2", "all")],
    *[some(name, real(3, 0), axis=0) for name in ("mean", "max", "logsumexp", "softmax")],
    *[some(name, real(3, 4), axis=axis) for name in ("softmax", "log_softmax")
      for axis in (-1, 0, (0, 1))],
    *[some(name, real(2, 3, 4), axis=axis) for name in ("cumsum", "cumprod") for axis in (-1, 0)],
    *[some(name, real(0, 2), axis=0) for name in ("cumsum", "cumprod")],
    *[some("product", real(3, 4), axis=a, keepdims=k) for a, k in [(1, False), (-2, True)]],
    *[some("product_of_others", real(3, 4), axis=a) for a in (1, -2)],
    some("recurrence", real(3, 4), real(3, 4), axis=1),
    some("recurrence", real(4, 2), real(4, 2), axis=0),
    *[some(name, real(3, 4), axis=a, keepdims=k) for name in ("argmax", "argmin")
      for a, k in [(0, False), (-1, True)]],
    *[some("argsort", real(3, 4), axis=axis) for axis in (0, -1)],
    some("searchsorted", increasing(5), real(3, 2)),
    some("searchsorted", increasing(5), real(), right=True),
    *[some("rolled", real(3, 4), shift=s, axis=a) for s, a in [(1, 0), (-2, -1)]],
    some("concatenate", real(2, 3), real(1, 3), real(4, 3), axis=0),
    some("concatenate", real(2, 3), real(2, 0), axis=-1),
    some("between", real(5, 2), given(1), given(4), axis=0),
    some("between", real(2, 5), given(2), given(2), axis=1),
    some("surround", real(2, 3), given(1), given(3), given(5), axis=0),
    some("first_slices", real(4, 2), given(3), axis=0),
    some("first_slices", real(2, 4), given(4), axis=1),
    some("history", real(4, 2), real(2)),
    some("history", real(1), real()),
]  # fmt: skip

# ---- shapes, places and windows

MOVED = [
    some("length", real(3, 4), axis=1),
    some("common_length", given(4), given(4)),
    some("overhang", given(4), given(3)),
    some("count", given(4)),
    *[some("reshape", real(3, 4), shape=s) for s in [(4, 3), (-1,), (2, 1, 6)]],
    some("reshape", real(3, 4), given(2), shape=(None, 6)),
    some("reshape", real(), shape=(1, 1)),
    some("broadcast_to", real(3, 1), shape=(2, 3, 4)),
    some("broadcast_to", real(), given(3), given(2), shape=(None, None)),
    *[some("transpose", real(2, 3, 4), axes=axes) for axes in (None, (1, 2, 0))],
    *[some("expand_dims", real(3, 4), axis=axis) for axis in (0, -1, (0, 2))],
    some("expand_dims", real(), axis=0),
    *[some("squeeze", real(1, 3, 1), axis=axis) for axis in (None, 0, -1)],
    *[some("cast", real(3, 2), dtype=d) for d in ("float32", "float64", "float16")],
    *[some("truncate", real(3, 2), dtype=d) for d in ("int64", "uint8", "bool")],
    *[some("index", real(5, 3), key=key) for key in [
        (2, -1), ((1, 4, 2), None, (None, None, None)), ((None, None, -1), (5, None, -2)),
        ((3, 3, None), 0),
    ]],
    some("embed", real(2, 3), key=((1, 5, 2), (None, None, None)), shape=(6, 3)),
    some("embed", real(4), given(3), key=(-1, (None, None, -1)), shape=(None, 4)),
    some("embed", real(), key=(2,), shape=(3,)),
    some("diagonal_matrix", real(3), start=(0, 0), shape=None),
    some("diagonal_matrix", real(2, 3), start=(0, 0), shape=None),
    some("diagonal_matrix", real(2), start=(1, 0), shape=(5, 2)),
    some("diagonal_matrix", real(2), start=(1, 2), shape=(3, 4)),
    some("places", mask(3, 4)),
    some("gather", real(5, 3), below(5, 4)),
    some("gather", real(5, 3, 2), below(5, 2, 1), below(3, 3)),
    some("gather", real(4, 3), below(4)),
    some("gather", real(4, 3), below(4, 0)),
    some("scatter", real(4, 3), below(5, 4), count=1, shape=(5, 3)),
    some("scatter", real(2, 3), below(4, 2, 1), below(5, 3), given(4), count=2, shape=(None, 5)),
    some("scatter", real(), below(3), count=1, shape=(3,)),
    *[example for name in ("set_at", "add_at") for example in [
        some(name, real(5, 3), real(2, 3), key=((0, 4, 2), (None, None, None))),
        some(name, real(5, 3), real(), key=(1, -1)),
        some(name, real(5, 3), real(3), below(5, 4), key=("array", (None, None, None))),
        some(name, real(5, 3), real(4), below(5, 4), below(3), key=("array", "array")),
    ]],
    some("correlate_images", real(2, 3, 5), real(4, 3, 2), stride=(1,), dilation=(1,)),
    some("correlate_images", real(1, 2, 6, 5), real(2, 2, 2, 2), stride=(2, 1), dilation=(1, 2)),
    some("images_from", real(2, 4, 3), real(4, 3, 2), lengths=(6,), stride=(2,), dilation=(1,)),
    some("filters_from", real(2, 3, 6), real(2, 4, 3), lengths=(2,), stride=(2,), dilation=(1,)),
    some("repeated_places", lambda rng: rng.permutation([0, 1, 1, 2, 3]), given(5)),
    some("set_between", real(5, 2), real(3, 2), given(1), given(4), axis=0),
    some("set_between", real(2, 5), real(2, 2), given(0), given(2), axis=1),
    some("windows", real(7), size=(3,), stride=(1,)),
    some("windows", real(2, 5, 6), size=(2, 3), stride=(1, 2)),
    some("overlap", real(5, 3), size=(3,), stride=(1,), shape=(7,)),
    some("overlap", real(2, 2, 2, 2, 3), given(2), size=(2, 3), stride=(3, 2), shape=(None, 5, 6)),
]  # fmt: skip

# ---- products and matrices

STACKS = [((3,), (3,)), ((2, 3), (3,)), ((3,), (3, 2)), ((3, 4), (4, 2)), ((2, 3, 4), (4, 2)),
          ((3,), (2, 3, 4)), ((2, 3, 4), (4,)), ((2, 1, 3, 4), (5, 4, 2)), ((2, 0), (0, 3)),
          ((2, 2, 0), (0, 3))]  # fmt: skip
MATRICES = [
    *[some("matmul", real(*a), real(*b)) for a, b in STACKS],
    some("contract", real(2, 3), real(3, 4), subscripts="ab,bc->ca"),
    some("contract", real(2, 3), real(3), real(2), subscripts="ab,b,a->"),
    some("contract", real(2, 3, 4), real(2, 4, 3), subscripts="abc,acd->abd"),
    *[some(name, matrices(*s)) for name in ("inv", "det", "sign_and_log_det", "cofactor")
      for s in [(3, 3), (2, 2, 2)]],
    *[some("cofactor_change", matrices(*s), matrices(*s)) for s in [(3, 3), (2, 3, 3), (1, 1)]],
    *[some("solve_columns", matrices(*s), real(3, 2)) for s in [(3, 3), (2, 3, 3)]],
    *[some("pinv", matrices(*s)) for s in [(4, 2), (2, 2, 3)]],
    *[some(name, positive(*s)) for name in ("lower_cholesky", "symmetric_eigen")
      for s in [(3, 3), (2, 2, 2)]],
    *[some("reduced_qr", matrices(*s)) for s in [(3, 3), (4, 2), (2, 3, 2)]],
    *[some("thin_svd", matrices(*s)) for s in [(3, 3), (4, 2), (2, 2, 3)]],
]  # fmt: skip

# ---- gates, whose derivative is not that of their value

GATES = [
    *[some(name, real(3, 4)) for name in ("zero_grad", "disconnected_grad", "undefined_grad")],
    some("grad_clip", real(3, 4), low=-1, high=1),
    some("grad_scale", real(3, 4), factor=-2.0),
    some("matrix_function", real(3, 3), real(3), real(3, 3), real(3), real(3)),
    some("singular_function", real(3, 4), real(3, 3), real(3), real(3, 4), real(3), real(3)),
]

# ---- draws, and the steps that make whole numbers of them, which have no derivative

DRAWS = [
    *[some(name, state, place=k, shape=(2, 3)) for k, name in enumerate(STANDARD)],
    *[some(name, state, dtype="float32", place=2, shape=()) for name in STANDARD],
    *[some(name, state, given(3), given(1), place=3, shape=(4,)) for name in STANDARD],
    *[some(name, state, given(5), given(2), place=0, shape=(None, 3)) for name in STANDARD],
    some("standard_normal", state, below(9, 3), below(9, 2, 1), place=0, shape=()),
    some("integers", part(3, 2), below(9, 2), given(5)),
]
JUMPS = [
    *[some("bernoulli", part(*a), part(*b)) for a, b in [((3, 4), (4,)), ((), ())]],
    *[some("binomial", part(*a), below(9, *b), part(3)) for a, b in [((2, 3), (3,)), ((3,), ())]],
    *[some("poisson", part(*a), real(*b, low=0, high=9)) for a, b in [((3, 2), (2,)), ((), ())]],
    *[some("categorical", part(*a), sure(*b)) for a, b in [((5, 2), (2, 3)), ((), (4,))]],
]

EXAMPLES = [*ELEMENTWISE, *ALONG, *MOVED, *MATRICES, *GATES, *DRAWS, *JUMPS]
