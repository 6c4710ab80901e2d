"""Wrong solutions of lecture 19's exercises, by task: what is written before it is understood."""

PEAK = """
def peak(lines, results):
    size = {{name: count for name, _, count in lines}}
    last = {{name: k for k, (name, _, _) in enumerate(lines)}}
    for k, (_, reads, _) in enumerate(lines):
        for read in reads:
            {lasts}
    {kept}
    most, alive = 0, set()
    for k, (name, _, _) in enumerate(lines):
        {before}
        most = max(most, sum(size[n] for n in alive))
        {after}
    return most
"""
LIVES = {
    "lasts": "last[read] = k",
    "kept": "last.update(dict.fromkeys(results, len(lines)))",
    "before": "alive.add(name)",
    "after": "alive = {n for n in alive if last[n] > k}",
}
peak = [
    "def peak(lines, results): return sum(size for _, _, size in lines)",
    "def peak(lines, results): return max(size for _, _, size in lines)",
    "def peak(lines, results): return sum(size for name, _, size in lines if name in results)",
    PEAK.format(**LIVES | {"kept": ""}),
    PEAK.format(**LIVES | {"after": ""}),
    PEAK.format(**LIVES | {"lasts": "last[read] = max(last.get(read, -1), k + 1)"}),
    PEAK.format(
        **LIVES | {"before": "alive = {n for n in alive if last[n] > k} | {name}", "after": ""}
    ),
]

REUSE = """
def reuse(lines, results):
    home, last, made = {{}}, {{}}, set()
    for k, (name, operation, reads) in enumerate(lines):
        for read in reads:
            last[home.get(read, (read, False))[0]] = k
        whose, turned = home.get(reads[0], (reads[0], False))
        home[name] = {home}
        if operation != "transpose":
            made.add(name)
    {kept}

    def may(k, read, reads):
        whose, turned = home.get(read, (read, False))
        if {own} or {late}:
            return False
        return {views}

    into = []
    for k, (_, operation, reads) in enumerate(lines):
        into.append(next((r for r in reads if {entrywise} and may(k, r, reads)), None))
    return into
"""
PARTS = {
    "home": '(whose, not turned) if operation == "transpose" else (name, False)',
    "kept": "last |= {home[r][0]: len(lines) for r in results}",
    "own": "whose not in made",
    "late": "last[whose] > k",
    "views": "(whose, not turned) not in [home.get(other) for other in reads]",
    "entrywise": 'operation not in ("matmul", "transpose")',
}


def changed(**parts):
    return REUSE.format(**PARTS | parts)


reuse = [
    "def reuse(lines, results): return [None] * len(lines)",
    "def reuse(lines, results): return [reads[0] for _, _, reads in lines]",
    "def reuse(lines, results): return [None]",
    "def reuse(lines, results): return [name for name, _, _ in lines]",
    changed(home="(name, False)", own="False"),
    changed(home="(name, False)"),
    changed(kept=""),
    changed(own="False"),
    changed(late="False"),
    changed(views="True"),
    changed(entrywise='operation != "transpose"'),
    changed(entrywise='operation != "matmul"'),
    changed(entrywise='operation in ("tanh", "sin")'),
]

BLOCKS = """
def in_blocks(x, size):
    y = np.empty_like(x)
    for k in range({places}):
        part = x[k : k + size]
        y[k : k + size] = {value}
    return y
"""
PLACES, VALUE = "0, len(x), size", "np.exp(np.sin(part)) * np.tanh(part) + 1"
blocks = [
    "def in_blocks(x, size): return whole(x)",
    BLOCKS.format(places="0, len(x) - size, size", value=VALUE).replace("empty", "zeros"),
    BLOCKS.format(places="0, len(x) // size", value=VALUE).replace("empty", "zeros"),
    BLOCKS.format(places="0, len(x) - len(x) % size, size", value=VALUE).replace("empty", "zeros"),
    BLOCKS.format(places=PLACES, value="np.exp(np.sin(part)) * np.tanh(part)"),
    BLOCKS.format(places=PLACES, value=VALUE).replace("empty_like(x)", "empty(size)"),
    BLOCKS.format(places=PLACES, value="whole(x)[k : k + size]"),
    BLOCKS.format(places=PLACES, value=VALUE).replace("np.empty_like(x)", "x"),
    """
def in_blocks(x, size):
    parts = [whole(x[k : k + size]) for k in range(0, len(x), size)]
    return np.concatenate([x[:0], *parts])
""",
    "def in_blocks(x, size): return [whole(x[k : k + size]) for k in range(0, len(x), size)]",
]

COUNTS = """
from math import prod

def counts(lines):
    flops = moved = 0
    for operation, operands, result in lines:
        if operation == {free}:
            continue
        moved += {moved}
        if operation == "matmul":
            flops += {product}
        else:
            flops += {other}
    return {found}
"""
COUNTED = {
    "free": '"transpose"',
    "moved": "8 * (sum(prod(shape) for shape in operands) + prod(result))",
    "product": "2 * operands[0][1] * prod(result)",
    "other": 'prod(operands[0] if operation == "sum" else result)',
    "found": "flops, moved",
}
counts = [
    COUNTS.format(**COUNTED | {"free": "None"}),
    COUNTS.format(**COUNTED | {"moved": "8 * prod(result)"}),
    COUNTS.format(**COUNTED | {"moved": "8 * (len(operands) + 1) * prod(result)"}),
    COUNTS.format(**COUNTED | {"moved": "8 * sum(prod(shape) for shape in operands)"}),
    COUNTS.format(**COUNTED | {"moved": "sum(map(prod, operands)) + prod(result)"}),
    COUNTS.format(**COUNTED | {"product": "operands[0][1] * prod(result)"}),
    COUNTS.format(**COUNTED | {"product": "2 * prod(result)"}),
    COUNTS.format(**COUNTED | {"other": "prod(result)"}),
    COUNTS.format(**COUNTED | {"found": "moved, flops"}),
    COUNTS.format(**COUNTED | {"found": "flops"}),
]

LONG = '[("add", ((500_000,), (500_000,)), (500_000,))]'
PRODUCT = '[("matmul", ((100, 100), (100, 100)), (100, 100))]'
misleading = [
    f"def misleading(): return {PRODUCT}, {LONG}",
    f"def misleading(): return {LONG}",
    f"def misleading(): return {LONG}, {LONG}",
    'def misleading(): return [("add", ((9,), (9,)), (9,))], [("sum", ((99,),), ())]',
    f'def misleading(): return {LONG}, [("matmul", ((100, 10), (100, 100)), (100, 100))]',
    f'def misleading(): return [("copy", ((9,),), (9,))], {PRODUCT}',
    f'def misleading(): return [("sum", ((9, 7),), (7, 9))], {PRODUCT}',
    "def misleading(): return 1, 2",
]

MUTANTS = {
    "peak": peak,
    "reuse": reuse,
    "blocks": blocks,
    "counts": counts,
    "misleading": misleading,
}
