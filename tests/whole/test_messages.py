"""Messages for the kinds of misuse that are met most: each says what to write instead.

Protects the sentences: the tests of what is refused by each room are in the room; these are the
slips that cross rooms, such as NumPy's habits, Python's operators and functions that are traced.
"""

import inspect
import operator
import pickle

import numpy as np
import pytest

import autodiff_edu as ad

HERE = r"test_messages\.py:\d+"


def square(x):
    return x**2


def nothing(*_):
    pass


x, v = ad.scalar("x"), ad.vector("v", shape=3)

# ---- signs that Python has for whole numbers

BITS = {
    "^": (operator.xor, r"x\*\*2"), "&": (operator.and_, "ad.logical_and"),
    "|": (operator.or_, "ad.logical_or"), "<<": (operator.lshift, r"x \* 2\*\*k"),
    ">>": (operator.rshift, r"x // 2\*\*k"),
}  # fmt: skip


@pytest.mark.each("of", [x, v, ad.scalar("s", dtype="float32"), x > 0], ids=str)
@pytest.mark.each("sign", BITS)
def test_signs_for_bits_say_what_to_write_of_floats(sign, of):
    act, instead = BITS[sign]
    if of.dtype == bool:
        of, other = of * 1.0, x > 0
    else:
        other = 2
    for left, right in ((of, other), (other, of), (of, of), (of, 0.5)):
        with pytest.raises(TypeError, match=instead) as caught:
            act(left, right)
        assert "test_messages.py" in str(caught.value)


def test_other_signs_and_numpys_names_for_them():
    with pytest.raises(ad.DTypeError, match=r"~.*x is float64.*ad.logical_not"):
        operator.inv(x)
    named = {np.bitwise_xor: r"x\*\*2", np.bitwise_and: "logical_and", np.right_shift: "x // 2"}
    for function, instead in named.items():
        with pytest.raises(TypeError, match=instead):
            function(v, 2)
    k = ad.scalar("k", dtype="int64")
    assert ad.evaluate([k ^ 2, k & 2, k | 1, ~k], {k: 6}) == [4, 2, 7, -7]


# ---- functions that return nothing

CALLS = {
    "grad": lambda f: ad.grad(f)(1.0),
    "grad of arrays": lambda f: ad.grad(f)(np.ones(3)),
    "value_and_grad": lambda f: ad.value_and_grad(f)(1.0),
    "jacobian": lambda f: ad.jacobian(f)(np.ones(2)),
    "hessian": lambda f: ad.hessian(f)(1.0),
    "vectorize": lambda f: ad.vectorize(f)(np.ones(2)),
    "pipeline": lambda f: ad.pipeline(f, 1.0),
    "checkpoint": lambda f: ad.checkpoint(f)(x),
    "custom_gradient": lambda f: ad.custom_gradient(f)(x),
    "verify_grad": lambda f: ad.verify_grad(f, [1.0]),
    "scan": lambda f: ad.scan(f, v),
    "scan of a state": lambda f: ad.scan(f, outputs_info=x, n_steps=3),
    "scan that keeps little": lambda f: ad.scan(f, v, x, checkpoint_every=2),
}
every_call = pytest.mark.each("call", CALLS)


@every_call
def test_a_function_that_returns_nothing(call):
    with pytest.raises(TypeError, match=rf"nothing \({HERE}.*returned None: write `return`"):
        CALLS[call](nothing)


def test_results_that_are_no_numbers():
    for wrong in (lambda x: [x, print], lambda x: {"a": "text"}):
        with pytest.raises(TypeError, match="numbers, arrays and expressions, not"):
            ad.vectorize(wrong)(np.ones(2))


# ---- y[0] = e


def into_zeros(*args):
    y = np.zeros(3)
    y[0] = args[0] ** 2
    return np.sum(y)


def into_ones(*args):
    y = np.ones((3, 2))
    y[0, 1] += args[0]
    return np.sum(y)


def into_a_slice(*args):
    y = np.zeros(3)
    y[:2] = args[0] * np.ones(2)
    return np.sum(y)


