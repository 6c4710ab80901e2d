"""Right answers in another form than ours, by exercise and task: each must get all its points.

Another order of a dict, a list for a set, a tuple for a list, another formula, another algorithm.
"""

SENTENCES = """
def from_words(a, b, c):
    total = {add}(a, b)
    return {{
        "deep": {multiply}({subtract}({divide}(a, b), c), total),
        "nested": {subtract}(a, {subtract}(b, c)),
        "ratio": {divide}(total, {multiply}(c, total)),
        "apart": {multiply}({subtract}(b, c), a),
    }}
"""
FOUR = ("add", "subtract", "multiply", "divide")
READING = {
    "count": [
        "def node_counts(): return dict(tower=[5, 23], halves=[6, 7], twice=(7, 9), once=(6, 9))"
    ],
    "order": ["def one_order(): return tuple('vtuspr') + ('q',)"],
    "words": [SENTENCES.format(**{n: f"{where}.{n}" for n in FOUR}) for where in ("ad", "np")],
    "share": ["def shared(x, y): r = (x * y + 1) ** 2 + (y - x) ** 2; return r**0.5 / (1 + r)"],
}

THREE_WAYS = {
    "quotients": [
        """
def forward(f, x, h): return f(x + h) / h - f(x) / h
def central(f, x, h): return (f(x + h / 2) - f(x - h / 2)) / h
"""
    ],
    "fourth": [
        """
def fourth(f, x, h):
    return (8 * (f(x + h) - f(x - h)) - (f(x + 2 * h) - f(x - 2 * h))) / (12 * h)
"""
    ],
    "kink": [
        "def kink(): return [lambda t: max(2 * t, 0), 0]",
        "def kink(): return lambda t: t + np.sqrt(abs(t)), 0.0",
        "def kink(): return lambda t: np.where(t > 3, 1.5 * t - 3, 0.5 * t), 3",
    ],
    "fooled": [
        "def fooled(): return lambda t: abs(t) ** 2, 1.0",
        "def fooled(): return lambda t: t.real, 2.0",
        "def fooled(): return lambda t: t * np.conj(t), 1",
        "def fooled(): return lambda t: t if np.isreal(t) else 5 * t, 1.0",
    ],
}

REVERSE = {
    "backward": [
        """
from collections import defaultdict

def backward(tape, values):
    adjoint = defaultdict(float, {tape[-1][0]: 1})
    for name, op, operands in tape[::-1]:
        passed = adjoint[name]
        if op != "input":
            for o, factor in zip(operands, course.FACTORS[op](*(values[n] for n in operands))):
                adjoint[o] = adjoint[o] + factor * passed
    return adjoint
"""
    ],
    "order": [
        """
from graphlib import TopologicalSorter

def order(graph): return list(TopologicalSorter(graph).static_order())
"""
    ],
    "product-gradient": [
        "def product_gradient(x): return [np.prod(np.delete(x, k)) for k in range(len(x))]"
    ],
    "break": [
        "def counterexample(): return np.array([1e-200, 1e-200, 1e200])",
        "def counterexample(): return [10**200, 1e200, 1e-200]",
    ],
}

TERMS = """
def terms(tree):
    def pieces(part):
        if not isinstance(part, tuple):
            return {{0: [], 1: [()]}}.get(part, [(part,)])
        left, right = pieces(part[1]), pieces(part[2])
        return left + right if part[0] == "add" else [a + b for a in left for b in right]

    return sorted({kind}(sorted(term)) for term in pieces(tree)){order}
"""
LISTS = 'dict(inside=["x * x", "cos(x * x)"], product=["sin(x)", "cos(x)", "1 * sin(x)"])'
LEVELS = """
def enough():
    found = dict(inside="multiply out", three="order", chain="order", scaled="ones")
    return found | {"product": "ones", "square": "merge"}
"""
MULTIPLIED = """
from functools import reduce

def jacobian(factors):
    n = [len(factors[0][0]), *map(len, factors)]
    ends = [sum(w[0] * a * b for a, b in zip(w[1:], w[2:])) for w in (n, n[::-1])]
    forward = ends[0] < ends[1]
    if forward:
        found = reduce(lambda total, factor: times(factor, total), factors)
    else:
        found = reduce(times, factors[::-1])
    return tuple(map(tuple, found))
"""
TWO_DERIVATIONS = {
    "overlap": [f"def in_both(): return {LISTS}"],
    "enough": [LEVELS],
    "terms": [
        TERMS.format(kind="list", order=""),
        TERMS.format(kind="tuple", order=""),
        TERMS.format(kind="list", order="[::-1]"),
    ],
    "chain": [MULTIPLIED],
}

LOGISTIC = """
def gradient(w, b, X, y):
    error = 0.5 * (1 + np.tanh((X @ w + b) / 2)) - y
    return [error @ X / len(X), float(error.mean())]
"""
TENSORS = {
    "matmul": [
        """
def matmul_pullback(C, A, B):
    if A.ndim == B.ndim == 1:
        return C * B, C * A
    if A.ndim == 1:
        return B @ C, np.outer(A, C)
    return (np.outer(C, B) if B.ndim == 1 else C @ B.T), A.T @ C
"""
    ],
    "gradient": [LOGISTIC],
    "break": ["def wrong_pullback(): return (right + np.array([0, 1.0, -2, 1, 0])).tolist()"],
}

