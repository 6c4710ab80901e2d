"""What an instructor hands back: tables that platforms take, and pages that name nobody else."""

import contextlib
import csv
import io
import random

import pytest
from click.testing import CliRunner

from autodiff_edu.command.app import commands
from autodiff_edu.course.grading.by_hand import merged, read_points
from autodiff_edu.course.grading.feedback_page import feedback
from autodiff_edu.course.grading.marks import Mark, Result
from autodiff_edu.course.grading.report import as_csv, as_html
from autodiff_edu.course.grading.roster import best_files, people, read_roster, upload
from autodiff_edu.course.grading.summary import labels, tasks
from tests.course.grading.classes import DOUBLE, RIGHT, THREE, answer, instructor
from tests.helpers.depth import draws

WRONG = "the value differs\n  expected  2.0\n  got       3.0\n  at        double(x=1.0)"
NAMES = ["Anna Meyer", "Ben O'Neill", "Zoë Müller", "=Cleo", "Đặng Vy", "Ivan Petrov", "von Ende"]


def result(name, *points, exercise="05_reverse_mode", words=WRONG):
    marks = [
        Mark(f"{task}-check", p, 2, "right" if p else "wrong", "" if p else words)
        for task, p in zip(("backward", "count"), points)
    ]
    return Result(name, exercise, tuple(marks), graded=bool(marks))


def rows(text):
    return list(csv.DictReader(io.StringIO(text)))


# ---- the table


def test_a_column_is_a_task_with_its_exercise():
    results = [result("anna", 2, 0), result("ben", 2, 2, exercise="06_two"), result("cleo")]
    assert list(labels(results).values()) == [
        "05/backward", "05/count", "06/backward", "06/count"
    ]  # fmt: skip
    first, second, third = rows(as_csv(results))
    assert (first["05/backward"], first["05/count"], first["06/count"]) == ("2", "0", "")
    assert (second["06/backward"], second["points"]) == ("2", "4")
    assert (third["points"], third["of"]) == ("", "")  # not graded is not 0
    same = [result("a", 2, 2, exercise="05_one"), result("b", 2, 2, exercise="05_two")]
    assert [*labels(same).values()][0] == "05_one/backward"


# ---- the roster

LISTS = {
    "ids": "id,name\n{number},{name}\n",
    "Moodle": "Identifier,Full name,Email address,Grade,Maximum Grade,Feedback comments\n"
              "Participant {number},{name},{login}@example.org,,,\n",
    "Canvas": "Student,ID,SIS Login ID,Section\n{name},{number},{login},A\n",
}  # fmt: skip
FILES = ["{name}_{number}_assignsubmission_file_/05", "{name}", "{number}", "x_{number}_991_05"]


def a_class(draw, kind, folder):
    """A roster of a kind, and the people in it: a number, a name and a login."""
    chosen = draw.sample(NAMES, 5)
    people = [
        {"number": str(draw.randrange(10**5, 10**6)), "name": name, "login": f"user{k}x"}
        for k, name in enumerate(chosen)
    ]
    head, line = LISTS[kind].splitlines()
    between = draw.choice(",;\t")
    text = "\r\n".join(
        between.join(part.format(**person) for part in line.split(","))
        for person in [{}, *people]
        if person
    )
    path = folder / f"{kind}.csv"
    text = head.replace(",", between) + "\r\n" + text
    path.write_bytes(text.encode(draw.choice(["utf-8", "utf-8-sig", "utf-16"])))
    return read_roster(path), people


