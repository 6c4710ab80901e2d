"""Random programs with gates and overrides, against a tape that applies each rule where the program
says so: once for every use and every step. Rules that clip show where cotangents were added first.
"""

import numpy as np
import pytest

import autodiff_edu as ad
from tests.helpers.depth import draws, some

clip = {"low": -0.4, "high": 0.4}
x, y = ad.vector("x", shape=(2,)), ad.vector("y", shape=(2,))


class Own(ad.Op):
    """An operation of one's own."""

    overrides = True

    def infer_type(self, x):
        return x

    def perform(self, x):
        return 2 * x

    def pullback(self, inputs, outputs, cotangents):
        return [ad.clip(cotangents[0], **clip)]


@ad.custom_gradient
def custom(x):
    return x * x, lambda ct: ad.clip(ct, **clip) * x


def clipped(ct):
    return np.clip(ct, -0.4, 0.4)


# ---- operations: of expressions, of arrays, and what an array's rule makes of a cotangent

ONE = {
    "grad_clip": (lambda x: ad.grad_clip(x, **clip), lambda x: x, lambda ct, x: clipped(ct)),
    "grad_scale": (lambda x: ad.grad_scale(x, 2.0), lambda x: x, lambda ct, x: 2 * ct),
    "zero_grad": (ad.zero_grad, lambda x: x, lambda ct, x: 0 * ct),
    "own": (Own(), lambda x: 2 * x, lambda ct, x: clipped(ct)),
    "custom": (custom, lambda x: x * x, lambda ct, x: clipped(ct) * x),
    "sin": (ad.sin, np.sin, lambda ct, x: ct * np.cos(x)),
}
TWO = {
    "add": (lambda x, y: x + y, lambda ct, x, y: (ct, ct)),
    "multiply": (lambda x, y: x * y, lambda ct, x, y: (ct * y, ct * x)),
}


def random_program(rng):
    """Operations and the places of their operands, often the same ones twice."""
    rows = []
    for n in range(2, 2 + rng.integers(2, 7)):
        word = rng.choice([*ONE, *TWO, "add"])
        rows.append((word, rng.integers(n, size=1 + (word in TWO)).tolist()))
    return rows


def written(program, x, y):
    """The program in expressions."""
    found = [x, y]
    for word, places in program:
        f = ONE[word][0] if word in ONE else TWO[word][0]
        found.append(f(*[found[k] for k in places]))
    return found[-1] * 0.5


def run(program, x, y):
    """The program in arrays, and its pullback."""
    found = [x, y]
    for word, places in program:
        f = ONE[word][1] if word in ONE else TWO[word][0]
        found.append(f(*[found[k] for k in places]))

    def pullback(ct):
        adjoint = [np.zeros(2) for _ in found]
        adjoint[-1] = 0.5 * ct
        for k, (word, places) in reversed(list(enumerate(program, 2))):
            rule = ONE[word][2] if word in ONE else TWO[word][1]
            told = rule(adjoint[k], *[found[p] for p in places])
            for p, change in zip(places, told if word in TWO else [told], strict=True):
                adjoint[p] = adjoint[p] + change
        return adjoint[:2]

    return found[-1] * 0.5, pullback


# ---- where a program stands: each pair is the value, and the gradient by the tape


def plain(program):
    def slopes(x, y):
        return run(program, x, y)[1](np.ones(2))

    return written(program, x, y), slopes


def twice_in_a_box(program):
    box = ad.OpFromGraph([x, y], written(program, x, y), name="box")
    return box(x, y) + box(x, y), lambda *at: [2 * g for g in plain(program)[1](*at)]


def twice_computed_again(program):
    f = ad.checkpoint(lambda x, y: written(program, x, y))
    return f(x, y) + f(x, y), lambda *at: [2 * g for g in plain(program)[1](*at)]


def on_one_side(program):
    sides = (lambda: written(program, x, y)), (lambda: x)
    return ad.cond(x[0] < 9, *sides) + ad.cond(x[0] < 9, *sides), twice_in_a_box(program)[1]


def in_a_loop(program):
    """The first operand is the state, the second is the same at all steps."""
    states = ad.scan(lambda s: ad.tanh(written(program, s, y)), outputs_info=x, n_steps=3)

    def slopes(s, y):
        steps = []
        for _ in range(3):
            value, pullback = run(program, s, y)
            s = np.tanh(value)
            steps.append((s, pullback))
        ct, total = np.ones(2), np.zeros(2)
        for s, pullback in reversed(steps):
            ct, more = pullback(ct * (1 - s * s))
            total = total + more
        return ct, total

    return states[-1], slopes


def in_rows(program):
    """Nothing waits for a state; the second operand is the same at all steps."""
    rows = ad.scan(lambda x: written(program, x, y), sequences=ad.stack([x, x, x]))
    return ad.sum(rows, axis=0), lambda *at: [3 * g for g in plain(program)[1](*at)]


PLACES = plain, twice_in_a_box, twice_computed_again, on_one_side, in_a_loop, in_rows


@pytest.mark.parametrize("place", some(PLACES, 4))
def test_rules_are_applied_once_for_every_use(place, rng):
    for _ in range(draws(30)):
        program, at = random_program(rng), rng.normal(size=(2, 2))
        value, slopes = place(program)
        cost, expected = ad.sum(value), slopes(*at)
        simplified = ad.simplify(cost, mode=str(rng.choice(["ieee", "safe", "real"]))).output
        for e in (cost, simplified):
            found = ad.grad(e, [x, y], disconnected_inputs="ignore")
            run = ad.function([x, y], found, on_unused_input="ignore")
            np.testing.assert_allclose(
                run(*at), expected, rtol=1e-9, atol=1e-12, err_msg=f"{program}"
            )


@pytest.mark.each("gate", [ONE[word][0] for word in ("grad_clip", "own", "custom")])
def test_what_was_made_before_a_loop_is_not_of_its_steps(gate):
    """It stands there once, and so do all cotangents, added."""
    before = gate(y)
    for step, expected in ((lambda s: s + before, 0.4), (lambda s: s + gate(y), 1.2)):
        last = ad.scan(step, outputs_info=x, n_steps=3)[-1]
        for e in (last, ad.simplify(last).output, ad.unroll(last).output):
            found = ad.evaluate(ad.grad(ad.sum(e), y), {x: np.zeros(2), y: np.ones(2)})
            np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_what_is_rebuilt_in_a_step_is_of_that_step():
    """A gate in a batch, whose operand is put in after the batch is made."""

    def step(s):
        return s + ad.sum(ad.vectorize(lambda a: ad.grad_clip(a, **clip))(ad.stack([y, y])), axis=0)

    last = ad.scan(step, outputs_info=x, n_steps=3)[-1]
    found = ad.evaluate(ad.grad(ad.sum(last), y), {x: np.zeros(2), y: np.ones(2)})
    np.testing.assert_allclose(found, 3 * 2 * 0.4, rtol=1e-12)


def test_a_class_that_overrides_says_whether_it_merges():
    class Scaled(Own):
        merges = True

    own, scaled = Own(), Scaled()
    assert str(ad.simplify(own(y) + own(y)).output) == "Own(y) + Own(y)"
    assert str(ad.simplify(scaled(y) + scaled(y)).output) == "2 * Scaled(y)"
