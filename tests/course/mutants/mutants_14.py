"""Wrong solutions of lecture 14, by task: what students write before they understand."""

DISTANCES = """
def distances_pullback(g, x, w):
    d = cdist(x, w)
    c = {}
    by_x = c.sum(axis=1, keepdims=True) * x - c @ w
    by_w = c.sum(axis=0)[:, None] * w - c.T @ x
    return {}
"""
SAFE = "g * (d > 0) / np.where(d > 0, d, 1)"
distances = [
    DISTANCES.format("g / d", "by_x, by_w"),
    DISTANCES.format("g", "by_x, by_w"),
    DISTANCES.format("(d > 0) / np.where(d > 0, d, 1)", "by_x, by_w"),
    DISTANCES.format(SAFE, "by_x, -by_w"),
    DISTANCES.format(SAFE, "by_w, by_x"),
    DISTANCES.format(SAFE, "by_x"),
    DISTANCES.format(SAFE + " ** 2", "by_x, by_w"),
    DISTANCES.format("g / (d + 1e-3)", "by_x, by_w"),
    DISTANCES.format("np.zeros(d.shape) if d.min() == 0 else g / d", "by_x, by_w"),
]

SOFTMAX = """
def softmax_pullback(inputs, outputs, cotangents):
    (x,), (p,), (g,) = inputs, outputs, cotangents
    {}
"""
softmax = [
    SOFTMAX.format("return p * (g - ad.sum(p * g, axis=1, keepdims=True))"),
    SOFTMAX.format("return [p * (1 - p) * g]"),
    SOFTMAX.format("return [p * (g - ad.sum(p * g))]"),
    SOFTMAX.format("return [p * (g - ad.sum(p * g, axis=0, keepdims=True))]"),
    SOFTMAX.format("return [p * (1 - ad.sum(p, axis=1, keepdims=True))]"),
    SOFTMAX.format(
        "p = ad.softmax(x, axis=1); return [p * (g - ad.sum(p * g, axis=1, keepdims=True))]"
    ),
    SOFTMAX.format("return ad.pullback(ad.softmax(x, axis=1), [x], g)"),
    SOFTMAX.format("return [p * g - ad.sum(p, axis=1, keepdims=True) * ad.sum(p * g) * p]"),
    SOFTMAX.format("return [1.0]"),
]

CENTRED = """
def centred(cost):
    def rule(bindings, output, g):
        x, W = bindings["x"], bindings["W"]
        by_W = x.T @ g
        return {{"x": {x}, "W": {W}, "b": {b}}}

    x, W, b = ad.wild("x W b")
    return ad.override_gradient(cost, {pattern}, rule)
"""
RIGHT = {"x": "g @ W.T", "W": "by_W - ad.mean(by_W, axis=0)", "b": "ad.sum(g, axis=0)"}
RIGHT |= {"pattern": "x @ W + b"}
centred = [
    CENTRED.format(**RIGHT | {"W": "by_W"}),
    CENTRED.format(**RIGHT | {"W": "by_W - ad.mean(by_W)"}),
    CENTRED.format(**RIGHT | {"W": "by_W - ad.mean(by_W, axis=1, keepdims=True)"}),
    CENTRED.format(**RIGHT | {"W": "W - ad.mean(W, axis=0)"}),
    CENTRED.format(**RIGHT | {"x": "ad.zeros_like(x)"}),
    CENTRED.format(**RIGHT | {"x": "None"}),
    CENTRED.format(**RIGHT | {"b": "ad.zeros_like(bindings['b'])"}),
    CENTRED.format(**RIGHT | {"b": "g[0]"}),
    CENTRED.format(**RIGHT | {"pattern": "x @ W"}).replace('"b"', '"W"'),
    CENTRED.format(**RIGHT | {"pattern": "ad.tanh(x @ W + b)"}),
    "def centred(cost): return cost",
]

SCORES = """
def scores(y, mu, lam):
    s = np.exp(lam)
    z = (y - mu) / s
    return np.stack([{}, {}], axis={})
"""
score = [
    SCORES.format("z / s", "z**2 - 1", 0),
    SCORES.format("z", "z**2 - 1", 1),
    SCORES.format("z / s", "z**2", 1),
    SCORES.format("z / s", "(z**2 - 1) / s", 1),
    SCORES.format("-z / s", "1 - z**2", 1),
    SCORES.format("z / s", "z**2 / 2 - 1", 1),
]

NATURAL = "def natural_gradient(gradient, scores, weights): return {}"
FISHER = "(scores.T * weights) @ scores"
natural = [
    NATURAL.format("gradient"),
    NATURAL.format(f"{FISHER} @ gradient"),
    NATURAL.format("np.linalg.solve(scores.T @ scores, gradient)"),
    NATURAL.format(f"gradient / np.diag({FISHER})"),
    NATURAL.format("np.linalg.solve(np.cov(scores.T), gradient)"),
    NATURAL.format(f"np.linalg.solve({FISHER}, gradient) / len(weights)"),
    NATURAL.format("gradient / (weights @ scores**2)"),
]

UNNOTICED = "def unnoticed(): return {}, np.array({}), np.array({})"
PAIR, FAR = "[[0.0, 0.0]]", "[[3.0, 4.0], [4.0, -3.0]]"
unnoticed = [
    UNNOTICED.format("np.ones((1, 2))", PAIR, FAR),
    UNNOTICED.format("np.zeros((1, 2))", PAIR, FAR),
    UNNOTICED.format("np.array([[1.0, -2.0]])", PAIR, "[[3.0, 4.0], [30.0, 40.0]]"),
    UNNOTICED.format("np.array([[1.0, -2.0]])", PAIR, "[[0.0, 0.0], [3.0, 4.0]]"),
    UNNOTICED.format("np.array([[1.0, -2.0], [2.0, 0.5]])", FAR, "[[0.0, 1.0], [5.0, 1.0]]"),
    UNNOTICED.format("np.array([[1.0, -2.0, 3.0]])", PAIR, "[[3.0, 4.0], [4.0, -3.0], [1.0, 1.0]]"),
    UNNOTICED.format("np.array([[1.0], [-2.0]])", FAR, PAIR),
]

MUTANTS = {
    "distances": distances,
    "softmax": softmax,
    "centred": centred,
    "scores": score,
    "natural": natural,
    "unnoticed": unnoticed,
}
