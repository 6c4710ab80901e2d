"""Random programs with branches, in branches and in loops: all ways lead to one value.

The same program runs on numbers, where Python's `if` chooses, and on expressions.
"""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import autodiff_edu as ad
from tests.helpers.depth import draws

UNARY = {  # of numbers and of expressions; defined everywhere, so that only branches are sharp
    "sin": np.sin, "cos": np.cos, "tanh": np.tanh, "square": lambda e: 0.25 * e * e,
    "shift": lambda e: e - 0.375, "minus": lambda e: -e,
}  # fmt: skip
BINARY = {
    "add": lambda a, b: a + b, "times": lambda a, b: a * b, "minus": lambda a, b: a - b,
}  # fmt: skip
PARTIAL = {  # defined on one side of 0 only
    "root": (lambda e: np.sqrt(e + 0.125), lambda e: e > 0),
    "log": (lambda e: np.log(0.125 - e), lambda e: e < 0),
}  # fmt: skip
LEAVES = st.sampled_from(["x", "y", "z", 0.75, -1.25])


def extended(inner):
    unary = st.tuples(st.just("unary"), st.sampled_from(sorted(UNARY)), inner)
    binary = st.tuples(st.just("binary"), st.sampled_from(sorted(BINARY)), inner, inner)
    partial = st.tuples(st.just("partial"), st.sampled_from(sorted(PARTIAL)), inner)
    branch = st.tuples(st.just("branch"), inner, inner, inner)
    twice = st.tuples(st.just("let"), inner, inner)  # z is used inside, as often as it comes
    loop = st.tuples(st.just("loop"), inner, inner)
    return st.one_of(unary, binary, partial, branch, branch, twice, loop)


PROGRAMS = st.recursive(LEAVES, extended, max_leaves=10)
POINTS = st.tuples(*[st.sampled_from([-1.75, -0.5, 0.25, 0.625, 1.5])] * 2)


class Numbers:
    """Python itself."""

    def choose(self, p, a, b):
        return a() if p else b()

    def loop(self, step, start):
        for _ in range(3):
            start = step(start)
        return start


class Graphs:
    def choose(self, p, a, b):
        return ad.cond(p, a, b)

    def loop(self, step, start):
        return ad.scan(step, outputs_info=start + 0.0, n_steps=3)[-1]


def run(program, how, at, gaps):
    """The value, and how far conditions are from their boundary."""

    def go(e, at):
        if isinstance(e, str):
            return at[e]
        if isinstance(e, float):
            return at["x"] * 0 + e
        kind, *rest = e
        if kind == "unary":
            return UNARY[rest[0]](go(rest[1], at))
        if kind == "binary":
            return BINARY[rest[0]](go(rest[1], at), go(rest[2], at))
        if kind == "let":
            return go(rest[1], at | {"z": go(rest[0], at)})
        if kind == "loop":
            return how.loop(lambda z: np.tanh(go(rest[1], at | {"z": z})), go(rest[0], at))
        if kind == "partial":
            value = go(rest[1], at)
            gaps.append(value)
            f, holds = PARTIAL[rest[0]]
            return how.choose(holds(value), lambda: f(value), lambda: value * 0.5)
        value = go(rest[0], at)
        gaps.append(value)
        return how.choose(value > 0, lambda: go(rest[1], at), lambda: go(rest[2], at))

    return go(program, at)


@settings(deadline=None, max_examples=draws(60))
@given(PROGRAMS, POINTS)
def test_all_ways_lead_to_one_value(program, point):
    gaps = []
    with np.errstate(all="ignore"):
        expected = run(program, Numbers(), dict(zip("xyz", map(np.float64, [*point, 0.5]))), gaps)
    if not np.isfinite(expected) or min(map(abs, gaps), default=1) < 1e-3 or abs(expected) > 1e3:
        return
    x, y = ad.scalar("x"), ad.scalar("y")
    e = run(program, Graphs(), {"x": x, "y": y, "z": ad.constant(0.5)}, [])
    slopes = ad.grad(e, [x, y], disconnected_inputs="ignore")
    ahead = [ad.pushforward(e, s, 1.0, disconnected_outputs="ignore") for s in (x, y)]
    given = dict(zip((x, y), point))
    found = ad.evaluate([e, *slopes, *ahead], given)
    np.testing.assert_allclose(found[0], expected, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(found[1:3], found[3:], rtol=1e-8, atol=1e-10)
    flat = ad.unroll(e).output
    steps = ad.grad(flat, [x, y], disconnected_inputs="ignore")
    for mode in ("safe", None):
        for outputs in ([e, *slopes], [flat, *steps]):
            f = ad.function([x, y], outputs, simplify=mode, on_unused_input="ignore")
            np.testing.assert_allclose(f(*point), found[:3], rtol=1e-8, atol=1e-10)
    numerical(program, point, found[1:3])
    examples(program, point)


def examples(program, point):
    """Points that take different sides, in one batch: values, and slopes against those alone."""

    def f(x, y):
        return run(program, Graphs(), {"x": x, "y": y, "z": x * 0 + 0.5}, []) + x - y

    points, gaps = np.array([point, (-point[0], point[1]), point[::-1], point]), []
    with np.errstate(all="ignore"):
        for a, b in points:
            run(program, Numbers(), {"x": a, "y": b, "z": np.float64(0.5)}, gaps)
    if min(map(abs, gaps), default=1) < 1e-9:
        return
    alone = ad.value_and_grad(f, argnums=(0, 1))
    values, slopes = ad.vectorize(alone)(*points.T)
    for k, (a, b) in enumerate(points):
        value, slope = alone(a, b)
        np.testing.assert_allclose(values[k], value, rtol=1e-8, atol=1e-10)
        np.testing.assert_allclose([s[k] for s in slopes], slope, rtol=1e-8, atol=1e-10)


def numerical(program, point, slopes):
    """Central differences, where no condition changes between the points."""
    for k in range(2):
        values, signs = [], []
        for h in (1e-6, -1e-6):
            gaps, near = [], [*point, 0.5]
            near[k] += h
            values.append(run(program, Numbers(), dict(zip("xyz", map(np.float64, near))), gaps))
            signs.append([g > 0 for g in gaps])
        if signs[0] == signs[1] and np.abs(slopes[k]) < 1e3:
            slope = (values[0] - values[1]) / 2e-6
            np.testing.assert_allclose(slopes[k], slope, rtol=1e-4, atol=1e-5)
