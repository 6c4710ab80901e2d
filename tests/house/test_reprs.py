"""What is printed of an object is the same each time: no address in memory stands in it.

Protects notebooks and logs, which would differ from run to run.
"""

import copy
import re

import numpy as np
import pytest

import autodiff_edu as ad

X = ad.matrix("x", shape=(2, 3))
Y = ad.sum(ad.tanh(X) * X)
SHORT = ad.simplify(ad.reverse_mode(Y, X))
MADE = {
    "type": lambda: X.type,
    "expression": lambda: Y,
    "graph": lambda: ad.Graph(Y),
    "stage": lambda: SHORT,
    "step": lambda: SHORT.steps[0],
    "symbolic": lambda: ad.symbolic_derivative(ad.sum(X * X), X),
    "pipeline": lambda: ad.pipeline(Y, X),
    "plan": lambda: ad.plan(ad.Graph(Y, [X])),
    "program": lambda: ad.function(X, Y).program,
    "portable": lambda: ad.portable(ad.function(X, Y)),
    "picture": lambda: ad.draw(Y),
    "film": lambda: ad.film(SHORT),
    "comparison": lambda: ad.compare(Y, SHORT),
    "formula": lambda: ad.latex(Y),
    "cost": lambda: ad.cost(Y),
    "origin": lambda: ad.why(SHORT.outputs[0]),
    "explanation": lambda: ad.explain(ad.exp),
    "operation": lambda: ad.exp,
    "box": lambda: ad.OpFromGraph([X], [Y]),
    "shared": lambda: ad.shared(np.ones(3), name="w"),
    "stream": lambda: ad.RandomStream(1),
    "rules": lambda: ad.RULES,
    "rule": lambda: ad.Rule("double", ad.wild("a") + ad.wild("a"), 2 * ad.wild("a")),
    "loop": lambda: ad.scan(lambda s: s * 2, outputs_info=X, n_steps=3),
    "branch": lambda: ad.cond(Y > 0, Y, -Y),
    "pattern of zeros": lambda: ad.sparsity(ad.tanh(X[0]), X),
    "check": lambda: ad.exp.check(np.ones(3)),
    "flat": lambda: ad.flatten({"w": np.ones(2), "b": 0.0}),
    "until": lambda: ad.until(Y > 0),
}


@pytest.mark.each("what", MADE)
def test_no_address_is_printed(what):
    made = MADE[what]()
    for text in (repr(made), str(made), f"{made}", repr(copy.copy(made))):
        assert not re.search(r"\bat 0x|object at", text)
