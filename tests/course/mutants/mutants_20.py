"""Wrong solutions of lecture 20's exercises, by task: what is written before it is understood."""

LINEAR = """
def solve_pullback(ct, A, x):
    b_bar = {b_bar}
    return {pair}
"""
SOLVED, PAIR = "np.linalg.solve(A.T, ct)", "-np.outer(b_bar, x), b_bar"
linear = [
    LINEAR.format(b_bar="np.linalg.solve(A, ct)", pair=PAIR),
    LINEAR.format(b_bar="A.T @ ct", pair=PAIR),
    LINEAR.format(b_bar="ct", pair=PAIR),
    LINEAR.format(b_bar=SOLVED, pair="np.outer(b_bar, x), b_bar"),
    LINEAR.format(b_bar=SOLVED, pair="-np.outer(x, b_bar), b_bar"),
    LINEAR.format(b_bar=SOLVED, pair="-np.outer(ct, x), b_bar"),
    LINEAR.format(b_bar=SOLVED, pair="-b_bar * x, b_bar"),
    LINEAR.format(b_bar=SOLVED, pair="b_bar, -np.outer(b_bar, x)"),
    LINEAR.format(b_bar=SOLVED, pair="b_bar"),
    LINEAR.format(b_bar=SOLVED, pair="-np.outer(b_bar, A @ x), b_bar"),
]

LAYER = """
def layer_pullback(ct, x, W, b):
    slope = {slope}
    u = {u}
    return {pair}
"""
SLOPE, BOTH = "1 - x**2", "np.outer(u * slope, x), u * slope"
ROW = "np.linalg.solve((np.eye(len(x)) - slope[:, None] * W).T, ct)"
layer = [
    LAYER.format(slope=SLOPE, u="ct", pair=BOTH),
    LAYER.format(slope=SLOPE, u="ct + ct @ (slope[:, None] * W)", pair=BOTH),
    LAYER.format(slope=SLOPE, u=ROW.replace(".T", ""), pair=BOTH),
    LAYER.format(slope=SLOPE, u=ROW.replace("- slope", "+ slope"), pair=BOTH),
    LAYER.format(slope=SLOPE, u=ROW.replace("slope[:, None] * W", "W"), pair=BOTH),
    LAYER.format(slope=SLOPE, u=ROW.replace("[:, None]", "[None, :]"), pair=BOTH),
    LAYER.format(slope="1 - np.tanh(x)**2", u=ROW, pair=BOTH),
    LAYER.format(slope=SLOPE, u=ROW, pair="np.outer(u, x), u"),
    LAYER.format(slope=SLOPE, u=ROW, pair="np.outer(x, u * slope), u * slope"),
    LAYER.format(slope=SLOPE, u=ROW, pair="u * slope"),
    LAYER.format(slope=SLOPE, u=ROW, pair="u * slope, np.outer(u * slope, x)"),
]

EARLY = """
def early(a, N):
    x, slope = {begin}
    for _ in range({steps}):
        x, slope = (x + a / x) / 2, {tangent}
    return {three}
"""
BEGIN, TANGENT = "(1 + a) / 2, 0.5", "(slope + 1 / x - a * slope / x**2) / 2"
THREE = "x, slope, 1 / (2 * x)"
early = [
    EARLY.format(begin="(1 + a) / 2, 0.0", steps="N", tangent=TANGENT, three=THREE),
    EARLY.format(begin="(1 + a) / 2, 1.0", steps="N", tangent=TANGENT, three=THREE),
    EARLY.format(begin="a, 1.0", steps="N", tangent=TANGENT, three=THREE),
    EARLY.format(begin=BEGIN, steps="N + 1", tangent=TANGENT, three=THREE),
    EARLY.format(begin=BEGIN, steps="N", tangent="(slope + 1 / x) / 2", three=THREE),
    EARLY.format(begin=BEGIN, steps="N", tangent=TANGENT.replace("-", "+"), three=THREE),
    EARLY.format(begin=BEGIN, steps="N", tangent=TANGENT, three="x, slope, 0.5 / np.sqrt(a)"),
    EARLY.format(begin=BEGIN, steps="N", tangent=TANGENT, three="x, slope, 2 * x"),
    EARLY.format(begin=BEGIN, steps="N", tangent=TANGENT, three="x, slope, slope"),
    EARLY.format(begin=BEGIN, steps="N", tangent=TANGENT, three="x, slope"),
    EARLY.format(begin=BEGIN, steps="N", tangent=TANGENT, three="x"),
]

FOXES = """
def sensitivity(p, y0, T):
    def both(t, z):
        (h, f), S = z[:2], z[2:].reshape(2, 4)
        by_y = np.array({by_y})
        by_p = np.array({by_p})
        return np.concatenate([rate((h, f), p), ({change}).ravel()])

    begin = np.concatenate([y0, {first}])
    return solve_ivp(both, (0, T), begin, rtol=1e-8, atol=1e-10).y[2:, -1]{shape}
"""
BY_Y = "[[p[0] - p[1] * f, -p[1] * h], [p[2] * f, p[2] * h - p[3]]]"
GOOD = {
    "by_y": BY_Y,
    "by_p": "[[h, -h * f, 0, 0], [0, 0, h * f, -f]]",
    "change": "by_y @ S + by_p",
    "first": "np.zeros(8)",
    "shape": ".reshape(2, 4)",
}
foxes = [
    FOXES.format(**GOOD | {"change": "by_y @ S"}),
    FOXES.format(**GOOD | {"change": "by_p"}),
    FOXES.format(**GOOD | {"change": "by_y.T @ S + by_p"}),
    FOXES.format(**GOOD | {"change": "by_y @ S - by_p"}),
    FOXES.format(**GOOD | {"first": "np.ones(8)"}),
    FOXES.format(**GOOD | {"shape": ".reshape(4, 2)"}),
    FOXES.format(**GOOD | {"shape": ""}),
    FOXES.format(**GOOD | {"by_y": BY_Y.replace("-p[1] * h", "p[1] * h")}),
    FOXES.format(**GOOD | {"by_p": "[[h, h * f, 0, 0], [0, 0, h * f, f]]"}),
    """
def sensitivity(p, y0, T):
    def end(q):
        return solve_ivp(lambda t, y: rate(y, q), (0, T), y0, rtol=1e-8, atol=1e-10).y[:, -1]

    return np.stack([(end(p + 0.01 * e) - end(p)) / 0.01 for e in np.eye(4)], axis=1)
""",
]

stubborn = [
    "def stubborn(x, c): return ad.cos(c * x)",
    "def stubborn(x, c): return (x + c / x) / 2",
    "def stubborn(x, c): return x + 0 * c",
    "def stubborn(x, c): return 3 * x + 0 * c",
    "def stubborn(x, c): return 2 * x * x + 1 + c",
    "def stubborn(x, c): return 2.0",
    "def stubborn(x, c): return [x, c]",
]

MUTANTS = {
    "linear": linear,
    "layer": layer,
    "early": early,
    "foxes": foxes,
    "stubborn": stubborn,
}
