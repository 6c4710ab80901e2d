"""The measure that rewriting decreases, so that it comes to an end.

It has four components, of which the first that differs decides: how much is unstable, what the
operations cost, how many nodes there are, how many operands are not in standard order. Each rule
names the one that it decreases; those before that one stay as they are, or fall.
"""

MEASURE = ("unstable", "cost", "nodes", "order")
