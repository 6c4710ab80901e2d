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


def test_the_first_screen_of_the_readme_is_true():
    """What it says that one may type gives what it says."""
    (typed,) = re.findall(r"((?:^ {4}.*\n)+)", README, re.M)[:1]
    space = {"ad": ad}
    lines = re.sub(r"^ {4}", "", typed, flags=re.M)
    exec(lines.replace("ad.explore", "explorer = ad.explore"), space)
    answers = [numbers for numbers in space["explorer"].document["answers"] if numbers]
    assert answers and all(numbers == [7] for numbers in answers)
    x = space["x"]
    assert f"{space['y']} was written in " in str(ad.why(space["y"]))
    stage = ad.simplify(x / x)
    assert 'stage.why_not("over itself", x / x)' in README
    assert "A fact is missing" in str(stage.why_not("over itself", x / x))


def write():
    for name, picture in pictures().items():
        (STATIC / name).write_text(picture, encoding="utf-8")
