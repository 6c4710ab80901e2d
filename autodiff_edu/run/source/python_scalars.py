"""Plain Python arithmetic for programs on single numbers.

`math` is ten times faster than NumPy on one float but raises where NumPy answers inf or nan;
a program that meets such a case starts again with NumPy.
"""

from ...expr import Constant, Expr, Graph
from ...ops import equal, greater, greater_equal, less, less_equal, not_equal
from .loops import plain
from .writer import Source

COMPARISONS = (less, less_equal, greater, greater_equal, equal, not_equal)


def scalar_text(source: Source) -> str:
    """The program for single numbers; `careful` is the same program by NumPy."""
    results = [operand(source, o) for o in source.plan.graph.outputs]
    body = [f"{source.names[n]} = {call(source, n)}" for n in source.plan.order]
    if source.loop:
        body = [line for line, _ in source.loop.text(plain(body), results, numbers=True)]
    else:
        body.append(f"return {source.together(results)}")
    lines = ["try:", *(f"    {line}" for line in body)]
    lines += ["except (ValueError, OverflowError, ZeroDivisionError):"]
    lines += [f"    return careful({source.arguments()})"]
    if source.inputs and not source.within:
        lines[:0] = guarded(source)
    return "\n".join([source.header(), *(f"    {line}" for line in lines), ""])


def guarded(source: Source) -> list[str]:
    """The lines that take anything but floats in."""
    classes = [f"{source.names[i]}.__class__" for i in source.inputs]
    several = len(classes) > 1
    test = f"not ({' is '.join(classes)} is float)" if several else f"{classes[0]} is not float"
    return [f"if {test}:", f"    {source.arguments(',')} = accept({source.arguments()})"]


def call(source: Source, n: Expr) -> str:
    return form(n).format(*[operand(source, i) for i in n.inputs])


def operand(source: Source, i: Expr) -> str:
    return literal(i) if isinstance(i, Constant) else source.names[i]


def fits(source: Source) -> bool:
    """Is it a program of single numbers, which changes nothing?"""
    graph, shared = source.plan.graph, source.shared or source.updated
    numbers = is_scalar(graph) and all(map(is_number, source.inputs))
    return numbers and len(graph.outputs) > 0 and not shared


def is_scalar(graph: Graph) -> bool:
    """Is every value one float64 number or truth value, and every operation in the table?"""
    return all(is_number(n) and has_form(n) for n in graph.nodes)


def is_number(n: Expr) -> bool:
    """One float64 number, or a truth value fresh from a comparison: Python adds truth values
    like integers, NumPy does not."""
    truth = n.type.dtype == "bool" and n.op in COMPARISONS
    return not n.ndim and (n.type.dtype == "float64" or truth)


def has_form(n: Expr) -> bool:
    return n.op is None or bool(form(n))


def form(n: Expr) -> str:
    """The Python expression for an operation, with {0} and {1} for its operands."""
    stated = getattr(n.op, "scalar", "")
    symbol = getattr(n.op, "symbol", "")
    if stated or not symbol or symbol in "~&|@":
        return stated
    return f"{symbol}{{0}}" if len(n.inputs) == 1 else f"{{0}} {symbol} {{1}}"


def literal(c: Constant) -> str:
    """The number as Python writes it, bracketed where a sign would bind wrongly."""
    text = repr(float(c.value))
    return f"({text})" if text.startswith("-") else text
