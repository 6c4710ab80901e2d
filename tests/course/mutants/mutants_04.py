"""Wrong solutions of lecture 4's exercises, by task: what students write before they understand."""

PAIRS = """
def times(a, b):
    return {times}


def over(a, b):
    return {over}


def sine(a):
    return {sine}
"""
RIGHT = {
    "times": "(a[0] * b[0], a[1] * b[0] + a[0] * b[1])",
    "over": "(a[0] / b[0], (a[1] - a[0] / b[0] * b[1]) / b[0])",
    "sine": "(math.sin(a[0]), math.cos(a[0]) * a[1])",
}


def pair(**wrong):
    return PAIRS.format(**RIGHT | wrong)


pairs = [
    pair(times="(a[0] * b[0], a[1] * b[1])"),
    pair(times="(a[0] * b[0], a[1] * b[0] + a[0] * b[1] + a[1] * b[1])"),
    pair(over="(a[0] / b[0], a[1] / b[1])"),
    pair(over="(a[0] / b[0], (a[1] * b[0] + a[0] * b[1]) / b[0] ** 2)"),
    pair(over="(a[0] / b[0], (a[1] * b[0] - a[0] * b[1]) / b[0])"),
    pair(sine="(math.sin(a[0]), math.cos(a[0]))"),
    pair(sine="(math.sin(a[0]), math.cos(a[1]))"),
    pair(sine="(math.sin(a[0]), -math.cos(a[0]) * a[1])"),
    pair(sine="math.sin(a[0])"),
]

COLUMN = """
def column(x1, x2, r1, r2):
    t1, t2, t3 = {}
    return [r1, r2, t1, t2, t3, t1 + t2, t1 + t2 {} t3]
"""
SECOND = "def column(x1, x2, r1, r2): return [0, 1, 0, x1, math.cos(x2), x1, x1 - math.cos(x2)]"
column = [
    COLUMN.format("1 / x1, r1 * x2 + x1 * r2, math.cos(x2) * r2", "-"),
    COLUMN.format("r1 / x1, x2 + x1, math.cos(x2) * r2", "-"),
    COLUMN.format("r1 / x1, r1 * x2 + x1 * r2, math.cos(r2)", "-"),
    COLUMN.format("r1 / x1, r1 * x2 + x1 * r2, math.cos(x2) * r2", "+"),
    SECOND,
    "def column(x1, x2, r1, r2): return by_the_engine(x1, x2, r1, r2)",
]

JACOBIAN = """
def along(x, r):
    found = []
    for k in range(len(x)):
        rates = []
        for i in range(k + 1):
            entry = r[i]
            for j in range(k + 1):
                entry = entry * x[j] if j != i else entry
            rates.append(entry)
        found.append(sum(rates, 0.0))
    return found
"""
QUOTIENTS = """
def along(x, r):
    products, share, found = running(*x), 0.0, []
    for p, factor, rate in zip(products, x, r):
        share = share + rate / factor
        found.append(p * share)
    return found
"""
SWEEP = """
def along(x, r):
    value, tangent = x[0], r[0]
    found = [tangent]
    for factor, rate in zip(x[1:], r[1:]):
        {}
        found.append(tangent)
    return found
"""
direction = [
    JACOBIAN,
    QUOTIENTS,
    SWEEP.format("value = value * factor; tangent = tangent * factor + value * rate"),
    SWEEP.format("value, tangent = value * factor, tangent * rate"),
    SWEEP.format("value, tangent = value * factor, tangent * factor + rate"),
    "def along(x, r): return running(*r)",
    "def along(x, r): return [a * b for a, b in zip(x, r)]",
]

ROOM = """
def room_pair(c):
    loss, dloss = c
    T, dT = 15.0, 0.0
    for _ in range(60):
        {}
        if {}:
            {}
    return T, dT
"""
MINUTE = "T, dT = T - loss * (T - 5.0), dT - dloss * (T - 5.0) - loss * dT"
COLD, HEAT = "T < 20.0", "T, dT = T + 0.2 * (22.0 - T), dT - 0.2 * dT"
DIFFERENCE = "def room_pair(c): return room(c[0]), (room(c[0] + 1e-7) - room(c[0])) / 1e-7 * c[1]"
CENTRAL = """
def room_pair(c):
    h = 1e-7
    return room(c[0]), (room(c[0] + h) - room(c[0] - h)) / (2 * h) * c[1]
"""
room = [
    ROOM.format(MINUTE, COLD, "T = T + 0.2 * (22.0 - T)"),
    ROOM.format(MINUTE, COLD, "T, dT = T + 0.2 * (22.0 - T), dT + 0.2 * dT"),
    ROOM.format(MINUTE, "dT < 20.0", HEAT),
    ROOM.format("T = T - loss * (T - 5.0); dT = dT - dloss * (T - 5.0) - loss * dT", COLD, HEAT),
    ROOM.format("T, dT = T - loss * (T - 5.0), dT - dloss * (T - 5.0)", COLD, HEAT),
    ROOM.format(MINUTE.replace("dloss", "1.0"), COLD, HEAT),
    DIFFERENCE,
    CENTRAL,
]

blind_spot = [f"def blind_spot(): return {x}" for x in ("1.0", "1e-3", "-700.0", "float('nan')")]

MUTANTS = {
    "pairs": pairs,
    "column": column,
    "direction": direction,
    "room": room,
    "break": blind_spot,
}
