"""Wrong solutions of lecture 1's exercises, by task: what students write before they understand."""

COUNTS = """
def node_counts():
    return {{"once": {once}, "twice": {twice}, "halves": {halves}, "tower": {tower}}}
"""
COUNTED = {"once": (6, 9), "twice": (7, 9), "halves": (6, 7), "tower": (5, 23)}
count = [
    COUNTS.format(**COUNTED | {"once": (3, 9)}),
    COUNTS.format(**COUNTED | {"once": (9, 9)}),
    COUNTS.format(**COUNTED | {"once": (6, 6)}),
    COUNTS.format(**COUNTED | {"twice": (6, 9)}),
    COUNTS.format(**COUNTED | {"twice": (8, 9)}),
    COUNTS.format(**COUNTED | {"halves": (7, 7)}),
    COUNTS.format(**COUNTED | {"tower": (5, 9)}),
    COUNTS.format(**COUNTED | {"tower": (5, 31)}),
    COUNTS.format(**COUNTED | {"tower": 5}),
    COUNTS.format(**COUNTED | {"tower": (5.0, 23.0)}),
    COUNTS.format(**COUNTED | {"tower": ("5", "23")}),
    "def node_counts(): return [(6, 9), (7, 9), (6, 7), (5, 23)]",
    "def node_counts(): return {'once': (6, 9)}",
    """
def node_counts():
    return {name: (ad.Graph(f).size, ad.Graph(f).tree_size) for name, f in FORMULAS.items()}
""",
]

ORDER = "def one_order(): return {}"
order = [
    ORDER.format("list(USES)"),
    ORDER.format("sorted(USES)"),
    ORDER.format("sorted(USES, reverse=True)"),
    ORDER.format("['q', 'r', 'u', 's', 'p', 'v', 't']"),
    ORDER.format("['t', 'v', 'u', 's', 'r', 'q']"),
    ORDER.format("['a', 'b', 'c', 't', 'v', 'p', 'u', 's', 'r', 'q']"),
    ORDER.format("['t', 'v', 'p', 't', 'u', 's', 'r', 'q']"),
    ORDER.format("[['t', 'v'], ['p', 's', 'u'], ['r'], ['q']]"),
    ORDER.format("'tvpusrq'"),
    ORDER.format("[]"),
]

BY_LEVEL = """
def rounds(uses):
    def level(name):
        return 1 + max(map(level, uses[name])) if name in uses else 0
    found = [[] for _ in range(1 + max(map(level, uses)))]
    for name in uses:
        found[level(name){shift}].append(name)
    return found
"""
GREEDY = """
def rounds(uses):
    left, found = dict(uses), []
    while left:
        ready = [name for name in left if not any(o in left for o in left[name])]{cut}
        found.append(ready)
        left = {{name: o for name, o in left.items() if name not in ready}}
    return {result}
"""
rounds = [
    GREEDY.format(cut="[:1]", result="found"),
    GREEDY.format(cut="[:2]", result="found"),
    GREEDY.format(cut="", result="found[::-1]"),
    GREEDY.format(cut="", result="sum(found, [])"),
    GREEDY.format(cut="", result="len(found)"),
    GREEDY.format(cut="", result="found[:-1]"),
    GREEDY.format(cut="", result="[names + found[0] for names in found]"),
    BY_LEVEL.format(shift=""),
    "def rounds(uses): return [list(uses)]",
    "def rounds(uses): return [[name] for name in uses]",
    "def rounds(uses): return [[o for n in uses for o in uses[n]], list(uses)]",
    "def rounds(uses): return [['t', 'v'], ['p', 's', 'u'], ['r'], ['q']]",
    """
def rounds(uses):
    result = []
    while uses:
        result.append([n for n in uses if not uses.keys() & {*uses[n]}])
        for n in result[-1]:
            del uses[n]
    return result""",
    "def rounds(uses): pass",
]

WORDS = """
def from_words(a, b, c):
    return {{"apart": {apart}, "nested": {nested}, "ratio": {ratio}, "deep": {deep}}}
"""
SAID = {"apart": "a * (b - c)", "nested": "a - (b - c)", "ratio": "(a + b) / (c * (a + b))"}
SAID |= {"deep": "(a / b - c) * (a + b)"}
words = [
    WORDS.format(**SAID | {"apart": "a * b - c"}),
    WORDS.format(**SAID | {"apart": "a * b - a * c"}),
    WORDS.format(**SAID | {"apart": "a * (c - b)"}),
    WORDS.format(**SAID | {"nested": "a - b - c"}),
    WORDS.format(**SAID | {"nested": "a - b + c"}),
    WORDS.format(**SAID | {"ratio": "(a + b) / c * (a + b)"}),
    WORDS.format(**SAID | {"ratio": "1 / c"}),
    WORDS.format(**SAID | {"ratio": "(a + b) / (c * a + b)"}),
    WORDS.format(**SAID | {"deep": "a / b - c * (a + b)"}),
    WORDS.format(**SAID | {"deep": "(a / (b - c)) * (a + b)"}),
    WORDS.format(**SAID | {"deep": "a"}),
    WORDS.format(**SAID | {"deep": "ad.scalar('a') * b"}),
    WORDS.format(**SAID | {"deep": "1.0"}),
    WORDS.format(**SAID | {"deep": "'the product'"}),
    "def from_words(a, b, c): return a * (b - c)",
    "def from_words(a, b, c): return {'apart': a * (b - c)}",
]

SHARED = """
def shared(x, y):
    p, q = {p}, {q}
    r = {r}
    return {root}
"""
PARTS = {"p": "x * y + 1", "q": "x - y", "r": "p * p + q * q", "root": "np.sqrt(r) / (r + 1)"}
share = [
    SHARED.format(**PARTS | {"root": "np.sqrt(p * p + q * q) / (r + 1)"}),
    SHARED.format(**PARTS | {"r": "p * p + (x - y) * (x - y)"}),
    SHARED.format(**PARTS | {"root": "np.sqrt(r) / r + 1"}),
    SHARED.format(**PARTS | {"p": "x * (y + 1)"}),
    SHARED.format(**PARTS | {"r": "(p + q) * (p + q)"}),
    SHARED.format(**PARTS | {"root": "np.sqrt(r) / (r + 1) if x > 0 else 0.0"}),
    SHARED.format(**PARTS | {"root": "float(np.sqrt(r) / (r + 1))"}),
    "def shared(x, y): return copied(x, y)",
    "def shared(x, y): return ad.simplify(copied(x, y), rules=[]).output",
    "def shared(x, y): return x if isinstance(x, ad.Expr) else None",
    "def shared(x, y): return 1.0 if isinstance(x, ad.Expr) else copied(x, y)",
]

MUTANTS = {"count": count, "order": order, "rounds": rounds, "words": words, "share": share}
