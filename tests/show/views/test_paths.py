"""The paths of a function: their tree, their table, the film of a call, and what they advise."""

import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu.show import Film, Picture, Table
from tests.helpers.depth import length


def tax(income):
    if income <= 10_000:
        return 0.0 * income
    if income <= 50_000:
        return 0.2 * (income - 10_000)
    return 8_000 + 0.4 * (income - 50_000)


def newton(a):
    x = a
    while abs(x * x - a) > 1e-9:
        x = (x + a / x) / 2
    return x


def quicksort(numbers):
    if len(numbers) <= 1:
        return numbers
    pivot, rest = numbers[0], numbers[1:]
    small = [x for x in rest if x < pivot]
    large = [x for x in rest if x >= pivot]
    return [*quicksort(small), pivot, *quicksort(large)]


def middle(a, b, c):
    return quicksort([a, b, c])[1] ** 2 + 0 * (a + b + c)


def called(f, *points):
    slope = ad.grad(f)
    for point in points:
        slope(*(point if isinstance(point, tuple) else (point,)))
    return slope


@pytest.fixture
def taxed():
    return called(tax, 5e3, 2e4, 3e4, 1e5)


def questions(picture):
    return re.findall(r"^(q\d+)  (?:question|summary)", picture.listing, re.MULTILINE)


def leaves(picture):
    return re.findall(r"^(p\d+)  (?:open box|summary)", picture.listing, re.MULTILINE)


# ---- the tree


def test_a_tree_has_a_question_for_each_fork_and_a_graph_at_each_leaf(taxed):
    picture = taxed.draw_paths()
    assert isinstance(picture, Picture)
    assert len(questions(picture)) == 2 and leaves(picture) == ["p0", "p1", "p2"]
    for line in ("q0 -> p0  [yes]", "q0 -> q1  [no]", "q1 -> p1  [yes]", "q1 -> p2  [no]",
                 "a0  input  income: float64", "p1  open box  path 1  [taken 2 times]",
                 "p2.n6  operation  +"):  # fmt: skip
        assert line in picture.listing
    ET.fromstring(picture.svg)
    assert "10_000:" in picture.svg and "&lt;= 10000" in picture.svg
    assert picture.alt.count("Inside path") == 3


def test_the_tree_is_the_same_however_it_is_asked_for(taxed):
    picture = taxed.draw_paths()
    assert picture == taxed.paths.draw() == ad.draw(taxed.paths)
    again = called(tax, 5e3, 2e4, 3e4, 1e5).draw_paths()
    assert again.dot == picture.dot and again.svg == picture.svg


def test_conditions_of_which_no_path_differs_stand_in_one_node():
    def f(x):
        total = x
        for k in range(40):
            if x < k:
                total = total + k
        return total if x > -1 else -total

    picture = called(f, -0.5, -2.0).draw_paths()
    assert len(questions(picture)) == 2 and len(leaves(picture)) == 2
    assert "asked 40 times: all yes" in picture.listing
    newtons = called(newton, 2.0, 3.0, 1e4, 1.0)
    tree, picture = newtons.paths.trees()[0].tree, newtons.draw_paths()
    assert len(tree.ways) == 2 and len(leaves(picture)) == len(newtons.paths) == 4
    assert sum(len(p.guards) for p in newtons.paths) > 2 * len(questions(picture))


@pytest.mark.parametrize("order", [(3, 1, 2), (1, 2, 3), (2, 3, 1)])
def test_every_way_from_the_root_to_a_leaf_is_a_path(order):
    points = [tuple(float(v) for v in np.roll([1, 2, 3], k)[list(np.argsort(order))])
              for k in range(3)]  # fmt: skip
    slope = called(middle, *points, (3.0, 2.0, 1.0), (2.0, 1.0, 3.0))
    ((_, paths, tree),) = slope.paths.trees()
    found, waiting = {}, [(tree, ())]
    while waiting:
        node, answers = waiting.pop()
        if hasattr(node, "ways"):
            before = tuple(g.answer for g in node.guards[:-1])
            waiting += [(way, (*answers, *before, a)) for a, way in node.ways.items()]
        else:
            found[answers] = node
    assert found == {p.answers: p for p in paths}
    assert sorted(leaves(slope.draw_paths())) == [f"p{k}" for k in range(len(paths))]


