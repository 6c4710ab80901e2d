"""In a notebook an error ends in the user's line.

Protects a student from pages of this package's own lines above the sentence that helps.
"""

import subprocess
import sys

import pytest

SHELL = """
import sys
from IPython.core.interactiveshell import InteractiveShell

shell = InteractiveShell.instance()
shell.colors = "NoColor"
{before}
shell.run_cell("import autodiff_edu as ad, numpy as np, traceback; x = ad.vector('x', shape=3)")
for cell in {cells!r}:
    print("CELL")
    shell.run_cell(cell)
"""


def shown(*cells, before=""):
    """What IPython shows for each cell."""
    code = SHELL.format(cells=cells, before=before)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.split("CELL\n")[1:]


WRONG = {
    "x + ad.vector('y', shape=4)": "ShapeError: add of x",
    "ad.grad(x * x, x)": "TypeError: Cost must be a scalar",
    "f = ad.function(x, x); f(np.zeros(5))": "ShapeError: x is declared",
    "np.linalg.norm(x, axis=7)": "AxisError: axis 7",
    "ad.grad(lambda a: float(a))(3.0)": "TypeError: an expression has no number yet",
    "ad.grad(lambda a: ad.grad(lambda b: 1 / 0)(a))(3.0)": "ZeroDivisionError: division by zero",
    "ad.function(x, ad.inv(ad.zeros((3, 3))) @ x)(np.ones(3))": "LinAlgError: ",
}
OWN_CAUSE = "try:\n    ad.grad(x * x, x)\nexcept TypeError as e:\n    raise e from e"


@pytest.fixture(scope="module")
def texts():
    kept = "traceback.print_exception(sys.last_value, file=sys.stdout)"
    return shown(*WRONG, OWN_CAUSE, "1 / 0", "np.linalg.norm(np.ones(3), axis=7)",
                 "ad.grad(x * x, x)", "import sys; " + kept)  # fmt: skip


def test_no_frame_of_the_package_is_shown(texts):
    for text, (cell, sentence) in zip(texts, WRONG.items()):
        assert "File " not in text and "<program>" not in text, text
        assert f"----> 1 {cell}" in text
        assert sentence in text.splitlines()[-1] or sentence in text, text


def test_functions_of_the_user_between_are_shown(texts):
    (text,) = [t for t in texts if "1 / 0)(a)" in t]
    assert text.count("in <lambda>") == 2


def test_other_errors_are_shown_as_before(texts):
    assert "----> 1 1 / 0" in texts[-4]
    assert "numpy" in texts[-3] and "File " in texts[-3]  # of NumPy's own, on an array


def test_an_error_may_be_its_own_cause(texts):
    assert "TypeError: Cost must be a scalar" in texts[len(WRONG)]


def test_all_frames_are_still_there(texts):
    assert "differentiate" in texts[-1] and "check_scalar" in texts[-1]


def test_a_handler_that_is_there_stays():
    before = "shell.set_custom_exc((TypeError,), lambda *a, **k: print('mine'))"
    (text,) = shown("ad.grad(x * x, x)", before=before)
    assert text.strip() == "mine"
