"""The cases of PyTensor's OpFromGraph under ours: one test a case, by number, inline and not."""

import itertools

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu.expr import Disconnected, DisconnectedType, Null, NullType
from tests.helpers.depth import some

inlined = pytest.mark.each("inline", [False, True], ids=["box", "inline"])


@pytest.fixture
def xyz():
    return ad.scalar("x"), ad.scalar("y"), ad.scalar("z")


def run(e, **at):
    """The value of an expression, by the program and by the interpreter, which must agree."""
    graph = ad.Graph(e)
    given = [at[i.name] for i in graph.inputs]
    value = ad.function(graph.inputs, graph)(*given)
    np.testing.assert_allclose(value, graph.evaluate(dict(zip(graph.inputs, given))), rtol=1e-12)
    return value


# ---- the cases


@inlined
def test_01_a_box_is_used_twice(inline, xyz):
    x, y, z = xyz
    f = ad.OpFromGraph([x, y, z], [x + y * z], inline=inline)
    assert run(f(x, y, z) - f(y, z, x), x=1.0, y=3.0, z=5.0) == 8.0


@inlined
def test_02_a_gradient_of_a_gradient(inline):
    x, y, z = (ad.matrix(name) for name in "xyz")
    at = {"x": np.ones((2, 2)), "y": np.full((2, 2), 3.0), "z": np.full((2, 2), 5.0)}
    f = ad.OpFromGraph([x, y, z], [x + y * z], inline=inline)(x, y, z)
    once = f - ad.grad(f.sum(), y)
    np.testing.assert_array_equal(run(once, **at), np.full((2, 2), 11.0))
    twice = once - ad.grad(once.sum(), y)
    np.testing.assert_array_equal(run(twice, **at), np.full((2, 2), 6.0))


@inlined
def test_03_lengths_differ_from_use_to_use(inline):
    x, y, z = (ad.matrix(name) for name in "xyz")
    dot = ad.OpFromGraph([x, y], [x @ y], inline=inline)
    at = {"x": np.ones((2, 3)), "y": np.full((3, 4), 3.0), "z": np.full((4, 5), 5.0)}
    np.testing.assert_array_equal(run(dot(x, dot(y, z)), **at), np.full((2, 5), 180.0))


@inlined
@pytest.mark.each("form", ["callable", "box"])
def test_04_a_doubled_sigmoid(inline, form):
    x, y, ct = (ad.vector(name) for name in ("x", "y", "ct"))

    def doubled(inputs, outputs, cotangents):
        (out,), (back,) = outputs, cotangents
        return [2 * out * (1 - out) * back]

    boxed = ad.OpFromGraph([x, y, ct], doubled([x], [y], [ct]), inline=inline)
    rule = doubled if form == "callable" else boxed
    f = ad.OpFromGraph([x], [1 / (1 + ad.exp(-x))], inline=inline, pullback=rule)
    at = np.linspace(-2, 2, 32)
    found = run(ad.grad(f(x).sum(), x), x=at)
    np.testing.assert_allclose(found, 2 * run(ad.grad(ad.sigmoid(x).sum(), x), x=at), rtol=1e-12)


def scaled(inputs, outputs, cotangents):
    (x, y), (ct,) = inputs, cotangents
    return [2 * ct * y, 1.5 * ct * x]


@inlined
@pytest.mark.each("form", ["callable", "box", "box without outputs"])
def test_05_a_product_with_scaled_factors(inline, form, xyz):
    x, y, out = xyz
    ct = ad.scalar("ct")
    symbols = [x, y, ct] if form == "box without outputs" else [x, y, out, ct]
    rule = scaled if form == "callable" else ad.OpFromGraph(symbols, scaled([x, y], [out], [ct]))
    f = ad.OpFromGraph([x, y], [x * y], inline=inline, pullback=rule)
    assert run(ad.grad(f(x, y), [x, y]), x=3.0, y=5.0) == [10.0, 4.5]


