"""A rule: an equation between two expressions with wildcards, and when it may be used.

    Rule("times one", x * 1, x, mode="ieee")

Modes, from strict to free: `ieee` changes nothing but the sign of a zero; `safe` changes a finite
value only by rounding, and may turn an inf or nan that overflow made into the true value; `real`
takes all numbers to be finite and all arguments to lie in their domains.
"""

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import product
from typing import Any

from ..expr import Constant, Expr, Literal, Wild
from ..ops import OPS

MODES = ("ieee", "safe", "real")
Found = dict[str, Any]
Matcher = Callable[[Expr, Found], bool]


def wild(names: str, constant: bool = False) -> Any:
    """Wildcards for patterns: `x, y = wild("x y")`; with constant=True they match constants."""
    made = [Wild(name, constant) for name in names.split()]
    return made[0] if len(made) == 1 else made


class Rule:
    """`left` may be replaced by `right` wherever `mode` allows and `when` holds.

    right   an expression in the wildcards of left, or a function of them (its parameters are
            named like them; one called `node` receives the node itself) that returns one or None
    when    a function of the wildcards; the rule is not used where it is false
    proved  a function of the wildcards; where it is true the rule may be used in safe mode
    any_dtype  whether the rule holds for integers, which wrap, and for mixed dtypes too
    """

    def __init__(
        self,
        name: str,
        left: Expr,
        right: Any,
        mode: str = "safe",
        when: Callable[..., bool] | None = None,
        proved: Callable[..., bool] | None = None,
        caveat: str = "",
        phase: str = "canonicalise",
        commute: bool = True,
        any_dtype: bool = False,
    ):
        if mode not in MODES:
            raise ValueError(f"a mode is one of {', '.join(MODES)}, not {mode!r}")
        if left.op is None:
            raise TypeError(f"the left side of the rule {name!r} must be an operation, not {left}")
        self.name, self.left, self.right, self.mode = name, left, right, mode
        self.when, self.proved, self.caveat, self.phase = when, proved, caveat, phase
        self.any_dtype = any_dtype
        self.variants = variants(left) if commute else [left]
        self.matchers = [matcher(variant) for variant in self.variants]

    @property
    def roots(self) -> Iterator[tuple]:
        """For each form of the left side: its operation, and a test of a node's first looks."""
        for v in self.variants:
            heads = [head_of_pattern(i) for i in v.inputs]
            twice = (
                len(v.inputs) == 2 and isinstance(v.inputs[0], Wild) and v.inputs[0] is v.inputs[1]
            )
            yield v.op, first_look(heads, twice)

    def allowed(self, mode: str) -> bool:
        """May the rule be used in this mode, perhaps after a proof?"""
        enough = "safe" if self.proved else self.mode
        return MODES.index(enough) <= MODES.index(mode)

    def matches(self, node: Expr, engine: Any) -> Iterator[Found]:
        """The bindings of each way in which the left side matches and the conditions hold."""
        for match in self.matchers:
            found: Found = {}
            if match(node, found) and self.holds(found, node, engine.mode):
                yield found

    def holds(self, found: Found, node: Expr, mode: str) -> bool:
        if not (self.any_dtype or one_float(found, node)):
            return False
        if self.when is not None and not call(self.when, found, node):
            return False
        if MODES.index(self.mode) <= MODES.index(mode):
            return True
        return self.proved is not None and call(self.proved, found, node)

    def build(self, found: Found, node: Expr) -> Any:
        if isinstance(self.right, Expr):
            return instantiate(self.right, found)
        return call(self.right, found, node) if callable(self.right) else self.right

    def __repr__(self) -> str:
        right = self.right if isinstance(self.right, (Expr, int, float)) else "…"
        return f"{self.name}: {self.left} → {right}  [{self.mode}]"


def one_float(found: Found, node: Expr) -> bool:
    """Are the node and all that was matched of one floating point dtype?"""
    parts = (e for e in found.values() if isinstance(e, Expr))
    return node.type.is_float and all(e.dtype == node.dtype for e in parts)


def table(mode: str, *rows: tuple, **common: Any) -> list[Rule]:
    """Rules from rows (name, left, right) or (name, left, right, caveat) that share the rest."""
    return [
        Rule(name, left, right, mode, caveat="".join(caveat), **common)
        for name, left, right, *caveat in rows
    ]


def call(function: Callable[..., Any], found: Found, node: Expr) -> Any:
    """Call a function with those wildcards that its parameters name."""
    return function(*[node if name == "node" else found[name] for name in parameters(function)])


