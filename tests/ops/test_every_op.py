"""One test over every operation: what is derived from its statement agrees with its value."""

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu.differentiate import central_differences
from autodiff_edu.expr import Graph, Input, TensorType, constant, evaluate_all
from autodiff_edu.ops import OPS

RNG = np.random.default_rng(7)
SHAPES = {"matmul": [(3, 4), (4, 2)], "index": [(5, 3)], "embed": [(2, 3)]}
STATIC = {
    "reshape": {"shape": (4, 3)},
    "broadcast_to": {"shape": (2, 3, 4)},
    "expand_dims": {"axis": (0, 2)},
    "squeeze": {"axis": (1,)},
    "transpose": {"axes": (1, 0)},
    "product": {"axis": 1},
    "length": {"axis": 0},
    "cast": {"dtype": "float64"},
    "truncate": {"dtype": "int64"},
    "embed": {"key": ((1, 5, 2), (None, None, None)), "shape": (6, 3)},
    "sum": {"axis": (0,)},
    "mean": {"axis": 1, "keepdims": True},
    "max": {"axis": 0},
    "min": {"axis": (0, 1)},
}
DOMAINS = {
    "tan": (-1, 1), "arcsin": (-0.9, 0.9), "arccos": (-0.9, 0.9), "log": (0.1, 3),
    "log1p": (-0.8, 3),
    "sqrt": (0.1, 3), "power": (0.2, 2), "divide": (0.5, 2), "reciprocal": (0.5, 2),
}  # fmt: skip
INTEGERS = ("arange", "logical_not", "logical_and", "logical_or")
smooth = [name for name, op in OPS.items() if not op.severed]
every_op = pytest.mark.parametrize("name", list(OPS))
every_smooth_op = pytest.mark.parametrize("name", smooth)


def operands(name):
    """Values for an example of the operation, broadcasting against each other if there are two."""
    op = OPS[name]
    low, high = DOMAINS.get(name, (-2, 2))
    if name == "arange":
        return [np.int64(4)]
    if name == "squeeze":
        return [RNG.uniform(low, high, (3, 1, 2))]
    if name == "where":
        return [RNG.uniform(-1, 1, (3, 4)) > 0, RNG.uniform(-1, 1, (3, 4)), RNG.uniform(-1, 1, 4)]
    if name == "clip":
        return [RNG.uniform(-2, 2, (3, 4)), np.float64(-0.5), RNG.uniform(0.3, 0.6, (1, 4))]
    count = op.arity or 1
    shapes = SHAPES.get(name) or [(3, 4), (4,), (1, 4)][:count]
    return [RNG.uniform(low, high, shape) for shape in shapes]


def example(name, known=True):
    """Inputs, their values and the node."""
    values = operands(name)
    shapes = [
        np.shape(v) if known else tuple(None if n > 1 else 1 for n in np.shape(v)) for v in values
    ]
    inputs = [
        Input(f"x{k}", TensorType(np.asarray(v).dtype, s))
        for k, (v, s) in enumerate(zip(values, shapes))
    ]
    return inputs, values, build(name, inputs)


@every_op
@pytest.mark.parametrize("known", [True, False])
def test_inferred_type_is_that_of_the_value(name, known):
    inputs, values, node = example(name, known)
    value = ad.evaluate(node, dict(zip(inputs, values)))
    assert np.asarray(value).dtype == node.dtype
    assert node.type.fits(np.shape(value))
    if known and name != "arange":
        assert node.type.shape == np.shape(value)


@pytest.mark.parametrize("dtype", ["float32", "int64", "bool"])
@pytest.mark.parametrize(
    "name", [name for name in OPS if name not in ("cast", "truncate", "arange")]
)
def test_inferred_dtype_is_numpys(name, dtype):
    inputs, values, _ = example(name)
    values = [v if np.asarray(v).dtype == bool else (np.abs(v) + 1).astype(dtype) for v in values]
    inputs = [Input(f"x{k}", TensorType(v.dtype, v.shape)) for k, v in enumerate(values)]
    try:
        node = build(name, inputs)
    except TypeError:  # NumPy refuses too, as it does for booleans in subtract
        with pytest.raises(TypeError):
            OPS[name].body(*values, **STATIC.get(name, {}))
        return
    assert node.dtype == np.asarray(ad.evaluate(node, dict(zip(inputs, values)))).dtype


def build(name, inputs):
    if name == "index":
        return inputs[0][1:4:2, None]
    if name in ("reshape", "broadcast_to"):
        return getattr(ad, name)(inputs[0], STATIC[name]["shape"])
    return OPS[name](*inputs, **STATIC.get(name, {}))


