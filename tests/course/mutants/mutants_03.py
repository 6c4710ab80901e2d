"""Wrong solutions of lecture 3's exercises, by task: what students write before they understand."""

RULES = """
def derivative(tree):
    if not isinstance(tree, tuple):
        return {leaf}
    operation, u, v = tree
    du, dv = derivative(u), derivative(v)
    if operation in ("add", "subtract"):
        return {sums}
    if operation == "multiply":
        return {product}
    top = ({minus}, ("multiply", du, v), ("multiply", u, dv))
    return ("divide", top, {below})
"""
RIGHT = {
    "leaf": '1 if tree == "x" else 0',
    "sums": "(operation, du, dv)",
    "product": '("add", ("multiply", du, v), ("multiply", u, dv))',
    "minus": '"subtract"',
    "below": '("multiply", v, v)',
}
rules = [
    RULES.format(**RIGHT | {"product": '("multiply", du, dv)'}),
    RULES.format(**RIGHT | {"product": '("add", ("multiply", du, u), ("multiply", v, dv))'}),
    RULES.format(**RIGHT | {"product": '("subtract", ("multiply", du, v), ("multiply", u, dv))'}),
    RULES.format(**RIGHT | {"minus": '"add"'}),
    RULES.format(**RIGHT | {"below": "v"}),
    RULES.format(**RIGHT | {"below": '("multiply", dv, dv)'}),
    RULES.format(**RIGHT | {"below": '("power", v, 2)'}),
    RULES.format(**RIGHT | {"below": '("multiply", v)'}),
    RULES.format(**RIGHT | {"sums": '("add", du, dv)'}),
    RULES.format(**RIGHT | {"leaf": "1"}),
    RULES.format(**RIGHT | {"leaf": "0"}),
    RULES.format(**RIGHT | {"leaf": 'None if tree == "x" else 0'}),
    RULES.format(**RIGHT | {"leaf": 'float("nan") if tree == "x" else 0'}),
    RULES.format(**RIGHT | {"leaf": 'tree if tree == "x" else 0'}),
    """
def derivative(tree):
    if not isinstance(tree, tuple):
        return 1 if tree == "x" else 0
    operation, u, v = tree
    du, dv = derivative(u), derivative(v)
    if operation in ("add", "subtract"):
        return (operation, du, dv)
    parts = ("divide", du, u), ("divide", dv, v)
    return ("multiply", tree, ("add" if operation == "multiply" else "subtract", *parts))
""",
    "def derivative(tree): return 'the derivative of ' + str(tree)",
    "def derivative(tree): return derivative(tree)",
    "def derivative(tree): return str(ad.symbolic_derivative(x * x, x).output)",
]

SIZES = """
def sizes(n):
    s = d = 1
    for _ in range(n - 1):
        s, d = {tree}, {derived}
    return {result}
"""
GROWTH = {"tree": "3 * s + 2", "derived": "3 * d + 5 * s + 7"}
GROWTH |= {"result": "s, 2 * n - 1, d, 8 * n - 7"}
sizes = [
    SIZES.format(**GROWTH | {"tree": "3 * s + 1"}),
    SIZES.format(**GROWTH | {"tree": "s + 2"}),
    SIZES.format(**GROWTH | {"derived": "2 * d + 3 * s + 14"}),
    SIZES.format(**GROWTH | {"derived": "3 * d + 6 * s + 7"}),
    SIZES.format(**GROWTH | {"derived": "3 * d + 5 * s + 6"}),
    SIZES.format(**GROWTH | {"result": "s, 3 * n, d, 8 * n - 7"}),
    SIZES.format(**GROWTH | {"result": "s, 2 * n - 1, d, 10 * n - 7"}),
    SIZES.format(**GROWTH | {"result": "s, 2 * n - 1, d, 7 * n - 6"}),
    SIZES.format(**GROWTH | {"result": "s, s, d, d"}),
    SIZES.format(**GROWTH | {"result": "float(s), 2 * n - 1, d, 8 * n - 7"}),
    SIZES.format(**GROWTH | {"result": "int(float(s)), 2 * n - 1, d, 8 * n - 7"}),
    SIZES.format(**GROWTH | {"result": "s, d"}),
    """
def sizes(n):
    f = x
    for _ in range(n - 1):
        f = cube(f)
    both = ad.Graph(f), ad.symbolic_derivative(f, x).graph
    return [size for graph in both for size in (graph.tree_size, graph.size)]
""",
]

MERGE = """
def merged(tree):
    number = {{}}

    def place(part):
        row = {row} if isinstance(part, tuple) else part
        return number.setdefault(row, {next})

    place(tree)
    return {result}
"""
PLACED = {"row": "(part[0], place(part[1]), place(part[2]))", "next": "len(number)"}
PLACED |= {"result": "list(number)"}
merge = [
    MERGE.format(**PLACED | {"row": "(part[0], *sorted([place(part[1]), place(part[2])]))"}),
    MERGE.format(**PLACED | {"row": "(part[0], place(part[2]), place(part[1]))"}),
    MERGE.format(**PLACED | {"row": "(place(part[1]), place(part[2]))"}),
    MERGE.format(**PLACED | {"next": "len(number) + 1"}),
    MERGE.format(**PLACED | {"result": "list(number)[::-1]"}),
    MERGE.format(**PLACED | {"result": "number"}),
    MERGE.format(**PLACED | {"result": "len(number)"}),
    MERGE.format(**PLACED | {"result": "[*number, 'x']"}),
    MERGE.format(**PLACED | {"result": "['unused', *number]"}),
    """
def merged(tree):
    rows = []

    def place(part):
        rows.append((part[0], place(part[1]), place(part[2])) if isinstance(part, tuple) else part)
        return len(rows) - 1

    place(tree)
    return rows
""",
    """
def merged(tree):
    rows, known = [], {}

    def place(part):
        if id(part) not in known:
            row = (part[0], *map(place, part[1:])) if isinstance(part, tuple) else part
            rows.append(row)
            known[id(part)] = len(rows) - 1
        return known[id(part)]

    place(tree)
    return rows
""",
    """
def merged(tree):
    rows = set()

    def collect(part):
        rows.add(part)
        if isinstance(part, tuple):
            collect(part[1]), collect(part[2])

    collect(tree)
    return list(rows)
""",
    "def merged(tree): return [tree]",
    "def merged(tree): return []",
]

SWOLLEN = "def swollen(x, n):\n    {}"
swell = [
    SWOLLEN.format("return x"),
    SWOLLEN.format("return sum([x] * n) if n > 1 else x"),
    SWOLLEN.format("for _ in range(n - 1): x = -x\n    return x"),
    SWOLLEN.format("for _ in range(n.bit_length() - 1): x = x * x\n    return x"),
    SWOLLEN.format("for _ in range(n): x = x * x\n    return x"),
    SWOLLEN.format("return ad.symbolic_derivative(swollen(x, n), x)"),
    SWOLLEN.format("return ad.Graph(x)"),
    SWOLLEN.format("return n"),
    """
def swollen(x, n):
    if n == 1:
        return x
    return -swollen(x, n - 1) if n % 2 == 0 else swollen(x, n // 2) * swollen(x, n // 2)
""",
    """
def swollen(x, n):
    if n <= 2:
        return x if n == 1 else -x
    return swollen(x, n - 2) + x
""",
]

MUTANTS = {"rules": rules, "sizes": sizes, "merge": merge, "swell": swell}
