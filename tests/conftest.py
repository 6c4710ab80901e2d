"""What several rooms' tests need of the machine."""

import gc
import shutil
import subprocess

import numpy as np
import pytest

from tests.helpers import browser

gc.set_threshold(50_000, 20, 20)  # a worker holds all tests: looking through them often is slow
HIDE_FONTS = (
    "for d in /usr/share/fonts /usr/local/share/fonts /etc/fonts /usr/share/fontconfig; do"
    ' if [ -d $d ]; then mount -t tmpfs none $d || exit 77; fi; done; exec "$@"'
)


@pytest.fixture(scope="session")
def without_fonts():
    """The words before a command that take all fonts from it."""
    hidden = ("unshare", "--map-root-user", "--mount", "sh", "-c", HIDE_FONTS, "sh")
    if not shutil.which("unshare") or subprocess.run([*hidden, "true"]).returncode:
        pytest.skip("this machine cannot hide its fonts from one process")
    return hidden


@pytest.fixture
def young(monkeypatch):
    """The collector looks at what this test makes: all that a worker holds would take seconds."""
    gc.freeze()
    monkeypatch.setattr(gc, "get_freeze_count", lambda: 1)  # to count them takes long, too
    yield
    gc.unfreeze()


@pytest.fixture
def rng():
    return np.random.default_rng(7)


@pytest.fixture(scope="session")
def chromium(tmp_path_factory):
    """A page of Chromium, which all tests of a worker share."""
    if not browser.PROGRAM:
        pytest.skip("needs Chromium")
    with browser.opened(tmp_path_factory.mktemp("chromium")) as page:
        yield page
