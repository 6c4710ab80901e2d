"""How each operation is written in LaTeX, with the strength that decides about brackets.

A template receives the operands, already bracketed where they are weaker than it asks for.
"""

import re
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, NamedTuple

from ...differentiate import D
from ...expr import UNTYPED, Expr, Op, TensorType, item, shorten
from ...expr import subscript as entry
from ...ops import OPS
from ..build.labels import called, operation, parameters, type_words
from ..build.parameters import axes, key
from ..build.subgraphs import result_word
from .names import latex_name

# From what binds last to what binds first, in a textbook: logic, relations, mod (of which nobody
# knows how it binds beside a sum or a product), sums and a minus, Σ, products with a dot, factors
# side by side, powers and functions, and what holds together in any place. An operand that is
# weaker than its place asks for gets brackets.
LOGIC, RELATION, MOD, SUM, LARGE, PRODUCT, BESIDE, POWER, ATOM = range(9)

Write = Callable[..., str]


class Form(NamedTuple):
    """`write(node, *operands)`; `strength` of the result; what is asked of each operand."""

    strength: int
    asks: Sequence[int]
    write: Write


def infix(sign: str, strength: int, left: int, right: int) -> Form:
    return Form(strength, (left, right), lambda n, a, b: f"{a} {sign} {b}")


def around(before: str, after: str = "}", strength: int = ATOM) -> Form:
    return Form(strength, (LOGIC,), lambda n, a: f"{before}{a}{after}")


def function(name: str) -> Form:
    """A function of any number of operands, with its static parameters as a subscript."""

    def write(n: Expr, *operands: str) -> str:
        return name + subscript(parameters(n)) + brackets(", ".join(operands))

    return Form(POWER, (LOGIC,), write)


def large(name: str) -> Form:
    """Σ and its kin: the axes below, the operand as a factor behind."""
    return Form(LARGE, (PRODUCT,), lambda n, a: f"{name}{subscript(reduced(n))} {a}")


def wrapped(a: str) -> str:
    """The operand ready for a subscript: one that has one already goes into braces."""
    return f"{{{a}}}" if "_" in a or "^" in a else a


def at_places(n: Expr, a: str, *indices: str) -> str:
    return rf"{wrapped(a)}_{{[{', '.join(indices)}]}}"


def sliced(n: Expr, x: str, a: str, b: str) -> str:
    before = ":, " * dict(operation(n)[1]).get("axis", 0)
    return rf"{wrapped(x)}_{{[{before}{a}:{b}]}}"


def update(sign: str) -> Form:
    """x with v at a key, of which arrays are operands."""

    def write(n: Expr, a: str, v: str, *indices: str) -> str:
        given = iter(indices)
        items = [entry(i) if i != "array" else next(given) for i in dict(operation(n)[1])["key"]]
        return rf"{wrapped(a)}_{{[{', '.join(items)}] {sign} {v}}}"

    return Form(ATOM, (ATOM, SUM, LOGIC), write)


def result(n: Expr, a: str) -> str:
    """One of several results by its name or, as mathematics counts, from 1."""
    place = dict(n.static)["place"] if n.type is not UNTYPED else 0
    name = result_word(n.inputs[0], place)
    return rf"{wrapped(a)}_{{{latex_name(name) if name else place + 1}}}"


def derivative_of_psi(n: Expr, a: str) -> str:
    return rf"\psi^{{({dict(operation(n)[1])['order']})}}{brackets(a)}"


def logsumexp(n: Expr, a: str) -> str:
    return rf"\log \sum{subscript(reduced(n))} {exponential(n, a)}"


def reduced(n: Expr) -> str:
    return axes_of(n, "axis", None)


def axes_of(n: Expr, name: str, otherwise: Any) -> str:
    """The axes of an operation in words, but in a pattern, whose operand may have any."""
    if n.type is UNTYPED:
        return ""
    return axes(n.op, name, dict(n.static).get(name, otherwise), n.inputs[0].ndim)


def subscript(words: str) -> str:
    return rf"_{{\text{{{escaped(words)}}}}}" if words else ""


def escaped(words: str) -> str:
    return "".join(rf"\{c}" if c in "{}$%#_&" else c for c in words if c not in "\\^~`")


def brackets(inside: str) -> str:
    tall = any(sign in inside for sign in (r"\frac", r"\sum", r"\prod", r"\begin", r"\left"))
    return rf"\left({inside}\right)" if tall else f"({inside})"


def times(n: Expr, a: str, b: str) -> str:
    """2x, x · y, and x ⊙ y entry by entry."""
    if n.type is not UNTYPED and all(i.ndim for i in n.inputs):
        return rf"{a} \odot {b}"
    juxtaposed = a != "1" and a.replace(".", "").isdigit() and not b[:1].isdigit()
    return f"{a} {b}" if juxtaposed else rf"{a} \cdot {b}"


def exponential(n: Expr, a: str) -> str:
    tall = any(sign in a for sign in (r"\frac", r"\sum", r"\begin", "^"))
    return rf"\exp{brackets(a)}" if tall or len(a) > 40 else f"e^{{{a}}}"


def transposed(n: Expr, a: str) -> str:
    words = axes_of(n, "axes", ())
    return (
        rf"\operatorname{{transpose}}{subscript(words)}{brackets(a)}"
        if words
        else rf"{a}^{{\mathsf{{T}}}}"
    )


def shaped(name: str) -> Form:
    """A new shape says more than the lengths that it was built from."""

    def write(n: Expr, a: str, *lengths: str) -> str:
        words = type_words(TensorType("float64", n.type.shape)) if n.type is not UNTYPED else ""
        return rf"\operatorname{{{name}}}{subscript(words)}{brackets(a)}"

    return Form(POWER, (LOGIC,), write)


