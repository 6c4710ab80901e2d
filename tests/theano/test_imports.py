"""Every module of Theano 1.0.5 imports, by both forms; `import theano` where it is asked for."""

import importlib
import subprocess
import sys

import pytest

from autodiff_edu.theano import install_as_theano, uninstall
from autodiff_edu.theano.names.modules import MODULES, VERSION_1_0_5, read


@pytest.fixture
def installed():
    install_as_theano()
    yield
    uninstall()


def test_the_list_is_that_of_theano():
    assert len(read(VERSION_1_0_5)) == 352 and "theano.tensor.nnet.abstract_conv" in MODULES


def test_every_module_imports(installed):
    for name in sorted(MODULES):
        module = importlib.import_module(name)
        ours = "autodiff_edu." + name
        assert sys.modules[ours] is module


def test_forms_of_import(installed):
    space = {}
    exec("import theano\nimport theano.tensor as T\nfrom theano import theano as again", space)
    exec("from theano.tensor.signal import pool, downsample\nfrom theano import *", space)
    exec("from theano.compile.ops import as_op\nimport theano.compile.function", space)
    assert space["again"] is space["theano"] and callable(space["as_op"])
    assert space["T"].nnet.sigmoid is importlib.import_module("theano.tensor.nnet").sigmoid
    x = space["T"].dscalar()
    assert space["theano"].compile.function([x], x + 1)(1.0) == 2


def test_it_is_opt_in():
    code = """
import autodiff_edu.theano
try:
    import theano
except ImportError:
    pass
else:
    raise AssertionError
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_after_uninstall_theano_is_gone(installed):
    importlib.import_module("theano.tensor")
    uninstall()
    assert not [n for n in sys.modules if n.partition(".")[0] == "theano"]


FLAGS = """
import autodiff_edu.theano as theano
assert theano.config.floatX == "float32" and theano.config.device == "gpu0", theano.config.floatX
assert theano.tensor.matrix().dtype == "float32" and theano.config.lib.cnmem == 0.5
"""


def test_theano_flags_and_theanorc_are_read(tmp_path):
    rc = tmp_path / ".theanorc"
    rc.write_text("[global]\nfloatX = float64\ndevice = gpu0\n[lib]\ncnmem = 0.5\n")
    env = {"THEANO_FLAGS": "floatX=float32,mode=FAST_RUN", "THEANORC": str(rc)}
    import os

    subprocess.run([sys.executable, "-c", FLAGS], check=True, env={**os.environ, **env})
