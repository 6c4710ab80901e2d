"""The targets: by its word, the class that writes a program for it."""

from collections.abc import Callable
from importlib import import_module

from ...expr import shown
from ...ops import of_house
from .writer import Source

EXAMPLE = 'write @target("masked") above class MaskedArrays(Arrays)'
TARGETS: dict[str, type[Source]] = {}


def target(word: str) -> Callable[[type[Source]], type[Source]]:
    """A decorator that enters a class among the targets.

    Raises TypeError for what is no class of a target, and ValueError for a word of the house's.
    """
    if not isinstance(word, str):
        raise TypeError(f"a target has a word: {EXAMPLE}, not {shown(word)}")

    def enter(source: type[Source]) -> type[Source]:
        if not (isinstance(source, type) and issubclass(source, Source)):
            raise TypeError(f"the target {word!r} is a class that inherits from one that there is: "
                            f"{EXAMPLE}, not {shown(source)}")  # fmt: skip
        if not of_house(source):
            import_all()
            if of_house(TARGETS.get(word)):
                raise ValueError(f"the target {word!r} is one of ours: choose another word")
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
