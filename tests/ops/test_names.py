"""An operation of one's own may have any name, those of the house's operations included."""

import builtins
import keyword
import pickle
import random

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu.expr import HOOKS, OPERATIONS
from autodiff_edu.ops import OPS
from tests.helpers.depth import draws, some

NAMES = sorted(
    {*OPERATIONS, *OPS, *HOOKS, *dir(ad), *dir(builtins), *dir(ad.Op), "np", "v1", "accept", "D"}
    - {*keyword.kwlist}
)


def body(x):
    return 3 * np.asarray(x) + 1


def declared(name):
    """3x + 1 by the decorator."""
    code = type(body)(body.__code__, globals(), name)
    return ad.op(partials=lambda x, out: (3,))(code)


def stated(name):
    """3x + 1 as a class."""

    def pullback(self, inputs, outputs, cotangents):
        return [3 * cotangents[0]]

    space = {"infer_type": lambda self, x: x, "perform": lambda self, x: body(x)}
    return type(name, (ad.Op,), {**space, "pullback": pullback})()


SAMPLE = [*random.Random(0).sample(NAMES, len(NAMES))[: draws(len(NAMES))], "np", "v1", "add"]


@pytest.mark.each(
    "name, make",
    [(name, make) for k, name in enumerate(SAMPLE) for make in some([declared, stated], 2, turn=k)],
)
def test_any_name(name, make):
    before = dict(OPERATIONS), dict(OPS), dict(HOOKS)
    own = make(name)
    assert (OPERATIONS, OPS, HOOKS) == before
    x, v = ad.scalar("x"), ad.vector("v", shape=2)
    y = own(x) * own(own(x)) + own(v).sum()
    slope = ad.grad(y, x)
    at = 2.0, np.ones(2)
    for mode in some([None, "safe"], 2, turn=len(name)):
        f = ad.function([x, v], [y, slope], simplify=mode, on_unused_input="ignore")
        assert [float(r) for r in f(*at)] == [7 * 22 + 8, 3 * 22 + 7 * 9]
    assert ad.latex(y) and ad.draw(y).svg and ad.cost(y).operations == 7
    assert (
        own.name == name and ad.simplify(own(x) - own(x), mode="real").after.outputs[0].value == 0
    )


def test_operations_are_pickled_by_the_place_where_they_are_written():
    for op in OPS.values():
        assert pickle.loads(pickle.dumps(op)) is op
