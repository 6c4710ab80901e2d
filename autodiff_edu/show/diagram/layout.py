"""The layout: Graphviz places what a DOT text says, and draws it.

It does so in this process, from the pygraphviz wheel. Where pygraphviz cannot be imported, a `dot`
program of the system does the same work. Where there is none either, `GraphvizMissing` says what to
install, and pictures show their text form.
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

from .fonts import caught_stderr, pinned_fonts

Format = Literal["svg", "png", "pdf"]
Renderer = Callable[[str, Format], bytes]

PNG_DPI = 192
LIMIT = "16"  # steps a node to place them: few pictures need as many, and some a thousand
REMEDY = "To see pictures, `pip install pygraphviz` (Graphviz is in it), or install Graphviz."
WIDE = re.compile(  # characters for which DejaVu Sans has no measure
    "([\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60"
    "\uffe0-\uffe6\U0001f000-\U0001faff\U00020000-\U0003fffd])"
)
SPACER = "\u2005"  # a quarter of an em: DejaVu's stand-in for a Chinese character is 0.84 em wide


class GraphvizMissing(RuntimeError):
    """Neither pygraphviz nor a `dot` program is here."""


one_at_a_time = RLock()  # Graphviz's C code keeps state in global variables
if hasattr(os, "register_at_fork"):  # so a process does not fork while a thread is drawing
    _free = one_at_a_time.release
    os.register_at_fork(before=one_at_a_time.acquire, after_in_parent=_free, after_in_child=_free)


@lru_cache(maxsize=512)
def laid_out(dot: str) -> str:
    """Graphviz's own SVG, from which ours are made."""
    return render(dot, "svg").decode().replace(SPACER, "")


def render(dot: str, format: Format) -> bytes:
    """What Graphviz makes of the text. Raises ValueError, with its words, where it is not DOT."""
    with one_at_a_time:
        drawn = renderer()(spaced(dot), format)
    if format != "pdf":
        return drawn
    # cairo writes the time of day; as many zeros keep the offsets in the file right
    return re.sub(rb"(?<=/CreationDate \(D:)\d+", lambda date: b"0" * len(date[0]), drawn)


def spaced(dot: str) -> str:
    """DOT text with room after each wide character, which is taken out of the drawing again."""
    return WIDE.sub(rf"\1{SPACER}", dot)


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

    # fontconfig reads its configuration once, when the first label is measured
    with pinned_fonts():
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
