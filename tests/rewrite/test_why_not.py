"""`why_not` names an obstacle, and it is the true one: who does what it says sees the rule fire.

Protects a student's trust in the answer. It is put to the test by the public functions alone, on
random graphs and on the examples of all rules, with other users beside them and in other modes.
"""

import pickle
import re
from collections import Counter
from itertools import islice, product

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu.check.rule.instances import each_use, lenient
from autodiff_edu.core.pattern import Heads
from autodiff_edu.core.rule import LATE
from autodiff_edu.expr import Constant, Graph, Literal, Wild, postorder, substitute
from autodiff_edu.rewrite import Rewrite, Rule
from autodiff_edu.rewrite.why_not.spots import at, furthest, parts
from tests.helpers.depth import draws, some

pytestmark = pytest.mark.filterwarnings("ignore")

x, y, z = ad.scalar("x"), ad.scalar("y"), ad.scalar("z")
p = ad.scalar("p", positive=True)
UNARY = (ad.exp, ad.log, ad.sin, ad.cos, ad.tanh, ad.sqrt, ad.square, ad.negative, ad.abs)
BINARY = (ad.add, ad.add, ad.multiply, ad.multiply, ad.subtract, ad.divide, ad.power, ad.maximum)
MODES = ("ieee", "safe", "real")


# ---- doing what an answer says


def act(stage, answer, rules):
    """The simplification in which all that the answer names is otherwise, and the node there."""
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
    return ad.simplify(roots, mode=mode, rules=rules, final=final), node


def with_facts(roots, said):
    """The same of inputs that are declared as the answer writes it."""
    names = {}
    for line in re.search(r"Declare it: (.*?)\)\.", said)[1].split("; "):
        exec(line.rstrip(")") + ")", {"ad": ad}, names)
    inputs = [n for n in postorder(roots) if n.op is None and n.name in names]
    assert inputs
    return substitute(roots, {n: names[n.name] for n in inputs})


def fires(stage, rule, node):
    """Is the rule used at the node, or at a part of it, after which it is another node?"""
    parts = {*postorder([node])}
    return any(step.rule == rule.name and step.before in parts for step in stage.steps) or (
        rule.name in stage.counts and bool(stage.select(rule=rule.name, node=node))
    )


DOABLE = ("user", "part", "fact", "final", "mode", "law")


def is_true(stage, rule, answer):
    """Is the obstacle the true one?"""
    word, graph = answer.obstacle, stage.frame(answer.frame)
    alone = ad.simplify(graph, mode=stage.rules.mode, rules=[rule], final=stage.rules.final)
    if word == "fired":
        step = stage.steps[answer.frame]
        return step.rule == rule.name and step.before is answer.node
    if word in DOABLE:
        after, node = act(stage, answer, [rule])
        return fires(after, rule, node) and not fires_first(alone, rule, answer.node)
    if word in ("earlier", "phase"):
        step = stage.steps[answer.frame]
        late = rule.phase in LATE and stage.phase(step) not in LATE
        took = step.before in {*postorder([answer.node])} and step.rule != rule.name
        return took and late == (word == "phase") and fires(alone, rule, answer.node)
    return OTHERS[word](stage, rule, answer)


def fires_first(stage, rule, node):
    """Is the rule used at the node itself, before anything below it has changed?"""
    return any(step.rule == rule.name and step.before is node for step in stage.steps)


def fires_nowhere(stage, rule, answer):
    """Not even alone, in the freest mode."""
    freest = ad.simplify(answer.node, mode="real", rules=[rule], final=True)
    return not fires_first(freest, rule, answer.node)


def fires_if_added(stage, rule, answer):
    graph = stage.frame(answer.frame)
    after = ad.simplify(graph, mode=stage.rules.mode, rules=ad.RULES + rule)
    return rule not in stage.rules.rules and fires(after, rule, answer.node)


