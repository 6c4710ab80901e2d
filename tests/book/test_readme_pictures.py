"""The pictures of README and of the first ten minutes are those that the engine draws today.

Protects the first picture that anybody sees.
"""

import re
from pathlib import Path

import pytest

import autodiff_edu as ad
from book.seven import seven
from tests.house.test_frame import README

STATIC = Path(__file__).parents[2] / "book" / "static"


def pictures():
    """The film in which seven stays seven, and the derivative of x*x + (x − 2) after it."""
    x = ad.scalar("x")
    after = ad.simplify(ad.symbolic_derivative(x * x + (x - 2), x)).after
    return {"seven.svg": seven(), "after.svg": ad.draw(after).svg}


@pytest.mark.numeric
@pytest.mark.parametrize("name", ["seven.svg", "after.svg"])
def test_a_picture_is_up_to_date(name):
    """If it is not: python -c "from tests.book.test_readme_pictures import *; write()"."""
    assert (STATIC / name).read_text("utf-8") == pictures()[name]


def test_every_frame_has_its_turn_and_seven_stays():
    """Each of ten frames is seen once in a round; all that have a value have the same."""
    text = seven()
    assert len(re.findall(r"@keyframes k\d+", text)) == text.count('class="p ') == 10
    assert re.findall(r"y′ = (.*?)<", text) == ["7"] * 5
    assert "<script" not in text


PAGES = {"README": README, "book": (STATIC.parent / "index.md").read_text("utf-8")}
FIRST_SCREENS = {name: page.partition("\n## ")[0] for name, page in PAGES.items()}
first_screens = pytest.mark.parametrize("page", FIRST_SCREENS.values(), ids=FIRST_SCREENS)
THREE_LINES = re.compile(r"```python\n((?:.+\n){3})```")
ORDER = [
    "**A derivative is a program. Watch it being made, made short, and run.**", "static/seven.svg",
    "23 lectures, exercises", "python3 dev.py lab", "import autodiff_edu as ad",
    "**Step.**", "**Pull.**", "**Ask.**", "**Replace.**",
    "Begin with", "learn with", "[teach]", "[read the engine]",
]  # fmt: skip


@first_screens
def test_the_first_screen_says_in_order_what_this_is_and_what_one_can_do(page):
    """The film, three lines to type, four things to do, and four ways to go on."""
    places = [page.index(part) for part in ORDER]
    assert places == sorted(places) and len(THREE_LINES.findall(page)) == 1


def test_there_are_so_many_lectures_with_exercises():
    notebooks = STATIC.parents[1] / "notebooks"
    numbers = {path.name[:2] for path in notebooks.glob("[0-9][0-9]_*.ipynb")}
    assert len(numbers) == 23
    exercises = {path.name[:2] for path in (notebooks / "exercises").glob("*.ipynb")}
    assert numbers - exercises == {"00"}


@first_screens
def test_the_first_screen_is_true(page):
    """What it says that one may type gives what it says."""
    (typed,), space = THREE_LINES.findall(page), {}
    exec(typed.replace("ad.explore", "explorer = ad.explore"), space)
    answers = [numbers for numbers in space["explorer"].document["answers"] if numbers]
    assert answers and all(numbers == [7] for numbers in answers)
    x = space["x"]
    y = x * x + (x - 2)
    assert "`ad.why(node)`" in page and f"{y} was written in " in str(ad.why(y))
    assert '`ad.simplify(x / x).why_not("over itself")`' in page
    assert "A fact is missing" in str(ad.simplify(x / x).why_not("over itself"))


def write():
    for name, picture in pictures().items():
        (STATIC / name).write_text(picture, encoding="utf-8")