@inlined
def test_06_one_rule_for_each_input(inline):
    x, w, b = (ad.scalar(name) for name in "xwb")
    at = {"x": 3.0, "w": 5.0, "b": 7.0}
    gw, gx = (lambda i, o, ct, k=k, c=c: c * i[k] * ct[0] for k, c in ((1, 2), (0, 1.5)))
    symbols = [x, w, b, ad.scalar("ct")]
    boxed = ad.OpFromGraph(symbols, [1.5 * x * symbols[3]])
    for rules in ([gw, gx, None], [gw, boxed, None]):
        f = ad.OpFromGraph([x, w, b], [x * w + b], inline=inline, pullback=rules)
        assert run(ad.grad(f(x, w, b), [x, w, b]), **at) == [10.0, 4.5, 1.0]


@inlined
@pytest.mark.each("typed", [False, True], ids=["stand-ins", "types"])
def test_06_an_input_may_have_no_derivative_or_none_that_is_defined(inline, typed, xyz):
    x, y, z = xyz
    null = NullType("no reason") if typed else Null("no reason")
    apart = DisconnectedType("no path") if typed else Disconnected()
    rules = [lambda i, o, ct: ct[0], null, apart]
    f = ad.OpFromGraph([x, y, z], [x * y * z], inline=inline, pullback=rules)
    with pytest.raises(ad.NullTypeGradError, match="no reason"):
        ad.grad(f(x, y, z), y)
    with pytest.raises(ad.DisconnectedInputError):
        ad.grad(f(x, y, z), z)
    how = {"null_gradients": "return", "return_disconnected": "disconnected"}
    how |= {"disconnected_inputs": "ignore"}
    gx, gy, gz = ad.grad(f(x, y, z), [x, y, z], **how)
    assert run(gx) == 1.0
    assert (gy.type.why, type(gz.type)) == ("no reason", DisconnectedType)


@inlined
def test_07_the_example_of_the_manual(inline, xyz):
    x, y, z = xyz
    rules = [None, lambda i, o, ct: i[2] * 2 * ct[0], None]
    f = ad.OpFromGraph([x, y, z], [x + y * z], inline=inline, pullback=rules)
    assert run(ad.grad(f(x, y, z), [x, y, z]), x=2.0, y=3.0, z=4.0) == [1.0, 8.0, 3.0]


@inlined
@pytest.mark.each("form", ["callable", "box", "list"])
def test_08_a_pushforward_of_ones_own(inline, form):
    x, y, u, v = (ad.vector(name) for name in "xyuv")

    def moved(inputs, outputs, tangents):
        (x, y), (u, v) = inputs, tangents
        return [2 * u * y + 1.5 * x * v]

    boxed = ad.OpFromGraph([x, y, u, v], moved([x, y], None, [u, v]))
    rule = {"callable": moved, "box": boxed, "list": [moved]}[form]
    f = ad.OpFromGraph([x, y], [x * y], inline=inline, pushforward=rule)
    found = ad.pushforward(f(x, y), [x, y], [u, v])
    at = dict(zip("xyuv", np.random.default_rng(3).normal(size=(4, 7))))
    wanted = 2 * at["u"] * at["y"] + 1.5 * at["x"] * at["v"]
    np.testing.assert_allclose(run(found, **at), wanted, rtol=1e-12)
    as_before = run(ad.pushforward(f(x, y), [x, y], [u, v], use_op_pushforward=False), **at)
    np.testing.assert_allclose(as_before, at["u"] * at["y"] + at["x"] * at["v"], rtol=1e-12)


@inlined
def test_09_a_connection_that_only_the_override_knows(inline):
    x, y = ad.vector("x", dtype="float32"), ad.vector("y", dtype="float32")
    f = ad.OpFromGraph(
        [x, y],
        [y + ad.floor(y)],
        inline=inline,
        pullback=lambda inputs, outputs, cotangents: [cotangents[0], Disconnected()],
        connection_pattern=[[True], [False]],
    )
    ones = np.ones(5, "float32")
    np.testing.assert_array_equal(run(ad.grad(f(x, y).sum(), x), x=ones, y=ones), ones)
    with pytest.raises(ad.DisconnectedInputError):
        ad.grad(f(x, y).sum(), y)


