"""Wrong solutions of lecture 12, by task: what students write before they understand."""

CORE = "def log1pexp(x): return {}"
core = [
    CORE.format("np.log(1 + np.exp(x))"),
    CORE.format("np.log1p(np.exp(x))"),
    CORE.format("x + np.log1p(np.exp(-x))"),
    CORE.format("np.maximum(x, 0) + np.log(1 + np.exp(-abs(x)))"),
    CORE.format("np.maximum(x, 0)"),
    CORE.format("np.where(x > 30, x, np.log(1 + np.exp(x)))"),
    CORE.format("np.where(x > 20, x, np.log1p(np.exp(x)))"),
    CORE.format("abs(x) + np.log1p(np.exp(-abs(x)))"),
    CORE.format("np.maximum(x, 0) + np.log1p(np.exp(-x))"),
    CORE.format("np.logaddexp(0, x)"),
    CORE.format("np.array([np.logaddexp(0, t) for t in x])"),
    "def of_zero(x): return np.logaddexp(0, x)\ndef log1pexp(x): return of_zero(x)",
    "from numpy import logaddexp as add\ndef log1pexp(x): return add(0, x)",
    CORE.format("core(x)"),
    CORE.format("ad.evaluate(ad.softplus(ad.constant(x)))"),
    CORE.format("np.float32(np.maximum(x, 0) + np.log1p(np.exp(-abs(x))))"),
]

SLOPE = "def slope(x): return {}"
slope = [
    SLOPE.format("np.exp(x) / (1 + np.exp(x))"),
    SLOPE.format("1 / (1 + np.exp(-x))"),
    SLOPE.format("(1 + np.tanh(x / 2)) / 2"),
    SLOPE.format("1 / (1 + np.exp(-np.clip(x, -500, 500)))"),
    SLOPE.format("np.nan_to_num(np.exp(x) / (1 + np.exp(x)), nan=0.0)"),
    SLOPE.format("np.where(x > 0, 1 / (1 + np.exp(-x)), 0.0)"),
    SLOPE.format("np.where(x > 0, 1 / (1 + np.exp(-x)), 1 - 1 / (1 + np.exp(x)))"),
    SLOPE.format("1 / (1 + np.exp(-abs(x)))"),
    SLOPE.format("1 - np.exp(-np.log1p(np.exp(x)))"),
    "def slope(x):\n    from scipy.special import expit\n    return expit(x)",
]

LSE = "def lse(x): return {}"
lse = [
    LSE.format("np.log(np.sum(np.exp(x)))"),
    LSE.format("x.max() + np.log(np.sum(np.exp(x - x.max())))"),
    LSE.format("x.mean() + np.log(np.sum(np.exp(x - x.mean())))"),
    LSE.format("x.min() + np.log(np.sum(np.exp(x - x.min())))"),
    LSE.format("abs(x).max() + np.log(np.sum(np.exp(x - abs(x).max())))"),
    LSE.format("np.max(x)"),
    LSE.format("np.max(x) + np.log(len(x))"),
    LSE.format("np.max(x) + np.log(np.mean(np.exp(x - np.max(x))))"),
    LSE.format("np.log(np.sum(np.exp(x - np.max(x))))"),
    LSE.format("np.logaddexp.reduce(x)"),
    LSE.format("total(x)"),
    LSE.format("500 + np.log(np.sum(np.exp(x - 500)))"),
    LSE.format("np.log(np.sum(np.exp(np.clip(x, -700, 700))))"),
]

RESCUE = """
def rescue():
    u, v = ad.wild("u v")
    return ad.Rule("rescue", {left}, {right}, caveat="1 + u forgets u", {more})
"""
RIGHT = {"left": "ad.log10(1 + u)", "right": "ad.log1p(u) / np.log(10)"}
RIGHT |= {"more": 'phase="stabilise", decreases="unstable"'}
rescue = [
    RESCUE.format(**RIGHT | {"right": "ad.log1p(u)"}),
    RESCUE.format(**RIGHT | {"right": "ad.log1p(u) * np.log(10)"}),
    RESCUE.format(**RIGHT | {"right": "ad.log1p(u) / 2.302585"}),
    RESCUE.format(**RIGHT | {"right": "u / np.log(10)"}),
    RESCUE.format(**RIGHT | {"right": "ad.log1p(u) / np.log(10) + 1e-9"}),
    RESCUE.format(**RIGHT | {"left": "ad.log10(v + u)"}),
    RESCUE.format(**RIGHT | {"left": "ad.log(1 + u) / np.log(10)"}),
    RESCUE.format(**RIGHT | {"left": "ad.log10(1 - u)"}),
    RESCUE.format(**RIGHT | {"more": 'mode="real", phase="stabilise", decreases="unstable"'}),
    RESCUE.format(**RIGHT | {"more": ""}),
    "def rescue(): return lambda x: ad.log1p(x) / np.log(10)",
    "def rescue(): return ad.log1p(ad.scalar('x')) / np.log(10)",
]

DISGUISED = "def disguised(x): return {}"
disguise = [
    DISGUISED.format("np.log(1 + np.exp(x))"),
    DISGUISED.format("np.log1p(np.exp(x))"),
    DISGUISED.format("np.logaddexp(0, x)"),
    DISGUISED.format("ad.softplus(x)"),
    DISGUISED.format("-np.log(1 / (1 + np.exp(x)))"),
    DISGUISED.format("np.log(2 + np.exp(x))"),
    DISGUISED.format("np.where(x > 900, np.inf, np.log(1 + np.exp(x)))"),
    DISGUISED.format("np.maximum(np.log(1 + np.exp(x)), 0)"),
    DISGUISED.format("np.log(1 + np.exp(x)) + 1e-9 * x**3"),
    DISGUISED.format("1.0"),
    DISGUISED.format("ad.zero_grad(np.log(1 + np.exp(x)))"),
]

MUTANTS = {"core": core, "slope": slope, "lse": lse, "rescue": rescue, "disguise": disguise}
