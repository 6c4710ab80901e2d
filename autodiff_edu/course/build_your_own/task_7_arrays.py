"""Task 7: the same engine for arrays, of random shapes, with random cotangents."""

from collections.abc import Callable
from typing import Any

import numpy as np

from ..harness.feedback import complain, expect, spell
from .doing import doing
from .formulas import Formula, build, gradient_of, point, value_of
from .task_4_reverse import adjoints, numbers_of

Shape = tuple[int, ...]
Shapes = tuple[Shape, ...]
SUMS: tuple[tuple[Shape, Shape], ...] = (
    ((2, 3), (2, 3)),
    ((2, 3), (3,)),
    ((2, 3), (2, 1)),
    ((2, 3), ()),
    ((2, 3), (1,)),
)


def check(engine: Any, rng: np.random.Generator) -> None:
    """Sums to a shape, values, each rule, rules that meet, and a second derivative."""
    for shape, small in SUMS:
        check_summed(engine, shape, small, rng)
    for _ in range(40):
        check_summed(engine, *random_shapes(rng), rng)
    for what, made, shapes in cases(engine, rng):
        f = build(engine, what, made, *"abc"[: len(shapes)])
        at = {x: rng.uniform(0.5, 2.0, s).round(1) for x, s in zip(f.inputs, shapes, strict=True)}
        check_arrays(engine, f, at, rng)
    check_second(engine, rng)


def random_shapes(rng: np.random.Generator) -> tuple[Shape, Shape]:
    """A shape, and one that broadcasts to it."""
    shape = tuple(int(n) for n in rng.integers(1, 4, rng.integers(0, 4)))
    small = tuple(1 if rng.uniform() < 0.4 else n for n in shape)
    return shape, small[rng.integers(0, len(shape) + 1) :]


def check_summed(engine: Any, shape: Shape, small: Shape, rng: np.random.Generator) -> None:
    """summed(x, like) for a random x."""
    x, like = rng.integers(-9, 10, shape).astype(float), np.zeros(small)
    what = f"summed(x, like) for x = {spell(x)} of shape {shape}, and like of shape {small}"
    with doing(what):
        found = engine.arrays.summed(x.copy(), like.copy())
    places = np.broadcast_to(np.arange(like.size).reshape(small), shape)
    sums = np.bincount(places.ravel(), x.ravel(), like.size)
    expect(sums.reshape(small), found, what)


def cases(engine: Any, rng: np.random.Generator) -> list[tuple[str, Callable[..., Any], Shapes]]:
    """Formulas of arrays, and shapes for their inputs."""
    e, (n, m, k) = engine.arrays, (int(v) for v in rng.permutation([2, 3, 4]))
    found: list[tuple[str, Callable[..., Any], Shapes]] = [
        ("total(a)", lambda a: e.total(a), ((n, m),)),
        ("transpose(a)", lambda a: e.transpose(a), ((n, m),)),
        ("matmul(a, b)", lambda a, b: e.matmul(a, b), ((n, m), (m, k))),
        ("total(matmul(a, b))", lambda a, b: e.total(e.matmul(a, b)), ((n, m), (m, 1))),
        ("total(a) * b", lambda a, b: e.total(a) * b, ((n,), (m,))),
        ("a * a", lambda a: a * a, ((n, 1),)),
        ("transpose(a) * a", lambda a: e.transpose(a) * a, ((n, 1),)),
        ("matmul(a, b) + c", lambda a, b, c: e.matmul(a, b) + c, ((n, m), (m, k), (1, k))),
        ("exp(a) / total(exp(a))", lambda a: softmax(engine, a), ((n, 1),)),
    ]
    signs: dict[str, Callable[..., Any]] = {
        "a + b": lambda a, b: a + b,
        "a - b": lambda a, b: a - b,
        "a * b": lambda a, b: a * b,
        "a / b": lambda a, b: a / b,
    }
    pairs: list[Shapes] = [((n, m), (m,)), ((n, 1), (1, m)), ((), (n, m)), ((1,), (n,)), ((n,), ())]
    return [(what, made, shapes) for what, made in signs.items() for shapes in pairs] + found


def softmax(engine: Any, a: Any) -> Any:
    e = engine.node.exp(a)
    return e / engine.arrays.total(e)


def check_arrays(engine: Any, f: Formula, at: dict, rng: np.random.Generator) -> None:
    """The value, then every adjoint for a random cotangent: its shape, and its entries."""
    what = f"{f.text} at {point(at)}"
    with doing(f"evaluate: {what}"):
        found = engine.graph.evaluate(f.y, dict(at))
    wanted = value_of(f.y, at, what)
    expect({"value": wanted}, {"value": found}, f"evaluate: {what}")
    ct = rng.integers(-9, 10, np.shape(wanted)).astype(float)
    what = f"reverse: {what}, seed {spell(ct)}"
    with doing(what):
        seed = engine.node.constant(ct)
    back = numbers_of(engine, adjoints(engine, f, what, seed), at, what)
    for x, want, got in zip(f.inputs, gradient_of(f, at, ct), back, strict=True):
        expect({x.value: want}, {x.value: got}, what)


def check_second(engine: Any, rng: np.random.Generator) -> None:
    """total(a * a * a) has the gradient 3a², and a * ā summed has another gradient: 9a²."""
    total = engine.arrays.total
    f = build(engine, "total(a * a * a)", lambda a: total(a * a * a), "a")
    what = "(ā,) = reverse(total(a * a * a)), then reverse(total(a * ā))"
    (first,) = adjoints(engine, f, what)
    with doing(what):
        again = Formula(total(f.inputs[0] * first), f.inputs)
    at = {f.inputs[0]: rng.normal(size=(2, 3)).round(2)}
    (found,) = numbers_of(engine, adjoints(engine, again, what), at, what)
    if np.shape(found) != (2, 3):
        complain("the shape of a second derivative is wrong", (2, 3), np.shape(found), what)
    expect(9 * at[f.inputs[0]] ** 2, found, f"{what}, at {point(at)}", tell=False)
