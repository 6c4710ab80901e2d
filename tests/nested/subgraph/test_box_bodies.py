"""What a box may hold: boxes, inputs, constants, nothing of use; operands of every kind."""

import numpy as np
import pytest

import autodiff_edu as ad
from tests.helpers.boxes import box, inlined, run
from tests.helpers.depth import is_short

# ---- strange bodies


@inlined
def test_boxes_in_boxes(inline):
    x, y = ad.scalar("x"), ad.scalar("y")
    f = box(x * y, x, y, inline=inline)
    levels = 3 if is_short() else 5
    for _ in range(levels):
        f = box(f(f(x, y), y) + x, x, y, inline=inline)
    flat = x
    g = lambda x, y: x * y
    for _ in range(levels):
        g = lambda x, y, g=g: g(g(x, y), y) + x
    flat = g(x, y)
    at = {"x": 0.4, "y": 0.9}
    for wrap in (lambda e: e, lambda e: ad.grad(e, y), lambda e: ad.grad(ad.grad(e, x), y)):
        assert run(wrap(f(x, y)), **at) == pytest.approx(run(wrap(flat), **at), rel=1e-12)


@inlined
@pytest.mark.each("override", [None, lambda i, o, ct: [ct[0] * 2, ct[1] * 3]])
def test_inputs_returned_as_outputs(inline, override):
    x, y = ad.vector("x"), ad.vector("y")
    a, b = box([y, x], x, y, inline=inline, pullback=override)(x, y)
    at = {"x": np.array([1.0, 2.0]), "y": np.array([3.0, 5.0])}
    for found, wanted in zip(run([a, b], **at), (at["y"], at["x"])):
        np.testing.assert_array_equal(found, wanted)
    gx, gy = run(ad.grad((a * a * b).sum(), [x, y]), **at)
    if override is None:
        np.testing.assert_array_equal([gx, gy], [at["y"] ** 2, 2 * at["x"] * at["y"]])
    else:
        np.testing.assert_array_equal([gx, gy], [4 * at["x"] * at["y"], 3 * at["y"] ** 2])


@inlined
def test_what_is_returned_belongs_to_the_caller(inline):
    x = ad.vector("x")
    same, again = box([x, x], x, inline=inline)(x)
    fn = ad.function(x, [same, again, x])
    at = np.ones(3)
    found = fn(at)
    assert not any(np.shares_memory(a, b) for a in [*found, at] for b in found if a is not b)


@inlined
def test_the_same_operand_twice(inline):
    x, y = ad.scalar("x"), ad.scalar("y")
    f = box(x * ad.sin(y), x, y, inline=inline)
    found = run(ad.grad(f(x, x), x), x=0.7)
    assert found == pytest.approx(np.sin(0.7) + 0.7 * np.cos(0.7), rel=1e-15)


@inlined
def test_a_constant_body_and_unused_inputs(inline):
    x, y = ad.scalar("x"), ad.scalar("y")
    f = box([ad.constant(3.0), y * 2], x, y, inline=inline)
    three, double = f(x, y)
    assert run(three * x + double, x=2.0, y=5.0) == 16.0
    assert run(ad.grad(three * x + double, [x, y]), x=2.0, y=5.0) == [3.0, 2.0]
    assert ad.evaluate(box(ad.constant(3.0), inline=inline)()) == 3.0


@inlined
def test_the_same_output_twice(inline):
    x = ad.scalar("x")
    y = ad.sin(x)
    a, b = box([y, y], x, inline=inline)(x)
    assert run(ad.grad(2 * a + 3 * b, x), x=0.0) == 5.0


@inlined
def test_constants_as_operands(inline):
    x, y = ad.scalar("x"), ad.scalar("y")
    f = box(x**2 * y, x, y, inline=inline)
    assert run(ad.grad(f(x, 3), x), x=2.0) == 12.0
    assert run(ad.grad(f(2.0, y), y), y=3.0) == 4.0
    assert run(f(np.float64(2.0), np.array(3.0))) == 12.0


# ---- dtypes and lengths


