"""The lectures as they run in a browser: a folder for JupyterLite, with a first cell that installs.

`python3 dev.py lite` builds the site. The kernel (Python for browsers) and NumPy come from the
public network when a reader opens a notebook; all else is in the site.
"""

import json
import shutil
import sys
from pathlib import Path
from typing import Any

NOTEBOOKS = Path(__file__).parent.parent / "notebooks"
INSTALL = "%pip install -q autodiff_edu scikit-learn nbformat"


def prepare(folder: Path) -> list[Path]:
    """Write lectures and students' exercises into a folder, and give their paths."""
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "exercises").mkdir(parents=True)
    done = []
    for path in sorted(NOTEBOOKS.glob("*.ipynb")):
        done.append(write(path, folder / path.name))
    for path in sorted((NOTEBOOKS / "exercises" / "student").glob("*.ipynb")):
        done.append(write(path, folder / "exercises" / path.name))
    return done


def write(source: Path, target: Path) -> Path:
    """A notebook, with the cell that installs as its first."""
    notebook = json.loads(source.read_text("utf-8"))
    notebook["cells"].insert(0, first_cell())
    target.write_text(json.dumps(notebook), "utf-8")
    return target


def first_cell() -> dict[str, Any]:
    """A cell that installs the package from the site itself."""
    empty = {"execution_count": None, "metadata": {}, "outputs": []}
    return {"cell_type": "code", "id": "install", "source": INSTALL, **empty}


if __name__ == "__main__":
    prepare(Path(sys.argv[1]))
