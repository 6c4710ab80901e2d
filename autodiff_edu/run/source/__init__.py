"""Source: a planned graph as the text of a Python function, one module for each target.

Takes: a plan. Gives: the text, one line a node, and the objects that it names. `writer` has what
all targets share, `numpy_arrays` is the target numpy, `python_scalars` its short form for single
numbers; `loops` and `shared_values` write their lines. A new target is one new file here, entered
in `target`: where a target is asked for that is not known yet, every module here is imported.
"""
