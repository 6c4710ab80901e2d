"""The wheel of the project, which is built once."""

import os
import subprocess
import sys

import pytest

import dev


@pytest.fixture(scope="session")
def wheel(tmp_path_factory):
    """The wheel. The first worker that needs it builds it for all of them."""
    own, built = tmp_path_factory.getbasetemp(), tmp_path_factory.mktemp("built")
    shared = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "wheel"
    if not shared.exists():
        build(built)
        try:
            built.rename(shared)
        except OSError:  # another worker was faster
            shared = built
    (path,) = shared.glob("*.whl")
    return path


def build(folder):
    """Build it by uv, which has in store what that needs; or by pip."""
    uv = (dev.find_uv(), "build", "-q", "--wheel", "--out-dir", folder, dev.ROOT)
    pip = (sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--wheel-dir", folder, dev.ROOT)
    for command in ((*uv, "--offline"), uv, pip):
        if not subprocess.run(command, capture_output=command is not pip).returncode:
            return
    raise RuntimeError("the wheel cannot be built")
