"""Checkers for stability: numbers held to sixty digits and more, and rules that rescue formulas.

The reference is Python's `decimal`, in which a bad formula is as good as any other.
"""

from collections.abc import Callable, Sequence
from decimal import Decimal, localcontext
from dis import get_instructions, hasname
from types import CodeType, FunctionType
from typing import Any

import numpy as np

from ...differentiate import reverse_mode
from ...expr import Expr, Graph, Input, TensorType, evaluate
from ...rewrite import RULES, Rewrite, simplify
from ..harness.check import call, where
from ..harness.checker import checker
from ..harness.feedback import Wrong, complain, expect, spell
from ..harness.guard import is_installed

DIGITS = 400  # so many that 1 + 1e-324 is more than 1
ANALYTIC = frozenset(
    "add subtract multiply divide negative reciprocal power square sqrt cbrt exp exp2 expm1 log "
    "log2 log10 log1p sinh cosh tanh sin cos tan arcsinh arctanh arctan logaddexp logaddexp2 "
    "softplus sigmoid".split()
)


def exact(f: Callable[..., Any], whole: bool = False) -> Callable[[Any], Any]:
    """The function of arrays that rounds once, at the end: f is computed in Decimals.

    f takes one Decimal, and is used at every entry; or, if `whole`, it takes the list of
    them all.

    Parameters
    ----------
    f : callable
        A function of one Decimal, or of the list of them all.
    whole : bool, default: False
        Whether f takes the list of all entries.

    Returns
    -------
    callable
        The function of arrays.
    """

    def rounded(x: Any) -> Any:
        with localcontext() as context:
            context.prec = DIGITS
            entries = [Decimal(float(t)) for t in np.ravel(x)]
            if whole:
                return float(f(entries))
            return np.array([float(f(t)) for t in entries]).reshape(np.shape(x))[()]

    return rounded


def without(student: FunctionType, *names: str) -> None:
    """The student's function uses nothing of these names, nor does a function that it calls.

    A function of the student's own may have such a name: what counts is what is in it.

    Parameters
    ----------
    student : callable
        What the student wrote.
    *names : str
        What may not be used.

    Raises
    ------
    Wrong
        If it is not so, with where and what is right.
    """
    used = reached(student) & set(names)
    if used:
        raise Wrong(f"{student.__name__}: not with {', '.join(sorted(used))}: write it yourself")


def reached(student: FunctionType) -> set[str]:
    """All that a function and the functions of its author's look up, by its own name too."""
    waiting, own, found = [student], [student], set()
    while waiting:
        function = waiting.pop()
        for name, is_global in mentioned(function.__code__):
            thing = function.__globals__.get(name) if is_global else None
            if isinstance(thing, FunctionType) and not is_installed(thing.__code__.co_filename):
                waiting += [thing] * (thing not in own)
                own.append(thing)
            else:
                found |= {name, getattr(thing, "__name__", name)}
    return found


def mentioned(code: CodeType) -> set[tuple[str, bool]]:
    """All names that a piece of code and the functions in it look up, and whether as globals."""
    steps = [step for step in get_instructions(code) if step.opcode in hasname]
    names = {(str(step.argval), step.opname in ("LOAD_GLOBAL", "LOAD_NAME")) for step in steps}
    inner = [part for part in code.co_consts if isinstance(part, CodeType)]
    return names.union(*map(mentioned, inner))


# ---- rules that rescue a formula


