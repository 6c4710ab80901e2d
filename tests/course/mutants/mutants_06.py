"""Wrong solutions of lecture 6's exercises, by task: what students write before they understand."""

OVERLAP = "def in_both(): return {{'product': {}, 'inside': {}}}"
PRODUCT, INSIDE = "{'sin(x)', 'cos(x)', '1 * sin(x)'}", "{'x * x', 'cos(x * x)'}"
overlap = [
    OVERLAP.format("{'sin(x)', 'cos(x)'}", INSIDE),
    OVERLAP.format("{'sin(x)', 'cos(x)', '1 * sin(x)', '1 * cos(x)'}", INSIDE),
    OVERLAP.format("set(NODES['product'])", INSIDE),
    OVERLAP.format("set()", INSIDE),
    OVERLAP.format(PRODUCT, "{'cos(x * x)'}"),
    OVERLAP.format(PRODUCT, "{'x * x', 'cos(x * x)', 'x * 1'}"),
    OVERLAP.format(PRODUCT, "{'x * x', 'cos(x * x)', 'sin(x * x)'}"),
    OVERLAP.format(PRODUCT, "'x * x'"),
    OVERLAP.format(PRODUCT, "{'x*x', 'cos(x*x)'}"),
    f"def in_both(): return {PRODUCT}, {INSIDE}",
    "def in_both(): return {'product': {'sin(x)', 'cos(x)', '1 * sin(x)'}}",
    """
def in_both():
    found = {}
    for name, f in FORMULAS.items():
        ways = ad.symbolic_derivative(f, x), ad.reverse_mode(f, x)
        one, other = ({str(n) for n in way.graph.operations} for way in ways)
        found[name] = one & other
    return found
""",
]

ENOUGH = "def enough(): return dict(zip(EXAMPLES, ({})))"
LEVELS = ["merge", "ones", "ones", "order", "order", "multiply out"]


def levels(**changed):
    found = [changed.get(f"at{k}", level) for k, level in enumerate(LEVELS)]
    return ENOUGH.format(", ".join(map(repr, found)))


enough = [
    levels(at0="ones"),
    levels(at1="merge"),
    levels(at2="multiply out"),
    levels(at2="order"),
    levels(at3="ones"),
    levels(at3="multiply out"),
    levels(at4="ones"),
    levels(at5="order"),
    levels(at5="never"),
    levels(at5=3),
    "def enough(): return ['merge', 'ones', 'ones', 'order', 'order', 'multiply out']",
    "def enough(): return dict.fromkeys(EXAMPLES, 'multiply out')",
    "def enough(): return {'square': 'merge'}",
]

TERMS = """
def terms(tree):
    if not isinstance(tree, tuple):
        return {leaf}
    operation, left, right = tree[0], terms(tree[1]), terms(tree[2])
    if operation == "add":
        return {sums}
    return {products}
"""
FORM = {
    "leaf": "{0: [], 1: [[]]}.get(tree, [[tree]])",
    "sums": "sorted(left + right)",
    "products": "sorted(sorted(a + b) for a in left for b in right)",
}
terms = [
    TERMS.format(**FORM | {"leaf": "[[tree]]"}),
    TERMS.format(**FORM | {"leaf": "[[]] if tree == 1 else [[str(tree)]]"}),
    TERMS.format(**FORM | {"leaf": "[] if tree in (0, 1) else [[tree]]"}),
    TERMS.format(**FORM | {"leaf": "tree"}),
    TERMS.format(**FORM | {"sums": "left + right"}),
    TERMS.format(**FORM | {"sums": "[t for t in left if t not in right] + right"}),
    TERMS.format(**FORM | {"sums": "sorted(a + b for a in left for b in right)"}),
    TERMS.format(**FORM | {"products": "sorted(a + b for a in left for b in right)"}),
    TERMS.format(**FORM | {"products": "[sorted(a + b) for a, b in zip(left, right)]"}),
    TERMS.format(**FORM | {"products": "sorted(left + right)"}),
    TERMS.format(**FORM | {"products": "sorted(sorted({*a, *b}) for a in left for b in right)"}),
    "def terms(tree): return [[str(tree)]]",
    "def terms(tree): return []",
    "def terms(tree): return tree",
]

CHAIN = """
def jacobian(factors):
    factors = {given}
    total = factors[0]
    for factor in factors[1:]:
        total = {product}
    return total
"""
FROM_INPUTS = CHAIN.format(given="factors", product="times(factor, total)")
FROM_RESULT = CHAIN.format(given="factors[::-1]", product="times(total, factor)")
BY_ENDS = """
def jacobian(factors):
    inputs, results = len(factors[0][0]), len(factors[-1])
    if inputs {} results:
        total = factors[0]
        for factor in factors[1:]:
            total = times(factor, total)
        return total
    total = factors[-1]
    for factor in factors[-2::-1]:
        total = times(total, factor)
    return total
"""
chain = [
    FROM_INPUTS,
    FROM_RESULT,
    BY_ENDS.format("<="),
    BY_ENDS.format(">"),
    CHAIN.format(given="factors", product="times(total, factor)"),
    CHAIN.format(given="factors[::-1]", product="times(factor, total)"),
    "def jacobian(factors):\n    import numpy as np\n"
    "    return np.linalg.multi_dot([np.eye(len(factors[-1])), *map(np.array, factors[::-1])])",
    "def jacobian(factors): return factors[0]",
    "def jacobian(factors): return sum(map(len, factors))",
    "def jacobian(factors): return None",
]

MUTANTS = {
    "overlap": overlap,
    "enough": enough,
    "terms": terms,
    "chain": chain,
}
