"""Random NumPy programs, as text: 5 to 15 lines, each an operation on earlier values.

The same text runs on arrays, on our expressions and on HIPS autograd's boxes; only what NumPy has
no name for (`softmax`, `put`, ...) is bound anew. Lines whose values come near a kink, a tie or an
overflow are not taken, and so every derivative of a program exists.
"""

from itertools import permutations
from typing import NamedTuple

import numpy as np
from hypothesis import assume
from hypothesis import strategies as st
from scipy import special

import autodiff_edu as ad

# ---- the vocabulary: {x} and {y} are earlier values, the other places are listed below

ELEMENTWISE = """
np.sin({x})                         np.exp({x} / 8)             np.arctan({x})
np.cos({x})                         np.exp2({x} / 4)            np.arcsinh({x})
np.tanh({x})                        np.expm1({x} / 4)           np.arcsin(0.9 * np.sin({x}))
np.tan(np.sin({x}))                 np.log(1.5 + {x} * {x})     np.arccos(0.9 * np.cos({x}))
np.sinh({x} / 4)                    np.log1p(np.square({x}))    np.arccosh(2 + {x}**2)
np.cosh({x} / 4)                    np.log2(2 + {x} * {x})      np.arctanh(0.9 * np.tanh({x}))
np.sinc({x})                        np.log10(2 + {x} ** 2)      np.reciprocal(1.5 + np.sin({x}))
np.sqrt(1 + {x} * {x})              np.log(np.exp({x}))         np.deg2rad(30 * {x})
np.cbrt(2 + {x})                    np.log(1 + np.exp({x}))     np.rad2deg({x}) / 60
np.abs({x})                         np.maximum(0, {x})          np.clip({x}, -0.5, 0.7)
np.sign({x}) * {x}                  np.minimum({x}, 0.3)        np.where(np.less({x}, 0.1), 2 * {x}, {x})
{x} - np.floor({x})                 np.negative(-{x})           np.where(np.greater({x}, 0), {x}, np.sin({x}))
{x} * {x} * {x}                     {x} * 1                     2 * {x} + {x} * 3
{x} ** 3                            {x} + 0                     {x} / 2 - {x}
2.0 ** ({x} / 4)                    {x} - 0.5                   1 / (2 + np.cos({x}))
(1 + {x} * {x}) ** 0.5              3 - {x}                     1 / (1 + np.exp(-{x}))
special.erf({x})                    special.expit({x})          special.gammaln(1.5 + {x} ** 2)
special.erfc({x})                   special.digamma(1.5 + {x} ** 2)
special.logit(0.1 + 0.8 * special.expit({x}))   special.erfcx({x})
"""  # noqa: E501
BINARY = """
{x} + {y}                           np.maximum({x}, {y})        np.hypot({x}, {y})
{x} - {y}                           np.minimum({x}, {y})        np.logaddexp({x}, {y})
{x} * {y}                           {x} * {y} + {x} * {y}       np.logaddexp2({x}, {y})
{x} / (1.5 + {y} * {y})             {x} - {y} + {y}             np.arctan2({x}, 1.5 + np.sin({y}))
np.copysign({x}, {y})               np.exp(np.sin({x})) * np.exp(np.sin({y}))
np.remainder({x}, 1.5 + {y} ** 2)   np.where(np.greater({x}, {y}), {x}, 2 * {y})
(1.5 + np.sin({x})) ** ({y} / 4)    special.xlogy({x}, 1.5 + {y} ** 2)
np.concatenate([{x}, {y}], axis={axis})                         np.stack([{x}, {y}, {x}], axis={axis})
np.concatenate([{x}, {y}], axis=None)                           np.hstack([{x}, {y}])
np.vstack([{x}, {y}])               np.outer({x}, {y})          np.einsum("i,j->ij", {x}, {y})
{x} @ {y}                           np.dot({x}, {y})            np.einsum("ij,jk->ik", {x}, {y})
{x} @ {y}.T                         np.inner({x}, {y})          np.einsum("ij,kj->ik", {x}, {y})
np.matmul({x}, {y})                 np.tensordot({x}, {y}, 1)   np.einsum("ij,ij->i", {x}, {y})
np.kron({x}, {y})                   np.vdot({x}, {y})           np.einsum("ij,j", {x}, {y})
np.convolve({x}, {y})               np.einsum("...j,j->...", {x}, {y})
put({x}, {key}, {y})                add_at({x}, {key}, {y})     np.einsum("ijk,jk->i", {x}, {y})
{x}[np.argsort({y})]                np.average({x}, axis={axis}, weights=1.5 + np.sin({y}))
"""  # noqa: E501
SHAPES = """
{x}.reshape({shape})                {x}.T                       np.expand_dims({x}, {axis})
np.reshape({x}, {shape})            np.transpose({x}, {axes})   np.squeeze({x})
np.ravel({x})                       np.swapaxes({x}, 0, {axis})  np.moveaxis({x}, {axis}, 0)
np.broadcast_to({x}, {longer})      np.flip({x}, {axis})        np.roll({x}, {shift}, {axis})
np.repeat({x}, 2, {axis})           np.tile({x}, 2)             np.pad({x}, 1)
np.pad({x}, 1, mode="edge")         np.diff({x}, axis={axis})   np.diag({x})
np.tril({x})                        np.triu({x}, 1)             np.split({x}, 2, {axis})[1]
{x}[{key}]                          {x}[{key}]                  {x}[{key}]
{x}[{places}]                       {x}[{places}]               {x}[np.greater({x}, 0.1)]
put({x}, {key}, 0.5)                put({x}, {places}, 0.5)     add_at({x}, {places}, {x}[{places}])
np.einsum("ij->ji", {x})            np.einsum("ii->i", {x})     np.einsum("ij->", {x})
np.take({x}, [0, 0, 1], {axis})     {x}[np.argmax({x}, 0)]      np.take_along_axis({x}, np.argsort({x}, {axis}), {axis})
"""  # noqa: E501
REDUCTIONS = """
np.sum({x}, {where})                {x}.sum(axis={axis})        np.cumsum({x}, {axis})
np.mean({x}, {where})               {x}.mean({where})           np.cumprod({x}, {axis})
np.max({x}, {where})                np.min({x}, {where})        np.prod({x}, {where})
np.var({x}, {where})                np.std({x}, {where})        np.var({x}, axis={axis}, ddof=0.5)
np.ptp({x}, {axis})                 np.linalg.norm({x})         np.linalg.norm({x}, axis={axis})
np.sort({x}, {axis})                np.median({x}, axis={axis})  np.trace({x})
softmax({x}, {axis})                log_softmax({x}, {axis})    logsumexp({x}, {axis})
np.trapezoid({x}, axis={axis})      np.sum({x} * {x}, {where})  np.quantile({x}, 0.3, axis={axis})
np.linalg.inv({x}.T @ {x} + 2 * np.eye({columns}))
np.linalg.solve({x}.T @ {x} + np.eye({columns}), {x}.T)
np.linalg.slogdet({x}.T @ {x} + np.eye({columns}))[1]
np.linalg.det({x}.T @ {x} / 4 + np.eye({columns}))
np.linalg.cholesky({x}.T @ {x} + np.eye({columns}))
"""
NEED_LENGTHS = (
    "convolve",
    "squeeze",
    "edge",
    "split",
    "median",
    "quantile",
    "columns",
    "kron",
    "diag(",
)

