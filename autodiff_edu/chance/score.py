"""The score-function estimator: gradients of expectations whose draws have no derivative."""

from typing import Any

from ..expr import Expr, ShapeError, at, operands
from ..ops import disconnected_grad, exp


def score_function(cost: Any, log_prob: Any) -> Expr:
    """cost, with a derivative that estimates that of its expectation without bias:

        ∇cost + cost · ∇log_prob,    as ∇E[c(x)] = E[∇c(x) + c(x) · ∇log p(x)]

    log_prob is the logarithm of the probability, or of the density, of the draws x that the cost
    depends on, each held by ad.disconnected_grad: x = ad.disconnected_grad(rng.bernoulli(p)).
    Subtract a baseline, which may not depend on x, from the cost for less variance.
    Both have one shape, with an entry for each independent draw. Raises ShapeError.

    Built as cost · exp(log_prob − held log_prob), so that higher derivatives are unbiased too.
    (Williams 1992, Simple statistical gradient-following algorithms for connectionist
    reinforcement learning; Schulman et al. 2015, Gradient estimation using stochastic computation
    graphs; Foerster et al. 2018, DiCE)
    """
    cost, log_prob = operands((cost, log_prob), "score_function")
    if cost.type.shape != log_prob.type.shape:
        raise ShapeError(
            f"the cost has the type {cost.type!r} and log_prob {log_prob.type!r}{at(log_prob)}: "
            "both have an entry for each draw; sum log_prob over the parts of one draw"
        )
    return cost * exp(log_prob - disconnected_grad(log_prob))
