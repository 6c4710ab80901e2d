"""A wrong answer is shown the smallest graph on which it fails, a right one its own graph.

Protects the picture: it has the student's number and the right one, and no more graph than needed.
"""

import json
import re

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu import course
from autodiff_edu.course.harness.chart import MOST, Chart, chart, charts
from autodiff_edu.course.harness.counterexample import rounded, smallest, without
from autodiff_edu.course.harness.verdict import verdict
from autodiff_edu.course.lectures.lecture_05 import FACTORS, adjoints, is_wrong, smaller, values_on
from autodiff_edu.course.lectures.more.lecture_05_topological_order import random_graph
from tests.course.mutants import (
    mutants_01,
    mutants_03,
    mutants_05,
    mutants_06,
    mutants_18,
    mutants_19,
)
from tests.helpers.depth import draws, some

TASKS = {
    "rounds": course.check_rounds,
    "derivative": course.check_derivative,
    "merged": course.check_merged,
    "backward": course.check_sweep,
    "order": course.check_order,
    "terms": course.check_terms,
    "index_sets": course.check_index_sets,
    "colors_of": course.check_coloring,
    "peak": course.check_peak,
    "reuse": course.check_reuse,
}
MUTANTS = {
    "rounds": mutants_01.rounds,
    "derivative": mutants_03.rules,
    "merged": mutants_03.merge,
    "backward": mutants_05.backward,
    "order": mutants_05.order,
    "terms": mutants_06.terms,
    "index_sets": mutants_18.sets,
    "colors_of": mutants_18.colors,
    "peak": mutants_19.peak,
    "reuse": mutants_19.reuse,
}
WORDS = {  # in messages about answers that have no graph
    "refused", "called again", "changed", "raised", "is no tree", "must be a leaf",
    "a list of rows", "in different orders", "each a list of names", "a list of sets",
    "a set for each value", "one colour for each column", "a colour is a whole number",
    "one entry for each line",
}  # fmt: skip
CASES = [(task, k) for task in TASKS for k in range(len(MUTANTS[task]))]


def judged(task, source, seed=0):
    names = {"course": course, "np": np, "ad": ad}
    exec(source, names)
    check = TASKS[task].__wrapped__
    return verdict(lambda: check(names[task], seed=seed), task, alone=True)


@pytest.mark.each("task, k", some(CASES, 3))
def test_a_wrong_answer_is_shown_a_graph_of_few_nodes(task, k):
    """Six nodes at most; where the answer has no graph, the words tell it."""
    for seed in some(range(3), 3, turn=k):
        found = judged(task, MUTANTS[task][k], seed)
        assert found.kind != "right"
        assert all(len(s.nodes) <= 6 for s in found.page)
        if not found.page:
            assert any(words in found.message for words in WORDS), found.message


def test_the_smallest_graph_has_both_numbers():
    found = judged("backward", mutants_05.backward[0])
    (drawn,) = found.page
    assert ("x", "x", "input", "yours 3, right 6", True) in drawn.nodes
    assert "expected  6.0\n  got       3.0" in found.message
    assert "✗ yours 3, right 6" in drawn.picture().image() or "✗" in repr(drawn.picture())


def test_operands_have_numbers_where_their_order_matters():
    with charts() as page:
        chart("small", {"d": ["x", "y"], "s": ["x", "y"]}, {"d": "−", "s": "+"})
    assert page[0].edges == [("x", "d", "1"), ("y", "d", "2"), ("x", "s", ""), ("y", "s", "")]


def test_a_right_answer_is_shown_its_own_graph():
    source = mutants_05.SWEEP.format(**mutants_05.FROM_THE_BACK)
    (drawn,) = judged("backward", source).page
    assert drawn.title.startswith("backward: your sweep") and not any(n[4] for n in drawn.nodes)
    right = adjoints(
        course.lectures.lecture_05.DIAMOND, values_on(course.lectures.lecture_05.DIAMOND, {"x": 1})
    )
    assert {n[0]: n[3] for n in drawn.nodes} == {n: f"{v:.4g}" for n, v in right.items()}


NUMBERS = {  # what a wrong node says, for a mutant of each task
    ("derivative", 3): r"yours 1, right 0",
    ("merged", 9): r"row 1, equal to row 0",
    ("terms", 10): r"yours (\w), right \1·\1",
    ("index_sets", 1): r"yours \{0\}, right \{\}",
    ("colors_of", 4): r"colour 0",
    ("reuse", 6): r"a new array",
}


@pytest.mark.each("task, k", NUMBERS)
def test_a_wrong_node_says_both_answers(task, k):
    for seed in some(range(3), 3, turn=k):
        (drawn,) = judged(task, MUTANTS[task][k], seed).page
        wrong = [note for *_, note, is_wrong in drawn.nodes if is_wrong]
        assert wrong and all(re.fullmatch(NUMBERS[task, k], note) for note in wrong), wrong


def test_the_most_bytes_of_a_program_stand_above_it():
    (drawn,) = judged("peak", mutants_19.peak[0]).page
    yours, right = map(int, re.findall(r"yours (\d+), right (\d+)", drawn.title)[0])
    assert yours > right
    assert all(re.fullmatch(r"\d+ bytes, line .*", note) for *_, note, _ in drawn.nodes if note)


