"""Wrong solutions of lecture 21's exercises, by task: what an old program seems to say."""

UPDATES = """
def after(w, v, slopes, rate):
    for slope in slopes:
        {lines}
    return {pair}
"""
RIGHT = "w, v = w + v, 0.9 * v - rate * slope"
updates = [
    UPDATES.format(lines="v = 0.9 * v - rate * slope; w = w + v", pair="w, v"),
    UPDATES.format(lines="w, v = w + v, 0.9 * v + rate * slope", pair="w, v"),
    UPDATES.format(lines="w, v = w + v, v - rate * slope", pair="w, v"),
    UPDATES.format(lines="w, v = w + v, 0.9 * (v - rate * slope)", pair="w, v"),
    UPDATES.format(lines="w, v = w - rate * slope, 0.9 * v", pair="w, v"),
    UPDATES.format(lines=RIGHT, pair="v, w"),
    UPDATES.format(lines=RIGHT, pair="w"),
    UPDATES.format(lines=RIGHT, pair="w, v, rate"),
    UPDATES.format(lines=RIGHT, pair="{'w': w, 'v': v}"),
]

CLIP = """
def slope(z, k, low):
    e = np.exp({shifted})
    p = e / e.sum()
    below = {below}
    p[k] -= 1
    return {found}
"""
GOOD = {
    "shifted": "z - z.max()",
    "below": "p[k] < low",
    "found": "np.zeros(len(z)) if below else p",
}
clip = [
    CLIP.format(**GOOD | {"found": "p"}),
    CLIP.format(**GOOD | {"found": "np.zeros(len(z)) if below else -p"}),
    CLIP.format(**GOOD | {"found": "np.zeros(len(z)) if below else p[k]"}),
    CLIP.format(**GOOD | {"found": "0.0 if below else p"}),
    CLIP.format(**GOOD | {"found": "np.zeros(len(z))"}),
    CLIP.format(**GOOD | {"found": "p if below else np.zeros(len(z))"}),
    CLIP.format(**GOOD | {"shifted": "z"}),
    CLIP.format(**GOOD | {"shifted": "z - z[k]", "below": "p[k] > low"}),
    "def slope(z, k, low): return ad.softmax(z) - np.eye(len(z))[k]",
]

SCAN = """
def moved(x, w, n):
    states = ad.scan({step}, sequences={rows}, outputs_info={begin})
    return {cost}
"""
PARTS = {
    "step": "lambda row, h: ad.tanh(w * h + row)",
    "rows": "x",
    "begin": "ad.zeros_like(w)",
    "cost": "ad.sum(states[-1] ** 2)",
}
loop = [
    SCAN.format(**PARTS | {"cost": "ad.sum(states ** 2)"}),
    SCAN.format(**PARTS | {"cost": "states[-1] ** 2"}),
    SCAN.format(**PARTS | {"cost": "ad.sum(states[0] ** 2)"}),
    SCAN.format(**PARTS | {"cost": "ad.sum(states[-1])"}),
    SCAN.format(**PARTS | {"cost": "states[-1], n"}),
    SCAN.format(**PARTS | {"begin": "ad.ones_like(w)", "rows": "x[:2]"}),
    SCAN.format(**PARTS | {"rows": "x[::-1]"}),
    SCAN.format(**PARTS | {"step": "lambda row, h: ad.tanh(h + w * row)"}),
    """
def moved(x, w, n):
    h = ad.zeros_like(w)
    for k in range(n):
        h = ad.tanh(w * h + x[k])
    return ad.sum(h ** 2)
""",
    """
def moved(x, w, n):
    import autodiff_edu.theano.tensor as T
    return T.sum(T.zeros(3))
""",
]

NARROW = """
def narrow(x, w):
    scale = np.array([0.1, 0.2, 0.3, 0.4], dtype="{dtype}")
    scores = x @ (w * scale)
    return {cost}
"""
COST = "ad.mean(ad.log(1 + ad.exp(scores)))"
narrow = [
    NARROW.format(dtype="float64", cost=COST),
    NARROW.format(dtype="float64", cost=f"{COST}.astype('float32')"),
    NARROW.format(dtype="float32", cost="ad.sum(ad.log(1 + ad.exp(scores))) / x.shape[0]"),
    NARROW.format(dtype="float32", cost="ad.sum(ad.log(1 + ad.exp(scores)))"),
    NARROW.format(dtype="float32", cost="ad.log(1 + ad.exp(scores))"),
    NARROW.format(dtype="float32", cost="ad.mean(scores)"),
    NARROW.format(dtype="float16", cost=f"{COST}.astype('float16')"),
    NARROW.format(dtype="float32", cost=f"[{COST}]"),
]

MUTANTS = {"updates": updates, "clip": clip, "loop": loop, "narrow": narrow}
