"""`RandomStreams` draws RandomState's own numbers, of the lengths that a program states."""

import numpy as np
import pytest

import autodiff_edu.theano as theano
from autodiff_edu.theano import tensor as T
from autodiff_edu.theano.tensor.shared_randomstreams import RandomStreams

pytestmark = pytest.mark.numeric


def streams(seed=3):
    """A maker of draws, and the stream of its first draw."""
    first = np.random.RandomState(seed).randint(2**30)
    return RandomStreams(seed), np.random.RandomState(int(first))


@pytest.mark.each("shape", [(12,), (20, 5), (2, 3, 4)])
def test_the_entries_of_each_row_are_shuffled(shape):
    random, rng = streams()
    x = T.TensorType("float64", (False,) * len(shape))()
    value = np.random.RandomState(0).rand(*shape)
    f = theano.function([x], random.shuffle_row_elements(x))
    for _ in range(2):
        expected = value.copy()
        for row in expected.reshape(-1, shape[-1]):
            rng.shuffle(row)
        assert np.array_equal(f(value), expected)


def test_a_scalar_for_the_probabilities_of_a_choice_means_none():
    random, rng = streams()
    f = theano.function([], random.choice((11, 8), 10, 1, 0))
    assert np.array_equal(f(), rng.choice(10, (11, 8), True))


def test_ndim_agrees_with_the_lengths():
    random, _ = streams()
    with pytest.raises(ValueError, match="ndim"):
        random.uniform((2, 2), ndim=1)
    shape = T.lvector()
    f = theano.function([shape], random.uniform(size=shape, ndim=2))
    assert f([2, 3]).shape == (2, 3)
    for wrong in ([4], [4, 3, 4]):
        with pytest.raises(ValueError, match="2 lengths"):
            f(wrong)


def test_multinomials_of_rows_have_the_lengths_that_are_stated():
    random, rng = streams()
    n, p = T.lvector(), T.matrix()
    f = theano.function([n, p], random.multinomial(n=n, pvals=p, size=(3,)))
    counts, rows = [1, 2, 3], np.array([[0.1, 0.9], [0.2, 0.8], [0.3, 0.7]])
    expected = [rng.multinomial(k, row) for k, row in zip(counts, rows, strict=True)]
    assert np.array_equal(f(counts, rows), expected)
    with pytest.raises(ValueError):
        f(counts[:-1], rows[:-1])


def test_a_negative_label_is_refused():
    x, b, y = T.matrix(), T.vector(), T.lvector()
    nll = T.nnet.crossentropy_softmax_argmax_1hot_with_bias(x, b, y)[0]
    back = T.nnet.nnet.CrossentropySoftmax1HotWithBiasDx()(b, x, y)
    for found, size in ((nll, 5), (back, 3)):
        f = theano.function([x, b, y], found)
        f(np.ones((3, 5)), np.ones(size), [0, 4, 2])
        with pytest.raises(ValueError, match="out of bounds"):
            f(np.ones((3, 5)), np.ones(size), [0, -1, 2])