@every_call
@pytest.mark.each("fill", [into_zeros, into_ones, into_a_slice])
def test_the_advice_for_assignments_is_the_message(call, fill):
    def entry(*args):
        return fill(*(a[0] if np.ndim(a.type.shape) and a.ndim else a for a in args))

    with pytest.raises((TypeError, ValueError), match=r"ad\.array\(y\)\.at\[0\]\.set\(e\)"):
        CALLS[call](entry)


def test_outside_of_functions_the_advice_is_the_cause():
    with pytest.raises(ValueError, match="sequence") as caught:
        into_zeros(x)
    assert "ad.array(y).at[0].set(e)" in str(caught.value.__cause__)


def test_an_error_of_the_users_own_is_left_as_it_is():
    def wrong(x):
        raise ValueError("mine") from TypeError("an expression")

    with pytest.raises(ValueError, match="^mine$"):
        ad.grad(wrong)(1.0)


# ---- values where arguments are numbered, and the other way round

DERIVATIVES = [ad.grad, ad.value_and_grad, ad.jacobian, ad.hessian]


@pytest.mark.each("d", DERIVATIVES, ids=lambda d: d.__name__)
@pytest.mark.each("value", [3.0, np.ones(2), "x", x, True, None, [0, 1.5]], ids=str)
def test_a_value_is_no_number_of_an_argument(d, value):
    if value is None and d is ad.hessian:
        return  # its default
    with pytest.raises(TypeError, match=rf"ad\.{d.__name__}\(square, argnums=0\).*\(square\)\("):
        d(square, value)


@pytest.mark.each("d", DERIVATIVES, ids=lambda d: d.__name__)
def test_a_derivative_is_called_with_the_values(d):
    with pytest.raises(TypeError, match=rf"none was given by place.*ad\.{d.__name__}\(square\)\("):
        d(square)()
    with pytest.raises(TypeError, match="square by its place, and 1 were given by place"):
        d(square, 5)(1.0)
    with pytest.raises(TypeError, match="positional argument"):
        d(square)(1.0, 2.0)
    with pytest.raises(TypeError, match=r"ad\.vectorize\(f\)\(x\)"):
        ad.vectorize(square, 3.0)


# ---- shapes

SHAPES = {
    "tensor": lambda s: ad.tensor("v", shape=s),
    "vector": lambda s: ad.vector("v", shape=s),
    "shared": lambda s: ad.shared(np.ones(1), shape=s),
    "zeros": ad.zeros,
    "ones": ad.ones,
    "full": lambda s: ad.full(s, 1.0),
    "full of an expression": lambda s: ad.full(s, x),
    "eye": lambda s: ad.eye(s[0] if isinstance(s, tuple) else s),
    "broadcast_to": lambda s: ad.broadcast_to(x, s),
    "draws": lambda s: ad.RandomStream(0).normal(size=s),
    "type": lambda s: ad.TensorType("float64", (s[0] if isinstance(s, tuple) else s,)),
}


@pytest.mark.each("leaf", SHAPES)
@pytest.mark.each("shape", [(-1,), (2.5,), ("3",), "3", 2.5, -1, (True,), (x,), (1j,)],
                         ids=str)  # fmt: skip
def test_a_length_is_a_whole_number(leaf, shape):
    ad.TensorType("float64", (1,)), ad.TensorType("float64", (2,))  # equal to True, kept by type
    if leaf in ("draws", "type") and isinstance(shape, tuple) and shape[0] is True:
        return  # True is 1 there
    with pytest.raises((TypeError, ValueError), match="whole number|lengths in size"):
        SHAPES[leaf](shape)


def test_lengths_in_every_right_form():
    for shape in (3, (3,), [3], np.array([3]), np.int64(3), range(3, 4)):
        assert ad.tensor("v", shape=shape).type is ad.TensorType("float64", (3,))
    assert ad.tensor("v", shape=None).type.shape == (None,)
    assert all(type(n) is int for n in ad.tensor("v", shape=np.array([7, 5])).type.shape)
    with pytest.raises(TypeError, match="whole number.*2.5"):
        v.reshape(2.5)


# ---- a number where an expression, a list or a function is wanted

