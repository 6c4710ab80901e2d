"""What compares digits, run on every kind of processor that this machine can play.

    python3 dev.py test --cpus               all of it on each of them
    python3 dev.py test --cpus --in-turn     a case, or a notebook, on one of them

NumPy and OpenBLAS have code for several generations of processors and choose by what they find.
Here they are told to see less: a processor of 2008, one of 2013, one of 2017. That of 2013 runs
BLAS on two threads, as a reader's machine does: threads share a sum among them, so it is rounded
otherwise. The last run is on a processor that does not exist: see tests/perturbed.
"""

import os
import subprocess
import sys
import time
from pathlib import Path

from numpy._core._multiarray_umath import __cpu_dispatch__, __cpu_features__

import dev

TESTS = Path(__file__).resolve().parents[1]
PYTEST = ("-m", "pytest", "-m", "numeric", "-q", *dev.PARALLEL)


def files(turn=0, among=1):
    """Where such tests stand, and of notebooks one in so many. To collect the other tests takes as
    long as to run many of these."""
    tests = sorted(TESTS.rglob("test_*.py"))
    numeric = [path for path in tests if "mark.numeric" in path.read_text("utf-8")]
    return numeric + dev.notebooks()[turn::among]


def processors():
    """For each the environment that plays it, by name."""
    has = [name for name, there in __cpu_features__.items() if there]
    wide = [name for name in __cpu_dispatch__ if name in has]  # what NumPy may use, or leave
    widest = [name for name in wide if "512" in name or name == "X86_V4"]
    if "SSE42" in has:
        yield "Nehalem", core("Nehalem", wide)
    if "AVX2" in has:
        yield "Haswell", core("Haswell", widest) | {"OPENBLAS_NUM_THREADS": "2"}
    if "AVX512_SKX" in has:
        yield "SkylakeX", core("SkylakeX", [])
    path = [str(TESTS / "perturbed"), *os.environ.get("PYTHONPATH", "").split(os.pathsep)]
    perturbed = {"PYTHONPATH": os.pathsep.join(filter(None, path))}
    if results(perturbed) not in (None, results({})):
        yield "perturbed", perturbed
    else:  # it reaches into NumPy by C: tried on Linux x86-64 alone
        print("---- perturbed: cannot be played here", flush=True)


def results(environment):
    """What a few functions give there, or None if Python ends in an error."""
    program = "import numpy as np; x = np.arange(9) / 7; print(np.exp(x).tolist(), x @ x)"
    command, environment = [sys.executable, "-c", program], os.environ | environment
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    return None if done.returncode else done.stdout


def core(name, without):
    return {"OPENBLAS_CORETYPE": name, "NPY_DISABLE_CPU_FEATURES": " ".join(without)}


def main(*args):
    """Run the tests on every processor; with --in-turn each processor has its share of cases."""
    failed, every = [], [*processors()]
    among = len(every) if "--in-turn" in args else 1
    args = [arg for arg in args if arg != "--in-turn"]
    named = any((TESTS.parent / arg.partition("::")[0]).exists() for arg in args)
    for k, (name, environment) in enumerate(every):
        print(f"---- {name}", flush=True)
        start, turn = time.perf_counter(), k % among
        command = [sys.executable, *PYTEST, f"--one-in={among}", f"--turn={turn}", *args]
        command += [] if named else files(turn, among)
        if subprocess.run(command, cwd=TESTS.parent, env=os.environ | environment).returncode:
            failed.append(name)
        print(f"---- {name}: {time.perf_counter() - start:.0f} seconds", flush=True)
    if failed:
        sys.exit(f"something differs on {', '.join(failed)}")


if __name__ == "__main__":
    main(*sys.argv[1:])
