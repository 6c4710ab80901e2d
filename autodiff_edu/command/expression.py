"""A formula as text becomes an expression: read by Python's parser, looked up, never executed.

Every node of the tree must be one that the tables below know: numbers, names, operators,
comparisons, and calls of operations. Limits keep the work small, so that any text is answered
at once.
"""

import ast
import math
import operator
import warnings
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from typing import Any

import autodiff_edu as ad

from ..expr import user_place
from ..expr.errors.explanations import running_place
from ..ops import OPS

LONGEST = 2_000  # characters
DEEPEST = 60  # nodes from the root of the tree to a leaf
LARGEST = 600  # nodes
HIGHEST = 100  # the largest power
NAME = 40  # characters

ENTRYWISE = [name for name in ad.__all__ if name in OPS and OPS[name].elementwise]
WHOLE = "sum mean prod max min dot matmul outer norm softmax log_softmax logsumexp".split()
FUNCTIONS: dict[str, Callable[..., Any]] = {name: getattr(ad, name) for name in ENTRYWISE + WHOLE}
CONSTANTS = {"pi": math.pi}
OPERATORS: dict[type, Callable[..., Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.MatMult: operator.matmul,
    ast.UAdd: operator.pos,
    ast.USub: operator.neg,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: ad.equal,
    ast.NotEq: ad.not_equal,
}
INSTEAD: dict[type, str] = {
    ast.BitXor: "write x**2 for a power, not x^2",
    ast.BoolOp: "write logical_and(a, b) for a and b, logical_or(a, b) for a or b",
    ast.Not: "write logical_not(a) for not a",
    ast.IfExp: "write where(condition, a, b) for a if condition else b",
    ast.Attribute: "write exp(x), with no module before it; nothing else has a dot",
    ast.Subscript: "entries of arrays cannot be taken here",
    ast.Lambda: "write the formula alone, without lambda",
}


class Refused(ValueError):
    """This text is no formula; the message says why, and what can be written."""


def parse(text: str, shapes: Mapping[str, tuple[int, ...]] | None = None) -> tuple[Any, dict]:
    """The expression that a text writes, and its inputs by name.

    Parameters
    ----------
    text : str
        A formula in Python's notation.
    shapes : dict, optional
        The shapes of inputs that are arrays; the others are single numbers.

    Returns
    -------
    tuple
        The expression, and {name: input}, in the order of the text.

    Raises
    ------
    Refused
        If the text is anything else than a formula, or too large.
    """
    tree = tree_of(text)
    reader = Reader(shapes or {})
    try:
        found = reader.read(tree)
    except Refused:
        raise
    except (ArithmeticError, TypeError, ValueError) as error:  # of the engine: shapes, dtypes
        raise Refused(told(error)) from None
    return as_expression(found), reader.inputs


def as_expression(found: Any) -> ad.Expr:
    """What was read, as an expression; a whole number that no dtype holds is a float."""
    if isinstance(found, int) and not -(2**63) <= found < 2**64:
        found = float(found)
    return found if isinstance(found, ad.Expr) else ad.constant(found)


def told(error: Exception) -> str:
    """What the engine says of a formula, without a line of a program: it has none."""
    said = str(error)
    for place in (user_place(), running_place()):
        for words in (f" in {place}", f" (in {place})", f" (made at {place})"):
            said = said.replace(words, "")
    return said or type(error).__name__


def tree_of(text: str) -> ast.expr:
    """What Python's parser makes of a text, unless it is too long, too large or too deep."""
    if len(text) > LONGEST:
        raise Refused(f"a formula may have {LONGEST:,} characters: this one is longer")
    try:
        with warnings.catch_warnings(action="ignore", category=SyntaxWarning):
            tree = ast.parse(text.strip(), mode="eval").body
    except SyntaxError as error:
        raise Refused(f"this is no formula ({error.msg}): {excerpt(text)}") from None
    except (ValueError, MemoryError, RecursionError):
        raise Refused("this text cannot be read: it is nested too deeply, or no text") from None
    if size(tree) > LARGEST:
        raise Refused(f"a formula may have {LARGEST} parts: this one has more")
    return tree


def size(tree: ast.AST) -> int:
    """How many nodes a tree has. Raises Refused where it is too deep."""
    level, count = [tree], 0
    for _ in range(DEEPEST):
        count += len(level)
        level = [child for node in level for child in ast.iter_child_nodes(node)]
        if not level:
            return count
    raise Refused(f"a formula may be nested {DEEPEST} levels deep: this one is deeper")


def excerpt(text: str) -> str:
    """The beginning of a text, on one line."""
    line = "".join(c if c.isprintable() else "?" for c in " ".join(text.split()))
    return line if len(line) <= 60 else line[:57] + "..."


class Reader:
    """Reads one tree; `inputs` are the names met that are neither operations nor constants."""

    def __init__(self, shapes: Mapping[str, tuple[int, ...]]):
        self.shapes = shapes
        self.inputs: dict[str, Any] = {}

    def read(self, node: ast.AST) -> Any:
        """The expression, or the number, that a node stands for."""
        method = getattr(self, f"read_{type(node).__name__}", None)
        if method is None:
            raise Refused(refusal(node))
        return method(node)

    def read_Constant(self, node: ast.Constant) -> Any:
        value = node.value
        if type(value) not in (int, float):
            raise Refused(f"only numbers stand in a formula, not {excerpt(repr(value))}")
        return within(value)

    def read_Name(self, node: ast.Name) -> Any:
        name = node.id
        if name in CONSTANTS:
            return CONSTANTS[name]
        if name in FUNCTIONS:
            raise Refused(f"{name} is an operation: write {name}(...), or give the input a name")
        if name.startswith("_") or len(name) > NAME:
            raise Refused(f"{excerpt(name)} cannot be the name of an input: write a short word")
        if name not in self.inputs:
            self.inputs[name] = ad.tensor(name, shape=self.shapes.get(name, ()))
        return self.inputs[name]

    def read_UnaryOp(self, node: ast.UnaryOp) -> Any:
        return apply(node.op, self.read(node.operand))

    def read_BinOp(self, node: ast.BinOp) -> Any:
        x, y = self.read(node.left), self.read(node.right)
        return power(x, y) if isinstance(node.op, ast.Pow) else apply(node.op, x, y)

    def read_Compare(self, node: ast.Compare) -> Any:
        if len(node.ops) > 1:
            raise Refused("write logical_and(a < x, x < b) for a < x < b")
        return apply(node.ops[0], *map(self.read, (node.left, node.comparators[0])))

    def read_Call(self, node: ast.Call) -> Any:
        if not isinstance(node.func, ast.Name):
            raise Refused("only operations are called, by their names: exp(x)")
        name = node.func.id
        if name not in FUNCTIONS:
            raise Refused(f"there is no operation {excerpt(name)}{suggested(name)}")
        keywords = {str(k.arg): self.axis(k) for k in node.keywords}
        operands = list(map(self.read, node.args))
        if operands:  # some functions ask an expression for its type
            operands[0] = as_expression(operands[0])
        return FUNCTIONS[name](*operands, **keywords)

    def axis(self, keyword: ast.keyword) -> int:
        """The one keyword there is."""
        try:
            value = ast.literal_eval(keyword.value)
        except ValueError:
            value = None
        if keyword.arg != "axis" or type(value) is not int:
            raise Refused("the only keyword is axis=, a whole number: sum(x, axis=0)")
        return value


# ---- the parts


def refusal(node: ast.AST) -> str:
    """Why this kind of node stands in no formula, and what to write."""
    kind = type(node)
    remedy = INSTEAD.get(kind, "write numbers, names, operators, comparisons and operations")
    return f"{kind.__name__} has no place in a formula: {remedy}"


def apply(sign: ast.AST, *operands: Any) -> Any:
    """What an operator makes of expressions, or of numbers."""
    if type(sign) not in OPERATORS:
        raise Refused(refusal(sign))
    if any(isinstance(x, ad.Expr) for x in operands):
        return OPERATORS[type(sign)](*operands)
    try:
        return within(OPERATORS[type(sign)](*operands))
    except ZeroDivisionError:
        raise Refused("a number is divided by 0 here") from None


def power(x: Any, y: Any) -> Any:
    """x**y, for powers that are not huge."""
    if not isinstance(y, ad.Expr) and abs(y) > HIGHEST:
        raise Refused(f"a power may be at most {HIGHEST}: write exp(a * log(x)) for a larger one")
    if isinstance(x, ad.Expr) or isinstance(y, ad.Expr):
        return x**y
    try:
        found = x**y
    except ArithmeticError:
        raise Refused(f"{x}**{y} is no number that can be computed") from None
    return within(found)


def within(value: Any) -> Any:
    """A number that fits into double precision; a truth value or an array as it is."""
    if isinstance(value, complex) or isinstance(value, (int, float)) and not fits(value):
        raise Refused("a number here is too large for double precision, or not real")
    return value


def fits(value: float) -> bool:
    try:
        return math.isfinite(float(value))
    except OverflowError:
        return False


def suggested(name: str) -> str:
    """A name that may be meant."""
    close = get_close_matches(name, FUNCTIONS, n=1)
    return f": write {close[0]}(...)" if close else f"; there are {', '.join(WHOLE[:5])}, exp, ..."