def test_each_kind_of_arguments_has_its_tree():
    def f(x, n):
        return np.sum(x**n) if x[0] > 0 else np.sum(x)

    slope = ad.grad(f)
    slope(np.ones(2), 2), slope(-np.ones(2), 2), slope(np.ones(3), 2), slope(np.ones(3), 3)
    picture = slope.draw_paths()
    assert re.findall(r"^a\d+  input  (.*)$", picture.listing, re.MULTILINE) == [
        "x: float64(2,), n = 2", "x: float64(3,), n = 2", "x: float64(3,), n = 3"
    ]  # fmt: skip
    assert slope.paths.table().columns[0] == "arguments"


def test_a_whole_number_is_an_edge():
    def f(x):
        return x ** int(x)

    picture = called(f, 3.5, 2.5, 1.5).draw_paths()
    edges = re.findall(r"^q0 -> p\d+  \[(.*)\]$", picture.listing, re.MULTILINE)
    assert edges == ["1", "2", "3"]


def test_many_examples_are_answered_together():
    slope = ad.grad(lambda x: np.sum(ad.vectorize(tax)(x)))
    slope(np.array([5e3, 2e4, 1e5])), slope(np.array([5e3, 6e3, 7e3]))
    picture = slope.draw_paths()
    assert "[yes, no, no]" in picture.listing and "[yes, yes, yes]" in picture.listing
    assert "yes, no, no" in repr(slope.paths.table())
    assert "yes, no, no" in slope.film_path(np.array([5e3, 2e4, 1e5])).captions[1]
    each = ad.vectorize(tax)
    each(np.array([5e3, 2e4, 1e5, 2e5]))
    assert [path.taken for path in each.paths] == [1, 1, 2]


def test_a_formula_too_large_is_text_with_names_for_what_is_used_again():
    picture = called(newton, 1e6).draw_paths()
    assert "path 0" in picture.listing and "p0.n0" not in picture.listing
    assert "v₁ = (a + (a / a)) / 2" in picture.listing and "…" in picture.listing


def test_of_many_paths_the_most_used_are_drawn():
    def f(x):
        return x * int(x)

    slope = called(f, *(k + 0.5 for k in range(40)), *(k + 0.5 for k in range(3, 33)))
    picture = slope.draw_paths()
    assert len(slope.paths) == 40 and len(leaves(picture)) == 32
    assert "… 8 more paths …" in picture.listing
    assert {path.taken for path in slope.paths} == {1, 2}
    drawn = {int(leaf[1:]) for leaf in leaves(picture)}
    assert all(k in drawn for k, path in enumerate(slope.paths) if path.taken == 2)


def test_text_of_users_is_data():
    source = "def f(x):\n    return x if x > 0 and '<b>&\"\\\\N' else -x\n"
    import linecache

    linecache.cache["<users>"] = len(source), None, source.splitlines(keepends=True), "<users>"
    space = {}
    exec(compile(source, "<users>", "exec"), space)
    slope = called(space["f"], 1.0, -1.0)
    ET.fromstring(slope.draw_paths().svg)
    assert "<b>&" in slope.draw_paths().listing
    assert "<b>" not in slope.paths._repr_mimebundle_()["text/html"]
    assert "&lt;b&gt;" in slope.paths._repr_mimebundle_()["text/html"]


def test_without_a_call_or_a_condition_there_is_still_a_picture():
    slope = ad.grad(lambda x: x * x)
    assert slope.draw_paths().listing == "" and len(slope.paths.table()) == 0
    assert repr(slope.paths) == "no path yet: call the function"
    slope(3.0)
    assert questions(slope.draw_paths()) == [] and leaves(slope.draw_paths()) == ["p0"]
    assert slope.paths.table()[0][2] == "no condition" and slope.paths.advice() == []


