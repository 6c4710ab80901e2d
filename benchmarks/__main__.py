"""Every benchmark in turn: `python benchmarks`, or `python3 dev.py bench`, which sets up first.

Sizes are such that all of them take four minutes; `--full` takes the large ones, too, for hours.
"""

import subprocess
import sys
from pathlib import Path

for path in sorted(Path(__file__).parent.glob("[!_]*.py")):
    subprocess.run([sys.executable, path, *sys.argv[1:]], check=True)
