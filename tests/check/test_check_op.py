"""`op.check` passes what is right, and says of what is wrong what is wrong with it."""

import re

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu.expr import Null
from tests.helpers.depth import some

pytestmark = pytest.mark.numeric

ROWS = np.array([[1.0, 2.0], [-3.0, 4.0], [0.5, -7.0]])


class Square(ad.Op):
    """x², right in everything."""

    def infer_type(self, x):
        return x

    def perform(self, x):
        return x * x

    def pullback(self, inputs, outputs, cotangents):
        return [2 * inputs[0] * cotangents[0]]


def variant(**methods):
    """An operation like Square but for these methods and attributes."""
    return type("Square", (Square,), methods)()


def pulled(rule):
    """Like Square, with the pullback rule(x, g)."""
    return variant(pullback=lambda self, i, o, ct: [rule(i[0], ct[0])])


def finding(report):
    """The only finding, on one line."""
    assert not report and len(report.findings) == 1, report
    return " ".join(report.findings[0].split())


# ---- what is right


def test_what_is_right_is_listed():
    report = Square().check(ROWS)
    assert report.ok and report and report.notes == []
    assert repr(report).splitlines() == [
        "Square(x): right",
        "  right perform gives what infer_type says, for 5 combinations of lengths",
        "  right it keeps its promise in float32, too",
        "  right perform repeats itself, and leaves its operands alone",
        "  right the pullback is linear in its cotangent, and agrees with central differences, "
        "at random",
        "        points by random cotangents, for 5 combinations of lengths",
        "  right second derivatives exist, and agree with differences of the first",
    ]


def test_the_same_check_says_the_same():
    assert repr(Square().check(ROWS)) == repr(Square().check(ROWS))


def test_operands_of_every_kind():
    class Take(ad.Op):
        """x[k] + scale."""

        def infer_type(self, x, k, scale):
            return ad.TensorType(x.dtype, x.shape[1:])

        def perform(self, x, k, scale=1.0):
            return x[k] + np.asarray(scale, x.dtype)

        def pullback(self, inputs, outputs, cotangents, scale):
            x, k = inputs
            return [ad.zeros_like(x).at[k].set(cotangents[0]), None]

    for report in (
        Take().check(ROWS, 1),
        Take().check(ROWS, 1, 3.0),
        Take().check(ROWS, 1, scale=2),
    ):
        assert report, report


def test_boxes_and_declared_operations_are_checked_too():
    v = ad.vector("v")
    for op in (ad.OpFromGraph([v], [v * v, v.sum()]), ad.sin, ad.logsumexp):
        assert op.check(np.array([0.3, -0.2])), op


# ---- the example


@pytest.mark.each(
    "example, words",
    [
        (("one",), "the example does not work"),
        ((ROWS, ROWS), "the example does not work: Square takes 1 operands"),
    ],
)
def test_an_example_that_does_not_work(example, words):
    assert words in finding(Square().check(*example))


# ---- types and values


class Outer(Square):
    """x yᵀ, with a type that is another on purpose."""

    def perform(self, x, y):
        return np.outer(x, y)

    def pullback(self, inputs, outputs, cotangents):
        (x, y), (g,) = inputs, cotangents
        return [g @ y, x @ g]


def test_a_type_that_is_right_by_chance_is_not_right():
    op = type(
        "Outer", (Outer,), {"infer_type": lambda self, x, y: ad.TensorType("float64", (2, 2))}
    )()
    assert finding(op.check([1.0, 2.0], [3.0, 4.0])) == (
        "for x of shape (3,) and y of shape (3,) infer_type says float64(2, 2), and perform gives "
        "float64(3, 3). What would do: def infer_type(self, x, y): "
        "return ad.TensorType(x.dtype, (x.shape[0], y.shape[0]))"
    )


def test_lengths_of_1_that_perform_stretches():
    product = {"infer_type": lambda self, x, y: x, "perform": lambda self, x, y: x * y}
    found = finding(variant(**product).check(ROWS, ROWS))
    assert "for x of shape (1, 2) and y of shape (3, 2) infer_type says float64(1, 2)" in found
    assert "let infer_type refuse x and y of different shapes" in found and "partials" in found


