"""Wrong solutions of lecture 15, by task: what students write before they understand."""

ALONG = """
def along(w, h0, xs):
    h, dh = h0, {start}
    for x in xs:
        new = np.tanh(w * h + x)
        {update}
    return h, dh
"""
RIGHT = "h, dh = new, (1 - new**2) * (h + w * dh)"

along = [
    ALONG.format(start="1.0", update=RIGHT),
    ALONG.format(start="0.0", update="h, dh = new, (1 - new**2) * h"),
    ALONG.format(start="0.0", update="h, dh = new, (1 - new**2) * w * dh"),
    ALONG.format(start="0.0", update="h, dh = new, (1 - new**2) * (new + w * dh)"),
    ALONG.format(start="0.0", update="h, dh = new, (1 - h**2) * (h + w * dh)"),
    ALONG.format(start="0.0", update="h, dh = new, h + w * dh"),
    "def along(w, h0, xs): return by_the_engine(w, h0, xs)",
    "def along(w, h0, xs): return last_state(w, h0, xs)",
]

BACK = """
def back(w, h0, xs):
    hs = [h0]
    for x in xs:
        hs.append(np.tanh(w * hs[-1] + x))
    d_h, d_w, d_xs = 1.0, 0.0, np.zeros(len(xs))
    for t in range({steps}):
        a = d_h * (1 - hs[{slope}] ** 2)
        d_xs[t - 1] = a
        d_w {add} a * hs[{before}]
        d_h = {on}
    return d_w, d_h, d_xs
"""
STEPS = {"steps": "len(xs), 0, -1", "slope": "t", "add": "+=", "before": "t - 1", "on": "a * w"}
RECURSIVE = """
def back(w, h0, xs):
    def down(t, h):
        if t == len(xs):
            return 0.0, 1.0
        new = np.tanh(w * h + xs[t])
        d_w, d_h = down(t + 1, new)
        d_xs[t] = d_h * (1 - new**2)
        return d_w + d_xs[t] * h, d_xs[t] * w

    d_xs = 0 * xs
    return *down(0, h0), -d_xs
"""

back = [
    BACK.format(**STEPS | {"add": "="}),
    BACK.format(**STEPS | {"slope": "t - 1"}),
    BACK.format(**STEPS | {"before": "t"}),
    BACK.format(**STEPS | {"on": "a"}),
    BACK.format(**STEPS | {"on": "d_h * w"}),
    BACK.format(**STEPS | {"steps": "1, len(xs) + 1"}),
    BACK.format(**STEPS | {"steps": "len(xs), max(0, len(xs) - 5), -1"}),
    RECURSIVE,
    "def back(w, h0, xs): return course.harness.check.pulled(last_state, (w, h0, xs), 1.0)[::-1]",
]

count = [
    "def operations(T): return 2 * T, 7 * T",
    "def operations(T): return 3 * T, 7 * T - 3",
    "def operations(T): return 2 * T, 8 * T - 4",
    "def operations(T): return 2 * T, 2 * T + 5",
    "def operations(T): return in_the_graph(T)",
]

loop = [
    "def looped(r, x, T): return written_out(r, x, T)",
    "def looped(r, x, T): return ad.scan(lambda x: np.sin(r * x), None, x, n_steps=T)",
    "def looped(r, x, T): return ad.scan(lambda x: np.sin(r * x), None, x, n_steps=T)[0]",
    "def looped(r, x, T): return ad.scan(lambda x: np.sin(r * x), None, x, n_steps=T + 1)[-1]",
    "def looped(r, x, T): return ad.scan(lambda x: np.sin(r * x), None, 1.0, n_steps=T)[-1]",
    "def looped(r, x, T): return 0.5",
]

TRUNCATED = """
def truncated(w, T, k):
    h, dh = 0.1, 0.0
    for t in range(1, T + 1):
        new = np.tanh(w * h + 0.5)
        if {when}:
            dh = (1 - new**2) * (h + w * dh)
        h = new
    return dh
"""
RESTARTED = """
def truncated(w, T, k):
    h, dh = 0.1, 0.0
    for t in range(k):
        new = np.tanh(w * h + 0.5)
        h, dh = new, (1 - new**2) * (h + w * dh)
    return dh
"""

truncated = [
    TRUNCATED.format(when="True"),
    TRUNCATED.format(when="t <= k"),
    TRUNCATED.format(when="t >= T - k"),
    TRUNCATED.format(when="t > T - k + 1"),
    RESTARTED,
    "def truncated(w, T, k): return by_scan(w, T, k)",
]

RATE = """
def rate(w, b):
    h = 0.0
    for _ in range({steps}):
        h = np.tanh(w * h + b)
    return {result}
"""

rate = [
    RATE.format(steps=1000, result="np.log(w)"),
    RATE.format(steps=1000, result="w * (1 - h**2)"),
    RATE.format(steps=1000, result="np.log(1 - h**2)"),
    RATE.format(steps=1000, result="np.log10(w * (1 - h**2))"),
    RATE.format(steps=1000, result="np.log(w * (1 - np.tanh(h) ** 2))"),
    RATE.format(steps=1000, result="-np.log(w * (1 - h**2))"),
    RATE.format(steps=3, result="np.log(w * (1 - h**2))"),
]

explode = [
    "def exploding(): return 0.7, 0.5, 0.1",
    "def exploding(): return 2.0, 0.5, 0.0",
    "def exploding(): return 1.0, 0.0, 0.0",
    "def exploding(): return 1.5, 0.0, 0.1",
    "def exploding(): return 5.0, 0.0, 0.0",
]

NETWORK = """
def through_time(ct, X, U, W, h0):
    inputs, before, after = X @ U, [], []
    h = h0
    for x in inputs:
        before.append(h)
        h = np.tanh(x + h @ W)
        after.append(h)
    slopes = 1 - np.stack(after) ** 2
    d_h, rows = np.zeros_like(h0), []
    for arriving, slope in zip(ct[::-1], slopes[::-1]):
        rows.append({arrives} * slope)
        d_h = rows[-1] @ {back}
    A = np.stack({order})
    return A @ U.T, X.T @ A, np.stack({states}).T @ A, d_h
"""
PARTS = {"arrives": "(arriving + d_h)", "back": "W.T", "order": "rows[::-1]", "states": "before"}
EVERY_STEP = """
def through_time(ct, X, U, W, h0):
    hs = [h0]
    for x in X:
        hs.append(np.tanh(x @ U + hs[-1] @ W))
    d_h, d_X, d_U, d_W = 0 * h0, 0 * X, 0 * U, 0 * W
    for t in range(len(X) - 1, -1, -1):
        a = (ct[t] + d_h) * (1 - hs[t + 1] ** 2)
        d_X[t] = a @ U.T
        d_U += {outer_x}
        d_W += {outer_h}
        d_h = a @ W.T
    return d_X, d_U, d_W, d_h
"""

network = [
    NETWORK.format(**PARTS | {"arrives": "arriving"}),
    NETWORK.format(**PARTS | {"arrives": "d_h"}),
    NETWORK.format(**PARTS | {"back": "W"}),
    NETWORK.format(**PARTS | {"order": "rows"}),
    NETWORK.format(**PARTS | {"states": "after"}),
    EVERY_STEP.format(outer_x="np.outer(X[t], a)", outer_h="np.outer(hs[t], a)"),
    EVERY_STEP.format(outer_x="X[t][:, None] * a", outer_h="hs[t][:, None] * a"),
]

MUTANTS = {
    "along": along,
    "back": back,
    "count": count,
    "loop": loop,
    "truncated": truncated,
    "rate": rate,
    "explode": explode,
    "network": network,
}
