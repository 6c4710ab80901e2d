"""Rules that can be read: all that may match a node, in order, as one Python function.

    >>> print(ad.RULES.matcher(ad.exp(x) - 1))
    def match_subtract(n, graph):
        a, b = n.inputs
        # exp minus one: exp(x) - 1 → expm1(x)  [safe]
        if is_number(b, 1):
            yield exp_minus_one, {'x': a.inputs[0]}
        ...

It is made from the same patterns as the tests that the rewriter runs, and gives the same matches in
the same order. The heads of the operands are known, and so their tests are left out.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ...core.pattern import Bindings, fits, head_of_pattern, is_zero, match_static, signature
from ...core.rule import Rule
from ...expr import Constant, Expr, Literal, Wild

LETTERS = "abcdefgh"  # the operands of the node
Match = tuple[Any, Bindings]


class Matcher:
    """The function of these rules, and its text.

    Parameters
    ----------
    node : Expr
        Where the rules are tried.
    rules : iterable of Rule
        Those that may match there.

    Examples
    --------
    >>> x = ad.scalar("x")
    >>> print(ad.RULES.matcher(x / x))
    def match_divide(n, graph):
        a, b = n.inputs
        # over itself: x / x → 1  [real]
        if b is a:
            yield over_itself, {'x': a}
        # collect powers  [safe]
        yield from matches(collect_powers, n, graph)
        # cancel shared factors  [safe]
        yield from matches(cancel_shared_factors, n, graph)
    """

    def __init__(self, node: Expr, rules: Iterable[Any]):
        self.names: dict[str, Any] = {f.__name__: f for f in HELPERS}
        _, self.same, self.heads = signature(node)
        name = re.sub(r"\W+", "_", f"match_{node.op}")
        rows = [line for rule in rules for line in self.row(rule, node)]
        letters = LETTERS[: len(node.inputs)]
        unpack = f"{', '.join(letters)}{',' * (len(letters) == 1)} = n.inputs"
        body = [unpack, *rows] if any(re.search(r"\b[a-h]\b", row) for row in rows) else rows
        self.text = "\n    ".join([f"def {name}(n, graph):", *(body or ["return ()"])])
        exec(compile(self.text, f"<{name}>", "exec"), self.names)
        self.function: Callable[[Expr, Any], Iterable[Match]] = self.names[name]

    def __call__(self, n: Expr, graph: Any) -> Iterator[Match]:
        """The rules that match a node of this signature, each with its bindings."""
        for rule, bindings in self.function(n, graph):
            if not isinstance(rule, Rule) or rule.holds(bindings, n, graph.mode):
                yield rule, bindings

    def __repr__(self) -> str:
        return self.text

    # ---- one rule

    def row(self, rule: Any, node: Expr) -> Iterator[str]:
        """The lines of a rule: a test for each way to write its pattern."""
        yield f"# {rule}"
        if not isinstance(rule, Rule) or len(node.inputs) > len(LETTERS):
            yield f"yield from matches({self.name(rule.name, rule)}, n, graph)"
            return
        for pattern in rule.variants:
            bindings: dict[str, str] = {}
            tests = self.operands(pattern, "n", bindings)
            if tests is not None:
                names = ", ".join(f"{w!r}: {place}" for w, place in bindings.items())
                match = f"yield {self.name(rule.name, rule)}, {{{names}}}"
                yield from [f"if {' and '.join(tests)}:", f"    {match}"] if tests else [match]

    def operands(self, p: Expr, at: str, bindings: dict[str, str]) -> list[str] | None:
        """What must be true of the operands of the node itself; None where their heads say no."""
        tests = self.static(p, at, bindings)
        for k, part in enumerate(p.inputs):
            if k >= len(self.heads) or not fits(head_of_pattern(part), self.heads[k]):
                return None
            tests += self.tests(part, LETTERS[k], bindings, head_seen=True)
        return tests

    def tests(self, p: Expr, at: str, bindings: dict[str, str], head_seen: bool) -> list[str]:
        """What must be true of the node `at`, if the pattern p is to match it."""
        if isinstance(p, Wild):
            first = bindings.setdefault(p.name or "", at)
            number = [f"is_number({at})"] if p.constant else []
            return number + ([f"{at} is {first}"] if first != at else [])
        if isinstance(p, Literal):
            return [f"is_number({at}, {p.value!r})"]
        if isinstance(p, Constant) and not p.exact:
            same = f"{at}.key == {self.name('array', p)}.key"
            return [same if p.ndim else f"is_number({at}, {float(p.value)!r})"]
        if p.op is None:
            return [f"is_zero({at})"]
        tests = [] if head_seen else [f"{at}.op is {self.name(str(p.op), p.op)}"]
        tests += self.static(p, at, bindings)
        for k, part in enumerate(p.inputs):
            tests += self.tests(part, f"{at}.inputs[{k}]", bindings, head_seen=False)
        return tests

    def static(self, p: Expr, at: str, bindings: dict[str, str]) -> list[str]:
        """The same of its parameters; wildcards among these are bound in a dict of their own."""
        wanted = dict(p.static)
        if not wanted:
            return []
        name = self.name("wanted", wanted)
        parameters = f"p{name.count('_')}"
        tests = [f"match_static({name}, {at}, {parameters} := {{}})"]
        for value in wanted.values():
            if isinstance(value, Wild):
                place = f"{parameters}[{value.name!r}]"
                first = bindings.setdefault(value.name or "", place)
                tests += [f"{place} == {first}"] if first != place else []
        return tests

    def name(self, text: str, thing: Any) -> str:
        """A name for this thing in the text."""
        name = re.sub(r"\W+", "_", text).strip("_")
        name = name if name.isidentifier() else f"rule_{name}"
        while self.names.setdefault(name, thing) is not thing:
            name += "_"
        return name


# ---- what the text calls


def matches(rule: Any, n: Expr, graph: Any) -> Iterator[Match]:
    """The matches of a rule that is a function itself."""
    try:
        for bindings in rule.matches(n, graph):
            yield rule, bindings
    except ArithmeticError:  # numbers too large: it does not apply
        return


def is_number(n: Expr, value: Any = None) -> bool:
    """Is this a constant, and all of it this number, if one is named?"""
    if not isinstance(n, Constant):
        return False
    return not n.exact if value is None else n.is_all(value)


HELPERS = (matches, is_number, is_zero, match_static)
