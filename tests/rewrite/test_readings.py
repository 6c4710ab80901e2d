"""Each node is read once: the work of products and sums grows no faster than the graph."""

import subprocess
import sys
from collections import Counter
from threading import Thread

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu.core import rewriter
from autodiff_edu.core.rule import RuleSet
from autodiff_edu.core.uses import Uses
from autodiff_edu.rewrite.algebra import monomial, product, reading
from autodiff_edu.rewrite.algebra import sum as sums
from autodiff_edu.rewrite.fast import glances
from autodiff_edu.rewrite.simplify import LARGE, quicken, remembering
from tests.helpers.depth import draws, is_short, length, some

w, x, y, z = (ad.scalar(name) for name in "wxyz")
STEPS = {
    "y · x": lambda v: v * x,
    "x · y": lambda v: x * v,
    "y · x · z": lambda v: v * x * z,
    "y / x": lambda v: v / x,
    "y · x / z": lambda v: v * x / z,
    "1 / (1 + y)": lambda v: 1 / (1 + v),
    "y / (2 + exp x)": lambda v: v / (2 + ad.exp(x)),
    "y · x / (2 + exp z)": lambda v: v * x / (2 + ad.exp(z)),
    "sin y · x": lambda v: ad.sin(v) * x,
    "y · x + z": lambda v: v * x + z,
}


def chain(step, n):
    """A chain of n steps and its slopes."""
    v = y
    for _ in range(n):
        v = step(v)
    return [v, *ad.grad(v, ad.Graph([v]).inputs)]


def logs(n):
    """The logarithms of all partial sums."""
    total, found = ad.exp(w), []
    for k in range(n):
        total = total + ad.exp((k + 1.5) / n * w)
        found.append(ad.log(total))
    return found


@pytest.fixture
def counted(monkeypatch):
    """How often something is read or visited, while a graph is simplified."""
    count = Counter()

    def watch(module, name, size=lambda *args: 1):
        function = getattr(module, name)

        def watched(*args):
            count[name] += size(*args)
            return function(*args)

        monkeypatch.setattr(module, name, watched)

    watch(reading, "within")
    watch(product, "region")
    watch(sums, "term")
    watch(reading, "multiply_in", lambda more, *args: len(more))  # bases
    watch(Uses, "once")
    watch(rewriter.Rewriter, "rewrite")
    return count


def work(what, count, mode):
    count.clear()
    ad.simplify(what, mode=mode)
    return Counter(count)


SIZES = (100, 400) if is_short() else (200, 800)
MODES = ["safe", "real"]
WAYS = [(name, MODES[(k + t) % 2]) for t in range(2) for k, name in enumerate(STEPS)]


@pytest.mark.parametrize("name, mode", some(WAYS, 20))
def test_what_is_read_grows_no_faster_than_a_chain(name, mode, counted):
    little, much = (work(chain(STEPS[name], n), counted, mode) for n in SIZES)
    for what, times in much.items():
        assert times <= 5 * little[what], what


def test_what_is_read_does_not_depend_on_addresses(counted):
    for seed in range(draws(40)):
        one, other = (work(drawn(seed), counted, MODES[seed % 2]) for _ in range(2))
        assert one == other, seed


def test_what_is_read_grows_no_faster_than_logarithms_of_partial_sums(counted):
    little, much = (work(logs(n), counted, "safe") for n in (200, 800))
    for what, times in much.items():
        assert times <= 5 * little[what], what


@pytest.mark.parametrize("mode", some(["safe", "real"], 2, turn=1))
@pytest.mark.parametrize("n", some([100, 141, length(1_000)], 2))
def test_a_product_repeated_is_one_power_at_any_length(n, mode):
    v = y if mode == "real" else x**2  # in mode safe y·xⁿ is not made: xⁿ may overflow
    for _ in range(n):
        v = v * x
    stage = ad.simplify([v, *ad.grad(v, [x, y], disconnected_inputs="ignore")], mode=mode)
    at = {x: 1.001, y: 2.0}
    power = 1.001**n
    if mode == "real":
        assert len(stage.after.operations) == 5  # y·xⁿ, n·(y·xⁿ⁻¹), xⁿ
        wanted = 2 * power, 2 * n * power / 1.001, power
    else:
        assert len(stage.after.operations) == 3  # xⁿ⁺², (n + 2)·xⁿ⁺¹
        wanted = power * 1.001**2, (n + 2) * power * 1.001, 0
    np.testing.assert_allclose([ad.evaluate(o, at) for o in stage.outputs], wanted, rtol=1e-9)


