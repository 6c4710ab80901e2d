"""A memory of the latest few."""

from typing import Any

from ..expr import Remembered

KEPT = 64  # values that are remembered


class Kept(Remembered, dict):
    """What is remembered to be quick: the latest few."""

    def keep(self, key: Any, value: Any) -> None:
        """Put it in as the latest; threads may do so at once."""
        self.pop(key, None)
        self[key] = value
        for old in list(self)[:-KEPT]:
            self.pop(old, None)

    def __reduce__(self) -> Any:
        return Kept, ()  # programs are code: another process makes them anew

    def __deepcopy__(self, memo: dict) -> "Kept":
        return self
