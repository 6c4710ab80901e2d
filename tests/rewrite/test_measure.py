"""Each step of a simplification lowers the measure by the component that its rule names: so it
comes to an end.
"""

import pytest

import autodiff_edu as ad
from autodiff_edu.check import watch
from tests.helpers.depth import draws
from tests.rewrite.test_simplify import every_mode, programs


@every_mode
@pytest.mark.parametrize("seed", range(draws(25)))
def test_every_step_lowers_the_measure(seed, mode):
    _, _, graph = programs(seed)
    watch(ad.simplify(graph, mode=mode), mode=mode)
