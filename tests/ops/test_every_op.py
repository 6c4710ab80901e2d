"""One test over every operation: what is derived from its statement agrees with its value.

Letters: e an example, xs its inputs, ys its results, at the values of the inputs, ts tangents,
us cotangents.
"""

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu.expr import constant, evaluate_all
from autodiff_edu.ops import OPS
from tests.helpers.depth import some
from tests.helpers.examples import EXAMPLES, inputs_for
from tests.helpers.numerics import (
    SMOOTH,
    UNDEFINED,
    all_close,
    along,
    at_random,
    floats,
    forward,
    inner,
    is_smooth,
    normal_like,
    of_lengths,
    over,
    reverse,
    smooth,
    smooth_of_lengths,
    values_of,
)

pytestmark = pytest.mark.numeric

DTYPES = ("float64", "float32", "float16", "int64", "int32", "uint8", "bool")
LENGTHS = ("all", "first", "last", "none")  # how many lengths are known


def fresh():
    """The same numbers for each case of a test."""
    return np.random.default_rng(7)


# ---- what an operation says of itself


def test_every_op_has_an_example():
    ours = {n for n, op in OPS.items() if op.body.__module__.startswith("autodiff_edu.")}
    assert ours - {e.name for e in EXAMPLES} == set()


@pytest.mark.each("name", some(list(OPS), 3))
def test_every_op_says_what_it_is(name):
    op = OPS[name]
    assert op.label and op.__doc__.split("\n\n")[0].endswith((".", "?"))
    assert bool(op.nondifferentiable) != bool(op.differentiable(op.arity or 1))


# ---- types


def sized_by_values(e, at):
    """Do values, and not lengths alone, tell the length of the result?"""
    count = any(v.dtype.kind == "i" and not v.ndim for v in at.values())
    return count or e.name in ("places", "repeated_places")


@over(some(EXAMPLES, 3))
def test_inferred_type_is_that_of_the_value(e):
    for known in LENGTHS:
        _, ys, at = at_random(e, fresh(), known)
        for y, value in zip(ys, values_of(ys, at)):
            assert value.dtype == y.dtype and y.type.fits(value.shape), known
            assert y.type.known or known != "all" or sized_by_values(e, at)


@over(some(EXAMPLES, 6, turn=1))
def test_dtypes_are_numpys(e):
    for dtype in DTYPES:
        check_dtypes(e, dtype, fresh())


def check_dtypes(e, dtype, rng):
    """For a dtype of the float operands, the derivative's too. NumPy's refusal is ours."""
    values = [v.astype(dtype) if v.dtype == float else v for v in e.values(rng)]
    xs = inputs_for(values)
    try:
        ys = e.build(xs)
    except TypeError:
        with pytest.raises(TypeError):
            OPS[e.name].body(*values, **dict(OPS[e.name].normalize_static(xs, e.static)))
        return
    try:
        found = evaluate_all(ys, dict(zip(xs, values)))
    except np.linalg.LinAlgError:
        with pytest.raises(np.linalg.LinAlgError):  # rounding has made the matrix singular
            OPS[e.name].body(*values, **dict(OPS[e.name].normalize_static(xs, e.static)))
        return
    assert [y.dtype for y in ys] == [np.asarray(found[y]).dtype for y in ys], dtype
    if floats(xs) and not OPS[e.name].nondifferentiable and e.name not in UNDEFINED:
        gradient = ad.reverse_mode(floats(ys), floats(xs)).outputs
        slopes = evaluate_all(gradient, dict(zip(xs, values)))
        for x, g in zip(floats(xs), gradient):
            assert x.dtype == g.dtype == np.asarray(slopes[g]).dtype, dtype


# ---- derivatives


@smooth_of_lengths
def test_forward_reverse_and_finite_differences_agree(e, known, rng):
    xs, ys, at = at_random(e, rng, known)
    moving = floats(xs)
    us, ts = normal_like(rng, values_of(ys, at)), normal_like(rng, [at[x] for x in moving])
    tangents, gradient = forward(ys, moving, ts), reverse(ys, moving, us)
    pushed, pulled = values_of(tangents, at), values_of(gradient, at)
    all_close(pushed, along(ys, at, moving, ts), 1e-6, 1e-7)
    all_close([inner(us, pushed)], [inner(pulled, ts)])
    assert [v.shape for v in pulled] == [at[x].shape for x in moving]
    if known == "all" and not sized_by_values(e, at):
        pairs = [*zip(tangents, ys), *zip(gradient, moving)]
        assert all(d.type is n.type for d, n in pairs)


