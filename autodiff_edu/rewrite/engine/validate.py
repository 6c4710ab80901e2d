"""What a rule is made of, looked at as soon as it is stated, so that what cannot be is told there.

Letters: left and right are the sides of a rule.
"""

import inspect
from collections.abc import Collection, Iterable, Iterator
from difflib import get_close_matches
from functools import cache
from types import FunctionType
from typing import Any

import numpy as np

from ...core import pattern
from ...core.node import Constant, Expr, Literal, Wild
from ...core.rule import MODES, Rule
from ...expr import give, hook
from ...expr.as_given import is_function
from ...expr.errors.suggestion import again
from ...expr.text import shorten, shown, visible

# The measure that rewriting decreases, so that it comes to an end. Of its components the first that
# differs decides: how much is unstable, what the operations cost, how many nodes there are, how
# many operands are not in standard order. Each rule names the one that it decreases; those before
# that one stay as they are, or fall.
MEASURE = ("unstable", "cost", "nodes", "order")
PHASES = ("canonicalise", "factor", "stabilise")
POLICIES = ("fewer", "no_worse", "cheaper", "")
WORDS = {"mode": MODES, "phase": PHASES, "decreases": MEASURE, "cost_policy": POLICIES}
ANY_NUMBER = inspect.CO_VARARGS | inspect.CO_VARKEYWORDS
NEEDS = "what must hold of numbers goes into needs="
EXAMPLE = 'Rule("double", x + x, 2 * x), with x = ad.wild("x")'


def one_of(what: str, word: Any, words: Collection, error: type[Exception] = ValueError) -> Any:
    """The word, if it is one of these; if not, the error names those that are near."""
    if word in words:
        return word
    near = list(dict.fromkeys(w for w in words if w is not None))
    near = get_close_matches(str(word), near, 5) if len(near) > 9 else near
    says = f"; write one of {', '.join(w or repr(w) for w in near)}" if near else ""
    raise error(f"{what}{shown(word)}{says}")


class Listed(Rule):
    """A rule of a table of ours: a test checks what it states, so that no import needs to."""


@hook("check_new")
def check_new(rule: Any, example: Any) -> None:
    """Raises TypeError or ValueError for a rule of a user that could never be used."""
    if not isinstance(rule, Listed):
        check_stated(rule)
        check_example(rule.name, example)


def check_stated(rule: Any) -> None:
    """The same for any rule."""
    name, left, right = rule.name, rule.left, rule.right
    if not isinstance(name, str):
        raise TypeError(f"a rule begins with its name, as {EXAMPLE}; the name given was {name}")
    for what, known in WORDS.items():
        one_of(f"the rule {name!r} cannot have {what}=", getattr(rule, what), known)
    check_left(name, left)
    if rule.when is not None and not is_function(rule.when):
        raise TypeError(f"the condition `when` of the rule {name!r} is a function of its wildcards "
                        "that is true or false, as when=lambda x: x.ndim == 1, not "
                        f"{shown(rule.when)}: {NEEDS}")  # fmt: skip
    bound = set(wildcards(left))
    for side, given in ("right side", right), ("condition `when`", rule.when):
        if is_function(given):
            check_names(name, side, parameters(given), bound | {"node"})
    if isinstance(right, Expr):
        check_names(name, "right side", wildcards(right), bound)
    elif not is_function(right) and not isinstance(right, (bool, int, float, np.generic)):
        raise TypeError(
            f"the right side of the rule {name!r} is an expression in its wildcards, a number, or "
            f"a function of them, not {shown(right)}: {EXAMPLE}"
        )
    for condition in rule.needs:
        if not isinstance(condition, Expr):
            raise TypeError(
                f"the rule {name!r} needs conditions on its wildcards, as "
                f"needs=x != 0, not {shown(condition)}: a function goes into when="
            )
        check_names(name, "condition `needs`", wildcards(condition), bound)


def check_left(name: str, left: Any) -> None:
    if not isinstance(left, Expr) or left.op is None:
        raise TypeError(f"the left side of the rule {name!r} must be an operation on wildcards, "
                        f"not {shown(left)}: {EXAMPLE}")  # fmt: skip
    for n in nodes(left):
        if n.op is None and not isinstance(n, (Wild, Literal, Constant)):
            raise TypeError(f"the left side of the rule {name!r} is made of wildcards, and {n} is "
                            f"none: write {n} = ad.wild({str(n)!r})")  # fmt: skip


@hook("as_bool")
def as_bool(answer: Any) -> bool:
    """What a condition gave. Raises TypeError for an expression, which has no numbers yet."""
    if isinstance(answer, Expr):
        raise TypeError(f"it gives {answer}, of which no numbers are known: {NEEDS}")  # fmt: skip
    return bool(answer)