@cache
def parameters(function: Callable[..., Any]) -> tuple[str, ...]:
    given = inspect.signature(function).parameters.values()
    return tuple(p.name for p in given if p.default is p.empty)


# ---- matching: a pattern compiled into a function


def matcher(p: Expr) -> Matcher:
    if isinstance(p, Wild):
        return wild_matcher(p.name or "", p.constant)
    if isinstance(p, Literal):
        return lambda n, found: isinstance(n, Constant) and n.is_all(p.value)
    if isinstance(p, Constant):
        return lambda n, found: is_zero(n)
    return op_matcher(p.op, dict(p.static), [matcher(i) for i in p.inputs])


def wild_matcher(name: str, constant: bool) -> Matcher:
    def match(n: Expr, found: Found) -> bool:
        if constant and not (isinstance(n, Constant) and not n.exact):
            return False
        return found.setdefault(name, n) is n

    return match


def op_matcher(op: Any, static: Mapping[str, Any], parts: list[Matcher]) -> Matcher:
    def match(n: Expr, found: Found) -> bool:
        if n.op is not op:
            return False
        if static and not match_static(static, dict(n.static), found):
            return False
        for part, i in zip(parts, n.inputs, strict=False):  # a shape's lengths match anything
            if not part(i, found):
                return False
        return True

    return match


def match_static(wanted: Mapping[str, Any], given: Mapping[str, Any], found: Found) -> bool:
    for key, value in wanted.items():
        if isinstance(value, Wild):
            if found.setdefault(value.name or "", given[key]) != given[key]:
                return False
        elif value != given[key] and (value,) != given[key]:  # axis=0 is stored as (0,)
            return False
    return True


def instantiate(p: Expr, found: Found) -> Any:
    """The right side with its wildcards replaced; numbers stay weak until they meet an operand."""
    if isinstance(p, Wild):
        return found[p.name or ""]
    if isinstance(p, Literal):
        return p.value
    if p.op is None:
        return p
    static = {k: found[v.name or ""] if isinstance(v, Wild) else v for k, v in p.static}
    return p.op(*[instantiate(i, found) for i in p.inputs], **static)


def variants(p: Expr) -> list[Expr]:
    """The pattern and what it becomes when operands of commutative operations change places."""
    if p.op is None:
        return [p]
    rows = [list(row) for row in product(*map(variants, p.inputs))]
    if p.op.commutative and head_of_pattern(p.inputs[0]) != head_of_pattern(p.inputs[1]):
        rows += [row[::-1] for row in rows]
    elif p.op.commutative and not all(isinstance(i, Wild) for i in p.inputs):
        rows += [row[::-1] for row in rows]
    return [Expr(p.op, tuple(row), p.static, None) for row in rows]  # type: ignore[arg-type]


# ---- heads: what can be seen of an operand at a glance, to find the rules that may match

ANY, CONSTANT, NOTHING = "any", "constant", "exact zero"
TELLING = frozenset((0.0, 1.0, -1.0, 2.0, 0.5))  # constants that rules name


def head_of_pattern(p: Expr) -> Any:
    if isinstance(p, Wild):
        return CONSTANT if p.constant else ANY
    if isinstance(p, Literal):
        return float(p.value) if p.value in TELLING else CONSTANT
    return NOTHING if p.op is None else p.op


def head(n: Expr) -> Any:
    """The operation of a node, or which kind of leaf it is."""
    op = n.op
    if op is None:
        return head_of_constant(n) if isinstance(n, Constant) else ANY
    return NOTHING if op is SPREAD and is_zero(n) else op


def head_of_constant(n: Constant) -> Any:
    if n.exact:
        return NOTHING
    if not n.type.shape and n.value not in TELLING:
        return CONSTANT
    return next((v for v in TELLING if n.is_all(v)), CONSTANT)


def first_look(heads: Sequence[Any], twice: bool) -> Callable[[bool, tuple], bool]:
    """A test of a node's operands: are two the same, and do their heads fit?"""

    def may_match(same: bool, given: tuple) -> bool:
        return same >= twice and all(map(admits, heads, given))

    return may_match


def admits(wanted: Any, given: Any) -> bool:
    if wanted == CONSTANT:
        return given == CONSTANT or isinstance(given, float)
    return wanted == ANY or wanted == given


SPREAD = OPS["broadcast_to"]


def is_zero(n: Expr) -> bool:
    """Is this the exact zero of differentiation, of whatever shape?"""
    if n.op is SPREAD:
        n = n.inputs[0]
    return isinstance(n, Constant) and n.exact
