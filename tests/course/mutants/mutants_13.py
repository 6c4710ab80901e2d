"""Wrong solutions of lecture 13, by task: what students write before they understand."""

ANGLE = """
def atan2_safe(x, y, eps):
    square = {square}
    return {value}, lambda ct: ({dx}, {dy})
"""
RIGHT = {"square": "x * x + y * y + eps", "value": "np.arctan2(y, x)"}
RIGHT |= {"dx": "-ct * y / square", "dy": "ct * x / square"}

angle = [
    ANGLE.format(**RIGHT | {"square": "x * x + y * y"}),
    ANGLE.format(**RIGHT | {"square": "x * x + y * y or 1.0"}),
    ANGLE.format(**RIGHT | {"square": "x * x + y * y + eps**2"}),
    ANGLE.format(**RIGHT | {"square": "x * x + y * y + 10 * eps"}),
    ANGLE.format(**RIGHT | {"dx": "-y / square", "dy": "x / square"}),
    ANGLE.format(**RIGHT | {"dx": "ct * y / square"}),
    ANGLE.format(**RIGHT | {"dx": "ct * x / square", "dy": "-ct * y / square"}),
    ANGLE.format(**RIGHT | {"dx": "-ct**3 * y / square", "dy": "ct**3 * x / square"}),
    ANGLE.format(**RIGHT | {"value": "np.arctan2(y, x + eps)"}),
    ANGLE.format(**RIGHT | {"value": "np.arctan2(x, y)"}),
    ANGLE.format(**RIGHT | {"value": "np.arctan2(y, x) + 1e-15"}),
    ANGLE.format(**RIGHT | {"dx": "0.0 * ct", "dy": "0.0 * ct"}),
    "def atan2_safe(x, y, eps): return np.arctan2(y, x)",
    "def atan2_safe(x, y, eps): return np.arctan2(y, x), (-y, x)",
    "def atan2_safe(x, y, eps): return np.arctan2(y, x), lambda ct: -ct * y / (x * x + eps)",
]

CLIP = """
def limited(x, limit):
    return {value}, lambda ct: {pulled}
"""
clip = [
    CLIP.format(value="x", pulled="np.clip(ct, -limit, limit)"),
    CLIP.format(value="x", pulled="ct * (limit / np.sqrt(np.sum(ct * ct)))"),
    CLIP.format(value="x", pulled="ct"),
    CLIP.format(value="x", pulled="ct * (limit / max(abs(ct).max(), limit))"),
    CLIP.format(value="x", pulled="ct * (limit / max(np.sum(ct * ct), limit))"),
    CLIP.format(value="x", pulled="ct * min(1, limit)"),
    CLIP.format(
        value="np.clip(x, -limit, limit)",
        pulled="ct * (limit / max(np.linalg.norm(ct), limit))",
    ),
    CLIP.format(value="x", pulled="ct * (limit / max(np.linalg.norm(x), limit))"),
    "def limited(x, limit): return x",
    """
def limited(x, limit):
    def pullback(ct):
        ct *= limit / max(np.linalg.norm(ct), limit)
        return ct
    return x, pullback
""",
]

ROUND = """
def quantised(x, step, limit):
    value = {value}
    return value, lambda ct: {pulled}
"""
VALUE = "np.clip(step * np.round(x / step), -limit, limit)"
straight = [
    ROUND.format(value=VALUE, pulled="ct"),
    ROUND.format(value=VALUE, pulled="0.0 * ct"),
    ROUND.format(value=VALUE, pulled="ct * step"),
    ROUND.format(value=VALUE, pulled="np.where(abs(x) < limit, ct, 0.0)"),
    ROUND.format(value=VALUE, pulled="np.where(abs(value) < limit, ct, 0.0)"),
    ROUND.format(value=VALUE, pulled="np.where(abs(x) <= limit, 1.0, 0.0)"),
    ROUND.format(value=VALUE, pulled="np.where(x <= limit, ct, 0.0)"),
    ROUND.format(value=VALUE, pulled="np.where(abs(ct) <= limit, ct, 0.0)"),
    ROUND.format(value="np.round(x)", pulled="np.where(abs(x) <= limit, ct, 0.0)"),
    ROUND.format(value="x", pulled="np.where(abs(x) <= limit, ct, 0.0)"),
    ROUND.format(value="step * np.round(x / step)", pulled="np.where(abs(x) <= limit, ct, 0.0)"),
]

BUMP = """
def bump(x):
    def mean(u):
        return np.cumsum(np.exp(np.stack([u, u / 2])), axis=0)[1] / 2

    return {}
"""  # mean(u) is the mean of both bumps for u = -1/x
bump = [
    BUMP.format("np.where(x > 0, mean(-1 / x), 0.0)"),
    BUMP.format("np.where(x > 0, mean(-1 / (x + 1e-12)), 0.0)"),
    BUMP.format("np.where(x > 0, np.exp(-1 / x), 0.0)"),
    BUMP.format("mean(-1 / np.maximum(x, 0.5))"),
    BUMP.format("mean(-1 / np.where(x > 0, x, 1.0))"),
    BUMP.format("np.where(x > 0, mean(-1 / abs(x)), 0.0)"),
    BUMP.format("ad.zero_grad(np.where(x > 0, mean(-1 / np.where(x > 0, x, 1.0)), 0.0))"),
    """
def bump(x):
    @ad.custom_gradient
    def inner(x):
        inside = np.where(x > 0, x, 1.0)
        bumps = np.exp(-1 / np.stack([inside, 2 * inside]))
        y = np.where(x > 0, np.array([0.5, 0.5]) @ bumps, 0.0)
        return y, lambda ct: ct * y / inside**2
    return inner(x)
""",
]

ITSELF = "def itself(x, slope): return {}"
slope = [
    ITSELF.format("x"),
    ITSELF.format("slope * x"),
    ITSELF.format("np.maximum(x, 0) - np.maximum(-x, 0)"),
    ITSELF.format("x + slope * (np.maximum(x, 0) - np.maximum(0, x))"),
    ITSELF.format("x + (slope - 1) * (np.maximum(0, x) - np.maximum(x, 0))"),
    ITSELF.format("np.where(x == 0, slope * x, x)") + " + 0 * ad.disconnected_grad(x)",
    ITSELF.format("x + (slope - 1) * 1e-9 * np.tanh(x * 1e9)"),
    ITSELF.format("x + (slope - 1) * np.maximum(x, 0)"),
    ITSELF.format("ad.grad_scale(x, slope)"),
]

MUTANTS = {"angle": angle, "clip": clip, "round": straight, "bump": bump, "slope": slope}
