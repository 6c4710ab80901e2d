"""What Theano did otherwise than we do, one test a row of the book's page."""

import copy
import pickle
import subprocess
import sys

import numpy as np
import pytest

import autodiff_edu as ad
import autodiff_edu.theano as theano
import autodiff_edu.theano.tensor as T
from autodiff_edu.theano import config, gof
from autodiff_edu.theano.ifelse import ifelse
from autodiff_edu.theano.sandbox.rng_mrg import MRG_RandomStreams
from autodiff_edu.theano.tensor.shared_randomstreams import RandomStreams
from tests.helpers.depth import some

CHANGES_NOTHING = """
import autodiff_edu as ad
x, y = ad.vector("x"), ad.matrix("y")
def seen():
    slope = ad.grad(ad.max(x * y), x)
    return (repr(x == x), repr(x.dtype), x.shape, repr(slope), dir(x), repr(x < 1))
before = seen()
import autodiff_edu.theano, autodiff_edu.theano.tensor as T
z = T.vector() + 1
assert [str(a) for a in seen()] == [str(a) for a in before]
for name in ("dimshuffle", "eval", "owner"):
    assert not hasattr(x, name)
try:
    bool(x > 0)
except TypeError:
    pass
else:
    raise AssertionError
"""


def test_importing_the_room_changes_no_expression():
    subprocess.run([sys.executable, "-c", CHANGES_NOTHING], check=True)


def test_oldness_travels_from_leaves_through_operations():
    x = T.vector("x")
    y = theano.scan(lambda a: T.tanh(a) * 2, sequences=x)[0][::2].dimshuffle(0, "x").sum()
    for v in (y, T.grad(y, x), T.zeros(3), theano.shared(1.0) + 1, T.stack([y, y])):
        assert isinstance(v, theano.Variable)
    plain = T.sum(T.sqr(ad.vector("x")))
    assert isinstance(plain, ad.Expr)


def test_expressions_of_the_engine_are_found_behind_old_variables():
    x = T.dscalar("x")
    y = x * x
    assert ad.evaluate(y, {x: 3.0}) == 9
    assert ad.function([x], ad.grad(y, x))(3.0) == 6
    assert ad.same(ad.simplify(y).output, ad.simplify(x.expr * x.expr).output)
    assert "svg" in str(ad.draw(y)._repr_mimebundle_()).lower()


# ---- a variable in Python


def test_a_variable_is_true_and_a_comparison_is_not():
    x = T.scalar()
    assert x and not (not x)
    for compared in (x < 1, x <= 1, x > 1, x >= 1):
        with pytest.raises(TypeError, match="T.switch"):
            bool(compared)
    with pytest.raises(TypeError):
        0 < x < 1  # noqa: B015


def test_equality_is_identity():
    x, y = T.vector(), T.vector()
    assert (x == x) is True and (x == y) is False and x != y
    assert [y, x].index(x) == 1 and x in [y, x] and x not in [y]


def test_a_dtype_is_a_text_and_flags_are_fixed():
    x = T.matrix("x", dtype="float32")
    assert x.dtype == "float32" and isinstance(x.dtype, str) and x.dtype.startswith("float")
    assert x.type.broadcastable == (False, False) and T.row().broadcastable == (True, False)
    assert T.fmatrix == x.type and x.type("y").type == x.type


# ---- functions


def test_an_input_that_a_simple_gradient_does_not_need():
    x = T.dscalar("x")
    assert theano.function([x], T.grad(3 * x, x))(2.0) == 3
    with pytest.raises(theano.compile.UnusedInputError, match="on_unused_input='warn'"):
        theano.function([x, T.dscalar("y")], x)
    with pytest.warns(UserWarning, match="not part of the computational graph"):
        theano.function([x, T.dscalar("y")], x, on_unused_input="warn")


