"""Each worker compiles a share of the tests, so that on a clean clone not all compile all of them.

Pytest rewrites each assertion, which takes several times as long as to compile it. What it writes
beside a file serves all workers. Without this each of them would come to the same file at once.
"""

import sys
from pathlib import Path

from _pytest.assertion import rewrite

TESTS = Path(__file__).parents[1]


def pytest_sessionstart(session):
    worker = getattr(session.config, "workerinput", None)
    if worker and not sys.dont_write_bytecode:
        turn, many = int(worker["workerid"].removeprefix("gw")), worker["workercount"]
        for path in sorted(TESTS.rglob("test_*.py"))[turn::many]:
            compile_once(path, session.config)


def compile_once(path, config):
    """Write what pytest would write when it first imports the file."""
    state, place = config.stash[rewrite.assertstate_key], rewrite.get_cache_dir(path)
    compiled = place / (path.stem + rewrite.PYC_TAIL)
    if rewrite._read_pyc(path, compiled) is None and rewrite.try_makedirs(place):
        stat, code = rewrite._rewrite_test(path, config)
        rewrite._write_pyc(state, code, stat, compiled)
