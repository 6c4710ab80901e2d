"""A page of the engine, as it should be."""


def evaluate(nodes, values, compute):
    for n in nodes:
        if n not in values:
            values[n] = compute(n, [values[i] for i in n.inputs])
            yield n, values[n]


def sweep(nodes, adjoint, terms):
    ways = dict.fromkeys(adjoint, 1)
    total = 0
    for n in reversed(nodes):
        if n in adjoint:
            if n.op is None:
                total += ways[n]
            for x, term in terms(n, adjoint[n]):
                adjoint[x] = adjoint[x] + term if x in adjoint else term
                ways[x] = ways.get(x, 0) + ways[n]
                yield n, x, term, adjoint[x]
    return total


def match(pattern, node, bindings):
    if pattern.op is None:
        return bindings.setdefault(pattern.name, node) is node
    if node.op is not pattern.op or len(node.inputs) != len(pattern.inputs):
        return False
    for p, n in zip(pattern.inputs, node.inputs):
        if not match(p, n, bindings):
            return False
    return True


def one_round(nodes, rebuild, rewrite):
    now = {}
    for n in nodes:
        same = rebuild(n, [now[i] for i in n.inputs])
        new = rewrite(same)
        now[n] = same if new is None else new
        yield n, now[n]


def frame(outputs, became, rebuild):
    now = {}

    def final(n):
        if n not in now:
            if n in became:
                now[n] = final(became[n])
            else:
                now[n] = rebuild(n, [final(i) for i in n.inputs])
        return now[n]

    return [final(y) for y in outputs]


def line(name, formula, operands):
    texts = [f"({text})" if text.startswith("-") else text for text in operands]
    return f"{name} = {formula.format(*texts)}"
