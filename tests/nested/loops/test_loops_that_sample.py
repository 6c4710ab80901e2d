"""Loops that sample: three outputs of a step that draws, each with its gradients; what a thread did
instead, which is another model; and a draw that has no derivative."""

import numpy as np
import pytest

import autodiff_edu as ad

STEPS, BATCH, LATENT, DATA = 6, 3, 2, 5


class Model:
    """hidden, objective and estimate of a step; `noise` says where its deviates come from."""

    def __init__(self, seed=0):
        draw = np.random.default_rng(seed)

        def weights(name, *shape):
            return ad.shared(draw.normal(size=shape) * 0.4, name)

        self.W_h, self.W_x = weights("W_h", LATENT, LATENT), weights("W_x", DATA, LATENT)
        self.W_mu, self.W_s = weights("W_mu", LATENT, LATENT), weights("W_s", LATENT, LATENT)
        self.W_out = weights("W_out", LATENT, DATA)
        self.parameters = [self.W_h, self.W_x, self.W_mu, self.W_s, self.W_out]
        self.x = ad.tensor("x", shape=(STEPS, BATCH, DATA))
        self.at = {self.x: draw.normal(size=self.x.shape)}

    def step(self, x, h, noise):
        hidden = ad.tanh(h @ self.W_h + x @ self.W_x)
        mu, log_sigma = hidden @ self.W_mu, hidden @ self.W_s
        z = mu + ad.exp(0.5 * log_sigma) * noise
        estimate = z @ self.W_out
        objective = ((estimate - x) ** 2).sum()
        return [ad.tanh(hidden + z), objective, estimate]

    def scan(self, step, sequences):
        return ad.scan(step, sequences, [np.zeros((BATCH, LATENT)), None, None])


@pytest.fixture
def model():
    return Model()


def drawn_inside(model, stream):
    return model.scan(lambda x, h: model.step(x, h, stream.normal(size=(BATCH, LATENT))), model.x)


def gradients(outputs, parameters):
    """For each output, the gradients of its sum."""
    return [ad.grad(y.sum(), parameters, disconnected_inputs="ignore") for y in outputs]


def test_each_output_has_the_gradients_of_the_loop_written_out(model):
    outputs = drawn_inside(model, ad.RandomStream(7))
    flat = ad.unroll([y.sum() for y in outputs]).outputs
    for loop, written in zip(
        gradients(outputs, model.parameters), gradients(flat, model.parameters), strict=True
    ):
        for a, b in zip(loop, written, strict=True):
            np.testing.assert_allclose(
                ad.evaluate(a, model.at), ad.evaluate(b, model.at), rtol=1e-13, atol=1e-15
            )


def test_and_of_the_loop_over_one_row_of_deviates_a_step(model):
    """The same model with the deviates drawn before: they are read off the first one."""
    stream = ad.RandomStream(7)
    noises = []

    def step(x, h):
        noises.append(stream.normal(size=(BATCH, LATENT)))
        return [*model.step(x, h, noises[0]), noises[0] + 0 * h]

    *outputs, deviates = ad.scan(step, model.x, [np.zeros((BATCH, LATENT)), None, None, None])
    rows = ad.tensor("rows", shape=(STEPS, BATCH, LATENT))
    given = model.scan(lambda x, e, h: model.step(x, h, e), [model.x, rows])
    known = model.at | {rows: ad.evaluate(deviates, model.at)}
    assert len({row.tobytes() for row in known[rows]}) == STEPS  # fresh at each step
    for inside, outside in zip(
        gradients(outputs, model.parameters), gradients(given, model.parameters), strict=True
    ):
        for a, b in zip(inside, outside, strict=True):
            np.testing.assert_allclose(
                ad.evaluate(a, known), ad.evaluate(b, known), rtol=1e-13, atol=1e-15
            )


def test_functions_draw_afresh_and_gradients_see_the_draw_of_the_value(model):
    _, objective, _ = drawn_inside(model, ad.RandomStream(7))
    cost = objective.sum()
    run = ad.function([model.x], [cost, *ad.grad(cost, model.parameters)])
    first, second = run(model.at[model.x]), run(model.at[model.x])
    assert first[0] != second[0]
    again = drawn_inside(model, ad.RandomStream(7))[1].sum()
    rerun = ad.function([model.x], [again, *ad.grad(again, model.parameters)])
    for a, b in zip(first, rerun(model.at[model.x]), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-12)
    by_hand = ad.evaluate([again, *ad.grad(again, model.parameters)], model.at)
    assert by_hand[0] == pytest.approx(rerun(model.at[model.x])[0], rel=1e-12)  # the second call


def test_the_workaround_of_the_thread_is_another_model():
    """z ← z/2 + ε: one ε for all steps is twice as widely spread as a fresh ε at each step."""
    n = 20_000
    stream = ad.RandomStream(1)
    fresh = ad.scan(
        lambda z: 0.6 * z + stream.normal(size=(n,)), outputs_info=ad.zeros(n), n_steps=30
    )[-1]
    once = ad.scan(
        lambda z, e: 0.6 * z + e, None, ad.zeros(n), stream.normal(size=(n,)), n_steps=30
    )[-1]
    spread = [float(np.std(ad.evaluate(z))) for z in (fresh, once)]
    assert spread[0] == pytest.approx(1 / np.sqrt(1 - 0.36), rel=0.02)
    assert spread[1] == pytest.approx(1 / (1 - 0.6), rel=0.02)
    assert spread[1] / spread[0] == pytest.approx(2, rel=0.03)


def test_a_draw_that_jumps_has_no_derivative_and_the_message_leads_to_it():
    p, stream = ad.scalar("p"), ad.RandomStream(3)
    hits = ad.scan(lambda s: s + stream.bernoulli(p), outputs_info=0.0, n_steps=5)
    with pytest.raises(ad.NullTypeGradError) as caught:
        ad.grad(hits.sum(), p)
    message = str(caught.value)
    assert "bernoulli" in message and "scan" in message and "sum" in message  # the path
    assert "stream.bernoulli(p)" in message  # the user's line
    assert "score_function" in message  # the remedy
    assert ad.grad(hits.sum(), p, null_gradients="return").type.why


def test_the_jump_does_no_harm_where_no_derivative_passes():
    p, stream = ad.scalar("p"), ad.RandomStream(3)
    hits = ad.scan(
        lambda s: s + ad.disconnected_grad(stream.bernoulli(p)) * p, outputs_info=0.0, n_steps=5
    )
    count = ad.evaluate(hits[-1], {p: 0.5}) / 0.5
    assert ad.evaluate(ad.grad(hits[-1], p), {p: 0.5}) == count
