"""Attributes that are written when they are first read, such as long docstrings."""

from collections.abc import Callable
from typing import Any


class Written:
    """What `write` makes of an object, when it is first asked for; of its class, something else."""

    def __init__(self, write: Callable[[Any], Any], of_the_class: Any = None):
        self.write, self.of_the_class = write, of_the_class

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, thing: Any, owner: type) -> Any:
        if thing is None:
            return self.of_the_class
        return vars(thing).setdefault(self.name, self.write(thing))
