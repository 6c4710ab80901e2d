"""What can be proved of a value, from the graph and from what was declared.

Takes: a condition, such as x > 0. Gives: the facts on which it rests, or that it is not proved.
"""
