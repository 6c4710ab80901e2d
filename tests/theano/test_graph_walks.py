"""What programs asked of graphs, classes and modules when they walked over models."""

import copy

import numpy as np
import pytest

import autodiff_edu.theano as theano
import autodiff_edu.theano.sandbox.cuda as cuda
import autodiff_edu.theano.sparse as sparse
import autodiff_edu.theano.tensor as T
from autodiff_edu.theano import gof
from autodiff_edu.theano.gof import graph

A, b, c = T.matrix("A"), T.vector("b"), T.vector("c")
Y = T.dot(A, b) + T.exp(c)

# ---- walks


def test_inputs_come_in_the_order_in_which_they_are_written():
    assert [v.name for v in graph.inputs([Y])] == ["A", "b", "c"]
    assert [v.name for v in graph.inputs([c, Y])] == ["A", "b", "c"]  # the last one first


def below(variables, mode):
    def expand(v):
        return [*reversed(v.owner.inputs)] if v.owner else None

    return [v.name for v in graph.stack_search(graph.deque(variables), expand, mode) if v.name]


def test_stack_search_goes_deep_or_wide():
    assert below([Y], "dfs") == ["A", "b", "c"]
    assert below([Y], "bfs") == ["c", "b", "A"]
    found, clients = graph.stack_search(graph.deque([3]), range, "bfs", build_inv=True)
    assert found == [3, 0, 1, 2] and clients[1] == [3, 2]
    with pytest.raises(ValueError, match="bfs or dfs"):
        below([Y], "wide")


def test_parents_of_a_variable_and_of_an_operation():
    waiting, leaves = [Y], set()
    while waiting:
        node = waiting.pop()
        waiting += node.get_parents()
        if not node.get_parents() and not isinstance(node, T.Constant):
            leaves.add(node)
    assert leaves == {A, b, c}


# ---- classes and modules


def test_nothing_is_sparse_or_on_a_card():
    x, w = T.matrix(), theano.shared(np.zeros(3))
    assert not isinstance(x, (sparse.SparseVariable, sparse.SparseConstant))
    assert not isinstance(x.type, sparse.SparseType) and not sparse.basic._is_sparse_variable(x)
    assert not isinstance(w, cuda.var.CudaNdarraySharedVariable)
    assert not isinstance(w.type, theano.gpuarray.type.GpuArrayType)
    with pytest.raises(AttributeError, match="sparse matrices are not there"):
        sparse.SparseType("csr", "float64")
    with pytest.raises(AttributeError, match="no graphics card"):
        _ = cuda.dnn.GpuDnnConv


def test_modules_hand_on_what_they_import():
    assert T.Constant is theano.Constant and T.Apply is gof.Apply and T.Op is gof.Op
    assert theano.printing.theano is theano and T.subtensor.DisconnectedType
    assert isinstance(T.scalar(), T.basic._tensor_py_operators)


def test_a_shared_number_has_a_class():
    assert isinstance(theano.shared(0.5), T.sharedvar.ScalarSharedVariable)
    assert isinstance(theano.shared(np.ones(2)), T.sharedvar.TensorSharedVariable)
    assert not isinstance(theano.shared(np.ones(2)), T.sharedvar.ScalarSharedVariable)


# ---- operations


class Shuffle(theano.Op):
    """The stream after a draw, and numbers in another order; a draw is known by its class."""

    def __eq__(self, other):
        return type(self) is type(other)

    def __hash__(self):
        return T.hashtype(self)

    def make_node(self, stream, x):
        return gof.Apply(self, [stream, x], [stream.type(), x.type()])

    def perform(self, node, inputs, output_storage):
        stream, x = inputs
        stream = copy.deepcopy(stream)
        output_storage[1][0] = stream.permutation(x)
        output_storage[0][0] = stream


def test_an_operation_of_ones_own_draws_from_a_stream():
    assert hash(Shuffle()) == hash(Shuffle())
    stream = theano.shared(np.random.RandomState(3))
    assert isinstance(stream.type, T.raw_random.RandomStateType)
    after, drawn = Shuffle()(stream, T.constant(np.arange(5.0)))
    f = theano.function([], drawn, updates=[(stream, after)])
    expected = np.random.RandomState(3)
    for _ in range(3):
        assert np.array_equal(f(), expected.permutation(np.arange(5.0)))


# ---- shared variables with one value


def test_a_clone_of_a_shared_variable_has_its_value():
    w = theano.shared(np.zeros(2), "w")
    same = w.clone()
    same.set_value(np.ones(2))
    assert w.get_value().tolist() == [1, 1] and same.name == "w" and same is not w
    f = theano.function([], w + same, updates=[(same, same + w)])
    assert f().tolist() == [2, 2] and w.get_value().tolist() == [2, 2]
    other = theano.clone(T.exp(w) * 3, share_inputs=False)
    w.set_value(np.zeros(2))
    assert other.eval().tolist() == [3, 3]


def test_running_means_move_in_training_alone():
    """A clone has a default update, and the value is read by itself when the model is used."""
    x, mean = T.matrix("x"), theano.shared(np.zeros(3))
    moving = theano.clone(mean, share_inputs=False)
    moving.default_update = 0.5 * moving + 0.5 * x.mean(axis=0)
    train = theano.function([x], x - x.mean(axis=0) + 0 * moving)
    use = theano.function([x], x - mean)
    rows = np.arange(6.0).reshape(2, 3)
    train(rows)
    assert mean.get_value().tolist() == [0.75, 1.25, 1.75]
    assert use(rows).tolist() == (rows - [0.75, 1.25, 1.75]).tolist()
    assert mean.get_value().tolist() == [0.75, 1.25, 1.75]
