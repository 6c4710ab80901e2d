"""Lint, format and types are clean: ruff over everything, mypy over the package.

Protects reviews from being about commas.
"""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers import depth

COLD = "" if depth.is_short() else " --cache-dir=/dev/null"  # as on a clean checkout
TYPES = "mypy --no-error-summary" + COLD
CHECKS = ["ruff check --quiet", "ruff format --check --quiet", TYPES]


@pytest.mark.parametrize("check", CHECKS)
def test_clean(check):
    command = [sys.executable, "-m", *check.split()]
    root = Path(__file__).parents[2]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
