"""Source: a planned graph as the text of a Python function, one module for each target.

Takes: a plan. Gives: the text, one line a node, and the objects that it names. `text` has the
names, and `numbers` the lines of a program of single numbers, which needs no more. `writer` has
what all targets share, and `numpy_arrays` is the target numpy; `loops` and `branches` write their
lines. A new target is one new file here, entered in `target`: where a target is asked for that is
not known yet, every module here is imported.
"""
