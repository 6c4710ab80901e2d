"""Random recurrences: what a loop computes is what a Python loop of NumPy computes, and its
derivatives, of first and second order, are those of the loop written out.

    python -m pytest tests/nested/loops/test_loop_random.py --hypothesis-profile=nightly
"""

from typing import NamedTuple

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import autodiff_edu as ad
from tests.helpers.depth import draws

LENGTH = 3  # of the vectors
BINARY = {"add": np.add, "subtract": np.subtract, "multiply": np.multiply, "maximum": np.maximum}
UNARY = {"sin": np.sin, "tanh": np.tanh, "square": np.square, "negative": np.negative}
UNARY |= {"sum": lambda x: x.sum() if x.ndim else x, "flip": lambda x: x[::-1] if x.ndim else x}


class Program(NamedTuple):
    """A recurrence. Shapes are 0 or 1 axes; trees are leaves (numbers) or (name, tree, ...)."""

    states: list  # (ndim, taps, tree)
    slices: list  # (ndim, taps)
    others: list  # ndim
    rows: list  # trees
    steps: int
    backwards: bool
    every: int | None  # checkpoint_every
    known: bool  # are lengths known?
    seed: int


def trees():
    leaf = st.integers(0, 30)
    more = lambda t: st.one_of(
        st.tuples(st.sampled_from(sorted(UNARY)), t),
        st.tuples(st.sampled_from(sorted(BINARY)), t, t),
    )
    return st.recursive(leaf, more, max_leaves=6)


def some_taps(choices):
    return st.lists(st.sampled_from(choices), min_size=1, max_size=3, unique=True)


ndims = st.integers(0, 1)
recurrences = st.builds(
    Program,
    st.lists(st.tuples(ndims, some_taps([-1, -2, -3]), trees()), max_size=3),
    st.lists(st.tuples(ndims, some_taps([-1, 0, 2])), max_size=2),
    st.lists(ndims, min_size=1, max_size=2),
    st.lists(trees(), min_size=1, max_size=2),
    st.integers(0, 5),
    st.booleans(),
    st.one_of(st.none(), st.integers(1, 4)),
    st.booleans(),
    st.integers(0, 10**6),
)


# ---- one step, in NumPy or in expressions


def grown(tree, leaves):
    if isinstance(tree, int):
        return leaves[tree % len(leaves)]
    name, *parts = tree
    return (UNARY | BINARY)[name](*[grown(t, leaves) for t in parts])


def shaped(x, ndim):
    """x as a number or as a vector."""
    if ndim == x.ndim:
        return x * 1.0
    return x + np.zeros(LENGTH) if ndim else x.sum() / LENGTH


def step_of(p):
    def step(*leaves):
        new = [shaped(grown(tree, leaves), ndim) for ndim, _, tree in p.states]
        rows = [shaped(grown(tree, leaves), k % 2) for k, tree in enumerate(p.rows)]
        return [*new, *rows]

    return step


# ---- values


def values_for(p):
    """Sequences, first states and the others, at random."""
    rng = np.random.default_rng(p.seed)
    normal = lambda *shape: rng.normal(size=shape) * 0.7
    inner = lambda ndim: (LENGTH,) * ndim
    sequences = [normal(p.steps + reach(taps), *inner(ndim)) for ndim, taps in p.slices]
    starts = [normal(*rows_before(taps), *inner(ndim)) for ndim, taps, _ in p.states]
    return sequences, starts, [normal(*inner(ndim)) for ndim in p.others]


def rows_before(taps):
    """An axis of first rows, where they are more than the one that is given as it is."""
    return () if taps == [-1] else (-min(taps),)


def reach(taps):
    return max(0, *taps) - min(0, *taps)


def by_python(p, sequences, starts, others):
    """The outputs, by a plain loop."""
    step = step_of(p)
    past = [[x] if taps == [-1] else list(x) for x, (_, taps, _) in zip(starts, p.states)]
    rows = [[] for _ in p.rows]
    for t in range(p.steps):
        seen = []
        for x, (_, taps) in zip(sequences, p.slices):
            first = max(0, -min(taps))
            for k in taps:
                place = len(x) - 1 - max(0, *taps) - t if p.backwards else first + t
                seen.append(x[place + k])
        seen += [line[k] for line, (_, taps, _) in zip(past, p.states) for k in taps]
        found = step(*seen, *others)
        for line, new in zip([*past, *rows], found):
            line.append(np.asarray(new))
    stacked = [np.array(line[-p.steps :] if p.steps else []) for line in past]
    return stacked + [np.array(line) for line in rows]


def by_loop(p, sequences, starts, others):
    """The outputs, as expressions."""
    found = ad.scan(
        step_of(p),
        sequences=[{"input": x, "taps": taps} for x, (_, taps) in zip(sequences, p.slices)],
        outputs_info=[{"initial": x, "taps": taps} for x, (_, taps, _) in zip(starts, p.states)]
        + [None] * len(p.rows),
        non_sequences=others,
        n_steps=p.steps,
        go_backwards=p.backwards,
        checkpoint_every=p.every,
    )
    return found if isinstance(found, list) else [found]


# ---- the test


@settings(max_examples=draws(34))
@given(recurrences)
def test_random_recurrences(p):
    given = values_for(p)
    point = [v for part in given for v in part]
    xs = [ad.tensor(f"x{k}", shape=v.shape if p.known else (None,) * v.ndim)
          for k, v in enumerate(point)]  # fmt: skip
    parts = iter(xs)
    symbols = [[next(parts) for _ in part] for part in given]
    at, rng = dict(zip(xs, point)), np.random.default_rng(p.seed)
    outputs = by_loop(p, *symbols)
    plain = by_python(p, *given)
    values = several(outputs, at)
    for found, wanted in zip(values, plain, strict=True):
        assert np.size(found) == np.size(wanted)
        np.testing.assert_allclose(found, wanted.reshape(np.shape(found)), 1e-12, 1e-12)
    cost = sum((y * rng.normal(size=np.shape(v))).sum() for y, v in zip(outputs, values))
    flat = ad.unroll(cost).output
    close(several([cost], at), several([flat], at))
    first, wanted = slopes(cost, xs), slopes(flat, xs)
    known = several(wanted, at)
    close(several(first, at), known)
    close(ad.function(xs, first, on_unused_input="ignore")(*point), known)
    ahead = [ad.jacobian(cost, x, None, "ignore", "forward") for x in xs]
    close(several(ahead, at), known)
    ts = [ad.constant(rng.normal(size=np.shape(v))) for v in point]
    second, wanted = (
        ad.grad(along(g, ts), xs, disconnected_inputs="ignore") for g in (first, wanted)
    )
    close(several(second, at), several(wanted, at))
    pushed = ad.forward_mode(first, xs, ts).outputs
    close(several(pushed, at), several(second, at))
    run = ad.function(xs, second, on_unused_input="ignore")
    close(run(*point), several(second, at))


def slopes(cost, xs):
    return ad.grad(cost, xs, disconnected_inputs="ignore")


def along(gradients, ts):
    return sum((g * t).sum() for g, t in zip(gradients, ts))


def several(nodes, at):
    found = ad.evaluate(ad.Graph(nodes), at)
    return found if len(nodes) > 1 else [found]


def close(some, others):
    for a, b in zip(some, others, strict=True):
        np.testing.assert_allclose(a, b, 1e-9, 1e-11)
