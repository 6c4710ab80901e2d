"""The targets: by its word, the class that writes a program for it."""

from collections.abc import Callable
from importlib import import_module

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


def target_of(word: str) -> type[Source]:
    """The class for a target. Raises ValueError with the targets that there are."""
    if word not in TARGETS:
        import_all()
    if word not in TARGETS:
        raise ValueError(f"there is no target {word!r}: it may be {', '.join(sorted(TARGETS))}")
    return TARGETS[word]