# ---- the table


def test_a_table_tells_the_line_the_numbers_the_answer_and_how_often(taxed):
    table = taxed.paths.table()
    assert isinstance(table, Table)
    assert table.columns == ("path", "taken", "line", "decided by", "answer", "formula")
    assert list(table) == [
        ("0", "1", "if income <= 10_000:", "income <= 10000: 5000 <= 10000", "yes", "0 * income"),
        ("1", "2", "if income <= 10_000:", "income <= 10000: 20000 <= 10000", "no",
         "0.2 * (income - 10000)"),
        ("", "", "if income <= 50_000:", "income <= 50000: 20000 <= 50000", "yes", ""),
        ("2", "1", "if income <= 10_000:", "income <= 10000: 100000 <= 10000", "no",
         "8000 + (0.4 * (income - 50000))"),
        ("", "", "if income <= 50_000:", "income <= 50000: 100000 <= 50000", "no", ""),
    ]  # fmt: skip


def test_a_notebook_shows_the_table_and_a_terminal_the_text(taxed):
    bundle = taxed.paths._repr_mimebundle_()
    assert bundle["text/plain"] == repr(taxed.paths) and "<table" in bundle["text/html"]
    assert "ad.where(income" in bundle["text/html"] and "ad.where(income" in bundle["text/plain"]
    assert "income <= 10000 is False (20000 <= 10000)" in bundle["text/plain"]
    assert "path taken 2 times: 0.2 * (income - 10000)" in bundle["text/plain"]


def test_a_loop_is_told_in_a_few_rows():
    paths = called(newton, 1e8).paths
    assert len(paths[0].guards) > 10 and len(paths.table()) == 2
    words = f"{len(paths[0].guards) - 1} times: 1e+16 > 1e-09 … "
    assert paths.table()[0][3].startswith(words)
    assert len(repr(paths).splitlines()) < 7 and "times more, the last of them" in repr(paths)


# ---- the film of a call


def test_a_film_has_a_frame_for_each_condition():
    slope = ad.grad(tax)
    film = slope.film_path(3e4)
    assert isinstance(film, Film) and film.captions == (
        "called with income = 30000",
        "`if income <= 10_000:` 30000 <= 10000: no",
        "`if income <= 50_000:` 30000 <= 50000: yes",
        "returns result = 4000",
    )
    assert len(slope.paths) == 0  # a film is no call


def drawn(picture):
    """The nodes that are seen, and those that are new."""
    nodes = re.findall(r"^(n\d+)  \w+  .*$", picture.listing, re.MULTILINE)
    new = re.findall(r"^(n\d+)  .*[\[ ]new\]$", picture.listing, re.MULTILINE)
    return set(nodes), set(new)


def test_the_graph_grows_by_what_was_built_since_the_last_question():
    def f(x):
        y = ad.exp(x)
        if x > 0:
            y = ad.sin(y)
        if x > 1:
            return y
        return 2 * y

    film = ad.value_and_grad(f).film_path(0.5)
    shown = [drawn(frame) for frame in film]
    for (before, _), (after, new) in zip(shown, shown[1:]):
        assert before < after and new <= after - before
    assert "exp" in film[1].listing and "sin" not in film[1].listing  # built before it was needed
    assert "sin" in film[2].listing and "×" not in film[2].listing and "×" in film[3].listing
    assert [frame.listing.count("  output  ") for frame in film] == [0, 1, 2, 3]
    assert "= 0.997" in film[2].listing  # sin(exp(0.5))
    assert len({frame.svg.partition("viewBox")[2][:40] for frame in film}) == 1  # nothing moves


def test_a_film_of_a_loop_grows_by_one_step_a_frame():
    film = ad.grad(newton).film_path(2.0)
    grown = [len(after - before) for (before, _), (after, _) in
             zip([drawn(f) for f in film], [drawn(f) for f in film][1:])]  # fmt: skip
    assert len(set(grown[1:-1])) == 1 and grown[-1] == 0
    assert film.captions[-1] == "returns result = 1.41421"


