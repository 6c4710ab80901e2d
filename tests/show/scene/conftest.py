"""One page for all tests of the explorer, which runs its modules as they stand."""

import pytest

from autodiff_edu.show.scene.explorer import modules

from .explored import PAGE


@pytest.fixture(scope="module")
def page(chromium, tmp_path_factory):
    path = tmp_path_factory.mktemp("explorer") / "page.html"
    style, _, source = modules().rpartition("export {")
    path.write_text(PAGE % style, "utf-8")
    chromium.prefer("light")
    chromium.open(path)
    assert source and not chromium.errors
    return chromium
