"""Settings of Python, and where the package lies, change no number and no picture.

Protects who runs it without docstrings, without assertions, with warnings as errors, or out of one
zip file.
"""

import os
import subprocess
import sys
import zipfile

import pytest

from dev import ROOT
from tests.helpers.depth import some

WORK = """
import numpy as np
import autodiff_edu as ad
x = ad.vector("x")
y = np.sum(np.tanh(x) ** 2, axis=0)
slope = ad.simplify(ad.reverse_mode(y, x))
print(ad.function(x, slope).source, slope.table(), ad.latex(slope.output))
for shown in (ad.draw(y), ad.film(slope), ad.why(slope.output), ad.film(ad.reverse_mode(y, x))):
    print(shown._repr_mimebundle_())
print(ad.value_and_grad(lambda x: np.mean(x * x))(np.arange(3.0)))
"""


def printed(*options, path=ROOT):
    """What it prints, with these options of Python."""
    command = [sys.executable, *options, "-c", WORK]
    environment = os.environ | {"PYTHONPATH": str(path), "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(
        command, cwd=path.parent, env=environment, capture_output=True, encoding="utf-8"
    )
    assert not done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def usual():
    return printed()


OPTIONS = [["-O"], ["-OO"], ["-W", "error"], ["-X", "dev"]]


@pytest.mark.parametrize("options", some(OPTIONS, 4, turn=1), ids=" ".join)
def test_options_change_nothing(usual, options):
    assert printed(*options) == usual


def test_the_package_runs_out_of_a_zip_file(usual, tmp_path):
    path = tmp_path / "package.zip"
    package = ROOT / "autodiff_edu"
    with zipfile.ZipFile(path, "w") as packed:
        for file in package.rglob("*"):
            if file.suffix in (".py", ".woff"):
                packed.write(file, file.relative_to(ROOT))
    assert printed(path=path) == usual
