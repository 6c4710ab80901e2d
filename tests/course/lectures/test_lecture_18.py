"""Products, index sets, colours, matrices read off, and Newton uphill: what the checks say."""

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu import course
from autodiff_edu.course.lectures.lecture_18 import (
    arrow,
    at_most,
    index_sets,
    known,
    random_pattern,
)
from autodiff_edu.structure.coloring import column_colors
from autodiff_edu.structure.entries import sparse
from tests.course.mutants.mutants_18 import MUTANTS
from tests.helpers.depth import draws, some
from tests.helpers.students import own


def rosenbrock(x):
    return ad.sum(100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2)


def draw(rng):
    n = rng.integers(2, 7)
    return rng.normal(size=n), rng.normal(size=n)


def product(x, p):
    u, v, du, dv = x[:-1], x[1:], p[:-1], p[1:]
    out = np.zeros(len(x))
    out[:-1] += (1200 * u**2 - 400 * v + 2) * du - 400 * u * dv
    out[1:] += 200 * dv - 400 * u * du
    return out


def test_products_with_a_hessian():
    """SYLLABUS 18: H(-1.2, 1) = [[1330, 480], [480, 200]]."""
    point, known = np.array([-1.2, 1.0]), np.array([[1330.0, 480.0], [480.0, 200.0]])
    np.testing.assert_allclose([product(point, p) for p in np.eye(2)], known, rtol=1e-12)
    examples = [(point, p) for p in np.eye(2)]
    course.check_hessian_product(product, rosenbrock, draw, examples=examples)
    with pytest.raises(course.Wrong, match=r"the value at \[0\] differs\n  got ") as caught:
        course.check_hessian_product(lambda x, p: p, rosenbrock, draw, examples=examples)
    assert "expected" not in str(caught.value)  # found at a fixed input
    with pytest.raises(course.Wrong, match="the engine was called"):
        course.check_hessian_product(lambda x, p: ad.sum(x), rosenbrock, draw)


def test_there_is_no_room_for_the_matrix():
    def dense(x, p):
        n = len(x)
        return np.stack([product(x, e) for e in np.eye(n)]) @ p

    with course.limited(seconds=5), pytest.raises(course.Wrong):
        course.check_hessian_product(dense, rosenbrock, draw)


def test_any_function():
    """Its Hessian may be dense."""
    course.check_hessian_product(
        lambda x, p: 2 * p * np.sum(x * x) + 4 * x * np.sum(x * p),
        lambda x: ad.sum(x * x) ** 2 / 2,
        draw,
    )


OPERATIONS = {"+": ad.add, "*": ad.multiply, "sin": ad.sin, "exp": ad.exp, "floor": ad.floor,
              "sign": ad.sign}  # fmt: skip


def test_index_sets_are_those_of_the_engine():
    """Random programs: what the checker calls right is what `ad.sparsity` finds."""
    rng = np.random.default_rng(0)
    for _ in range(10):
        n, program = 3, []
        for end in range(n, n + 6):
            name = str(rng.choice(list(OPERATIONS)))
            count = 2 if name in "+*" else 1
            program.append((name, *rng.integers(0, end, count).tolist()))
        x = ad.vector("x", shape=n)
        values = [x[k] for k in range(n)]
        for name, *places in program:
            values.append(OPERATIONS[name](*(values[k] for k in places)))
        pattern = ad.sparsity(ad.stack(values), x).matrix.toarray()
        assert [set(np.flatnonzero(row)) for row in pattern] == index_sets(n, program)


SETS = {
    "a list of sets": lambda n, program: None,
    "a set for each value, inputs too": lambda n, program: own(index_sets)(n, program)[n:],
    r"the set of value \d is too large": lambda n, p: own(index_sets)(
        n, [("*", *r[1:]) for r in p]
    ),
    "the set of value 0 is too small": lambda n, program: [set() for _ in range(n + len(program))],
}


@pytest.mark.each("words", SETS)
def test_index_sets_that_are_wrong(words):
    course.check_index_sets(index_sets)
    with pytest.raises(course.Wrong, match=words) as caught:
        course.check_index_sets(SETS[words])
    assert ("expected" in str(caught.value)) == words.startswith("the")  # of a random program


