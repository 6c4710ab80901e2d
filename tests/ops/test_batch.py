"""Every operation on a batch, at once and slice after slice: values, programs and derivatives."""

from itertools import chain, combinations

import numpy as np

import autodiff_edu as ad
from autodiff_edu.expr import Input, TensorType
from autodiff_edu.ops import batched
from tests.helpers.depth import some
from tests.helpers.examples import EXAMPLES, inputs_for
from tests.helpers.numerics import (
    all_close,
    at_random,
    floats,
    forward,
    inner,
    is_smooth,
    normal_like,
    of_lengths,
    over,
    reverse,
    values_of,
)


def subsets(xs):
    """Every choice of at least one input; single whole numbers are lengths and stay."""
    vary = [x for x in xs if x.type.is_float or x.ndim]
    return chain.from_iterable(combinations(vary, k) for k in range(1, len(vary) + 1))


def batch_of(xs, chosen, slices, n):
    """What stands for the chosen inputs, with a leading axis of length n, and all values."""
    longer, at = {}, {}
    for x, values in zip(xs, zip(*slices)):
        if any(x is c for c in chosen):
            longer[x] = Input(x.name.upper(), TensorType(x.dtype, (n, *x.type.shape)))
        at[longer.get(x, x)] = np.stack(values) if x in longer else values[0]
    return longer, at


@of_lengths(some(EXAMPLES, 7))
def test_batched_is_looped(e, known, rng):
    slices = [e.values(rng) for _ in range(3)]
    xs = inputs_for(slices[0], known)
    ys = e.build(xs)
    for chosen in some(subsets(xs), 2):
        longer, at = batch_of(xs, chosen, slices, 3 if known == "all" else None)
        made = batched(ys, longer)
        each = [{x: at[longer[x]][k] if x in longer else at[x] for x in xs} for k in range(3)]
        looped = [np.stack(vs) for vs in zip(*[values_of(ys, one) for one in each])]
        all_close(values_of([made[y] for y in ys], at), looped, 1e-12, 1e-12)
        program = ad.function(list(at), [made[y] for y in ys], on_unused_input="ignore")
        all_close(program(*at.values()), looped, 1e-12, 1e-12)
        if is_smooth(e):
            check_derivatives(rng, xs, ys, longer, made, at, each)


def check_derivatives(rng, xs, ys, longer, made, at, each):
    """Of a batch: those of its slices, added up for inputs that all slices share."""
    many, moving = [made[y] for y in ys], [longer.get(x, x) for x in floats(xs)]
    us, ts = normal_like(rng, values_of(many, at)), normal_like(rng, [at[x] for x in moving])
    pulled = values_of(reverse(many, moving, us), at)
    looped = [values_of(reverse(ys, floats(xs), [u[k] for u in us]), one)
              for k, one in enumerate(each)]  # fmt: skip
    totals = [np.stack(vs) if x in longer else sum(vs) for x, vs in zip(floats(xs), zip(*looped))]
    all_close(pulled, totals)
    all_close([inner(us, values_of(forward(many, moving, ts), at))], [inner(pulled, ts)])


@over(some(EXAMPLES, 7, turn=1))
def test_a_batch_may_have_no_slices(e, rng):
    xs, ys, values = at_random(e, rng)
    chosen = [x for x in xs if x.type.is_float or x.ndim]
    longer, at = batch_of(xs, chosen, [values.values()], None)
    at |= {x: at[x][:0] for x in longer.values()}
    made = batched(ys, longer)
    for y in ys if longer else ():
        value = ad.evaluate(made[y], at)
        assert value.dtype == y.dtype and made[y].type.fits(value.shape) and len(value) == 0
    if is_smooth(e):
        moving = [longer.get(x, x) for x in floats(xs)]
        gradient = values_of(ad.reverse_mode([made[y] for y in ys], moving).outputs, at)
        assert [g.shape for g in gradient] == [at[x].shape for x in moving]
