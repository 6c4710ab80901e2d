"""Source: a planned graph as the text of a Python function, one module for each target.

Takes: a plan. Gives: the text, one line a node, and the objects that it names. `writer` has what
all targets share, `arrays` is the target numpy, `numbers` its short form for single numbers. Every
module here is imported with the folder, so that a new target is one new file.
"""

from importlib import import_module
from pkgutil import iter_modules

for module in iter_modules(__path__):
    import_module(f"{__name__}.{module.name}")
