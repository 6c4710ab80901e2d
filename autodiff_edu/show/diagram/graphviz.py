"""DOT text in, a laid-out picture out: Graphviz runs in this process, from the pygraphviz wheel.

Where pygraphviz cannot be imported, a `dot` program of the system does the same work; where there
is none either, `GraphvizMissing` says what to install, and pictures show their text form.
"""

import os
import re
import shutil
import subprocess
from collections.abc import Callable
from contextlib import redirect_stderr
from functools import lru_cache
from io import StringIO
from threading import RLock
from typing import Literal

from . import svg as _svg
from .escape import spaced
from .fonts import caught_stderr, pinned_fonts

Format = Literal["svg", "png", "pdf"]
Renderer = Callable[[str, Format], bytes]

PNG_DPI = 192
LIMIT = "16"  # steps a node to place them: few pictures need as many, and some a thousand
REMEDY = "To see pictures, `pip install pygraphviz` (Graphviz is in it), or install Graphviz."

_one_at_a_time = RLock()  # Graphviz's C code keeps state in global variables
if hasattr(os, "register_at_fork"):  # so a process does not fork while a thread is drawing
    _free = _one_at_a_time.release
    os.register_at_fork(before=_one_at_a_time.acquire, after_in_parent=_free, after_in_child=_free)


class GraphvizMissing(RuntimeError):
    """Neither pygraphviz nor a `dot` program is here."""


@lru_cache(maxsize=512)
def laid_out(dot: str) -> bytes:
    """Graphviz's own SVG, from which both of ours are made."""
    return render(dot, "svg")


def svg(dot: str, title: str = "", description: str = "") -> str:
    """The drawing as SVG text: the same bytes for the same text on every machine."""
    return _svg.finish(laid_out(dot), title, description)


@lru_cache(maxsize=512)
def short(dot: str) -> str:
    """The drawing as an `<img>` needs it: the same bytes on every machine, too."""
    return _svg.silent(laid_out(dot))


def render(dot: str, format: Format) -> bytes:
    """What Graphviz makes of the text. Raises ValueError, with its words, where it is not DOT."""
    with _one_at_a_time:
        drawn = renderer()(spaced(dot), format)
    if format != "pdf":
        return drawn
    # cairo writes the time of day; as many zeros keep the offsets in the file right
    return re.sub(rb"(?<=/CreationDate \(D:)\d+", lambda date: b"0" * len(date[0]), drawn)


# ---- the two ways to Graphviz


@lru_cache(maxsize=1)
def renderer() -> Renderer:
    """The best way to Graphviz that this machine has."""
    try:
        return _in_process()
    except ImportError:
        return _system_dot()


def _in_process() -> Renderer:
    import pygraphviz  # not at the top: a machine without it can still do everything else

    def draw(dot: str, format: Format) -> bytes:
        """Graphviz in this process, from pygraphviz."""
        with caught_stderr() as words, redirect_stderr(StringIO()):  # C code and pygraphviz
            try:
                graph = pygraphviz.AGraph(string=dot)
                graph.graph_attr["nslimit"] = LIMIT
                if format == "png":
                    graph.graph_attr["dpi"] = str(PNG_DPI)
                return graph.draw(format=format, prog=dict(graph.graph_attr).get("layout", "dot"))
            except (ValueError, pygraphviz.DotError) as e:
                words.seek(0)
                raise ValueError(f"Graphviz: {words.read().decode().strip() or e}") from None

    with (
        pinned_fonts()
    ):  # fontconfig reads its configuration once, when the first label is measured
        draw("graph { a }", "svg")
    return draw


def _system_dot() -> Renderer:
    program = shutil.which("dot")
    if program is None:
        raise GraphvizMissing(REMEDY)

    def draw(dot: str, format: Format) -> bytes:
        """The program `dot` of this system."""
        command = [program, f"-T{format}", f"-Gnslimit={LIMIT}"] + [f"-Gdpi={PNG_DPI}"] * (
            format == "png"
        )
        with pinned_fonts():
            done = subprocess.run(command, input=dot.encode(), capture_output=True)
        if done.returncode:
            raise ValueError(f"Graphviz: {done.stderr.decode().strip()}")
        return done.stdout

    return draw
