"""Derivatives of derivatives of Python functions, in every order of nesting, zero included."""

import itertools
import random

import numpy as np
import pytest
from hypothesis import settings

import autodiff_edu as ad
from autodiff_edu.differentiate import differentiated_before, vanished
from tests.helpers import depth
from tests.helpers.depth import draws

POLYNOMIALS = [
    [4.0],
    [2.0, 3.0],
    [1.0, -2.0, 5.0],
    [0.0, 1.0, 0.0, 2.0],
    [1.0, 0.0, -1.0, 3.0, 2.0],
]
DIFFERENTIATE = {
    "grad": ad.grad,
    "jacobian": ad.jacobian,
    "value_and_grad": lambda f: lambda x: ad.value_and_grad(f)(x)[1],
    "hessian": ad.hessian,
    "forward": lambda f: ad.jacobian(f, mode="forward"),
    "reverse": lambda f: ad.jacobian(f, mode="reverse"),
}
ORDER = {name: 2 if name == "hessian" else 1 for name in DIFFERENTIATE}


def compositions(names, most):
    """Every row of these names of total order at most `most`."""
    rows = [row for n in range(1, most + 1) for row in itertools.product(names, repeat=n)]
    return [row for row in rows if sum(ORDER.get(name, 0) for name in row) <= most]


def some(rows, count):
    """All the rows nightly, and up to order two; of the others a few, the same at every run."""
    if settings.get_current_profile_name() == "nightly":
        return rows
    short, long = [r for r in rows if len(r) <= 2], [r for r in rows if len(r) > 2]
    return short + random.Random(0).sample(long, count - len(short))


def polynomial(coefficients):
    """The polynomial as one writes it: no power above its degree, no coefficient 0."""
    return lambda x: sum(
        (c * x**k if k else c for k, c in enumerate(coefficients) if c or k == 0), 0.0
    )


@pytest.mark.parametrize(
    "coefficients", depth.some(POLYNOMIALS[1:], 4, turn=1), ids=lambda c: f"degree {len(c) - 1}"
)
def test_every_nesting_of_derivatives_of_a_polynomial(coefficients):
    rows = some(compositions(DIFFERENTIATE, 4), draws(60, least=48))
    for row in depth.some(rows, 4, turn=len(coefficients)):
        f, exact = polynomial(coefficients), np.polynomial.Polynomial(coefficients)
        for name in row:
            f = DIFFERENTIATE[name](f)
        wanted = exact.deriv(sum(ORDER[name] for name in row))(1.5)
        assert np.isclose(f(1.5), wanted, rtol=1e-12, atol=0), row
        x = ad.scalar("x")
        assert np.isclose(ad.evaluate(f(x), {x: 1.5}), wanted, rtol=1e-12, atol=0), row


@pytest.mark.parametrize("constant", [lambda x: 3.0, lambda x: ad.floor(x) * 2.0])
def test_a_constant_has_the_derivative_zero_in_any_nesting(constant):
    for row in some(compositions(["grad", "jacobian", "value_and_grad"], 4), draws(120, least=20)):
        f = constant
        for name in row:
            f = DIFFERENTIATE[name](f)
        assert f(1.5) == 0, row


def test_the_examples_of_the_issue():
    assert ad.grad(ad.grad(lambda x: 3 * x))(1.0) == 0.0
    assert ad.grad(ad.grad(ad.grad(lambda x: x * x)))(1.0) == 0.0
    assert (ad.jacobian(ad.grad(lambda v: np.sum(3 * v)))(np.ones(3)) == np.zeros((3, 3))).all()


# ---- arrays: each step takes a function of a vector to one of more axes, or back to a number

STEPS = {
    "grad": (ad.grad, 1),
    "jacobian": (ad.jacobian, 1),
    "hessian": (ad.hessian, 2),
    "vectorize": (lambda f: lambda v: ad.vectorize(f)(np.stack([v, 2 * v])), 0),
    "sum": (lambda f: lambda v: np.sum(f(v)), 0),
}


def nested(row, f):
    """The composition, with sums where a cost has to be a number."""
    for name in row:
        whole = f
        f = STEPS[name][0](
            (lambda v, g=whole: np.sum(g(v))) if name in ("grad", "hessian") else whole
        )
    return f


def differences(f, v):
    """The derivatives of a polynomial of degree 4 or less in each entry, exactly but for rounding:
    five points at whole distances."""
    weights = np.array([1, -8, 0, 8, -1]) / 12
    columns = [
        sum(w * np.asarray(f(v + h * e)) for w, h in zip(weights, range(-2, 3)) if w)
        for e in np.eye(len(v))
    ]
    return np.stack(columns, axis=-1)


