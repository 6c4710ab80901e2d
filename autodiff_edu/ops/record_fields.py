"""What an operation may state in its record, `@op(...)`: each field and what it means."""

from inspect import signature
from itertools import chain
from textwrap import wrap
from types import FunctionType
from typing import Any

from ..expr import shown

FIELDS = {
    # ---- how it is written
    "label": "its picture; {key} stands for the static parameter of that name",
    "operand_labels": "what is written on the edges from its operands in pictures",
    "drawn": "how many operands are drawn, where the others are only lengths of the result",
    "latex": "a function's name, \\sin, or a formula in which #1 #2 stand for the operands",
    "symbol": "its sign in formulas, as x ⊕ y. Programs compute the body, whatever its sign",
    "written": "how it is written, with {0} {1} for operands, if neither with a sign nor so: f(x)",
    "scalar": "the Python expression for single numbers, with {0} {1} for operands",
    "targets": "what to run instead of the body, by target of programs: {'numpy': f}",
    # ---- its type
    "type": "(*types, **static) -> the result's shape, or its TensorType",
    "core": 'NumPy\'s signature of an operation on the last axes, "(m,n),(n)->(m)"',
    "normal": "(*types, **static) -> the static parameters in their one normal form",
    "lengths": "the places of operands that tell lengths of the result, beside those in its shape",
    "reads": "(arguments as NumPy's users write them) -> operands and parameters",
    "view": "whether the result may share memory with the first operand",
    "overlaps": "whether an entry of the operand may stand several times in such a result",
    "adopted": "the operand from which on Python's numbers adopt dtypes: 1 for where(c, x, y)",
    "any_integer": "whether it takes Python's integers that the other operand's dtype cannot hold",
    "commutative": "whether two operands may change places",
    # ---- its derivative
    "partials": "(x, y, out, **static) -> the factor of each operand's small change",
    "chain": "(d, x, y, out, **static) -> what becomes of a small change d of each operand",
    "linear": "True, or the places of the operands in which it is jointly linear",
    "multilinear": "whether it is linear in each operand",
    "pullback": "(ct, x, y, out, **static) -> a cotangent or None for each operand",
    "pushforward": "((dx, dy), x, y, out, **static) -> the tangent of the result",
    "kinks": "the slopes where there is no derivative, or no finite one: "
    '{"x = y": "1 for x, 0 for y"}',
    "nondifferentiable": "why no derivative passes",
    "reasons": "why none passes to one operand, by its place: {0: 'its value jumps'}",
    "overrides": "whether its derivative is another than that of its value, on purpose",
    "merges": "whether cotangents may be added before their rule is applied: by default unless it "
    "overrides",
    "subscripts": "(ndims, **static) -> the letters of the sum of products that it is: 'ij,j->i'",
    "series": "(k, x, y, out) -> the k-th Taylor coefficient of the result, from functions that "
    "give those of the operands and earlier ones of its own, None for 0; or NotImplemented",
    # ---- batching
    "cores": "(*ndims) -> how many last axes of each operand and of the result do not broadcast, "
    "for an operation that broadcasts and has neither form",
    "batch": "(inputs, which are batched, **static) -> the operation on each slice",
    "taken": "(*operands, key) -> x[key], where it is known without x",
    # ---- what rewriting asks
    "cost": "additions for each entry of an elementwise operation, 4 if not stated; else "
    "(*shapes of operands and result, **static) -> additions, or 0 if it only moves numbers",
    "facts": 'what holds of its value for real numbers, and when: {"positive": "always"}, with the '
    "words of WAYS in rewrite/facts/prover.py",
    "exact_facts": "likewise of what is computed, nan and underflow included; one word for all",
    "exact_zeros": "whether zeros in its value are exact, as those of differentiation: they wait "
    "for the rules",
    "picks": "whether each entry of the result is one of an operand's: then integers cannot wrap",
    "free": "whether it is bookkeeping that counts as no operation",
}
TEXTS = ("label", "latex", "symbol", "written", "scalar", "core", "nondifferentiable")
TABLES = ("facts", "kinks", "reasons", "targets")
FUNCTIONS = (
    "type", "normal", "reads", "partials", "chain", "pullback", "pushforward", "subscripts",
    "series", "cores", "batch", "taken",
)  # fmt: skip
KINDS = (
    (TEXTS, lambda v: isinstance(v, str), "a text"),
    (TABLES, lambda v: isinstance(v, dict), "a dict"),
    (FUNCTIONS, callable, "a function"),
    (
        ("cost",),
        lambda v: callable(v) or isinstance(v, (int, float)) and v >= 0,
        "a number from 0 on, or a function",
    ),
)
RENAMED = {"severed": "nondifferentiable"}


def check_fields(stated: dict[str, object]) -> None:
    """Raise TypeError for a field that there is not, with those that there are; or for a value that
    it cannot have."""
    for field, value in stated.items():
        if field in RENAMED:
            raise TypeError(f"{field}= is called {RENAMED[field]}= now")
        if field not in FIELDS:
            raise TypeError(f"an operation states no {field}=: it may state {', '.join(FIELDS)}")
        for fields, fits, kind in KINDS:
            if field in fields and not fits(value):
                raise TypeError(f"{field}= takes {kind}, not {shown(value)}: {FIELDS[field]}")


def check_body(body: Any) -> None:
    """Raise TypeError for what is no function whose arguments can be read."""
    if isinstance(body, FunctionType):
        return
    try:
        readable = "out" not in signature(body).parameters  # as those of NumPy's functions have
    except (TypeError, ValueError):
        readable = False
    if isinstance(body, type) or not readable or not hasattr(body, "__name__"):
        raise TypeError(f"ad.op stands above a function, and was given {shown(body)}: write "
                        "@ad.op(...) above def f(x): return ...")  # fmt: skip


def described(docstring: str) -> str:
    """A docstring with a line for each field, where it says {fields}."""
    rows = [f"{field:<18}{FIELDS[field]}" for field in FIELDS]
    lines = chain.from_iterable(wrap(row, 91, subsequent_indent=" " * 18) for row in rows)
    return docstring.replace("{fields}", "\n    ".join(lines))
