"""`why_not` names an obstacle, and it is the true one: who does what it says sees the rule fire.

Protects a student's trust in the answer. It is put to the test by the public functions alone, on
random graphs and on the examples of all rules, with other users beside them and in other modes.
"""

import re
from collections import Counter

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu.check.rule.instances import each_use, lenient
from autodiff_edu.expr import Constant, Graph, Literal, Wild, postorder, substitute
from autodiff_edu.rewrite import Rule
from autodiff_edu.rewrite.engine.rule_set import LATE
from autodiff_edu.rewrite.why_not.answers import ORDER
from autodiff_edu.rewrite.why_not.spots import at, furthest, parts
from tests.helpers.depth import draws

pytestmark = pytest.mark.filterwarnings("ignore")

x, y, z = ad.scalar("x"), ad.scalar("y"), ad.scalar("z")
p = ad.scalar("p", positive=True)
UNARY = (ad.exp, ad.log, ad.sin, ad.cos, ad.tanh, ad.sqrt, ad.square, ad.negative, ad.abs)
BINARY = (ad.add, ad.add, ad.multiply, ad.multiply, ad.subtract, ad.divide, ad.power, ad.maximum)
MODES = ("ieee", "safe", "real")


# ---- doing what an answer says


def act(stage, rule, answer):
    """The simplification in which all that the answer names is otherwise, with the rule alone."""
    graph, node = stage.frame(answer.frame), answer.node
    mode, final, roots = stage.rules.mode, stage.rules.final, list(graph.outputs)
    said = " ".join(answer.lines)
    for obstacle in answer.obstacles:
        if obstacle == "user":
            roots = [node]
        elif obstacle == "part":
            roots = [*roots, node]
        elif obstacle == "final":
            final = True
        elif obstacle in ("mode", "law"):
            mode = re.search(r'mode="(\w+)"', said)[1]
    if "fact" in answer.obstacles:
        *roots, node = with_facts([*roots, node], said)
    after = ad.simplify(roots, mode=mode, rules=[rule], final=final)
    return after, node


def with_facts(roots, said):
    """The same of inputs that are declared as the answer writes it."""
    names = {}
    for line in re.search(r"Declare it: (.*?)\)\.", said)[1].split("; "):
        exec(line.rstrip(")") + ")", {"ad": ad}, names)
    inputs = [n for n in postorder(roots) if n.op is None and n.name in names]
    assert inputs
    return substitute(roots, {n: names[n.name] for n in inputs})


def fires(stage, rule, node):
    return rule.name in stage.counts and bool(stage.select(rule=rule.name, node=node))


def is_true(stage, rule, answer):
    """Is the obstacle the true one?"""
    word, graph = answer.obstacle, stage.frame(answer.frame)
    mode, final = stage.rules.mode, stage.rules.final
    if word == "fired":
        step = stage.steps[answer.frame]
        return step.rule == rule.name and step.before is answer.node
    if word in ("user", "part", "fact", "final", "mode", "law"):
        here = ad.simplify(graph, mode=mode, rules=[rule], final=final)
        return fires(*act_with(stage, rule, answer)) and not first_fires(here, rule, answer.node)
    if word in ("earlier", "phase"):
        step = stage.steps[answer.frame]
        late = rule.phase in LATE and stage.phase(step) not in LATE
        alone = ad.simplify(graph, mode=mode, rules=[rule], final=final)
        took = step.before is answer.node and step.rule != rule.name
        return took and late == (word == "phase") and fires(alone, rule, answer.node)
    if word == "cost":
        return is_dear(stage, rule, answer)
    if word == "structure":
        return goes_further(rule, answer)
    if word == "condition":
        return judged_else(stage, lenient(rule, when=None), answer)
    if word == "dtype":
        return judged_else(stage, lenient(rule, any_dtype=True), answer)
    if word == "merged":
        return stage.steps[answer.frame].rule == "merge equal nodes"
    if word == "constant":
        return all(isinstance(i, Constant) for i in answer.node.inputs)
    if word == "proof":
        return is_true_with_facts_for_all(rule, answer.node)
    freest = ad.simplify(answer.node, mode="real", rules=[rule], final=True)
    return word in ("same", "false", "nothing") and not first_fires(freest, rule, answer.node)


def act_with(stage, rule, answer):
    after, node = act(stage, rule, answer)
    return after, rule, node


def first_fires(stage, rule, node):
    """Is the rule used at the node itself, before anything below it has changed?"""
    return any(step.rule == rule.name and step.before is node for step in stage.steps)


