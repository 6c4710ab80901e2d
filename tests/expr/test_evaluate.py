"""The interpreter: what it checks, and whose its results are."""

import numpy as np
import pytest

import autodiff_edu as ad


def test_the_interpreter_checks_lengths_too():
    v = ad.vector("v")
    with pytest.raises(ad.ShapeError, match="declare that length as 1"):
        ad.evaluate(v + np.arange(3.0), {v: [1.0]})


def test_results_of_the_interpreter_belong_to_the_caller():
    x, data = ad.vector("x", shape=3), np.arange(3.0)
    for e in (x, x[1:], ad.broadcast_to(x, (2, 3))):
        found = ad.evaluate(e, {x: data})
        found[...] = 99.0
        assert data.tolist() == [0, 1, 2]
