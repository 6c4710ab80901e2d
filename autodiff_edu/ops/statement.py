"""What an operation's record states, as a reader is told: one `Entry` for each thing.

The docstring, `op.explain()` and the book's reference are written from these entries, and these
from the record: the derivative is the record's own pullback on symbols.
"""

import inspect
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..expr import HOOKS, UNTYPED, Expr, Graph, Input, TensorType, TupleType, text
from .batch import way_of_batching
from .cost import flops, weight

LONG = 300  # characters of a formula
ITS_OWN = "By a rule of its own, which one sees at work: ad.draw(ad.grad(y, x))."
LETTERS = "xyzw"


class Entry(NamedTuple):
    """Something that the record states: in words, and in formulas as text and in LaTeX."""

    what: str
    words: str
    formulas: tuple[tuple[str, str], ...] = ()


def entries(op: Any) -> list[Entry]:
    """All that the record states, in a fixed order; what it leaves unsaid is left out."""
    found = [Entry("formula", "", example_formula(op)), Entry("in NumPy", numpy_name(op))]
    found += [Entry("dtype", ", ".join(dtypes(op))), derivative(op), Entry("kinks", kinks(op))]
    found += [Entry("batching", way_of_batching(op)), Entry("cost", price(op))]
    found += [Entry("facts", facts(op)), Entry("programs", targets(op))]
    return [entry for entry in found if entry.words or entry.formulas]


# ---- symbols, to which an operation is applied as an example


def operands(op: Any) -> list[str]:
    """Their names: those of the body, or of `perform`, or of a box's inputs."""
    if isinstance(op.body, Graph):
        return [i.name or f"x{k}" for k, i in enumerate(op.body.inputs)]
    try:
        stated = inspect.signature(op.body or op.perform).parameters.values()
    except (TypeError, ValueError):  # there is no body
        return list(LETTERS[: op.arity])
    kinds = inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD
    return [p.name for p in stated if p.kind in kinds and p.name not in op.parameters]


def example(op: Any) -> Expr | None:
    """The operation on symbols: numbers if it is elementwise, else matrices; None if it needs
    more than these."""
    names = operands(op)
    for types in example_types(op, len(names)):
        symbols = tuple(Input(name, t) for name, t in zip(names, types))
        try:
            node = op(*symbols)
        except Exception:  # it takes no such operands, and who asks for help is not told so here
            continue
        if (
            isinstance(node, Expr)
            and node.op == op
            and [*map(id, node.inputs)] == [*map(id, symbols)]
        ):
            return None if isinstance(node.type, TupleType) else node
    return None


def example_types(op: Any, count: int) -> Iterator[list[TensorType]]:
    """What to try, in this order."""
    core = getattr(op, "core", None)
    if isinstance(op.body, Graph):
        yield [i.type for i in op.body.inputs]
    elif core:
        yield [TensorType("float64", (3,) * len(letters)) for letters in core.operands]
    elif op.elementwise:
        yield [TensorType("float64")] * count
    else:
        ndims = (2,) if hasattr(op, "stated") else (0, 1, 2)  # a class does not say
        yield from ([TensorType("float64", (3,) * n)] * count for n in ndims)


def lengths(node: Expr) -> str:
    """What the symbols are, if they are no numbers."""
    most = max([i.ndim for i in node.inputs], default=0)
    return "" if not most else " for vectors of 3" if most == 1 else " for 3 by 3 matrices"


def pair(left: str, tex: str, e: Expr) -> tuple[str, str]:
    """An equation as text and in LaTeX."""
    return f"{left} = {text(e)}", f"{tex} = {HOOKS['latex'](e)}"


