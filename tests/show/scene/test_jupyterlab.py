"""In JupyterLab the keys of the explorer are its own, and the notebook scrolls by the wheel. In its
dark theme plots are as dark as pictures.

Runs in the deep run, where Chromium and JupyterLab are: a server takes some seconds to start.
"""

import base64
import io
import json
import os
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import nbformat
import pytest

import autodiff_edu as ad
from tests.helpers import browser
from tests.helpers.depth import is_short

pytestmark = [
    pytest.mark.skipif(is_short(), reason="takes some seconds; in the full run"),
    pytest.mark.skipif(find_spec("jupyterlab") is None, reason="needs JupyterLab"),
    pytest.mark.skipif(browser.PROGRAM is None, reason="needs Chromium"),
]
HOME = "127.0.0.1"
LOCAL = f"--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE {HOME}"
KERNEL = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
EXPLORER = "document.querySelector('.autodiff-explorer')?.autodiffExplorer"
CELLS = "document.querySelectorAll('.jp-Notebook .jp-Cell').length"


def plot():
    """A figure of matplotlib, as a kernel sends it."""
    from matplotlib.figure import Figure  # not when tests are collected

    figure = Figure(figsize=(6, 3))
    figure.subplots().plot([1, 3, 2])
    figure.savefig(png := io.BytesIO(), format="png")
    data = {"image/png": base64.b64encode(png.getvalue()).decode()}
    return nbformat.v4.new_output("display_data", data)


def write_notebook(path):
    """An explorer between a cell above and some below, a picture and a plot at the end."""
    x = ad.scalar("x")
    page = ad.explore(x * x + (x - 2), at={x: 3.0}).image()
    output = nbformat.v4.new_output("display_data", {"text/html": page})
    cells = [nbformat.v4.new_code_cell("1"), nbformat.v4.new_code_cell("2", outputs=[output])]
    cells += [nbformat.v4.new_code_cell(f"{k}\n" * 9) for k in range(9)]
    drawn = nbformat.v4.new_output("display_data", ad.draw(x * x)._repr_mimebundle_())
    cells += [nbformat.v4.new_code_cell("plot", outputs=[drawn, plot()])]
    nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata=KERNEL), path)


@contextmanager
def laboratory(folder):
    """The address of a JupyterLab that has nothing but this folder."""
    names = ("CONFIG_DIR", "DATA_DIR", "RUNTIME_DIR")
    env = dict(os.environ) | {f"JUPYTER_{name}": str(folder / name) for name in names}
    with socket.socket() as free:
        free.bind((HOME, 0))
        port = free.getsockname()[1]
    python = [sys.executable, "-m"]
    subprocess.run([*python, "jupyter", "trust", "page.ipynb"], cwd=folder, env=env, check=True,
                   capture_output=True)  # fmt: skip
    options = ["--no-browser", f"--ServerApp.ip={HOME}", f"--port={port}", "--allow-root",
               "--IdentityProvider.token=", f"--ServerApp.root_dir={folder}"]  # fmt: skip
    server = subprocess.Popen([*python, "jupyterlab", *options], cwd=folder, env=env,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # fmt: skip
    address = f"http://{HOME}:{port}"
    try:
        while server.poll() is None:
            try:
                urllib.request.urlopen(f"{address}/api").close()
                break
            except OSError:
                time.sleep(0.1)
        yield address
    finally:
        server.terminate()
        server.wait()


def darken(folder):
    """Let the laboratory have its dark theme."""
    themes = folder / "CONFIG_DIR/lab/user-settings/@jupyterlab/apputils-extension"
    themes.mkdir(parents=True)
    settings = json.dumps({"theme": "JupyterLab Dark"})
    (themes / "themes.jupyterlab-settings").write_text(settings, "utf-8")


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    folder: Path = tmp_path_factory.mktemp("laboratory")
    write_notebook(folder / "page.ipynb")
    darken(folder)
    with pytest.MonkeyPatch.context() as patch, laboratory(folder) as address:
        patch.setattr(browser, "OFFLINE", (LOCAL, *browser.OFFLINE[1:]))
        with browser.opened(folder / "profile") as page:
            page.prefer("light")
            page.tell("Page.navigate", url=f"{address}/lab/tree/page.ipynb?reset")
            page.until(EXPLORER)
            page.run(f"globalThis.e = {EXPLORER};")
            yield page


FOCUS = """
for (let n = 0; n < 30; n++) { // dialogs come late, and take the focus
  for (const one of document.querySelectorAll(".jp-Dialog-button.jp-mod-accept")) one.click();
  e.root.querySelector('.node[tabindex="0"]').focus();
  await new Promise((r) => setTimeout(r, 100));
}
"""


def state(page):
    """Cells, cells that are edited, and the stop of the explorer."""
    page.run("await new Promise((r) => setTimeout(r, 300))")
    edited = "document.querySelectorAll('.jp-Notebook.jp-mod-editMode').length"
    return page.run(f"return [{CELLS}, {edited}, e.k]")


def test_keys_in_the_explorer_are_no_commands_of_the_notebook(page):
    page.run(f"e.go(0); {FOCUS}")
    cells, *_ = state(page)
    for key in ("a", "b", "d", "d", "Enter", "Escape", "x"):
        page.press(key)
    assert state(page)[:2] == [cells, 0]
    page.press("n")
    page.until("e.k === 1")
    assert state(page) == [cells, 0, 1]
    page.press(" ")
    page.run("while (e.steps.isPlaying) await new Promise((r) => setTimeout(r, 50))")
    assert state(page) == [cells, 0, page.run("return e.model.last")]


def test_outside_of_it_the_same_key_is_the_notebook_s(page):
    cells, *_ = state(page)
    page.run("document.querySelector('.jp-Notebook .jp-Cell').click();"
             "document.querySelector('.jp-Notebook').focus()")  # fmt: skip
    page.press("Escape")
    page.press("a")
    page.until(f"{CELLS} === {cells + 1}")


def test_the_notebook_scrolls_by_the_wheel_over_the_explorer(page):
    page.run("e.host.scrollIntoView({ block: 'center' })")
    x, y = page.run("const r = e.view.scroller.getBoundingClientRect();"
                    "return [r.x + r.width / 2, Math.min(r.y + r.height / 2, 600)]")  # fmt: skip
    top = "e.host.getBoundingClientRect().top"
    before = page.run(f"return {top}")
    page.tell("Input.dispatchMouseEvent", type="mouseWheel", x=x, y=y, deltaX=0, deltaY=150)
    page.until(f"{top} < {before - 50}")
    assert page.run("return e.view.zoom") == 1


IMAGE = "document.querySelector('.jp-RenderedImage img')"
PLOT = f"""
{IMAGE}.scrollIntoView({{ block: "center" }});
for (let n = 0; n < 3; n++) await new Promise(requestAnimationFrame);
const {{ x, y, width, height }} = {IMAGE}.getBoundingClientRect();
return {{ x, y, width, height, scale: 1 }};
"""


def test_on_a_dark_page_a_plot_has_no_white_sheet(page):
    from PIL import Image  # not when tests are collected

    seen = page.picture(clip=page.run(PLOT))
    light = Image.open(io.BytesIO(seen)).convert("L").histogram()
    assert sum(light[:64]) > 0.8 * sum(light), "the sheet of a plot is not dark"
    assert sum(light[150:]) > 100, "its lines and letters are not light"