@inlined
def test_10_operations_that_undo_each_other(inline):
    x, y = ad.vector("x"), ad.vector("y")
    there = ad.OpFromGraph([x, y], [x + y, x - y], inline=inline)
    back = ad.OpFromGraph([x, y], [(x + y) / 2, (x - y) / 2], inline=inline)
    at = dict(zip("xy", np.random.default_rng(4).normal(size=(2, 16))))
    found = run(list(back(*there(x, y))), **at)
    np.testing.assert_allclose(found, [at["x"], at["y"]], rtol=1e-13)


@inlined
def test_11_which_derivatives_pass(inline, xyz):
    x, y, z = xyz
    w = ad.scalar("w")
    f = ad.OpFromGraph([x, y, z], [x * y, y * z], inline=inline)
    assert f.connection_pattern == [[True, False], [True, True], [False, True]]
    a, b = f(x, y, z)
    g = ad.OpFromGraph([x, y, z, w], f(a, w, b), inline=inline)
    assert g.connection_pattern == [[True, False], [True, True], [False, True], [True, True]]
    steps = ad.OpFromGraph([x, y], [x + ad.floor(y), ad.floor(x), y * 2], inline=inline)
    assert steps.connection_pattern == [[True, False, False], [False, False, True]]


THREE = [subset for n in (3, 1, 2) for subset in itertools.combinations(range(3), n)]


def three(inputs, outputs, cotangents):
    """The pullback of (x + y, xy, xy(x + y)), written by hand."""
    (x, y), (a, b, c) = inputs, cotangents
    return [
        a + b * y + c * (2 * x * y + y**2),
        a + b * x + c * (x**2 + 2 * x * y),
    ]


@inlined
@pytest.mark.each("rule", [None, three], ids=["own", "override"])
@pytest.mark.each("wanted", some(THREE, 6), ids=str)
def test_12_any_of_several_results(inline, rule, wanted, xyz):
    x, y, _ = xyz
    s, p = x + y, x * y
    f = ad.OpFromGraph([x, y], [s, p, s * p], inline=inline, pullback=rule)
    ad.verify_grad(lambda x, y: sum(f(x, y)[k] for k in wanted), [1.3, -0.7])


def apart(inputs, outputs, cotangents):
    (x, y), (a, b) = inputs, cotangents
    return [a * 2 * x, b * 3 * y**2]


@inlined
@pytest.mark.each("rule", [None, apart], ids=["own", "override"])
def test_13_results_that_have_nothing_in_common(inline, rule, xyz):
    x, y, _ = xyz
    pattern = rule and [[True, False], [False, True]]
    how = {"inline": inline, "pullback": rule, "connection_pattern": pattern}
    f = ad.OpFromGraph([x, y], [x**2, y**3], **how)
    for k, crossed in ((0, y), (1, x)):
        with pytest.warns(UserWarning, match="no derivative"):
            found = ad.grad(f(x, y)[k], crossed, disconnected_inputs="warn",
                            return_disconnected="disconnected")  # fmt: skip
        assert isinstance(found.type, DisconnectedType)
    assert run(ad.grad(f(x, y)[0], x), x=3.0) == 6.0
    assert run(ad.grad(f(x, y)[1], y), y=2.0) == 12.0


def test_14_errors_when_a_box_is_made(xyz):
    x, y, z = xyz
    w = ad.shared(np.ones(2), name="w")
    with pytest.raises(ad.MissingInputError, match=r"y \(made at .*not among the inputs"):
        ad.OpFromGraph([x], [x * y])
    with pytest.raises(ad.MissingInputError, match="w .*not among the inputs"):
        ad.OpFromGraph([x], [x * w])
    with pytest.raises(ValueError, match="x .*listed twice"):
        ad.OpFromGraph([x, x, y], [x + y])
    for state in ("updates", "givens"):
        with pytest.raises(NotImplementedError, match=r"ad\.function"):
            ad.OpFromGraph([x], [x], **{state: {}})
    with pytest.raises(TypeError, match="takes no mode"):
        ad.OpFromGraph([x], [x], mode="FAST_RUN")
    for wrong in ([1], 1, None, "x"):
        with pytest.raises(TypeError, match="an expression is needed"):
            ad.OpFromGraph(wrong, [x])
        with pytest.raises(TypeError, match="an expression is needed"):
            ad.OpFromGraph([x], wrong)


