"""Scripts of Theano's years: run as they are, converted from Python 2, moved to modern names."""

import subprocess
import sys

import numpy as np
import pytest
from click.testing import CliRunner

from autodiff_edu.command.app import commands
from autodiff_edu.theano.script import modernise, run
from autodiff_edu.theano.script.names import KINDS, LETTERS
from autodiff_edu.theano.script.python2 import classic_division, converted
from tests.helpers.depth import some

PYTHON_2 = """
import cPickle, time, inspect, sys
import numpy as np
import theano
from theano import tensor as T
from beside import half, items

x = T.matrix('x')
n = 7
start = time.clock()
W = theano.shared(np.asarray(np.ones((4, 2)), dtype=np.float), name='W')
f = theano.function([x], T.nnet.softmax(T.dot(x, W)).mean(axis=0))
print "half is", half(n), n / 2, 7.0 / 2
for i in xrange(3): pass
m = 10
m /= 4
cPickle.dump([W.get_value()], open('values.pkl', 'w'))
again = cPickle.load(open('values.pkl'))[0]
names = inspect.getargspec(half).args
firsts = map(lambda a: a, items({'a': 1}))[0]
k = T.lscalar('k')
whole = theano.function([k], k / 2)(7)
"""
BESIDE = """
def half(n): return n / 2
def items(d): return d.items() if d.has_key('a') else None
"""
PYTHON_3 = """
import numpy as np
import theano
import theano.tensor as T
assert __name__ == "__main__"
x = T.dvector("x")
y = theano.function([x], T.sqr(x).sum() / 2)(np.array([3, 4], dtype=np.float_))
short = np.cast["float32"](0.5).dtype
"""


@pytest.fixture
def scripts(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in (("old.py", PYTHON_2), ("beside.py", BESIDE), ("new.py", PYTHON_3)):
        (tmp_path / name).write_text(text)
    return tmp_path


def test_a_script_of_python_3(scripts):
    found = run(scripts / "new.py")
    assert found["y"] == 12.5 and found["short"] == "float32"
    assert "theano" not in sys.modules and not hasattr(np, "float_")


def test_a_script_of_python_2(scripts, capsys):
    pytest.importorskip("fissix")
    found = run(scripts / "old.py", show=True)
    said = capsys.readouterr().out
    assert "half is 3 3 3.5" in said and 'print("half is", half(n), n / 2, 7.0 / 2)' in said
    assert found["m"] == 2 and found["again"].shape == (4, 2) and found["names"] == ["n"]
    assert found["firsts"] == ("a", 1) and found["whole"] == 3
    assert "beside" not in sys.modules and not hasattr(np, "float")


def test_division_of_the_future_stays(scripts):
    pytest.importorskip("fissix")
    (scripts / "old.py").write_text("from __future__ import division\nprint 1\nhalf = 7 / 2\n")
    assert run(scripts / "old.py")["half"] == 3.5


@pytest.mark.each(("a", "b", "wanted"), [
    (7, 2, 3), (-7, 2, -4), (7.0, 2, 3.5), (np.int64(7), 2, 3), (np.array([7, 8]), 2, [3, 4]),
    (np.array([7.0]), 2, [3.5]), (True, 2, 0)])  # fmt: skip
def test_classic_division(a, b, wanted):
    assert np.array_equal(classic_division(a, b), wanted)


def test_without_fissix_the_error_names_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "fissix", None)
    with pytest.raises(ImportError, match=r"fissix.*autodiff-edu\[theano\]"):
        converted("print 1", "old.py")


def test_without_libcst_the_error_names_it(scripts, monkeypatch):
    monkeypatch.setitem(sys.modules, "libcst", None)
    monkeypatch.delitem(sys.modules, "autodiff_edu.theano.script.renaming", raising=False)
    with pytest.raises(ImportError, match=r"libcst.*autodiff-edu\[theano\]"):
        modernise(scripts / "new.py")


def test_modern_names(scripts):
    pytest.importorskip("libcst")
    (scripts / "new.py").write_text(
        "import theano\nimport theano.tensor as T\nx = T.dvector('x')\n"
        "y = T.sqr(x).sum()\nf = theano.function([x], T.grad(y, x))\n"
        "o, u = theano.scan(lambda a: a, sequences=x)\nT.set_subtensor(x[0], 1)\n")  # fmt: skip
    made = modernise(scripts / "new.py")
    assert "x = ad.vector('x')" in made.text and "ad.function([x], ad.grad(y, x))" in made.text
    assert made.text.startswith(
        "import theano\nimport theano.tensor as T\nimport autodiff_edu as ad\n"
    )
    assert made.changed["theano.tensor.sqr"] == "square"
    assert len(made.left) == 2 and "line 6: theano.scan" in made.report()


