"""The sentences of an answer, one function an obstacle."""

from collections.abc import Iterator, Sequence
from typing import Any

from ...core.pattern import Bindings
from ...core.rule import Rule
from ...expr import (
    HOOKS,
    Constant,
    Expr,
    Input,
    Step,
    TupleType,
    is_function,
    postorder,
    shown,
    text,
)
from ...nested import Nested
from ..algebra.law import breach
from ..facts.prover import proof
from .answers import COUNTS
from .spots import brief
from .worlds import Try, World, after, alone, freer, least_facts, least_mode, other_uses, users_of

FIRST = {
    "again": "The rule would be used if the result were simplified once more.",
    "absent": "This simplification did not have the rule.",
    "user": "Something else needs a part of this node, and so the rule leaves it as it is.",
    "part": "The rule looks at the whole of a larger expression, and this node is a part of it.",
    "fact": "A fact is missing: nothing proves what the rule needs.",
    "final": "The rule may change a slope at a kink or a tie, and so it waits until no derivative "
             "will follow.",
    "law": "The law of products is against it: a new result on the way may overflow, or underflow.",
    "mode": "The mode of this simplification is too strict for the rule.",
    "cost": "The rewrite would not make the graph cheaper.",
    "false": "A condition that the rule needs is false here.",
    "same": "The rule would make the same node once more.",
    "condition": "The pattern fits, but the condition `when` of the rule is not met.",
    "proof": "The rule needs a proof in every mode, and facts about inputs give none.",
    "merged": "The graph had an equal node, and the two became one before any rule was asked.",
    "constant": "The operands are numbers: the node was computed before any rule was asked.",
    "dtype": "The pattern fits, but the rule speaks of floating point numbers of one dtype alone.",
    "nothing": "The rule finds nothing to do here.",
    "gone": "The node went away with what used it, before any rule was asked.",
}  # fmt: skip
POLICIES = {
    "cheaper": "no more operations and no higher cost, and less of one of them",
    "no_worse": "no more operations and no higher cost", "fewer": "no more operations",
}  # fmt: skip
Lines = tuple[str, ...]
SMALL = 30  # nodes of an expression that is compared with numbers
LARGE = 100  # entries of an array
DECLARED = ("scalar", "vector", "matrix", "tensor3")


def sentences(w: World, rule: Any, names: Sequence[str]) -> tuple[Lines, tuple[Expr, ...]]:
    """The changes in a world after which the rule fires, in words, and the nodes that matter."""
    lines = [f"{COUNTS[len(names)]} things are against it."] if len(names) > 1 else []
    nodes = list[Expr]()
    for name in names:
        base = after(w, [other for other in names if other != name])
        if name == "user":
            nodes += other_uses(base, rule)
        lines += [FIRST[name], *DETAILS[name](base, rule)]
    return tuple(lines), tuple(nodes)


# ---- one change that makes the rule fire


def of_users(w: World, rule: Any) -> Iterator[str]:
    for part in other_uses(w, rule)[:2]:
        users = [f"{brief(m)} uses it" for m in users_of(part, w)[:2]]
        result = ["it is a result itself"] if part in {*w.graph.outputs} else []
        yield f"The part is {brief(part)}: {' and '.join([*users, *result])}."
    without = alone(w)
    new = first_use(without, rule).new
    yield f"With that use: {w.balance(new)}. Without it: {without.balance(new)}."


def of_part(w: World, rule: Any) -> Iterator[str]:
    users = [m for m in w.engine.order if w.node in {*m.inputs}]
    yield f"Ask about {brief(users[0])}, or make this node a result of its own."


def of_facts(w: World, rule: Any) -> Iterator[str]:
    facts = least_facts(w, rule)
    calls = "; ".join(declaration(i, f) for i, f in facts.items())
    needs = unproved(w, rule)
    says = f"It needs {' and '.join(map(text, needs))}. " if needs else ""
    yield f"{says}Declare it: {calls}."
    if freer(w).allows(rule):
        mode = least_mode(w, rule)
        yield " ".join([f"Mode {mode} takes it for granted.", *point(w, rule, mode)])