def is_dear(stage, rule, answer):
    """The costs that are told are those of the step, if cost is no matter, and the rule refuses
    them."""
    told = re.search(r"operations (\d+) → (\d+), cost (\d+) → (\d+)", answer.lines[-1])
    many, then, cost, later = map(int, told.groups())
    if isinstance(rule, Rule):
        free = lenient(rule, cost_policy="")
        roots, mode = stage.frame(answer.frame), stage.rules.mode
        if answer.node not in {*roots.nodes}:
            roots, mode = answer.node, "real"
        done = ad.simplify(roots, mode=mode, rules=[free], final=True)
        if done.steps and done.steps[0].before is answer.node:  # nothing else was first
            assert (cost, later) == done.steps[0].cost
            assert (many, then) == (operations(done.frame(0)), operations(done.frame(1)))
    worse = then > many or rule.cost_policy != "fewer" and later > cost
    return worse or rule.cost_policy == "cheaper" and (many, cost) == (then, later)


def operations(graph):
    return sum(not n.op.free for n in graph.operations)


def has_no_proof(stage, rule, answer):
    """Does the rule not fire whatever is declared of the inputs?"""
    node = answer.node
    own = {n: ad.tensor(n.name, n.dtype, n.type.shape, positive=True, finite=True, integer=True)
           for n in Graph(node).inputs if hasattr(n, "facts")}  # fmt: skip
    (new,) = substitute([node], own)
    return not fires_first(ad.simplify(new, mode="real", rules=[rule], final=True), rule, new)


def differs_without(stage, rule, answer):
    """Is the answer another one for the rule without what it names?"""
    changed = {"when": None} if answer.obstacle == "condition" else {"any_dtype": True}
    other = stage.why_not(lenient(rule, **changed), answer.node)
    return other.obstacle != answer.obstacle


def goes_further(stage, rule, answer):
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


OTHERS = {
    "absent": fires_if_added,
    "cost": is_dear,
    "structure": goes_further,
    "condition": differs_without,
    "dtype": differs_without,
    "proof": has_no_proof,
    "merged": lambda stage, rule, a: stage.steps[a.frame].rule == "merge equal nodes",
    "constant": lambda stage, rule, a: all(isinstance(i, Constant) for i in a.node.inputs),
    "same": fires_nowhere,
    "false": fires_nowhere,
    "nothing": fires_nowhere,
}


def check(stage, rule, node):
    """The obstacle that is named."""
    (answer,) = stage.why_not(rule, node).answers
    return check_answer(stage, rule, answer)


def check_answer(stage, rule, answer):
    """The obstacle, which must be the true one, and its first sentence short and in words."""
    assert is_true(stage, rule, answer), (stage.before, stage.rules.mode, answer)
    first = answer.lines[0]
    assert len(first.split()) <= 40 and not set(first) & set("*→=()"), first
    return answer.obstacle


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


def asked(seed, rules, many):
    """The obstacles of some rules at a node of a random graph."""
    draw = np.random.default_rng(seed)
    stage = ad.simplify(random_graph(seed), mode=MODES[seed % 3], final=bool(draw.random() < 0.5))
    nodes = [n for n in dict.fromkeys([*stage.before.order, *stage.after.order]) if n.op]
    node = nodes[draw.integers(len(nodes))]
    about = np.array([rule for rule in rules if node.op in rule.replaces], dtype=object)
    return [check(stage, rule, node) for rule in draw.permutation(about)[:many]]


def test_the_obstacle_is_true_on_random_graphs():
    for seed in some(range(1_000), 80):
        assert "absent" not in asked(seed, ad.RULES, 12), seed


def own_uses(turn, rule):
    """Simplifications of what is a rule's own, by itself and beside its parts, in each mode; by
    default in two of these ways, and of the next rule in two others."""
    for use in some(islice(each_use(rule), 2), 2):
        inner = [n for n in postorder([use.whole]) if n.op and n is not use.whole][-2:]
        ways = product(([use.whole], [use.whole, *inner]), MODES)
        for roots, mode in some(ways, 3, turn):
            stage = ad.simplify(roots, mode=mode)
            yield stage, use.before if use.before in {*stage.before.order} else use.whole


@pytest.fixture(scope="module")
def own_answers():
    """Each rule, by default each fourth, with simplifications of what is its own, and what they
    answer."""
    return [
        (rule, stage, *stage.why_not(rule, node).answers)
        for turn, rule in some(enumerate(ad.RULES), 4)
        for stage, node in own_uses(turn, rule)
    ]


