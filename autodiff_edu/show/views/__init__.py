"""What users ask for: draw, compare, film, table, trace, rules, and where a node came from.

Takes: expressions, graphs, stages and rules. Gives: pictures, comparisons, films and tables.
Every module here is imported with the folder, so that a new kind of picture is one new file.
"""

from importlib import import_module
from pkgutil import iter_modules

for module in iter_modules(__path__):
    import_module(f"{__name__}.{module.name}")