def cases(n: Expr, c: str, a: str, b: str) -> str:
    return rf"\begin{{cases}} {a} & \text{{if }} {c} \\ {b} & \text{{otherwise}} \end{{cases}}"


def indexed(n: Expr, a: str) -> str:
    words = key(dict(n.static)["key"])[1:-1] if n.type is not UNTYPED else "key"
    return rf"{wrapped(a)}_{{[{words}]}}"


BY_NAME = {
    "add": infix("+", SUM, SUM, LARGE),
    "subtract": infix("-", SUM, SUM, LARGE),
    "multiply": Form(PRODUCT, (PRODUCT, POWER), times),
    "matmul": infix(r"\,", BESIDE, BESIDE, POWER),
    "negative": Form(SUM, (LARGE,), lambda n, a: f"-{a}"),
    "exp": Form(POWER, (LOGIC,), exponential),
    "polygamma": Form(POWER, (LOGIC,), derivative_of_psi),
    "remainder": infix(r"\bmod", MOD, POWER, POWER),
    "logsumexp": Form(LARGE, (LOGIC,), logsumexp),
    "norm2": Form(ATOM, (LOGIC,), lambda n, a: rf"\left\|{a}\right\|{subscript(reduced(n))}"),
    "sum": large(r"\sum"),
    "product": large(r"\prod"),
    "broadcast_to": shaped("broadcast"),
    "reshape": shaped("reshape"),
    "transpose": Form(POWER, (ATOM,), transposed),
    "index": Form(ATOM, (ATOM,), indexed),
    "history": Form(ATOM, (ATOM, LOGIC), lambda n, a, last: rf"{wrapped(a)}_{{[1:]}}"),
    "first_slices": Form(ATOM, (ATOM, LOGIC), lambda n, a, count: rf"{wrapped(a)}_{{[:{count}]}}"),
    "gather": Form(ATOM, (ATOM, LOGIC), at_places),
    "between": Form(ATOM, (ATOM, LOGIC), sliced),
    "set_at": update(r"\leftarrow"),
    "add_at": update(r"\mathrel{+}="),
    "count": Form(ATOM, (LARGE,), lambda n, a: rf"(0, \ldots, {a} - 1)"),
    "where": Form(LOGIC, (LOGIC,), cases),
    "less": infix(r"\lt", RELATION, MOD, MOD),
    "less_equal": infix(r"\le", RELATION, MOD, MOD),
    "greater": infix(r"\gt", RELATION, MOD, MOD),
    "greater_equal": infix(r"\ge", RELATION, MOD, MOD),
    "equal": infix("=", RELATION, MOD, MOD),
    "not_equal": infix(r"\ne", RELATION, MOD, MOD),
    "logical_and": infix(r"\land", LOGIC, RELATION, RELATION),
    "logical_or": infix(r"\lor", LOGIC, RELATION, RELATION),
    "logical_xor": infix(r"\oplus", LOGIC, RELATION, RELATION),
    "logical_not": Form(POWER, (ATOM,), lambda n, a: rf"\lnot {a}"),
    "isfinite": Form(RELATION, (SUM,), lambda n, a: rf"{a} \text{{ finite}}"),
}
FORMS: dict[Op, Form] = {OPS[name]: form for name, form in BY_NAME.items()} | {
    item: Form(ATOM, (POWER,), result),
    D: function(r"\mathrm{D}"),
}


def form(n: Expr) -> Form:
    """The operation's own form, or its name as a function."""
    op, words = operation(n)[0], called(n)
    name = words if words.isascii() and words.isalnum() else op.name
    found = FORMS.get(op) or stated(op.latex) or function(operator_name(op, name))
    if op is n.op:
        return found
    each = lambda n, *args: rf"\text{{each }} {found.write(n, *args)}"
    return Form(min(POWER, found.strength), found.asks, each)


@cache
def stated(latex: str) -> Form | None:
    """The form that an operation states: a function's name, or a formula with #1 and #2. An operand
    that stands there bare is kept together by brackets, and so is a formula with several."""
    if "#" not in latex:
        return function(latex) if latex else None
    count = max(map(int, OPERAND.findall(latex)))
    bare = [int(place[1]) for place in OPERAND.finditer(latex) if not depth(latex[: place.start()])]
    strength = ATOM if latex.startswith((r"\left", r"\sqrt")) else POWER
    strength = LOGIC if len(bare) > 1 else SUM if latex.startswith("-") else strength
    asks = [
        ATOM if f"#{k}^" in latex or f"#{k}_" in latex else POWER if k in bare else LOGIC
        for k in range(1, count + 1)
    ]

    def write(n: Expr, *operands: str) -> str:
        return OPERAND.sub(lambda place: operands[int(place[1]) - 1], latex)

    return Form(strength, asks, write)


OPERAND = re.compile("#([1-9])")


def depth(latex: str) -> int:
    """How many brackets are open at the end."""
    return len(re.findall(r"[{(\[]|\\left\b", latex)) - len(re.findall(r"[})\]]|\\right\b", latex))


def operator_name(op: Op, name: str) -> str:
    """A name of the house's as a word; a user's may be of any kind."""
    return named(name) if OPS.get(op.name) is op else of_user(name)


def named(name: str) -> str:
    return rf"\operatorname{{{escaped(name)}}}"


def of_user(name: str) -> str:
    """A name of any kind: f as a letter, energy as a word, and nothing in it can act."""
    plain = len(name) > 1 and name.isascii() and name.isidentifier()
    return named(shorten(name)) if plain else latex_name(name or "box")
