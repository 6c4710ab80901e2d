"""Wrong solutions of lecture 16, by task: what students write before they understand."""

READING = """
def reading():
    return {{"A": ("{}", "ad.{}"), "B": ("{}", "ad.{}"), "C": ("{}", "ad.{}")}}
"""
SCORE, HOLD = "score_function", "disconnected_grad"

reading = [
    READING.format("scan", SCORE, "binomial", HOLD, "poisson", SCORE),
    READING.format("bernoulli", HOLD, "binomial", HOLD, "poisson", SCORE),
    READING.format("bernoulli", SCORE, "binomial", SCORE, "poisson", SCORE),
    READING.format("bernoulli", SCORE, "exponential", HOLD, "poisson", SCORE),
    READING.format("bernoulli", SCORE, "binomial", HOLD, "normal", SCORE),
    READING.format("bernoulli", SCORE, "binomial", HOLD, "multiply", SCORE),
    "def reading(): return {'A': 'bernoulli', 'B': 'binomial', 'C': 'poisson'}",
    "def reading(): return ['bernoulli', 'binomial', 'poisson']",
]

REPAIRED = """
def repaired(p, n):
    stream = ad.RandomStream(0)
    coins = {coins}
    heads = coins.sum(axis=0)
    log_probability = {log}
    return {returned}
"""
FAIR = {
    "coins": "ad.disconnected_grad(ad.scan(lambda: stream.bernoulli(p, size=n), n_steps=10))",
    "log": "heads * ad.log(p) + (10 - heads) * ad.log(1 - p)",
    "returned": "ad.score_function(heads * (heads - 1) / 2, log_probability)",
}
ONE = "ad.disconnected_grad(stream.bernoulli(p, size=n) * ad.ones((10, 1)))"
MEAN = "ad.score_function(heads * (heads - 1) / 2, log_probability).mean()"

repaired = [
    REPAIRED.format(**FAIR | {"coins": "ad.scan(lambda: stream.bernoulli(p, size=n), n_steps=10)"}),
    REPAIRED.format(**FAIR | {"coins": ONE}),
    REPAIRED.format(**FAIR | {"log": "heads * ad.log(p)"}),
    REPAIRED.format(**FAIR | {"log": "ad.where(heads > 0, ad.log(p), ad.log(1 - p))"}),
    REPAIRED.format(**FAIR | {"returned": "heads * (heads - 1) / 2"}),
    REPAIRED.format(**FAIR | {"returned": "heads * (heads - 1) / 2 * log_probability"}),
    REPAIRED.format(**FAIR | {"returned": MEAN}),
    "def repaired(p, n): return 45 * p**2",
    "def repaired(p, n): return 45 * p**2 * ad.ones(n)",
    "def repaired(p, n): return 45 * p**2 + ad.RandomStream(0).normal(size=n)",
]

PATH = """
def sample(t, noise): return {}
def path(t, noise): return {}
"""
path = [
    PATH.format("t + noise", "2 * t"),
    PATH.format("t + noise", "2 * (t + noise) * noise"),
    PATH.format("t + noise", "t + noise"),
    PATH.format("t + noise", "(t + noise)**2 * noise"),
    PATH.format("t + noise", "1"),
    PATH.format("t * noise", "2 * t * noise**2"),
    PATH.format("t + noise / 2", "2 * t + noise"),
    PATH.format("t + noise + 0.1", "2 * (t + noise + 0.1)"),
    PATH.format("t + abs(noise)", "2 * (t + abs(noise))"),
    PATH.format("t", "2 * t"),
]

WAITING = """
def waiting(m, u): return {}
def waiting_path(m, u): return {}
"""
waiting = [
    WAITING.format("-np.log1p(-u) / m", "-2 * np.log1p(-u)**2 / m**3"),
    WAITING.format("m - np.log1p(-u)", "2 * (m - np.log1p(-u))"),
    WAITING.format("m * np.log1p(-u)", "2 * m * np.log1p(-u)**2"),
    WAITING.format("m * u", "2 * m * u**2"),
    WAITING.format("1 - np.exp(-u / m)", "0"),
    WAITING.format("-m * np.log1p(-u)", "4 * m"),
    WAITING.format("-m * np.log1p(-u)", "2 * m"),
    WAITING.format("-m * np.log1p(-u)", "-2 * m * np.log1p(-u)"),
]

