"""The score-function estimator: gradients of expectations whose draws have no derivative."""

from typing import Any

from ..expr import Expr, ShapeError, at, operands
from ..ops import disconnected_grad, exp


def score_function(cost: Any, log_prob: Any) -> Expr:
    """A cost whose derivative is ∇cost + cost · ∇log_prob, which estimates that of its expectation.

    The estimate has no bias, as ∇E[c(x)] = E[∇c(x) + c(x) · ∇log p(x)]. It is built as cost
    · exp(log_prob − held log_prob), so that higher derivatives have none either. Subtract a
    baseline, which may not depend on x, from the cost for less variance.

    Parameters
    ----------
    cost : Expr
        One number, or one for each independent draw.
    log_prob : Expr
        The logarithm of the probability, or of the density, of the draws x that the cost
        depends on, each held by x = ad.disconnected_grad(rng.bernoulli(p)).

    Returns
    -------
    Expr
        Of the value of the cost.

    Raises
    ------
    ShapeError
        If both do not have one shape.

    References
    ----------
    .. [1] R. J. Williams, "Simple statistical gradient-following algorithms for connectionist
       reinforcement learning", 1992.
    .. [2] J. Schulman et al., "Gradient estimation using stochastic computation graphs", 2015.
    .. [3] J. Foerster et al., "DiCE: the infinitely differentiable Monte Carlo estimator",
       2018.

    Examples
    --------
    >>> p, rng = ad.scalar("p"), ad.RandomStream(0)
    >>> x = ad.disconnected_grad(rng.bernoulli(p, size=10_000))
    >>> log_prob = ad.log(ad.where(x == 1, p, 1 - p))
    >>> cost = ad.mean(ad.score_function(5 * x, log_prob))  # E[5x] = 5p
    >>> round(ad.evaluate(ad.grad(cost, p), {p: 0.3}))
    5
    """
    cost, log_prob = operands((cost, log_prob), "score_function")
    if cost.type.shape != log_prob.type.shape:
        raise ShapeError(
            f"the cost has the type {cost.type!r} and log_prob {log_prob.type!r}{at(log_prob)}: "
            "both have an entry for each draw; sum log_prob over the parts of one draw"
        )
    return cost * exp(log_prob - disconnected_grad(log_prob))
