"""Unknown lengths: one that turns out to be 1 does not stretch, unless it was declared."""

import numpy as np
import pytest

import autodiff_edu as ad
from tests.values import value

RNG = np.random.default_rng(5)


A, B = ad.matrix("A"), ad.matrix("B")


P, Q = ad.tensor3("P"), ad.tensor3("Q")


STRETCHING = [
    (lambda: ad.broadcast_to(A, B.shape).sum(), {"A": (1, 3), "B": (2, 3)}),
    (lambda: (P @ Q).sum(), {"P": (1, 2, 2), "Q": (3, 2, 2)}),
    (lambda: np.linalg.solve(P, Q).sum(), {"P": (1, 2, 2), "Q": (3, 2, 2)}),
    (lambda: np.einsum("ij,jk->ik", A, B).sum(), {"A": (2, 1), "B": (3, 2)}),
    (lambda: (A.at[:].set(B) ** 2).sum(), {"A": (2, 3), "B": (1, 3)}),
    (lambda: (A.at[[0, 1]].add(B) ** 2).sum(), {"A": (2, 3), "B": (1, 3)}),
]


@pytest.mark.parametrize("cost, shapes", STRETCHING)
def test_a_length_that_turns_out_to_be_1_does_not_stretch_in_silence(cost, shapes):
    e = cost()
    at = {name: RNG.normal(size=shape) for name, shape in shapes.items()}
    with pytest.raises(ValueError, match=r"declare|length"):
        value(e, **at)
    inputs = ad.Graph(e).inputs
    with pytest.raises(ValueError, match=r"declare|length"):
        ad.function(inputs, e)(*[at[i.name] for i in inputs])


def test_a_length_declared_to_be_1_stretches_in_einsum():
    a, b = RNG.normal(size=(2, 1)), RNG.normal(size=(3, 2))
    f = lambda a, b: np.sum(np.einsum("ij,jk->ik", a, b) ** 2)
    ad.verify_grad(f, [a, b], n_tests=1)
    assert np.isclose(ad.value_and_grad(f)(a, b)[0], f(a, b))
