"""Wrong solutions of lecture 17's exercises, by task: what is written before it is understood."""

ROOTS = """
def roots(T):
    N = {size}
    actions = []
    for i in range(T):
        actions += [("keep", i)] * (i % N == 0) + [("run", i)] * (i < T - 1)
    for first in reversed(range(0, T, N)):
        actions.append(("take", first))
        segment = range(first, min(first + N, T))
        for i in segment[:-1]:
            actions += [("run", i), ("keep", i + 1)]
        for i in {order}:
            actions += {back}
    return actions
"""
ROOT, GOOD = "int(np.ceil(np.sqrt(T)))", '[("take", i), ("back", i), ("drop", i)]'
FROM_ZERO = """
def roots(T):
    actions = [("keep", 0)]
    for i in reversed(range(T)):
        actions += [("take", 0), *[("run", k) for k in range(i)], ("back", i)]
    return actions
"""
roots = [
    FROM_ZERO,
    ROOTS.format(size="1", order="reversed(segment)", back=GOOD),
    ROOTS.format(size="T", order="reversed(segment)", back=GOOD),
    ROOTS.format(size="10", order="reversed(segment)", back=GOOD),
    ROOTS.format(size=ROOT, order="segment", back=GOOD),
    ROOTS.format(size=ROOT, order="reversed(segment)", back='[("take", i), ("back", i)]'),
    ROOTS.format(size=ROOT, order="reversed(segment)", back='[("back", i), ("drop", i)]'),
    ROOTS.format(size=ROOT, order="reversed(segment)[1:]", back=GOOD).replace(
        "reversed(segment)[1:]", "list(reversed(segment))[1:]"
    ),
    "def roots(T): return [i for i in range(T)]",
    "def roots(T): return []",
]

FORMULA = """
from math import comb

def fewest(l, s):
    r = 0
    while comb(s + r, s) {less} l:
        r += 1
    return {steps}
"""
PROGRAMME = """
from functools import cache

@cache
def fewest(l, s):
    if l == 1:
        return 0
    if s == 0:
        return {none}
    return min({steps} for k in range(1, l))
"""
SPLIT = "k + fewest(l - k, s - 1) + fewest(k, s)"
fewest = [
    FORMULA.format(less="<", steps="r * l - comb(s + r, s)"),
    FORMULA.format(less="<", steps="r * l"),
    FORMULA.format(less="<=", steps="(r - 1) * l - comb(s + r, s + 1)"),
    PROGRAMME.format(none="0", steps=SPLIT),
    PROGRAMME.format(none="float('inf')", steps="k + fewest(l - k, s - 1) + fewest(k, s - 1)"),
    PROGRAMME.format(none="float('inf')", steps="k + fewest(l - k, s) + fewest(k, s)"),
    PROGRAMME.format(none="l * (l - 1) // 2", steps=SPLIT),
    "def fewest(l, s): return l * (l - 1) // 2 // s",
]

FEWEST = """
from math import comb

def fewest(l, s):
    r = 0
    while comb(s + r, s) < l:
        r += 1
    return r * l - comb(s + r, s + 1) if s and r else 0 if r == 0 else float("inf")
"""
REVOLVE = """
def revolve(l, s):
    def reverse(first, n, place):
        if n == 1:
            return [("back", first)]
        k = {cut}
        middle = first + k
        there = {there}
        forward = [("run", i) for i in range(first, middle)]
        return [*forward, *there, {take} *reverse(first, k, place)]

    return [{begin} *reverse(0, l, s)]
"""
BEST = (
    "n - 1 if place == 1 else min(range(1, n), key=lambda k: k + fewest(n - k, place - 1)"
    " + fewest(k, place))"
)
THERE = '[("keep", middle), *reverse(middle, n - k, place - 1), ("drop", middle)]'
ONE = f'[("back", middle)] if n - k == 1 else {THERE}'
PARTS = {
    "cut": BEST,
    "there": ONE,
    "take": '("take", first),',
    "begin": '("keep", 0),',
}


