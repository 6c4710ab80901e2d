"""Programs say the same without the room `run/fast`, which exists for speed alone."""

import subprocess
import sys
from pathlib import Path

import autodiff_edu as ad
from tests.helpers.depth import some

ROOT = Path(__file__).parents[2]
CORE = "function state numbers bodies check portable loop_rows"
OF_SPEED = [  # what these claim is speed, or memory
    "test_function.py::test_arrays_that_die_are_reused",
    "test_loop_rows.py::test_states_are_computed_in_their_rows",
    "test_loop_rows.py::test_a_loop_of_lengths_that_come_again_is_the_loop_of_known_ones",
    "test_loop_rows.py::test_a_matrix_of_each_step_lies_in_a_row",
]


def test_the_core_of_these_tests_passes_without_it():
    files = [f"tests/run/test_{name}.py" for name in some(CORE.split(), 6)]
    aside = [f"--deselect=tests/run/{name}" for name in OF_SPEED]
    options = [
        "-q",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:xdist",
        "-p",
        "no:nbval",
        "-o",
        "addopts=",
        "-p",
        "tests.helpers.without_speed",
    ]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options, *aside, *files],
        cwd=ROOT, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-3000:]
    assert "4 deselected" in done.stdout


def test_it_is_loaded_by_arrays_alone():
    text = (
        "import sys, autodiff_edu as ad\n"
        "x, v = ad.scalar('x'), ad.vector('v')\n"
        "ad.function(x, x * x), ad.generate(x)\n"
        "assert 'autodiff_edu.run.fast' not in sys.modules\n"
        "ad.function(v, v * v)\n"
        "assert 'autodiff_edu.run.fast' in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", text], cwd=ROOT, check=True)


def test_a_plan_without_it_has_an_order_and_no_more(monkeypatch):
    x = ad.vector("x", shape=3)
    y = ad.sum(x * ad.exp(x))
    with_it = ad.plan(y).after
    monkeypatch.setitem(sys.modules, "autodiff_edu.run.fast", None)
    monkeypatch.delattr("autodiff_edu.run.fast")
    plan = ad.plan(y).after
    assert with_it.swallowed and not plan.swallowed and not plan.into
    assert len(plan.order) == len(with_it.order) + len(with_it.swallowed)
