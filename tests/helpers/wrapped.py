"""One expression in several wrappings: as it is, as a box, opened or closed.

A case that is written as `wrap(e)` is one for each of them: the module that has the cases wraps
plainly, and another imports its tests and gives them a fixture `wrap` of its own.
"""

import autodiff_edu as ad
from autodiff_edu.expr import substitute


def plainly(e, *of):
    """The expression as it is."""
    return e


def boxed(e, *of, inline=False):
    """The expression as the result of a box, whose operands are the nodes `of` or, where none are
    given, all inputs of the expression."""
    operands = of or ad.Graph(e).inputs
    return ad.OpFromGraph(operands, [e], inline=inline)(*operands)


def captured_by_a_loop(e, *of):
    """The expression as what the only step of a loop takes from outside."""
    return ad.scan(lambda: e, n_steps=1)[0]


def sliced_by_a_loop(e, *of):
    """The expression as the second step of a loop over copies of its operands."""
    operands = of or ad.Graph(e).inputs
    copies = [ad.stack([x, x]) for x in operands]
    return ad.scan(lambda *xs: put(e, operands, xs), sequences=copies)[1]


def carried_by_a_loop(e, *of):
    """The expression as the third step of a loop whose states are its operands."""
    operands = of or ad.Graph(e).inputs
    step = lambda *xs: (*xs, put(e, operands, xs))
    *_, found = ad.scan(step, outputs_info=[*operands, None], n_steps=3)
    return found[2]


def put(e, operands, xs):
    """The expression with others in the places of its operands."""
    return substitute([e], dict(zip(operands, xs)))[0]
