"""Wrong files of the path *Build your own*: by task, what the message says, and what was written
instead of what. Texts are those of the reference files without markers."""

NODE = {
    "operand 1 of 2 - x is not the constant": (
        'def __rsub__(self, other):\n        return apply("sub", other, self)',
        'def __rsub__(self, other):\n        return apply("sub", self, other)',
    ),
    "a node has another operation\n  needed    op = 'sub'\n  got       op = 'add'": (
        'return apply("sub", other, self)',
        'return apply("add", -self, other)',
    ),
    "operands must be a tuple, which keeps their order\n  needed    a tuple\n  got       set": (
        "tuple(nodes)",
        "set(nodes)",
    ),
    "operands must be a tuple, which keeps their order\n  needed    a tuple\n  got       list": (
        "tuple(nodes)",
        "list(nodes)",
    ),
    "operand 2 of x + 2 is not the constant\n  needed    constant(2)\n  got       int": (
        "x if isinstance(x, Node) else constant(x)",
        "x",
    ),
    "a node cannot be a key: a class with `__eq__` of its own loses `__hash__`": (
        "    def __neg__(self):",
        "    def __eq__(self, other):\n        return self is other\n\n    def __neg__(self):",
    ),
    "two nodes that were written separately are equal": (
        "    def __neg__(self):",
        "    def __eq__(self, other):\n"
        "        return (self.op, self.value) == (other.op, other.value)\n\n"
        "    def __hash__(self):\n        return hash(self.op)\n\n"
        "    def __neg__(self):",
    ),
    "this was computed: keep the operation": (
        "    nodes = (",
        "    if all(getattr(x, 'op', '') == 'constant' for x in operands) and op == 'add':\n"
        "        return constant(sum(x.value for x in operands))\n"
        "    nodes = (",
    ),
    "x + y must be a Node\n  needed    a Node\n  got       NoneType": (
        'return apply("add", self, other)',
        'apply("add", self, other)',
    ),
    "operand 1 of x + y is another node": (
        "x if isinstance(x, Node) else",
        "Node(x.op, x.operands, x.value) if isinstance(x, Node) else",
    ),
}

ORDER = "    placed, stack = {}, [y]\n"
GRAPH = {
    "this order cannot be computed": ("return list(placed)", "return list(placed)[::-1]"),
    "a node occurs more than once": (
        ORDER,
        "    found, stack = [], [y]\n    while stack:\n        found.append(stack.pop())\n"
        "        stack.extend(found[-1].operands)\n    return found[::-1]\n" + ORDER,
    ),
    "the order lacks a node": ("return list(placed)", "return list(placed)[1:] or [y]"),
    "a recursion deeper than 100 calls": (
        ORDER,
        "    import sys\n    sys.setrecursionlimit(10**6)\n    placed = {}\n"
        "    def place(x):\n        if x not in placed:\n"
        "            [place(o) for o in x.operands]\n            placed[x] = True\n"
        "    place(y)\n    return list(placed)\n" + ORDER,
    ),
    "the dict `at` was changed": ("    value = {}\n", "    value = at\n"),
    "a shared node must be computed once": (
        "    value = {}\n",
        "    def of(x):\n        if x.op in VALUES:\n"
        "            return VALUES[x.op](*map(of, x.operands))\n"
        "        return at[x] if x in at else x.value\n"
        "    return {x: of(x) for x in order(y)}\n",
    ),
    "VALUES was not used": (
        "VALUES[node.op](*[value[x] for x in node.operands])",
        "dict(add=np.add, sub=np.subtract, mul=np.multiply, div=np.divide, neg=np.negative, exp"
        "=np.exp, log=np.log, sin=np.sin, cos=np.cos)[node.op](*[value[x] for x in node.operands])",
    ),
    "the value differs": (
        "*[value[x] for x in node.operands]",
        "*[value[x] for x in node.operands][::-1]",
    ),
    "the order must be a list": ("return list(placed)", "return iter(placed)"),
    "it raised KeyError": ('elif node.op == "constant"', 'elif node.op == "number"'),
}

