"""Derivatives of branches: those of the side that is taken, in all modes and orders."""

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu.nested import Branch
from tests.helpers.boxes import run
from tests.helpers.depth import draws, some

x, y, v = ad.scalar("x"), ad.scalar("y"), ad.vector("v")
SIDES = {  # what a branch chooses between, the slopes of both, and those of these
    "formulas": (lambda x: ad.sqrt(x), lambda x: x**3, lambda x: 0.5 / np.sqrt(x),
                 lambda x: 3 * x**2, lambda x: -0.25 * x**-1.5, lambda x: 6 * x),
    "one side is constant": (lambda x: 7.0, lambda x: ad.exp(x), lambda x: 0.0, np.exp,
                             lambda x: 0.0, np.exp),
    "a side that is handed through": (lambda x: x, lambda x: -x, lambda x: 1.0, lambda x: -1.0,
                                      lambda x: 0.0, lambda x: 0.0),
}  # fmt: skip


POINTS = [2.0, 0.5, 1e-9, 0.0, -1e-9, -1.5]


@pytest.mark.parametrize(
    "name, at",
    [(name, at) for k, name in some(enumerate(SIDES), 2) for at in some(POINTS, 3, turn=k)],
)
def test_first_and_second_order_in_all_modes(name, at):
    first, second, da, db, dda, ddb = SIDES[name]
    e = ad.cond(x > 0, first(x), second(x))
    slope, bend = (da(at), dda(at)) if at > 0 else (db(at), ddb(at))
    ways = [ad.grad(e, x), ad.forward_mode(e, x).output, ad.symbolic_derivative(e, x).output,
            ad.pushforward(e, x, 1.0)]  # fmt: skip
    for found in ways:
        np.testing.assert_allclose(run(found, x=at), slope, rtol=1e-14)
        for again in (ad.forward_mode(found, x).output, ad.symbolic_derivative(found, x).output,
                      ad.grad(found, x, disconnected_inputs="ignore")):  # fmt: skip
            np.testing.assert_allclose(run(again, x=at), bend, rtol=1e-14)


@pytest.mark.parametrize("at", [1.0, -1.0])
def test_third_order(at):
    e = ad.cond(x > 0, x**4, ad.sin(x) * x**3)
    third = ad.grad(ad.grad(ad.grad(e, x), x), x)
    f = ad.function([x], ad.grad(ad.grad(e, x), x))
    h = 1e-6
    np.testing.assert_allclose(run(third, x=at), (f(at + h) - f(at - h)) / (2 * h), rtol=1e-7)