@pytest.mark.parametrize("mode", some(["safe", "real"], 2, turn=1))
def test_a_long_quotient_is_read_once(mode, counted):
    """Not at each of its links, where none of the denominators can be 0."""
    v = y
    for k in range(300):
        v = v / (2 + ad.exp((k + 1) * x))
    assert work([v], counted, mode)["multiply_in"] < 20 * 300


def test_a_node_is_read_once_for_all_rules(counted):
    terms = x * y
    for _ in range(20):
        terms = terms * z + ad.sin(terms) * x
    with remembering():
        reading.whole(terms, "real")
        counted.clear()
        reading.whole(terms, "real")
    assert not counted


def test_a_long_product_is_read_in_parts():
    """Its record has few bases, and so a chain of different factors is read in linear time."""
    total = ad.scalar("a0")
    with remembering():
        for k in range(1, 100):
            total = total * ad.scalar(f"a{k}")
            assert len(reading.whole(total, "real").powers) <= reading.WIDTH + 1


def test_what_no_use_count_can_change_is_not_visited_again(counted):
    """The products of this chain are shared: none of them can be collected."""
    slopes = chain(STEPS["sin y · x"], 200)
    nodes = len(ad.Graph(slopes).operations)
    assert work(slopes, counted, "safe")["rewrite"] <= 1.7 * nodes


FORGET = ad.Rule("forget", ad.arcsinh(ad.wild("t")), 0.5, phase="stabilise")


def deep(step, n):
    """A product that is collected when a late rule has taken its other user away; far below."""
    shared = 3 * x
    v = 2 * shared
    for _ in range(n):
        v = step(v)
    return [v, ad.arcsinh(shared)]


@pytest.mark.parametrize(
    "step", some([lambda v: ad.sin(ad.cos(v)), lambda v: ad.sin(v * z + w)], 2)
)
def test_a_product_is_collected_when_its_other_user_is_gone(step, counted):
    """However many nodes stand above it: each is rewritten as often as rounds change it."""
    stage = ad.simplify(deep(step, 400), rules=ad.RULES + FORGET)
    assert list(stage.counts) == ["forget", "collect powers"]
    assert counted["rewrite"] < 3 * len(stage.before.operations)
    at = {x: 0.3, y: 0.7, z: 0.9, w: 0.1}
    old, new = (ad.evaluate(graph.outputs[0], at) for graph in (stage.before, stage.after))
    np.testing.assert_allclose(old, new)


def any_deep(rng):
    """Such products at any place among random steps."""
    v, forgotten = y, []
    for k in range(200):
        if k == 5 or rng.random() < 0.02:
            shared = v * x
            forgotten.append(ad.arcsinh(ad.cosh(shared)))
            v = shared * x
        else:
            v = DEEPER[rng.integers(len(DEEPER))](v)
    return [v, *forgotten]


DEEPER = [ad.sin, ad.tanh, ad.cos, ad.sinh, ad.log1p] * 3 + list(STEPS.values())
DEEPER.append(lambda v: ad.exp(-v) / x + ad.sin(-v / x))  # which minus goes where


def drawn(seed):
    """Products, or products far below a late rewrite, by turns."""
    rng = np.random.default_rng(seed)
    return any_deep(rng) if seed % 3 == 0 else any_products(rng)


def settled(outputs, mode):
    """The rewriter of these outputs when nothing is due any more."""
    engine = rewriter.Rewriter(ad.Graph(outputs), RuleSet(ad.RULES + FORGET, mode))
    engine.shorten()
    engine.finish()
    return engine


@pytest.mark.parametrize("mode", some(["safe", "real"], 2))
def test_no_node_is_quiet_at_which_a_rule_would_apply(mode):
    """Whatever changes wakes those who asked about it: when all nodes are visited once more, and in
    the order in which another run would see them, nothing happens."""
    for seed in some(range(60), 30):
        engine = settled(drawn(seed), mode)
        done = len(engine.steps)
        assert [*map(id, engine.order)] == [*map(id, ad.Graph(engine.roots).order)], seed
        engine.due = {*engine.order}
        assert not engine.finish(), (seed, engine.steps[done:])


def test_a_node_that_becomes_due_while_it_waits_for_late_rules_is_visited_by_all():
    """The first rule adds an operation unless the graph has tanh(x), which a late rule brings."""
    t = ad.wild("t")
    rules = [
        ad.Rule("through tanh", ad.arctan(t), ad.sinh(ad.tanh(t)), cost_policy="fewer"),
        ad.Rule("to tanh", ad.arcsinh(t), ad.tanh(t), phase="stabilise"),
        ad.Rule("never", ad.arctan(t), lambda t: None, phase="stabilise"),
    ]
    stage = ad.simplify([ad.arcsinh(x), ad.arctan(x)], rules=rules)
    assert [step.rule for step in stage.steps] == ["to tanh", "through tanh"]


