"""Programs in the style of Theano's years, each with its own thresholds, by both import forms."""

import re
import warnings
from pathlib import Path

import matplotlib
import pytest

from autodiff_edu.theano.script import run
from tests.helpers.depth import some

matplotlib.use("Agg")
pytestmark = pytest.mark.numeric
HERE = Path(__file__).parent / "programs"
PROGRAMS = sorted(HERE.glob("*.py"))
LONG = (  # four of a kind in a row: images, series, models of data, derivatives
    "lenet convolutional_network layers_with_dropout convolution "
    "recurrent_network lstm gru logistic_sgd "
    "variational_autoencoder adversarial_pair boltzmann_machine denoising_autoencoder "
    "pooling convolution_gradients gradients stacked_autoencoder"
).split()
OTHERS = [path for path in PROGRAMS if path.stem not in LONG]
SHORT = {"gru", "idioms", "mlp", "operations", "tutorial_adding", "tutorial_grad", "tutorial_loops"}


def as_room(text):
    """The program with the lines that import Theano changed, and no more."""
    text = re.sub(
        r"^import theano\.(\S+) as", r"import autodiff_edu.theano.\1 as", text, flags=re.M
    )
    text = re.sub(r"^import theano$", "import autodiff_edu.theano as theano", text, flags=re.M)
    text = re.sub(r"^import theano\.\S+$", "", text, flags=re.M)
    return re.sub(r"^(\s*)from theano", r"\1from autodiff_edu.theano", text, flags=re.M)


@pytest.mark.parametrize(
    "path",
    [*some(OTHERS, 2), *[HERE / f"{name}.py" for name in some(LONG, 16, turn=4)]],
    ids=lambda path: path.stem,
)
def test_a_program_runs_as_it_is(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        run(path)


@pytest.mark.parametrize("name", some(sorted(SHORT), 8, turn=1))
def test_a_program_runs_with_its_import_lines_changed(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (path,) = [p for p in PROGRAMS if p.stem == name]
    text = as_room(path.read_text("utf-8"))
    assert not re.search(r"^\s*(import|from) theano", text, re.M)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(compile(text, name, "exec"), {"__name__": "program"})