@pytest.mark.parametrize("lengths", some(["unknown", "known"], 2))
@pytest.mark.parametrize("at", some([1.0, -1.0], 2))
def test_against_differences(at, lengths):
    """Arrays, several results, a condition of a sum, a branch in a branch, with other things."""

    def f(x, v, w):
        total = ad.sum(v)
        a, b = ad.cond(total * x > 0, (ad.exp(v) * x, w @ v), (v * v, ad.sum(ad.sin(w)) * v))
        c = ad.cond(total > 2, ad.cond(x > 0, ad.sum(a * b), x), ad.sum(b**2) * x)
        return c * c + ad.sum(a)

    rng, n = np.random.default_rng(1), 3 if lengths == "known" else None
    for scale in some((0.4, 2.0), 2, turn=at > 0):
        values = [np.array(at), scale * rng.uniform(0.5, 1.5, 3), rng.normal(size=(3, 3))]
        ad.verify_grad(f, values)
        symbols = [x, ad.vector("v", shape=n), ad.matrix("w", shape=(n, n))]
        e = f(*symbols)
        grads = ad.function(symbols, ad.grad(e, symbols))(*values)
        rows = [ad.function(symbols, ad.jacobian(e, s, mode="forward"))(*values) for s in symbols]
        for one, other in zip(grads, rows, strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-12)
        second = ad.function(symbols, ad.hessian(e, symbols[1]))(*values)
        np.testing.assert_allclose(second, second.T, rtol=1e-10, atol=1e-12)
        slope = ad.function(symbols, ad.grad(e, symbols[1]))
        for k in range(3):
            step = np.eye(3)[k] * 1e-6
            near = [slope(values[0], values[1] + s, values[2]) for s in (step, -step)]
            np.testing.assert_allclose(second[k], (near[0] - near[1]) / 2e-6, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("at", some([-1.0, 0.0], 2))
def test_no_nan_of_the_other_side(at):
    """Also below a matrix product, where `where` gives nan: 0 · inf."""
    sides = ad.sqrt(x), ad.log(x), x**0.5 * ad.log(x), 1 / ad.maximum(x, 0)
    for side in some(sides, 2, turn=at == 0):
        for e in (ad.cond(x > 0, side, x), ad.cond(x <= 0, x, side)):
            assert run(ad.grad(e, x), x=at) == run(ad.forward_mode(e, x).output, x=at) == 1
            assert run(ad.hessian(e, x), x=at) == 0
    product = ad.stack([x, 1.0]) @ ad.stack([ad.log(x), 1.0])
    assert run(ad.grad(ad.cond(x > 0, product, x), x), x=at) == 1
    assert np.isnan(run(ad.grad(ad.where(x > 0, product, x), x), x=at))


def test_simplification_before_the_derivative_changes_no_slope():
    """What stands outside too is not moved there while derivatives may follow."""
    e = ad.cond(x > 0, ad.sqrt(x), 0.0)
    chosen, root = ad.simplify([e, ad.sqrt(x)]).outputs
    assert run(ad.grad(chosen, x), x=0.0) == 0
    assert run(root, x=4.0) == 2


def test_derivatives_are_branches():
    e = ad.cond(x > 0, ad.sqrt(x), ad.sin(x))
    slope = ad.grad(e, x)
    assert isinstance(slope.op, Branch) and slope.op.name == "pullback of cond"
    assert isinstance(ad.forward_mode(e, x).output.op, Branch)
    assert ad.function([x], slope).source.count("if condition") == 1


def test_what_no_side_depends_on():
    e = ad.cond(x > 0, y * y, 3.0)
    with pytest.raises(ad.DisconnectedInputError, match="its condition only decides which side"):
        ad.grad(e, x)
    assert ad.grad(e, x, disconnected_inputs="ignore").exact
    assert run(ad.grad(e, y), x=1.0, y=3.0) == 6 and run(ad.grad(e, y), x=-1.0, y=3.0) == 0


def test_a_result_that_takes_no_part():
    a, b = ad.cond(x > 0, (x * y, y * y), (x + y, ad.sqrt(y)))
    assert run(ad.grad(a, y), x=3.0, y=-1.0) == 3
    assert run(ad.grad(a, y), x=-3.0, y=-1.0) == 1  # and not the root of −1
    assert run(ad.grad(a + b, y), x=-3.0, y=4.0) == 1.25


def test_where_a_path_ends_and_where_none_exists():
    steps = ad.cond(x > 0, ad.floor(x), ad.floor(-x))
    with pytest.raises(ad.DisconnectedInputError, match="every path ends at floor"):
        ad.grad(steps, x)
    undefined = ad.cond(x > 0, ad.undefined_grad(x, "it is a test"), x)
    with pytest.raises(ad.NullTypeGradError, match="cond ← undefined_grad.*it is a test"):
        ad.grad(undefined, x)


def test_gates_and_boxes_inside():
    clipped = ad.cond(x > 0, ad.grad_clip(x, -1, 1) ** 2, ad.disconnected_grad(x) * x)
    assert run(ad.grad(clipped, x), x=4.0) == 1 and run(ad.grad(clipped, x), x=-4.0) == -4
    box = ad.OpFromGraph([y], y * y, pullback=lambda i, o, ct: [ct[0] * 100], name="f")
    boxed = ad.cond(x > 0, box(x), x)
    assert run(ad.grad(boxed, x), x=2.0) == 100 and run(ad.grad(boxed, x), x=-2.0) == 1
    a = ad.wild("a")
    stage = ad.override_gradient(ad.cond(x > 0, ad.sqrt(x), x), ad.sqrt(a), lambda f, y, ct: 7 * ct)
    assert run(ad.grad(stage.output, x), x=4.0) == 7 and run(ad.grad(stage.output, x), x=-4.0) == 1


def test_a_branch_in_boxes():
    inside = ad.OpFromGraph([x, y], ad.cond(x > y, x * y, ad.exp(x)))
    assert run(ad.grad(inside(x, y), x), x=3.0, y=2.0) == 2
    saved = ad.checkpoint(lambda x: ad.cond(x > 0, ad.sin(x * x), x))(x)
    np.testing.assert_allclose(run(ad.grad(saved, x), x=2.0), 4 * np.cos(4))


@pytest.mark.each("at", [(True, 2.0, [1.0, -2.0]), (False, 2.0, [1.0, -2.0])])
def test_the_operation_passes_its_own_check(at):
    found = ad.cond(x > 0, (ad.exp(v) * x, ad.sum(v * v)), (v * v, x * x))
    report = found[0].inputs[0].op.check(*map(np.asarray, at))
    assert report and not report.findings, report
    assert len([line for line in str(report).splitlines() if "  right" in line]) == 6


def test_traced_functions():
    def f(x, v):
        return ad.cond(x > ad.sum(v), lambda: ad.sum(np.exp(v)) * x, lambda: np.dot(v, v))

    value, slope = ad.value_and_grad(f, argnums=1)(9.0, np.array([1.0, 2.0]))
    np.testing.assert_allclose(slope, 9 * np.exp([1, 2]))
    np.testing.assert_allclose(ad.grad(f, argnums=1)(1.0, np.array([1.0, 2.0])), [2, 4])
    np.testing.assert_allclose(ad.hessian(f, argnums=1)(1.0, np.array([1.0, 2.0])), 2 * np.eye(2))


OF_A_VECTOR = [
    lambda x: x[1:], lambda x: x * x, lambda x: ad.exp(x[::2]), lambda x: ad.concatenate([x, x]),
    lambda x: x[:2] * x.sum(),
]  # fmt: skip


@pytest.mark.parametrize("seed", range(draws(12)))
def test_lengths_of_two_sides_may_differ_and_become_known(seed):
    rng = np.random.default_rng(seed)
    sides = [OF_A_VECTOR[k] for k in rng.integers(len(OF_A_VECTOR), size=2)]
    value, t = rng.normal(size=(2, 5))
    x, p = ad.vector("x"), ad.scalar("p")
    y = ad.sum(ad.sin(ad.cond(p > 0, *[side(x) for side in sides])))
    outputs = [y, *ad.forward_mode([y], [x], [ad.constant(t)]).outputs, ad.grad(y, x)]
    for at, side in zip((1.0, -1.0), sides):
        alone, slope = ad.value_and_grad(lambda x, side=side: ad.sum(ad.sin(side(x))))(value)
        for mode in (None, "ieee", "safe"):
            found = ad.function([x, p], outputs, simplify=mode)(value, at)
            for a, b in zip(found, (alone, slope @ t, slope), strict=True):
                np.testing.assert_allclose(a, b, rtol=1e-12, atol=1e-14)
        told = ad.function(p, y, givens={x: ad.constant(value)})(at)
        np.testing.assert_allclose(told, alone, rtol=1e-12)