def is_dear(stage, rule, answer):
    """Where cost is no matter, the rule fires, and saves nothing."""
    word = re.search(r"operations (\d+) → (\d+), cost (\d+) → (\d+)", answer.lines[-1])
    many, then, cost, later = map(int, word.groups())
    if not isinstance(rule, Rule):
        return then > many or later > cost or (then, later) == (many, cost)
    free = ad.simplify(answer.node, mode="real", rules=[lenient(rule, cost_policy="")], final=True)
    first = next(step for step in free.steps if step.rule == rule.name)
    before, after = first.cost if first.cost else (0, 0)
    return (then > many or later > cost or rule.cost_policy == "cheaper") and after - before >= min(
        0, later - cost
    )


def is_true_with_facts_for_all(rule, node):
    """Does the rule not fire whatever is declared of the inputs?"""
    own = {n: ad.tensor(n.name, n.dtype, n.type.shape, positive=True, finite=True, integer=True)
           for n in Graph(node).inputs if hasattr(n, "facts")}  # fmt: skip
    (new,) = substitute([node], own)
    return not first_fires(ad.simplify(new, mode="real", rules=[rule], final=True), rule, new)


def judged_else(stage, other, answer):
    return stage.why_not(other, answer.node).obstacle != answer.obstacle


def goes_further(rule, answer):
    """With what the pattern asks for at the spot, the match goes further."""
    s = answer.spot
    bound = {part.name: at(answer.node, place) for place, part in parts(s.pattern)
             if isinstance(part, Wild) and place < s.place}  # fmt: skip
    try:
        new = put(answer.node, s.place, instance(s.part, bound, s.node))
    except (TypeError, ValueError):
        return True  # no operation takes such operands
    other = furthest(rule, new)
    return other is None or other.fits > s.fits


def instance(part, bound, like):
    if isinstance(part, Wild):
        return bound.get(part.name, ad.constant(0.37) if part.constant else like)
    if isinstance(part, Literal):
        return Constant(part.value, like.dtype)
    if part.op is None:
        return part
    return part.op(*[instance(i, bound, like) for i in part.inputs], **plain(part))


def plain(part):
    if any(isinstance(v, Wild) for _, v in part.static):
        raise TypeError
    return dict(part.static)


def put(n, place, new):
    if not place:
        return new
    first, *rest = place
    operands = list(n.inputs)
    operands[first] = put(operands[first], rest, new)
    return n.op.apply(tuple(operands), n.static)


# ---- on random graphs, and on what is a rule's own


def random_graph(seed):
    """A few outputs that share their parts."""
    draw = np.random.default_rng(seed)
    nodes = [x, y, z, p, x, ad.constant(float(draw.choice([0, 1, 2, -1, 0.5])))]
    for _ in range(draw.integers(3, 9)):
        one, other = (nodes[k] for k in draw.integers(max(0, len(nodes) - 6), len(nodes), 2))
        binary = draw.random() < 0.7
        f = draw.choice(BINARY if binary else UNARY)
        nodes.append(f(one, other) if binary else f(one))
    return [nodes[-1], *(nodes[-k] for k in (2, 3) if draw.random() < 0.4)]


def questions(seed):
    """A simplification, and rules about one of its nodes."""
    draw = np.random.default_rng(seed)
    stage = ad.simplify(random_graph(seed), mode=MODES[seed % 3], final=bool(draw.random() < 0.5))
    nodes = [n for n in dict.fromkeys([*stage.before.order, *stage.after.order]) if n.op]
    node = nodes[draw.integers(len(nodes))]
    about = [rule for rule in ad.RULES if node.op in rule.replaces]
    for rule in draw.permutation(np.array(about, dtype=object))[:12] if about else ():
        yield stage, rule, node


@pytest.mark.parametrize("seed", range(draws(300)))
def test_the_obstacle_is_true_on_random_graphs(seed):
    for stage, rule, node in questions(seed):
        (answer,) = stage.why_not(rule, node).answers
        assert answer.obstacle not in ("again", "absent"), answer
        assert is_true(stage, rule, answer), (stage.before, answer)


@pytest.mark.each("rule", ad.RULES, ids=lambda rule: rule.name)
def test_the_obstacle_is_true_on_what_is_a_rule_s_own(rule):
    for use in [use for use, _ in zip(each_use(rule), range(2))]:
        parts = [n for n in postorder([use.whole]) if n.op and n is not use.whole][-2:]
        for roots in ([use.whole], [use.whole, *parts]):
            for mode in MODES:
                stage = ad.simplify(roots, mode=mode)
                (answer,) = stage.why_not(rule, use.before if use.before in {*stage.before.order}
                                          else use.whole).answers  # fmt: skip
                assert answer.obstacle not in ("again", "absent"), answer
                assert is_true(stage, rule, answer), (mode, stage.before, answer)