FORWARD = {
    "the row of log(x)": (
        '"log": lambda x, dx: dx / x',
        '"log": lambda x, dx: 1 / x * dx * 0.4',
    ),
    "the row of x * y": ("dx * y + x * dy", "dx * dy"),
    "the row of x / y": ("(dx * y - x * dy)", "(dx * y + x * dy)"),
    "the row of exp(x)": ("np.exp(x) * dx", "np.exp(x)"),
    "the row of cos(x)": ("-np.sin(x) * dx", "np.sin(x) * dx"),
    "the row of x2": ("direction.get(node, 0.0)", "direction.get(node, 1.0)"),
    "the table lacks a row": ("(value[node], tangent[node])", "tangent[node]"),
    "the result must be a dict": (
        "return {node: (value[node], tangent[node]) for node in tangent}",
        "return value[y], tangent[y]",
    ),
    "it raised KeyError": ("direction.get(node, 0.0)", "direction[node]"),
    "value: the value differs": ("(value[node], tangent[node])", "(tangent[node], value[node])"),
}

REVERSE = {
    "at        reverse(x * x) at": ("adjoint[x] + part if x in adjoint else part", "part"),
    "at        reverse(x / y) at": ("-ct * v / y", "ct * v / y"),
    "at        reverse(cos(x)) at": ("-ct * sin(x)", "ct * sin(x)"),
    "the adjoint identity fails": ("constant(1.0) if seed is None else seed", "constant(1.0)"),
    "it raised KeyError": ("adjoint.get(x, constant(0.0))", "adjoint[x]"),
    "an adjoint must be a node: it is a formula, not a number": (
        "return [",
        "return [0.5 for x in inputs]\n    return [",
    ),
    "the result must have a node for each input": ("for x in inputs]", "for x in inputs][:1]"),
    "a second call gives another gradient": (
        "    adjoint = {y: constant(1.0) if seed is None else seed}\n",
        "    adjoint = KEPT\n    first = constant(1.0) if seed is None else seed\n"
        "    adjoint[y] = adjoint[y] + first if y in adjoint else first\n",
    ),
    "x: the value differs": (
        '"mul": lambda ct, v, x, y: (ct * y, ct * x)',
        '"mul": lambda ct, v, x, y: (ct * x, ct * y)',
    ),
    "the gradient is too long": (
        "    adjoint = {y",
        "    if len(order(y)) > 1000:\n        for k in range(10_000):\n"
        "            y = y + 0\n        return [y]\n    adjoint = {y",
    ),
}

NEG = '        case "neg", x if'


def case(pattern, result):
    """One rule more."""
    return f"        case {pattern}:\n            return {result}\n{NEG}"


SIMPLIFY = {
    "at        simplify(x / x)": (
        NEG,
        case('"div", x, y if x is y', "constant(1)"),
    ),
    "at        simplify(x - x)": (
        NEG,
        case('"sub", x, y if x is y', "constant(0)"),
    ),
    "at        simplify(x * 0)": (
        NEG,
        case('"mul", x, y if is_number(y, 0)', "y"),
    ),
    "at        simplify(exp(log(x)))": (
        NEG,
        case('"exp", x if x.op == "log"', "x.operands[0]"),
    ),
    "at        simplify(0 - x)": (
        'case "add", x, y if is_number(x, 0)',
        'case "add" | "sub", x, y if is_number(x, 0)',
    ),
    "this can be shorter\n  needed    nodes: 1\n  got       3: x + 0\n": (
        "    short = {}\n",
        "    return y\n    short = {}\n",
    ),
    "this can be shorter\n  needed    nodes: 1\n  got       5: (2 * 3) - 4": (
        "    if node.operands and all(",
        "    if False and all(",
    ),
    "this can be shorter\n  needed    nodes: 1\n  got       3: -(-x)": (
        'case "neg", x if',
        'case "minus", x if',
    ),
    "this can be shorter\n  needed    nodes: 3": (
        "    short = {}\n",
        "    def copy(x):\n        if x.op in ('input', 'constant'):\n            return x\n"
        "        return shorter(Node(x.op, tuple(map(copy, x.operands))))\n"
        "    if len(order(y)) < 9:\n        return copy(y)\n    short = {}\n",
    ),
    "the formula was changed": (
        "short[node] = shorter(Node(node.op, operands) if operands else node)",
        "node.operands = operands\n        short[node] = shorter(node)",
    ),
    "a second simplification still changes the formula": (
        "    short = {}\n",
        "    if y.op == 'mul' and not any(is_number(x, 1) for x in y.operands):\n"
        "        return Node('mul', y.operands[::-1])\n    short = {}\n",
    ),
    "the result must be a Node": ("return short[y]", "return short"),
}