@checker
def check_rescue(
    student: Callable[[], Any],
    written: Callable[..., Any],
    to: str,
    value: Callable[..., Any],
    points: Sequence[float],
    alike: Sequence[Callable[..., Any]] = (),
    rtol: float = 1e-13,
) -> None:
    """student() is a rule by which written(x) becomes the operation `to`.

    That also happens for arrays and inside larger formulas, and the values at the points are
    right then. Formulas that only look alike stay as they are. The rule's own check finds
    nothing.

    Parameters
    ----------
    written : callable
        The formula that is to be replaced, a function of x.
    to : str
        The name of the operation that replaces it.
    value : callable
        What is right, of arrays.
    points : sequence of float
        Where values are compared.
    alike : sequence of callable, default: ()
        Functions of x and y, which only look alike.
    rtol : float, default: 1e-13
        What may differ, as a part.
    """
    rule, name = call(student, (), by_hand=False), student.__name__
    if not isinstance(rule, Rewrite):
        complain(name, "a rule, `return ad.Rule(...)`", spell(rule), f"{name}()")
    numbers = np.asarray(points, float)
    for shape in ((), numbers.shape):
        x = Input("x", TensorType("float64", shape))
        for formula, outer in ((written(x), lambda v: v), (3 - written(x), lambda v: 3 - v)):
            stage = simplify(formula, rules=RULES + rule)
            at = f"ad.simplify({formula}, rules=ad.RULES + {name}())"
            if to not in stage.graph.counts:
                complain(name, f"a graph with {to} in it", stage.output, at)
            for p in numbers if not shape else [numbers]:
                found = evaluate(stage.output, {x: p})
                expect(outer(value(p)), found, f"{at}, x = {spell(p)}", rtol, 0.0, tell=False)
    x, y = (Input(letter, TensorType("float64", ())) for letter in "xy")
    for other in alike:
        stage = simplify(other(x, y), rules=RULES + rule)
        if to in stage.graph.counts:
            complain(name, "this formula as it is", stage.output, f"ad.simplify({other(x, y)})")
    findings = rule.check().findings
    if findings:
        complain(name, "a rule of which rule.check() does not complain", findings[0], f"{name}()")
    print(f"{name}: {to} takes over, and its values are right at {len(numbers)} points")


# ---- formulas that no rule rescues


@checker
def check_disguise(
    student: Callable[[Expr], Any],
    value: Callable[[Any], Any],
    slope: Callable[[Any], Any],
    inside: tuple[float, float],
    outside: Sequence[float],
    *,
    trials: int = 30,
    seed: int | None = None,
) -> None:
    """student(x) is another formula for the same function, which simplification makes wrong.

    student(x) is another formula for the same function, right at random points `inside`,
    and simplified it is wrong in value or derivative at one of the points `outside`.

    Only analytic operations are allowed: two such functions that agree on an interval agree
    everywhere, so it cannot be another function.

    Parameters
    ----------
    value : callable
        What is right, of arrays.
    slope : callable
        The derivative that is right.
    inside : tuple of float
        Between which points it has to be right.
    outside : sequence of float
        Where it is to be wrong.
    """
    x, name = Input("x", TensorType("float64", ())), student.__name__
    y = call(student, (x,), by_hand=False)
    if not isinstance(y, Expr) or y.type.shape:
        complain(name, "a formula in x", spell(y), where(student, (x,)))
    others = sorted({n.op.name for n in Graph(y).operations} - ANALYTIC)
    if others:
        raise Wrong(f"refused: {', '.join(others)}: build it from analytic functions alone")
    rng = np.random.default_rng(seed)
    for p in rng.uniform(*inside, trials):
        expect(value(p), evaluate(y, {x: p}), f"x = {spell(p)}, the value of {y}", 1e-9)
    stage = simplify([y, *reverse_mode(y, [x]).outputs])
    broken = [p for p in outside if off(stage, {x: p}, (value(p), slope(p)))]
    if not broken:
        said = f"a formula that fails after simplification at one of {spell(tuple(outside))}"
        complain(name, said, f"one that is stabilised: {stage.outputs[0]}", f"simplify({y})")
    print(f"{name}: right inside, and not rescued at {spell(broken)}")


def off(stage: Any, at: dict, wanted: tuple) -> bool:
    """Is a value off by more than a thousandth of what it should be?"""
    with np.errstate(all="ignore"):
        found = Graph(stage.outputs).evaluate(at)
    return not np.allclose(found, wanted, rtol=1e-3, atol=0)
