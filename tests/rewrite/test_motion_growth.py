"""Moving work out of a loop takes time in proportion to the body, however much may move."""

import pytest

import autodiff_edu as ad
from autodiff_edu.rewrite.loops import code_motion


def loop(length):
    """Each of so many sines of the slice is needed by the state."""

    def step(row, s):
        for _ in range(length):
            row = ad.sin(row)
            s = s * row
        return s

    rows = ad.matrix("rows", shape=(3, 4))
    return ad.scan(step, sequences=rows, outputs_info=ad.vector("s", shape=4))[-1]


@pytest.fixture
def walked(monkeypatch):
    """How many nodes were listed by walks while work moves out of a loop of such a length."""

    def counted(length):
        found = []

        def counting(roots):
            order = old(roots)
            found.append(len(order))
            return order

        with monkeypatch.context() as patch:
            old = code_motion.postorder
            patch.setattr(code_motion, "postorder", counting)
            stage = ad.simplify(loop(length))
        assert any("before the loop" in rule for rule in stage.counts)
        return sum(found)

    return counted


def test_the_nodes_that_may_move_are_found_in_one_walk(walked):
    few, more, many = [walked(length) for length in (10, 20, 40)]
    assert many - more == 2 * (more - few)
