"""The targets: by its word, the class that writes a program for it."""

from collections.abc import Callable
from importlib import import_module

from ...expr import shown
from .writer import Source

TARGETS: dict[str, type[Source]] = {}


def target(word: str) -> Callable[[type[Source]], type[Source]]:
    """A decorator that enters a class among the targets."""

    def enter(source: type[Source]) -> type[Source]:
        TARGETS[word] = source
        return source

    return enter


def import_all() -> None:
    """Import every module of this folder, so that its targets are entered."""
    from pkgutil import iter_modules  # loaded when it is first needed

    for module in iter_modules(import_module(__package__).__path__):
        import_module(f"{__package__}.{module.name}")


def is_known(word: object) -> bool:
    return isinstance(word, str) and word in TARGETS


def target_of(word: str) -> type[Source]:
    """The class for a target. Raises ValueError with the targets that there are."""
    if not is_known(word):
        import_all()
    if not is_known(word):
        known = ", ".join(sorted(TARGETS))
        raise ValueError(f"there is no target {shown(word)}: it may be {known}")
    return TARGETS[word]
