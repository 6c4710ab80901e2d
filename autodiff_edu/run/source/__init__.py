"""Source: a planned graph as the text of a Python function, one module for each target.

Takes: a plan. Gives: the text, one line a node, and the objects that it names. `writer` has what
all targets share, `numpy_arrays` is the target numpy, `python_scalars` its short form for single
numbers; `loops` and `shared_values` write their lines. Every module here is imported with the
folder, so that a new target is one new file, entered in `target`.
"""

from importlib import import_module
from pkgutil import iter_modules

for module in iter_modules(__path__):
    import_module(f"{__name__}.{module.name}")