@pytest.mark.each("kind", LISTS)
@pytest.mark.each("seed", range(draws(10)))
def test_a_roster_makes_the_round_trip(kind, seed, tmp_path):
    """Each file is its owner's, the table is in the order of the roster, and can be one itself."""
    draw = random.Random(seed)
    roster, class_ = a_class(draw, kind, tmp_path)
    ways = (
        FILES if kind != "Moodle" else [FILES[1], "{login}@example.org", "Participant {number}_x"]
    )
    results = [
        result(draw.choice(ways).format(**person), 2, k % 2 * 2)
        for k, person in enumerate(class_[:-1])
    ]
    draw.shuffle(results)
    results.append(result("A Stranger", 2, 2))
    table = as_csv(results, roster)
    assert [person.title for person in people(results, roster)][:5] == [p["name"] for p in class_]
    path = tmp_path / "again.csv"
    path.write_text(table, "utf-8-sig")
    again = read_roster(path)
    assert again.columns[: len(roster.columns)] == roster.columns
    ours = [tuple(cell.removeprefix("'") for cell in row[: len(roster.columns)])
            for row in again.rows]  # fmt: skip
    assert tuple(ours[:-1]) == roster.rows and ours[-1][0] == "A Stranger"
    points = [row["points"] for row in rows(table)]
    assert points == ["2", "4", "2", "4", "", "4"]
    assert rows(table)[4]["remarks"] == "there is no file of this person"


def test_moodle_takes_back_what_it_gave(tmp_path):
    roster, class_ = a_class(random.Random(0), "Moodle", tmp_path)
    text = upload([result(class_[0]["name"], 2, 0), result("A Stranger", 2, 2)], roster)
    first, *others = rows(text)
    assert [*first] == list(roster.columns) and len(others) == 4
    assert (first["Grade"], first["Maximum Grade"]) == ("2", "4")
    assert first["Feedback comments"] == "count-check: wrong, 0 of 2"
    assert {row["Grade"] for row in others} == {""}


def test_canvas_takes_back_what_it_gave(tmp_path):
    path = tmp_path / "canvas.csv"
    path.write_text("Student,ID,Section\n    Points Possible,,\nAnna,17,A\nBen,18,A\n", "utf-8")
    roster = read_roster(path)
    possible, anna, ben = rows(upload([result("17_05", 2, 2)], roster))
    column = "05_reverse_mode"
    assert (possible[column], anna[column], ben[column]) == ("4", "4", "")


def test_two_of_one_name_are_told_apart_by_their_numbers(tmp_path):
    path = tmp_path / "ids.csv"
    path.write_text("id,name\n17,Anna\n18,Anna\n19,19\n", "utf-8")
    roster = read_roster(path)
    assert [roster.owner(n) for n in ("Anna", "Anna_18", "17", "18/05")] == [None, 1, 0, 1]


EXERCISES = ["05_reverse_mode", "06_two"]


def test_of_several_files_of_a_person_the_best_counts_in_all_that_is_written(tmp_path):
    """In the table, on the platform and on the page: once for each exercise."""
    for seed in range(draws(30)):
        draw = random.Random(seed)
        roster, class_ = a_class(draw, "Moodle", tmp_path)
        files = [
            result(f"{person['name']}_{k}/05", draw.choice([0, 2]), draw.choice([0, 2]), exercise=e)
            for person in class_
            for k in range(draw.randrange(4))
            for e in draw.sample(EXERCISES, draw.randrange(1, 3))
        ]
        draw.shuffle(files)
        points = {
            (person["name"], e): [
                r.points for r in files if r.name.startswith(person["name"]) and r.exercise == e
            ]
            for person in class_
            for e in EXERCISES
        }
        sums = {n: sum(max(points[n, e], default=0) for e in EXERCISES) for n, _ in points}
        there = {name for (name, _), several in points.items() if several}
        table, taken = rows(as_csv(files, roster)), rows(upload(files, roster))
        for name, ours in sums.items():
            (of_table,), (of_platform,) = (
                [row for row in text if row["Full name"].strip("'") == name]
                for text in (table, taken)
            )
            said = f"{ours:g}" if name in there else ""
            assert (of_table["points"], of_platform["Grade"]) == (said, said), (seed, name)
        pages = feedback(files, roster)
        assert len(pages) == len(there)
        for person in people(files, roster):
            assert len({r.exercise for r in person.results}) == len(person.results)


def test_a_file_that_does_not_count_is_named():
    first, second = result("anna/05", 0, 2), result("anna/05 (1)", 2, 2)
    (one,) = best_files([first, second])
    assert one.points == 4 and one.remarks == ("anna/05 (1) counts, not anna/05",)
    unread = [Result(name, "", graded=False) for name in "ab"]
    assert [*best_files([*unread, first])] == [*unread, first]