def column_of(seconds):
    """The tangents of the example of lecture 04, with this one for the product."""
    return lambda x1, x2, r1, r2: [r1, r2, r1 / x1, seconds(x1, x2, r1, r2), np.cos(x2) * r2,
                                   r1 / x1 + seconds(x1, x2, r1, r2),
                                   r1 / x1 + seconds(x1, x2, r1, r2) - np.cos(x2) * r2]  # fmt: skip


def test_numbers_of_a_graph_are_drawn_and_those_of_an_example_are_not_told():
    a, b = ad.scalar("x1"), ad.scalar("x2")
    y = ad.log(a) + a * b - ad.sin(b)
    right = column_of(lambda x1, x2, r1, r2: r1 * x2 + x1 * r2)
    wrong = column_of(lambda x1, x2, r1, r2: r1 * x2)

    def checked(student, **options):
        check = course.check_function.__wrapped__
        draw = lambda rng: (2.0, 5.0, 1.0, 3.0)
        task = lambda: check(student, right, draw, graph=y, trials=1, **options)
        return verdict(task, "column", alone=True)

    (drawn,) = checked(wrong).page
    notes = {text: note for _, text, _, note, is_wrong in drawn.nodes if is_wrong}
    assert notes == {"×": "yours 5, right 11", "+": "yours 5.5, right 11.5",
                     "−": "yours 4.649, right 10.65"}  # fmt: skip
    (drawn,) = checked(wrong, examples=[(2.0, 5.0, 1.0, 3.0)]).page
    assert not any("right" in note for *_, note, _ in drawn.nodes)
    assert checked(right).page == []
    (drawn,) = checked(right, examples=[(2.0, 5.0, 1.0, 3.0)]).page
    assert not any(is_wrong for *_, is_wrong in drawn.nodes)
    assert checked(lambda *_: [1.0]).page == []


def sweep_without(op):
    """A sweep that forgets what one operation passes on."""

    def backward(tape, values):
        adjoint = {name: 0.0 for name, _, _ in tape} | {tape[-1][0]: 1.0}
        for name, its, operands in reversed(tape):
            if its not in ("input", op):
                for o, factor in zip(operands, FACTORS[its](*[values[o] for o in operands])):
                    adjoint[o] += adjoint[name] * factor
        return adjoint

    return backward


@pytest.mark.each("op", FACTORS)
def test_random_tapes_become_the_one_operation_that_is_wrong(op):
    rng, student = np.random.default_rng(5), sweep_without(op)

    def fails(case):
        values = values_on(*case)
        return is_wrong(case[0], values, student(case[0], values))

    count = 0
    while count < draws(20, least=5):
        tape, values = course.random_tape(rng, 12)
        at = {name: values[name] for name, its, _ in tape if its == "input"}
        if not fails((tape, at)):
            continue
        count += 1
        least, simple = smallest((tape, at), smaller, fails)
        assert [row[1] for row in least if row[1] != "input"] == [op], least
        assert {*simple.values()} <= {1.0, 2.0, 3.0} and len(least) <= 3


def test_random_graphs_become_the_pair_that_is_wrong():
    rng = np.random.default_rng(2)
    for _ in range(30):
        graph = random_graph(rng, 12)
        edges = [(n, o) for n, row in graph.items() for o in row]
        if not edges:
            continue
        n, o = edges[rng.integers(len(edges))]
        least = smallest(graph, without, lambda g: o in g.get(n, ()))  # noqa: B023
        assert least == {n: [o]} or least == {n: [o], o: []}


def test_no_more_tries_than_are_allowed():
    calls = []
    smallest({f"n{k}": [] for k in range(100)}, without, lambda g: not calls.append(g), tries=7)
    assert len(calls) == 7


def test_numbers_are_rounded_and_all_else_stays():
    assert rounded({"a": 1 / 3, "b": None, "c": 2}) == {"a": 0.333333, "b": None, "c": 2}


def test_a_chart_outside_of_a_check_and_a_large_one_are_left_out():
    chart("alone", {"a": []})
    with charts() as page:
        chart("large", {f"n{k}": [] for k in range(MOST + 1)})
        assert page == []
        chart("small", {"y": ["x", "2"]}, {"y": "×"})
    (drawn,) = page
    assert [n[2] for n in drawn.nodes] == ["input", "constant", "operation"]
    assert repr(Chart(*json.loads(json.dumps(drawn))).picture()) == repr(drawn.picture())


def test_a_chart_comes_through_the_worker(monkeypatch):
    """As words alone, and is shown before the message."""
    shown = []
    monkeypatch.setattr("autodiff_edu.course.harness.verdict.display", shown.append)

    def backward(tape, values):
        return {name: 1.0 for name, _, _ in tape}

    with pytest.raises(course.Wrong, match="the value differs"):
        course.check_sweep(backward, seed=1)
    ((found,),) = shown
    assert "smallest graph" in Chart(*found).title and "✗" in repr(Chart(*found).picture())
