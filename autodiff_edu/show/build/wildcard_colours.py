"""Wildcards in their colours: x is orange in every picture of a rule, and its letter is with it."""

from collections.abc import Iterable
from itertools import chain, cycle

from ..diagram.theme import HUES

USUAL = ("x", "y", "c", "z", "d", "p")  # the letters of the house's rules, and their hues' places


def hues(names: Iterable[str]) -> dict[str, str]:
    """A colour for each wildcard of a rule, whatever their order; up to six are told apart."""
    names = sorted(set(names))
    usual = dict(zip(USUAL, HUES, strict=True))
    free = [colour for name, colour in usual.items() if name not in names]
    others = [name for name in names if name not in usual]
    given = zip(others, chain(free, cycle(HUES)))
    return {name: usual[name] for name in names if name in usual} | dict(given)
