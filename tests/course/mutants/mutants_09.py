"""Wrong solutions of lecture 9's exercises, by task: what students write before they understand."""

UNBROADCAST = """
def unbroadcast(cotangent, shape):
    missing = cotangent.ndim - len(shape)
    {}
    stretched = tuple(axis for axis, length in enumerate(shape) if length == 1)
    return {}
"""
SUMMED = "summed = cotangent.sum(axis=tuple(range(missing)))"
LAST = "summed = cotangent.sum(axis=tuple(range(len(shape), cotangent.ndim)))"
ENGINE = "def unbroadcast(cotangent, shape): return by_the_engine(cotangent, shape)"
unbroadcast = [
    UNBROADCAST.format(SUMMED, "summed"),
    UNBROADCAST.format(SUMMED, "summed.sum(axis=stretched)"),
    UNBROADCAST.format(LAST, "summed.sum(axis=stretched, keepdims=True)"),
    UNBROADCAST.format(SUMMED, "summed.mean(axis=stretched, keepdims=True)"),
    UNBROADCAST.format(
        "summed = cotangent[(0,) * missing]", "summed.sum(axis=stretched, keepdims=True)"
    ),
    "def unbroadcast(cotangent, shape): return cotangent",
    "def unbroadcast(cotangent, shape): return np.broadcast_to(cotangent.sum(), shape)",
    "def unbroadcast(cotangent, shape): return np.resize(cotangent, shape)",
    ENGINE,
]

MATMUL = """
def matmul_pullback(C, A, B):
    left = A.reshape({}) if A.ndim == 1 else A
    right = B.reshape(-1, 1) if B.ndim == 1 else B
    middle = np.reshape(C, (left.shape[0], right.shape[1]))
    return {}.reshape(A.shape), {}.reshape(B.shape)
"""
BY_A, BY_B = "(middle @ right.T)", "(left.T @ middle)"
matmul = [
    "def matmul_pullback(C, A, B): return C @ B.T, A.T @ C",
    "def matmul_pullback(C, A, B): return np.ones_like(C) @ B.T, A.T @ np.ones_like(C)",
    "def matmul_pullback(C, A, B): return np.outer(C, B), np.outer(A, C)",
    MATMUL.format("1, -1", BY_A, "(middle.T @ left).T[::-1]"),
    MATMUL.format("1, -1", "(right @ middle.T)", BY_B),
    MATMUL.format("1, -1", "(-middle @ right.T)", BY_B),
    MATMUL.format("1, -1", "(np.sign(middle) @ right.T)", BY_B),
    MATMUL.format("-1, 1", BY_A, BY_B),
]

LINEAR = """
def sum_pullback(u, shape, axis):
    {sum}


def mean_pullback(u, shape, axis):
    count = {count}
    return sum_pullback(u, shape, axis) / count


def transpose_pullback(u, axes):
    return np.transpose(u, {axes})
"""
RIGHT = {
    "sum": "kept = np.sum(np.ones(shape), axis, keepdims=True).shape\n"
    "    return np.broadcast_to(np.reshape(u, kept), shape)",
    "count": "np.ones(shape).size / np.sum(np.ones(shape), axis).size",
    "axes": "np.argsort(axes)",
}
linear = [
    LINEAR.format(**RIGHT | {"sum": "return np.broadcast_to(u, shape)"}),
    LINEAR.format(**RIGHT | {"sum": "return np.full(shape, np.sum(u))"}),
    LINEAR.format(**RIGHT | {"sum": "return np.ones(shape)"}),
    LINEAR.format(**RIGHT | {"sum": "return np.resize(u, shape)"}),
    LINEAR.format(**RIGHT | {"sum": "return u"}),
    LINEAR.format(**RIGHT | {"count": "1"}),
    LINEAR.format(**RIGHT | {"count": "np.prod(shape)"}),
    LINEAR.format(**RIGHT | {"count": "shape[0]"}),
    LINEAR.format(**RIGHT | {"axes": "axes"}),
    LINEAR.format(**RIGHT | {"axes": "None"}),
]

GRADIENT = """
def gradient(w, b, X, y):
    z = X @ w + b
    by_z = {}
    return {}
"""
SIGMOID = "(1 / (1 + np.exp(-z)) - y) / len(y)"
QUOTIENT = "(np.exp(z) / (1 + np.exp(z)) - y) / len(y)"
gradient = [
    GRADIENT.format(SIGMOID, "X.T @ by_z, by_z"),
    GRADIENT.format(SIGMOID, "X.T @ by_z, by_z.mean()"),
    GRADIENT.format(SIGMOID, "-X.T @ by_z, -by_z.sum()"),
    GRADIENT.format(SIGMOID, "X * by_z[:, None], by_z.sum()"),
    GRADIENT.format("1 / (1 + np.exp(-z)) - y", "X.T @ by_z, by_z.sum()"),
    GRADIENT.format("(1 / (1 + np.exp(-z)) - y.mean()) / len(y)", "X.T @ by_z, by_z.sum()"),
    GRADIENT.format(QUOTIENT, "X.T @ by_z, by_z.sum()"),
    "engine = ad.grad(loss, argnums=(0, 1))\ndef gradient(w, b, X, y): return engine(w, b, X, y)",
]

MATRIX = "def wrong_pullback(): return {}"
wrong_pullback = [
    MATRIX.format("running.T"),
    MATRIX.format("running"),
    MATRIX.format("running.T + np.outer(np.ones(5), [1, -1, 0, 0, 0])"),
    MATRIX.format("running.T + np.outer([1, 0, 0, 0, 0], [1, -2, 1, 0, 0])"),
    MATRIX.format("running.T + np.nan"),
    MATRIX.format("[5, 4, 3, 2, 1]"),
]

MUTANTS = {
    "unbroadcast": unbroadcast,
    "matmul": matmul,
    "linear": linear,
    "gradient": gradient,
    "break": wrong_pullback,
}
