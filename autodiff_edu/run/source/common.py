"""What the text of a program and those of the bodies in it share."""

from typing import Any


class Common:
    """What names mean, and the names of the functions of operations with a body, by operation and
    how it is called."""

    def __init__(self) -> None:
        self.meaning: dict[str, Any] = {}
        self.lowered: dict[tuple, str] = {}
