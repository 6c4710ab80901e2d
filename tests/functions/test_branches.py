"""Python's own control flow in traced functions: values and derivatives of the path taken."""

import math
import threading

import autograd
import autograd.numpy as anp
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import autodiff_edu as ad
from autodiff_edu.functions.traced import formula_at
from tests.helpers import depth
from tests.helpers.branching import PROGRAMS, with_numpy
from tests.helpers.depth import draws, is_short

pytestmark = pytest.mark.numeric

CASES = depth.some(
    ((program, point) for program, points in PROGRAMS.items() for point in points), 4
)


@pytest.mark.each(
    "program, point", CASES, ids=[f"{p.__name__}-{k}" for k, (p, _) in enumerate(CASES)]
)
def test_derivatives_of_published_programs(program, point):
    ours, theirs = program, with_numpy(program, anp)
    x = np.array(point) if isinstance(point, list) else point
    value, slope = ad.value_and_grad(ours)(x)
    np.testing.assert_allclose(value, program(x), rtol=1e-12)
    np.testing.assert_allclose(slope, slope_of(theirs, x), rtol=1e-9, atol=1e-12)
    if np.ndim(x):
        curvature = ad.hessian(ours)(x)
        wanted = autograd.hessian(theirs)(x)
    else:
        curvature = ad.grad(ad.grad(ours))(x)
        wanted = slope_of(lambda x: slope_of(theirs, x), x)
    np.testing.assert_allclose(curvature, wanted, rtol=1e-7, atol=1e-9)


def slope_of(f, x):
    """By autograd, which gives no gradient for a constant."""
    found = autograd.grad(lambda x: f(x) + 0.0 * anp.sum(x))(x)
    return found


@pytest.mark.parametrize("program", depth.some(PROGRAMS, 2), ids=lambda p: p.__name__)
def test_one_function_at_all_points_takes_the_right_paths(program):
    """Also in an order in which each call differs from the one before."""
    slope = ad.grad(program)
    points = [np.array(p) if isinstance(p, list) else p for p in PROGRAMS[program]]
    for x in [*points, *points[::-1], *points]:
        np.testing.assert_allclose(slope(x), ad.grad(program)(x), rtol=1e-12)
    answers = {tuple(g.answer for g in formula_at(program, (x,))[2]) for x in points}
    assert {tuple(g.answer for g in path.guards) for path in slope.paths} == answers
    assert sum(path.taken for path in slope.paths) == 3 * len(points)


# ---- random programs

RELATIONS = ("<", "<=", ">", ">=")
STATEMENTS = ("set", "if", "while", "max", "sort", "floor")


def statements(depth):
    below = (
        st.lists(st.deferred(lambda: statements(depth - 1)), max_size=2) if depth else st.just([])
    )
    name = st.integers(0, 3)
    number = st.floats(-2, 2).map(lambda v: round(v, 2))
    return st.one_of(
        st.tuples(st.just("set"), name, st.sampled_from("+-*s"), name, name),
        st.tuples(st.just("if"), name, st.sampled_from(RELATIONS), number, below, below),
        st.tuples(st.just("while"), name, st.sampled_from(RELATIONS), number, below),
        st.tuples(st.just("max"), name, name, name),
        st.tuples(st.just("sort")),
        st.tuples(st.just("floor"), name, name),
    )