def test_updates_of_a_scan_happen_only_if_they_are_passed():
    k = theano.shared(0)
    y, updates = theano.scan(lambda: (k * 1.0, {k: k + 1}), n_steps=3)
    assert theano.function([], y)().tolist() == [0, 1, 2] and k.get_value() == 0
    assert theano.function([], y, updates=updates)().tolist() == [0, 1, 2] and k.get_value() == 3


def test_lengths_of_shared_values_change_and_never_stretch():
    w, x = theano.shared(np.ones((1, 3))), T.matrix()
    f = theano.function([x], x + w)
    with pytest.raises(ValueError, match="length 1"):
        f(np.ones((2, 3)))
    w.set_value(np.ones((2, 3)))
    assert f(np.ones((2, 3))).shape == (2, 3)
    told = theano.shared(np.ones((1, 3)), broadcastable=(True, False))
    assert theano.function([x], x + told)(np.ones((2, 3))).shape == (2, 3)
    g = theano.function([], updates=[(w, T.concatenate([w, w]))])
    g()
    assert w.get_value().shape == (4, 3)


FILTERS = {
    "float to iscalar": ("iscalar", 3.0, True), "fraction to iscalar": ("iscalar", 3.5, False),
    "int64 to iscalar": ("iscalar", np.int64(3), True), "list": ("dvector", [1, 2], True),
    "float64 to fvector": ("fvector", np.zeros(2), False),
    "axes": ("dvector", np.zeros((2, 2)), False),
    "int to dscalar": ("dscalar", 3, True), "variable": ("dscalar", T.dscalar(), False),
    "row": ("drow", np.zeros((1, 2)), True), "no row": ("drow", np.zeros((2, 2)), False),
}  # fmt: skip


@pytest.mark.each(("kind", "value", "fits"), FILTERS.values(), ids=FILTERS)
def test_what_an_input_takes(kind, value, fits):
    x = getattr(T, kind)()
    f = theano.function([x], x * 1)
    if fits:
        assert str(f(value).dtype) == x.dtype
    else:
        with pytest.raises(TypeError, match="Bad input argument"):
            f(value)


def test_downcast_if_it_is_allowed():
    x = T.fvector()
    f = theano.function([x], x, allow_input_downcast=True)
    assert f(np.array([1.5])).dtype == "float32"


def test_results_are_arrays_and_outputs_may_be_a_dictionary():
    x = T.dscalar()
    assert isinstance(theano.function([x], x + 1)(1.0), np.ndarray)
    assert theano.function([x], {"a": x, "b": 2 * x})(1.0) == {"a": 1, "b": 2}
    assert theano.function([x], [], on_unused_input="ignore")(1.0) == []


@pytest.mark.each("again", [copy.deepcopy, lambda v: pickle.loads(pickle.dumps(v))])
def test_a_copied_model_learns_by_itself(again):
    """Early stopping keeps copies of a model, with its functions, updates and givens."""
    x, lr = T.vector("x"), T.scalar("lr")
    w, data = theano.shared(np.ones(3), "w"), theano.shared(np.arange(6.0).reshape(2, 3))
    k = T.lscalar("k")
    cost = T.sqr(T.dot(x, w) - 1).sum()
    change = {w: w - lr * T.grad(cost, w)}
    train = theano.function([k, lr], cost, updates=change, givens={x: data[k]})
    model = {"train": train, "w": w}
    best = again(model)
    before = best["train"](1, 0.01)
    np.testing.assert_array_equal(w.get_value(), np.ones(3))
    assert best["train"](1, 0.01) < before
    assert not np.allclose(best["w"].get_value(), 1)
    assert model["train"](1, 0.01) == before


def test_pickles_keep_what_is_shared():
    w, x = theano.shared(np.ones(2), "w"), T.vector("x")
    y = (w * x).sum()
    f = theano.function([x], y, updates=[(w, w + 1)])
    again_f, again_w = pickle.loads(pickle.dumps((f, w)))
    assert again_f([1.0, 1.0]) == 2 and again_w.get_value().tolist() == [2, 2]
    assert w.get_value().tolist() == [1, 1]
    assert again_f["w"].tolist() == [2, 2]


