"""Operations of one's own: what a class need not state, and what is said where it lacks more."""

import pickle
from dataclasses import dataclass

import numpy as np
import pytest

import autodiff_edu as ad

DATA = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 7.0]])


class Doubled(ad.Op):
    """2x, with nothing but what is needed."""

    def infer_type(self, x):
        return x

    def perform(self, x):
        return 2 * x

    def pullback(self, inputs, outputs, cotangents):
        return [2 * cotangents[0]]


class Power(ad.Op):
    """x to a power that is fixed when the operation is made."""

    props = ("power",)

    def __init__(self, power):
        self.power = power

    def infer_type(self, x):
        return x

    def perform(self, x):
        return x**self.power

    def pullback(self, inputs, outputs, cotangents):
        return [cotangents[0] * self.power * Power(self.power - 1)(inputs[0])]


class Extent(ad.Op):
    """The least and the greatest entry."""

    def infer_type(self, x):
        return ad.TupleType([ad.TensorType(x.dtype), ad.TensorType(x.dtype)])

    def perform(self, x):
        return x.min(), x.max()

    def pullback(self, inputs, outputs, cotangents):
        pairs = zip(outputs, cotangents)
        return [sum(ct * (inputs[0] == y).astype("float64") for y, ct in pairs)]


def value(e, **at):
    return ad.evaluate(e, {i: at[i.name] for i in ad.Graph(e).inputs})


# ---- what follows from the class


def test_name_label_and_arity_follow_from_the_class():
    op = Doubled()
    assert (op.name, op.label, op.arity, dict(op.parameters)) == ("Doubled", "Doubled", 1, {})
    assert str(op(ad.scalar("x"))) == "Doubled(x)"

    class Named(Doubled):
        name = "doubled"

        def perform(self, *x):
            return 2 * x[0]

    assert (Named().name, Named().label, Named().arity) == ("doubled", "doubled", None)
    with pytest.raises(TypeError, match="Doubled takes 1 operands, 2 were given"):
        op(1.0, 2.0)


def test_arguments_with_a_default_are_parameters():
    class Shift(ad.Op):
        def infer_type(self, x, **static):
            return x

        def perform(self, x, by=1.0, *, times):
            return x + by * times

    x = ad.scalar("x")
    assert (Shift().arity, list(Shift().parameters)) == (1, ["by", "times"])
    assert value(Shift()(x, 3.0, times=2), x=1.0) == 7.0
    assert value(Shift()(x, times=2), x=1.0) == 3.0
    with pytest.raises(TypeError, match="Shift needs a value for times"):
        Shift()(x)
    with pytest.raises(TypeError, match="unhashable"):
        Shift()(x, times=[1])


def test_operands_may_be_numbers_and_arrays():
    class Add(ad.Op):
        def infer_type(self, x, y):
            return ad.TensorType(x.dtype, ad.expr.broadcast_shapes(x.shape, y.shape))

        def perform(self, x, y):
            return x + y

    x = ad.vector("x", dtype="float32", shape=2)
    assert Add()(x, 2).inputs[1].dtype == "float32"
    assert value(Add()(DATA, x), x=[1, 1]).shape == (3, 2)
    staticmethods = type("Static", (Add,), {"perform": staticmethod(lambda x, y: x - y)})
    assert value(staticmethods()(x, 2), x=[1, 1]).tolist() == [-1, -1]


def test_no_constructor_is_needed_and_dataclasses_do():
    @dataclass(frozen=True)
    class Scaled(ad.Op):
        factor: float

        def infer_type(self, x):
            return x

        def perform(self, x):
            return self.factor * x

    x = ad.scalar("x")
    assert Scaled(3.0) == Scaled(3.0) and value(Scaled(3.0)(x), x=2.0) == 6.0


def test_operations_with_equal_props_are_equal_and_merge():
    x = ad.scalar("x")
    assert Power(2) == Power(2) != Power(3) and hash(Power(2)) == hash(Power(2))
    assert Doubled() != Doubled()  # by default, each is itself
    merged = ad.simplify(Power(2)(x) * Power(2)(x)).after
    assert merged.counts["Power"] == 1
    assert ad.simplify(Power(2)(x) * Power(3)(x)).after.counts["Power"] == 2
    with pytest.raises(TypeError, match="props of Power.*a list as a tuple"):
        hash(Power([2]))


def test_several_results():
    x = ad.vector("x")
    low, high = Extent()(x)
    data = np.array([3.0, 1.0, 2.0])
    assert ad.function(x, [low, high])(data) == [1.0, 3.0]
    for cost, slope in ((high - low, [1, -1, 0]), (high, [1, 0, 0])):
        assert ad.function(x, ad.grad(cost, x))(data).tolist() == slope


def test_it_is_pickled_with_its_graph():
    x = ad.scalar("x")
    graph = pickle.loads(pickle.dumps(ad.Graph(Power(3)(x))))
    assert graph.output.op == Power(3) and graph.evaluate({graph.inputs[0]: 2.0}) == 8.0


def test_a_program_overwrites_nothing_of_it():
    kept = []

    class Keep(Doubled):
        def perform(self, x):
            kept.append(x)
            return x

    x = ad.vector("x")
    ad.function(x, ad.exp(Keep()(x + 1.0)) * 2)(np.zeros(3))
    assert kept[0].tolist() == [1, 1, 1]


