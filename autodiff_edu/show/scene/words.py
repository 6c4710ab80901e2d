"""Equations in letters: what a step did, written with a, b, c for its operands."""

import re
from collections.abc import Mapping
from functools import cache

from ...differentiate.slope_names import BAR, DOT, marked
from ...expr import Constant, Expr, Input, Step, Wild, postorder, substitute, text
from ...rewrite import RULES
from .values import subscripted

SIGNS = {r" \* ": "·", " - ": " − ", "-": "−", r" \*\* 2(?![\w.])": "²",
         r" \*\* ": "^", " / ": "/"}  # fmt: skip
SIGN = re.compile(r"[=!]=|[<>&|,@+−·/²^…]")
STRENGTH = {"²": 4, "^": 4, "·": 3, "/": 3, "@": 3, "…": 3, "+": 2, "−": 2}  # others: 1
GROUP = re.compile(r"\([^()]*\)")
LETTERS = "abcdefgh"  # of the operands of a step
LONG = 90  # characters of an equation that is read at a glance


def mathematical(n: Expr) -> str:
    """The text of an expression with the signs of mathematics: a·b, a², −a."""
    words = text(n)
    for sign, better in SIGNS.items():
        words = re.sub(sign, better, words)
    stack: list[int] = []
    needless: set[int] = set()
    for k, letter in enumerate(words):
        if letter == "(":
            stack.append(k)
        elif letter == ")" and stack:  # a name may hold one
            first = stack.pop()
            needless |= {first, k} if is_needless(words, first, k) else set()
    return "".join(letter for k, letter in enumerate(words) if k not in needless)


def is_needless(words: str, first: int, last: int) -> bool:
    """Do two brackets say nothing? Around a product or a power, where the signs beside are weaker.
    Those around a sum tell its order."""
    before, inside, after = words[:first], words[first + 1 : last], words[last + 1 :]
    if re.search(r"[\w\])]$", before) or after.startswith("["):
        return False  # a call, or what a subscript is of
    while GROUP.search(inside):
        inside = GROUP.sub("", inside)
    least = min((STRENGTH.get(sign, 1) for sign in SIGN.findall(inside)), default=0)
    # a sign of one operand, as in −(a·b), stands close to it and is as strong as a product
    beside = [3 if before.endswith(("−", "~")) else level(before[::-1]), level(after)]
    return least > max(2, *beside)


def level(words: str) -> int:
    """The strength of the sign that comes first: 0 where a bracket or nothing comes before it."""
    sign = re.match(rf" ?({SIGN.pattern})", words)
    return STRENGTH.get(sign[1], 1) if sign else 0


def letters(v: Expr) -> dict[Expr, Expr]:
    """a, b and c for the operands of a node."""
    operands = [i for i in dict.fromkeys(v.inputs) if not is_number(i)]
    return dict(zip(operands, map(Input, LETTERS, [i.type for i in operands])))


def is_number(n: Expr) -> bool:
    return isinstance(n, Constant) and not n.ndim


def equation_of_use(step: Step, adjoint: Mapping[Expr, Expr]) -> str:
    """c = a·b:  ā gets c̄·b, of a step of reverse mode."""
    u, w, term = step.before, step.bindings["of"], step.bindings["term"]
    if step.rule == "seed":
        return f"{marked(subscripted(w.name or 'y'), BAR)} = {mathematical(term)}"
    names = letters(u)
    whole = {adjoint[u]: Input(f"c{BAR}", adjoint[u].type)} if u in adjoint else {}
    left = substitute([u], names)[0]
    right = substitute([term], {u: Input("c", u.type), **names, **whole})[0]
    name = names[w].name if w in names else "x"
    return short(f"c = {mathematical(left)}:  {name}{BAR} gets {mathematical(right)}")


def equation_of_place(v: Expr, term: Expr, owners: Mapping[Expr, Expr]) -> str:
    """c = a·b:  ċ = ȧ·b + a·ḃ, of a step of forward mode."""
    names = letters(v)
    dots = {t: Input(f"{names[i].name}{DOT}", t.type) for t, i in owners.items() if i in names}
    if not names:
        return f"{marked(subscripted(v.name or 'x'), DOT)} = {mathematical(term)}"
    left = substitute([v], names)[0]
    right = substitute([term], {v: Input("c", v.type), **names, **dots})[0]
    return short(f"c = {mathematical(left)}:  c{DOT} = {mathematical(right)}")


def equation_of_derivative(step: Step) -> str:
    """D(a·b) = D(a)·b + a·D(b), of a step of symbolic differentiation."""
    v = step.before.inputs[0]
    if step.rule == "a constant":
        return f"D(c) = {mathematical(step.after)}"
    names = letters(v) or {v: Input(subscripted(v.name or "x"), v.type)}
    left, right = substitute([step.before, step.after], names)
    return short(f"{mathematical(left)} = {mathematical(right)}")


def equation_of_rewrite(step: Step) -> tuple[str, dict[str, Expr]]:
    """The rule in letters a, b and c, if it has two sides; else what it did; and the node for which
    each letter stands."""
    words, wildcards = equation_of_rule(step.rule)
    bindings = dict(step.bindings)
    if words:
        nodes = {c: bindings.get(name) for c, name in zip(LETTERS, wildcards)}
        return words, {c: n for c, n in nodes.items() if isinstance(n, Expr)}
    bound = [n for n in bindings.values() if isinstance(n, Expr) and not is_number(n)]
    letters = dict(zip(LETTERS, bound))
    names: dict[Expr, Expr] = {n: Input(c, n.type) for c, n in letters.items()}
    left, right = substitute([step.before, step.after], names)
    return short(f"{mathematical(left)} = {mathematical(right)}"), letters


@cache
def equation_of_rule(name: str) -> tuple[str, tuple[str, ...]]:
    """The two sides of a rule in letters, and the wildcards that they stand for."""
    rule = RULES[name] if name in RULES.names else None
    left, right = getattr(rule, "left", None), getattr(rule, "right", None)
    if not isinstance(left, Expr) or not isinstance(right, (Expr, int, float)):
        return "", ()
    wild = [n for n in postorder([left]) if isinstance(n, Wild)]
    names: dict[Expr, Expr] = {n: Wild(c, n.constant) for c, n in zip(LETTERS, wild)}
    sides = [substitute([s], names)[0] if isinstance(s, Expr) else s for s in (left, right)]
    words = [mathematical(s) if isinstance(s, Expr) else str(s) for s in sides]
    return " = ".join(words), tuple(n.name or "" for n in wild)


def short(words: str) -> str:
    return words if len(words) <= LONG else words[: LONG - 1] + "…"
