"""What the tests of the explorer explore, on one page of Chromium with the network off."""

import json
import math
from functools import cache

import numpy as np

import autodiff_edu as ad

PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Explorers</title></head>
<body style="margin:0"><main><h1 hidden>Explorers</h1></main><script type="module">
%s
globalThis.mount = mount;
globalThis.show = (documents) => {
  const hosts = documents.map((data) => {
    const host = document.createElement("div");
    Object.assign(host.style, { height: "720px", width: "1280px" });
    return host;
  });
  document.querySelector("main").replaceChildren(...hosts);
  globalThis.all = hosts.map((host, n) => mount(host, documents[n]));
  globalThis.e = all[0];
};
</script></body></html>"""
x, u, z, x1, x2 = map(ad.scalar, ("x", "u", "z", "x1", "x2"))
HOSTILE = ['<script>alert("1")</script>', "a\u2028b\u202ec", "</script><img src=x onerror=e()>"]


def recurrent(steps):
    w, h = ad.scalar("w"), ad.scalar("h0")
    inputs = [ad.scalar(f"x{t}") for t in range(1, steps + 1)]
    at = dict(zip([w, h, *inputs], np.linspace(0.3, 0.9, steps + 2).tolist(), strict=True))
    for value in inputs:
        h = ad.tanh(w * h + u * value)
    return (h - 1) ** 2, at | {u: 0.5}, [w, u]


@cache
def documents():
    """By name: the README's formula, lecture 05 in three ways, a net, arrays, three that change."""
    five, point = ad.log(x1) + x1 * x2 - ad.sin(x2), {x1: 2.0, x2: 5.0}
    net, at, wrt = recurrent(4)
    W, b = ad.matrix("W", shape=(2, 2)), ad.vector("b", shape=2)
    layer = ad.sum(ad.tanh(W @ b + b) ** 2)
    numbers = {W: np.array([[0.5, -0.2], [0.3, 0.8]]), b: np.array([0.1, -0.1])}
    first, second, third = map(ad.scalar, HOSTILE)
    explored = {
        "seven": ad.explore(x * x + (x - 2), at={x: 3.0}),
        "five": ad.explore(five, at=point),
        "symbolic": ad.explore(five, at=point, wrt=x2, derivative="symbolic"),
        "forward": ad.explore(five, at=point, wrt=x2, derivative="forward"),
        "net": ad.explore(net, at=at, wrt=wrt),
        "arrays": ad.explore(layer, at=numbers, wrt=[W, b]),
        "softplus": ad.explore(ad.log(1 + ad.exp(z)), at={z: 1000.0}),
        "quotient": ad.explore(x / x, at={x: 0.0}, derivative=None, simplified="real"),
        "erf": ad.explore(ad.erf(x) * x, at={x: 0.5}),
        "blank": ad.explore(five),
        "names": ad.explore(first * second + ad.exp(third * ad.scalar("n" * 10_000)),
                            at={first: 1.0, second: 2.0, third: 0.5}),
    }  # fmt: skip
    return {name: explorer.document for name, explorer in explored.items()}


def show(page, *names):
    shown = [documents()[name] for name in names]
    page.run(f"show({json.dumps(shown)})")


def plain(value):
    """A value of JavaScript as Python has it."""
    special = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}
    if isinstance(value, dict):
        return plain(value["data"])
    return [plain(v) for v in value] if isinstance(value, list) else special.get(value, value)


SEND = """
const send = (v) => v === undefined ? null : v.needs ? "needs" : v.shape ? [...v.data].map(send)
  : Number.isFinite(v) ? v : Number.isNaN(v) ? "nan" : v > 0 ? "inf" : "-inf";
"""


def values(page, frame="e.model.last", at="e.at"):
    script = f"const v = e.model.values({frame}, {at}, e.cut); const out = {{}};"
    script += "for (const p of Object.keys(v)) out[p] = send(v[p]); return out;"
    return {p: plain(v) for p, v in page.run(SEND + script).items()}


def flat(value):
    return [v for part in value for v in flat(part)] if isinstance(value, list) else [value]