@pytest.mark.parametrize("mode", some(["safe", "real"], 2, turn=1))
def test_uses_are_those_of_the_graph_after_each_round(mode):
    """They are kept up through all rewrites: counted anew, they are the same."""
    rng, rules = np.random.default_rng(7), RuleSet(ad.RULES, mode)
    for _ in range(draws(30)):
        engine = rewriter.Rewriter(ad.Graph(any_deep(rng)), rules)
        engine.shorten()
        while engine.due or engine.late:
            engine.round(with_late=True)
            kept, anew = engine.uses, Uses(engine.order, engine.roots)
            assert {n: times for n, times in kept.count.items() if times} == anew.count
            assert all(kept.user_op(n) is anew.user_op(n) for n in anew.user)
            assert kept.cost == anew.cost


S = ad.log(1 + ad.exp(x))


@pytest.mark.each("below", [ad.sqrt(1 + S * S), 2 * ad.sqrt(1 + S * S)], ids=str)
@pytest.mark.each("after", [lambda e: e, lambda e: e * z, lambda e: ad.tanh(e)])
def test_a_product_is_read_by_itself_once_the_quotient_above_it_is_not_taken_apart(below, after):
    """A root above 1 is proved not to be 0; a hypotenuse, which comes of it, is not."""
    short = ad.simplify(after(y / ad.square(S) * S / below)).after
    assert "square" not in {n.op.name for n in short.operations}
    assert ad.simplify(short).steps == ()


@pytest.mark.parametrize("mode", some(["safe", "real"], 2, turn=1))
def test_no_rule_is_hidden_by_the_heads_of_operands(mode):
    """Every pattern that matches a node is among the rules that are tried there."""
    rng, rules, applied = np.random.default_rng(6), RuleSet(ad.RULES, mode), set()
    for _ in range(draws(30, least=6)):
        engine = rewriter.Rewriter(ad.Graph(any_products(rng)), rules)
        for n in engine.order:
            tried = set(rules.candidates(n))
            for rule in rules.by_operation.get(n.op, ()):
                if isinstance(rule, ad.Rule) and any(rule.matches(n, engine)):
                    assert rule in tried, (rule.name, n)
                    applied.add(rule.name)
    assert len(applied) > 15


def in_threads(work, count=6):
    """What work() gives in each of so many threads, which change as often as they can."""
    found, interval = [], sys.getswitchinterval()
    threads = [Thread(target=lambda: found.append(work())) for _ in range(count)]
    sys.setswitchinterval(1e-6)
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    return found


def test_threads_that_look_up_new_rules_at_once_find_the_same():
    """Lists of rules are made when they are first needed, and then belong to all threads."""
    t = ad.wild("t")
    for seed in some(range(30), 30):
        outputs = any_products(np.random.default_rng(seed))
        rules = ad.RULES + ad.Rule(f"forget {seed}", ad.arcsinh(t), 0.5, phase="stabilise")
        found = in_threads(lambda o=outputs, r=rules: str(ad.simplify(o, "real", r).graph))
        assert found == 6 * [str(ad.simplify(outputs, "real").graph)]


def tower(v, n):
    """sin(cos(sin(cos(v)))), so many times."""
    for _ in range(n):
        v = ad.sin(ad.cos(v))
    return v


@pytest.mark.each("n", [1, 4, 8, 30])
def test_a_pattern_of_any_depth_is_found_above_a_late_rewrite(n):
    a = ad.wild("a")
    mine = ad.Rule("a tower", tower(6 * a, n), a)
    shared = 3 * x
    outputs = [tower(tower(2 * shared, n), 20), ad.arcsinh(shared)]
    stage = ad.simplify(outputs, rules=ad.RULES + FORGET + mine)
    assert list(stage.counts) == ["forget", "collect powers", "a tower"]


def any_products(rng):
    """All values that a random program of products and quotients computes, and slopes of the last:
    much is shared."""
    made = [ad.scalar(f"x{k}", positive=k < 3) for k in range(4)]
    steps = (
        *[lambda a, b: a * b, lambda a, b: a / b] * 4,
        lambda a, b: a * a, lambda a, b: ad.exp(a), lambda a, b: a + b, lambda a, b: a - b,
        lambda a, b: -a, lambda a, b: ad.sigmoid(a), lambda a, b: 1 + a, lambda a, b: ad.sqrt(a),
        lambda a, b: a * ad.exp(b) + b - a, lambda a, b: a / 3, lambda a, b: 2 * a,
    )  # fmt: skip
    for _ in range(rng.integers(5, 60)):
        a, b = (made[k] for k in rng.integers(len(made), size=2))
        made.append(steps[rng.integers(len(steps))](a, b))
    return [*made[4:], *ad.grad(made[-1], ad.Graph(made[-1:]).inputs)]


