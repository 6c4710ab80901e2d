"""Bytes in use, reuse of arrays, blocks, exact counts: what checks say, and that it is right."""

from math import prod

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu import course
from autodiff_edu.course.lectures.lecture_19 import counts, drawn_counts, drawn_lives, peak
from autodiff_edu.course.lectures.more.lecture_19_reuse import drawn_lines, fewest_arrays, played
from tests.course.mutants.mutants_19 import MUTANTS
from tests.course.test_exercises import EXERCISES, SOLUTION, cells
from tests.helpers.depth import draws, some

NOTEBOOK = EXERCISES / "19_from_graph_to_program.ipynb"
CHECKS = {
    "peak": course.check_peak,
    "reuse": course.check_reuse,
    "counts": course.check_counts_of_lines,
}


def whole(x):
    return np.exp(np.sin(x)) * np.tanh(x) + 1


def function_of(source, name):
    space = {"np": np, "whole": whole}
    exec(source, space)
    return space[name]


def solution(name):
    return function_of(cells(NOTEBOOK)[name], name)


# ---- bytes in use


def simulated(lines, results):
    """The peak by a shelf from which arrays are thrown away one by one."""
    shelf, most = {}, 0
    for k, (name, _, size) in enumerate(lines):
        shelf[name] = size
        most = max(most, sum(shelf.values()))
        later = {r for _, reads, _ in lines[k + 1 :] for r in reads} | set(results)
        shelf = {n: s for n, s in shelf.items() if n in later}
    return most


@pytest.mark.each("seed", range(draws(50)))
def test_the_peak_is_that_of_a_shelf(seed):
    lines, results = drawn_lives(np.random.default_rng(seed))
    assert peak(lines, results) == simulated(lines, results)


def test_a_plan_has_this_peak():
    """A chain whose arrays are all kept: that of the engine counts them as we do."""
    x = ad.matrix("x", shape=(3, 3))
    a, b = ad.exp(x), ad.sin(x)
    plan = ad.plan(ad.Graph([a @ b, a, b])).after
    lines = [(str(n), tuple(map(str, n.inputs)), 72) for n in plan.order]
    assert peak(lines, [str(o) for o in plan.graph.outputs]) == 72 * plan.peak


# ---- what may be overwritten


def least_by_search(lines, results, values):
    """The fewest new arrays of all ways to overwrite operands that leave the values as they are."""
    ways = [[]]
    for _, operation, reads in lines:
        free = [None] if operation == "transpose" else [None, *dict.fromkeys(reads)]
        ways = [[*way, target] for way in ways for target in free]
    plain, _ = played(lines, values, [None] * len(lines))
    names = [name for name, _, _ in lines]
    found = []
    for way in ways:
        if any(target in values for target in way):
            continue
        computed, arrays = played(lines, values, way)
        kept = {**values, **{r: plain[names.index(r)] for r in results}}
        same = all(np.array_equal(a, b) for a, b in zip(plain, computed, strict=True))
        if same and all(np.array_equal(arrays[n], v) for n, v in kept.items()):
            found.append(way.count(None) - sum(line[1] == "transpose" for line in lines))
    return min(found)


@pytest.mark.each("seed", range(draws(20)))
def test_no_other_way_makes_fewer_arrays(seed):
    rng = np.random.default_rng(seed)
    lines, results = drawn_lines(rng)
    lines = lines[:5]
    results = tuple(r for r in results if r in [line[0] for line in lines]) or (lines[-1][0],)
    values = dict(zip("xy", rng.normal(size=(2, 3, 3)), strict=True))
    assert fewest_arrays(lines, results) == least_by_search(lines, results, values)


