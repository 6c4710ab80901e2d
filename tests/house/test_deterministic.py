"""The same work gives the same bytes; other work gives a test that fails.

Protects the committed notebooks and pictures: a difference in them is a difference in the work.
"""

import os
import re
import shutil
import subprocess
import sys

import nbformat
import pytest

import dev
from tests.helpers.depth import some

SEEDS = ("1", "2")
LECTURE = dev.ROOT / "notebooks" / "01_reading_a_graph.ipynb"  # the quickest; it has no plot

# ---- notebooks


SHOWN = "ad.draw(x * x + (x - 2))"
CHANGED = {
    "an edge": ("x - 2", "2 - x"),
    "another edge": ("x * x", "x * 2"),
    "a mark": ("2))", "2), highlight=x)"),
    "nothing": ("", ""),
}
CELLS = ["import autodiff_edu as ad", 'x = ad.scalar("x")', *[SHOWN] * len(CHANGED)]


@pytest.fixture(scope="module", params=some(SEEDS, 2))
def executed(request, tmp_path_factory):
    """A folder with a lecture and a notebook of ours, which the job of dev.py has executed."""
    folder = tmp_path_factory.mktemp("executed")
    cells = [nbformat.v4.new_code_cell(source) for source in CELLS]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), folder / "ours.ipynb")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dev, "python_of", lambda _: sys.executable)  # which runs the tests
        patch.setenv("PYTHONHASHSEED", request.param)
        dev.execute(shutil.copy(LECTURE, folder), folder / "ours.ipynb")
    return folder


def test_a_lecture_executed_again_is_the_committed_file(executed):
    assert (executed / LECTURE.name).read_bytes() == LECTURE.read_bytes()


def compared(folder):
    """Which cells of its one notebook pass: what nbval says under the project's configuration."""
    config = ("-c", dev.ROOT / "pyproject.toml", "--rootdir", dev.ROOT, "-p", "conftest")
    command = [sys.executable, "-m", "pytest", *config, "-p", "no:cacheprovider", "-rA", folder]
    one = {"HYPOTHESIS_PROFILE": "full"}  # for one kernel no process need load all to be forked
    environment = os.environ | {"PYTHONPATH": str(dev.ROOT)} | one
    done = subprocess.run(command, cwd=dev.ROOT, env=environment, capture_output=True, text=True)
    found = re.findall(r"^(PASSED|FAILED) .*?\.ipynb::Cell (\d)", done.stdout, re.M)
    assert len(found) == len(CELLS), done.stdout
    return {int(cell): said == "PASSED" for said, cell in found}


def test_a_changed_edge_fails_the_notebook(executed, tmp_path):
    book = nbformat.read(executed / "ours.ipynb", 4)
    for cell, (old, new) in zip(book.cells[2:], CHANGED.values(), strict=True):
        # the source alone: the committed output stays
        cell.source = cell.source.replace(old, new)
    nbformat.write(book, tmp_path / "changed.ipynb")
    passed = compared(tmp_path)
    assert [passed[k] for k in range(2, len(CELLS))] == [name == "nothing" for name in CHANGED]
    assert passed[0] and passed[1]


# ---- pictures

FORMULAS = some([  # and by what they are differentiated
    "ad.sin(x*x) / (1 + ad.exp(-x)), x", "x*x + (x - 2), x", "ad.mean(ad.log(1 + ad.exp(X @ w))), w"
], 3)  # fmt: skip
PICTURES = f"""
import autodiff_edu as ad
x, w, X = ad.scalar("x"), ad.vector("w"), ad.matrix("X", shape=(3, 2))
for y, wrt in {", ".join(f"({one})" for one in FORMULAS)},:
    symbolic, reverse = ad.symbolic_derivative(y, wrt), ad.reverse_mode(y, wrt)
    short = ad.simplify(reverse)
    shown = [ad.draw(y), ad.draw(y, layout="tree"), ad.compare(symbolic, reverse), ad.why(short.output)]
    shown += map(ad.film, [symbolic, reverse, short, ad.forward_mode(y, wrt), ad.pipeline(y, wrt)])
    for one in shown:
        print(one._repr_mimebundle_())
"""  # noqa: E501


def printed(*before, **environment):
    """What the pictures' program prints in a process of its own."""
    command = [*before, sys.executable, "-c", PICTURES]
    done = subprocess.run(command, env=os.environ | environment, capture_output=True)
    assert done.stderr == b""
    return done.stdout


@pytest.fixture(scope="module")
def usual():
    """The same in the usual surroundings, with the first seed."""
    text = printed(PYTHONHASHSEED=SEEDS[0])
    assert text.count(b"base64,") > 40 * len(FORMULAS)
    return text


def test_pictures_do_not_depend_on_hashing(usual):
    assert printed(PYTHONHASHSEED=SEEDS[1]) == usual


def test_pictures_do_not_depend_on_fonts(usual, without_fonts, tmp_path):
    home = {"HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path)}
    assert printed(*without_fonts, PYTHONHASHSEED=SEEDS[0], **home) == usual