WRONG_VALUES = [
    (
        {"infer_type": lambda self, x: ad.TensorType(x.dtype, x.shape[1:])},
        "What would do: def infer_type(self, x): "
        "return ad.TensorType(x.dtype, (x.shape[0], x.shape[1]))",
    ),
    ({"perform": lambda self, x: x.tolist()}, "perform gives a list, and not an array"),
    ({"perform": lambda self, x: (x, x)}, "perform gives a tuple"),
    ({"perform": lambda self, x: None}, "perform gives None: does it end in `return`?"),
    ({"targets": {"numpy": lambda: 0}}, "targets['numpy'] fails where perform does not"),
    (
        {"perform": lambda self, x: x * np.ones(1)},
        "in float32, for x of shape (3, 2) infer_type says float32(3, 2), and perform gives float",
    ),
    (
        {"infer_type": lambda self, x: ad.TensorType(x.dtype, [n + 0 for n in x.shape])},
        "infer_type fails where lengths are None, not known yet, as ad.matrix('x') has them",
    ),
    (
        {"infer_type": lambda self, x: ad.TensorType(x.dtype, [n or 3 for n in x.shape])},
        "where lengths are None, not known yet, infer_type says float64(3, 3), and for x of shape ",
    ),
    ({"perform": lambda self, x: np.square(x, out=x)}, "perform changes x, which other operations"),
    ({"targets": {"numpy": lambda x: x**3}}, "targets['numpy'] differs from perform by up to 392"),
]


@pytest.mark.each("methods, words", WRONG_VALUES, ids=range(len(WRONG_VALUES)))
def test_wrong_types_and_habits(methods, words):
    report = variant(**methods).check(ROWS)
    assert words in " ".join(report.findings[0].split()), report


def test_a_view_is_said_to_be_one():
    flipped = {"perform": lambda self, x: x[::-1], "pullback": lambda self, i, o, ct: [ct[0][::-1]]}
    assert "shares memory with x" in finding(variant(**flipped).check(ROWS))
    assert variant(view=True, **flipped).check(ROWS)


def test_chance_in_perform_is_found():
    rng = np.random.default_rng(0)
    report = variant(perform=lambda self, x: x * rng.random()).check(ROWS)
    assert "different results for equal operands" in report.findings[0]


def test_what_infer_type_accepts_and_perform_refuses_is_a_note():
    dot = {
        "infer_type": lambda self, x, y: ad.TensorType(x.dtype, (x.shape[0], y.shape[1])),
        "perform": lambda self, x, y: x @ y,
        "pullback": lambda self, i, o, ct: [ct[0] @ i[1].T, i[0].T @ ct[0]],
    }
    report = variant(**dot).check(ROWS, ROWS.T)
    assert report and "raise ad.ShapeError in infer_type" in report.notes[0]
    assert "np.result_type(x.dtype, y.dtype) knows both" in report.notes[1]


# ---- the cotangent


def test_a_rule_that_ignores_its_cotangent_is_corrected():
    assert finding(pulled(lambda x, g: 2 * x).check(ROWS)) == (
        "the pullback ignores its cotangent, for x: the gradient of 3 * Square(x) would be that of "
        "Square(x), off by a factor of 3. A pullback returns the cotangent times the derivative, "
        "not the derivative alone. With it: (g,) = cotangents return [g * (2 * x)]"
    )


def test_no_correction_is_printed_that_would_be_wrong():
    assert "With it" not in finding(pulled(lambda x, g: 3 * x).check(ROWS))
    total = {
        "infer_type": lambda self, x: ad.TensorType(x.dtype, x.shape[:1]),
        "perform": lambda self, x: x.sum(axis=1),
        "pullback": lambda self, i, o, ct: [ad.ones_like(i[0])],
    }
    assert finding(variant(**total).check(ROWS)).endswith(
        "multiply by it before anything is summed"
    )


class Affine(Square):
    """a·x + b with the pullback that a guide of Theano's gave."""

    props = ("a", "b")

    def __init__(self, a, b):
        self.a, self.b = a, b

    def perform(self, x):
        return self.a * x + self.b

    def pullback(self, inputs, outputs, cotangents):
        return [self.a * cotangents[0] + self.b]