MAKES_ONE = ("keepdims", "None", "expand_dims", "reshape", "broadcast_to", "stack")


def rows(table):
    """The operations of a table; two spaces or more part those that share a line."""
    return [row.strip() for line in table.splitlines() for row in line.split("  ") if row.strip()]


MASKED = "{x}[np.greater({x}, 0.1)]"
OPERATIONS = [*rows(ELEMENTWISE), *rows(BINARY), *rows(SHAPES), *rows(REDUCTIONS)]
KEYS = """1: | :-1 | ::-1 | ::2 | 0 | -1 | ..., 0 | None | ..., None | :, 1: | 1:, ::2 | -2:
          ..., ::-2 | 0, 1: | :, None | :, -1""".replace("\n", "|").split("|")
PLACES = """[0, 1, 1] | [0, -1] | [[0, 1], [1, 0]] | :, [1, 0, 1] | [0, 1], [1, 0] | ..., [0, 0]
            [[0], [1]], [0, 1] | 0, [1, 1] | None, [1, 0] | [1, 0], 1:""".replace("\n", "|").split(
    "|"
)


def shapes_of(shape):
    """Other shapes for the same entries."""
    size = int(np.prod(shape))
    halves = [(2, -1), (-1, 2)] if size % 2 == 0 else []
    return [(-1,), shape[::-1], (1, *shape), (*shape, 1), *halves]


def axes_or_none(shape):
    one = range(-len(shape), len(shape))
    given = [None, *one, *([(0, -1)] if len(shape) > 1 else [])]
    return [f"axis={k}{keep}" for k in given for keep in ("", ", keepdims=True")]