GRAPHS = """compare cost draw evaluate film forward_mode generate latex plan release reverse_mode
same simplify symbolic_derivative trace why pullback pushforward jacobian hessian grad
value_and_grad hessian_vector_product unroll function vectorize subgraph_grad
override_gradient OpFromGraph scan checkpoint custom_gradient verify_grad pipeline""".split()


@pytest.mark.each("name", GRAPHS)
@pytest.mark.each("given", [3, 3.0, None, "x"], ids=repr)
def test_a_number_is_no_expression(name, given):
    function = getattr(ad, name)
    wanted = [p for p in inspect.signature(function).parameters.values()
              if p.default is p.empty and p.kind is p.POSITIONAL_OR_KEYWORD]  # fmt: skip
    others = {"wrt": x, "at": {x: 1.0}, "p": 1.0, "cotangents": 1.0, "tangents": 1.0, "after": x,
              "others": x, "end": [], "pattern": ad.wild("a") * 2, "log_prob": x, "point": [1.0],
              "outputs": x}  # fmt: skip
    args = [given, *[others.get(p.name, x) for p in wanted[1:]]]
    with pytest.raises((TypeError, ValueError)) as caught:
        function(*args)(1.0)
    said = str(caught.value)
    assert "NoneType" not in said and "not iterable" not in said and "has no attribute" not in said
    assert any(
        word in said for word in ("expression", "function", "graph", "stage", "list", "cost")
    ), said


def test_what_same_and_verify_grad_take():
    assert ad.same(x, x) and ad.same([x], [x]) and not ad.same(x, [x, x])
    for wrong in ((x, 3), (3, x), ([x], [3]), (x, square)):
        with pytest.raises(TypeError, match="an expression is needed"):
            ad.same(*wrong)
    for wrong in (3.0, x, np.ones(3), [x], {"x": 1.0}, None):
        with pytest.raises(TypeError, match=r"ad\.verify_grad\(f, \[3\.0\]\)"):
            ad.verify_grad(square, wrong)
    with pytest.raises(TypeError, match="checks a Python function"):
        ad.verify_grad(3.0, [3.0])


# ---- truth

TRUTHS = [
    lambda x: 0 < x < 1, lambda x: x > 0 and x < 1, lambda x: x > 0 or x < 1, lambda x: not x > 0,
    lambda x: 1 if x > 0 else 2, lambda x: any([x > 0, x < 1]), lambda x: max(x, 1.0),
    lambda x: sorted([x, 1.0]), lambda x: [1 for _ in range(3) if x > 0],
]  # fmt: skip


@pytest.mark.each("say", TRUTHS)
@pytest.mark.each("of", [x, v, x * 2], ids=str)
def test_truth_says_which_signs_to_use(say, of):
    with pytest.raises(TypeError, match=r"ad\.where.*\(0 < x\) & \(x < 1\).*ad\.logical_and.*\|"):
        say(of)


# ---- programs are stored


def stored(f):
    return pickle.loads(pickle.dumps(ad.portable(f))).function


@pytest.mark.parametrize("simplify", [None, "safe"])
def test_a_program_is_pickled(simplify):
    A, k = ad.matrix("A", shape=(None, 2)), ad.scalar("k", dtype="int64")
    h = ad.scan(lambda s: ad.tanh(s) + 1, outputs_info=A[0], n_steps=k)
    f = ad.function([A, k], [A @ A.T, h[-1]], simplify=simplify)
    g = stored(f)
    for ours, theirs in zip(f(np.eye(2), 3), g(np.eye(2), k=3), strict=True):
        np.testing.assert_array_equal(ours, theirs)
    assert g.source == f.source and g.__name__ == f.__name__ and stored(g).source == f.source
    assert [s.name for s in g.stages] == [s.name for s in f.stages]
    assert inspect.signature(g) == inspect.signature(f)
    with pytest.raises(ad.ShapeError):
        g(np.ones((2, 3)), 1)


def test_a_stored_program_keeps_its_state_names_and_unused_inputs():
    w, draws = ad.shared(2.0, "w"), ad.RandomStream(1)
    out = x * w + draws.normal()
    out.name = "y"
    f = ad.function([x, v], out, updates={w: w + x}, name="move", on_unused_input="ignore")
    g = stored(f)
    first = f(1.0, np.ones(3)), f(1.0, np.ones(3))
    assert (g(1.0, np.ones(3)), g(v=np.ones(3), x=1.0)) == first
    assert w.get_value() == 4.0 and g.graph.names[0] == "y" and g.__name__ == "move"
    assert stored(g) is not g


