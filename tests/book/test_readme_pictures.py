"""The README's pictures are those that the engine draws today.

Protects the first picture that anybody sees.
"""

from pathlib import Path

import pytest

import autodiff_edu as ad

STATIC = Path(__file__).parents[2] / "book" / "static"


def pictures():
    """The derivative of x*x + (x − 2) before and after simplification."""
    x = ad.scalar("x")
    before = ad.symbolic_derivative(x * x + (x - 2), x)
    return {
        "before.svg": ad.draw(before.after),
        "after.svg": ad.draw(ad.simplify(before).after),
    }


@pytest.mark.numeric
@pytest.mark.parametrize("name", ["before.svg", "after.svg"])
def test_a_picture_is_up_to_date(name):
    """If it is not: python -c "from tests.book.test_readme_pictures import *; write()"."""
    assert (STATIC / name).read_text("utf-8") == pictures()[name].svg


def write():
    for name, picture in pictures().items():
        (STATIC / name).write_text(picture.svg, encoding="utf-8")
