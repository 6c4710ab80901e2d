"""What compares digits, run on every kind of processor that this machine can play.

    python3 dev.py test --cpus

NumPy and OpenBLAS have code for several generations of processors and choose by what they find.
Here they are told to see less: a processor of 2008, one of 2013 that runs BLAS on two threads, one
of 2017. The last run is on a processor that does not exist: see tests/perturbed.
"""

import os
import subprocess
import sys
import time
from pathlib import Path

from numpy._core._multiarray_umath import __cpu_dispatch__, __cpu_features__

HERE = Path(__file__).resolve().parent
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
)

# Not where functions are off by two units: what counts units, and what counts bytes.
PRECISE = ("notebooks/12_stability.ipynb", "tests/rewrite/test_stable.py")
MEMORY = ("notebooks/17_memory.ipynb", "notebooks/exercises/17_memory.ipynb")


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
    path = [str(HERE / "perturbed"), *os.environ.get("PYTHONPATH", "").split(os.pathsep)]
    yield "perturbed", {"PYTHONPATH": os.pathsep.join(filter(None, path))}


def core(name, without):
    return {"OPENBLAS_CORETYPE": name, "NPY_DISABLE_CPU_FEATURES": " ".join(without)}


def main(*args):
    failed = []
    for name, environment in processors():
        print(f"---- {name}", flush=True)
        start = time.perf_counter()
        command = [sys.executable, *PYTEST, *args]
        if name == "perturbed":
            command += [f"--deselect={path}" for path in (*PRECISE, *MEMORY)]
        if subprocess.run(command, cwd=HERE.parent, env=os.environ | environment).returncode:
            failed.append(name)
        print(f"---- {name}: {time.perf_counter() - start:.0f} seconds", flush=True)
    if failed:
        sys.exit(f"something differs on {', '.join(failed)}")


if __name__ == "__main__":
    main(*sys.argv[1:])
