"""What several tests of the grader share."""

from types import SimpleNamespace

import pytest

from autodiff_edu.course.grading import score
from autodiff_edu.course.grading.run import RUNNER
from autodiff_edu.course.harness.starter import Starter


@pytest.fixture(scope="module")
def one_server():
    """One fork server for all gradings of a module: its start takes a third of a second."""
    starter = Starter(RUNNER, keeper=True)
    lasting = SimpleNamespace(start=starter.start, close=lambda: None)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(score, "Starter", lambda *_, **how: lasting)
        yield
    starter.close()


@pytest.fixture
def own_servers(monkeypatch):
    """A fork server for each grading of a test, in a module that shares one."""
    monkeypatch.setattr(score, "Starter", Starter)