@pytest.mark.each("text", ["", "id,name\n", "id,id\n1,2\n"])
def test_what_is_no_roster_is_told(text, tmp_path):
    path = tmp_path / "ids.csv"
    path.write_text(text, "utf-8")
    with pytest.raises(ValueError, match="ids.csv (is no roster|has the column 'id' twice)"):
        read_roster(path)


# ---- pages


def test_a_page_of_feedback_names_nobody_else():
    results = [result(name, 2, 0, words=f"wrong\n{WRONG}") for name in NAMES]
    pages = feedback(results)
    assert len(pages) == len(NAMES)
    for page in pages.values():
        assert sum(name.replace("'", "&#x27;") in page for name in NAMES) == 1, page
        assert "2 of 4 points" in page and "the value differs" in page and "://" not in page


def test_pages_have_names_that_every_system_takes():
    names = ["a/b", "A_b", "...", "", "x" * 300, "con?*", "../../etc/passwd", "<script>"]
    pages = feedback([result(name, 2, 2) for name in names])
    small = [name.casefold() for name in pages]
    assert len(set(small)) == len(names) and all(len(name) < 100 for name in small)
    assert not any(set(name) & set('/\\:*?"<>|') or name.startswith(".") for name in small)
    assert "<script" not in "".join(pages.values())


def test_the_distribution_and_the_inputs_that_failed_most():
    at = [WRONG.replace("1.0)", f"{k})") for k in (1, 1, 2, 1)]
    results = [result(f"s{k}", 2, 0, words=words) for k, words in enumerate(at)]
    backward, count = tasks([*results, result("s5", 2, 2)])
    assert (count.label, count.mean, count.kinds) == ("05/count", 0.4, {"wrong": 4, "right": 1})
    assert count.inputs == [("double(x=1)", 3), ("double(x=2)", 1)] and not backward.inputs
    page = as_html(results)
    assert "<code>double(x=1)</code> (3)" in page and 'scope="row">05/count' in page


# ---- by hand


def by_hand(folder, text, results, roster=None):
    path = folder / "hand.csv"
    path.write_text(text, "utf-8-sig")
    return merged(results, read_points(path), roster)


def test_points_by_hand_are_added_and_replace(tmp_path):
    text = 'name;task;points;of;comment\nanna;essay;3;4;"clear; short"\nAnna;count;1;2;a sign\n'
    (anna,) = by_hand(tmp_path, text, [result("anna", 2, 0)])
    assert (anna.points, anna.of) == (6, 8)
    assert [mark.task for mark in anna.marks] == ["backward-check", "count-check", "essay"]
    assert anna.marks[1].words.startswith("a sign\nthe value differs")
    (page,) = feedback([anna]).values()
    assert "clear; short" in page and "✎ by hand" in page
    assert "05/essay" in as_csv([anna])


def test_points_by_hand_find_a_person_of_the_roster(tmp_path):
    (tmp_path / "ids.csv").write_text("id,name\n17,Anna\n18,Ben\n", "utf-8")
    roster = read_roster(tmp_path / "ids.csv")
    text = "name,task,points\nBen,essay,3\n"
    _, ben = by_hand(tmp_path, text, [result("x_17", 2, 0), result("x_18", 2, 0)], roster)
    assert (ben.points, ben.of) == (5, 7)
    on_paper = "name,task,points\nBen,count,1\nBen,essay,3\n"
    anna, ben = by_hand(tmp_path, on_paper, [result("x_17", 2, 2)], roster)
    assert (ben.points, ben.of, ben.exercise) == (4, 7, anna.exercise)
    first, second = rows(as_csv([anna, ben], roster))
    assert (second["05/backward"], second["05/count"], second["05/essay"]) == ("0", "1", "3")
    (alone,) = by_hand(tmp_path, on_paper, [], roster)
    assert alone.points == 4 and "essay" in as_csv([alone], roster).partition("\n")[0].split(",")


