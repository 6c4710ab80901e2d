"""What an operation's record says to a reader: its signature and its docstring, by numpydoc.

The docstring of the body gives the summary, the examples, and any section that only its author
knows. The rest follows from the record: parameters, result, errors, and what `statement` says of
the derivative. All is written when it is first asked for.
"""

import inspect
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from textwrap import fill
from typing import Any

from ..core.derivative_rules import Declared
from ..expr import Graph, Op, Written, give, shorten, visible
from .statement import derivative, dtypes, kinks, numpy_name, operands

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


def call_of(what: Any) -> str:
    """How any operation, or a function of arrays, is called: sum(x, axis=None, keepdims=False)."""
    name = getattr(what, "name", None) or what.__name__
    if hasattr(what, "stated"):
        return f"{name}{signature(what)}"
    if isinstance(what, Op):  # whose operands may have any name
        by_name = [f"{k}={v!r}" for k, v in what.parameters.items()]
        words = [*dict.fromkeys(operands(what)), *["*"] * bool(by_name), *by_name]
        return f"{shorten(visible(name))}({', '.join(shorten(visible(word)) for word in words)})"
    given = inspect.signature(what).parameters.values()
    return f"{name}{inspect.Signature([p.replace(annotation=p.empty) for p in given])}"


def summary(what: Any) -> str:
    """The first paragraph that its author wrote of it."""
    if isinstance(what, Op):
        body = None if isinstance(what.body, Graph) else what.body
        text = body.__doc__ if body else vars(type(what)).get("__doc__")
        text = "" if isinstance(what.body, Graph) or not isinstance(text, str) else text
    else:
        text = inspect.getdoc(what) or ""
    return " ".join(read(text)["Summary"].split("\n\n")[0].split())


# ---- the docstring


def docstring(op: Any) -> str:
    """The sections that the body's docstring gives, completed by those that the record knows."""
    sections = read(op.body.__doc__ or "")
    sections["Parameters"] = "\n".join(parameters(op, sections.get("Parameters", "")))
    sections.setdefault("Returns", returns(op))
    sections.setdefault("Raises", "\n".join(raises(op)))
    sections.setdefault("See Also", see_also(op))
    sections["Notes"] = "\n\n".join(filter(None, [*notes(op), sections.get("Notes", "")]))
    return joined(sections)


give(Declared, __doc__=Written(docstring, Declared.__doc__), __signature__=Written(signature))


def joined(sections: Sections) -> str:
    """The docstring of these sections, each under its title."""
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


def parameters(op: Any, section: str) -> Iterator[str]:
    """One entry for each: the author's words, or those for an operand or for a known name."""

    def words(p: inspect.Parameter) -> str:
        kind, text = PARAMETERS.get(p.name) or operand(op, p.name)
        default = "" if p.default is p.empty else f", default: {p.default!r}"
        text += " By default all." * (p.name == "axis" and p.default is None)
        return entry(kind + default, text)

    return entries(signature(op), section, words)


def complete(functions: Iterable[Any], words: Mapping[str, tuple[str, str]], **shared: str) -> None:
    """Write the docstrings of a family of functions whole. Each states only its own: `words` are
    the entries of parameters that many have, `shared` the sections of most."""
    for f in functions:
        if f.__doc__:  # Python may leave docstrings out
            sections = {t.replace("_", " "): text.format(f.__name__) for t, text in shared.items()}
            sections |= read(f.__doc__)
            own = entries(inspect.signature(f), sections.get("Parameters", ""), lambda p: (
                entry(*words[p.name]) if p.name in words else ""))  # fmt: skip
            sections["Parameters"] = "\n".join(own)
            f.__doc__ = joined(sections)


def entries(
    stated: inspect.Signature, section: str, words: Callable[[inspect.Parameter], str]
) -> Iterator[str]:
    """An entry for each parameter that has words: the author's own go first."""
    own = dict(re.findall(r"^\*?(\w+) (: .*(?:\n +.*)*)", section, re.MULTILINE))
    for p in stated.parameters.values():
        text = own.get(p.name) or words(p)
        if text:
            yield f"{'*' * (p.kind is p.VAR_POSITIONAL)}{p.name} {text}"


def entry(kind: str, text: str) -> str:
    return f": {kind}\n{indented(text)}"


def operand(op: Any, name: str) -> tuple[str, str]:
    """Its type and its shape, in words; of a static parameter, that it is one."""
    if name in op.parameters:
        return "object", "A static parameter: it is known when the node is made."
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
    name = numpy_name(op)
    return f"{name} : The same for arrays." if name else ""


def notes(op: Any) -> Iterator[str]:
    """The derivative, as text and in LaTeX, and the slope at kinks."""
    told = derivative(op)
    yield told.words
    yield "\n".join(f"* {plain}" for plain, _ in told.formulas)
    yield from (f".. math:: {tex}" for _, tex in told.formulas)
    yield f"At kinks: {kinks(op)}." if kinks(op) else ""