def test_a_name_may_be_any_text():
    x = T.dscalar("a name with spaces")
    assert theano.function([x], x * 2, name="my function")(2.0) == 4


@pytest.mark.each("steps", some([1, 2, 5], 2))
@pytest.mark.each("stream", some([RandomStreams, MRG_RandomStreams], 2))
def test_a_draw_that_is_handed_to_a_loop_is_drawn_once(stream, steps):
    draws = stream(3)
    p, row = T.matrix(), draws.uniform((4,))
    spots = draws.binomial(size=p.shape, p=p)
    scaled, updates = theano.scan(
        lambda s, k, a: s + a[0] * k, outputs_info=[row * 0], non_sequences=[row, spots],
        n_steps=steps)  # fmt: skip
    f = theano.function([p], [row, spots, scaled], updates=updates)
    calls = [f(np.full((2, 4), 0.5)) for _ in range(3)]
    for k, a, found in calls:
        np.testing.assert_allclose(found, np.cumsum([k * a[0]] * steps, axis=0))
    assert not np.array_equal(calls[0][0], calls[1][0])


def test_an_input_with_an_update_is_a_state_of_the_function():
    a, b, c = T.scalars("abs")
    for given in (((c, c + a + b), 10.0), ("s", (c, c + a + b), 10.0),
                  theano.In(c, value=10.0, update=c + a + b)):  # fmt: skip
        f = theano.function([a, b, given], [])
        assert f(1, 2) == [] and f["s"] == f.value[c] == f.container[c].value == 13
        f["s"] = 99.0
        f(1, 0)
        assert f.container["s"].value == 100
        f.container[c].value = 5.0
        f(1, 1, s=20.0)
        assert f["s"] == 22
    with pytest.raises(KeyError):
        f.container["none"].value = 1.0


def test_an_input_that_only_a_default_update_needs():
    x, y, a = theano.shared(0.0), theano.shared(1.0), T.dscalar()
    x.default_update, y.default_update = y, y + a
    f = theano.function([a], x)
    assert [f(2.0), x.get_value(), y.get_value()] == [0, 1, 3]
    del x.default_update
    theano.function([], x)()
    assert x.get_value() == 1


def test_updates_have_shared_variables_as_keys():
    x, w = T.scalar(), theano.shared(1.0)
    updates = theano.OrderedUpdates([(w, x)])
    for wrong in (lambda: theano.OrderedUpdates({"a": 1}), lambda: updates.update({x: w}),
                  lambda: updates.__setitem__(3, x)):  # fmt: skip
        with pytest.raises(TypeError, match="SharedVariable"):
            wrong()
    assert list(updates + {w: x * 2}) == [w]


def test_an_operation_without_a_product_says_so():
    class Same(theano.Op):
        def make_node(self, x):
            return theano.Apply(self, [x], [x.type()])

        def perform(self, node, inputs, outputs):
            outputs[0][0] = inputs[0]

        def R_op(self, inputs, eval_points):
            return [None]

    x, v = T.vector(), T.vector()
    with pytest.raises(ValueError, match="no product with its Jacobian"):
        T.Rop(Same()(x), x, v)


# ---- values and slopes


def test_slopes_at_kinks_and_ties():
    x = T.dvector()
    slope = {
        "relu": (T.nnet.relu(x).sum(), [0.0], [0.5]),
        "max": (T.max(x), [1.0, 1.0], [1, 1]),
        "method": (x.max(), [1.0, 1.0], [1, 1]),
        "abs": (abs(x).sum(), [0.0], [0]),
    }
    for y, at, wanted in slope.values():
        assert theano.function([x], T.grad(y, x))(at).tolist() == wanted


