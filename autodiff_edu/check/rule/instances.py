"""A rule put to use: expressions on which it fires when it is alone.

They are its example, and its left side with inputs of several types for wildcards and with numbers
for constants.
"""

import copy
from collections.abc import Iterator, Sequence
from itertools import cycle, islice, product
from typing import Any, NamedTuple

import numpy as np

from ...core.pattern import builder
from ...core.uses import Uses
from ...expr import Constant, Expr, Input, TensorType, Wild, postorder, substitute, text
from ...rewrite import Rule, simplify
from ...rewrite.engine.coerce import restored
from ...rewrite.engine.match_context import MatchContext

NUMBERS = (2.0, 3.0, -1.5, 0.25, -1.0, 4.0, 0.5, 0.0, 1.0, -2.0, True, False)
ARRAYS = (np.eye(3), np.array([[2.0, 0.0, 1.0], [1.0, 3.0, 0.0], [0.5, 1.0, -1.0]]))
EXTREMES = (1e200, -1e-200, 1e308, np.inf, 5e-324, np.nan, -0.0, 1e16, -1e308, -np.inf)
MOST = 40  # choices of numbers for the constants of one rule
ENOUGH = 4  # of them on which it fires, for each choice of types
TYPES: list[list[tuple]] = [
    [("float64", ())], [("float64", (3,)), ("float64", ())], [("float64", ()), ("float64", (3,))],
    [("float64", (3, 3))], [("float64", (3, 3)), ("float64", (3,))],
    [("float64", (2, 3)), ("float64", (3, 4))], [("float32", ())], [("int64", ())],
    [("float64", ()), ("float32", ())], [("float32", ()), ("float64", ())], [("uint8", ())],
    [("float64", ()), ("uint8", ())], [("uint8", ()), ("float32", ())], [("bool", ())],
    [("bool", ()), ("float64", ())], [("float64", ()), ("bool", ())],
    [("int32", ()), ("uint8", ())], [("int32", (2, 2)), ("uint8", (2, 2))],
    [("float64", (2, 3)), ("float32", (3, 2))],
]  # fmt: skip
OF_ONE_FLOAT = [types for types in TYPES if {d for d, _ in types} in ({"float64"}, {"float32"})]
OTHER_DTYPES = (
    ("float32",), ("int32",), ("uint8",), ("bool",), ("float64", "float32"), ("float32", "float64"),
    ("float64", "uint8"), ("uint8", "float64"), ("bool", "float64"), ("float64", "bool"),
)  # fmt: skip


class Untouched(MatchContext):
    """A graph in which nothing is rewritten, as a rule sees it."""

    def __init__(self, roots: Sequence[Expr], mode: str):
        self.roots, self.order, self.mode = list(roots), postorder(roots), mode
        self.uses, self.final = Uses(self.order, roots), {}
        self.against = "law"  # so that rules show what else they would do

    def hash_cons(self, new: Expr) -> tuple[Expr, list[Expr]]:
        return new, []

    def has(self, new: Expr) -> bool:
        present = {(n.op, n.static, *map(id, n.inputs)) for n in self.order}
        return (new.op, new.static, *map(id, new.inputs)) in present


class Use(NamedTuple):
    """One place at which a rule fires: what it matched, what takes its place, under which
    conditions, and the whole expression. A formula made stable may get a value it had not; one
    whose operations change their order may lose one to an overflow, if a factor that the law of
    products takes for 1 does it, or where the law does not concern it."""

    before: Expr
    after: Expr
    needs: tuple[Expr, ...]
    whole: Expr
    stabilises: bool = False
    reorders: bool = False
    exempt: bool = False


def uses(rule: Any, faults: list[str] | None = None, numbers: Sequence[Any] = NUMBERS) -> list[Use]:
    """One use for each expression on which the rule fires, with these numbers for constants; a few
    for each choice of types. What goes wrong is told in `faults`."""
    return list(each_use(rule, faults, numbers))


def each_use(
    rule: Any, faults: list[str] | None = None, numbers: Sequence[Any] = NUMBERS
) -> Iterator[Use]:
    """Make the same uses one after the other: who needs a first one need not wait for all."""
    given = () if rule.example is None else varied(rule.example, numbers)
    yield from filter(None, (attempt(rule, node, faults) for node in given))
    if isinstance(rule, Rule):
        for types in TYPES if rule.any_dtype else OF_ONE_FLOAT:
            tried = (attempt(rule, node, faults) for node in of_types(rule, types, numbers))
            yield from islice(filter(None, tried), ENOUGH)


