"""What an operation's record says to a reader: its signature and its docstring, by numpydoc.

The docstring of the body gives the summary, the examples, and any section that only its author
knows. The rest follows from the record: parameters, result, errors, and the derivative, which is
the record's own pullback on symbols. All is written when it is first asked for.
"""

import inspect
import re
from collections.abc import Iterator
from textwrap import fill
from typing import Any

import numpy as np

from ..expr import HOOKS, Expr, Input, TensorType

TITLES = "Parameters", "Returns", "Raises", "See Also", "Notes", "References", "Examples"
TITLE = re.compile(rf"^({'|'.join(TITLES)})\n-+\n", re.MULTILINE)
Sections = dict[str, str]
INDENT = " " * 4

PARAMETERS = {
    "axis": ("int or tuple of int", "Along which; a negative one counts from the end."),
    "keepdims": ("bool", "Whether a reduced axis stays, with length 1."),
    "dtype": ("dtype", "The dtype of the result."),
    "shape": ("int or tuple", "Its lengths, which may be expressions."),
    "order": ("{'C', 'F'}", "Row by row, or column by column."),
    "lengths": ("int or Expr", "The lengths, if they are given one by one."),
    "condition": ("Expr or array_like", "Truth values."),
    "low": ("Expr or array_like", "The lower bound."),
    "high": ("Expr or array_like", "The upper bound."),
}  # fmt: skip


# ---- the signature


def signature(op: Any) -> inspect.Signature:
    """As users call the operation: parameters by position, too, where Python can write that."""
    given = inspect.signature(op.reads or op.body).parameters.values()
    stated = [p.replace(annotation=p.empty) for p in given if p.kind is not p.VAR_KEYWORD]
    optional = [p.default is not p.empty for p in stated]
    if optional == sorted(optional) and all(p.kind is not p.VAR_POSITIONAL for p in stated):
        stated = [p.replace(kind=p.POSITIONAL_OR_KEYWORD) for p in stated]
    return inspect.Signature(stated)


# ---- the docstring


def docstring(op: Any) -> str:
    """The sections that the body's docstring gives, completed by those that the record knows."""
    sections = read(op.body.__doc__ or "")
    sections["Parameters"] = "\n".join(parameters(op, sections.get("Parameters", "")))
    sections.setdefault("Returns", returns(op))
    sections.setdefault("Raises", "\n".join(raises(op)))
    sections.setdefault("See Also", see_also(op))
    sections["Notes"] = "\n\n".join(filter(None, [derivative(op), sections.get("Notes", "")]))
    parts = [f"{t}\n{'-' * len(t)}\n{sections[t]}" for t in TITLES if sections.get(t)]
    return "\n\n".join([sections["Summary"], *parts]) + "\n"


def read(text: str) -> Sections:
    """The sections of a docstring; what begins with >>> is the examples, titled or not."""
    head, *rest = TITLE.split(inspect.cleandoc(text))
    sections = dict(zip(rest[::2], map(str.strip, rest[1::2]), strict=True))
    summary, prompt, examples = head.partition(">>>")
    if prompt:
        sections["Examples"] = f"{prompt}{examples}".strip()
    return {"Summary": summary.strip(), **sections}


def parameters(op: Any, given: str) -> Iterator[str]:
    """One entry for each: the author's words, or those for an operand or for a known name."""
    own = dict(re.findall(r"^\*?(\w+) (: .*(?:\n +.*)*)", given, re.MULTILINE))
    for name, p in signature(op).parameters.items():
        kind, text = PARAMETERS.get(name) or operand(op, name)
        default = "" if p.default is p.empty else f", default: {p.default!r}"
        text += " By default all." * (name == "axis" and p.default is None)
        words = own.get(name) or f": {kind}{default}\n    {text}"
        yield f"{'*' * (p.kind is p.VAR_POSITIONAL)}{name} {words}"


def operands(op: Any) -> list[str]:
    """Their names, as the body has them."""
    stated = inspect.signature(op.body).parameters.values()
    return [p.name for p in stated if p.kind is p.POSITIONAL_OR_KEYWORD]