def test_shapes_as_theano_had_them():
    x, m = T.dvector(), T.tensor3()
    assert theano.function([x], T.nnet.softmax(x))([1.0, 1.0]).shape == (1, 2)
    assert theano.function([m], m.flatten(2))(np.ones((2, 3, 4))).shape == (2, 12)
    assert m.shape.eval({m: np.ones((2, 3, 4))}).tolist() == [2, 3, 4]
    assert T.prod(m.shape).eval({m: np.ones((2, 3, 4))}) == 24
    sliced = m[[slice(0, 1), slice(None)]]
    assert theano.function([m], sliced)(np.ones((2, 3, 4))).shape == (1, 3, 4)


def test_dtypes_follow_config():
    before = config.floatX
    try:
        config.floatX = "float32"
        assert T.matrix().dtype == T.zeros(3).dtype == "float32"
        assert RandomStreams(1).uniform((2,)).dtype == "float32"
        assert MRG_RandomStreams(1).binomial((2,), p=0.5, dtype=config.floatX).dtype == "float32"
        assert (T.lscalar() / T.lscalar()).dtype == "float32"
        with pytest.raises(ValueError, match="floatX is one of"):
            config.floatX = "float31"
    finally:
        config.floatX = before


def test_a_float_for_a_shared_value_of_floatx():
    w = theano.shared(np.float32(0.5))
    with pytest.raises(TypeError, match="loss of precision"):
        w.set_value(0.1)
    with theano.change_flags(floatX="float32"):
        w.set_value(0.1)
    assert w.get_value().dtype == "float32" and w.get_value() == np.float32(0.1)


def test_null_and_disconnected_gradients():
    x, y = T.dscalar("x"), T.dscalar("y")
    with pytest.raises(theano.gradient.DisconnectedInputError):
        T.grad(x, y)
    assert T.grad(x, y, disconnected_inputs="ignore").eval() == 0
    draw = RandomStreams(1).normal(avg=x)
    with pytest.raises(theano.gradient.NullTypeGradError, match="raw random"):
        T.grad(draw, x)
    assert theano.gradient.grad_undefined("op", 0, x, "why").type.why_null.endswith("why")
    assert T.grad(x * y, x, consider_constant=[y]).eval({y: 3.0}) == 3


def test_random_streams_are_numpys():
    srng = RandomStreams(seed=7)
    u, n = srng.uniform((3,)), srng.normal((2,))
    seeds = np.random.RandomState(7)
    wanted = [np.random.RandomState(int(seeds.randint(2**30))) for _ in range(2)]
    f = theano.function([], [u, n])
    for _ in range(2):
        got = f()
        assert got[0].tolist() == wanted[0].uniform(size=3).tolist()
        assert got[1].tolist() == wanted[1].normal(size=2).tolist()
    still = theano.function([], u, no_default_updates=True)
    assert still().tolist() == still().tolist()


@pytest.mark.each("seed", [1, 2])
def test_mrg_draws_the_distributions(seed):
    rng = MRG_RandomStreams(seed)
    p = np.array([[0.2, 0.8], [0.5, 0.5]])
    draws = theano.function([], [
        rng.uniform((4000,), low=-1.0, high=3.0), rng.normal((4000,), avg=2.0, std=3.0),
        rng.binomial((4000,), p=0.3), rng.multinomial(pvals=p),
        rng.normal((4000,), truncate=True)])()  # fmt: skip
    assert abs(draws[0].mean() - 1) < 0.1 and draws[0].min() >= -1
    assert abs(draws[1].mean() - 2) < 0.2 and abs(draws[1].std() - 3) < 0.2
    assert abs(draws[2].mean() - 0.3) < 0.04 and draws[2].dtype == "int64"
    assert draws[3].sum(axis=1).tolist() == [1, 1] and abs(draws[4]).max() <= 2


# ---- operations of one's own


def test_an_operation_with_c_code_alone_is_refused_by_name():
    class OnlyC(theano.Op):
        def make_node(self, x):
            return gof.Apply(self, [x], [x.type()])

        def c_code(self, node, name, inputs, outputs, sub):
            return ""

    with pytest.raises(NotImplementedError, match="OnlyC has C code alone"):
        OnlyC()(T.dscalar())