def by_hand(row, f):
    """The same composition by differences alone."""
    for name in row:
        g = f
        if name == "vectorize":
            f = lambda v, g=g: np.stack([g(v), g(2 * v)])
        elif name == "jacobian":
            f = lambda v, g=g: differences(g, v)
        elif name == "grad":
            f = lambda v, g=g: differences(lambda u: np.sum(g(u)), v)
        else:
            f = lambda v, g=g: differences(lambda w: differences(lambda u: np.sum(g(u)), w), v)
    return f


A, B = np.array([[2.0, -1.0], [0.5, 3.0]]), np.array([1.0, -2.0])
OF_VECTORS = {
    "linear": lambda v: np.sum(3 * v),
    "quadratic": lambda v: v @ A @ v + B @ v,
    "matrix": lambda v: A @ v,
    "cubic": lambda v: np.sum(v**3) + v[0] * v[1],
    "product": lambda v: v[0] ** 2 * v[1] ** 2 + v[1],
    "one entry": lambda v: v[0] * 5.0,
}


@pytest.mark.parametrize("name", depth.some(OF_VECTORS, 3))
def test_every_composition_with_vectorize(name):
    names = ["grad", "jacobian", "hessian", "vectorize"]
    v = np.array([1.0, -2.0])
    rows = some(compositions_of_vectors(names), draws(30, least=24))
    for row in depth.some(rows, 5, turn=len(name)):
        found = nested(row, OF_VECTORS[name])(v)
        np.testing.assert_allclose(found, by_hand(row, OF_VECTORS[name])(v), atol=1e-7, err_msg=row)


def compositions_of_vectors(names):
    rows = [row for n in range(1, 5) for row in itertools.product(names, repeat=n)]
    order = lambda row: sum(STEPS[name][1] for name in row)
    return [row for row in rows if order(row) <= 4 and row.count("vectorize") <= 2]


def test_derivatives_through_vectorize_of_derivatives():
    """The examples are slices of the rows, and so they are connected with them."""
    rows = np.arange(6.0).reshape(3, 2)
    slopes = ad.vectorize(ad.grad(lambda v: np.sum(3 * v)))
    assert (ad.grad(lambda r: np.sum(slopes(r)))(rows) == np.zeros((3, 2))).all()
    fixed = ad.vectorize(lambda v: 3.0)
    assert (ad.grad(lambda r: np.sum(fixed(r)))(rows) == np.zeros((3, 2))).all()


def test_two_variables_are_not_confused():
    assert ad.grad(lambda x: x * ad.grad(lambda y: x + y)(2.0))(1.0) == 1.0
    assert ad.grad(lambda x: x * ad.grad(lambda y: x + y)(x))(3.0) == 1.0
    assert ad.grad(lambda x: ad.grad(lambda y: x * y)(x))(3.0) == 1.0
    assert ad.grad(lambda x: ad.grad(lambda y: 3 * y)(2.0) + 0.0)(1.0) == 0.0


def test_a_pushforward_of_a_derivative_that_is_constant_is_zero():
    x, y = ad.scalar("x"), ad.scalar("y")
    slope = ad.grad(3 * x, x)
    assert ad.evaluate(ad.pushforward(slope, x, 1.0)) == 0.0
    with pytest.raises(ad.DisconnectedInputError):
        ad.pushforward(slope, y, 1.0)


def test_what_no_derivative_passes_is_not_connected_by_another_derivative():
    told = {"disconnected_inputs": "raise"}
    with pytest.raises(ad.DisconnectedInputError):
        ad.grad(lambda x: ad.grad(lambda y: y * np.floor(x))(2.0), **told)(1.0)
    assert ad.grad(lambda x: ad.grad(lambda y: y * np.floor(x))(2.0))(1.0) == 0.0
    assert ad.grad(lambda x: ad.grad(lambda y: y * np.floor(x))(x))(1.0) == 0.0


PRODUCTS = {
    "linear": lambda x, y: 3 * x * y,
    "square": lambda x, y: x * x * y + y,
    "sine": lambda x, y: np.sin(x) * y + np.cos(x),
    "logarithm": lambda x, y: np.log(np.exp(x)) * y,
    "branch": lambda x, y: x * x * y if x > 0 else -x * y,
}