def greedy(pattern):
    """By plain NumPy, as a student would."""
    colors = []
    for column in pattern.T:
        taken = {c for c, other in zip(colors, pattern.T, strict=False) if (column * other).any()}
        colors.append(next(c for c in range(len(taken) + 1) if c not in taken))
    return colors


def test_colors():
    course.check_coloring(greedy, trials=draws(100))
    for pattern, least in known():
        found = column_colors(sparse.csr_array(pattern)).tolist()
        assert max(greedy(pattern)) == max(found) == least - 1  # SYLLABUS 18
    wrong = {
        r"columns 0 and 1 share row 0\n  needed    two colours": lambda p: [0] * p.shape[1],
        r"too many colours\n  needed    at most 3 colours": lambda p: list(range(p.shape[1])),
        "one colour for each column": lambda p: max(greedy(p)) + 1,
        "a whole number, from 0 on": lambda p: [c - 1 for c in greedy(p)],
    }
    for words, answer in wrong.items():
        with pytest.raises(course.Wrong, match=words):
            course.check_coloring(answer)


def test_the_bound_is_met_by_first_free_colours_in_any_order():
    rng = np.random.default_rng(1)
    for _ in range(draws(50)):
        pattern = random_pattern(rng)
        order = rng.permutation(pattern.shape[1])
        assert max(greedy(pattern[:, order]), default=0) + 1 <= at_most(pattern)
    assert at_most(arrow(5)) == 5


def read_off(push, pattern, colors):
    seeds = np.eye(max(colors) + 1)[:, colors]
    return sum(pattern * seed * push(seed)[:, None] for seed in seeds)


def test_matrices_read_off():
    course.check_compressed(read_off, trials=draws(100))

    def column_by_column(push, pattern, colors):
        return np.stack([push(e) for e in np.eye(len(colors))], axis=1)

    with pytest.raises(course.Wrong, match=r"needed    3 calls of push\n  got       7 calls"):
        course.check_compressed(column_by_column)
    with pytest.raises(course.Wrong, match=r"the value at \[0, 3\] differs"):
        course.check_compressed(lambda push, p, c: read_off(push, p**0, c))
    with pytest.raises(course.Wrong, match="takes one array of length 7"):
        course.check_compressed(lambda push, p, c: push(0))


UPHILL = {
    "two finite numbers": [None, "up", (np.nan, 1.0), [1.0, 2.0, 3.0]],
    "a gradient that is not zero": [(1.0, 1.0)],
    "a Hessian with an inverse": [(0.0, 0.005)],
    "the step leads down": [(-1.2, 1.0), (0.0, 0.0), (0.25, 4.0)],
}


def test_uphill():
    course.check_uphill(lambda: (-1.0, 1.05), rosenbrock)
    for words, points in UPHILL.items():
        for point in points:
            with pytest.raises(course.Wrong, match=words):
                course.check_uphill(lambda p=point: p, rosenbrock)


CHECKS = {
    "product": ("rosenbrock_product",
                lambda f, seed: course.check_hessian_product(f, rosenbrock, draw, seed=seed)),
    "sets": ("index_sets", lambda f, seed: course.check_index_sets(f, seed=seed)),
    "colors": ("colors_of", lambda f, seed: course.check_coloring(f, seed=seed)),
    "read": ("read_off", lambda f, seed: course.check_compressed(f, seed=seed)),
}  # fmt: skip


@pytest.mark.each("task", CHECKS)
def test_what_is_wrong_falls_at_every_draw(task):
    name, check = CHECKS[task]
    for text in some(MUTANTS[task], 5):
        space = {"np": np}
        exec(text, space)
        for seed in range(draws(3)):
            with course.limited(seconds=5), pytest.raises(course.Wrong):
                check(space[name], seed)


@pytest.mark.each("check", [
    lambda f: course.check_hessian_product(f, rosenbrock, draw), course.check_index_sets,
    course.check_coloring, course.check_compressed, lambda f: course.check_uphill(f, rosenbrock),
])  # fmt: skip
def test_what_is_not_written_is_unsolved(check):
    def nothing(*args):
        raise NotImplementedError

    with pytest.raises(course.Unsolved):
        check(nothing)