# ---- patterns

a, b = ad.wild("a b")
PATTERNS = [
    *[getattr(operator, name) for name in "add sub mul truediv floordiv mod pow matmul lt le gt ge "
      "eq ne and_ or_ xor".split()], divmod, ad.dot, ad.where,
]  # fmt: skip


@pytest.mark.each("act", PATTERNS, ids=lambda act: getattr(act, "__name__", str(act)))
def test_operators_make_patterns(act):
    pairs = [(a, b, a)] if act is ad.where else [(a, b), (a, 2.0), (2.0, a), (a + 1, b > 2)]
    for operands in pairs:
        try:
            made = act(*operands)
        except TypeError as error:
            assert "a pattern is of any dtype and shape" in str(error)
        else:
            assert repr(made)


def test_a_rule_may_speak_of_intervals():
    rule = (a > 5) & (a < 6)
    cost = ad.where((x > 5) & (x < 6), x * x, x)
    assert repr(rule) == "(a > 5) & (a < 6)" and repr(~rule | rule)
    stage = ad.override_gradient(cost, ad.where(rule, b, a), lambda found, out, ct: {"a": ct})
    assert len(stage.matches) == 1


ASKING = [
    lambda a: a[0], lambda a: a[1:], lambda a: a[b], lambda a: a[...], lambda a: a.shape,
    lambda a: a.ndim, lambda a: a.dtype, lambda a: a.size, len, list, round, lambda a: a.mT,
    lambda a: a.at[0].set(1), ad.prod, np.prod, lambda a: a.prod(), lambda a: a.foo, ad.flip,
    lambda a: ad.zeros_like(a), lambda a: ad.grad(a, a),
    lambda a: ad.jacobian(a, a), lambda a: a.trace(), lambda a: a.take(0), ad.median, ad.stack,
]  # fmt: skip


@pytest.mark.each("of", [a, a + b, ad.exp(a)], ids=str)
@pytest.mark.each("ask", ASKING)
def test_what_a_pattern_does_not_have(ask, of):
    with pytest.raises(TypeError, match="a pattern is of any dtype and shape.*are made of"):
        ask(of)


def public(*arities):
    for name in ad.__all__:
        f = getattr(ad, name)
        if callable(f) and not inspect.isclass(f) and name not in ("op", "wild"):
            for n in arities:
                yield pytest.param(f, n, id=f"{name}-{n}")


@pytest.mark.each("f, n", list(public(1, 2, 3)))
def test_no_public_function_trips_over_a_pattern(f, n):
    try:
        f(*[a, b, a + b][:n])
    except (TypeError, ValueError) as error:
        assert "NoneType" not in str(error) and "Untyped" not in str(error)


@pytest.mark.each("name", [n for n in dir(ad.Expr) if n[0] != "_"])
def test_no_method_trips_over_a_pattern(name):
    for args in ((), (0,), (b,), (b, a)):
        try:
            method = getattr(a + b, name)
            method(*args) if inspect.ismethod(method) else method
        except (TypeError, ValueError) as error:
            assert "NoneType" not in str(error) and "Untyped" not in str(error)


def undefined_and_disconnected():
    x, z = ad.scalar("x"), ad.scalar("z")
    null = ad.grad(ad.undefined_grad(x) * x, x, null_gradients="return")
    apart = ad.grad(x * x, z, disconnected_inputs="ignore", return_disconnected="disconnected")
    return x, [null, apart]


@pytest.mark.each("which", [0, 1])
def test_a_derivative_that_does_not_exist_has_no_value(which):
    x, standins = undefined_and_disconnected()
    g = standins[which]
    for use in (lambda: ad.function(x, g), lambda: ad.function(x, [x * x, g]),
                lambda: ad.evaluate(g, {x: 1.0}), lambda: g + 1, lambda: 2 * g):  # fmt: skip
        with pytest.raises(TypeError, match="does not exist.*zeros_like"):
            use()