@inlined
def test_whole_numbers_and_mixed_dtypes(inline):
    k, x = ad.vector("k", dtype="int64"), ad.vector("x", dtype="float32")
    f = box([k * 2, x * ad.astype(k, "float32"), k > 1], k, x, inline=inline)
    doubled, product, large = f(k, x)
    assert (doubled.dtype, product.dtype, large.dtype) == ("int64", "float32", "bool")
    at = {"k": np.array([1, 2, 3]), "x": np.array([0.5, 1.5, 2.5], "float32")}
    np.testing.assert_array_equal(run(product, **at), at["k"] * at["x"])
    slope = ad.grad(product.sum(), x)
    assert slope.dtype == "float32"
    np.testing.assert_array_equal(run(slope, **at), [1, 2, 3])
    np.testing.assert_array_equal(run(ad.grad(product.sum(), k), **at), at["x"])
    with pytest.raises(ad.DisconnectedInputError):
        ad.grad(ad.where(large, 1.0, 0.0).sum(), [k])


@inlined
def test_an_override_keeps_the_dtype(inline):
    """A cotangent of double precision for single precision is rounded."""
    x = ad.vector("x", dtype="float32")
    f = box(x * 2, x, inline=inline, pullback=lambda i, o, ct: [ct[0] * np.ones(3)])
    slope = ad.grad((f(x) * 3).sum(), x)
    assert slope.dtype == "float32"
    np.testing.assert_array_equal(run(slope, x=np.ones(3, "float32")), [3, 3, 3])


@inlined
def test_operands_of_a_smaller_dtype(inline):
    x, single = ad.vector("x"), ad.vector("s", dtype="float32")
    f = box(x**2, x, inline=inline)
    slope = ad.grad(f(single).sum(), single)
    assert slope.dtype == "float32"
    np.testing.assert_array_equal(run(slope, s=np.ones(2, "float32")), [2, 2])
    k = ad.vector("k", dtype="int64")
    np.testing.assert_array_equal(run(ad.grad(f(k).sum(), k), k=np.array([1, 2])), [2.0, 4.0])


@inlined
def test_lengths_unknown_inside_and_known_outside(inline):
    x, A = ad.vector("x"), ad.matrix("A")
    f = box([A @ x, ad.ones(x.shape).sum()], A, x, inline=inline)
    B, z = ad.matrix("B", shape=(2, 3)), ad.vector("z", shape=3)
    product, count = f(B, z)
    assert product.type.shape == (2,)
    slope = ad.grad((product**2).sum() * count, B)
    assert slope.type.shape == (2, 3)
    at = {"B": np.arange(6.0).reshape(2, 3), "z": np.array([1.0, 2.0, 3.0])}
    np.testing.assert_allclose(run(slope, **at), 6 * np.outer(at["B"] @ at["z"], at["z"]))
    with pytest.raises(ad.ShapeError):
        f(B, ad.vector("w", shape=4))


@pytest.mark.each("of", [
    lambda x, y: ad.concatenate([ad.outer(x, y), ad.outer(x, x)[:, :2]], axis=None),
    lambda x, y: ad.outer(x, y).ravel(),
    lambda x, y: np.tile(ad.outer(x, y), 2).reshape(-1)[1:],
    lambda x, y: ad.append(np.meshgrid(x, y)[0], x),
])  # fmt: skip
def test_no_memory_is_needed_to_tell_lengths(of):
    """A rule asks which length of the inputs turns up, with a million in the place of each."""
    x, y = ad.vector("x"), ad.vector("y")
    z = box(of(x, y), x, y)(x, y)
    f = ad.function([x, y], [z, ad.size(z)])
    found, wanted = f([1.0, 2.0], [3.0, 4.0, 5.0]), of(np.array([1.0, 2.0]), [3.0, 4.0, 5.0])
    np.testing.assert_array_equal(found[0], ad.evaluate(wanted))
    assert found[1] == found[0].size
    assert ad.matrix("A", shape=(10**6, 10**6)).reshape(-1).type.shape == (10**12,)


@inlined
def test_a_length_that_turns_out_to_be_one_is_refused(inline):
    """The derivative was built on the promise that unknown lengths that meet are equal."""
    x, y = ad.vector("x"), ad.vector("y")
    f = box(x + y, x, y, inline=inline)
    with pytest.raises(ad.ShapeError, match="declare that length as 1"):
        f(ad.vector("a", shape=1), ad.vector("b", shape=3))
    fn = ad.function([x, y], f(x, y))
    with pytest.raises(ad.ShapeError):
        fn(np.ones(1), np.ones(3))
