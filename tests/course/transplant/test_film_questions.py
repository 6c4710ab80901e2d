"""Questions about one's own film: each student has others, and they are graded by the film.

Protects the last part of the capstone: who copied a page cannot answer for its film.
"""

from pathlib import Path

import pytest
from click.testing import CliRunner

from autodiff_edu.command.transplant import transplant
from autodiff_edu.course.harness.feedback import Unsolved
from autodiff_edu.course.transplant.film_questions import film_questions, grade
from autodiff_edu.course.transplant.page import read_page

RIGHT = Path(__file__).with_name("right.py")
STUDENTS = [f"s{k}" for k in range(12)]


def asked(student):
    return film_questions(read_page(RIGHT), student)


@pytest.mark.each("student", STUDENTS)
def test_right_answers_pass_and_others_do_not(student):
    questions = asked(student)
    assert questions == asked(student) and len(questions) == 3
    right = [str(q.answer) for q in questions]
    assert grade(questions, right) == [True] * 3
    assert grade(questions, [f" {right[0]} ", f"{questions[1].answer:.4g}"]) == [True, True, False]
    wrong = [str(questions[0].answer + 1), str(questions[1].answer + 0.5), "x1 + x2"]
    assert grade(questions, wrong) == grade(questions, ["?", "", "?"]) == [False] * 3


def test_students_have_different_questions():
    assert len({asked(student)[1] for student in STUDENTS}) > 6
    for k in (0, 2):
        assert len({asked(student)[k].answer for student in STUDENTS}) > 1


def test_a_page_without_a_sweep_is_refused(tmp_path):
    page = tmp_path / "page.py"
    text = RIGHT.read_text("utf-8")
    page.write_text(text.replace("def sweep(", "def other_function("), "utf-8")
    with pytest.raises(Unsolved, match="no sweep yet"):
        film_questions(read_page(page), "s1")


def test_the_command_grades_a_file_and_asks_at_a_terminal(tmp_path):
    right = [str(q.answer) for q in asked("s1")]
    file = tmp_path / "answers.txt"
    file.write_text("\n".join([*right[:2], "nothing"]), "utf-8")
    words = [str(RIGHT), "--questions", "--student", "s1"]
    by_file = CliRunner().invoke(transplant, [*words, "--answers", str(file)])
    assert by_file.exit_code == 0 and "2 of 3 are right" in by_file.output, by_file.output
    typed = CliRunner().invoke(transplant, words, input="\n".join(right) + "\n")
    assert "3 of 3 are right" in typed.output, typed.output
