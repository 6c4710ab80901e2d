"""Wrong solutions of exercise 11, by task: what students write before they understand."""

FUSED = """
def fused(Z, labels):
    rows = np.arange(len(labels))
    top = {top}
    e = np.exp(Z - top)
    q = e / e.sum(axis=1, keepdims=True)
    by_Z = q.copy()
    by_Z[rows, labels] -= {one}
    {loss}
    return {result}
"""
RIGHT = {
    "top": "Z.max(axis=1, keepdims=True)",
    "one": "1",
    "loss": "loss = np.mean(np.log(e.sum(axis=1)) + top[:, 0] - Z[rows, labels])",
    "result": "loss, by_Z / len(labels)",
}
fused = [
    FUSED.format(**RIGHT | {"top": "np.zeros((len(Z), 1))"}),
    FUSED.format(**RIGHT | {"loss": "loss = -np.mean(np.log(q[rows, labels]))"}),
    FUSED.format(**RIGHT | {"loss": "loss = -np.sum(np.log(q[rows, labels]))"}),
    FUSED.format(**RIGHT | {"one": "0"}),
    FUSED.format(**RIGHT | {"result": "loss, by_Z"}),
    FUSED.format(**RIGHT | {"result": "loss, -by_Z / len(labels)"}),
    FUSED.format(**RIGHT | {"result": "by_Z / len(labels)"}),
    "def fused(Z, labels): return ad.value_and_grad(composed)(Z, labels)",
]

GRADIENT = """
def gradient(W, b, X, labels):
    z = X @ W + b
    e = np.exp(z - z.max(axis=1, keepdims=True))
    q = e / e.sum(axis=1, keepdims=True)
    by_z = (q - np.eye(z.shape[1])[labels]) / {count}
    return {result}
"""
gradient = [
    GRADIENT.format(count="1", result="X.T @ by_z, by_z.sum(axis=0)"),
    GRADIENT.format(count="z.size", result="X.T @ by_z, by_z.sum(axis=0)"),
    GRADIENT.format(count="len(z)", result="X.T @ by_z, by_z.sum()"),
    GRADIENT.format(count="len(z)", result="X.T @ by_z, by_z.mean(axis=0)"),
    GRADIENT.format(count="len(z)", result="X.T @ by_z, by_z.sum(axis=1)"),
    GRADIENT.format(count="len(z)", result="X.T @ by_z"),
    GRADIENT.format(count="len(z)", result="-X.T @ by_z, -by_z.sum(axis=0)"),
    "def gradient(W, b, X, labels): return ad.grad(loss, argnums=(0, 1))(W, b, X, labels)",
]

RULES = """
def momentum(w, g, t, v):
    v = {v}
    return w + v, v


def adam(w, g, t, m, s):
    m = 0.9 * m + 0.1 * g
    s = 0.999 * s + 0.001 * {square}
    return w - 0.001 * {m} / (np.sqrt({s}) + 1e-8), {kept}
"""
GOOD = {
    "v": "0.9 * v - 0.01 * g",
    "square": "g**2",
    "m": "(m / (1 - 0.9**t))",
    "s": "s / (1 - 0.999**t)",
    "kept": "m, s",
}
rules = [
    RULES.format(**GOOD | {"v": "-0.01 * g"}),
    RULES.format(**GOOD | {"v": "0.9 * v + 0.01 * g"}),
    RULES.format(**GOOD | {"v": "0.9 * v - 0.1 * g"}),
    RULES.format(**GOOD | {"m": "m", "s": "s"}),
    RULES.format(**GOOD | {"square": "g"}),
    RULES.format(**GOOD | {"kept": "g, s"}),
    RULES.format(**GOOD | {"kept": "m"}),
    RULES.format(**GOOD | {"m": "(m / (1 - 0.9**t))", "s": "s"}),
    RULES.format(**GOOD).replace("(np.sqrt({s}) + 1e-8)".format(**GOOD),
                                 "np.sqrt({s} + 1e-8)".format(**GOOD)),
    RULES.format(**GOOD).replace("1e-8", "1e-7"),
]  # fmt: skip

OVERFIT = """
def overfit(slopes, W):
    for _ in range({steps}):
        W = W {step} * slopes(W)
    return {result}
"""
overfit = [
    OVERFIT.format(steps="3", step="- 0.001", result="W"),
    OVERFIT.format(steps="50", step="+ 1.0", result="W"),
    OVERFIT.format(steps="2000", step="- 1.0", result="W"),
    OVERFIT.format(steps="100", step="- 1.0", result="slopes(W)"),
    OVERFIT.format(steps="100", step="- 1.0", result="W.T"),
    OVERFIT.format(steps="100", step="- 1.0", result="W * np.nan"),
    "def overfit(slopes, W): return W",
    "def overfit(slopes, W):\n    W -= slopes(W)\n    return W",
    "def overfit(slopes, W): return W - slopes(W[0])",
]

DEAD = "def dead(): return {}"
dead = [
    DEAD.format("np.zeros((64, 16)), np.zeros(16)"),
    DEAD.format("np.ones((64, 16)), -np.ones(16)"),
    DEAD.format("-np.ones((64, 16)), np.ones(16)"),
    DEAD.format("np.linspace(-1, 1.3, 64 * 16).reshape(64, 16), np.zeros(16)"),
    DEAD.format("-np.ones((16, 64)), -np.ones(64)"),
    DEAD.format("np.full((64, 16), np.nan), np.zeros(16)"),
]

MUTANTS = {
    "fused": fused,
    "gradient": gradient,
    "rules": rules,
    "overfit": overfit,
    "dead": dead,
}
