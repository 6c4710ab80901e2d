"""Every operation of the house passes its own check, but those whose operands must match in ways
that their types do not tell."""

import pytest

from autodiff_edu.check.op.check_op import check_trial
from autodiff_edu.check.op.trial import Trial, names_of
from autodiff_edu.ops import OPS
from tests.helpers.depth import some
from tests.helpers.examples import EXAMPLES, inputs_for

pytestmark = pytest.mark.numeric

TOLD_BY_THE_CALLER = ("recurrence", "overlap")  # never called but with operands that fit


CHECKED = [e for e in EXAMPLES if e.name not in TOLD_BY_THE_CALLER]


@pytest.mark.each("e", some(CHECKED, 32), ids=str)
def test_every_op_does_what_it_states(e, rng):
    op, values = OPS[e.name], e.values(rng)
    static = op.normalize_static(inputs_for(values), e.static)
    report = check_trial(Trial(op, static, names_of(op, len(values)), values))
    assert report, report