def test_the_obstacle_is_true_on_what_is_a_rule_s_own(own_answers):
    counts = Counter(check_answer(stage, rule, answer) for rule, stage, answer in own_answers)
    words = ("fact", "user", "mode", "final", "earlier", "phase")
    assert min(counts[word] for word in words) > draws(50), counts


def test_who_follows_three_answers_sees_the_rule_fire_among_all_rules(own_answers):
    ways = Counter()
    for rule, stage, answer in own_answers:
        turns, rules = 0, ad.RULES
        while answer.obstacle in (*DOABLE, "earlier", "phase"):
            turns += 1
            assert turns <= 3, (rule, answer)
            if answer.step:
                rules = rules - answer.step.rule
            stage, node = act(stage, answer, rules)
            (answer,) = stage.why_not(rule, node).answers
        assert not turns or answer.obstacle == "fired", (rule, answer)
        ways[turns] += 1
    assert ways[1] > draws(1_000)


# ---- obstacles that need graphs of their own


def random_product(seed):
    """Factors, some of them twice, above and below the line."""
    draw = np.random.default_rng(seed)
    factors = [x, y, z, ad.exp(x), ad.exp(y)]
    e, *others = (factors[k] for k in draw.integers(len(factors), size=draw.integers(3, 6)))
    for other in others:
        e = e * other if draw.random() < 0.6 else e / other
    return e


LAWFUL = ("collect powers", "cancel shared factors")


def test_the_law_of_products_names_a_result_that_overflows():
    counts, points, seeds = Counter(), 0, some(range(2_000), 160)
    for seed in seeds:
        stage = ad.simplify(random_product(seed))
        for name in LAWFUL if stage.output.op else ():
            counts[check(stage, ad.RULES[name], stage.output)] += 1
            (answer,) = stage.why_not(name, stage.output).answers
            if answer.obstacle == "law":
                assert "on the way" in answer.lines[1]
                points += "is wrong at" in answer.lines[-1]
    assert counts["law"] > len(seeds) / 8 and points > counts["law"] / 2, (counts, points)


def test_the_law_of_products_and_another_user_are_two_obstacles():
    product = x * y * x
    stage = ad.simplify([product, x * y])
    (answer,) = stage.why_not("collect powers", product).answers
    assert answer.obstacles == ("user", "law")
    assert is_true(stage, ad.RULES["collect powers"], answer)


u, v, w = ad.wild("u v w")
MINE = (
    ad.Rule("sine of sum", ad.sin(u + v), ad.sin(u) * ad.cos(v) + ad.cos(u) * ad.sin(v)),
    ad.Rule("brackets", u * (v + w), u * v + u * w),
    ad.Rule("brackets below", (v + w) / u, v / u + w / u),
    ad.Rule("power apart", u * u, ad.exp(2 * ad.log(u)), mode="real"),
    ad.Rule("sum of squares", (u + v) * (u - v), ad.square(u) - ad.square(v)),
    ad.Rule("a root for a product", ad.sqrt(u * v), ad.sqrt(u) * ad.sqrt(v), mode="real"),
)


def test_the_obstacle_is_true_for_rules_that_a_student_typed():
    seeds = some(range(10_000), 100)
    counts = Counter(obstacle for seed in seeds for obstacle in asked(seed, MINE, len(MINE)))
    assert counts["cost"] > len(seeds) / 40, counts


# ---- what a user sees


def pair():
    """Lecture 07's example: the sum that shares x·y with the other result."""
    total = x * y + x * ad.exp(y)
    return total, ad.simplify([x * y, total], mode="real")


def test_the_other_user_of_a_product_keeps_the_common_factor_away():
    total, both = pair()
    assert str(ad.simplify(total, mode="real").output) == "x * (y + exp(y))"
    assert str(both.outputs[1]) == "(x * y) + (x * exp(y))"
    (answer,) = both.why_not("common factor", total).answers
    assert answer.obstacles == ("user",) and answer.nodes == (both.outputs[0],)
    assert "operations 4 → 4" in answer.lines[-1] and "operations 4 → 3" in answer.lines[-1]


def test_a_rule_that_was_used_says_in_which_step():
    total, _ = pair()
    stage = ad.simplify(total + 0, mode="real")
    why = stage.why_not("common factor", total)
    assert why.obstacle == "fired" and "in step 2" in repr(why)