@pytest.mark.each("name", ["sum", "np", "if", "accept", "2x", "x); exit(", "ab c"])
def test_a_name_that_it_gives_itself_means_nothing_in_a_program(name):
    op = Doubled()
    op.name = name
    x = ad.vector("x")
    assert ad.function(x, [op(x), ad.sum(op(x))])([1.0, 2.0])[1] == 6.0


def test_code_for_a_target_stands_in_for_perform():
    class Fast(Doubled):
        targets = {"numpy": lambda x: x + x, "jax": None}

        def perform(self, x):
            raise AssertionError("the interpreter's")

    x = ad.scalar("x")
    assert ad.function(x, Fast()(x) * 1.5)(2.0) == 6.0
    with pytest.raises(AssertionError):
        ad.evaluate(Fast()(x), {x: 2.0})


def test_all_modes_pass_through_it():
    x = ad.scalar("x")
    y = Power(3)(x) * Doubled()(x)
    for slope in (
        ad.grad(y, x),
        ad.pushforward(y, x, 1.0),
        ad.symbolic_derivative(y, x).output,
        ad.jacobian(y, x),
    ):
        assert np.isclose(value(slope, x=1.5), 8 * 1.5**3)
    rows = ad.vectorize(lambda x: Power(3)(x) + Extent()(x)[0])(DATA)
    np.testing.assert_allclose(rows, DATA**3 + DATA.min(axis=1, keepdims=True))
    X = ad.matrix("X")
    bumped = ad.jacobian(Power(3)(X)[0], X)
    np.testing.assert_allclose(
        value(bumped, X=DATA)[:, 0], np.einsum("i,ij->ij", 3 * DATA[0] ** 2, np.eye(2))
    )


# ---- what a class lacks


@pytest.mark.each(
    "methods, use, words",
    [
        ("perform", lambda y, x: None, "has no infer_type: write `def infer_type"),
        ("infer_type", lambda y, x: ad.evaluate(y, {x: 1.0}), "has no perform: write `def perform"),
        ("infer_type perform", ad.grad, "no gradient passes through Part.*write `def pullback"),
        (
            "infer_type perform",
            ad.forward_mode,
            "no gradient passes through Part.*Forward mode follows from it",
        ),
        (
            "infer_type perform pushforward",
            ad.grad,
            "no gradient passes through Part.*pushforward that it has serves forward mode alone",
        ),
    ],
)
def test_what_is_missing_is_named(methods, use, words):
    whole = {
        "infer_type": lambda self, x: x,
        "perform": lambda self, x: 2 * x,
        "pushforward": lambda self, inputs, outputs, tangents: [2 * tangents[0]],
    }
    op = type("Part", (ad.Op,), {name: whole[name] for name in methods.split()})()
    x = ad.scalar("x")
    with pytest.raises((TypeError, AttributeError), match=words):
        use(op(x), x)
    if "pushforward" in methods:
        assert value(ad.pushforward(op(x), x, 1.5), x=1.0) == 3.0


def test_a_class_is_called_before_it_takes_operands():
    with pytest.raises(TypeError, match=r"write Doubled\(\)\(x\), not Doubled\(x\)"):
        Doubled(ad.scalar("x"))


def test_an_inferred_type_is_a_type():
    wrong = type("Wrong", (Doubled,), {"infer_type": lambda self, x: x.shape})
    with pytest.raises(TypeError, match=r"infer_type of Wrong must return a TensorType.*\(3, 2\)"):
        wrong()(ad.matrix("x", shape=(3, 2)))


def test_forward_mode_names_the_operation_whose_pullback_it_lacks():
    bare = type("Bare", (ad.Op,), {"infer_type": lambda self, g: g, "perform": lambda self, g: g})
    rule = {"pullback": lambda self, inputs, outputs, cotangents: [bare()(cotangents[0])]}
    y, x = ad.scalar("y"), ad.scalar("x")
    y = type("Whole", (Doubled,), rule)()(x)
    with pytest.raises(
        TypeError, match="through Whole.*its pullback twice.*through Bare.*no pullback"
    ):
        ad.forward_mode(y, x)


def test_a_declared_operation_needs_only_a_pullback():
    @ad.op(type=lambda t: t, pullback=lambda ct, x, out: (ct * ad.cos(x),))
    def my_sine(x):
        """sin x."""
        return np.sin(x)

    x = ad.scalar("x")
    assert value(ad.pushforward(my_sine(x), x, 2.0), x=0.3) == 2 * np.cos(0.3)


@pytest.mark.each("name", "cost film table trace example draw text plan generate".split())
def test_an_operation_may_be_called_like_what_one_does_with_graphs(name):
    def perform(self, x):
        return 3 * x

    def pullback(self, inputs, outputs, cotangents):
        return [3 * cotangents[0]]

    stated = {"infer_type": lambda self, t: t, "perform": perform, "pullback": pullback}
    own = type(name, (ad.Op,), stated)()
    x = ad.scalar("x")
    y = own(x) * x
    assert name in str(y) and name in repr(ad.draw(y)) and ad.cost(y) and ad.trace(y, {x: 2.0})
    slope = ad.simplify(ad.grad(y, x))
    assert ad.function([x], [y, slope.output])(2.0) == [12.0, 12.0]
    assert ad.film(slope) and ad.latex(y) and own.check(np.array(2.0)).ok
