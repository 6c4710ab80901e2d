"""What several tests of the course share."""

import subprocess

import pytest

from autodiff_edu.course.harness.starter import Starter
from autodiff_edu.course.harness.supervisor import MODULE, SUPERVISOR


@pytest.fixture(scope="session", autouse=True)
def _end():
    """What has started processes for checks ends with the tests, and Python has nothing to warn."""
    yield
    SUPERVISOR.close()


@pytest.fixture
def alone(monkeypatch):
    """No second process can be started here. The fork server of other tests is there afterwards."""

    def refuse(*args, **how):
        raise OSError

    SUPERVISOR.dismiss()
    monkeypatch.setattr(SUPERVISOR, "starter", Starter(MODULE))
    monkeypatch.setattr(subprocess, "Popen", refuse)
