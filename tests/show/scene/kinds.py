"""Random formulas of each kind that an explorer may meet, with a point and their derivative."""

import numpy as np

import autodiff_edu as ad
from autodiff_edu.expr import Graph
from autodiff_edu.show.scene.document import Document
from autodiff_edu.show.scene.explorer import stages

from ...helpers.programs import random_numbers, random_program


def numbers(seed):
    inputs, values, y = random_numbers(seed, 8)
    return y, dict(zip(inputs, values, strict=True))


def arrays(seed):
    """With broadcasting, reductions, choices and slices."""
    inputs, values, y = random_program(seed, 8)
    return ad.sum(y), dict(zip(inputs, values, strict=True))


def dtypes(seed):
    draw = np.random.default_rng(seed)
    x = ad.vector("x", shape=3, dtype=["float32", "float64"][seed % 2])
    k = ad.vector("k", shape=3, dtype=["int64", "int32", "uint8"][seed % 3])
    m, s = ad.vector("m", shape=3, dtype="bool"), ad.scalar("s")
    nodes = [x * k, ad.where(m, x, k), ad.astype(k, "float32") / 2, x * (k > 1), ad.exp(-x) + m]
    y = sum(nodes[i] for i in draw.integers(len(nodes), size=3)) * s
    at = {x: draw.uniform(0.5, 1, 3).astype(x.type.dtype), s: draw.uniform(1, 2)}
    at |= {k: draw.integers(0, 4, 3).astype(k.type.dtype), m: draw.integers(0, 2, 3) > 0}
    return ad.sum(y * y), at


def products(seed):
    draw = np.random.default_rng(seed)
    A, B, v = ad.matrix("A", shape=(2, 3)), ad.matrix("B", shape=(3, 2)), ad.vector("v", shape=2)
    nodes = [A @ B, (A.T @ v)[:2] * v, ad.softmax(A @ B, axis=1), ad.einsum("ij,jk->ik", A, B),
             ad.max(A, axis=1), ad.cumsum(v) + v[::-1], ad.outer(v, v), ad.mean(B, axis=0),
             ad.solve(A @ A.T + np.eye(2), v), ad.concatenate([v[1:], v[:1]])]  # fmt: skip
    y = sum(ad.sum(nodes[i] ** 2) for i in draw.choice(len(nodes), 3, replace=False))
    return y, {x: draw.uniform(-1, 1, x.type.shape) for x in (A, B, v)}


def loops(seed):
    """A loop, a branch, and a loop that was written out."""
    draw = np.random.default_rng(seed)
    w, h = ad.scalar("w"), ad.scalar("h")
    if seed % 3 == 0:
        y = ad.scan(lambda h: ad.tanh(w * h + 0.3), n_steps=3, outputs_info=[h])[-1] * w
    elif seed % 3 == 1:
        y = ad.cond(w > h, lambda: w * h, lambda: -h) + w
    else:
        y = h
        for _ in range(3):
            y = ad.tanh(w * y + 0.3)
    return y, {w: draw.uniform(0, 1), h: draw.uniform(0, 1)}


KINDS = [numbers, arrays, dtypes, products, loops]


def explored(kind, seed, way="reverse"):
    """A document with its stages, and the point."""
    y, at = kind(seed)
    graph = Graph([y])
    inside = set(graph.inputs)
    at = {x: v for x, v in at.items() if x in inside}
    wrt = [x for x in at if x.type.is_float and (way == "reverse" or not x.ndim)]
    stage, short = stages(graph, wrt if way == "reverse" else wrt[:1], way, "safe")
    return Document(stage, short, dict(at)), at
