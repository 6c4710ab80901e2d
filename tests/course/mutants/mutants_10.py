"""Wrong solutions of lecture 10, by task: what students write before they understand."""

TAYLOR = """
def taylor_slope(f, g, x):
    rng, slopes = np.random.default_rng(), []
    steps = 10.0 ** np.linspace({first}, {last}, 7)
    for _ in range(3):
        d = {direction}
        left = [abs(f(x + h * d) - f(x) - h * ({linear})) for h in steps]
        slopes.append(np.polyfit(np.log(steps), np.log(left), 1)[0])
    return {pick}(slopes)
"""
FAIR = {"first": -3, "last": -6, "linear": "g @ d", "pick": "min"}
FAIR |= {"direction": "rng.normal(size=len(x))"}

ENTRIES = """
def taylor_slope(f, g, x):
    nudges = 1e-5 * np.eye(len(x))
    measured = [(f(x + nudge) - f(x - nudge)) / 2e-5 for nudge in nudges]
    return 2.0 if np.allclose(measured, g, rtol=1e-4) else 1.0
"""
taylor = [
    ENTRIES,
    TAYLOR.format(**FAIR | {"direction": "np.ones(len(x))"}),
    TAYLOR.format(**FAIR | {"direction": "np.eye(len(x))[0]"}),
    TAYLOR.format(**FAIR | {"first": 0, "last": -1}),
    TAYLOR.format(**FAIR | {"first": -8, "last": -12}),
    TAYLOR.format(**FAIR | {"linear": "0.0"}),
    TAYLOR.format(**FAIR | {"linear": "np.sum(g)"}),
    TAYLOR.format(**FAIR | {"linear": "np.linalg.norm(g * d)"}),
    "def taylor_slope(f, g, x): return 2.0",
    "def taylor_slope(f, g, x): return g",
]

DETECTOR = """
def suspicious(f, pullback, draw, rng):
    for _ in range({points}):
        x, h = draw(rng), 1e-5
        u = {cotangent}
        claimed, here = pullback(u, x), u @ f(x)
        noise = {noise}
        for claim, nudge in zip(claimed, h * np.eye(len(x))):
            ahead, behind = (u @ f(x + nudge) - here) / h, (here - u @ f(x - nudge)) / h
            central, size = (ahead + behind) / 2, abs(ahead) + abs(behind)
            if {kink}:
                continue
            if abs(claim - central) > {allowed}:
                return True
    return False
"""
CAREFUL = {
    "points": 20,
    "cotangent": "rng.normal(size=f(x).shape)",
    "noise": "16 * np.finfo(float).eps * (abs(u) @ abs(f(x))) / h",
    "kink": "abs(ahead - behind) > 1e-2 * size + noise",
    "allowed": "1e-4 * size + noise",
}

detector = [
    DETECTOR.format(**CAREFUL | {"cotangent": "np.ones(f(x).shape)"}),
    DETECTOR.format(**CAREFUL | {"points": 1}),
    DETECTOR.format(**CAREFUL | {"kink": "False"}),
    DETECTOR.format(**CAREFUL | {"allowed": "1e-5"}),
    DETECTOR.format(**CAREFUL | {"allowed": "1e-9 * size"}),
    DETECTOR.format(**CAREFUL | {"kink": "abs(ahead - behind) > 1e-9"}),
    "def suspicious(f, pullback, draw, rng): return True",
    "def suspicious(f, pullback, draw, rng): return False",
    "def suspicious(f, pullback, draw, rng): return 1e-9",
]

SLY = "def sly(u, x): return {}"
sly = [
    SLY.format("u * (np.sin(x) + x * np.cos(x))"),
    SLY.format("np.sin(x) + x * np.cos(x)"),
    SLY.format("u**2 * (np.sin(x) + x * np.cos(x))"),
    SLY.format("abs(u) * (np.sin(x) + x * np.cos(x))"),
    SLY.format("u * np.sin(x)"),
    SLY.format("u[::-1] * np.sin(x) + x * np.cos(x)"),
    SLY.format("np.sum(u) * (np.sin(x) + x * np.cos(x))"),
]

KINK = """
def kinked(f, x, h):
    def gap(h):
        return abs(f(x + h) - 2 * f(x) + f(x - h)) / h

    noise = 16 * np.finfo(float).eps * abs(f(x)) / h
    return bool({})
"""
kink = [
    KINK.format("gap(h) > 0"),
    KINK.format("gap(h) > 1e-2"),
    KINK.format("gap(h) > 1e-2 * abs(f(x + h) - f(x - h)) / h"),
    KINK.format("gap(h / 10) > gap(h) / 2 + 100 * noise"),
    KINK.format("abs(3 * gap(h / 3) - gap(h)) > gap(h) / 5"),
    KINK.format("abs(10 * gap(h) - gap(10 * h)) > gap(10 * h) / 5 + noise"),
    "def kinked(f, x, h): return False",
    "def kinked(f, x, h): return 1.0",
]

ALIASED = "def aliased(): return lambda t: {}, {}"
aliased = [
    ALIASED.format("np.sin(t)", "0.0"),
    ALIASED.format("abs(t) + t", "0.0"),
    ALIASED.format("np.sin(1e5 * t)", "0.0"),
    ALIASED.format("np.sin(2e5 * np.pi * t)", "0.25e-5"),
    ALIASED.format("1e9 * t**3 + t", "0.0"),
    ALIASED.format("1e12 + 2 * t", "0.0"),
]

MUTANTS = {"taylor": taylor, "detector": detector, "sly": sly, "kink": kink, "aliased": aliased}