def holds(a, relation, b, margins):
    margins.append(abs(float(a - b)) if isinstance(a - b, float) else 1.0)
    return {"<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b}[relation]


def run(program, x, margins):
    """A program of four variables; how near its decisions are goes into `margins`."""
    v = [x[0], x[1], x[0] * x[1], x[0] - x[1]]

    def follow(rows):
        for kind, *row in rows:
            if kind == "set":
                k, how, a, b = row
                p, q = v[a], v[b]
                v[k] = {"+": p + q, "-": p - q, "*": p * q, "s": np.sin(p) * q}[how]
            elif kind == "if":
                k, relation, c, yes, no = row
                follow(yes if holds(v[k], relation, c, margins) else no)
            elif kind == "while":
                k, relation, c, inside = row
                turns = 0
                while turns < 4 and holds(v[k], relation, c, margins):
                    v[k] = 0.7 * v[k] + 0.1
                    follow(inside)
                    turns += 1
            elif kind == "max":
                k, a, b = row
                holds(v[a], "<", v[b], margins)
                v[k] = max(v[a], v[b]) + min(v[a], 0.5 * v[b])
                holds(v[a], "<", 0.5 * v[b], margins)
            elif kind == "sort":
                v[:] = sorted(v)
                for a, b in zip(v, v[1:], strict=False):
                    holds(a, "<", b, margins)
            else:
                k, a = row
                part = v[a] - np.floor(v[a])
                holds(part, "<", 0.0, margins)
                holds(part, "<", 1.0, margins)
                v[k] = v[a] * int(np.floor(v[a]))

    follow(program)
    return v[0] + 2 * v[1] + 3 * v[2] + 4 * v[3]


POINTS = [(0.3, 0.8), (-0.7, 0.4), (1.3, -1.1), (0.31, 0.8), (-1.7, -0.6)]


def taken(f):
    """The answers of each path, and how often it was taken."""
    return {tuple(g.answer for g in path.guards): path.taken for path in f.paths}


@given(st.lists(statements(2), min_size=1, max_size=6))
@settings(max_examples=draws(60), deadline=None)
def test_random_programs(program):
    """Values and gradients are autograd's, and each call takes the path of a fresh trace."""
    theirs = with_numpy(run, anp)
    f = lambda x: run(program, x, [])
    ours = ad.value_and_grad(f)
    for point in [*POINTS, *POINTS[::-1]]:
        margins, x = [], np.array(point)
        value = run(program, x, margins)
        if min(margins, default=1.0) < 1e-6 or not abs(value) < 1e6:
            continue
        before = taken(ours)
        found, slope = ours(x)
        np.testing.assert_allclose(found, value, rtol=1e-7, atol=1e-7)
        wanted = slope_of(lambda x: theirs(program, x, []), x)
        np.testing.assert_allclose(slope, wanted, rtol=1e-7, atol=1e-7)
        (path,) = [a for a, n in taken(ours).items() if n != before.get(a, 0)]
        assert path == tuple(g.answer for g in formula_at(f, (x,))[2])


@given(st.lists(statements(1), min_size=1, max_size=4))
@settings(max_examples=draws(30), deadline=None)
def test_random_programs_over_many_examples(program):
    """Each group of examples is a program; as expressions, the groups are parts of one."""
    f = lambda x: run(program, x, [])
    rows = np.array([*POINTS, *POINTS[2:]])
    margins = []
    wanted = [run(program, x, margins) for x in rows]
    assume(min(margins, default=1.0) > 1e-6 and np.all(np.abs(wanted) < 1e6))
    np.testing.assert_allclose(ad.vectorize(f)(rows), wanted, rtol=1e-7, atol=1e-7)
    slopes = np.array([ad.grad(f)(x) for x in rows])
    np.testing.assert_allclose(ad.vectorize(ad.grad(f))(rows), slopes, rtol=1e-7, atol=1e-7)
    total = ad.grad(lambda rows: np.sum(ad.vectorize(f)(rows)))
    for some in (rows, rows[::-1], rows):
        np.testing.assert_allclose(total(some), slopes[:: 1 if some is rows else -1], atol=1e-6)


# ---- what Python asks


@pytest.mark.each(
    "f, points",
    depth.some(
        [
            (lambda x: x * x if x else 3 * x, [2.0]),
            (lambda x: x * 2 if not x < 1 else x * x, [2.0, 0.5]),
            (lambda x: x**3 if 0 < x < 1 else x, [0.5, 2.0, -1.0]),
            (lambda x: x * x if x > 0 and x < 3 or x > 10 else -x, [2.0, -2.0, 5.0, 11.0]),
            (lambda x: max(x, 2 * x, -x) + min(x, x * x), [0.5, -0.5, 3.0]),
            (lambda x: sorted([x, 2.0, x * x], reverse=True)[1], [0.5, 1.5, 3.0]),
            (lambda x: x * [1.0, 2.0, 3.0][int(np.floor(x))], [0.5, 1.5, 2.5]),
            (lambda x: x * np.array([1.0, 2.0, 3.0])[np.floor(x).astype(int)], [0.5, 1.5, 2.5]),
            (lambda x: sum(x**k for k in range(int(np.ceil(x)))), [0.5, 1.5, 2.5]),
            (lambda x: x ** {"1": 2, "2": 3}[f"{np.floor(x).astype(int)}"], [1.5, 2.5]),
            (lambda x: x * math.floor(x) + x * x * math.ceil(x) + math.trunc(x), [1.5, -2.5]),
            (lambda x: x * (2 if np.round(x) in [1, 3] else 5), [1.1, 2.2, 3.1]),
            (lambda x: x * (2 if 1.0 in np.stack([x, np.round(x)]) else 5), [1.1, 2.2]),
            (lambda x: x[0] * np.argmax(x).__index__() + x[1], [[1.0, 2.0], [2.0, 1.0]]),
            (lambda x: x[0] if (x[:1] > 0) else x[1] ** 2, [[1.0, 2.0], [-2.0, 1.0]]),
            (lambda x: x[np.argsort(x)[0]] * len(x), [[1.0, 2.0], [2.0, 1.0]]),
            (lambda x: x * x if np.isclose(x, 2.0) else -x, [2.0, 1.0]),
            (lambda x: x[0] ** 2 if (x > 0).all() else x[1] ** 2, [[1.0, 2.0], [-2.0, 1.0]]),
            (lambda x: x * x if bool(x > 1) is True else x, [2.0, 0.5]),
        ],
        3,
    ),
)
def test_what_python_asks_is_answered(f, points):
    slope, wanted = ad.value_and_grad(f), lambda x: (f(x), numerical(f, x))
    for point in [*points, *points[::-1]]:
        x = np.array(point) if isinstance(point, list) else np.float64(point)
        for found, right in zip(slope(x), wanted(x), strict=True):
            np.testing.assert_allclose(found, right, rtol=1e-6, atol=1e-6)
    assert len(slope.paths) <= len(points)


def numerical(f, x):
    steps = 1e-6 * (np.eye(x.size) if x.ndim else np.array([1.0]))
    found = [(f(x + h) - f(x - h)) / 2e-6 for h in steps]
    return np.array(found) if x.ndim else found[0]


@pytest.mark.each(
    "f", [float, math.sin, lambda x: x.item(), complex, lambda x: f"{x:.3f}", lambda x: [1][x]]
)
def test_what_would_cut_the_derivative_is_refused(f):
    with pytest.raises(TypeError, match="Write"):
        ad.grad(lambda x: f(x) * x)(2.0)


def test_several_entries_have_no_truth():
    with pytest.raises(ValueError, match=r"more than one element.*x > 0.*test_branches"):
        ad.grad(lambda x: np.sum(x) if x > 0 else x[0])(np.ones(2))


def test_symbols_have_no_truth():
    x = ad.scalar("x")
    for ask in (bool, int, math.floor, lambda x: 1 in ad.stack([x]), lambda x: [1, 2][x]):
        with pytest.raises(TypeError, match="Write"):
            ask(x)
    with pytest.raises(TypeError, match="ad.where"):
        ad.grad(lambda x: x if x > 0 else -x)(x)
    assert f"{x}" == "x"


def boxed_product(x, n):
    u, k = ad.scalar("u"), ad.scalar("k", dtype="int64")
    return ad.OpFromGraph([u, k], u * k)(x, n)


def product_on_one_side(x, n):
    return ad.cond(x > 0, lambda: x * n, lambda: x)


def product_in_a_loop(x, n):
    step = lambda s: ad.cond(s > 0, lambda: s + n * x, lambda: s)
    return ad.scan(step, outputs_info=x, n_steps=1)[-1] - x


@pytest.mark.each("f", [boxed_product, product_on_one_side, product_in_a_loop])
def test_the_words_of_the_house_ask_for_no_number(f):
    """One path is right for all whole numbers, where only what builds the graph writes them."""
    slope = ad.grad(f)
    assert [slope(2.0, np.array(n)) for n in (3, 4, 5)] == [3.0, 4.0, 5.0]
    assert len(slope.paths) == 1
    named = ad.grad(lambda x, n: x * {"3": 3, "4": 4}[f"{n}"])
    assert [named(2.0, np.array(n)) for n in (3, 4)] == [3.0, 4.0]
    assert len(named.paths) == 2


def test_draws_of_a_side_within_a_loop():
    """The step, a whole number without a value, is handed to the side that draws."""
    rng = ad.RandomStream(0)
    step = lambda s: ad.cond(s > 0, lambda: rng.normal(s), lambda: s)
    slope = ad.grad(lambda x: ad.scan(step, outputs_info=x, n_steps=1)[-1])
    assert slope(1.0) == 1.0


def test_steps_of_loops_and_boxes_say_what_to_write():
    step = lambda h: h / 2 if h > 1 else h
    with pytest.raises(TypeError, match=r"ad.where.*ad.until"):
        ad.grad(lambda x: ad.scan(step, outputs_info=x, n_steps=3)[-1])(2.0)
    box = ad.checkpoint(lambda h: h / 2 if h > 1 else h)
    with pytest.raises(TypeError, match=r"ad.where"):
        ad.grad(lambda x: box(x))(2.0)


def test_a_loop_may_branch_on_what_is_outside_its_step():
    f = lambda x: ad.scan(lambda h: h * x if x > 0 else h - x, outputs_info=x, n_steps=3)[-1]
    slope = ad.grad(f)
    np.testing.assert_allclose([slope(2.0), slope(-2.0)], [4 * 2.0**3, -2.0])


# ---- what is kept


def test_a_path_is_traced_once():
    count = []

    def f(x):
        print("traced")
        return x * x if x > 0 else -x

    def counted(x):
        count.append(1)
        return f(x)

    slope = ad.grad(f)
    for x in (1.0, 2.0, -1.0, 3.0, -2.0):
        slope(x)
    assert [path.taken for path in slope.paths] == [3, 2]


def test_a_thousand_paths_are_bounded_and_the_most_used_stay():
    def bits(x):
        y = 0.0 * x[0]
        for k in range(10):
            y = y + (x[k] * k if x[k] > 0 else x[k])
        return y

    slope, rng = ad.grad(bits), np.random.default_rng(0)
    for _ in range(3):
        slope(np.ones(10))
    calls = 120 if is_short() else 200
    for _ in range(calls):
        slope(rng.normal(size=10))
    assert len(slope.paths) == 64
    assert max(path.taken for path in slope.paths) >= 3
    assert slope.paths.dropped > calls - 120 and "dropped" in repr(slope.paths)
    np.testing.assert_array_equal(slope(np.ones(10)), np.arange(10))


def test_an_error_leaves_no_path():
    def f(x):
        y = x * x
        assert x > 0, "only for positive numbers"
        return y if x < 2 else y[0]

    slope = ad.grad(f)
    assert slope(1.0) == 2.0
    for x, error in ((-1.0, AssertionError), (3.0, Exception)):
        with pytest.raises(error):
            slope(x)
    assert len(slope.paths) == 1 and slope(1.5) == 3.0
    with pytest.raises(TypeError):
        bool(ad.scalar("x") > 0)


def test_threads_take_their_own_paths():
    slope, wrong = ad.grad(lambda x: x**3 if x > 0 else (x**2 if x > -5 else -x)), []

    def work(seed):
        for x in np.random.default_rng(seed).normal(scale=6, size=50):
            wanted = 3 * x**2 if x > 0 else (2 * x if x > -5 else -1.0)
            if not np.isclose(slope(float(x)), wanted):
                wrong.append(x)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == [] and len(slope.paths) == 3


def test_a_function_may_call_its_own_derivative_while_it_is_traced():
    def f(x, n=2):
        if n == 0:
            return x * x if x > 1 else x
        return ad.grad(f)(x, n - 1) * x if x > 1 else f(x, n - 1)

    slope = ad.grad(f)
    wanted = {3.0: 12.0, 0.5: 1.0}  # x·(x·(x²)')' = 4x²·…: (2x)·x = 2x², its slope 4x
    assert slope(3.0, 1) == wanted[3.0] and slope(0.5) == wanted[0.5]


def test_guards_on_shared_values_are_read_at_each_call():
    w = ad.shared(1.0, "w")
    slope = ad.grad(lambda x: x * w if w > 0 else x * x)
    found = []
    for value in (2.0, -1.0, 3.0):
        w.set_value(value)
        found.append(slope(5.0))
    assert found == [2.0, 10.0, 3.0]


def test_an_answer_near_a_boundary_may_round_otherwise_in_a_program():
    """The trace counts: the call ends, and its result is that of one of the two paths."""
    f = lambda x: x if np.exp(np.log(x)) > x else -x
    slope = ad.grad(f)
    for x in np.random.default_rng(1).uniform(0.1, 10, 100):
        assert slope(float(x)) in (1.0, -1.0)


@pytest.mark.each(
    "f",
    [
        lambda x: 2 * x if (x * 3) / 3 == x else 3 * x,
        lambda x: 2 * x if (x + 1e16) - 1e16 == x else 3 * x,
        lambda x: 2 * x if x * x / x == x else 3 * x,
        lambda x: 2 * x if (x - 1) + 1 <= x else 3 * x,
        lambda x: 2 * x if np.sqrt(x) * np.sqrt(x) == x else 3 * x,
    ],
)
def test_a_question_about_rounding_is_asked_as_it_was_written(f):
    value = ad.value_and_grad(f)
    for x in [2.0, 0.1, 1.0, 0.3, *np.random.default_rng(0).uniform(0, 3, 30)]:
        x = float(x)
        np.testing.assert_allclose(value(x), (f(x), round(f(x) / x)), rtol=1e-12)


def test_every_argument_that_decides_may_be_missing_on_a_path():
    median = lambda a, b, c: sorted([a, b, c])[1]
    assert ad.grad(median, argnums=(0, 1, 2))(3.0, 1.0, 2.0) == (0.0, 0.0, 1.0)
    turn = lambda x: x[1] / x[0] if x[0] != 0 else 0.25 * np.sign(x[1])
    assert ad.grad(turn)(np.array([0.0, 2.0])).tolist() == [0.0, 0.0]


def test_a_path_without_an_argument_has_the_slope_zero():
    tax = lambda income, rate: 0.0 if income < 100 else rate * (income - 100)
    assert ad.grad(tax)(50.0, 0.2) == 0.0 and ad.grad(tax)(150.0, 0.2) == 0.2
    assert ad.value_and_grad(tax)(50.0, 0.2) == (0.0, 0.0)
    assert ad.grad(tax, argnums=1)(50.0, 0.2) == 0.0
    with pytest.raises(ad.DisconnectedInputError):
        ad.grad(tax, argnums=1, disconnected_inputs="raise")(50.0, 0.2)


def test_a_pipeline_follows_the_path_of_its_example():
    f = lambda x: x**3 if x > 0 else -x
    up, down = ad.pipeline(f, 2.0), ad.pipeline(f, -2.0)
    assert up["generate"].after(2.0) == 12.0
    assert down["generate"].after(-2.0) == -1.0


def test_vectorize_puts_paths_of_different_forms_together_or_says_why_not():
    with pytest.raises(ad.ShapeError, match="different paths"):
        ad.vectorize(lambda x: x if x[0] > 0 else x[:1])(np.array([[1.0, 2], [-1, 2]]))
    found = ad.vectorize(lambda x, p: (x if x > p else p, {"n": 1.0}), in_axes=(0, None))
    first, rest = found(np.array([1.0, 5.0, 2.0]), 3.0)
    assert first.tolist() == [3.0, 5.0, 3.0] and rest["n"].tolist() == [1.0] * 3
    assert ad.vectorize(lambda x: x if x > 0 else -x)(np.array([-1.0, 2.0])).tolist() == [1, 2]


def test_a_question_that_only_some_examples_can_answer():
    """Batched, it would fail for the others: it is asked of those that come so far."""
    table = np.array([1.0, 2.0, 3.0])

    def f(x):
        k = np.floor(x).astype(int)
        if k < 3:
            return x * 2 if ad.array(table)[k] > 1.5 else x
        return x * x

    xs = np.array([0.5, 1.5, 7.5, 2.5])
    assert ad.vectorize(f)(xs).tolist() == [0.5, 3.0, 56.25, 5.0]


# ---- questions that have no answer


def cut(x):
    try:
        k = int(x)
    except ValueError:  # of nan
        k = 0
    return x * k


def entry(x, i):
    try:
        if x[i] > 0:
            return np.sum(x)
    except IndexError:
        return 100 * np.sum(x)
    return 2 * np.sum(x)


def test_a_function_may_catch_what_a_question_raises():
    """No guard can tell of it: such a path is not taken again."""
    for numbers in ([np.nan, 3.7, np.nan, 2.5], [3.7, np.nan, 3.2, np.inf]):
        value = ad.value_and_grad(cut)
        for x in numbers[:3]:
            assert np.isclose(value(x)[0], cut(x), equal_nan=True)
    xs = np.array([np.nan, 3.7, 2.5, np.nan])
    np.testing.assert_allclose(ad.vectorize(cut)(xs), [cut(x) for x in xs])
    total = ad.value_and_grad(lambda xs: np.sum(ad.vectorize(cut)(xs)))
    for some in (xs[1:3], xs, xs[1:3]):
        assert np.isclose(total(some)[0], sum(map(cut, some)), equal_nan=True)
    value, x = ad.value_and_grad(entry), np.array([1.0, -2.0])
    for i in (5, 0, 1, 5, 0):
        assert value(x, np.array(i))[0] == entry(x, i)
    with pytest.raises(IndexError):
        ad.grad(lambda x, i: x[i] if x[i] > 0 else -x[i])(x, np.array(5))


def test_later_questions_are_asked_of_those_that_are_left():
    f = lambda x, i: (x[i] if x[i] > 0 else -x[i]) if i < 2 else np.sum(x)
    rows, places = np.array([[1.0, -2], [3, -4], [-1, -2]]), np.array([0, 1, 5])
    assert ad.vectorize(f)(rows, places).tolist() == [1, 4, -3]
    slope = ad.grad(lambda rows: np.sum(ad.vectorize(f)(rows, places)))
    assert slope(rows).tolist() == [[1, 0], [0, -1], [1, 1]]


def test_vectorize_within_vectorize_over_whole_numbers_and_rows():
    f = lambda x: x**2 if x > 0 else -x
    rows = np.array([[1.0, -2], [3, 4], [-1, -2]])
    both, wanted = ad.vectorize(ad.vectorize(f)), np.where(rows > 0, rows**2, -rows)
    slopes = np.where(rows > 0, 2 * rows, -1)
    for some in (slice(None), slice(None, None, -1), slice(1)):
        np.testing.assert_array_equal(both(rows[some]), wanted[some])
        total = ad.grad(lambda rows: np.sum(both(rows)))
        np.testing.assert_array_equal(total(rows[some]), slopes[some])
        each = ad.vectorize(ad.grad(lambda row: np.sum(ad.vectorize(f)(row))))
        np.testing.assert_array_equal(each(rows[some]), slopes[some])
    assert ad.vectorize(lambda i: i * 2 if i > 0 else -i)(np.array([1, -2])).tolist() == [2, 2]
    with pytest.raises(ValueError, match="first axis"):
        ad.vectorize(np.sum, in_axes=1)(rows)