@over(some(SMOOTH, 3, turn=2))
def test_symbolic_agrees_with_forward(e, rng):
    xs, ys, at = at_random(e, rng)
    for x in floats(xs):
        (t,) = normal_like(rng, [at[x]])
        stage = ad.symbolic_derivative(ys, x)
        changes = {i: t for i in stage.after.inputs if i.name == f"d{x.name}"}
        scale = 1 if x.ndim else t
        symbolic = [s * scale for s in values_of(stage.outputs, at | changes)]
        all_close(symbolic, values_of(forward(ys, [x], [t]), at))


@of_lengths(some(SMOOTH, 6, turn=1))
def test_second_derivatives_agree_with_finite_differences(e, known, rng):
    xs, ys, at = at_random(e, rng, known)
    moving = floats(xs)
    us = normal_like(rng, values_of(ys, at))
    ts, ws = (normal_like(rng, [at[x] for x in moving]) for _ in range(2))
    cost = sum(ad.sum(y * y * constant(u)) for y, u in zip(ys, us))
    slope = sum(ad.sum(g * constant(w)) for g, w in zip(ad.reverse_mode(cost, moving).outputs, ws))
    pulled = inner(values_of(ad.reverse_mode(slope, moving).outputs, at), ts)
    all_close([pulled], values_of(forward([slope], moving, ts), at))
    all_close([pulled], along([slope], at, moving, ts), 1e-5, 1e-6)


@smooth
def test_every_float_operand_is_connected(e, rng):
    xs, ys, _ = at_random(e, rng)
    passing = [xs[k] for k in OPS[e.name].differentiable(len(xs))]
    ad.grad(sum(map(ad.sum, ys)), floats(passing), disconnected_inputs="raise")


@over([e for e in EXAMPLES if OPS[e.name].nondifferentiable])
def test_where_no_derivative_passes_the_error_says_why(e, rng):
    xs, (y,), at = at_random(e, rng)
    for x in floats(xs):
        with pytest.raises(ad.DisconnectedInputError, match=OPS[e.name].nondifferentiable):
            ad.grad(ad.sum(y.astype("float64")), x)
        assert not np.any(ad.evaluate(ad.forward_mode(y, x).output, at))


# ---- programs


@of_lengths(some(EXAMPLES, 6, turn=2))
def test_generated_source_and_simplification_keep_values(e, known, rng):
    xs, ys, at = at_random(e, rng, known)
    if is_smooth(e):
        us = normal_like(rng, values_of(ys, at))
        ys = [*ys, *reverse(ys, floats(xs), us)]
    expected = values_of(ys, at)
    for mode in some((None, "ieee", "safe", "real"), 2, turn=known == "all"):
        found = ad.function(xs, ys, simplify=mode, on_unused_input="ignore")(*at.values())
        all_close(found, expected, 1e-14 if mode is None else 1e-11, 1e-12)
        assert [np.asarray(v).dtype for v in found] == [v.dtype for v in expected], mode


@over(some(EXAMPLES, 6))
def test_programs_overwrite_nothing_that_is_still_seen(e, rng):
    """Operands that die, and whose arrays are free for the next operation, may be seen through
    a view; results belong to the caller."""
    xs = inputs_for(e.values(rng))
    at = dict(zip(xs, e.values(rng)))
    fresh = [x + 0 if x.type.is_float else x for x in xs]
    outputs = [*e.build(fresh), *[f * 2 for f in floats(fresh)]]
    found = ad.function(xs, outputs, simplify=None, on_unused_input="ignore")(*at.values())
    all_close(found, values_of(outputs, at), 1e-14, 0)
    for v in map(np.asarray, found):
        assert v.flags.writeable and not any(np.shares_memory(v, a) for a in at.values())


@pytest.mark.each("name", [n for n, op in OPS.items() if op.arity == 1 and op.elementwise])
def test_values_of_special_points_are_numpys(name):
    x, op = ad.vector("x", shape=6), OPS[name]
    special = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1e308])
    try:
        node = op(x)
    except TypeError:
        with pytest.raises(TypeError):  # not for floats
            op.body(special)
        return
    with np.errstate(all="ignore"):
        expected = op.perform(special)
    np.testing.assert_array_equal(evaluate_all([node], {x: special})[node], expected)