def operand(op: Any, name: str) -> tuple[str, str]:
    """Its type and its shape, in words."""
    if op.core and name in operands(op):
        letters = ", ".join(["...", *op.core.operands[operands(op).index(name)]])
        return f"Expr or array_like, shape ({letters})", "A matrix, or a stack of them."
    others = [other for other in operands(op) if other != name]
    if op.elementwise and others:
        return "Expr or array_like", f"Its shape broadcasts with that of {' and '.join(others)}."
    return "Expr or array_like", f"An array{' of any shape' * op.elementwise}."


def returns(op: Any) -> str:
    """The shape rule in words, and the dtype that the body gives."""
    if op.core:
        kinds = [f"shape ({', '.join(['...', *k])})" for k in op.core.results]
        return f"Expr, {' and '.join(kinds)}\n    The stack, to which the operands broadcast."
    if op.elementwise:
        shape = "shape to which the operands broadcast" if op.arity != 1 else "shape of x"
        text = ": ".join(filter(None, [f"An array of the {shape}", ", ".join(dtypes(op))]))
        return f"Expr\n{indented(text + '.')}"
    rule = inspect.getdoc(op.stated["type"]) if inspect.isfunction(op.stated["type"]) else ""
    return f"Expr\n{indented(rule or 'An array.')}"


def indented(text: str) -> str:
    return fill(" ".join(text.split()), 80, initial_indent=INDENT, subsequent_indent=INDENT)


def dtypes(op: Any) -> Iterator[str]:
    """What the body makes of operands of some dtypes: float64 for float64."""
    for dtype in ("float64", "float32", "int64"):
        try:
            yield f"{op.dtypes([TensorType(dtype)] * op.arity, {})[0]} for {dtype}"
        except Exception:  # of a body that takes no such operand, or no operand alone
            continue


def raises(op: Any) -> Iterator[str]:
    """Errors that follow from what the operation takes."""
    if op.core:
        yield "ShapeError\n    If the lengths of the last axes do not fit."
    elif op.elementwise and op.arity != 1:
        yield "ShapeError\n    If the shapes do not broadcast."
    elif "axis" in op.parameters:
        yield "AxisError\n    If an operand has no such axis."
    else:
        yield "DTypeError\n    If an operand is not an array of real numbers."


def see_also(op: Any) -> str:
    from scipy import special  # loaded when it is first needed

    for module in (np, special, np.linalg):
        if hasattr(module, op.name):
            return f"{module.__name__}.{op.name} : The same for arrays."
    return ""


# ---- the derivative


def derivative(op: Any) -> str:
    """In words and, where symbols are enough, as a formula for the cotangent of each operand."""
    if op.nondifferentiable:
        return f"No derivative passes: {op.nondifferentiable}."
    words = "Its derivative is another than that of its value, on purpose. " if op.overrides else ""
    words += "Linear in its operands. " if op.linear is True else ""
    words += "Linear in each operand. " if op.multilinear else ""
    symbols = cotangents(op)
    rules = [f"* {x}̄ = {ct}" for x, ct in symbols]
    tex = HOOKS["latex"]
    formulas = [f".. math:: \\bar{{{tex(x)}}} = {tex(ct)}" for x, ct in symbols]
    if not rules:
        return words.strip()
    example = ", for 3 by 3 matrices" * any(x.ndim for x, _ in symbols)
    head = f"{words}In reverse mode{example}, from the cotangent v̄ of the result:"
    return "\n\n".join([head, "\n".join(rules), *formulas])


def cotangents(op: Any) -> list[tuple[Expr, Expr]]:
    """What the record's pullback makes of symbols; nothing where it needs more than those."""
    names = operands(op)
    ndims = map(len, op.core.operands) if op.core else [2 * (not op.elementwise)] * len(names)
    symbols = tuple(Input(p, TensorType("float64", (3,) * n)) for p, n in zip(names, ndims))
    try:
        node = op(*symbols)
        if not isinstance(node, Expr) or (node.op, node.inputs) != (op, symbols):
            return []
        found = op.pullback(symbols, [node], [Input("v̄", node.type)], **dict(node.static))
        rules: list[tuple[Expr, Expr]] = [(x, g) for x, g in zip(symbols, found) if g is not None]
    except Exception:  # a user's rule may be wrong: who asks for help is not told so here
        return []
    return rules if all("…" not in str(ct) for ct in found) else []