FILLED = {
    "axis": lambda shape: range(-len(shape), len(shape)),
    "axes": lambda shape: list(permutations(range(len(shape)))),
    "where": axes_or_none,
    "shape": shapes_of,
    "longer": lambda shape: [(2, *shape), (1, *shape)],
    "shift": lambda shape: [1, -1],
    "columns": lambda shape: shape[1:],
    "key": lambda shape: [f"np.s_[{key.strip()}]" for key in KEYS],
    "places": lambda shape: [f"np.s_[{key.strip()}]" for key in PLACES],
}


def written(operation, x, y, shape, choice):
    """The operation on x and y, its places filled as the number `choice` says; None if it has no
    way to be filled."""
    found = {"x": x, "y": y}
    for place, options in FILLED.items():
        if "{" + place + "}" in operation:
            ways = options(shape)
            if not ways:
                return None
            choice, k = divmod(choice, len(ways))
            found[place] = ways[k]
    return operation.format(**found)


# ---- three ways to run a program


def put(x, key, value):
    x = np.array(x)
    x[key] = value
    return x


def add_at(x, key, value):
    x = np.array(x)
    np.add.at(x, key, np.broadcast_to(value, x[key].shape))  # add.at may crash without
    return x


NUMPY = {
    "np": np, "special": special, "softmax": special.softmax, "log_softmax": special.log_softmax,
    "logsumexp": special.logsumexp, "put": put, "add_at": add_at,
}  # fmt: skip
OURS = {
    "np": np, "special": special, "softmax": ad.softmax, "log_softmax": ad.log_softmax,
    "logsumexp": ad.logsumexp, "put": lambda x, key, value: x.at[key].set(value),
    "add_at": lambda x, key, value: x.at[key].add(value),
}  # fmt: skip


class Kink(ValueError):
    """A value so near to a kink or a tie that no derivative can be asked for."""


def away(distance, result):
    if np.size(distance) and np.min(np.abs(distance)) < 1e-4:
        raise Kink
    return result


def gaps(x, axis):
    """The distances between neighbours in order."""
    flat = np.ravel(x) if axis is None else np.moveaxis(x, axis, -1)
    flat = flat.reshape(*flat.shape[: flat.ndim - np.size(axis)], -1)
    return np.diff(np.sort(flat))


def in_order(function):
    """A function of an array's order, kept away from ties."""

    def watched(x, *args, axis=-1 if function in (np.sort, np.argsort) else None, **options):
        axis = args[-1] if args and function is not np.quantile else axis
        return away(gaps(x, axis), function(x, *args[:-1], axis=axis, **options))

    return watched


class Watched:
    """NumPy, with functions that refuse to be near a kink."""

    maximum = staticmethod(lambda x, y: away(np.subtract(x, y), np.maximum(x, y)))
    minimum = staticmethod(lambda x, y: away(np.subtract(x, y), np.minimum(x, y)))
    greater = staticmethod(lambda x, y: away(np.subtract(x, y), np.greater(x, y)))
    less = staticmethod(lambda x, y: away(np.subtract(x, y), np.less(x, y)))
    abs = staticmethod(lambda x: away(x, np.abs(x)))
    sign = staticmethod(lambda x: away(x, np.sign(x)))
    floor = staticmethod(lambda x: away(x - np.rint(x), np.floor(x)))
    clip = staticmethod(lambda x, a, b: away((x - a) * (x - b), np.clip(x, a, b)))
    hypot = staticmethod(lambda x, y: away(np.hypot(x, y), np.hypot(x, y)))
    copysign = staticmethod(lambda x, y: away(np.multiply(x, y), np.copysign(x, y)))
    remainder = staticmethod(lambda x, y: away(x / y - np.rint(x / y), np.remainder(x, y)))
    std = staticmethod(lambda x, **where: away(np.std(x, **where), np.std(x, **where)))
    max, min, ptp, argmax, sort, argsort, median = map(
        staticmethod,
        map(in_order, (np.max, np.min, np.ptp, np.argmax, np.sort, np.argsort, np.median)),
    )
    quantile = staticmethod(lambda x, q, axis: away(gaps(x, axis), np.quantile(x, q, axis=axis)))

    class linalg:
        norm = staticmethod(
            lambda x, **axis: away(np.linalg.norm(x, **axis), np.linalg.norm(x, **axis))
        )
        inv, solve, slogdet = np.linalg.inv, np.linalg.solve, np.linalg.slogdet
        det, cholesky = np.linalg.det, np.linalg.cholesky

    def __getattr__(self, name):
        return getattr(np, name)


WATCHED = {**NUMPY, "np": Watched()}


