"""Diagrams that the tests of the show share."""

import pytest

from autodiff_edu.show import Diagram, Edge, Node


@pytest.fixture
def diagram():
    """x*x - 2, with one node of the derivative."""
    return Diagram(
        nodes=(
            Node("n0", "x", "input"),
            Node("n1", "2", "constant"),
            Node("n2", "×", note="float64 (3,)"),
            Node("n3", "−", mark="new"),
            Node("n4", "dx", "input", part="derivative"),
            Node("n5", "y", "output"),
        ),
        edges=(
            Edge("n0", "n2"),
            Edge("n0", "n2"),
            Edge("n2", "n3", "1"),
            Edge("n1", "n3", "2"),
            Edge("n4", "n3", part="derivative", mark="removed"),
            Edge("n3", "n5"),
        ),
    )
