"""What several tests of the grader share."""

from types import SimpleNamespace

import pytest

from autodiff_edu.course.grading import score
from autodiff_edu.course.grading.run import RUNNER
from autodiff_edu.course.harness.starter import Starter


@pytest.fixture(scope="session")
def lasting():
    """A fork server for the gradings of a worker's tests: its start takes a third of a second."""
    starter = Starter(RUNNER, keeper=True)
    yield SimpleNamespace(start=starter.start, close=lambda: None)
    starter.close()


@pytest.fixture(scope="module")
def one_server(lasting):
    """One fork server for all gradings of a module."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(score, "Starter", lambda *_, **how: lasting)
        yield


@pytest.fixture
def own_servers(monkeypatch):
    """A fork server for each grading of a test, in a module that shares one."""
    monkeypatch.setattr(score, "Starter", Starter)