def test_an_offset_is_rejected_with_the_reason():
    assert finding(Affine(2.0, 3.0).check(1.5)) == (
        "the pullback adds something to its cotangent's part: for a cotangent of 0, where nothing "
        "depends on the result, it must return 0, and for x it returns 3. What is added to the "
        "value falls away when it is differentiated: of a * x + b the derivative is a, and the "
        "pullback [a * g], not [a * g + b]. Without what is added: (g,) = cotangents return [2 * g]"
    )
    right = {"pullback": lambda self, i, o, ct: [self.a * ct[0]]}
    assert type("Affine", (Affine,), right)(2.0, 3.0).check(1.5)


@pytest.mark.each("rule", [lambda x, g: 2 * x * ad.abs(g), lambda x, g: 2 * x * g * g])
def test_a_rule_that_is_not_linear(rule):
    assert "not linear in its cotangent: for twice the cotangent" in finding(
        pulled(rule).check(ROWS)
    )


# ---- the derivative


WRONG_RULES = [
    (lambda x, g: x * g, "It is 0.5 times what it should be, everywhere"),
    (lambda x, g: -2 * x * g, "Its sign is wrong"),
    (lambda x, g: 0 * x * g, "It is 0 everywhere"),
    (
        lambda x, g: (x + 1) * g,
        "the pullback is wrong for x of shape (3, 2): with random cotangents",
    ),
    (lambda x, g: None, "the pullback says None for x, as if no derivative passed"),
    (
        lambda x, g: (2 * x * g).sum(axis=0),
        "fails while the derivative is built, for x of shape (3, 2)",
    ),
    (
        lambda x, g: ad.ones((3, 2)) * 2 * x * g,
        "fails while the derivative is built, for x of shape (4",
    ),
]


@pytest.mark.each("rule, words", WRONG_RULES)
def test_wrong_derivatives(rule, words):
    assert words in finding(pulled(rule).check(ROWS))


def test_a_rule_that_is_right_at_the_example_alone_is_not_right():
    wrong = pulled(lambda x, g: 2 * x * g * (x.shape[0] / 3))
    assert "wrong for x of shape (4, 2)" in finding(wrong.check(ROWS))


def test_a_pullback_that_fails_when_it_is_computed():
    class Bad(Square):
        def perform(self, x):
            raise RuntimeError("out of order")

    assert "fails when it is computed: Bad of" in finding(pulled(lambda x, g: Bad()(g)).check(ROWS))


@pytest.mark.each("factor", [2, 3])
def test_a_pushforward_is_compared_with_both(factor):
    rule = lambda self, i, o, t: [factor * i[0] * t[0]]
    report = variant(pushforward=rule).check(ROWS)
    if factor == 2:
        assert "pushforward agrees with central differences and with the pullback" in repr(report)
    else:
        assert "the pushforward is wrong" in finding(report)


def test_second_derivatives():
    twice = pulled(lambda x, g: Square()(x + g) - Square()(x) - Square()(g))
    assert "second derivatives exist, and agree" in repr(twice.check(ROWS))
    bare = variant(pullback=ad.Op.pullback)
    once = pulled(lambda x, g: bare(x + g) - x * x - g * g).check(ROWS)
    assert (
        once
        and "there are no second derivatives: no gradient passes through Square" in once.notes[0]
    )
    wrong = pulled(lambda x, g: x * g)
    crooked = pulled(lambda x, g: wrong(x + g) - x * x - g * g).check(ROWS)
    assert "the second derivative is wrong" in finding(crooked)


def test_special_points_are_notes():
    root = variant(
        perform=lambda self, x: np.sqrt(x * x),
        pullback=lambda self, i, o, ct: [ct[0] * i[0] / o[0]],
    )
    report = root.check(ROWS)
    assert report and report.notes[0].startswith(
        "where all entries are 0 the pullback gives nan for x at (0, 0), although the value is "
    )
    assert "at the example" in root.check(0.0).notes[0]