def any_shares(rng):
    """The same of arrays and their totals, by which they are divided."""
    made = [ad.matrix(name, shape=(3, 4), positive=True) for name in "uvw"]
    w = ad.vector("w", shape=4, positive=True)
    steps = (
        *[lambda a, b: a * b, lambda a, b: ad.exp(b), lambda a, b: a * w, lambda a, b: a - b] * 2,
        *[lambda a, b: a / ad.sum(a, axis=1, keepdims=True)] * 3,
        lambda a, b: a / ad.sum(b, axis=1, keepdims=True),
        lambda a, b: b * ad.sum(a, axis=0), lambda a, b: b / ad.expand_dims(ad.exp(a) @ w, axis=1),
        lambda a, b: ad.exp(b) / ad.expand_dims(ad.exp(b) @ w, axis=1),
        lambda a, b: a / ad.norm(b, axis=1, keepdims=True), lambda a, b: a + b,
        lambda a, b: a / ad.prod(b, axis=1, keepdims=True), lambda a, b: a / b,
    )  # fmt: skip
    for _ in range(rng.integers(4, 14)):
        a, b = (made[k] for k in rng.integers(len(made), size=2))
        made.append(steps[rng.integers(len(steps))](a, b))
    y = ad.sum(made[-1])
    return [*made[3:], *ad.grad(y, ad.Graph(y).inputs)]


def any_relatives(rng):
    """Products of functions of x that are related: all are shared."""
    made = [ad.exp(x), 1 + ad.exp(x), ad.sigmoid(x), ad.sigmoid(-x)]
    for _ in range(rng.integers(3, 9)):
        a, b = (made[k] for k in rng.integers(len(made), size=2))
        made.append(3 * a if rng.random() < 0.4 else a * b)
    return made[4:]


@pytest.fixture
def answers(monkeypatch):
    """The answers of the room for speed, which a test may change."""
    quicken(LARGE)
    monkeypatch.setattr(monomial, "ANSWERS", dict(monomial.ANSWERS))
    return monomial.ANSWERS


QUESTIONS = [answer.__name__ for answer in glances.ANSWERS.values()]


@pytest.mark.parametrize("question, mode", [
    (question, mode) for k, question in enumerate(QUESTIONS) for mode in some(MODES, 2, turn=k)
])  # fmt: skip
def test_a_glance_hides_nothing_that_a_rule_would_find(question, mode, answers):
    rng, other, told = np.random.default_rng(9), np.random.default_rng(11), []
    glance = answers[question]
    for k in range(100):
        if k >= draws(100) and {*told} == {False, True}:
            break
        outputs = any_relatives(other) if k % 2 else any_products(rng) if k % 4 else any_shares(rng)
        answers[question] = lambda *about: True
        expected = str(ad.simplify(outputs, mode).graph)
        answers[question] = noting(told, glance)
        assert str(ad.simplify(outputs, mode).graph) == expected
    assert False in told and True in told


def test_glances_can_be_left_out(answers):
    """They are there for speed alone: without any, all graphs come out the same."""
    rng = np.random.default_rng(10)
    outputs = [draw(rng) for draw in (any_products, any_shares, any_relatives) * draws(7, least=3)]
    expected = [str(ad.simplify(each, "real").graph) for each in outputs]
    answers.clear()
    answers["none"] = bool  # so that they are not loaded again
    assert [str(ad.simplify(each, "real").graph) for each in outputs] == expected


def test_the_room_for_speed_can_be_left_out():
    """It is loaded by the first graph that is large; where it is not, rules answer themselves."""
    program = (
        "import sys, autodiff_edu as ad\n"
        "x = y = ad.scalar('x', positive=True)\n"
        "ad.simplify(x * x + (x - 2))\n"
        "assert 'autodiff_edu.rewrite.fast' not in sys.modules\n"
        "for k in range(12): y = y / (x + k) * x\n"
        "graph = ad.Graph(ad.grad(y, x))\n"
        "sys.modules['autodiff_edu.rewrite.fast'] = None\n"
        "without = str(ad.simplify(graph).graph)\n"
        "del sys.modules['autodiff_edu.rewrite.fast']\n"
        "assert str(ad.simplify(graph).graph) == without != ''\n"
        "assert 'autodiff_edu.rewrite.fast' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def noting(found, function):
    def called(*given):
        found.append(function(*given))
        return found[-1]

    return called
