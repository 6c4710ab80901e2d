"""The room enters nothing in the tables of the engine."""

import subprocess
import sys

CODE = """
from autodiff_edu.expr import HOOKS, OPERATIONS
from autodiff_edu.ops import OPS
import autodiff_edu
before = [dict(t) for t in (HOOKS, OPERATIONS, OPS)]
import autodiff_edu.theano
import autodiff_edu.theano.tensor.nnet
assert [set(t) for t in (OPERATIONS, OPS)] == [set(t) for t in before[1:]]
assert all(HOOKS[k] is v for k, v in before[0].items())
"""


def test_the_tables_stay_as_they_are():
    subprocess.run([sys.executable, "-c", CODE], check=True)
