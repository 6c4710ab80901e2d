"""The cases of Theano's and PyTensor's gradients once more, each expression within a loop."""

import pytest

from tests.differentiate.test_semantics import *  # noqa: F403
from tests.helpers.wrapped import captured_by_a_loop, carried_by_a_loop, sliced_by_a_loop


@pytest.fixture(params=[captured_by_a_loop, sliced_by_a_loop, carried_by_a_loop])
def wrap(request):
    return request.param