FAULTS = {
    "name,points\na,1\n": "needs the columns name, task and points",
    "name,task,points,of\nanna,t,5,4\n": "line 2: points are a number from 0 to `of`",
    "name,task,points\nanna,t,nan\n": "line 2: points are a number",
    "name,task,points\nanna,t,many\n": "line 2: points are a number",
    "name,task,points\nnobody,t,1\n": "points by hand for 'nobody', t: no file of that name",
}


@pytest.mark.each("text", FAULTS)
def test_what_is_wrong_with_points_by_hand_is_told(text, tmp_path):
    with pytest.raises(ValueError, match=FAULTS[text]):
        by_hand(tmp_path, text, [result("anna", 2, 2)])


# ---- as it is typed


@pytest.fixture(scope="module")
def written(one_server, tmp_path_factory):
    """A folder in which a class of two was graded, with everything that can be written."""
    folder = tmp_path_factory.mktemp("class")
    (folder / "exercise.ipynb").write_text(instructor(), "utf-8")
    answers = {"Zoë_17": RIGHT, "Ben_18": answer(double=DOUBLE + "\n1/0", three=THREE)}
    for name, text in answers.items():
        (folder / "answers" / name).mkdir(parents=True)
        (folder / "answers" / name / "05.ipynb").write_text(text, "utf-8")
    roster = "Identifier,Full name,Grade\n17,Zoë,\n18,Ben,\n19,Anna,\n"
    (folder / "ids.csv").write_text(roster, "utf-8")
    (folder / "hand.csv").write_text("name,task,points\n17,essay,4\n", "utf-8")
    (folder / "answers" / "Cleo" / "a").mkdir(parents=True)
    (folder / "answers" / "Cleo" / "a" / "05.IPYNB.txt").write_text(RIGHT, "utf-8")
    (folder / "answers" / "Ben_18" / "05.pdf").touch()
    words = "check answers --exercise exercise.ipynb --roster ids.csv --points hand.csv "
    words += "--csv c.csv --html c.html --feedback back --upload up.csv"
    with contextlib.chdir(folder):
        done = CliRunner().invoke(commands, words.split())
    assert done.exit_code == 0 and "3 pages are written into back" in done.stderr, done.output
    assert "1 of nobody in the roster, or of several: Cleo/a/05.IPYNB\n" in done.stderr
    assert "1 left out, since no notebook is called so: Ben_18/05.pdf\n" in done.stderr
    return folder


def test_all_is_written_by_one_command(written):
    data = (written / "c.csv").read_bytes()  # Excel takes it for UTF-8 since it begins with a mark
    assert data.startswith(b"\xef\xbb\xbfIdentifier,Full name,Grade,exercise,exercise/double,")
    table = rows(data.decode("utf-8-sig"))
    assert [(row["Full name"], row["points"]) for row in table] == [
        ("Zoë", "7"), ("Ben", "3"), ("Anna", ""), ("", "3")
    ]  # fmt: skip
    pages = sorted(path.name for path in written.glob("back/*"))
    assert pages == ["17.html", "18.html", "Cleo_a_05.IPYNB.html"]
    assert "Zoë" not in (written / "back" / "18.html").read_text("utf-8")
    up = rows((written / "up.csv").read_text("utf-8-sig"))
    assert [row["Grade"] for row in up] == ["7", "3", ""]


def test_pandas_reads_the_table(written):
    pandas = pytest.importorskip("pandas")
    table = pandas.read_csv(written / "c.csv")  # which drops the mark by itself
    assert list(table["Full name"].fillna("")) == ["Zoë", "Ben", "Anna", ""]
    assert list(table["points"].fillna(-1)) == [7, 3, -1, 3]
    assert table["exercise/double"].dtype == float


def test_an_upload_needs_a_roster_of_a_platform(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.ipynb").write_text(RIGHT, "utf-8")
    done = CliRunner().invoke(commands, ["check", "a.ipynb", "--upload", "up.csv"])
    assert done.exit_code == 1 and "--upload needs a --roster of Moodle" in done.stderr