@pytest.mark.parametrize("name", PRODUCTS)
def test_mixed_derivatives_do_not_depend_on_their_order(name):
    """That in y twice is 0 everywhere, and has derivatives in x, however one gets there."""
    rows = itertools.product((0, 1), repeat=4)
    for places in depth.some(rows, 6, turn=len(name)):
        f, g = PRODUCTS[name], PRODUCTS[name]
        for place, other in zip(places, sorted(places)):
            f, g = ad.grad(f, place), ad.grad(g, other)
        assert np.isclose(f(1.5, 2.0), g(1.5, 2.0), rtol=1e-12, atol=1e-12), places


def test_a_tangent_that_vanished_has_a_derivative():
    x, y = ad.scalar("x"), ad.scalar("y")
    twice = ad.pushforward(ad.pushforward(3 * x * y, y, 1.0), y, 1.0)
    assert ad.evaluate(ad.grad(twice, x), {x: 1.0, y: 2.0}) == 0.0


def terms_of(r):
    """Coefficients and exponents of a polynomial in three variables, each of which occurs."""
    rows = [(r.choice([1, 2, -3]), [r.choice([0, 0, 1, 2]) for _ in range(3)]) for _ in range(3)]
    return [*rows, (1, [1, 1, 1])]


def in_three(terms, as_powers):
    """The polynomial as a function, with powers or with products alone."""

    def f(*values):
        out = 0.0
        for c, exponents in terms:
            for x, e in zip(values, exponents):
                c = c * x**e if as_powers and e else c * x * x if e == 2 else c * x if e else c
            out = out + c
        return out

    return f


def derived(terms, place):
    """The terms of the derivative in one variable."""
    less = [k == place for k in range(3)]
    return [(c * e[place], list(np.subtract(e, less))) for c, e in terms if e[place]]


def at(point, terms):
    """The value of the polynomial."""
    return sum(c * np.prod(np.power(point, e)) for c, e in terms)


def along(name, f, place):
    """The derivative of f in one argument."""
    if name == "value_and_grad":
        return lambda *values: ad.value_and_grad(f, place)(*values)[1]
    if name in ("grad", "jacobian"):
        return DIFFERENTIATE[name](f, place)
    return ad.jacobian(f, place, mode=name)


def test_mixed_derivatives_of_polynomials_in_random_orders():
    """What has vanished on the way is 0, whichever arguments were differentiated before."""
    point = (0.5, 1.5, -2.0)
    names = [name for name in DIFFERENTIATE if name != "hessian"]
    for seed in range(draws(60)):
        r = random.Random(seed)
        terms = terms_of(r)
        f = in_three(terms, as_powers=seed % 2)
        for _ in range(r.randint(2, 5)):
            place = r.randrange(3)
            f = along(r.choice(names), f, place)
            terms = derived(terms, place)
        assert np.isclose(f(*point), at(point, terms), rtol=1e-12, atol=1e-12), (seed, terms)


def test_mixed_derivatives_of_expressions_in_random_orders():
    """The same of expressions, by each way to differentiate one."""
    ways = {
        "grad": ad.grad,
        "value and grad": lambda y, x: ad.value_and_grad(y, x)[1],
        "one of a list": lambda y, x: ad.grad(y, [x], disconnected_inputs="ignore")[0],
        "jacobian": ad.jacobian,
        "pullback": lambda y, x: ad.pullback(y, x, 1.0),
        "reverse mode": lambda y, x: ad.reverse_mode(y, x).output,
        "symbolic": lambda y, x: ad.symbolic_derivative(y, x).output,
    }
    inputs, point = [ad.scalar(name) for name in "xyz"], (0.5, 1.5, -2.0)
    for seed in range(draws(60)):
        r = random.Random(seed)
        terms = terms_of(r)
        y = in_three(terms, as_powers=seed % 2)(*inputs)
        for _ in range(r.randint(2, 5)):
            place = r.randrange(3)
            y = ways[r.choice(list(ways))](y, inputs[place])
            terms = derived(terms, place)
        found = ad.evaluate(y, dict(zip(inputs, point)))
        assert np.isclose(found, at(point, terms), rtol=1e-12, atol=1e-12), (seed, terms)


def test_inputs_without_a_derivative_are_looked_for_once(monkeypatch):
    """One walk tells of all of them what derivatives were built from, and not one for each."""
    walks = []

    def counted(nodes):
        walks.append(len(nodes))
        return differentiated_before(nodes)

    monkeypatch.setattr(vanished, "differentiated_before", counted)
    x, *others = (ad.scalar(f"x{k}") for k in range(30))
    y = ad.sin(x) * x
    assert len(ad.reverse_mode(y, [x, *others]).outputs) == 30 and len(walks) == 1
    ad.grad(y, [x, *others], disconnected_inputs="ignore")
    assert len(walks) == 2
