"""Pullbacks of linear operations by hand, held to the adjoint identity ⟨u, f(v)⟩ = ⟨f̄(u), v⟩.

No derivative is computed here: the operation itself, at a v that the student never sees, says
what the pullback of u must be.
"""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from ..harness.check import Arrays, Draw, call, cases, where
from ..harness.checker import checker
from ..harness.feedback import complain, numbers, spell


@checker
def check_adjoint(
    student: Callable[..., Any],
    of: Callable[..., Any],
    inputs: Draw,
    *,
    examples: Iterable[Arrays] = (),
    trials: int = 30,
    seed: int | None = None,
    rtol: float = 1e-9,
    **limits: Any,
) -> None:
    """student(u, *rest) is the pullback of v ↦ of(v, *rest), which is linear, for random u and v.

    Parameters
    ----------
    examples : iterable, default: ()
        Arguments that are tried first.
    rtol : float, default: 1e-09
        What may differ, as a part.
    **limits : object
        Those of `watched`.
    """
    rng, count = np.random.default_rng(seed), 0
    small = sorted(cases(inputs, examples, trials, seed), key=lambda case: np.size(case[0][0]))
    for (first, *rest), _ in small:  # so that what fails is seen in few numbers
        v = rng.normal(size=np.shape(first))
        image = np.asarray(of(v, *rest))
        u = np.round(rng.normal(size=image.shape), 2)
        got = call(student, (u, *rest), **limits)
        compare(got, u, v, image, where(student, (u, *rest)), rtol)
        count += 1
    print(f"{student.__name__}: ⟨u, f(v)⟩ = ⟨f̄(u), v⟩ for {count} random pairs")


def compare(got: Any, u: Any, v: Any, image: Any, at: str, rtol: float) -> None:
    """Both sides of the identity, which may differ by rounding alone."""
    found = numbers(got)
    if found is None or found.shape != v.shape:
        shape = type(got).__name__ if found is None else f"an array of shape {found.shape}"
        what = "the pullback must have the shape of the operand"
        complain(what, f"an array of shape {v.shape}", shape, at)
    left, right = np.vdot(u, image), np.vdot(found, v)
    scale = np.linalg.norm(u) * np.linalg.norm(image) + np.linalg.norm(v)
    if not abs(left - right) <= rtol * scale:
        what = f"the adjoint identity fails for v = {spell(v)}"
        complain(what, f"⟨u, f(v)⟩ = {left:.9g}", f"⟨f̄(u), v⟩ = {right:.9g}", at)
