"""What is wrong with a pullback, in words, and the rule that would be right.

Letters: k the place of an operand, g the cotangent.
"""

import re
from collections.abc import Sequence

import numpy as np

from ...expr import Expr, Graph, Input, substitute
from ...nested import release
from ...rewrite import simplify
from ..gradient.differences import Entry
from .trial import Rule, Trial

LONG = 80  # of the terms of a rule on one line


def listed(words: Sequence[str]) -> str:
    """x, y and z."""
    return " and ".join(filter(None, [", ".join(words[:-1]), words[-1]]))


def call(t: Trial) -> str:
    return f"{t.op.name}({', '.join(t.names)})"


# ---- not linear in the cotangent


def ignores_cotangent(rule: Rule, places: Sequence[int], fixed: str) -> str:
    """The cotangent is not used."""
    t = rule.trial
    return (
        f"the pullback ignores its cotangent, for {listed([t.names[k] for k in places])}: the "
        f"gradient of 3 * {call(t)} would be that of {call(t)}, off by a factor of 3. A pullback "
        "returns the cotangent times the derivative, not the derivative alone"
        + (f". With it:{fixed}" if fixed else ": multiply by it before anything is summed")
    )


def offset(rule: Rule, k: int, zero: np.ndarray, fixed: str) -> str:
    """Something is added to the cotangent's part."""
    return (
        "the pullback adds something to its cotangent's part: for a cotangent of 0, where nothing "
        f"depends on the result, it must return 0, and for {rule.trial.names[k]} it returns "
        f"{spelled(zero)}. What is added to the value falls away when it is differentiated: of "
        "a * x + b the derivative is a, and the pullback [a * g], not [a * g + b]"
        + (f". Without what is added:{fixed}" if fixed else "")
    )


def bent(rule: Rule) -> str:
    t = rule.trial
    return (
        "the pullback is not linear in its cotangent: for twice the cotangent it does not return "
        f"twice as much, so the gradient of 2 * {call(t)} is not twice that of {call(t)}"
        + ", as where a gradient is clipped on purpose"
        * t.op.overrides
    )


def spelled(v: np.ndarray) -> str:
    """An array in a few words."""
    largest = v.flat[np.argmax(np.abs(v))]
    return f"{largest:.4g}" if np.ptp(v) == 0 else f"up to {largest:.4g}"


def code(rule: Rule) -> str:
    """The rule as one would write it; nothing where it is long or needs what NumPy has not."""
    t = rule.trial
    known: dict[Expr, Expr] = {y: Input(f"outputs[{k}]", y.type) for k, y in enumerate(t.outputs)}
    plain = release(Graph(substitute(rule.there, known)), every=True)
    texts = map(str, simplify(plain).outputs)
    each = ["None" if e is None else next(texts) for e in rule.terms]
    said = ", ".join(each)
    if len(said) > LONG:
        said = "".join(f"\n        {text}," for text in each) + "\n    "
    called = set(re.findall(r"([A-Za-z_]\w*)\(", said))
    if "…" in said or not all(hasattr(np, name) for name in called):
        return ""
    names = [str(g.name) for g in rule.changes]
    given = f"({names[0]},)" if len(names) == 1 else ", ".join(names)
    said = re.sub(r"\b([A-Za-z_]\w*)\(", r"ad.\1(", said)
    return f"\n    {given} = cotangents\n    return [{said}]"


# ---- another derivative


def wrong(rule: Rule, entries: Sequence[Entry]) -> str:
    """The first operand for which the gradient is not that of the differences."""
    t, e = rule.trial, next(e for e in entries if not e.right)
    if rule.terms[e.k] is None:
        return (
            f"the pullback says None for {t.names[e.k]}, as if no derivative passed, and perform "
            f"varies with it: by differences its gradient is {e.slopes.central:.6g}{at(e)}. If "
            "that is meant, say overrides = True in the class"
        )
    text = (
        f"the pullback is wrong for {t}: with random cotangents it gives {e.found:.6g} for "
        f"{t.names[e.k]}{at(e)}, and central differences of perform {e.slopes.central:.6g}"
    )
    smooth = [o for o in entries if o.k == e.k and not o.kink]
    return text + pattern(
        np.array([o.found for o in smooth]), np.array([o.slopes.central for o in smooth])
    )


def at(e: Entry) -> str:
    return f" at {e.place}" if e.place else ""


def pattern(found: np.ndarray, right: np.ndarray) -> str:
    """What all entries have in common."""
    if not (np.isfinite(found).all() and np.abs(right).max(initial=0) > 0):
        return ""
    if not found.any():
        return ". It is 0 everywhere"
    c = float(found @ right / (right @ right))
    if np.abs(found - c * right).max() > 1e-4 * np.abs(found).max() or len(found) == 1:
        return ""
    sign = abs(c + 1) < 1e-4
    return ". Its sign is wrong" if sign else f". It is {c:.4g} times what it should be, everywhere"
