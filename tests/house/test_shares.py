"""What a worker compiles ahead is what pytest reads when it imports the file.

Protects the first run of a clean clone, in which all workers would compile all tests.
"""

from _pytest.assertion import rewrite

from tests.helpers.shares import compile_once


def test_pytest_reads_what_a_worker_has_written(tmp_path, request):
    path = tmp_path / "test_one.py"
    path.write_text("def test_one():\n    assert 1 == 2\n")
    compile_once(path, request.config)
    (compiled,) = rewrite.get_cache_dir(path).glob("*" + rewrite.PYC_TAIL)
    code = rewrite._read_pyc(path, compiled)
    assert "@pytest_ar" in code.co_names, "its assertions are rewritten"
    path.write_text("def test_one():\n    assert 1 == 3\n")
    assert rewrite._read_pyc(path, compiled) is None, "it has changed"
