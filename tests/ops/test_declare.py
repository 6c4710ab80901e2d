"""Operations that a user declares with `ad.op`."""

import functools

import numpy as np
import pytest

import autodiff_edu as ad


def test_a_users_op_is_trusted_with_nothing():
    @ad.op(linear=True)
    def lend(x):
        """x itself, not a copy."""
        return x

    v = ad.vector("v", shape=2)
    mine = np.ones(2)
    assert not np.shares_memory(ad.function(v, lend(v))(mine), mine)
    ad.function(v, lend(v) + 1)(mine)
    e = ad.exp(v)
    ad.function(v, [lend(e) + 1, e])(mine)
    np.testing.assert_array_equal(mine, [1, 1])

    class Spread(ad.Op):
        """x three times, as a view that can only be read."""

        view = True

        def infer_type(self, x):
            return ad.TensorType(x.dtype, (3, *x.shape))

        def perform(self, x):
            return np.broadcast_to(x, (3, *x.shape))

    for name in ("my_spread", "broadcast_to"):
        spread = type(name, (Spread,), {"view": True})()
        result = ad.function(v, spread(v * 2))(mine)
        result[0, 0] = 5
        np.testing.assert_array_equal(result, [[5, 2], [2, 2], [2, 2]])

    @ad.op(partials=lambda x, out: (3 * x * x,))
    def crooked_root(x):
        """x³, under a misleading name."""
        return x**3

    assert ad.function(v, crooked_root(v))([2.0, 1.0])[0] == 8


def scale(x):
    x *= 2
    return x


def fill_in(x):
    x[...] = 2
    return x


@pytest.mark.each("shape", [(), (3,)], ids=str)
@pytest.mark.each("body", [scale, fill_in, lambda x: np.add(x, 1, out=x)])
def test_a_body_that_writes_into_its_operand_is_refused(body, shape):
    with pytest.raises(ValueError, match="writes into an operand"):
        ad.op(linear=True)(body)(ad.tensor("x", shape=shape))


def test_a_decorator_without_parentheses_says_so():
    with pytest.raises(TypeError, match=r"the function f: write @ad\.op\(\)"):

        @ad.op
        def f(x):
            return x


# ---- static parameters of an elementwise operation


@ad.op(partials=lambda x, out, slope: (ad.where(x > 0, 1.0, slope),))
def leaky(x, *, slope=0.01):
    """x, or slope · x where x is negative."""
    return np.where(x > 0, x, slope * x)


@ad.op(chain=lambda d, x, y, out, p: [d * p * (x + y) ** (p - 1)] * 2)
def power_of_sum(x, y, *, p):
    """(x + y)^p."""
    return (x + y) ** p


@ad.op(linear=True)
def weighted(x, y, *, by=2.0):
    """x + by · y."""
    return x + by * y


def test_elementwise_rules_are_given_static_parameters():
    assert leaky.check(np.array([-2.0, 1.0]), slope=0.2).ok
    assert power_of_sum.check(np.array([1.0, 2.0]), 3.0, p=3.0).ok
    x = ad.scalar("x")
    assert ad.evaluate(ad.grad(leaky(x, slope=0.2), x), {x: -2.0}) == 0.2
    assert ad.function(x, leaky(x, slope=0.2))(-2.0) == -0.4
    many = ad.vectorize(leaky(x, slope=0.2))
    np.testing.assert_array_equal(many.evaluate({many.graph.inputs[0]: [-2.0, 1.0]}), [-0.4, 1])


def test_a_node_has_all_static_parameters_of_its_operation():
    x = ad.scalar("x")
    node = leaky(x, slope=0.2)
    assert leaky.apply((x,), node.static).static == node.static
    with pytest.raises(TypeError, match="applied without its static parameters"):
        leaky.apply((x,))


def test_a_linear_operation_keeps_its_static_parameter_in_forward_mode():
    x, y = ad.scalar("x"), ad.scalar("y")
    assert ad.evaluate(ad.pushforward(weighted(x, y, by=5.0), y, 1.0), {x: 1.0, y: 2.0}) == 5


def test_a_static_parameter_is_told_from_operands():
    assert "slope : object, default: 0.01" in leaky.__doc__


# ---- a sign is for people

s, u, v, w = ad.scalar("s"), ad.scalar("u"), ad.vector("v", shape=3), ad.vector("w", shape=3)
SIGNS = ["⊕", "^", "+", "-", "**", "%", "and", "=", "(", "{0}", "@", "a b", "\n"]


