"""Wrong solutions of lecture 22, by task: what students write before they understand."""

COUNT = """
from math import factorial
def how_many(n):
    return {{
        "thresholds": {thresholds},
        "signs": {signs},
        "largest": {largest},
        "ranked": {ranked},
    }}
"""
RIGHT = {"thresholds": "n + 1", "signs": "2**n", "largest": "2 ** (n - 1)"}
RIGHT |= {"ranked": "factorial(n)"}

count = [
    COUNT.format(**RIGHT | {"thresholds": "2**n"}),
    COUNT.format(**RIGHT | {"thresholds": "n"}),
    COUNT.format(**RIGHT | {"signs": "2 * n"}),
    COUNT.format(**RIGHT | {"signs": "n + 1"}),
    COUNT.format(**RIGHT | {"largest": "n"}),
    COUNT.format(**RIGHT | {"largest": "factorial(n)"}),
    COUNT.format(**RIGHT | {"ranked": "1"}),
    COUNT.format(**RIGHT | {"ranked": "2**n"}),
    COUNT.format(**RIGHT | {"ranked": "float(factorial(n))"}),
    COUNT.format(**RIGHT | {"signs": "str(2**n)"}),
    "def how_many(n): return n + 1, 2**n, 2 ** (n - 1), [1, 1, 2, 6][n]",
    "def how_many(n): return {'thresholds': n + 1, 'signs': 2**n}",
    "def how_many(n): return None",
]

BESIDE = """
def at_boundary(f, b):
    run, h = ad.value_and_grad(f), 1e-6
    return {}
"""
VALUES = "f(b + h) - f(b - h)"
SLOPES = "run(b - h)[1], run(b + h)[1]"
beside = [
    BESIDE.format(f"{VALUES}, run(b)[1], run(b)[1]"),
    BESIDE.format(f"{VALUES}, run(b + h)[1], run(b - h)[1]"),
    BESIDE.format(f"f(b - h) - f(b + h), {SLOPES}"),
    BESIDE.format(f"f(b + h) - f(b), {SLOPES}"),
    BESIDE.format(f"0.0, {SLOPES}"),
    BESIDE.format(f"{VALUES}, (f(b) - f(b - h)) / h, (f(b + h) - f(b)) / h"),
    BESIDE.format(f"{VALUES}, *[(f(b + h) - f(b - h)) / (2 * h)] * 2"),
    BESIDE.format("f(b + 0.1) - f(b - 0.1), run(b - 0.1)[1], run(b + 0.1)[1]"),
    BESIDE.format(SLOPES),
    BESIDE.format(f"np.array([{VALUES}, {SLOPES}])"),
    BESIDE.format(f"{VALUES}, None, None"),
]

LOOP = """
def cube_root_scan(a):
    def step(x):
        better = (2 * x + a / (x * x)) / 3
        return {step}
    return ad.scan(step, outputs_info={start}, n_steps={steps}){last}
"""
DONE = "abs(better - x) < 1e-3 * better"
SCAN = {"step": f"better, ad.until({DONE})", "start": "1.0", "steps": 50, "last": "[-1]"}
loop = [
    LOOP.format(**SCAN | {"step": "better"}),
    LOOP.format(**SCAN | {"step": "better, ad.until(abs(better - x) > 1e-3 * better)"}),
    LOOP.format(**SCAN | {"step": "better, ad.until(abs(better - x) < 1e-2 * better)"}),
    LOOP.format(**SCAN | {"step": "better, ad.until(abs(better**3 - a) < 1e-3 * a)"}),
    LOOP.format(**SCAN | {"step": f"x, ad.until({DONE})"}),
    LOOP.format(**SCAN | {"start": "a"}),
    LOOP.format(**SCAN | {"steps": 3}),
    LOOP.format(**SCAN | {"last": ""}),
    LOOP.format(**SCAN | {"last": "[0]"}),
    LOOP.format(**SCAN | {"step": f"(better, ad.until(True)) if {DONE} else better"}),
    "def cube_root_scan(a): return cube_root(a)",
    "def cube_root_scan(a): return a ** (1 / 3)",
    "def cube_root_scan(a): return cube_root(a) + 0 * ad.scan(abs, None, 1.0, n_steps=1)[-1]",
    "def cube_root_scan(a): pass",
    """
def cube_root_scan(a):
    x, going = 1.0, True
    for _ in range(12):
        better = (2 * x + a / (x * x)) / 3
        x, going = np.where(going, better, x), going & (abs(better - x) >= 1e-3 * better)
    return x
""",
]

LIE = """
def liars():
    names = "rated", "inverse", "power", "kind", "quiet", "highest"
    return dict(zip(names, ({}, {}, {}, {}, {}, {})))
"""
lie = [
    LIE.format(None, None, None, None, None, None),
    LIE.format(1.0, 0.0, None, 1.0, -1.0, None),
    LIE.format(None, 1.0, None, 1.0, -1.0, None),
    LIE.format(None, 0.0, 2.5, 1.0, -1.0, None),
    LIE.format(None, 0.0, None, 0.0, -1.0, None),
    LIE.format(None, 0.0, None, None, -1.0, None),
    LIE.format(None, 0.0, None, 1.0, 2.0, None),
    LIE.format(None, 0.0, None, 1.0, None, None),
    LIE.format(None, 0.0, None, 1.0, -1.0, 0.5),
    LIE.format(None, 0.0, None, "float", -1.0, None),
    LIE.format(None, 0.0, None, "'float'", -1.0, None),
    LIE.format(None, True, None, 1.0, -1.0, None),
    "def liars(): return {'inverse': 0.0, 'kind': 1.0, 'quiet': -1.0}",
    "def liars(): return ['inverse', 'kind', 'quiet']",
]

MUTANTS = {"count": count, "beside": beside, "loop": loop, "lie": lie}
