"""Wrong solutions of lecture 8's exercises, by task: what students write before they understand."""

SLOPES = {
    "square, value": 1,
    "square, gradient, reverse": 1,
    "square, gradient, forward": 2,
    "form, gradient, reverse": 2,
    "form, Hessian times a vector": 2,
    "distances, gradient, reverse": 2,
    "distances, gradient, forward": 3,
    "layer, Jacobian, reverse": 3,
}


def slopes(**wrong):
    changed = {name.replace("_", " "): slope for name, slope in wrong.items()}
    said = {k: changed.get(k.replace(",", ""), slope) for k, slope in SLOPES.items()}
    return f"def growth(): return {said}"


growth = [
    slopes(square_gradient_reverse=2),
    slopes(square_gradient_forward=1),
    slopes(form_gradient_reverse=3),
    slopes(form_Hessian_times_a_vector=3),
    slopes(distances_gradient_reverse=1),
    slopes(layer_Jacobian_reverse=2),
    "def growth(): return {'square, value': 1}",
    "def growth(): return [1, 1, 2, 2, 2, 2, 3, 3]",
]

ROWS = "np.stack([pull(u) for u in np.eye(m)])"
COLUMNS = "np.stack([push(r) for r in np.eye(n)], axis=1)"
WHOLE = "def whole(n, m, push, pull): return {}"
sweeps = [
    WHOLE.format(ROWS),
    WHOLE.format(COLUMNS),
    WHOLE.format(f"{COLUMNS} if n > m else {ROWS}"),
    WHOLE.format(f"({COLUMNS} if n < m else {ROWS}).T"),
    WHOLE.format(f"{COLUMNS.replace(', axis=1', '')} if n < m else {ROWS}"),
    WHOLE.format("push(np.eye(n))"),
    WHOLE.format(f"{COLUMNS} + 0 * {ROWS}"),
    WHOLE.format("push.product.__closure__[0].cell_contents"),
]

MODES = """
def modes(lengths):
    pairs = list(zip(lengths, lengths[1:]))
    return {}
"""
forward = "sum(lengths[0] * a * b for a, b in pairs[1:])"
reverse = "sum(lengths[-1] * a * b for a, b in pairs[:-1])"
orders = [
    MODES.format(f"{reverse}, {forward}"),
    MODES.format(f"2 * {forward}, 2 * {reverse}"),
    MODES.format(f"{forward.replace('[1:]', '')}, {reverse.replace('[:-1]', '')}"),
    MODES.format(f"{forward}, {forward}"),
    MODES.format("in_the_graph(lengths)"),
]

RECURSION = """
def cheapest(lengths):
    if len(lengths) < 3:
        return 0
    ends = lengths[0] * lengths[-1]
    return min(
        cheapest(lengths[: s + 1]) + cheapest(lengths[s:]) + ends * lengths[s]
        for s in range(1, len(lengths) - 1)
    )
"""
GREEDY = """
def cheapest(lengths):
    lengths, total = list(lengths), 0
    while len(lengths) > 2:
        s = {}
        total += lengths[s - 1] * lengths[s] * lengths[s + 1]
        del lengths[s]
    return total
"""
INNER = "range(1, len(lengths) - 1)"
cheapest = [
    RECURSION,
    GREEDY.format(f"max({INNER}, key=lambda s: lengths[s])"),
    GREEDY.format(f"min({INNER}, key=lambda s: lengths[s - 1] * lengths[s] * lengths[s + 1])"),
    MODES.format(f"{forward}, {reverse}") + "def cheapest(lengths): return min(modes(lengths))",
    "def cheapest(lengths): return multi_dot(lengths)",
]

RATIO = """
def value_and_gradient(x, b, A):
    n = range(len(x))
    bottom = sum(c * u for c, u in zip(b, x))
    q = quotient(x, b, A)
    Ax = [sum(A[i][j] * x[j] for j in n) for i in n]
    return {}
"""
AGAIN = """
def value_and_gradient(x, b, A):
    n = range(len(x))
    slopes = [2 * sum(A[i][j] * x[j] for j in n) - quotient(x, b, A) * b[i] for i in n]
    return quotient(x, b, A), [s / sum(c * u for c, u in zip(b, x)) for s in slopes]
"""
DIFFERENCES = """
def value_and_gradient(x, b, A):
    q, h = quotient(x, b, A), 1e-6
    moved = [[u + h * (i == j) for j, u in enumerate(x)] for i in range(len(x))]
    return q, [(quotient(y, b, A) - q) / h for y in moved]
"""
ARRAYS = """
def value_and_gradient(x, b, A):
    x, b, A = np.array(x), np.array(b), np.array(A)
    q = x @ A @ x / (b @ x)
    return q, (2 * A @ x - q * b) / (b @ x)
"""
ratio = [
    AGAIN,
    DIFFERENCES,
    ARRAYS,
    RATIO.format("q, [(v - q * c) / bottom for v, c in zip(Ax, b)]"),
    RATIO.format("q, [2 * v / bottom for v in Ax]"),
    RATIO.format("q, [(2 * v + q * c) / bottom for v, c in zip(Ax, b)]"),
    RATIO.format("[(2 * v - q * c) / bottom for v, c in zip(Ax, b)]"),
]

counterexample = [
    f"def counterexample(): return {lengths}"
    for lengths in (
        [1000, 1, 1000],
        [1, 1000, 1000, 1],
        [1000, 1000, 1000, 1000, 1],
        [60, 60, 2, 60, 60],
        [5000, 5000, 1, 5000, 5000],
    )
]

MUTANTS = {
    "growth": growth,
    "sweeps": sweeps,
    "orders": orders,
    "cheapest": cheapest,
    "ratio": ratio,
    "break": counterexample,
}
