"""Fast: what exists for speed alone, and may be left out.

Takes: a plan, or the source of a program of arrays. Gives: steps that compute several operations,
arrays that are written over, and shorter lines. `fuse` and `reuse` are passes over a plan; `lines`,
`form` and `blocks` write what they join. `dying` and `quicken` let loops write over sequences, and
`specialising` writes a program for lengths that come again. Without this room all programs say the
same: a test leaves it out.
"""

from .blocks import blocks
from .forms import form
from .joined_lines import lines
from .joining import fuse
from .loop_rows import dying, quicken
from .reuse import reuse
from .specialised import specialising

__all__ = ["blocks", "dying", "form", "fuse", "lines", "quicken", "reuse", "specialising"]