@pytest.mark.each("as_method", [True, False])
def test_a_connection_pattern_is_a_method_or_a_list(as_method):
    class First(theano.Op):
        def make_node(self, x, y):
            return gof.Apply(self, [x, y], [x.type()])

        def perform(self, node, inputs, outputs):
            outputs[0][0] = inputs[0] * 1

        def grad(self, inputs, gradients):
            return [gradients[0], theano.gradient.DisconnectedType()()]

    rows = [[True], [False]]
    First.connection_pattern = (lambda self, node: rows) if as_method else rows
    x, y = T.dscalar(), T.dscalar()
    assert T.grad(First()(x, y), x).eval() == 1
    with pytest.raises(theano.gradient.DisconnectedInputError):
        T.grad(First()(x, y), y)


def test_ifelse_computes_one_side():
    x = T.dvector()
    y = ifelse(T.gt(x.sum(), 0), x * 2, x[:1])
    f = theano.function([x], y)
    assert f([1.0, 2.0]).tolist() == [2, 4] and f([-1.0, -2.0]).tolist() == [-1]


# ---- what is missing


@pytest.mark.each(("module", "name", "near"), [
    ("tensor", "sofmax", "theano.tensor.Softmax"), ("tensor.nnet", "sigmiod", "sigmoid"),
    ("tensor", "dmatrx", "dmatrix"), ("sparse", "csr_matrix", "dense"),
    ("config", "floatx", "floatX")])  # fmt: skip
def test_a_missing_name_says_so(module, name, near):
    import importlib

    found = theano.config if module == "config" else importlib.import_module(
        f"autodiff_edu.theano.{module}")  # fmt: skip
    with pytest.raises(
        AttributeError, match=f"theano.*{name} is not there.*coming_from_theano"
    ) as e:
        getattr(found, name)
    assert near in str(e.value)
    assert not hasattr(found, name)


def test_from_import_says_so_too():
    with pytest.raises(ImportError, match="nearest name is theano.tensor.nnet.softmax"):
        exec("from autodiff_edu.theano.tensor.nnet import softmaxx")


def test_a_method_that_there_is_not():
    with pytest.raises(AttributeError, match="dimshuffle"):
        _ = T.vector().dimshufle


# ---- compute_test_value


def test_test_values_find_an_error_where_it_is_written():
    with theano.change_flags(compute_test_value="raise"):
        a, b = T.matrix("a"), T.matrix("b")
        a.tag.test_value, b.tag.test_value = np.ones((3, 4)), np.ones((5, 4))
        assert (a * 2).sum(axis=0).tag.test_value.tolist() == [6, 6, 6, 6]
        with pytest.raises(ValueError, match="dot"):
            T.dot(a, b)
        with pytest.raises(AttributeError, match="test value"):
            T.matrix("c") + 1


def test_an_operation_of_ones_own_and_a_copy_have_test_values():
    class Twice(theano.Op):
        __props__ = ()

        def make_node(self, x):
            return theano.Apply(self, [x], [x.type()])

        def perform(self, node, inputs, outputs):
            outputs[0][0] = 2 * inputs[0]

    with theano.change_flags(compute_test_value="raise"):
        x, other = T.vector("x"), T.vector("other")
        x.tag.test_value = np.ones(2)
        y = Twice()(x)
        assert y.tag.test_value.tolist() == [2, 2]
        rows, columns = T.outer(x, x).shape
        assert (rows * columns).tag.test_value == 4
        copied = theano.clone(y + 1, {x: other})
        assert (copied - y).tag.test_value.tolist() == [1, 1]  # a copy keeps the value of the first
        assert T.zeros(2).tag.test_value.tolist() == [0, 0]


# ---- variables of classes of one's own


class Named(T.TensorVariable):
    """A leaf with a law, as libraries of statistics had them."""

    def __init__(self, kind, owner=None, index=None, name=None, law=None):
        super().__init__(kind, owner, index, name)
        self.law = law


