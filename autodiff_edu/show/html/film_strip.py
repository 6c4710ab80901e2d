"""A film: pictures in order, each with a caption, to be stepped through."""

from collections.abc import Iterable, Sequence
from typing import Any, overload

from ..diagram.escape import shorten, visible
from . import page
from .listing import Listing
from .picture import Picture
from .stepper import Frame, stepper

LONG = 400  # characters of a caption


class Film(Sequence):
    """Frames, and a `key` of the marks in them; `film[k]` is a picture, `film[a:b]` a film."""

    def __init__(
        self, frames: Iterable[tuple[str, Picture | Listing]], key: Iterable[page.Word] = ()
    ):
        self.frames = tuple(
            Frame(shorten(visible(caption), LONG), picture) for caption, picture in frames
        )
        self.key = tuple(key)
        if not self.frames:
            raise ValueError("a film needs at least one frame")

    @property
    def captions(self) -> tuple[str, ...]:
        """What happens in each frame."""
        return tuple(f.caption for f in self.frames)

    def __len__(self) -> int:
        return len(self.frames)

    @overload
    def __getitem__(self, k: int) -> Picture | Listing: ...
    @overload
    def __getitem__(self, k: slice) -> "Film": ...
    def __getitem__(self, k: int | slice) -> "Picture | Listing | Film":
        if isinstance(k, slice):
            return Film(self.frames[k], self.key)
        return self.frames[k].picture

    def __repr__(self) -> str:
        frames = [f"{k}. {f.caption}{_told(f.picture)}" for k, f in enumerate(self.frames)]
        return "\n".join([f"film of {len(self)} frames, each with its DOT sha256", *frames])

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return {
            "text/plain": repr(self),
            "text/html": page.card(stepper(self.frames, self.key), "film"),
        }


def _told(picture: Picture | Listing) -> str:
    return f":\n{picture!r}" if isinstance(picture, Listing) else f"  {picture.digest}"
