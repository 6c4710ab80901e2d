"""What compares digits, run on every kind of processor that this machine can play.

    python3 dev.py test --cpus

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

TESTS = Path(__file__).resolve().parents[1]
PYTEST = (
    "-m",
    "pytest",
    "-m",
    "numeric",
    "-q",
    "-n",
    "auto",
    "--maxprocesses=4",
    "--dist=loadfile",
    "--nbval-cell-timeout=600",  # where Python stands in for C, a lesson in training takes long
)


def files():
    """Where such tests stand. To collect the others takes as long as to run many of these."""
    tests = sorted(TESTS.rglob("test_*.py"))
    return [
        *[p for p in tests if "mark.numeric" in p.read_text("utf-8")],
        TESTS.parent / "notebooks",
    ]


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
    failed = []
    for name, environment in processors():
        print(f"---- {name}", flush=True)
        start = time.perf_counter()
        named = any((TESTS.parent / arg.partition("::")[0]).exists() for arg in args)
        command = [sys.executable, *PYTEST, *args, *([] if named else files())]
        if subprocess.run(command, cwd=TESTS.parent, env=os.environ | environment).returncode:
            failed.append(name)
        print(f"---- {name}: {time.perf_counter() - start:.0f} seconds", flush=True)
    if failed:
        sys.exit(f"something differs on {', '.join(failed)}")


if __name__ == "__main__":
    main(*sys.argv[1:])
