"""Python 2 in Python 3: a script's text is converted, and `/` of whole numbers stays whole."""

import ast
import re
from typing import Any, NamedTuple

import numpy as np

MARKS = re.compile(
    r"\b(xrange|raw_input|unicode|basestring|execfile|cPickle|cStringIO|urllib2|itervalues|"
    r"iteritems|iterkeys|has_key|izip|imap|sys\.maxint|ConfigParser|StringIO import)\b"
)


class Converted(NamedTuple):
    """The text in Python 3, whether it was Python 2, and whether `/` keeps whole numbers."""

    text: str
    was_python_2: bool
    classic: bool


class Unreadable(SyntaxError):
    """A script that neither Python reads."""


def converted(text: str, path: str) -> Converted:
    """A script's text in Python 3. Raises Unreadable, and ImportError without fissix."""
    text = text.replace("\r\n", "\n").expandtabs(8) if "\t" in text else text.replace("\r\n", "\n")
    wrong = why_not(text)
    if not wrong and not MARKS.search(text):
        return Converted(text, False, False)
    try:
        new = by_fissix(text if text.endswith("\n") else f"{text}\n", path)
    except ImportError:
        raise
    except Exception as error:  # of fissix, which has no common class for them
        if not wrong:  # Python 3 that fissix does not know yet
            return Converted(text, False, False)
        raise Unreadable(f"{path} is read by no Python: 3 says {wrong}, 2 says {error}") from None
    stated = re.search(r"^from __future__ import .*\bdivision\b", text, re.MULTILINE)
    return Converted(new, True, not stated)


def why_not(text: str) -> str:
    """Why Python 3 does not read a text; nothing if it does."""
    try:
        ast.parse(text)
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:  # also of zero bytes
        return str(error)
    return ""


def by_fissix(text: str, path: str) -> str:
    try:
        from fissix import refactor
    except ImportError:
        raise ImportError(
            f"{path} is written for Python 2, and the package fissix converts it: "
            "pip install 'autodiff-edu[theano]'"
        ) from None
    left_out = ("fix_import", "fix_future", "fix_buffer", "fix_idioms", "fix_set_literal",
                "fix_ws_comma")  # fmt: skip
    fixers = [f for f in refactor.get_fixers_from_package("fissix.fixes")
              if not f.endswith(left_out)]  # fmt: skip
    tool = refactor.RefactoringTool(fixers)
    future = re.search(r"^from __future__ import .*\bprint_function\b", text, re.MULTILINE)
    if future:
        tool.driver.grammar = refactor.pygram.python_grammar_no_print_statement
    return str(tool.refactor_string(text, path))


# ---- division


def classic_division(a: Any, b: Any) -> Any:
    """Python 2's `/`: of two whole numbers, a whole number."""
    if whole(a) and whole(b):
        return a // b
    return a / b


def whole(x: Any) -> bool:
    if isinstance(x, (int, np.integer)):
        return True
    dtype = getattr(x, "dtype", None)
    return dtype is not None and np.dtype(str(dtype)).kind in "iu"


class Classic(ast.NodeTransformer):
    """a / b becomes classic_division(a, b), and a /= b the same with an assignment."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        return quotient(node.left, node.right, node) if isinstance(node.op, ast.Div) else node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.op, ast.Div):
            return node
        read = ast.parse(ast.unparse(node.target), mode="eval").body
        made = ast.Assign([node.target], quotient(read, node.value, node))
        return ast.fix_missing_locations(ast.copy_location(made, node))


def quotient(left: ast.expr, right: ast.expr, at: ast.AST) -> ast.Call:
    name = ast.Name("__classic_division__", ast.Load())
    return ast.fix_missing_locations(ast.copy_location(ast.Call(name, [left, right], []), at))


def compiled(source: Converted, path: str) -> Any:
    """The code of a script."""
    tree = ast.parse(source.text, path)
    tree = Classic().visit(tree) if source.classic else tree
    return compile(tree, path, "exec", dont_inherit=True)