def of_final(w: World, rule: Any) -> Iterator[str]:
    yield "Say so: ad.simplify(…, final=True). ad.function does it for you."


def of_mode(w: World, rule: Any) -> Iterator[str]:
    mode = least_mode(w, rule)
    yield f'The mode is `{w.mode}`; mode `{mode}` allows the rule: ad.simplify(…, mode="{mode}").'
    if needs := unproved(w, rule):
        yield f"Mode {mode} takes for granted: {' and '.join(map(text, needs))}."
    if why := [*point(w, rule, mode)]:
        yield " ".join(why)
    elif rule.caveat:
        yield f"What may change: {rule.caveat}."


def of_law(w: World, rule: Any) -> Iterator[str]:
    refused = next(one for one in w.tries(rule) if one.against == "law")
    result = breach(w.node, refused.new)
    if result is not None:
        yield f"{brief(w.node)} → {brief(refused.new)} computes {brief(result)} on the way."
    yield from of_mode(w, rule)


DETAILS = {"user": of_users, "part": of_part, "fact": of_facts, "final": of_final,
           "mode": of_mode, "law": of_law}  # fmt: skip


def first_use(w: World, rule: Any) -> Try:
    """The first use of the rule with nothing against it."""
    return next(one for one in w.tries(rule) if not one.against)


def unproved(w: World, rule: Any) -> list[Expr]:
    """The conditions of the rule of which there is no proof."""
    free = freer(w)
    each = [one.needs for one in free.tries(rule) if not one.against]
    if isinstance(rule, Rule):
        uses = (b for b in matches(rule, w.node) if not rule.when or rule.meets(b, w.node))
        each += map(rule.needed, uses)
    needs = each[0] if each else ()
    return [condition for condition in needs if proof(condition) is None]


def point(w: World, rule: Any, mode: str) -> Iterator[str]:
    """A point at which the rewrite would break the promise of the mode that is used."""
    new = first_use(freer(w, mode), rule).new
    nodes = postorder([w.node, new])
    if len(nodes) <= SMALL and all(map(is_small, nodes)):
        wrong = HOOKS["broken_at"](w.node, new, w.mode)
        if wrong is not None:
            yield f"{wrong}."


def is_small(n: Expr) -> bool:
    """Is this a number, or a small array, that an operation without a body computes from inputs?"""
    if isinstance(n.type, TupleType) or isinstance(n.op, Nested) or n.type.known and n.size > LARGE:
        return False
    return n.op is not None or isinstance(n, (Input, Constant))


def declaration(i: Input, facts: frozenset[str]) -> str:
    """The line that declares these facts of an input, and those that it has."""
    name = i.name or "x"
    kind = DECLARED[i.ndim] if i.ndim < len(DECLARED) else "tensor"
    says = [f'"{name}"', *([f'"{i.dtype}"'] if i.dtype != "float64" else [])]
    if i.ndim and (i.type.known or kind == "tensor"):
        says.append(f"shape={i.type.shape}")
    says += [f"{fact}=True" for fact in sorted(facts | i.facts)]
    return f"{name} = ad.{kind}({', '.join(says)})"


# ---- what no such change would mend


def of_cost(w: World, rule: Any, one: Try) -> str:
    policy = one.bindings.get("cost_policy", rule.cost_policy)
    change = f"{brief(w.node)} → {brief(one.new)}: {w.balance(one.new)}."
    return f"{change} The rule asks for {POLICIES[policy]}."


def rewrite(step: Step) -> str:
    return f"{step.rule}: {brief(step.before)} → {brief(step.after)}"


def of_condition(rule: Rule) -> str:
    name = getattr(rule.when, "__name__", "")
    if is_function(rule.when) and name.isidentifier():
        return f"The condition is {name.replace('_', ' ').strip()}."
    return f"The condition is {shown(rule.when)}."


def matches(rule: Rule, n: Expr) -> Iterator[Bindings]:
    """The matches of the pattern alone, whatever the conditions say."""
    for match in rule.matchers:
        bindings: Bindings = {}
        if match(n, bindings):
            yield bindings
