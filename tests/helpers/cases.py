"""A test that turns through its cases: `pytest.mark.each`, written as `pytest.mark.parametrize` is.

    @pytest.mark.each("x, y", [(1, 1), (2, 4)], ids=["one", "two"])
    def test_square(x, y, rng): ...

To collect an item, to hand it to a worker and to report it costs more than a short case does. So
this is one item. Each case begins with function fixtures of its own, and every case is tried before
the item fails. Several marks multiply. A case that takes long is better an item: parametrize it.
The values may be a function that makes them: it is called when the item begins, by the one worker
that runs it, and not by each that collects it.

    python -m pytest --apart "tests/room/test_numbers.py::test_square[two]"

makes an item of each case, as parametrize does, with the names that a failure tells.
"""

from types import SimpleNamespace
from zlib import crc32

import pytest
from _pytest.tmpdir import tmppath_result_key

CASES = pytest.StashKey()
SHOWN = 3  # so many failures have a traceback; the others have a line


def pytest_addoption(parser):
    parser.addoption("--apart", action="store_true", help="make an item of each case")
    parser.addoption("--one-in", type=int, default=1, help="of all cases, try one in so many")
    parser.addoption("--turn", type=int, default=0, help="with --one-in: which of them, from 0")


def pytest_configure(config):
    config.addinivalue_line("markers", "each(names, values, ids): turn through these cases")


# ---- which cases there are ----


def turns(item):
    """Say whether this item turns through cases."""
    return item.get_closest_marker("each") and not item.config.getoption("--apart")


def is_asked(config, name):
    return crc32(name.encode()) % config.getoption("--one-in") == config.getoption("--turn")


def parametrize(metafunc, node):
    for mark in node.iter_markers("each"):
        names, values = mark.args
        metafunc.parametrize(names, values() if callable(values) else values, **mark.kwargs)


@pytest.hookimpl(trylast=True)  # so that these cases stand last in a name
def pytest_generate_tests(metafunc):
    if metafunc.config.getoption("--apart"):
        parametrize(metafunc, metafunc.definition)


def pytest_collection_modifyitems(config, items):
    """Leave out the items of one case for which --one-in does not ask."""
    single = [item for item in items if hasattr(item, "callspec") and not turns(item)]
    left = {item for item in single if not is_asked(config, item.nodeid)}
    config.hook.pytest_deselected(items=left)
    items[:] = [item for item in items if item not in left]


def cases_of(item):
    """The arguments of each case, by its name; with --one-in of some, or of one at least."""
    fixtures = SimpleNamespace(names_closure=item.fixturenames, name2fixturedefs={})
    metafunc = pytest.Metafunc(item, fixtures, item.config, _ispytest=True)
    parametrize(metafunc, item)
    begin = item.nodeid[:-1] + "-" if hasattr(item, "callspec") else item.nodeid + "["
    cases = {f"{begin}{call.id}]": call.params for call in metafunc._calls}
    if any(call.marks for call in metafunc._calls):
        pytest.fail("each takes cases without marks, and one at least: parametrize", pytrace=False)
    return {n: case for n, case in cases.items() if is_asked(item.config, n)} or first(cases)


def first(cases):
    return {name: cases[name] for name in [*cases][:1]}


# ---- how they are run ----


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    """Give the arguments of the first case to an item, before it asks fixtures for them."""
    if turns(item):
        item.stash[CASES] = cases = cases_of(item)
        item.funcargs.update(*first(cases).values())


def renew(item, case):
    """End the fixtures of the case before, and set up those of this one."""
    request = item._request
    fixtures = [one for one in request._fixture_defs.values() if one.scope == "function"]
    if fixtures:
        item.stash.setdefault(tmppath_result_key, {})  # tmp_path takes it when it ends
        for fixture in reversed(fixtures):
            fixture.finish(request)
        item._initrequest()
    item.funcargs.update(case)
    item._request._fillfixtures()


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem):
    """Try every case, then fail with all that failed; skip where each was skipped."""
    item, failures, skipped = pyfuncitem, {}, []
    if not turns(item):
        return None
    for number, (name, case) in enumerate(item.stash[CASES].items()):
        try:
            if number:
                renew(item, case)
            item.obj(**{name: item.funcargs[name] for name in item._fixtureinfo.argnames})
        except pytest.skip.Exception as reason:
            skipped.append(reason)
        except (Exception, pytest.fail.Exception) as error:
            failures[name] = pytest.ExceptionInfo.from_exception(error)
    if failures:
        pytest.fail(message(item, failures), pytrace=False)
    if len(skipped) == len(item.stash[CASES]):
        raise skipped[0]
    return True


def message(item, failures):
    """All cases that failed, each with its error; then tracebacks of the first few."""
    alone = f'python -m pytest --apart "{next(iter(failures))}"'
    lines = [f"{len(failures)} of {len(item.stash[CASES])} cases fail. One of them alone: {alone}"]
    for name, failure in failures.items():
        lines.append(f"{name}: {failure.exconly(tryshort=True).splitlines()[0]}")
    for name, failure in [*failures.items()][:SHOWN]:
        lines += ["", f"---- {name}", str(item.repr_failure(failure))]
    return "\n".join(lines)
