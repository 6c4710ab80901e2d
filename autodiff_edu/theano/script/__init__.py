"""Old scripts: run as they are, Python 2 included, or moved to modern names.

Takes: the path of a script. Gives: what it defines, after it ran; or its text with modern names,
and a list of what was left.
"""

from .modernise import Modernised, modernise
from .python2 import Unreadable
from .run import run

__all__ = ["Modernised", "Unreadable", "modernise", "run"]