def test_a_node_may_be_any_of_a_frame_or_an_equal_one():
    stage = ad.simplify(x / x)
    assert stage.why_not("over itself", stage.output).obstacle == "fact"
    assert stage.why_not("over itself", x / x).obstacle == "fact"
    with pytest.raises(ValueError, match="in no frame"):
        stage.why_not("over itself", y / y)
    with pytest.raises(TypeError, match="no operation"):
        stage.why_not("over itself", x)


def test_without_a_node_it_is_where_the_rule_came_nearest():
    stage = ad.simplify(ad.sin(x) + ad.log(x / (y * y)) * (x / x))
    (answer,) = stage.why_not("over itself").answers
    assert answer.obstacle == "fact" and str(answer.node) == "x / x"


def test_without_a_node_it_is_all_that_are_as_near_up_to_three():
    stage = ad.simplify([x / x, y / y, z / z, x / y])
    assert [str(a.node) for a in stage.why_not("over itself").answers] == [
        "x / x",
        "y / y",
        "z / z",
    ]
    used = ad.simplify([x * 1 * 1, x / x]).why_not("times one").answers
    assert used[0].obstacle == "fired" and used[0].frame == 0


def test_without_a_rule_it_is_the_nearest_misses():
    stage = ad.simplify(ad.log(x) + ad.log(y))
    why = stage.why_not(node=stage.output)
    assert [answer.rule.name for answer in why.answers][0] == "sum of logs"
    assert 1 <= len(why.answers) <= 3
    used = ad.simplify(x * 1 + x).why_not(node=x * 1)
    assert "fired" not in [answer.obstacle for answer in used.answers]


def test_a_question_without_rule_and_node_is_none():
    with pytest.raises(TypeError, match="name a rule or a node"):
        ad.simplify(x / x).why_not()
    with pytest.raises(KeyError, match="no rule is called"):
        ad.simplify(x / x).why_not("over oneself")
    with pytest.raises(TypeError, match="a rule is ad.Rule"):
        ad.simplify(x / x).why_not(7)


class Doubled(Rewrite):
    """A rule that is a class and says its own obstacle."""

    name = "doubled"
    roots = ((ad.add, Heads(("any", "any"), False)),)

    def matches(self, node, context):
        if node.inputs[0] is node.inputs[1]:
            yield {"x": node.inputs[0]}

    def build(self, bindings, node):
        return 2 * bindings["x"]

    def obstacle(self, node, context):
        return "The two operands are not one node."


def test_a_rule_that_is_a_class_states_its_own_obstacle():
    stage = ad.simplify(x + y, rules=[Doubled()])
    assert "The two operands are not one node." in repr(stage.why_not("doubled", x + y))
    assert stage.why_not(Doubled(), x + y).answers[0].obstacle == "nothing"


def test_a_stage_that_was_stored_answers_for_the_rules_of_the_house():
    stage = pickle.loads(pickle.dumps(ad.simplify(x / x, mode="ieee")))
    (answer,) = stage.why_not("over itself", stage.output).answers
    assert answer.obstacles == ("mode",)


def test_the_picture_marks_the_spot_in_the_pattern_and_in_the_graph():
    stage = ad.simplify(ad.log(1 / x - 1) + ad.sin(x))
    (one,) = stage.why_not("logit of reciprocal").draw().each
    assert one.answer.obstacle == "structure"
    assert "new" in one.pattern.signs and {"new", "matched"} <= set(one.graph.signs)


def test_operations_with_a_body_can_be_asked_about():
    h = ad.scan(lambda h: ad.tanh(x * h + h * 1), outputs_info=y * 1, n_steps=5)
    stage = ad.simplify(ad.reverse_mode(h[-1], [x, y]))
    for node in [n for n in dict.fromkeys([*stage.before.order, *stage.after.order]) if n.op]:
        why = stage.why_not(node=node)
        assert repr(why) and why.draw().image()


def test_of_a_large_graph_the_picture_is_small():
    e = x
    for _ in range(5):
        e = 4 * e * (1 - e)
    stage = ad.simplify(ad.grad(e, x))
    for one in stage.why_not("common factor").draw().each:
        assert one.graph.listing.count("operation") < 30
    page = stage.why_not(node=stage.output)._repr_mimebundle_()
    assert "<img" in page["text/html"] and "in frame" in page["text/plain"]
