"""Simplification says the same without the rules that fire in no lecture."""

import subprocess
import sys
from pathlib import Path

import autodiff_edu as ad
from autodiff_edu.rewrite.catalogue import SUBJECTS, subject
from tests.helpers.depth import is_short, some

ROOT = Path(__file__).parents[2]
CORE = "simplify related cross_entropies"


def test_the_core_of_these_tests_passes_without_them():
    files = [f"tests/rewrite/test_{name}.py" for name in some(CORE.split(), 3, turn=1)]
    plugins = "no:cacheprovider no:xdist no:nbval tests.helpers.without_rare".split()
    options = ["-q", "-o", "addopts=", *[f"-p{name}" for name in plugins]]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", f"--one-in={16 if is_short() else 1}", *options, *files],
        cwd=ROOT, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-3000:]


def test_they_are_rules_of_the_house_all_the_same():
    rare = [subject(name) for name in SUBJECTS if ".rare." in name]
    names = [rule.name for module in rare for rule in module.RULES]
    assert names and all(name in ad.RULES.names for name in names)