def short(formulas: Sequence[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """All of them, or none where one is too long to be read."""
    long = any("…" in plain or len(plain) > LONG for plain, _ in formulas)
    return () if long else tuple(formulas)


def example_formula(op: Any) -> tuple[tuple[str, str], ...]:
    node = example(op)
    return short([(text(node), HOOKS["latex"](node))]) if node is not None else ()


# ---- names and types


def numpy_name(op: Any) -> str:
    """The function of NumPy, or of scipy.special, that computes the same."""
    from scipy import special  # loaded when it is first needed

    rooms = {__name__.rpartition(".")[0], f"{__name__.split('.')[0]}.library"}
    if getattr(op, "__module__", "").rpartition(".")[0] not in rooms:
        return ""  # of somebody's own: equal names say nothing
    modules = [m for m in (np, special, np.linalg) if hasattr(m, op.name)]
    return f"{modules[0].__name__}.{op.name}" if modules else ""


def dtypes(op: Any) -> Iterator[str]:
    """What the body makes of operands of some dtypes: float64 for float64."""
    for dtype in ("float64", "float32", "int64"):
        try:
            yield f"{op.dtypes([TensorType(dtype)] * op.arity, {})[0]} for {dtype}"
        except Exception:  # of a body that takes no such operand, or no operand alone
            continue


# ---- the derivative


def derivative(op: Any) -> Entry:
    """In words and, where symbols are enough, as a formula for the cotangent of each operand."""
    if op.nondifferentiable:
        return Entry("derivative", f"No derivative passes: {op.nondifferentiable}.")
    words = "Its derivative is another than that of its value, on purpose. " if op.overrides else ""
    words += "It changes cotangents, but no tangents. " if op.gate else ""
    words += "Linear in its operands. " if op.linear is True else ""
    words += "Linear in each operand. " if op.multilinear else ""
    node = example(op)
    words += "" if node is None else change(op, node)
    rules = () if node is None else cotangents(op, node)
    if node is not None and rules:
        such = lengths(node) and f",{lengths(node)}"
        words += f"In reverse mode{such}, from the cotangent v̄ of the result:"
    return Entry("derivative", words.strip() or ITS_OWN, rules)


def change(op: Any, node: Expr) -> str:
    """A sentence about forward mode; nothing of a class, whose rule may be two pullbacks."""
    moved = [x for k, x in enumerate(node.inputs) if k in op.differentiable(len(node.inputs))]
    names = {x: f"d{x}" for x in moved}
    tangents = [Input(names[x], x.type) if x in names else None for x in node.inputs]
    try:
        (result,) = op.pushforward(node.inputs, [node], tangents, **dict(node.static))
    except Exception:  # a user's rule may be wrong
        return ""
    if not hasattr(op, "stated") or not isinstance(result, Expr) or not short([(text(result), "")]):
        return ""
    if len(moved) == 1:
        return f"A small change {names[moved[0]]} of {moved[0]} changes it by {text(result)}. "
    return f"Small changes {' and '.join(names.values())} change it by {text(result)}. "


def cotangents(op: Any, node: Expr) -> tuple[tuple[str, str], ...]:
    """What the record's pullback makes of symbols; nothing where it needs more than those."""
    try:
        given = [Input("v̄", node.type)]
        found = op.pullback(node.inputs, [node], given, **dict(node.static))
        tex = [HOOKS["latex"](x) for x in node.inputs]
        pairs = [(x, t, g) for x, t, g in zip(node.inputs, tex, found) if isinstance(g, Expr)]
        return short([pair(f"{x}̄", rf"\bar{{{t}}}", g) for x, t, g in pairs])
    except Exception:  # a user's rule may be wrong: who asks for help is not told so here
        return ()


def kinks(op: Any) -> str:
    """The slope where there is no derivative, or where it is infinite."""
    return "; ".join(f"where {where}, the slope is {slope}" for where, slope in op.kinks.items())


# ---- cost, facts, programs


def price(op: Any) -> str:
    """As rewrites judge it, and as `ad.cost` counts it."""
    node = example(op)
    if node is None or node.type is UNTYPED:
        return ""
    if not isinstance(op.body, Graph) and (op.view or op.free):
        return "none: it only arranges what is there"
    additions, operations = weight(node), flops(node)
    words = f"{additions} addition{'s' * (additions != 1)}"
    if operations is not None:
        words += f", {operations} floating point operation{'s' * (operations != 1)}"
    return words + (lengths(node) or " an entry" * op.elementwise)


HOLDS_WHEN = {
    "always": "always",
    "each": "where each operand is",
    "first": "where the first operand is",
    "branches": "where both x and y are",
    "sum": "where no operand is negative and one is positive",
    "product": "where both operands are, or are one",
    "even power": "where the exponent is even or the base is not negative",
    "nonzero": "where the operand is nonzero",
    "finite": "where the operand is finite",
    "one": "where one operand is",
}  # the words of WAYS in rewrite/facts/prover.py
THOSE = {"first": "the first operand", "branches": "both x and y"}  # one word for all facts


def facts(op: Any) -> str:
    """What holds of its value, and when; those of real numbers alone are called so."""
    exact = op.exact_facts
    if isinstance(exact, str):
        return f"all that is known of {THOSE[exact]}"
    real = {fact: how for fact, how in op.facts.items() if fact not in exact}
    said = [f"{fact} {HOLDS_WHEN[how]}" for fact, how in exact.items()]
    said += [f"{fact} {HOLDS_WHEN[how]} (of real numbers)" for fact, how in real.items()]
    return "; ".join(said)


def targets(op: Any) -> str:
    """What stands in a program of single numbers, and for which targets there is other code."""
    if isinstance(op.body, Graph):
        return "its body, as a program within the program"
    form = op.scalar
    said = [f"for single numbers {form.format(*operands(op))}"] if form else []
    others = sorted(op.targets.keys() - {"numpy"})
    return "; ".join([*said, *(f"other code for {target}" for target in others)])