def test_a_film_of_a_long_loop_leaves_repetitions_out():
    def f(x):
        n = 0
        while x > n:
            n += 1
        return n * x

    film = ad.grad(f).film_path(199.5)
    assert len(film) == 2 + 3 + 1 + 1
    assert film.captions[4] == "196 times more alike, then `while x > n:` 199.5 > 199: yes"
    assert film.captions[5] == "`while x > n:` 199.5 > 200: no"


def test_a_film_of_a_derivative_of_a_derivative_shows_the_function():
    second = ad.grad(ad.grad(lambda x: x**3 if x > 0 else x))
    film = second.film_path(2.0)
    assert film.captions[1].endswith("2 > 0: yes") and len(film) == 3


def test_a_film_works_with_keywords_and_containers():
    def loss(parameters, scale=1.0):
        return scale * parameters["w"] if parameters["w"] > 0 else parameters["b"]

    film = ad.grad(loss, disconnected_inputs="ignore").film_path({"w": 2.0, "b": 3.0}, scale=5.0)
    assert film.captions[0] == "called with w = 2, b = 3, scale = 5"
    assert film.captions[-1] == "returns result = 10"


# ---- advice


def test_a_branch_with_results_of_one_type_could_be_a_where(taxed):
    first, second = taxed.paths.advice()
    assert "`if income <= 10_000:`" in first and "ad.where(income <= 10000, a, b)" in first
    assert "ad.cond(income <= 50000, a, b)" in second and "test_paths.py:" in second


def test_a_branch_with_other_questions_later_could_not():
    def f(x):
        if x > 0:
            return x if x > 1 else 2 * x
        return -x

    advice = called(f, 0.5, -1.0).paths.advice()
    assert advice == []  # what is below x > 0 has not all been seen
    assert len(called(f, 0.5, -1.0, 2.0).paths.advice()) == 2


def test_a_branch_with_results_of_several_types_could_not():
    def f(x):
        return x[:1] if x[0] > 0 else x

    slope = ad.jacobian(f)
    slope(np.ones(2)), slope(-np.ones(2))
    assert len(slope.paths) == 2 and slope.paths.advice() == []


def test_paths_that_differ_in_the_length_of_a_loop_could_be_a_scan():
    (advice,) = called(newton, 2.0, 3.0, 1e4).paths.advice()
    assert "`while abs(x * x - a) > 1e-9:`" in advice and "ad.scan" in advice
    assert "4 to 11 times" in advice and "3 paths differ only" in advice


def test_a_long_loop_is_said_to_unroll():
    def f(x):
        n = 0
        while x > n:
            n += 1
        return n * x

    (advice,) = called(f, 99.5).paths.advice()
    assert "asked 101 times on one path" in advice and "unrolled" in advice
    assert called(f, 9.5).paths.advice() == []


def test_paths_of_a_thousand_conditions_are_told_quickly():
    def f(x):
        n = 0
        while x > n:
            n += 1
        return n * x

    paths = called(f, *(length(1000) - 9.5 + k for k in range(10))).paths
    assert len(paths) == 10 and len(paths.advice()) == 2
    assert len(leaves(paths.draw())) == 10 and len(paths.table()) == 20


def test_what_cannot_be_compared_is_said():
    rng = np.random.default_rng(0)
    slope = called(lambda x: x * rng.normal() if x > 0 else x, 1.0, -1.0)
    assert len(slope.paths) == 1 and "each call traces anew" in slope.paths.advice()[-1]


def test_the_function_lists_what_can_be_looked_at():
    for f in (ad.grad(tax), ad.vectorize(tax), ad.hessian(tax), ad.vectorize(ad.grad(tax))):
        assert {"paths", "draw_paths", "film_path"} <= set(dir(f))
        assert f.film_path.__doc__ and f.draw_paths.__doc__