ARGUMENTS = """
import numpy as np
import theano
import theano.tensor as T
x = T.matrix("x")
w = theano.shared(np.ones(3), name="w", borrow=True)
y = T.sum(x * w, dtype="float64", axis=1)
f = theano.function([x], y, mode="FAST_RUN", profile=False, allow_input_downcast=True)
z = x.dimshuffle(0, "x", 1).norm(2) / np.linalg.norm(np.ones(3))
n = T.exp(x).eval({x: [[1.0]]})
"""


def test_arguments_and_methods_that_are_theanos_alone(scripts):
    pytest.importorskip("libcst")
    (scripts / "new.py").write_text(ARGUMENTS)
    made = modernise(scripts / "new.py")
    assert 'w = ad.shared(np.ones(3), name="w")\n' in made.text
    assert "f = ad.function([x], y, allow_input_downcast=True)" in made.text
    assert [line.partition(": ")[2] for line in made.left] == [
        "theano.tensor.sum: ad.sum has no argument dtype=",
        "theano.function: ad.function has no argument allow_input_downcast=",
        ".dimshuffle: no method of ours: write ad.transpose and ad.expand_dims",
        ".norm: no method of ours: write ad.norm(x)",
        ".eval: no method of ours: write ad.evaluate(y, {x: 3.0})",
    ]


@pytest.mark.parametrize("letter", some(["", *LETTERS], 8))
def test_leaves_move_with_their_dtype_and_their_shape(scripts, letter):
    lines = [f"a_{kind} = T.{letter}{kind}()\nb_{kind} = T.{letter}{kind}('b')" for kind in KINDS]
    (scripts / "new.py").write_text("\n".join(["import theano.tensor as T", *lines, ""]))
    old = run(scripts / "new.py")
    made = modernise(scripts / "new.py")
    new = {}
    exec(made.text, new)
    assert made.left == []
    for kind in KINDS:
        a, b = new[f"a_{kind}"], new[f"b_{kind}"]
        assert (a.name, b.name) == (f"a_{kind}", "b")
        assert a.type is old[f"a_{kind}"].expr.type and b.type is old[f"b_{kind}"].expr.type


def test_imports_that_nothing_uses_any_more_are_gone(scripts):
    doc, body = '"""What it is for."""\n', "x = T.dscalar('x')\ng = f([x], T.exp(x))\n"
    imports = "import theano, theano.tensor as T\nfrom theano import function as f\n"
    (scripts / "new.py").write_text(doc + imports + body)
    text = modernise(scripts / "new.py").text
    assert "theano" not in text and text.startswith(
        '"""What it is for."""\nimport autodiff_edu as ad'
    )


def test_a_leaf_without_any_name_is_left(scripts):
    text = "import theano.tensor as T\nf = [T.ivector(), T.matrix()]\ng = map(T.dvector, 'ab')\n"
    (scripts / "new.py").write_text(text)
    made = modernise(scripts / "new.py")
    assert [line.partition(": ")[2] for line in made.left] == [
        "theano.tensor.ivector: ad.vector: needs a name",
        "theano.tensor.matrix: ad.matrix: needs a name",
        "theano.tensor.dvector: has no modern name here",
    ]


def test_the_command(scripts):
    command = [sys.executable, "-m", "autodiff_edu", "theano", "--show", "new.py"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "Python 3 already" in done.stdout


UNREAD = ["<svg>", "print 'x", "x = (", "\0", "if x:\nprint 1", "{"]


@pytest.mark.parametrize("text", some(UNREAD, 8))
def test_a_script_that_no_python_reads_is_told_in_a_sentence(scripts, text):
    pytest.importorskip("fissix")
    (scripts / "a.py").write_text(text)
    for words in (["theano", "a.py"], ["theano", "--modernise", "a.py"]):
        done = CliRunner().invoke(commands, words)
        assert done.exit_code == 1 and done.stderr.startswith("Error: "), done.exception
        assert "a.py is read by no Python: 3 says" in done.stderr


def test_new_words_of_python_3_are_read_beside_old_ones(scripts):
    text = "unicode = 1\nmatch unicode:\n    case 1:\n        found = f'{1:{2}}'\n"
    (scripts / "a.py").write_text(text)
    assert run(scripts / "a.py")["found"] == " 1"
