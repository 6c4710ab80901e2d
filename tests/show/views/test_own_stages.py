"""Stages and pipelines that users make: whatever form of graph they give, all views work."""

import copy
import pickle

import numpy as np
import pytest

import autodiff_edu as ad
from tests.helpers.depth import draws

x, v = ad.scalar("x"), ad.vector("v", shape=3)
FORMULAS = [x * 1 + 0, ad.exp(x) * x, x * x + 1, x, ad.sum(ad.sin(v) * 1) * x]
FORMS = {
    "graph": ad.Graph,
    "expression": lambda y: y,
    "list": lambda y: [y, y + 1],
    "stage": lambda y: ad.simplify(y),
}


class Own(ad.Stage):
    """A pass of a user's, with an attribute of its own."""

    def __init__(self, before, after, steps, note):
        super().__init__("own", before, after, steps)
        self.note = note

    @property
    def broken(self):
        return self.before.nothing


def drawn(seed):
    draw = np.random.default_rng(seed)
    before, after = (FORMULAS[k] for k in draw.integers(len(FORMULAS), size=2))
    steps = [ad.Step("rule", before, after)] * int(draw.integers(3))
    forms = [FORMS[draw.choice([*FORMS])] for _ in range(2)]
    made = steps if seed % 2 else iter(steps)
    return Own(forms[0](before), forms[1](after), made, note=x * 3), len(steps)


@pytest.mark.parametrize("seed", range(draws(20)))
def test_every_view_of_a_stage(seed):
    stage, count = drawn(seed)
    at = {x: 2.0, v: [0.1, 0.2, 0.3]}
    assert len(stage.steps) == count and stage.counts.total() == count
    assert isinstance(stage.before, ad.Graph) and len(list(stage.frames())) == count + 1
    for view in (stage, stage.draw(), stage.film(), ad.compare(stage, stage.before)):
        text = view._repr_mimebundle_()["text/plain"]
        assert text and " at 0x" not in text
    assert str(stage.table()) and stage.latex() and str(stage.trace(at))
    value, inputs = stage.evaluate(at), stage.graph.inputs
    again = pickle.loads(pickle.dumps(stage))
    assert str(again.graph) == str(stage.graph) and str(again.note) == "x * 3"
    assert copy.deepcopy(stage) is stage is copy.copy(stage)
    run = ad.function(inputs, stage)(*[at[i] for i in inputs])
    np.testing.assert_allclose(run, value)
    whole = ad.Pipeline(iter([stage, ad.simplify(stage)]))
    assert whole["own"] is stage is whole[np.int64(0)] and whole[:1] == (stage,)
    assert "own" in whole.draw()._repr_mimebundle_()["text/plain"]


G, STAGE = ad.Graph(x * 1), ad.simplify(x * 1)


class Empty(ad.Stage):
    """One that forgets to call super().__init__."""

    def __init__(self):
        pass


SLIPS = [
    (lambda: ad.Stage("s", G, 3), TypeError, "an expression is needed"),
    (lambda: ad.Stage("s", None, G), TypeError, "an expression is needed"),
    (lambda: ad.Stage(3, G, G), TypeError, "the name of a stage"),
    (lambda: ad.Stage("s", G, G, [("rule", x, x)]), TypeError, r"ad\.Step\(rule, before, after\)"),
    (lambda: Empty().output, TypeError, r"super\(\).__init__\(name, before, after, steps\)"),
    (lambda: drawn(0)[0].broken, AttributeError, "'Graph' object has no attribute 'nothing'"),
    (lambda: STAGE.frame(-1), IndexError, "are 0 to 1, and -1 is none"),
    (lambda: ad.Stage("s", G, G).frame(1), IndexError, "are 0 to 0"),
    (lambda: ad.reverse_mode(x * x, x).frame(9), IndexError, "are 0 to 3, and 9 is none"),
    (lambda: ad.Pipeline([]), ValueError, "at least one stage"),
    (lambda: ad.Pipeline([x * 1]), TypeError, "made of stages"),
    (lambda: ad.Pipeline([STAGE])["nothing"], KeyError, "there are simplify"),
    (lambda: ad.Graph(STAGE), TypeError, "write .output"),
    (lambda: ad.Graph([STAGE]), TypeError, "write .output"),
    (lambda: ad.Graph([x, x]).output, ValueError, r"2 outputs: write .outputs"),
    (lambda: np.sum(STAGE), TypeError, "write .output|Write stage.output"),
    (lambda: ad.constant(STAGE), TypeError, "Write stage.output"),
    (lambda: ad.shared(STAGE), TypeError, "Write stage.output"),
    (lambda: pickle.dumps(ad.pipeline(x * x, x)), TypeError, "cannot store a program"),
    (lambda: pickle.dumps(ad.generate(x * x)), TypeError, r"ad.portable\(f\)"),
]


@pytest.mark.each("slip, error, words", SLIPS)
def test_a_slip_says_what_to_write(slip, error, words):
    with pytest.raises(error, match=words) as caught:
        slip()
    assert " at 0x" not in str(caught.value)
