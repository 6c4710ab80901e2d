"""A film: pictures in order, each with a caption, to be stepped through."""

from collections.abc import Iterable, Sequence
from typing import overload

from ...expr import shorten, visible
from . import page
from .showable import Showable
from .stepper import Frame, stepper

LONG = 400  # characters of a caption


class Film(Sequence, Showable):
    """Frames, and a `key` of the marks in them; `film[k]` is a picture, `film[a:b]` a film.

    Parameters
    ----------
    frames : iterable of tuple
        (caption, picture).
    key : iterable, default: ()
        Words for the signs that the pictures use: ("new", "made by this step"), ...

    Examples
    --------
    >>> x = ad.scalar("x")
    >>> film = ad.film(ad.simplify(x * 1 + 0))
    >>> len(film), film.captions[0]
    (3, 'before simplify')
    >>> film[0].listing.splitlines()[0]
    'x  [𝕒 →]'
    """

    kind = "film"

    def __init__(self, frames: Iterable[tuple[str, Showable]], key: Iterable[page.Word] = ()):
        self.frames = tuple(
            Frame(shorten(visible(caption), LONG), picture) for caption, picture in frames
        )
        self.key = tuple(key)
        if not self.frames:
            raise ValueError("a film needs at least one frame")

    @property
    def _parts(self) -> Iterable[Showable]:
        return (frame.picture for frame in self.frames)

    @property
    def captions(self) -> tuple[str, ...]:
        """What happens in each frame."""
        return tuple(f.caption for f in self.frames)

    def __len__(self) -> int:
        return len(self.frames)

    @overload
    def __getitem__(self, k: int) -> Showable: ...
    @overload
    def __getitem__(self, k: slice) -> "Film": ...
    def __getitem__(self, k: int | slice) -> "Showable | Film":
        if isinstance(k, slice):
            return Film(self.frames[k], self.key)
        return self.frames[k].picture

    def __repr__(self) -> str:
        frames = [f"{k}. {f.caption}{f.picture.brief}" for k, f in enumerate(self.frames)]
        return "\n".join([f"film of {len(self)} frames, each with its DOT sha256", *frames])

    def image(self, widest: int = 0) -> str:
        return stepper(self.frames)