@pytest.mark.each(
    "answer, why",
    [
        (lambda lines, results: None, "one entry for each line"),
        (lambda lines, results: ["z"] * len(lines), "it overwrites one of its operands, or None"),
        (lambda lines, results: [3] * len(lines), "it overwrites one of its operands, or None"),
        (lambda lines, results: ["x"] * len(lines), "an input belongs to the caller"),
        (
            lambda lines, results: [None] * len(lines),
            r"an array is made that need not be\n.*needed",
        ),
    ],
)
def test_what_is_said_of_reuse(answer, why):
    with pytest.raises(course.Wrong, match=why):
        course.check_reuse(answer)


# ---- blocks


def test_blocks_take_little_memory():
    def right(x, size):
        y = np.empty_like(x)
        for k in range(0, len(x), size):
            y[k : k + size] = whole(x[k : k + size])
        return y

    course.check_blocks(right, whole, seed=0)
    with pytest.raises(course.Wrong, match=r"(?s)more memory than.*at most 1680000.*at   "):
        course.check_blocks(lambda x, size: whole(x), whole)
    with pytest.raises(course.Wrong, match=r"the shape must be"):
        course.check_blocks(lambda x, size: right(x, size)[:-1], whole)


# ---- counts

OPERATIONS = {
    "matmul": ad.dot,
    "add": ad.add,
    "multiply": ad.multiply,
    "tanh": ad.tanh,
    "transpose": ad.transpose,
    "sum": lambda x: ad.sum(x, axis=0),
}


@pytest.mark.each("seed", range(draws(20)))
def test_operations_are_counted_as_the_engine_does(seed):
    (lines,) = drawn_counts(np.random.default_rng(seed))
    for operation, shapes, result in lines:
        operands = [ad.tensor(f"x{k}", shape=s) for k, s in enumerate(shapes)]
        node = OPERATIONS[operation](*operands)
        flops, moved = counts([(operation, shapes, result)])
        assert node.type.shape == result and ad.cost(node).flops == flops
        values = [np.ones(s) for s in shapes]
        assert moved == (0 if operation == "transpose" else
                         sum(v.nbytes for v in values) + 8 * prod(result))  # fmt: skip


PRODUCT = [("matmul", ((100, 100), (100, 100)), (100, 100))]


@pytest.mark.each(
    "found, why",
    [
        (([], PRODUCT), "moves many more bytes"),
        ((PRODUCT, PRODUCT), "fewer floating point operations"),
        (([("add", ((3,), (4,)), (4,))], PRODUCT), "a line cannot be read"),
        (([("sum", ((3, 4),), (4, 3))], PRODUCT), "a line cannot be read"),
        (([("solve", ((3,),), (3,))], PRODUCT), "'solve' is not one of the operations"),
        (([("transpose", ((3, 4),), (3, 4))], PRODUCT), "a line cannot be read"),
        (([("tanh",)], PRODUCT), "a line cannot be read"),
        (7, "there are two programs"),
    ],
)
def test_misleading_programs(found, why):
    with pytest.raises(course.Wrong, match=why):
        course.check_misleading(lambda: found)


# ---- right and wrong at every draw


@pytest.mark.each("task", CHECKS)
@pytest.mark.each("seed", range(draws(5)))
def test_wrong_solutions_fall_at_every_draw(task, seed):
    CHECKS[task](solution(task), seed=seed)
    for mutant in some(MUTANTS[task], 4, turn=seed):
        with pytest.raises(course.Wrong):
            CHECKS[task](function_of(mutant, task), seed=seed)


@pytest.mark.each("seed", range(draws(3)))
def test_wrong_blocks_fall_at_every_draw(seed):
    course.check_blocks(solution_of_blocks(), whole, seed=seed)
    for mutant in some(MUTANTS["blocks"], 5, turn=seed):
        with pytest.raises(course.Wrong):
            course.check_blocks(function_of(mutant, "in_blocks"), whole, seed=seed)


def solution_of_blocks():
    assert SOLUTION.search(cells(NOTEBOOK)["blocks"])
    return function_of(cells(NOTEBOOK)["blocks"], "in_blocks")
