"""The table of what of NumPy and SciPy is taken agrees with the package.

Protects who looks a function up there: no line may promise what is refused.
"""

import re

import numpy as np
import scipy

from tests.book.test_reference import page_of_the_book

accepted = page_of_the_book("accepted")
LINE = re.compile(r"\| (whole|in part|refused|not applicable) \| (.*?) \| (.*) \|")


def written():
    """The verdicts of the page, by module and name."""
    rooms = {}
    for line in accepted.PAGE.read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            rows = rooms.setdefault(line[3:], {})
        elif found := LINE.fullmatch(line):
            rows |= dict.fromkeys(re.findall(r"`(\w+)`", found[3]), found[1])
    return rooms


def test_the_table_agrees_with_the_package():
    head, table = accepted.PAGE.read_text(encoding="utf-8"), accepted.table()
    versions = f"NumPy {accepted.short(np.__version__)} and SciPy\n"
    versions += accepted.short(scipy.__version__)
    if versions in head:
        assert accepted.page() == head, "run python3 book/accepted.py, and read the difference"
    for room, rows in written().items():  # other versions have other keywords
        for name, kind in rows.items():
            if name in table[room]:
                taken = table[room][name].kind in ("whole", "in part")
                assert taken == (kind in ("whole", "in part")), (room, name)


def test_the_table_has_every_public_function():
    for room, module in accepted.ROOMS.items():
        names = {n for n in module.__all__ if callable(getattr(module, n))}
        plain = {n for n in names if not isinstance(getattr(module, n), type)}
        assert plain <= accepted.table()[room].keys(), room
        assert len(written()[room]) > 10