def test_what_lacks_rules_or_derivatives_is_noted():
    assert "it has no pullback" in variant(pullback=ad.Op.pullback).check(ROWS).notes[0]
    assert (
        "no derivative passes: it jumps"
        in variant(nondifferentiable="it jumps").check(ROWS).notes[0]
    )
    assert (
        "no derivative exists with respect to x: why not"
        in pulled(lambda x, g: Null("why not")).check(ROWS).notes[0]
    )


# ---- several results


class Both(Square):
    """x² and x³."""

    takes_none = True

    def infer_type(self, x):
        return ad.TupleType([x, x])

    def perform(self, x):
        return x**2, x**3

    def pullback(self, inputs, outputs, cotangents):
        (x,), (g, h) = inputs, cotangents
        return [2 * x * g + 3 * outputs[0] * h]


def test_each_of_several_results_is_used_alone():
    assert "where only result 0 is used, and the cotangents of the others are None" in finding(
        Both().check(ROWS)
    )
    filled = type("Both", (Both,), {"takes_none": False})
    assert filled().check(ROWS)


# ---- overrides


def override(rule):
    return variant(overrides=True, pullback=lambda self, i, o, ct: [rule(i[0], ct[0])])


def test_an_override_may_differ_but_not_ignore_its_cotangent():
    report = override(lambda x, g: 3 * x * g).check(ROWS)
    assert report and "overrides its derivative, and differs" in report.notes[0]
    assert "not linear" in override(lambda x, g: ad.clip(g, -1, 1)).check(ROWS).notes[0]
    assert "return [g * (3 * x)]" in finding(override(lambda x, g: 3 * x).check(ROWS))
    v = ad.vector("v")
    box = ad.OpFromGraph([v], [v * v], pullback=lambda i, o, ct: [5 * i[0]], name="five")
    assert "return [g * (5 * v)]" in finding(box.check([1.0, 2.0]))


def test_differences_that_leave_the_domain_say_nothing_of_the_pullback():
    class LogNearZero(ad.Op):
        def infer_type(self, t):
            return t

        def perform(self, x):
            return np.log(x)

        def pullback(self, inputs, outputs, cotangents):
            return [cotangents[0] / inputs[0]]

    report = LogNearZero().check(np.array([1e-7, 2e-3]))
    assert report.ok
    assert any("leave the domain" in note for note in report.notes)


# ---- what is stated beside the derivative


def declared(body, **stated):
    slopes = {1: lambda x, out: (ad.cos(x),), 2: lambda x, y, out: (y, x)}
    return ad.op(partials=slopes[body.__code__.co_argcount], **stated)(body)


def my_sin(x):
    return np.sin(x)


def my_product(x, y):
    return x * y


STATED = [
    (declared(my_sin, scalar="cos({0})"), "scalar='cos.*' gives .* and perform"),
    (declared(my_sin, scalar="math.sin({0})"), "fails in .* without their module: exp"),
    (declared(my_sin, scalar="(sin({0})"), "fails in a program of single numbers: .* closed"),
    (declared(my_sin, scalar="sin({1})"), "fails in a program of single numbers"),
    (declared(my_sin, facts={"positive": "always"}), "facts says .* always positive"),
    (declared(my_sin, exact_facts={"integer": "always"}), "exact_facts says .* always integer"),
    (declared(my_sin, targets={"numpy": np.cos}), "targets\\['numpy'\\] differs"),
    (declared(my_sin, scalar="sin({0})", facts={"finite": "always"}), ""),
    (declared(my_product, scalar="{0} + {1}"), "gives .* and perform"),
    (declared(my_product, scalar="{0} * {1}", commutative=True), ""),
]


@pytest.mark.each(("op", "says"), some(STATED, 3))
def test_what_is_stated_beside_the_derivative_is_compared_too(op, says):
    report = op.check(*[np.array([-0.7, 1.3, 2.0])] * op.arity)
    assert report.ok == (not says) and re.search(says, " ".join(report.findings)), report


def test_operands_that_may_not_change_places():
    @ad.op(commutative=True, partials=lambda x, y, out: (1, -1))
    def less(x, y):
        return x - y

    assert "commutative=True" in less.check([1.0, 2.0], [1.0, 2.0]).findings[0]
