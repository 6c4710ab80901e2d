"""The benchmarks still run, on graphs too small to measure anything."""

import io
import json
import re
import sys
import tracemalloc
from contextlib import redirect_stdout
from functools import partial

import pytest

from dev import ROOT
from tests.helpers.depth import some

SMALL = {
    "branches": {"count": 2, "repeats": 1, "turns": 5, "paths": 3},
    "captured": {"size": 5, "calls": 2, "repeats": 1},
    "chain": {"lengths": (20, 40), "repeats": 1},
    "explorer": {"steps": 3, "repeats": 1},
    "films": {"steps": 1, "repeats": 1},
    "families": {"lengths": (20,), "tries": 1, "most": 30},
    "hand": {"size": 0.01, "repeats": 1},
    "loops": {"steps": 5, "repeats": 1},
    "nodes": {"count": 2, "repeats": 1},
    "programs": {"size": 0.01, "repeats": 1},
    "old_names": {"repeats": 1, "steps": 2},
    "rewriter": {"lengths": (40, 80), "repeats": 1},
    "scalar": {"count": 10, "repeats": 2},
    "sizes": {"lengths": (4,)},
    "startup": {"repeats": 1},
    "structure": {"repeats": 1, "n": 50},
    "views": {"count": 1, "n": 10, "repeats": 1},
}


@pytest.fixture
def benchmark(monkeypatch):
    """Import a benchmark as if it were run: its folder first in the path, forgotten after."""
    monkeypatch.syspath_prepend(ROOT / "benchmarks")
    before = set(sys.modules)
    yield __import__
    for name in set(sys.modules) - before:
        if str(ROOT / "benchmarks") in str(getattr(sys.modules[name], "__file__", "")):
            del sys.modules[name]


def test_every_benchmark_is_tried_here():
    assert {path.stem for path in (ROOT / "benchmarks").glob("[!_]*.py")} == set(SMALL)


def here(worker, path, *args):
    """What a worker prints, without a process of its own."""
    with redirect_stdout(io.StringIO()) as printed:
        worker(*args)
    return printed.getvalue()


@pytest.mark.parametrize("name", some(SMALL, 8))
def test_it_prints_a_table(benchmark, capsys, monkeypatch, name):
    program = benchmark(name)
    if name == "families":  # it starts a process for each: here for one of them
        assert json.loads(program.elsewhere(program.__file__, "horner", 40))
        monkeypatch.setattr(program, "elsewhere", partial(here, program.worker))
    program.main(**SMALL[name])
    title, *_, last = capsys.readouterr().out.strip().splitlines()
    assert title.startswith("## ") and re.fullmatch(r"\|.*\|", last)


def test_the_formula_has_twenty_operations(benchmark):
    import autodiff_edu as ad

    scalar = benchmark("scalar")
    assert len(ad.Graph(scalar.graph()[1]).operations) == 20
    assert len(ad.function(*scalar.graph()).graph.operations) == 20, "simplified, it says less"


def test_the_chain_has_n_operations(benchmark):
    import autodiff_edu as ad

    assert len(ad.Graph(benchmark("chain").chain(20)[0]).operations) == 20


BY_HAND = ["MLP", "elementwise", "Rosenbrock", "pairwise distances"]


@pytest.mark.parametrize("name", some(BY_HAND, 2))
def test_no_more_memory_than_the_program_by_hand(benchmark, name):
    hand, engines = benchmark("hand"), benchmark("_engines")
    workload = hand.WORKLOADS[name]
    values = workload.values(1.0)
    ours = peak(lambda: engines.ours(workload, values), values)
    assert ours <= peak(lambda: hand.HAND[name], values)


def peak(make, values):
    """The most bytes that a first call holds at once, what it keeps for others included, after a
    call of another such program, which loads what is needed."""
    make()(*values)
    run = make()
    tracemalloc.start()
    run(*values)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return most
