"""Every benchmark in turn: `python benchmarks`, or `python3 dev.py bench`, which sets up first."""

import subprocess
import sys
from pathlib import Path

for path in sorted(Path(__file__).parent.glob("[!_]*.py")):
    subprocess.run([sys.executable, path], check=True)
