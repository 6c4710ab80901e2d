"""Cases that one item turns through are tried as items of their own would be.

Protects every test with `pytest.mark.each`: it must fail where parametrize would, with that name.
"""

import os
import re
from functools import cache

import pytest

import dev
from tests.helpers.forks import forks

# Each test fails for some of its cases, unless fixtures of one case reach the next.
ROOM = """
import numpy as np
import pytest

LOG = []

@pytest.fixture
def resource():
    LOG.append("open")
    yield LOG
    LOG.clear()

@pytest.fixture(params=["p", "q"])
def letter(request):
    return request.param

@pytest.fixture
def rng():
    return np.random.default_rng(7)

@pytest.mark.each("n", [0, 1, 2.5, "text", len, {}])
@pytest.mark.each("flag, other", [(True, 1), (False, 2)], ids=["yes", "no"])
def test_several_marks(n, flag, other, rng, resource, monkeypatch, tmp_path, capsys):
    print(*tmp_path.iterdir())
    assert capsys.readouterr().out == "\\n"
    (tmp_path / "file").touch()
    assert resource == ["open"] and rng.integers(1000) == np.random.default_rng(7).integers(1000)
    monkeypatch.setitem(MUTABLE, n if type(n) is int else "else", flag)
    assert len(MUTABLE) == 1
    if n == 1:
        pytest.skip("not this one")
    assert flag or n not in (0, len)
    if n == "text":
        pytest.fail("text")

MUTABLE = {}

@pytest.mark.each("n", range(4), ids="n={}".format)
@pytest.mark.parametrize("m", range(3))
def test_beside_parametrize(m, n, letter):
    assert (m, n) != (1, 2) and (letter, n) != ("q", 3)

@pytest.mark.each("n", range(3))
def test_passes(n):
    pass

@pytest.mark.each("n", range(2))
def test_skips(n):
    pytest.skip("no case")
"""
ALONE = ("-p", "tests.helpers.cases", "-p", "no:cacheprovider")
ITEM, CASE = r"^FAILED (\S+)(?: - |$)", r"^(test_room\S+\]): "


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Run pytest on the room: what it prints, and the names of the cases that failed."""
    room = tmp_path_factory.mktemp("room")
    (room / "test_room.py").write_text(ROOM)
    quiet = {k: v for k, v in os.environ.items() if k != "CI"}  # with it pytest says all twice
    own = {"PYTHONPATH": str(dev.ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    folder = tmp_path_factory.mktemp("forks")
    with forks("import numpy, pytest", folder, cwd=room, env=quiet | own) as program:

        @cache
        def pytest_on_it(*words):
            command = [*ALONE, "-q", f"--rootdir={room}", *words]
            done = program(f"sys.exit(pytest.main({command}))")
            name = ITEM if "--apart" in words else CASE
            return done.stdout, re.findall(name, done.stdout, re.MULTILINE)

        yield pytest_on_it


def test_cases_fail_as_items_would(run):
    together, apart = run(), run("--apart")
    assert sorted(together[1]) == sorted(apart[1])
    assert len(apart[1]) == 9
    assert "5 failed, 3 passed, 1 skipped" in together[0]


def test_a_case_runs_alone_by_its_name(run):
    shown, failed = run("--apart", "test_room.py::test_beside_parametrize[q-1-n=3]")
    assert failed == ["test_room.py::test_beside_parametrize[q-1-n=3]"]
    assert "1 failed in" in shown


def test_of_cases_some_are_the_same_as_of_items(run):
    together, apart = run("--one-in=3"), run("--one-in=3", "--apart")
    assert set(apart[1]) <= set(together[1]) < set(run()[1])  # of each test one at least
