"""One expression in several wrappings: as it is, as a box, opened or closed.

A case that is written as `wrap(e)` is one for each of them: the module that has the cases wraps
plainly, and another imports its tests and gives them a fixture `wrap` of its own.
"""

import autodiff_edu as ad


def plainly(e, *of):
    """The expression as it is."""
    return e


def boxed(e, *of, inline=False):
    """The expression as the result of a box, whose operands are the nodes `of` or, where none are
    given, all inputs of the expression."""
    operands = of or ad.Graph(e).inputs
    return ad.OpFromGraph(operands, [e], inline=inline)(*operands)
