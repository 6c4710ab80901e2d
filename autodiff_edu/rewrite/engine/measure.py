"""The measure that rewriting decreases, so that it comes to an end.

It has four components, compared like words in a dictionary: how much is unstable, what the
operations cost, how many nodes they are, how much stands out of its usual order. Each rule names
the one that it decreases; those before that one stay as they are, or fall.
"""

MEASURE = ("unstable", "cost", "nodes", "order")