# ---- programs


class Program(NamedTuple):
    """f(x0, x1, ...), the shapes with which its inputs are declared, and values for them."""

    lines: tuple[str, ...]
    outputs: tuple[str, ...]
    declared: tuple[tuple, ...]
    values: tuple[np.ndarray, ...]

    @property
    def source(self):
        head = f"def f({', '.join(f'x{k}' for k in range(len(self.values)))}):"
        return "\n    ".join([head, *self.lines, f"return [{', '.join(self.outputs)}]"])

    def cast(self, dtype):
        """Its values in another dtype."""
        return [np.asarray(x, dtype) for x in self.values]

    def __repr__(self):
        """The program as one can paste it into a test."""
        values = ", ".join(np.array_repr(np.asarray(v)).replace("\n", "") for v in self.values)
        return f"\n{self.source}\ndeclared = {self.declared}\nvalues = [{values}]\n"

    def within(self, names):
        """The function f, where these names are bound."""
        space = dict(names)
        exec(self.source, space)
        return space["f"]


INPUTS = [
    ((3, 4), (3, 4)), ((4,), (4,)), ((), ()), ((1, 4), (1, 4)), ((2, 3, 4), (2, 3, 4)),
    ((3, 1), (3, 1)), ((4, 4), (4, 4)), ((5,), (5,)), ((3, 4), (None, 4)), ((3, 4), (3, None)),
    ((3, 4), (None, None)), ((4,), (None,)), ((3, 1), (None, 1)), ((2, 3, 4), (None, 3, None)),
]  # fmt: skip
LINES = range(5, 16)


class Writer:
    """A program as it grows: the value of each name, and which have a length not known."""

    def __init__(self, values, declared):
        self.values = {f"x{k}": v for k, v in enumerate(values)}
        self.vague = {f"x{k}" for k, shape in enumerate(declared) if None in shape}
        self.lines, self.used = [], set()

    def add(self, operation, back, other, choice):
        """One more line on a late value and, where two are needed, the first that fits."""
        names = list(self.values)
        x = names[-1 - back % len(names)]
        turned = names[other % len(names) :] + names[: other % len(names)]
        for y in turned if "{y}" in operation else [x]:
            text = written(operation, x, y, np.shape(self.values[x]), choice)
            vague = bool(self.vague & {x, y}) or operation == MASKED
            ones = 0 if operation == MASKED else np.shape(self.values[x]).count(1)
            if text and self.allowed(operation, x, y) and self.take(text, ones if vague else 9):
                self.used |= {x, y}
                if vague:
                    self.vague.add(list(self.values)[-1])
                return

    def allowed(self, operation, x, y):
        if not np.ndim(self.values[x]) and operation == MASKED:
            return False  # a truth value is not an index
        lengths_told = not self.vague & {x, y}
        return lengths_told or not any(word in operation for word in NEED_LENGTHS)

    def take(self, text, ones):
        """Keep the line if NumPy has a value for it, a harmless one, with at most so many lengths
        of 1: one that was not known would stretch in NumPy alone."""
        try:
            with np.errstate(all="ignore"):
                value = eval(text, WATCHED, self.values)
        except (ValueError, IndexError, TypeError, np.linalg.LinAlgError):
            return False
        if not 1 <= np.size(value) <= 100 or np.ndim(value) > 4 or not np.all(np.abs(value) < 30):
            return False
        if np.shape(value).count(1) > ones and not any(word in text for word in MAKES_ONE):
            return False
        name = f"v{len(self.lines)}"
        self.lines.append(f"{name} = {text}")
        self.values[name] = value
        return True


@st.composite
def programs(draw):
    inputs = draw(st.lists(st.sampled_from(INPUTS), min_size=2, max_size=4))
    rng = np.random.default_rng(draw(st.integers(0, 2**16)))
    length = draw(st.sampled_from(LINES))
    step = st.tuples(
        st.sampled_from(OPERATIONS), st.integers(0, 3), st.integers(0, 9), st.integers(0, 10**4)
    )
    values = tuple(rng.uniform(-2, 2, shape) for shape, _ in inputs)
    declared = tuple(shape for _, shape in inputs)
    writer = Writer(values, declared)
    for operation, back, other, choice in draw(st.lists(step, min_size=length, max_size=30)):
        if len(writer.lines) < length:
            writer.add(operation, back, other, choice)
    assume(len(writer.lines) >= LINES[0])
    outputs = [name for name in writer.values if name.startswith("v") and name not in writer.used]
    return Program(tuple(writer.lines), tuple(outputs), declared, values)