def test_14_errors_when_a_box_is_used(xyz):
    x, y, z = xyz
    k, v = ad.scalar("x", dtype="int64"), ad.vector("v", shape=3)
    f = ad.OpFromGraph([x, y], [x * y], name="f")
    g = ad.OpFromGraph([v], [v * 2], name="g")
    with pytest.raises(TypeError, match="f takes 2 operands, 1 were given"):
        f(x)
    with pytest.raises(TypeError, match="f takes 2 operands, 3 were given"):
        f(x, y, z)
    with pytest.raises(ad.ShapeError, match=r"f .*test_box.*x is declared float64.*\(3,\)"):
        f(v, y)
    with pytest.raises(ad.ShapeError, match=r"g .*v is declared float64\(3,\).*float64\(4,\)"):
        g(np.ones(4))
    with pytest.raises(TypeError, match=r"f .*x is declared int64.*float64 was given.*astype"):
        ad.OpFromGraph([k], [k * 1], name="f")(y)


RETURNED = [
    (lambda ct: None, "must return a list of 2"),
    (lambda ct: [ct], "must return a list of 2"),
    (lambda ct: ct, "must return a list of 2"),
    (lambda ct: [ct, ct, ct], "must return a list of 2"),
    (lambda ct: [ct.astype("int64"), ct], "a cotangent is a float"),
    (lambda ct: [ct[0], ct], "of the input's shape"),
    (lambda ct: [ct[:2], ct], "of the input's shape"),
    (lambda ct: [1.0, ct], "1.0"),
    (lambda ct: ["x", ct], "'x'"),
]


@inlined
@pytest.mark.each("returned, words", RETURNED)
def test_14_an_override_that_returns_something_else(inline, returned, words):
    x, y = ad.vector("x", shape=3), ad.vector("y", shape=3)
    rule = lambda inputs, outputs, cotangents: returned(cotangents[0])
    f = ad.OpFromGraph([x, y], [x * y], inline=inline, pullback=rule, name="f")
    with pytest.raises(TypeError) as caught:
        ad.grad(f(x, y).sum(), [x, y])
    message = str(caught.value)
    assert "the pullback of f (made at test_box.py" in message and words in message


@inlined
@pytest.mark.each("returned, words", [
    (lambda t: None, "must return a list of 1"),
    (lambda t: [t, t], "must return a list of 1"),
    (lambda t: [t[0]], "of the output's shape"),
    (lambda t: [t.astype("int64")], "a tangent is a float"),
    (lambda t: [2.0], "2.0"),
])  # fmt: skip
def test_14_a_pushforward_that_returns_something_else(inline, returned, words):
    x = ad.vector("x", shape=3)
    rule = lambda inputs, outputs, tangents: returned(tangents[0])
    f = ad.OpFromGraph([x], [x * 2], inline=inline, pushforward=rule, name="f")
    with pytest.raises(TypeError) as caught:
        ad.pushforward(f(x), x, np.ones(3))
    message = str(caught.value)
    assert "the pushforward of f (made at test_box.py" in message and words in message


