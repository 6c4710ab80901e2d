"""Cells as of a notebook, run one after the other by whatever Python runs this file.

    python tests/helpers/cells.py < cells.json   # a list of texts; prints a list of what each shows

It needs nothing but Python, and so it runs in an environment that has only the package.
"""

import ast
import contextlib
import io
import json
import linecache
import sys


def shown(cell, space, number):
    """What a notebook shows below a cell: what it prints, and its last value or its error."""
    name, printed = f"<cell {number}>", io.StringIO()
    linecache.cache[name] = len(cell), None, cell.splitlines(True), name
    with contextlib.redirect_stdout(printed):
        try:
            value = run(ast.parse(cell).body, name, space)
            if value is not None:
                print(repr(value))
        except Exception as error:
            print(f"{type(error).__name__}: {error}")
    return printed.getvalue()


def run(statements, name, space):
    """The value of the last statement, if it is an expression."""
    last = statements.pop() if isinstance(statements[-1], ast.Expr) else None
    exec(compile(ast.Module(statements, []), name, "exec"), space)
    return eval(compile(ast.Expression(last.value), name, "eval"), space) if last else None


if __name__ == "__main__":
    space = {"__name__": "__main__"}
    cells = json.load(sys.stdin)
    json.dump([shown(cell, space, k) for k, cell in enumerate(cells)], sys.stdout)
