"""The cases of Theano's and PyTensor's gradients once more, each expression within a box."""

import functools

import pytest

from tests.differentiate.test_semantics import *  # noqa: F403
from tests.helpers.wrapped import boxed


@pytest.fixture(params=[False, True], ids=["box", "inline"])
def wrap(request):
    return functools.partial(boxed, inline=request.param)