DRAW = {
    "the number of edges n0 -> n1 is wrong\n  needed    2 in the graph\n  got       1": (
        "for x in node.operands]",
        "for x in set(node.operands)]",
    ),
    "the edges lead backwards": ("{names[x]} -> {name}", "{name} -> {names[x]}"),
    "Graphviz cannot read this text": (
        """text.replace("\\\\", "\\\\\\\\").replace('"', '\\\\"')""",
        "text",
    ),
    "the label of n0 is not what label(node) says\n  needed    back\\slash": (
        """.replace("\\\\", "\\\\\\\\")""",
        "",
    ),
    "the picture has other nodes than the graph": ('f"n{k}"', 'f"v{k + 1}"'),
    "edges need a direction, and may be double": ('"digraph {"', '"strict digraph {"'),
    "the label of n0 is not what label(node) says\n  needed    x\n": (
        "{escaped(label(node))}",
        "{node.op[:1]}",
    ),
    "the same formula has two texts: is there an id() in it?": (
        '["digraph {", *',
        '["digraph {", f"// {id(y)}", *',
    ),
    "the result must be a text": ('return "\\n".join(', "return ("),
}

ARRAYS = {
    "of shape (2, 3), and like of shape (3,)": (
        "np.sum(x, axis=tuple(range(np.ndim(x) - np.ndim(like))))",
        "x",
    ),
    "of shape (2, 3), and like of shape (2, 1)": ("keepdims=True", "keepdims=False"),
    "the value at": ("return np.sum(x, axis=ones", "return np.mean(x, axis=ones"),
    "at        reverse: transpose(a)": (
        'PULL["transpose"] = lambda ct, v, a: (transpose(ct),)',
        'PULL["transpose"] = lambda ct, v, a: (ct,)',
    ),
    "a: the shape must be": ("(broadcast(ct, x),)", "(ct,)"),
    "matmul: Input operand 1 has a mismatch": ("matmul(ct, transpose(b))", "matmul(ct, b)"),
    "b: the shape must be": (
        "return lambda ct, v, *xs: [unbroadcast(part, x) for part, x in zip(rule(ct, v, *xs), xs)]",
        "return rule",
    ),
}

TRAIN = {
    "the shape must be (4, 2), not (4,)": (
        "return (X - X.mean(axis=0)) / X.std(axis=0)",
        "return X[:, 0]",
    ),
    "at        standardised([": ("X.std(axis=0)", "X.std(axis=0, ddof=1)"),
    "at        loss(X=": ("/ len(X)", "/ 569"),
    "the graph has something else than nodes\n  needed    a Node\n  got       float64": (
        "return total(log(1 + exp(z)) - labels * z) / len(X)",
        "return np.log(2)",
    ),
    "too few rows are told right": ("steps=200, rate=1.0", "steps=200, rate=-1.0"),
    "w and b have other shapes": ("return at[w], at[b]", "return at[w].ravel(), at[b]"),
    "the result must be a pair (w, b)": ("return at[w], at[b]", "return at"),
}

MUTANTS = dict(enumerate((NODE, GRAPH, FORWARD, REVERSE, SIMPLIFY, DRAW, ARRAYS, TRAIN), start=1))