@pytest.mark.each("sign", SIGNS)
def test_a_program_computes_the_body_whatever_the_sign(sign):
    @ad.op(symbol=sign, partials=lambda x, y, out: (y, x))
    def times(x, y):
        return x * y

    @ad.op(symbol=sign, partials=lambda x, out: (3 * x * x,))
    def cube(x):
        return x**3

    assert ad.function([s, u], times(s, u))(2.0, 5.0) == 10
    assert ad.function([s, u], ad.grad(times(s, u) * cube(s), s))(2.0, 5.0) == 160
    found = ad.function([v, w], times(v, w) + cube(v))([1, 2, 3], [4, 5, 6])
    np.testing.assert_allclose(found, [5, 18, 45])
    assert sign.strip() in str(times(s, u))


# ---- values that a field cannot have


def my_sin(x):
    return np.sin(x)


@pytest.mark.each(
    ("stated", "error", "says"),
    [
        ({"label": 3}, TypeError, "label= takes a text, not 3: its picture"),
        ({"symbol": 2}, TypeError, "symbol= takes a text, not 2"),
        ({"nondifferentiable": True}, TypeError, "takes a text, not True: why no derivative"),
        ({"facts": "positive"}, TypeError, "facts= takes a dict, not 'positive'"),
        ({"kinks": "x = 0"}, TypeError, "kinks= takes a dict, not 'x = 0'"),
        ({"targets": [np.sin]}, TypeError, r"targets= takes a dict, not \[<ufunc 'sin'>\]"),
        ({"type": (3,)}, TypeError, r"type= takes a function, not \(3,\)"),
        ({"partials": 2}, TypeError, "partials= takes a function, not 2"),
        ({"cost": "4"}, TypeError, "cost= takes a number from 0 on, or a function, not '4'"),
        ({"cost": -1}, TypeError, "cost= takes a number from 0 on, or a function, not -1"),
        ({"core": 3}, TypeError, "core= takes a text, not 3"),
        ({"core": "(n"}, ValueError, r"core='\(n' is no signature: write it as"),
        ({"core": "n->n"}, ValueError, "core='n->n' is no signature"),
        ({"core": "(len)->()"}, ValueError, "a letter for each axis"),
        ({"core": "(n)->(m)"}, ValueError, "in the result letters of operands alone"),
        ({"core": "(n),(n)->()"}, ad.ShapeError, "core= speaks of 2 operands, and there are 1"),
    ],
)
def test_a_value_that_a_field_cannot_have_is_told(stated, error, says):
    with pytest.raises(error, match=says):
        ad.op(**stated)(my_sin)(v)


@pytest.mark.each(
    ("stated", "says"),
    [
        ({"facts": {"positive": "alway"}}, "there is no word 'alway'; write one of always"),
        ({"facts": {"positiv": "always"}}, "there is no fact 'positiv'; write one of positive"),
        ({"exact_facts": "firs"}, "my_sin states exact_facts='firs', .* no word 'firs'; .* first"),
    ],
)
def test_a_fact_that_is_spelt_wrongly_is_told_by_simplification(stated, says):
    with pytest.raises(ValueError, match=says):
        ad.simplify(abs(ad.op(**stated)(my_sin)(v)))


@pytest.mark.each("body", [3, dict, max, np.sin, functools.partial(np.multiply, 2)])
def test_what_is_no_function_is_no_body(body):
    with pytest.raises(TypeError, match="ad.op stands above a function, and was given .*: write"):
        ad.op()(body)


@pytest.mark.each("mode", ["ieee", "safe", "real"])
def test_rules_that_move_it_keep_its_static_parameters(mode):
    x, y = ad.matrix("x", shape=(2, 3)), ad.matrix("y", shape=(2, 3))
    at = {x: [[-1.0, 2.0, -3.0], [4.0, -5.0, 6.0]], y: np.ones((2, 3))}
    for made in (
        leaky(x.T, slope=0.5).T,
        power_of_sum(x.T, y.T, p=3).T,
        leaky(x.T, slope=0.5).T + y,
    ):
        stage = ad.simplify(made, mode)
        assert not any(n.op.name == "transpose" for n in stage.graph.operations)
        np.testing.assert_array_equal(stage.evaluate(at), ad.evaluate(made, at))
