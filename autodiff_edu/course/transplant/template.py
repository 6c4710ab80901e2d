"""A page of the engine, by {author}.

Write a body in place of each `raise NotImplementedError`. For one that you leave, the engine has
its own. You need nothing but Python. A node `n` has `n.inputs`, a tuple of nodes, and `n.op`, which
is None of an input and of a constant. Nodes never change, and can be keys of a dict.

    autodiff-edu transplant {file}
"""


def evaluate(nodes, values, compute):
    """Compute each node that has no value yet.

    `nodes` has all nodes, operands before what uses them. `values` has the values of the inputs, by
    node; you may add to it. `compute(n, operands)` gives the value of n for a list of the values of
    its operands. Yield (n, value) for each node that you compute, and keep the value: later nodes
    need it.
    """
    raise NotImplementedError


def sweep(nodes, adjoint, terms):
    """Hand the adjoints on, from the outputs back to the inputs.

    `nodes` has all nodes, operands before what uses them. `adjoint` is a dict that has the adjoints
    of the outputs; you may add to it. `terms(n, a)` gives pairs (x, term): n has the adjoint a, and
    adds this term to that of its operand x. It leaves out constants. A node that got no term has no
    adjoint: pass over it. Yield (n, x, term, sum), where sum is the adjoint of x so far.
    At the end return {asked}.
    Of x*x + x there are 3 ways, 4 terms, and 2 pairs on the longest way.
    """
    raise NotImplementedError


def match(pattern, node, bindings):
    """Does the pattern match the node? If so, `bindings` says afterwards what its wildcards are.

    A wildcard is a pattern whose `op` is None, and it has a `name`. It matches any node. Where its
    name is bound already, it matches only that node itself (`is`). Any other pattern has an
    operation, and matches a node of the same operation, operand by operand, from left to right.
    Return True or False.
    """
    raise NotImplementedError


def one_round(nodes, rebuild, rewrite):
    """Rewrite each node once, from the inputs up.

    `nodes` has all nodes, operands before what uses them. `rebuild(n, operands)` gives n with these
    operands, and n itself where they are its own. `rewrite(n)` gives what a rule makes of n, and
    None where none applies. Yield (n, new) for each node: what stands in its place after the round.
    """
    raise NotImplementedError


def frame(outputs, became, rebuild):
    """The graph after some steps: a list with what stands in the place of each output.

    `became` is the log up to there, a dict: a node that a step has replaced, and by what. What it
    became may have been replaced later, too. A node whose operands were replaced stands there with
    the new ones: `rebuild(n, operands)`. What was one node is one node afterwards, too.
    """
    raise NotImplementedError


def line(name, formula, operands):
    """The line of a program that computes one node, as "v2 = sin(v1)".

    `formula` is a text such as "{0} * {1}" or "sin({0})", with a place for each operand. `operands`
    are names and numbers, as texts; one that begins with a minus stands in brackets.
    """
    raise NotImplementedError