def test_14_lists_of_another_length_and_rules_that_are_none(xyz):
    x, y, _ = xyz
    with pytest.raises(ValueError, match="f has 2 inputs.*1 rule"):
        ad.OpFromGraph([x, y], [x * y], pullback=[None], name="f")
    with pytest.raises(ValueError, match="f has 1 output.*2 rules"):
        ad.OpFromGraph([x, y], [x * y], pushforward=[None, None], name="f")
    with pytest.raises(TypeError, match="callable.*OpFromGraph.*list.*'default'"):
        ad.OpFromGraph([x, y], [x * y], pullback="default", name="f")
    with pytest.raises(TypeError, match="callable.*OpFromGraph.*3"):
        ad.OpFromGraph([x, y], [x * y], pullback=[3, None], name="f")
    with pytest.raises(ValueError, match=r"2 inputs and 1 output.*connection_pattern"):
        ad.OpFromGraph([x, y], [x * y], connection_pattern=[[True]])
    short = ad.OpFromGraph([x], [x * 2], name="short")
    with pytest.raises(TypeError, match="short takes 1 operand.*f.* 3 or 4"):
        ad.OpFromGraph([x, y], [x * y], pullback=short, name="f")


@inlined
def test_15_an_override_holds_wherever_the_box_stands(inline, xyz):
    x, y, _ = xyz
    f = ad.OpFromGraph([x, y], [x * y], inline=inline, pullback=scaled)
    twice = f(x, y) + f(y, x)
    assert run(ad.grad(twice, [x, y]), x=3.0, y=5.0) == [2 * 5 + 1.5 * 5, 1.5 * 3 + 2 * 3]
    through = f(f(x, y), y)
    assert run(ad.grad(through, x), x=3.0, y=5.0) == 2 * 5 * 2 * 5
    slope = ad.grad(x * f(x, y), x)  # f + x·2y
    assert run(ad.grad(slope, x), x=3.0, y=5.0) == 2 * 5 + 2 * 5


def test_15_equal_boxes_merge_and_others_do_not(xyz):
    x, y, z = xyz

    def boxes(**how):
        one = ad.OpFromGraph([x, y], [x + y * x], **how)(y, z)
        other = ad.OpFromGraph([z, x], [z + x * z])(y, z)
        return ad.simplify(one + other).after.counts["box"]

    assert boxes() == 1
    assert boxes(pullback=scaled) == 2
    assert boxes(pushforward=lambda inputs, outputs, tangents: tangents[:1]) == 2
    assert boxes(connection_pattern=[[True], [False]]) == 2
    assert boxes(inline=True) == 2


def test_15_what_makes_boxes_equal(xyz):
    x, y, z = xyz
    box = lambda e=x + y * x, **how: ad.OpFromGraph([x, y], [e], **how)
    assert box() == box() and hash(box()) == hash(box()) and {box(): "v"}[box()] == "v"
    assert box() == ad.OpFromGraph([z, y], [z + y * z])
    assert box() != box(x * y + x) and box() != box(inline=True)
    assert box(pullback=scaled) == box(pullback=scaled) != box(pullback=apart)
    assert box(pullback=[scaled, None]) == box(pullback=[scaled, None])
    assert box(pullback=[scaled, None]) != box(pullback=[None, scaled])
    assert box(pullback=[None, NullType("a")]) != box(pullback=[None, NullType("b")])
    assert box(pullback=[None, Null("a")]) == box(pullback=[None, NullType("a")])
    assert box(pullback=scaled) != box(pushforward=scaled) != box()
    rule = lambda c: ad.OpFromGraph([x, y, z], [c * y * z, x * z])
    assert box(pullback=rule(2)) == box(pullback=rule(2)) != box(pullback=rule(3))


@inlined
def test_16_compiling_changes_nothing_inside(inline):
    x = ad.scalar("x")
    f = ad.OpFromGraph([x], [x**2 / x], inline=inline)
    before = ad.Graph(x**2 / x)
    assert ad.function(x, f(x), simplify="real")(3.0) == 3.0
    assert ad.Graph(ad.release(f(x), every=True).outputs).same(before)


def test_a_box_has_outputs_and_no_state(xyz):
    x, *_ = xyz
    with pytest.raises(ValueError, match="at least one output"):
        ad.OpFromGraph([x], [])
    calls = ad.shared(0.0, name="calls")
    with pytest.raises(NotImplementedError, match=r"scan \(made at .*moves shared values on"):
        ad.checkpoint(
            lambda x: ad.scan(lambda s: (s + x, {calls: calls + 1}), outputs_info=0.0, n_steps=3)
        )(x)
