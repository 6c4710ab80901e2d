"""From a graph to a diagram: which nodes it has, what they are called, which boxes are open.

Takes: a `Graph`, with values, marks and options. Gives: a `Diagram`, or the picture drawn from it.
"""