def test_a_leaf_of_a_class_of_ones_own():
    x = Named(T.dvector, name="x", law="normal")
    y = T.exp(x).sum()
    assert y.owner.inputs[0].owner.inputs[0] is x and x.law == "normal" and x.name == "x"
    f = theano.function([x], [y, T.grad(y, x)])
    assert [v.tolist() for v in f([0.0, 0.0])] == [2, [1, 1]]


def test_a_view_makes_a_variable_of_ones_own_another_variables_value():
    x = T.dvector("x")
    y = Named(T.dvector, None, None, "y")
    theano.Apply(theano.compile.view_op, inputs=[x * 2], outputs=[y])
    f = theano.function([x], [y + 1, T.grad((y**2).sum(), x)])
    assert [v.tolist() for v in f([1.0, 2.0])] == [[3, 5], [8, 16]]
    other = theano.compile.view_op(x)
    assert other is not x and (x + 1).owner.inputs[0] is x  # x is itself still
    assert theano.function([x], T.Rop(other**2, x, x))([3.0]).tolist() == [18]


class Kernel:
    """It has operators of its own."""

    def __radd__(self, other):
        return "added"

    __rmul__ = __radd__


def test_what_has_operators_of_its_own_answers():
    assert T.eye(2) + Kernel() == "added" and T.scalar() * Kernel() == "added"
    with pytest.raises(TypeError):
        T.scalar() + object()


# ---- options


def test_options_are_listed_and_copied():
    (option,) = [o for o in theano.configparser._config_var_list if o.fullname == "floatX"]
    before = option.__get__(True, None)
    option.__set__(None, "float32")
    assert copy.copy(theano.config).floatX == "float32" and before == "float64"
    option.__set__(None, before)


# ---- what an assignment takes


def test_a_part_takes_a_value_in_the_dtype_of_the_whole():
    x = T.constant(np.zeros(3, dtype="int32"))
    assert theano.function([], T.set_subtensor(x[0], 2.7))().tolist() == [2, 0, 0]
    y = T.inc_subtensor(x[T.constant([0, 0])], T.constant(np.int64([3, 4])))
    assert theano.function([], y)().tolist() == [7, 0, 0] and y.dtype == "int32"
    short = T.vector(dtype="float32")
    part = T.set_subtensor(short[:2], T.dvector())
    assert part.dtype == "float32"


def test_a_stack_of_numbers_is_a_vector_whatever_the_axis():
    a, b = T.scalars("ab")
    assert T.stack([a, b], axis=1).eval({a: 1, b: 2}).tolist() == [1, 2]


def test_a_sum_of_one_operand_and_axes_in_a_range():
    x = T.tensor3("x")
    assert T.add(*[x]) is x and T.mul(x).ndim == 3
    rows = np.arange(8.0).reshape(2, 2, 2)
    assert x.sum(axis=range(1, x.ndim)).eval({x: rows}).tolist() == [6, 22]
    assert x.max(range(2)).eval({x: rows}).tolist() == [6, 7]


def test_an_operation_without_a_gradient_is_an_attribute_error_too():
    @theano.compile.ops.as_op(itypes=[T.dvector], otypes=[T.dscalar])
    def total(v):
        return np.asarray(v.sum())

    x = T.dvector()
    with pytest.raises(AttributeError, match="no derivative"):
        T.grad(total(x), x)


def test_a_seed_below_zero():
    assert MRG_RandomStreams(-1).normal((2,)).eval().shape == (2,)


def test_a_switch_gives_the_gradient_that_theano_gave():
    x = T.dscalar("x")
    for y, at, slope in [
        (T.switch(x < 7, x, T.sqrt(x - 7)), 5.0, 1.0),
        (T.switch(T.eq(x, 0), 1.0, T.sin(x) / x), 0.0, 0.0),
        (T.switch(x > 0, x * T.log(x), 0.0), 0.0, 0.0),
    ]:
        assert theano.function([x], T.grad(y, x))(at) == slope