def jacobian_times(node, inputs, values, tangents):
    """The directional derivative by central differences."""

    def along(t):
        at = {x: v + t * d if np.asarray(v).dtype != bool else v
              for x, v, d in zip(inputs, values, tangents)}  # fmt: skip
        return np.asarray(ad.evaluate(node, at))

    h = 1e-6
    return (along(h) - along(-h)) / (2 * h)


@every_smooth_op
@pytest.mark.parametrize("known", [True, False])
def test_forward_and_reverse_agree_with_finite_differences(name, known):
    inputs, values, node = example(name, known)
    floats = [x for x in inputs if x.type.is_float]
    tangents = [RNG.normal(size=np.shape(v)) for v in values]
    named = [constant(t) for x, t in zip(inputs, tangents) if x.type.is_float]
    at = dict(zip(inputs, values))
    if known:
        forward = ad.forward_mode(node, floats, named).output
        pushed = np.asarray(ad.evaluate(forward, at))
        numeric = jacobian_times(node, inputs, values, tangents)
        np.testing.assert_allclose(pushed, numeric, rtol=1e-6, atol=1e-7)
        assert forward.type is node.type
    u = RNG.normal(size=np.shape(ad.evaluate(node, at)))
    cost = ad.sum(node * constant(u)) if known else ad.sum(node * node)
    pulled = ad.reverse_mode(cost, floats)
    for x, g in zip(floats, pulled.outputs):
        v = np.asarray(at[x])
        slope = central_differences(lambda w, x=x: float(ad.evaluate(cost, {**at, x: w})), v, 1e-6)
        np.testing.assert_allclose(ad.evaluate(g, at), slope, rtol=2e-5, atol=1e-6)
        assert g.type is x.type or not known


@every_smooth_op
def test_symbolic_agrees_with_forward(name):
    inputs, values, node = example(name)
    at = dict(zip(inputs, values))
    for x in (x for x in inputs if x.type.is_float):
        stage = ad.symbolic_derivative(node, x)
        (d,) = [i for i in stage.graph.inputs if i.name == f"d{x.name}"] or [None]
        t = RNG.normal(size=x.shape)
        symbolic = ad.evaluate(stage.output, {**at, **({d: t} if d is not None else {})})
        scale = 1 if d is not None else float(np.ravel(t)[0])
        forward = ad.evaluate(ad.forward_mode(node, x, constant(t)).output, at)
        np.testing.assert_allclose(
            np.broadcast_to(symbolic * scale, np.shape(forward)), forward, rtol=1e-12, atol=1e-12
        )


@every_smooth_op
def test_second_derivatives_agree_with_finite_differences(name):
    inputs, values, node = example(name)
    x, v = next((x, np.asarray(v)) for x, v in zip(inputs, values) if x.type.is_float)
    at = dict(zip(inputs, values))
    cost = ad.sum(node * node)
    u = constant(RNG.normal(size=v.shape))
    slope = ad.sum(ad.grad(cost, x) * u)
    second = ad.grad(slope, x)
    numeric = central_differences(lambda w: float(ad.evaluate(slope, {**at, x: w})), v, 1e-5)
    np.testing.assert_allclose(ad.evaluate(second, at), numeric, rtol=1e-4, atol=1e-5)


@every_op
def test_generated_source_and_simplification_keep_the_value(name):
    inputs, values, node = example(name)
    at = dict(zip(inputs, values))
    expected = ad.evaluate(node, at)
    for mode in (None, "ieee", "safe", "real"):
        f = ad.function(inputs, node, simplify=mode)
        np.testing.assert_allclose(f(*values), expected, rtol=1e-12)


@every_op
def test_every_op_says_what_it_is(name):
    op = OPS[name]
    assert op.label and op.__doc__ and op.__doc__.endswith((".", "?"))
    assert bool(op.severed) != bool(op.differentiable(op.arity or 1))


def test_values_of_special_points_are_numpys():
    x = ad.vector("x", shape=6)
    special = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1e308])
    for name in smooth:
        if OPS[name].arity == 1 and OPS[name].elementwise:
            node = OPS[name](x)
            with np.errstate(all="ignore"):
                expected = OPS[name].perform(special)
            np.testing.assert_array_equal(evaluate_all([node], {x: special})[node], expected)


def test_empty_arrays_flow_through():
    x = ad.matrix("x", shape=(0, 3))
    f = ad.function(x, [ad.sum(ad.exp(x)), ad.grad(ad.sum(ad.exp(x)), x)])
    total, slope = f(np.zeros((0, 3)))
    assert total == 0 and slope.shape == (0, 3)
    assert Graph(ad.sum(x)).output.shape == ()