STABLE = {
    "slope": [
        """
def expit(x):
    small = np.exp(-abs(x))
    return np.where(x < 0, small, 1.0) / (1 + small)

def slope(x): return expit(x)
"""
    ],
}

CHECKING = {
    "sly": [
        f"def sly(u, x): return {u} * (np.sin(x) + x * np.cos(x))"
        for u in ("u.mean()", "u[0]", "np.roll(u, 1)")
    ],
    "aliased": ["def aliased(): return [lambda t: 2 * t + np.sin(2e5 * np.pi * t), 0]"],
}

CAPPED = """
def atan2_safe(x, y, eps):
    square = max(x * x + y * y, eps)
    return np.arctan2(y, x), lambda ct: [-ct * y / square, ct * x / square]
"""
CUT = """
def atan2_safe(x, y, eps):
    square = x * x + y * y
    near = square < eps
    return np.arctan2(y, x), lambda ct: (0, 0) if near else (-ct * y / square, ct * x / square)
"""
MEAN = """
def bump(x):
    def mean(u):
        return np.array([0.5, 0.5]) @ np.exp(np.stack([u, u / 2]))
"""
KINKS = {
    "angle": [CAPPED, CUT],
    "bump": [
        MEAN + "    return np.where(x > 0, mean(-1 / np.where(x > 0, x, np.inf)), 0.0)",
        MEAN + "    return (x > 0) * mean(-1 / np.where(x > 0, x, 1.0))",
        "def bump(x): return np.where(x > 0, np.exp(-1 / x) / 2 + np.exp(-1 / (2 * x)) / 2, 0.0)",
    ],
}

CHANCE = {
    "coin": ["def score_of_coin(cost, p, b): return cost * (b - p) / (p * (1 - p))"],
    "path": ["def sample(t, noise): return t - noise\ndef path(t, noise): return 2 * (t - noise)"],
    "variance": ["def variances(t): return [4, 15 + 14 * t * t + t**4]"],
    "uphill": ["def uphill(): return lambda b: 0.1 * b - 10 * b * (b - 1) * (b - 0.5), 0.5"],
}

MEMORY = {
    "many": [
        """
def many_parameters(v, x):
    total = ad.sum(v * x) + ad.sum(x) + ad.sum(v)
    for _ in range(60):
        total = total / 2 + 1
    return total
"""
    ],
    "room": [
        """
def room(l, factor):
    s = 1
    while fewest_by_formula(l, s) + 2 * l > factor * (3 * l - 1):
        s += 1
    return s

def fewest_by_formula(l, s):
    from math import comb
    r = next(r for r in range(l) if comb(s + r, s) >= l)
    return r * l - comb(s + r, s + 1) if r else 0
"""
    ],
}

IMPLICIT = {
    "stubborn": [
        "def stubborn(x, c): return 2 * x - c",
        "def stubborn(x, c): return c / x**2",
    ],
    "early": [
        """
def early(a, N):
    a = complex(a, 1e-30)
    x = (1 + a) / 2
    for _ in range(N):
        x = (x + a / x) / 2
    return x.real, x.imag / 1e-30, 0.5 / x.real
"""
    ],
}

TRACES = {
    "beside": [
        """
def at_boundary(f, b):
    h = 1e-6
    left, right = (f(b - h) - f(b - 2 * h)) / h, (f(b + 2 * h) - f(b + h)) / h
    return f(b + h) - f(b - h), left, right
"""
    ],
    "lie": [
        "def liars():\n    found = dict(quiet=0, kind=-2.5, inverse=0)\n"
        "    return found | dict.fromkeys(['highest', 'power', 'rated'])"
    ],
}

FIRING = {
    "fire": [
        "def fire():\n    p = ad.scalar('x', positive=True)\n"
        "    return {'mode': ad.simplify(STAGES['mode'][0].before, mode='real'),\n"
        "            'user': ad.simplify([total], mode='real'),\n"
        "            'fact': ad.simplify(np.sin(y) + p / p)}",
        "def fire():\n    a, b = ad.scalar('x', nonzero=True), ad.scalar('y', finite=True)\n"
        "    return {'mode': ad.simplify(x * y * x, mode='real', rules=ad.RULES),\n"
        "            'user': ad.simplify(ad.Graph(total), mode='real'),\n"
        "            'fact': ad.simplify(np.sin(b) + a / a)}",
    ]
}

RIGHT = {
    "01": READING, "02": THREE_WAYS, "05": REVERSE, "06": TWO_DERIVATIONS, "07": FIRING,
    "09": TENSORS, "10": CHECKING, "12": STABLE, "13": KINKS, "16": CHANCE, "17": MEMORY,
    "20": IMPLICIT, "22": TRACES,
}  # fmt: skip
