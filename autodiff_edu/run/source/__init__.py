"""Source: a planned graph as the text of a Python function, one module for each kind of target.

Takes: a plan. Gives: the text, one line a node, and the objects that it names.
"""