def check_example(name: str, given: Any) -> Any:
    """The example of a rule. Raises TypeError if it is none."""
    if is_function(given) and parameters(given):
        raise TypeError(f"the example of the rule {name!r} is made by a function without "
                        f"arguments: this one asks for {', '.join(parameters(given))}")  # fmt: skip
    if given is not None and not is_function(given) and not isinstance(given, Expr):
        raise TypeError(f"the example of the rule {name!r} is an expression to which it applies, "
                        f"or a function that makes one, not {shown(given)}")  # fmt: skip
    return given


def check_names(name: str, side: str, names: Iterable[str], bound: set[str]) -> None:
    unknown = ", ".join(n for n in names if n not in bound)
    if unknown:
        known = ", ".join(sorted(bound - {"node"}))
        raise ValueError(f"the {side} of the rule {name!r} names {unknown}, but the wildcards of "
                         f"its left side are {known}")  # fmt: skip


def wildcards(pattern: Expr) -> Iterator[str]:
    """The names of those in a pattern, also where they stand for a parameter."""
    for n in nodes(pattern):
        if isinstance(n, Wild):
            yield n.name or ""
        for _, value in n.static:
            if isinstance(value, Wild):
                yield value.name or ""


def nodes(pattern: Expr) -> Iterator[Expr]:
    """Those of a pattern, from the top down and from left to right, each once."""
    stack, seen = [pattern], set[Expr]()
    while stack:
        n = stack.pop()
        if n not in seen:
            seen.add(n)
            yield n
            stack += n.inputs[::-1]


@hook("several")
def several(given: Any) -> tuple:
    """One thing or several, as several."""
    many = isinstance(given, Iterable) and not isinstance(given, (str, Expr))
    return tuple(given) if many else (given,)


def check_rules(given: tuple, kind: type) -> tuple:
    """Raises TypeError for what is no rule."""
    for rule in given:
        if not isinstance(rule, kind):
            raise TypeError("a rule is ad.Rule(name, left, right), or ad.RULES[name] for one that "
                            f"there is, not {shown(rule)}")  # fmt: skip
    return given


@hook("parameters")
@cache
def parameters(function: Any) -> tuple[str, ...]:
    """The names of those arguments of a function that it must be given."""
    code = function.__code__ if type(function) is FunctionType else None
    plain = code and not (code.co_kwonlyargcount or code.co_flags & ANY_NUMBER)
    if code and plain and not hasattr(function, "__wrapped__"):  # quicker than inspect
        names = code.co_varnames[: code.co_argcount]
        return names[: len(names) - len(function.__defaults__ or ())]
    try:
        given = inspect.signature(function).parameters.values()
    except ValueError:
        raise TypeError(f"the arguments of {shown(function)} cannot be read: write a lambda around "
                        "it, as lambda x: ...") from None  # fmt: skip
    return tuple(p.name for p in given if p.default is p.empty)


@hook("of_rule")
def of_rule(error: Exception, part: str, rule: Any, node: Expr) -> Exception:
    """The error of a part of a rule, with its name and the node at which it was used."""
    return again(error, f"the {part} of the rule {rule.name!r}, used on {node!r}: {error}")


@hook("visible")
def visible_name(name: str) -> str:
    """The name of a rule for one line."""
    return shorten(visible(name), 80)


def wild(names: str, constant: bool = False) -> Any:
    """Wildcards for the patterns of rules.

    Parameters
    ----------
    names : str
        Their names, with spaces or commas between.
    constant : bool, default: False
        Whether they match constants alone.

    Returns
    -------
    Wild or list of Wild
        One for one name.

    Raises
    ------
    TypeError
        If the names are no text.
    ValueError
        If there is no name, or one is `node`, which means what a rule matched.

    See Also
    --------
    Rule : What patterns are for.

    Examples
    --------
    >>> x, y = ad.wild("x y")
    >>> ad.exp(x) * ad.exp(y)
    exp(x) * exp(y)
    """
    if not isinstance(names, str):
        raise TypeError(f"wildcards have names, as in a, b = ad.wild('a b'), not {shown(names)}")
    each = names.replace(",", " ").split()
    if not each or "node" in each:
        says = "no wildcard is called node, the name of what a rule matched" if each else "no names"
        raise ValueError(f"{says}: write a, b = ad.wild('a b')")
    made = [Wild(name, constant) for name in each]
    return made[0] if len(made) == 1 else made


give(pattern, wild=wild)  # where scripts of before look for it
