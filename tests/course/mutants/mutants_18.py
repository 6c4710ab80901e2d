"""Wrong solutions of lecture 18's exercises, by task: what is written before it is understood."""

PRODUCT = """
def rosenbrock_product(x, p):
    u, v, du, dv = x[:-1], x[1:], p[:-1], p[1:]
    out = np.zeros(len(x))
    out[:-1] += {left}
    out[1:] += {right}
    return {result}
"""
LEFT = "(1200 * u**2 - 400 * v + 2) * du - 400 * u * dv"
RIGHT = "-400 * u * du + 200 * dv"
GRADIENT = """
def gradient(x):
    r = x[1:] - x[:-1] ** 2
    out = np.zeros(len(x))
    out[:-1] += -400 * x[:-1] * r - 2 * (1 - x[:-1])
    out[1:] += 200 * r
    return out


def rosenbrock_product(x, p):
    return {result}
"""
WHOLE = """
def rosenbrock_product(x, p):
    n = len(x)
    H = np.zeros((n, n))
    for k in range(n - 1):
        H[k, k] += 1200 * x[k] ** 2 - 400 * x[k + 1] + 2
        H[k + 1, k + 1] += 200
        H[k, k + 1] = H[k + 1, k] = -400 * x[k]
    return H @ p
"""
product = [
    PRODUCT.format(left=LEFT.split(" - 400 * u * dv")[0], right=RIGHT, result="out"),
    PRODUCT.format(left=LEFT, right="200 * dv", result="out"),
    PRODUCT.format(left=LEFT, right=RIGHT.replace("-400", "400"), result="out"),
    PRODUCT.format(left=LEFT.replace("1200", "800"), right=RIGHT, result="out"),
    PRODUCT.format(left=LEFT.replace(" + 2)", ")"), right=RIGHT, result="out"),
    PRODUCT.format(left=LEFT.replace("- 400 * v ", ""), right=RIGHT, result="out"),
    PRODUCT.format(left=LEFT, right=RIGHT, result="p @ out"),
    PRODUCT.format(left=LEFT, right=RIGHT, result="out[:-1]"),
    GRADIENT.format(result="gradient(x) * p"),
    GRADIENT.format(result="gradient(x + p) - gradient(x)"),
    GRADIENT.format(result="(gradient(x + 0.001 * p) - gradient(x)) / 0.001"),
    WHOLE,
]

SETS = """
def index_sets(n, program):
    sets = {begin}
    for name, *places in program:
        {row}
    return {result}
"""
BEGIN = "[{k} for k in range(n)]"
ROW = 'sets.append(set() if name in ("floor", "sign") else set().union(*(sets[k] for k in places)))'
sets = [
    "from autodiff_edu.course.lectures.lecture_18 import index_sets as answer\n"
    "def index_sets(n, program): return answer(n, program)",
    SETS.format(begin=BEGIN, row="sets.append(set().union(*(sets[k] for k in places)))",
                result="sets"),
    SETS.format(begin=BEGIN, row="sets.append(set(places))", result="sets"),
    SETS.format(begin=BEGIN, row=ROW.replace("set().union(", "set.intersection("), result="sets"),
    SETS.format(begin=BEGIN, row=ROW.replace("for k in places", "for k in places[:1]"),
                result="sets"),
    SETS.format(begin=BEGIN, row=ROW, result="sets[n:]"),
    SETS.format(begin=BEGIN, row=ROW, result="sets[-1]"),
    SETS.format(begin=BEGIN, row=ROW, result="[len(s) for s in sets]"),
    SETS.format(begin="[set() for k in range(n)]", row=ROW, result="sets"),
    SETS.format(begin=BEGIN, row="sets.append(set(range(n)))", result="sets"),
]  # fmt: skip

COLORS = """
def colors_of(pattern):
    m, n = pattern.shape
    colors = [{first}] * n
    for j in range(n):
        taken = {taken}
        colors[j] = {choice}
    return {result}
"""
TAKEN = "{colors[k] for k in range(j) if (pattern[:, j] * pattern[:, k]).any()}"
CHOICE = "next(c for c in range(n) if c not in taken)"
colors = [
    COLORS.format(first=-1, taken="set()", choice="j", result="colors"),
    COLORS.format(first=-1, taken="set()", choice="j % 3", result="colors"),
    COLORS.format(first=-1, taken="set()", choice="0", result="colors"),
    COLORS.format(first=-1, taken="{colors[j - 1]} if j else set()", choice=CHOICE,
                  result="colors"),
    COLORS.format(first=-1, taken="{colors[k] for k in range(min(j, m)) if pattern[k, j]}",
                  choice=CHOICE, result="colors"),
    COLORS.format(first=-1, taken=TAKEN, choice="max(taken, default=-1) + 1", result="max(colors)"),
    COLORS.format(first=-1, taken=TAKEN, choice=CHOICE, result="max(colors) + 1"),
    COLORS.format(first=-1, taken=TAKEN, choice=CHOICE + " - 1", result="colors"),
    COLORS.format(first=-1, taken=TAKEN, choice="len(taken) / 2", result="colors"),
    "def colors_of(pattern): return [0] * len(pattern) + [1]",
]  # fmt: skip

READ = """
def read_off(push, pattern, colors):
    J = np.zeros(pattern.shape)
    for c in {each}:
        one = push({seed})
        {put}
    return {result}
"""
EACH, SEED = "range(max(colors) + 1)", "np.where(colors == c, 1.0, 0.0)"
PUT = "J += pattern * (colors == c) * one[:, None]"
read = [
    READ.format(each="range(len(colors))", seed="1.0 * (np.arange(len(colors)) == c)",
                put="J[:, c] = one", result="J"),
    READ.format(each=EACH, seed=SEED, put="J += (colors == c) * one[:, None]", result="J"),
    READ.format(each=EACH, seed=SEED, put="J += pattern * one[:, None]", result="J"),
    READ.format(each=EACH, seed=SEED, put="J[:, c] = one", result="J"),
    READ.format(each="range(max(colors))", seed=SEED, put=PUT, result="J"),
    READ.format(each=EACH, seed="1.0 * colors", put=PUT, result="J"),
    READ.format(each=EACH, seed="np.ones(len(colors))", put=PUT, result="J"),
    READ.format(each=EACH, seed=SEED, put=PUT, result="J.T"),
    READ.format(each=EACH, seed=SEED, put=PUT, result="J[J != 0]"),
    READ.format(each=EACH, seed="c", put=PUT, result="J"),
]  # fmt: skip

uphill = [
    "def uphill(): return -1.2, 1.0",
    "def uphill(): return 1.0, 1.0",
    "def uphill(): return 0.0, 0.005",
    "def uphill(): return 5.0",
    "def uphill(): return 'up'",
    "def uphill(): return np.inf, 0.0",
    "def uphill(): return 3.0, -7.0",
]

MUTANTS = {
    "product": product,
    "sets": sets,
    "colors": colors,
    "read": read,
    "uphill": uphill,
}
