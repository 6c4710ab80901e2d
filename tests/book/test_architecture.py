"""The page of the architecture is a map: short, and true of the code as it is today.

Protects new contributors: each file, room, hook and context variable of the page is there, and its
examples print what the page shows. The figures of the way are compared in `house/test_way.py`.
"""

import doctest
import re
from fnmatch import fnmatch

from autodiff_edu.expr import HOOKS
from dev import ROOT
from tests.book.test_house_picture import inner, reduced, rooms
from tests.house.test_house import FLOORS, MODULES

PAGE = (ROOT / "book" / "architecture.md").read_text("utf-8")
LONGEST = 4_000  # words: a quarter of an hour
FOLDERS = ("autodiff_edu", "book", "notebooks", "tests")
NAMED = re.compile(r"`([\w/]+(?:\.(?:py|md|toml|ipynb)|/))`")
LISTED = re.compile(r"^(\w+)(?:: ContextVar\b.*)? = ContextVar\(", re.MULTILINE)


def table(*heads):
    """The rows of the table with these heads, as lists of cells."""
    head = f"| {' | '.join(heads)} |\n"
    assert PAGE.count(head) == 1, head
    lines = PAGE.partition(head)[2].partition("\n\n")[0].splitlines()[1:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def code(cell):
    return re.findall(r"`([^`]+)`", cell)


def test_it_is_a_map():
    assert len(PAGE.split()) <= LONGEST


def test_its_files_and_folders_are_there():
    """In the name of a file, NN stands for a number of two digits and _name for any name."""
    paths = [f"/{p.relative_to(ROOT).as_posix()}" for f in FOLDERS for p in (ROOT / f).rglob("*")]
    names = set(NAMED.findall(PAGE))
    assert len(names) > 40
    for name in names:
        pattern = name.rstrip("/").replace("NN", "[0-9][0-9]").replace("_name", "_*")
        assert any(fnmatch(path, f"*/{pattern}") for path in paths), name


def test_its_table_of_rooms_is_that_of_the_imports():
    rows = table("floor", "room", "takes → gives", "rests on", "door")
    arrows = reduced(rooms())
    floors = {code(room)[0]: int(floor) for floor, room, *_ in rows}
    doors = {"__init__": "autodiff_edu"}
    assert floors == {doors.get(r, r): floor for r, floor in FLOORS.items() if r != "__main__"}
    assert {code(room)[0]: set(code(below)) for _, room, _, below, _ in rows} == {
        **arrows, "autodiff_edu": set(),
    }  # fmt: skip


def test_it_has_the_rooms_inside_a_room():
    rows = table("room", "rooms inside")
    assert {code(room)[0]: sorted(code(inside)) for room, inside in rows} == {
        room: inner(room) for room in rooms() if inner(room)
    }


def test_it_has_every_seam():
    hooks = [name for row in table("hooks", "filled by") for name in code(row[0])]
    assert sorted(hooks) == sorted(HOOKS.places)
    variables = [name for row in table("variable", "meaning") for name in code(row[0])]
    texts = [path.read_text("utf-8") for path in MODULES]
    assert sorted(variables) == sorted(name for text in texts for name in LISTED.findall(text))


def test_its_examples_print_what_it_shows():
    blocks = "".join(re.findall(r"```pycon\n(.*?)```", PAGE, re.DOTALL))
    examples = doctest.DocTestParser().get_doctest(blocks, {}, "architecture", None, 0)
    report = []
    results = doctest.DocTestRunner(verbose=False).run(examples, out=report.append)
    assert results.attempted > 5 and not results.failed, "".join(report)