def changed(**parts):
    return FEWEST + REVOLVE.format(**PARTS | parts)


revolve = [
    changed(cut="n - 1 if place == 1 else n // 2"),
    changed(cut="n - 1 if place == 1 else max(1, n // place)"),
    changed(cut="n - 1"),
    changed(cut="1"),
    changed(there='[("keep", middle), *reverse(middle, n - k, place - 1)]'),
    changed(take=""),
    changed(begin=""),
    changed(begin="", there=THERE),
    ROOTS.format(size="int(np.ceil(np.sqrt(T)))", order="reversed(segment)", back=GOOD)
    + "def revolve(l, s): return roots(l)",
]

MARKED = """
def marked(a, b, h):
    {box}
    for k in range(10):
        h = {step}
    return ad.mean(h * h)
"""
OTHER = "other = ad.checkpoint(lambda a, b, h: {})"
marked = [
    "def marked(a, b, h): return network(a, b, h)",
    "def marked(a, b, h): return ad.checkpoint(network)(a, b, h)",
    MARKED.format(
        box="wide = ad.checkpoint(lambda a, h: ad.tanh(h[:, None] * a))",
        step="h + wide(a[k], h) @ b[k]",
    ),
    MARKED.format(
        box="box = ad.checkpoint(block)", step="(box if k < 3 else block)(a[k], b[k], h)"
    ),
    MARKED.format(box=OTHER.format("ad.tanh(h[:, None] * a) @ b"), step="other(a[k], b[k], h)"),
    MARKED.format(box=OTHER.format("block(a, b, h)"), step="other(a[0], b[0], h)"),
    MARKED.format(
        box=OTHER.format("block(a, b, h)"), step="other(a[k], b[k], ad.disconnected_grad(h))"
    ),
    MARKED.format(
        box=OTHER.format("h + ad.clip(h[:, None] * a, -1, 1) @ b"), step="other(a[k], b[k], h)"
    ),
]

ROOM = f"""
{FEWEST}
def room(l, factor):
    s = 1
    while {{too_long}}:
        s += 1
    return s
"""
room = [
    ROOM.format(too_long="fewest(l, s) > factor * (l - 1)"),
    ROOM.format(too_long="fewest(l, s) + 2 * l > factor * l"),
    ROOM.format(too_long="fewest(l, s) > factor * (3 * l - 1)"),
    ROOM.format(too_long="fewest(l, s) + 2 * l > factor * (3 * l - 1)").replace("= 1", "= 2"),
    "def room(l, factor): return round(l ** 0.5)",
    "def room(l, factor): return l",
    "def room(l, factor): return 1",
    "def room(l, factor): return l / 20",
]

few = [
    "def one_parameter(w, x): return ad.sum(w * x)",
    "def one_parameter(w, x): return ad.sum(x + 40 * w)",
    "def one_parameter(w, x): return ad.sum(ad.exp(w * x))",
    """
def one_parameter(w, x):
    for _ in range(12):
        x = ad.tanh(w * x)
    return ad.sum(x)
""",
    """
def one_parameter(w, x):
    for _ in range(40):
        x = x + w
    return ad.sum(ad.exp(x))
""",
]
many = [
    "def many_parameters(v, x): return ad.sum(x + v)",
    """
def many_parameters(v, x):
    for _ in range(50):
        x = ad.tanh(x + v)
    return ad.sum(x)
""",
    """
def many_parameters(v, x):
    for _ in range(50):
        x = x + v
    return x[0]
""",
    """
def many_parameters(v, x):
    for _ in range(60):
        x = ad.sin(v * x)
    return ad.sum(x)
""",
]

MUTANTS = {
    "roots": roots,
    "fewest": fewest,
    "revolve": revolve,
    "marked": marked,
    "room": room,
    "few": few,
    "many": many,
}