SCORED = "def score(cost, t, z): return {}"
score = [
    SCORED.format("2 * z"),
    SCORED.format("2 * t"),
    SCORED.format("cost"),
    SCORED.format("z * z * (z - t)"),
    SCORED.format("cost * (t - z)"),
    SCORED.format("cost * (z - t)**2"),
    SCORED.format("-cost * (z - t)**2 / 2"),
    SCORED.format("cost * np.exp(-(z - t)**2 / 2) * (z - t)"),
    SCORED.format("(cost - z) * (z - t)"),
]

COIN = "def score_of_coin(cost, p, b): return {}"
coin = [
    COIN.format("cost"),
    COIN.format("cost * (b - p)"),
    COIN.format("cost / p if b else cost / (1 - p)"),
    COIN.format("cost / p if b else 0.0"),
    COIN.format("cost if b else -cost"),
    COIN.format("cost * np.log(p) if b else cost * np.log(1 - p)"),
]

VARIANCES = "def variances(t): return {}"
variance = [
    VARIANCES.format("4.0, t**4 + 18 * t**2 + 15"),
    VARIANCES.format("4.0, 87.0"),
    VARIANCES.format("4 * t**2 + 4, t**4 + 14 * t**2 + 15"),
    VARIANCES.format("2.0, t**4 + 14 * t**2 + 15"),
    VARIANCES.format("t**4 + 14 * t**2 + 15, 4.0"),
    VARIANCES.format("4.0"),
    VARIANCES.format("measured(t)"),
]

BASELINE = "def baseline(t): return {}"
baseline = [BASELINE.format(b) for b in ("0.0", "t**2", "t**2 + 1", "5.0", "7.0", "2 * t", "3 * t")]

SPREADS = "def spreads(a, T): return {}"
spread = [
    SPREADS.format("1 / np.sqrt(1 - a * a), 1 / (1 - a)"),
    SPREADS.format("np.sqrt((1 - a**(2 * T)) / (1 - a * a)), abs((1 - a**T) / (1 - a))"),
    SPREADS.format("np.sqrt(sum(a**(2 * k) for k in range(T))), sum(a**k for k in range(T))"),
    SPREADS.format("sum(a**(2 * k) for k in range(T)), abs(sum(a**k for k in range(T)))"),
    SPREADS.format("abs(sum(a**k for k in range(T))), np.sqrt(sum(a**(2*k) for k in range(T)))"),
    SPREADS.format("np.sqrt(T), T"),
    SPREADS.format(
        "np.sqrt(sum(a**(2 * k) for k in range(T + 1))), abs(sum(a**k for k in range(T + 1)))"
    ),
    SPREADS.format("2.0"),
]

UPHILL = "def uphill(): return lambda b: {}, {}"
uphill = [
    UPHILL.format("b", "0.5"),
    UPHILL.format("(b - 0.45)**2", "0.3"),
    UPHILL.format("(b - 0.45)**2", "0.001"),
    UPHILL.format("(b - 0.501)**2", "0.01"),
    UPHILL.format("0.2 * b + np.sin(2 * np.pi * b)", "0.5"),
    UPHILL.format("0.2 * b - np.sin(2 * np.pi * b)", "1.5"),
    UPHILL.format("np.sin(2 * np.pi * b)", "0.5"),
    UPHILL.format("0.2 * b - 5 * abs(b) + 5 * b**2 - 5 * abs(b - 1)", "0.5"),
]

MUTANTS = {
    "reading": reading,
    "repaired": repaired,
    "path": path,
    "waiting": waiting,
    "score": score,
    "coin": coin,
    "variance": variance,
    "baseline": baseline,
    "spread": spread,
    "uphill": uphill,
}
