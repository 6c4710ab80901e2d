"""What holds for every test: how notebooks are compared, and that chance is repeatable.

tests/helpers/depth.py says how many examples a random test draws. Checks of exercises draw from
one seed, in notebooks too; an empty AUTODIFF_EDU_SEED draws anew.
"""

import gc
import os

from hypothesis import settings
from hypothesis.internal.conjecture import providers

from tests.helpers import depth, order

pytest_plugins = ["tests.helpers.cases"]
os.environ.setdefault("AUTODIFF_EDU_SEED", "1")
depth.load()
if settings.default.derandomize and hasattr(providers, "Constants"):
    # Hypothesis tries the numbers of all modules that happen to be loaded. So cases would depend on
    # which tests ran before in the same process, and a failure would not come again.
    providers._get_local_constants = providers.Constants


def pytest_configure(config):
    """Each worker begins to collect at another room: what one has compiled, others read."""
    worker = getattr(config, "workerinput", None)
    if worker and config.args == config.getini("testpaths"):
        rooms = sorted(map(str, (config.rootpath / "tests").glob("[!_]*/")))
        k = len(rooms) * int(worker["workerid"].removeprefix("gw")) // worker["workercount"]
        config.args = [*rooms[k:], *rooms[:k], "notebooks"]


def pytest_collection_modifyitems(items):
    """Notebooks show numbers. Long files come first; all workers have one order."""
    items.sort(key=lambda item: (order.place(item.path), item.path))
    for item in items:
        if item.path.suffix == ".ipynb":
            item.add_marker("numeric")


def pytest_sessionfinish():
    """Pytest collects what there is when it ends: all items and modules, which end with it."""
    gc.freeze()


def pytest_collectstart(collector):
    """Compare a picture by its text, not by its markup; fork the kernels of notebooks.

    The text/plain of a graph lists every node and edge and ends with a digest of the DOT that the
    picture was drawn from, so a changed picture changes the text.
    """
    if type(collector).__name__ == "IPyNbFile":
        from tests.helpers import kernels  # only here is jupyter_client sure to be there

        kernels.install()
        collector.skip_compare += ("image/svg+xml", "text/html")
