"""One test for each row of the table "What differs, and why" of the page on old programs."""

import warnings
from pathlib import Path

import numpy as np
import pytest

import autodiff_edu as ad
import autodiff_edu.theano as theano
import autodiff_edu.theano.tensor as T

PAGE = Path(__file__).parents[2] / "book" / "coming_from_theano.md"
ROWS = {}


def row(words):
    """A decorator: this tests the row that begins so."""

    def entered(check):
        ROWS[words] = check
        return check

    return entered


def rows_of_the_page():
    table = PAGE.read_text("utf-8").split("## What differs, and why")[1].split("## ")[0]
    lines = [line for line in table.splitlines() if line.startswith("| ")]
    return [line[2:].split(" | ")[0] for line in lines[1:]]


def test_every_row_is_tested():
    assert rows_of_the_page() == list(ROWS)


@pytest.mark.each("words", rows_of_the_page())
def test_what_the_row_says(words, tmp_path):
    check = ROWS[words]
    check(tmp_path) if check.__code__.co_argcount else check()


def exponential(**how):
    x = T.dvector("x")
    return theano.function([x], T.log(1 + T.exp(x)), **how)


@row("programs are compiled to C, or for a graphics card")
def a_program_is_python():
    source = exponential().source
    assert "np." in source
    compile(source, "program", "exec")


@row("`mode`, `profile`, `optimizer`, `allow_gc` change how a program is compiled")
def options_are_ignored():
    with theano.change_flags(optimizer="None", allow_gc=False):
        others = exponential(mode="FAST_COMPILE", profile=True)
    assert others.source == exponential().source


@row("`mode=FAST_RUN` makes some formulas stable")
def all_modes_are_stable():
    for mode in (None, "FAST_RUN", "FAST_COMPILE", "DebugMode"):
        assert exponential(mode=mode)([1000.0]).tolist() == [1000]


@row("`c_code` computes an operation")
def code_in_c_is_never_called():
    with pytest.warns(UserWarning, match="never called"):

        class Twice(theano.Op):
            def make_node(self, x):
                return theano.Apply(self, [x], [x.type()])

            def c_code(self, *_):
                return "no"

            def perform(self, node, inputs, storage):
                storage[0][0] = 2 * inputs[0]

    x = T.dvector("x")
    assert Twice()(x).eval({x: [1.0]}).tolist() == [2]
    del Twice.perform
    with pytest.raises(NotImplementedError, match="Twice"):
        Twice()(x)


@row("`MRG_RandomStreams` draws numbers of its own generator")
def distributions_are_kept():
    from autodiff_edu.theano.sandbox.rng_mrg import MRG_RandomStreams

    drawn = MRG_RandomStreams(3).uniform((20_000,)).eval()
    assert 0 <= drawn.min() < drawn.max() < 1
    assert abs(drawn.mean() - 0.5) < 0.01 and abs(drawn.var() - 1 / 12) < 0.005


@row("`f.maker.fgraph.toposort()` lists Theano's operations")
def operations_are_ours():
    names = [n.op.name for n in exponential().maker.fgraph.toposort()]
    assert names == ["softplus"]


@row("`debugprint` and `pp` have Theano's layout")
def texts_are_similar():
    x = T.dvector("x")
    lines = theano.printing.debugprint(T.exp(x), file="str").splitlines()
    assert [line.split("[")[0].strip(" |") for line in lines] == ["exp", "x"]
    assert theano.pp(T.exp(x)) == "exp(x)"


@row("`pydotprint` draws by pydot")
def pictures_are_ours(folder):
    x = T.dvector("x")
    y = T.exp(x)
    theano.printing.pydotprint(y, folder / "y.svg", print_output_file=False)
    ad.draw(y.expr).save(str(folder / "ours.svg"))
    assert (folder / "y.svg").read_text("utf-8") == (folder / "ours.svg").read_text("utf-8")


@row("0.1 times a `float32` is a `float64` if `floatX` is `float64`")
def pythons_numbers_are_weak():
    assert theano.config.floatX == "float64"
    assert (0.1 * T.fscalar()).dtype == "float32"


@row("complex numbers")
def complex_variables_are_not_used():
    assert T.zvector("z").dtype == "complex128"
    with pytest.raises(NotImplementedError, match="imaginary"):
        T.zvector("z") + 1
    x = T.dmatrix("x")
    value = np.arange(8.0).reshape(2, 4)
    found = T.fft.rfft(x).eval({x: value})
    expected = np.fft.rfft(value)
    np.testing.assert_allclose(found, np.stack([expected.real, expected.imag], -1), atol=1e-12)


@row("`theano.sparse`")
def sparse_names_are_refused():
    with pytest.raises(AttributeError, match="sparse"):
        theano.sparse.csr_matrix("x")


@row("a graphics card: `theano.sandbox.cuda`, `theano.gpuarray`")
def there_is_no_card():
    assert not theano.sandbox.cuda.cuda_available


@row("the gradient of `svd` with full factors")
def full_factors_have_no_derivative():
    A, at = T.dmatrix("A"), np.random.default_rng(0).normal(size=(4, 3))
    with pytest.raises(theano.gradient.DisconnectedInputError):
        T.grad(T.nlinalg.svd(A)[1].sum(), A)
    total = T.nlinalg.svd(A, full_matrices=0)[1].sum()
    u, _, v = np.linalg.svd(at, full_matrices=False)
    np.testing.assert_allclose(T.grad(total, A).eval({A: at}), u @ v, atol=1e-12)


@row("a test value is computed by the C code")
def test_values_are_numpys():
    x = T.dvector("x")
    x.tag.test_value = np.array([1.0, 2.0])
    with theano.change_flags(compute_test_value="raise"), warnings.catch_warnings():
        assert (T.exp(x).tag.test_value == np.exp([1.0, 2.0])).all()
