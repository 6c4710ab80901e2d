"""Operations that a user declares with `ad.op`."""

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


def test_a_decorator_without_parentheses_says_so():
    with pytest.raises(TypeError, match=r"the function f: write @ad\.op\(\)"):

        @ad.op
        def f(x):
            return x


# ---- a sign is for people

s, u, v, w = ad.scalar("s"), ad.scalar("u"), ad.vector("v", shape=3), ad.vector("w", shape=3)
SIGNS = ["⊕", "^", "+", "-", "**", "%", "and", "=", "(", "{0}", "@", "a b", "\n"]


@pytest.mark.parametrize("sign", SIGNS)
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
