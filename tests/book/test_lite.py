"""In a browser: what can be checked without one.

Protects readers who install nothing: the lectures come with a first cell that installs, no compiled
package is asked for that Pyodide lacks, and nothing breaks where there is no second process.
"""

import json
import shutil
import subprocess
import sys

import nbformat
import pytest
from packaging.requirements import Requirement

import autodiff_edu as ad
import dev
from tests.book.test_reference import page_of_the_book
from tests.house.test_frame import PROJECT, ROOT

lite = page_of_the_book("lite")
PYODIDE = {"numpy", "scipy", "matplotlib"}  # compiled packages that Pyodide has
PURE = {"graphviz", "cloudpickle", "click"}


def test_what_a_browser_has_to_install_is_there():
    wanted = [Requirement(r) for r in PROJECT["dependencies"]]
    browser = {"sys_platform": "emscripten", "platform_machine": "wasm32"}
    names = {r.name for r in wanted if r.marker is None or r.marker.evaluate(browser)}
    assert names == PYODIDE | PURE


def test_notebooks_begin_with_a_cell_that_installs(tmp_path):
    done = lite.prepare(tmp_path / "site")
    assert {p.parent.name for p in done} == {"site", "exercises"} and len(done) > 30
    for path in done:
        notebook = json.loads(path.read_text("utf-8"))
        assert notebook["cells"][0]["source"] == lite.INSTALL
        nbformat.validate(nbformat.from_dict(notebook))
        assert "BEGIN SOLUTION" not in path.read_text("utf-8")


BROWSER = """
import subprocess, sys
for name in ("psutil", "pygraphviz", "_posixsubprocess", "resource"):
    sys.modules[name] = None
def none(*args, **options): raise OSError("emscripten does not support processes")
subprocess.Popen = none
import autodiff_edu as ad
x = ad.scalar("x")
print(ad.simplify(ad.symbolic_derivative(x * x + x - 2, x)).output, ad.grad(lambda x: x * x)(3.0))
print("pip install pygraphviz" in ad.draw(x * x)._repr_mimebundle_()["text/html"])
from autodiff_edu import course
def three(): return 3
course.check_found(three, lambda n: n == 3, "is three")
from autodiff_edu.command.show import show
print(str(show("x*x"))[:7])
"""


def test_nothing_breaks_where_there_are_no_processes():
    done = subprocess.run(
        [sys.executable, "-c", BROWSER], cwd=ROOT, capture_output=True, text=True, check=True
    )
    first, picture, _, *checked, shown = done.stdout.splitlines()
    assert first == "(2 * x) + 1 6.0" and picture == "True" and shown == "formula"
    assert "checked without a second process" in done.stdout and "three: is three" in done.stdout


PYODIDE_NOW = "314.0.7"
RUN = """
import {{ readFileSync }} from "fs";
import {{ loadPyodide }} from "pyodide";
const [wheel, others] = process.argv.slice(2), python = await loadPyodide();
python.unpackArchive(new Uint8Array(readFileSync(wheel)), "wheel");
python.FS.mkdirTree("/others");
python.mountNodeFS("/others", others);
console.log(python.runPython(`{code}`));
"""
IMPORT = """
import importlib.metadata, sys
sys.path.append("/others")
try:
    import autodiff_edu
    said = "imported"
except ModuleNotFoundError as error:
    said = error.name
f"{sys.platform} {importlib.metadata.version('autodiff-edu')} {said}"
"""


def test_pyodide_itself_imports_the_wheel_as_far_as_numpy(tmp_path, wheel):
    """The runtime comes from npm, which has no NumPy for it; all else of the package is there."""
    if not (shutil.which("node") and shutil.which("npm")):
        pytest.skip("needs Node.js")
    npm = ("npm", "install", "--silent", "--no-audit", "--no-fund", f"pyodide@{PYODIDE_NOW}")
    if subprocess.run(npm, cwd=tmp_path, capture_output=True).returncode:
        pytest.skip("Pyodide cannot be had here")
    uv = dev.find_uv()
    target = ("--no-deps", "--target", tmp_path / "others")
    subprocess.run([uv, "pip", "install", "-q", *target, *sorted(PURE)], check=True)
    (tmp_path / "run.mjs").write_text(RUN.format(code=IMPORT), "utf-8")
    run = ("node", "run.mjs", wheel, tmp_path / "others")
    done = subprocess.run(run, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["emscripten", ad.__version__, "numpy"]
