"""The book's reference has every public name once, and an index by the names of other libraries.

Protects who looks a name up: no page of the reference may miss one, and no line of the index may
lead nowhere.
"""

import importlib
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from scipy import special

import autodiff_edu as ad
from autodiff_edu.library.aliases import FUNCTIONS
from autodiff_edu.library.protocol import ALIASES
from autodiff_edu.ops import OPS
from autodiff_edu.ops.statement import numpy_name

BOOK = Path(__file__).parents[2] / "book"


def page_of_the_book(name):
    """A module of the book, which is no package."""
    sys.path.insert(0, str(BOOK))
    try:
        return importlib.import_module(name)
    finally:
        sys.path.remove(str(BOOK))


subjects, elsewhere = map(page_of_the_book, ("subjects", "elsewhere"))
LISTED = [name for names in subjects.pages().values() for name in names]


def test_every_public_name_occurs_once():
    assert [name for name, times in Counter(LISTED).items() if times > 1] == []
    assert set(subjects.public_names()) <= set(LISTED)
    below = {name for name in LISTED if "." in name}
    assert below >= {"optimisers.adam", "course.check_order", "show.Picture", "run.Program"}
    assert set(LISTED) - below == set(subjects.public_names())


def test_a_thing_has_one_entry():
    """Whatever a type says, Film or show.html.film_strip.Film, leads there."""
    entries = subjects.entries()
    assert len(entries) == len(LISTED)
    assert entries["autodiff_edu.show.html.film_strip.Film"] == "autodiff_edu.show.Film"
    assert (
        entries["autodiff_edu.course.lectures.lecture_02.Formula"] == "autodiff_edu.course.Formula"
    )


def test_no_subject_is_empty_and_every_module_is_there():
    assert all(subjects.pages().values())
    modules = {m for s in subjects.SUBJECTS for m in s.modules.split()}
    for module in modules:
        importlib.import_module(f"autodiff_edu.{module}")


def test_a_page_has_a_line_for_each_name_at_its_top():
    api = page_of_the_book("api")
    for subject, names in subjects.pages().items():
        top, _, rest = api.page(subject, names).partition("\n.. ")[2].partition("\n.. ")
        assert top.count("* - :py:obj:") == len(names)
        for name in names:
            assert (
                f"<autodiff_edu.{name}>" in top
                and f"autodiff_edu.{name}\n" in rest + "\n"
                or (f":: {name.rpartition('.')[2]}(" in rest)
            )


def test_the_line_of_a_name_is_a_sentence():
    api = page_of_the_book("api")
    lines = {name: api.first_sentence(subjects.thing_of(name)) for name in LISTED}
    wrong = {n: line for n, line in lines.items() if line[-1:] not in (".", "?") or len(line) > 200}
    assert wrong == {}


# ---- names in other libraries


def rows():
    return [(lib, row) for lib, text in elsewhere.LIBRARIES.items() for row in elsewhere.rows(text)]


def test_every_line_of_the_tables_is_read():
    for text in elsewhere.LIBRARIES.values():
        names = text.replace("[", " ").replace("]", " ").split("\n")
        assert sum(" = " in line for line in names) <= len(elsewhere.rows(text))
        assert text.count("[") == text.count("]")
    assert len(rows()) > 500


def ours(row):
    """What a name of ours stands for; it may be a method."""
    found = ad
    for part in row.ours.split("."):
        found = getattr(found, part, None)
    return found


def test_every_name_of_ours_exists():
    assert [row for _, row in rows() if ours(row) is None] == []
    known = {"numpy", "scipy", "theano", "jax", "torch"}
    assert {row.theirs.partition(".")[0] for _, row in rows()} == known


@pytest.mark.parametrize("library", elsewhere.LIBRARIES)
def test_no_name_of_theirs_is_listed_twice(library):
    theirs = [row.theirs for row in elsewhere.rows(elsewhere.LIBRARIES[library])]
    assert [name for name, times in Counter(theirs).items() if times > 1] == []


NUMPY = {row.theirs: row for row in elsewhere.rows(elsewhere.NUMPY)}


def test_numpys_and_scipys_names_are_theirs():
    for theirs in NUMPY:
        module, _, name = theirs.rpartition(".")
        try:
            imported = importlib.import_module(module)
        except ImportError:
            assert module == "scipy.differentiate"  # which SciPy has had since 1.15
            continue
        assert callable(getattr(imported, name)), theirs


def test_every_operation_with_a_name_of_numpys_is_listed():
    public = subjects.public_names()
    for name in public:
        for module in (np, np.linalg, special):
            if callable(getattr(module, name, None)) and name != "softplus":  # of a new SciPy
                assert f"{module.__name__}.{name}" in NUMPY, name
                break
    for op in OPS.values():
        if op.name in public and numpy_name(op) and op.name != "softplus":
            assert NUMPY[numpy_name(op)].ours == op.name


def test_another_name_of_numpys_for_the_same_function_is_listed():
    listed = {
        getattr(np, row.ours, None): row for row in NUMPY.values() if row.theirs[:6] == "numpy."
    }
    for name, thing in vars(np).items():
        same = listed.get(thing) if callable(thing) and not isinstance(thing, type) else None
        if same is not None and not name.startswith("_"):
            assert f"numpy.{name}" in NUMPY, name


def test_names_that_the_protocol_knows_are_listed():
    """np.fix(x) of an expression is ad.trunc(x), and so the index says."""
    public = subjects.public_names()
    for theirs, name in ALIASES.items():
        if hasattr(np, theirs) and name in public and theirs not in OLD:
            assert NUMPY[f"numpy.{theirs}"].ours == name


OLD = "row_stack", "trapz"  # NumPy has dropped them, or warns


def test_what_numpys_own_functions_take_is_listed():
    page = elsewhere.page()
    for name in FUNCTIONS:
        assert hasattr(np, name) and (name in subjects.public_names() or f"`np.{name}`" in page)


def test_old_names_lead_where_the_old_programs_lead():
    """What autodiff_edu.theano has under a name of Theano's is what the index names."""
    import autodiff_edu.theano as theano

    for row in elsewhere.rows(elsewhere.THEANO):
        found = theano
        for part in row.theirs.split(".")[1:]:
            found = getattr(found, part, None)
        if found in OPS.values() and not row.remark:
            assert found is ours(row), row
