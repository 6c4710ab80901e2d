"""What an operation may state in its record, `@op(...)`: the engine's fields, and traits.

A trait is what one room asks of an operation and the engine does not read; a class of one's own
states it as an attribute. All stand in one table, so that a word for which no room asks is told
where it is stated.
"""

from collections.abc import Callable
from inspect import signature
from itertools import chain
from textwrap import wrap
from types import FunctionType
from typing import Any

from ..expr import Op, shown

KINDS: dict[str, Callable[[Any], bool]] = {
    "anything": lambda value: True,
    "a text": lambda value: isinstance(value, str),
    "a dict": lambda value: isinstance(value, dict),
    "a function": callable,
    "a number from 0 on, or a function": lambda value: (
        callable(value) or (isinstance(value, (int, float)) and value >= 0)
    ),
}
ANY, TEXT, TABLE, FUNCTION, PRICE = KINDS

# what the engine reads: name, kind, meaning
FIELDS = (
    ("symbol", TEXT, "its sign in formulas, as x ⊕ y. Programs compute the body, whatever its "
     "sign"),
    ("label", TEXT, "its picture; {key} stands for the static parameter of that name"),
    ("type", FUNCTION, "(*types, **static) -> the result's shape, or its TensorType"),
    ("core", TEXT, 'NumPy\'s signature of an operation on the last axes, "(m,n),(n)->(m)"'),
    ("normal", FUNCTION, "(*types, **static) -> the static parameters in their one normal form"),
    ("cores", FUNCTION, "(*ndims) -> how many last axes of each operand and of the result do not "
     "broadcast, for an operation that broadcasts and has neither form"),
    ("reads", FUNCTION, "(arguments as NumPy's users write them) -> operands and parameters"),
    ("adopted", ANY, "the operand from which on Python's numbers adopt dtypes: 1 for "
     "where(c, x, y)"),
    ("any_integer", ANY, "whether it takes Python's integers that the other operand's dtype "
     "cannot hold"),
    ("commutative", ANY, "whether two operands may change places"),
    ("partials", FUNCTION, "(x, y, out, **static) -> the factor of each operand's small change"),
    ("chain", FUNCTION, "(d, x, y, out, **static) -> what becomes of a small change d of each "
     "operand"),
    ("linear", ANY, "True, or the places of the operands in which it is jointly linear"),
    ("multilinear", ANY, "whether it is linear in each operand"),
    ("pullback", FUNCTION, "(ct, x, y, out, **static) -> a cotangent or None for each operand"),
    ("pushforward", ANY, "((dx, dy), x, y, out, **static) -> the tangent of the result"),
    ("overrides", ANY, "whether its derivative is another than that of its value, on "
     "purpose"),
    ("merges", ANY, "whether cotangents may be added before their rule is applied: by "
     "default unless it overrides"),
    ("nondifferentiable", TEXT, "why no derivative passes"),
    ("free", ANY, "whether it is bookkeeping that counts as no operation"),
    ("spreads", ANY, "whether it only repeats the entries of its first operand"),
    ("exact_zeros", ANY, "whether zeros in its value are exact, as those of differentiation: they "
     "wait for the rules"),
    ("cost", PRICE, "additions for each entry of an elementwise operation, 4 if not stated; else "
     "(*shapes of operands and result, **static) -> additions, or 0 if it only moves numbers"),
)  # fmt: skip

# what single rooms ask: name, default, kind, meaning
ROWS: tuple[tuple[str, Any, str, str], ...] = (
    # ---- how it is written and drawn
    ("latex", "", TEXT, "a function's name, \\sin, or a formula in which #1 #2 stand for the "
     "operands"),
    ("written", "", TEXT, "how it is written, with {0} {1} for operands, if neither with a sign "
     "nor so: f(x)"),
    ("operand_labels", (), ANY, "what is written on the edges from its operands in pictures"),
    ("drawn", None, ANY, "how many operands are drawn, where the others are only lengths of the "
     "result"),
    # ---- its operands and its result
    ("lengths", (), ANY, "the places of operands that tell lengths of the result, beside those in "
     "its shape"),
    # ---- programs
    ("scalar", "", TEXT, "the Python expression for single numbers, with {0} {1} for operands"),
    ("targets", {}, TABLE, "what to run instead of the body, by target of programs: {'numpy': f}"),
    ("view", False, ANY, "whether the result may share memory with the first operand"),
    ("overlaps", False, ANY, "whether an entry of the operand may stand several times in such a "
     "result"),
    # ---- its derivative, seen from other rooms
    ("kinks", {}, TABLE, "the slopes where there is no derivative, or no finite one: "
     '{"x = y": "1 for x, 0 for y"}'),
    ("reasons", {}, TABLE, "why none passes to one operand, by its place: {0: 'its value jumps'}"),
    ("gate", False, ANY, "whether it changes cotangents, but no tangents"),
    ("subscripts", None, FUNCTION, "(ndims, **static) -> the letters of the sum of products that "
     "it is: 'ij,j->i'"),
    ("series", None, FUNCTION, "(k, x, y, out) -> the k-th Taylor coefficient of the result, from "
     "functions that give those of the operands and earlier ones of its own, None for 0; or "
     "NotImplemented"),
    ("batch", None, FUNCTION, "(inputs, which are batched, **static) -> the operation on each "
     "slice"),
    ("taken", None, FUNCTION, "(*operands, key) -> x[key], where it is known without x"),
    # ---- rewriting
    ("facts", {}, TABLE, 'what holds of its value for real numbers, and when: {"positive": '
     '"always"}, with the words of WAYS in rewrite/facts/prover.py'),
    ("exact_facts", {}, ANY, "likewise of what is computed, nan and underflow included; one word "
     "for all"),
    ("picks", False, ANY, "whether each entry of the result is one of an operand's: then integers "
     "cannot wrap"),
)  # fmt: skip

TRAITS = {name: (kind, meaning) for name, kind, meaning in FIELDS}
for name, default, kind, meaning in ROWS:
    TRAITS[name] = kind, meaning
    setattr(Op, name, default)


def check_fields(fields: dict[str, object]) -> None:
    """Raise TypeError for a field that there is not, with those that there are; or for a value that
    it cannot have."""
    for name, value in fields.items():
        if name not in TRAITS:
            raise TypeError(f"an operation states no {name}=: it may state {', '.join(TRAITS)}")
        kind, meaning = TRAITS[name]
        if not KINDS[kind](value):
            raise TypeError(f"{name}= takes {kind}, not {shown(value)}: {meaning}")


def check_body(body: Any) -> None:
    """Raise TypeError unless the body is a function whose arguments can be read."""
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
    """A docstring with a line for each field and trait, where it says {fields}."""
    rows = [f"{name:<18}{meaning}" for name, (_, meaning) in TRAITS.items()]
    lines = chain.from_iterable(wrap(row, 91, subsequent_indent=" " * 18) for row in rows)
    return docstring.replace("{fields}", "\n    ".join(lines))
