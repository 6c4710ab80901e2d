"""What people write as loops: networks, filters, solvers; their gradients by every way."""

import numpy as np
import pytest

import autodiff_edu as ad
from tests.helpers.depth import some
from tests.helpers.loops import check_gradients

RNG = np.random.default_rng(11)


def normal(*shape):
    return 0.5 * RNG.normal(size=shape)


def lstm(xs, into, back, bias):
    """Hochreiter and Schmidhuber 1997, with a gate that forgets (Gers et al. 2000)."""
    n = back.shape[0]

    def step(x, h, c):
        z = x @ into + h @ back + bias
        i, f, o, g = (z[:, k * 4 : (k + 1) * 4] for k in range(4))
        c = ad.sigmoid(f) * c + ad.sigmoid(i) * ad.tanh(g)
        return ad.sigmoid(o) * ad.tanh(c), c

    start = ad.zeros((2, n))
    return ad.scan(step, xs, [start, start])[0][-1]


def attention(xs, W):
    """A state that asks all of the sequence at every step."""

    def step(x, s):
        return ad.tanh(ad.softmax(xs @ W @ s) @ xs + x)

    return ad.scan(step, xs, ad.ones(3))[-1]


def hidden_markov(transitions, emissions, start):
    """The logarithm of a probability, by the forward algorithm."""
    step = lambda e, a: ad.logsumexp(a[:, None] + transitions, axis=0) + e
    return ad.logsumexp(ad.scan(step, emissions, start)[-1])


def kalman(ys, A, q, r):
    """The logarithm of the likelihood of a series, and the last uncertainty's inverse."""

    def step(y, m, P):
        m, P = A @ m, A @ P @ A.T + q * ad.eye(2)
        S, v = P[0, 0] + r, y - (A @ m)[0]
        gain = P[:, 0] / S
        return m + gain * v, P - ad.outer(gain, P[0]), -(ad.log(S) + v * v / S) / 2

    _, P, likelihoods = ad.scan(step, ys, [ad.zeros(2), ad.eye(2), None])
    return likelihoods.sum() + ad.inv(P[-1]).sum()


def pendulum(y, k):
    """Runge and Kutta's method."""
    slope = lambda y: ad.stack([y[1], -k * ad.sin(y[0])])

    def step(y):
        a = slope(y)
        b = slope(y + 0.05 * a)
        c = slope(y + 0.05 * b)
        return y + (a + 2 * b + 2 * c + slope(y + 0.1 * c)) / 60

    return ad.scan(step, outputs_info=y, n_steps=8)


def conjugate_gradients(A, b):
    A = A @ A.T + 3 * ad.eye(3)

    def step(x, r, p):
        a = (r @ r) / (p @ A @ p)
        left = r - a * (A @ p)
        return x + a * p, left, left + (left @ left) / (r @ r) * p

    return ad.scan(step, outputs_info=[ad.zeros(3), b, b], n_steps=2)[0][-1]


def written_in_place(v):
    """Each step puts a number into a place of the state."""
    step = lambda k, s: s.at[k].set(s.sum() * v[k])
    return ad.scan(step, ad.constant([2, 0, 1]), v)


def products(v, W):
    step = lambda s: ad.tanh(ad.einsum("ij,j,jk->ik", W, v, s))
    return ad.scan(step, outputs_info=ad.eye(3), n_steps=4)


def eigenvalues(A):
    def step(S):
        w, v = ad.eigh(S + S.T)
        return (v * ad.exp(-(w**2))) @ v.T

    return ad.scan(step, outputs_info=A, n_steps=3)


def sorted_again(v):
    return ad.scan(lambda s: ad.sort(1.5 * s) - s, outputs_info=v, n_steps=3)


def horner(c, x):
    return ad.scan(lambda c, p: p * x + c, c, 0.0, go_backwards=True)[-1]


def sinkhorn(K):
    step = lambda u, v: (1 / (K @ v), 1 / (K.T @ u))
    u, v = ad.scan(step, outputs_info=[ad.ones(3), ad.ones(3)], n_steps=5)
    return u[-1][:, None] * K * v[-1]


MODELS = [
    (lstm, [(5, 2, 3), (3, 16), (4, 16), (16,)]),
    (attention, [(4, 3), (3, 3)]),
    (hidden_markov, [(3, 3), (5, 3), (3,)]),
    (kalman, [(5,), (2, 2), (), ()]),
    (pendulum, [(2,), ()]),
    (conjugate_gradients, [(3, 3), (3,)]),
    (written_in_place, [(3,)]),
    (products, [(3,), (3, 3)]),
    (eigenvalues, [(3, 3)]),
    (sorted_again, [(4,)]),
    (horner, [(4,), ()]),
    (sinkhorn, [(3, 3)]),
]


@pytest.mark.parametrize(
    "model, shapes", some(MODELS, 16), ids=lambda m: getattr(m, "__name__", "")
)
def test_gradients_of_a_model(model, shapes):
    point = [normal(*s) for s in shapes]
    if model in (kalman, sinkhorn):  # variances and kernels are positive
        point = [v if v.ndim == 1 else 0.3 + np.abs(v) for v in point]
    check_gradients(model, point, rtol=1e-9)
