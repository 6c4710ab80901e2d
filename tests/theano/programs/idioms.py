"""What a variable is to Python, types, input filters, errors and test values."""

import numpy
import numpy as np
import theano
import theano.tensor as T
from theano import *
from theano import theano as th2

floatX = theano.config.floatX
rng = np.random.RandomState(0)


def init(*s):
    return theano.shared((rng.randn(*s) * 0.1).astype(floatX))


x = T.matrix()
W = None
if not W:
    pass
assert [x].index(x) == 0 and x in [T.vector(), x] and (x == x) is True and (x != x) is False
try:
    if x < x:
        assert 0
    assert 0
except TypeError:
    pass
assert isinstance(x.dtype, str) and x.ndim == 2 and x.broadcastable == (False, False)
f = theano.function(
    [x],
    [
        x.sum(axis=[0, 1]) if False else x.sum(),
        x.norm(2),
        x.max(axis=0),
        x.mean(dtype="float64"),
        x[:, None].shape,
        x.T.dot(x),
        x.flatten(),
        x.ravel(),
        x[::-1],
        x[[0, 1]],
        x.argmax(),
        x.std(axis=1),
        T.prod(x.shape),
        x.size,
        x.trace(),
        x.diagonal(),
        x.clip(0, 1),
        x.astype("int32"),
        x.cumsum(axis=0),
        x.repeat(2, axis=1),
        x.round(),
        x.nonzero()[0],
        x.any(),
        x.zeros_like(),
        x**2,
        x // 2,
        x % 2,
        -x,
        abs(x),
    ],
)
r = f(np.arange(4.0).reshape(2, 2))
assert all(isinstance(a, np.ndarray) for a in r)
y = T.scalar("y")
g = T.grad(3 * y, y)
assert theano.function([y], g)(2.0) == 3
try:
    theano.function([x, y], y)
    assert 0
except theano.compile.UnusedInputError:
    pass
try:
    theano.function([], y)
    assert 0
except theano.gof.MissingInputError:
    pass
f = theano.function([y], {"a": y, "b": 2 * y})
assert f(1.0)["b"] == 2
w = theano.shared(np.zeros((2, 3)), "w")
w.set_value(np.ones((5, 7)))
assert theano.function([], w.sum())() == 35
f = theano.function([], updates=[(w, w * 2)])
f()
assert w.get_value()[0, 0] == 2
i = T.iscalar("i")
f = theano.function([i], i * 2)
f(3)
f(np.int64(3))
f(3.0)
try:
    f(3.5)
    assert 0
except TypeError:
    pass
v = T.fvector()
f = theano.function([v], v * 2)
try:
    f(np.zeros(3))
    assert 0
except TypeError as e:
    pass
f = theano.function([v], v * 2, allow_input_downcast=True)
assert f(np.zeros(3)).dtype == "float32"
f([1.5, 2.5])
try:
    theano.function([v], v)(np.zeros((2, 2), "float32"))
    assert 0
except TypeError:
    pass
s = theano.shared(np.zeros((1, 3)))
m = T.matrix()
f = theano.function([m], m + s)
try:
    print(f(np.ones((4, 3))))
    assert 0, "stretched"
except ValueError:
    pass
s2 = theano.shared(np.zeros((1, 3)), broadcastable=(True, False))
assert theano.function([m], m + s2)(np.ones((4, 3))).shape == (4, 3)
import copy

mm = copy.deepcopy(w)
assert mm is not w and mm.get_value().shape == (5, 7)
z = x * 2
z.name = "a name with spaces"
z2 = theano.clone(z + 1, replace={z: T.zeros_like(z)})
assert theano.function([x], z2, on_unused_input="ignore")(np.ones((2, 2))).sum() == 4
assert theano.gof.graph.inputs([z])[0] is x or x in theano.gof.graph.inputs([z])
assert z.owner.inputs[0] is x and z.owner.outputs[0] is z
t = theano.function([x], z).maker.fgraph.toposort()
assert len(t) >= 1
q = T.TensorType("float32", (False,) * 5)("q")
assert q.ndim == 5
assert T.stack(y, y).ndim == 1 and T.stack([y, y]).ndim == 1
theano.function(
    [x], T.set_subtensor(x[0 : y.astype("int32")], 5.0), on_unused_input="ignore"
) if False else None
k = T.iscalar()
f = theano.function([x, k], T.set_subtensor(x[:k], 5.0))
assert f(np.zeros((3, 2)), 2).sum() == 20
f = theano.function([x, k], T.inc_subtensor(x[k:, 0], 1.0))
assert f(np.zeros((3, 2)), 2).sum() == 1
try:
    T.foo
except AttributeError as e:
    print(e)
try:
    from theano.tensor import softmaxx
except ImportError as e:
    print(e)
try:
    x.dimshufle
except AttributeError as e:
    print(e)
theano.config.compute_test_value = "raise"
try:
    a = T.matrix("a")
    a.tag.test_value = np.ones((3, 4))
    b = T.matrix("b")
    b.tag.test_value = np.ones((5, 4))
    assert (a * 2).tag.test_value.shape == (3, 4)
    try:
        T.dot(a, b)
        assert 0
    except ValueError:
        pass
finally:
    theano.config.compute_test_value = "off"
