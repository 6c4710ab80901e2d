"""Wrong solutions of lecture 5's exercises, by task: what students write before they understand."""

SWEEP = """
def backward(tape, values):
    adjoint = {{name: 0.0 for name, _, _ in tape}}
    adjoint[tape[-1][0]] = 1.0
    for name, op, operands in {order}:
        if op != "input":
            factors = course.FACTORS[op](*[values[o] for o in operands])
            for operand, factor in zip(operands, factors):
                adjoint[operand] {add} {what}
    return adjoint
"""
KEPT = """
def backward(tape, values, adjoint={}):
    adjoint[tape[-1][0]] = 1.0
    for name, _, _ in tape:
        adjoint.setdefault(name, 0.0)
    for name, op, operands in reversed(tape):
        if op != "input":
            factors = course.FACTORS[op](*[values[o] for o in operands])
            for operand, factor in zip(operands, factors):
                adjoint[operand] += adjoint[name] * factor
    return adjoint
"""
FROM_THE_BACK = {"order": "reversed(tape)", "add": "+=", "what": "adjoint[name] * factor"}

backward = [
    SWEEP.format(**FROM_THE_BACK | {"add": "="}),
    SWEEP.format(**FROM_THE_BACK | {"order": "tape"}),
    SWEEP.format(**FROM_THE_BACK | {"what": "factor"}),
    SWEEP.format(**FROM_THE_BACK | {"what": "adjoint[name]"}),
    KEPT,
    "def backward(tape, values): return {tape[0][0]: 6.0, tape[-1][0]: 1.0}",
    "def backward(tape, values): pass",
]

RECURSIVE = """
def order(graph):
    result = []

    def place(node):
        if node not in result:
            for i in graph[node]:
                place(i)
            result.append(node)

    for node in graph:
        place(node)
    return result
"""
DEEPER = RECURSIVE.replace("result = []", "result = []; import sys; sys.setrecursionlimit(10**6)")
BY_DISTANCE = """
def order(graph):
    result, queue = [], [n for n in graph if not graph[n]]
    while queue:
        node = queue.pop(0)
        if node not in result:
            result.append(node)
            queue += [n for n in graph if node in graph[n]]
    return result
"""
TWICE = """
def order(graph):
    result, stack = [], list(graph)
    while stack:
        node = stack.pop()
        result.append(node)
        stack.extend(graph[node])
    return result[::-1]
"""

order = [
    "def order(graph): return list(graph)",
    "def order(graph): return sorted(graph)",
    "def order(graph): return sorted(graph, key=lambda n: len(graph[n]))",
    "def order(graph): return [n for n in graph if not graph[n]]",
    RECURSIVE,
    DEEPER,
    BY_DISTANCE,
    TWICE,
]

GRADIENT = "def product_gradient(x):\n    "
IN_PLACE = GRADIENT + "x[x == 0] = 1e-300\n    return np.prod(x) / x"
ENGINE = """
v = ad.vector("v")
program = ad.function([v], ad.grad(ad.prod(v), v))


def product_gradient(x):
    return program(x)
"""

product_gradient = [
    GRADIENT + "return np.prod(x) / x",
    GRADIENT + "return np.nan_to_num(np.prod(x) / x)",
    GRADIENT + "return np.array([np.prod(x[x != x[k]]) for k in range(len(x))])",
    GRADIENT + "return np.where(x == 0, np.prod(x[x != 0]), np.prod(x) / np.where(x == 0, 1, x))",
    IN_PLACE,
    ENGINE,
]

count = [
    "def multiplications(n): return n * (n - 2)",
    "def multiplications(n): return 3 * (n - 1)",
    "def multiplications(n): return 2 * n - 3",
    "def multiplications(n): return in_the_graph(n)",
]

TWO_SWEEPS = """
def value_and_gradient(x):
    before, after = [x[0]], [x[-1]]
    for factor in x[1:]:
        before.append(before[-1] * factor)
    for factor in x[-2::-1]:
        after.append(after[-1] * factor)
    inner = [before[k - 1] * after[len(x) - k - 2] for k in range(1, len(x) - 1)]
    return before[-1], [after[len(x) - 2], *inner, before[-2]]
"""
cost = [
    "def value_and_gradient(x): return prod(x), [prod(x) / v for v in x]",
    "def value_and_gradient(x): return prod(x), [prod(x[:k] + x[k + 1:]) for k in range(len(x))]",
    "def value_and_gradient(x): return prod(x), [prod(x) * v**-1 for v in x]",
    "def value_and_gradient(x): return np.prod(x), np.prod(x) / np.array(x)",
    "def value_and_gradient(x): return prod(x), x",
    TWO_SWEEPS,
]

COUNTEREXAMPLE = "def counterexample(): return {}"
counterexample = [
    COUNTEREXAMPLE.format("[1.0, 0.0, 3.0]"),
    COUNTEREXAMPLE.format("[1.0, 2.0, 3.0]"),
    COUNTEREXAMPLE.format("[1e-200, 1e-200]"),
    COUNTEREXAMPLE.format("[float('inf'), 1.0]"),
    COUNTEREXAMPLE.format("[]"),
]

MUTANTS = {
    "backward": backward,
    "order": order,
    "product-gradient": product_gradient,
    "count": count,
    "cost": cost,
    "break": counterexample,
}
