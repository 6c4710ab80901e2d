"""Every picture is measured with one font, the DejaVu Sans that Matplotlib carries.

Graphviz asks fontconfig how wide a label is, and fontconfig would answer for the fonts of this
machine. A configuration of our own names Matplotlib's folder and nothing else.
"""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import IO

CONFIG = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>{fonts}</dir><cachedir>{cache}</cachedir><config><rescan><int>0</int></rescan></config>
</fontconfig>
"""


@contextmanager
def pinned_fonts() -> Iterator[None]:
    """While this is open, a fontconfig that starts knows Matplotlib's fonts and nothing else."""
    with tempfile.TemporaryDirectory(prefix="autodiff-fonts-") as folder:
        config = Path(folder) / "fonts.conf"
        config.write_text(CONFIG.format(fonts=fonts(), cache=folder), encoding="utf-8")
        # on macOS and Windows Pango would otherwise ask the system
        with environment(FONTCONFIG_FILE=str(config), PANGOCAIRO_BACKEND="fc"):
            yield


def fonts() -> Path:
    """The folder of Matplotlib's fonts, which is found without Matplotlib's import, a slow one."""
    found = find_spec("matplotlib")
    data = Path(found.origin).with_name("mpl-data") if found and found.origin else Path()
    if not (data / "fonts").is_dir():
        import matplotlib  # not at the top: some systems keep its data elsewhere

        data = Path(matplotlib.get_data_path())
    return data / "fonts" / "ttf"


@contextmanager
def environment(**values: str) -> Iterator[None]:
    """Environment variables for a while: child processes started later must not see them."""
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name) if value is None else os.environ.update({name: value})


@contextmanager
def caught_stderr() -> Iterator[IO[bytes]]:
    """A file of what C code writes to descriptor 2, which Jupyter would show under the cell."""
    with tempfile.TemporaryFile() as caught:
        saved = os.dup(2)
        os.dup2(caught.fileno(), 2)
        try:
            yield caught
        finally:
            os.dup2(saved, 2)
            os.close(saved)
