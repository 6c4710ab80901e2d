"""Slides of a lecture, made from its notebook: they need a browser, and no network.

Takes: notebooks with their outputs, the tags of their cells. Gives: `write_slides`,
`SlidesMissing` where what they are made of is not installed, `handout`.
"""

from .deck import SlidesMissing, write_slides
from .handout import handout

__all__ = ["SlidesMissing", "handout", "write_slides"]