def varied(example: Expr, numbers: Sequence[Any]) -> Iterator[Expr]:
    """An example, and the same with other numbers in place of each of its own, or with inputs of
    other dtypes."""
    yield example
    for dtypes in OTHER_DTYPES:
        try:
            yield retyped(example, dtypes)
        except (TypeError, ValueError):
            continue  # the operations do not take these
    for n in postorder([example]):
        if isinstance(n, Constant) and not n.ndim and n.dtype.kind == "f" and not n.exact:
            for value in numbers[: 2 * ENOUGH]:
                yield substitute([example], {n: Constant(value, n.dtype)})[0]


def retyped(example: Expr, dtypes: Sequence[str]) -> Expr:
    """The example for inputs of these dtypes, one after the other and again from the first."""
    dtype, place = cycle(dtypes), dict[Expr, Expr]()
    for n in postorder([example]):
        if isinstance(n, Input):
            place[n] = Input(str(n.name), TensorType(next(dtype), n.type.shape))
        elif n.op is not None:
            place[n] = n.op.apply(tuple(place.get(i, i) for i in n.inputs), n.static)
    return place.get(example, example)


def attempt(rule: Any, node: Expr, faults: list[str] | None) -> Use | None:
    try:
        with np.errstate(all="ignore"):
            return use(rule, node)
    except Exception as error:
        if faults is not None:
            faults.append(f"it fails for {text(node)}: {error}")
        return None


def use(rule: Any, node: Expr) -> Use | None:
    """The first use of a rule in an expression, once equal nodes are merged and constants folded,
    whatever operations it adds."""
    (root,) = simplify(node, rules=[]).outputs
    context = Untouched([root], rule.mode)
    for n in context.order:
        for bindings in rule.matches(n, context) if n.op is not None else ():
            needs = rule.needed(bindings)
            new = restored(rule.build(bindings, n), n)
            if new is not None and not rule.breaks_law(n, new, rule.mode):
                after = simplify(new, rules=[]).output
                says = rule.phase == "stabilise", rule.reorders, bool(rule.exempt)
                return Use(n, after, needs, root, *says)
    return None


def lenient(rule: Any, **changed: Any) -> Any:
    """The same rule but for these attributes."""
    other = copy.copy(rule)
    vars(other).update(changed)
    return other


def wildcards(rule: Rule) -> list[Wild]:
    return [n for n in postorder([rule.left]) if isinstance(n, Wild)]


def of_types(
    rule: Rule, types: Sequence[tuple], numbers: Sequence[Any] = NUMBERS
) -> Iterator[Expr]:
    """The left side with inputs of these types in turn (the last again for what is left)."""
    wilds = wildcards(rule)
    free = [w for w in wilds if not w.constant]
    if len(types) > max(1, len(free)):
        return
    given = {w: types[min(k, len(types) - 1)] for k, w in enumerate(free)}
    bindings: dict[str, Any] = {
        str(w.name): Input(str(w.name), TensorType(*t)) for w, t in given.items()
    }
    build = builder(rule.left)
    for chosen in constants(wilds, types[0], numbers):
        try:
            node = build(bindings | chosen)
        except Exception:
            continue  # these operands do not go together
        if isinstance(node, Expr):
            yield node


def fits(value: Any, dtype: str) -> bool:
    """Can a constant of this dtype hold the number?"""
    with np.errstate(all="ignore"):
        given = np.asarray(value).astype(dtype)
    return isinstance(value, bool) or np.array_equal(given, value, equal_nan=True)


def constants(
    wilds: Sequence[Wild], first: tuple, numbers: Sequence[Any]
) -> Iterator[dict[str, Constant]]:
    """Choices of constants for the wildcards that ask for them."""
    names = [str(w.name) for w in wilds if w.constant]
    if not names:
        yield {}
        return
    dtype, shape = first
    values = [*numbers, *ARRAYS] if len(shape) == 2 else numbers
    fit = [
        Constant(v) if isinstance(v, bool) else Constant(v, dtype) for v in values if fits(v, dtype)
    ]
    for chosen in islice(product(fit, repeat=len(names)), MOST if len(names) < 2 else 10 * MOST):
        yield dict(zip(names, chosen, strict=True))
