"""How branches are written, drawn and filmed."""

import numpy as np
import pytest

import autodiff_edu as ad
from tests.helpers.depth import length

x, y, v = ad.scalar("x"), ad.scalar("y"), ad.vector("v")
e = ad.cond(x > 0, ad.sqrt(x), x * y)


@pytest.mark.each(("what", "written"), [
    (e, "cond(x > 0, sqrt(x), x * y)"),
    (ad.cond(x > 0, x, y)**2, "cond(x > 0, x, y) ** 2"),
    (ad.cond(x > 0, *[2 * ad.cond(x + y > 0, s, 1.0) for s in (ad.exp(x), -x)]),
     "cond(x > 0, 2 * cond((x + y) > 0, exp(x), 1), 2 * cond((x + y) > 0, -x, 1))"),
    (ad.cond(x > 0, [x, y * y], [1, 2])[1], "cond(x > 0, [x, y * y], [1, 2])[1]"),
    (ad.simplify(ad.grad(e * e, y)).output,
     "pullback_of_cond(x > 0, 0, x * (2 * cond(x > 0, sqrt(x), x * y)))"),
])  # fmt: skip
def test_text(what, written):
    assert str(what) == written


def test_operands_keep_together():
    s = x + y
    assert str(ad.cond(s > 0, s * 2, -s)) == "cond((x + y) > 0, (x + y) * 2, -(x + y))"


def test_a_long_text_is_cut():
    deep = x
    for k in range(length(200)):
        deep = ad.cond(deep > k, ad.sin(deep), deep * 2)
    assert len(str(deep)) <= 160


def test_latex():
    assert ad.latex(e) == (
        r"\begin{cases} \sqrt{x} & \text{if } x \gt 0 \\ x \cdot y & \text{otherwise} \end{cases}"
    )
    s = x + y
    inner = ad.latex(ad.cond(s > 0, s * 2, 1.0) * y)
    assert r"\left(\begin{cases} (x + y) \cdot 2 & \text{if } x + y \gt 0" in inner
    two = ad.latex(ad.cond(x > 0, [x, y * y], [1, 2])[0])
    assert r"(x, y \cdot y) & \text{if } x \gt 0 \\ (1, 2) & \text{otherwise}" in two


def test_a_closed_box_tells_the_condition():
    listing = repr(ad.draw(e))
    assert "box  if x > 0  [2 operations inside]" in listing
    assert "pullback of cond if x > 0" in repr(ad.draw(ad.grad(e, x)))
    long = ad.cond(ad.sin(x) * ad.cos(x) + ad.exp(x) > 0, e, x * x)
    assert "if ((sin(x) * cos(x)) + ex…" in repr(ad.draw(long))


def test_an_open_box_shows_both_sides():
    listing = repr(ad.draw(e, open=True)).splitlines()
    assert [line.split("  ")[-1] for line in listing if line.startswith("  n")] == [
        "x", "y", "√", "×", "choose", "out"
    ]  # fmt: skip
    assert sum("[if x > 0]" in line for line in listing) == 1
    assert sum("[otherwise]" in line for line in listing) == 1
    assert any(line.endswith("[if]") for line in listing)  # from the condition to the frame
    assert "Inside if x > 0: 2 inputs (x, y); 3 operations" in ad.draw(e, open=True).alt


def test_values_are_those_of_the_side_that_is_taken():
    taken = repr(ad.draw(e, open=True, values={x: 4.0, y: 3.0}))
    assert "√  [= 2]" in taken and "choose  [= 2]" in taken and "[= 12]" not in taken
    other = repr(ad.draw(e, open=True, values={x: -4.0, y: 3.0}))
    assert "×  [= −12]" in other and "choose  [= −12]" in other and "√  [" not in other


def test_a_side_that_would_raise_does_not_stop_a_picture():
    chosen = ad.cond(v.shape[0] > 5, v[5], -1.0)
    assert "choose  [= −1]" in repr(ad.draw(chosen, open=True, values={v: np.ones(2)}))


def test_a_film_opens_one_level_a_frame():
    nested = ad.cond(x > 0, ad.cond(x > 1, ad.sin(x), x), y * y)
    assert ad.film(nested).captions == ("closed", "if x > 0 opened", "if x > 1 opened")


def test_films_of_derivatives_and_of_simplification():
    stage = ad.reverse_mode(ad.cond(x > 0, ad.sqrt(x), x * x), x)
    assert len(ad.film(stage).captions) == len(stage.steps) + 1
    shorter = ad.simplify(ad.cond(~(x > 0), x * 1 * y, ad.cond(x > 0, x, y) + 0))
    assert len(ad.film(shorter).captions) == len(shorter.steps) + 1
    assert repr(ad.compare(shorter.before, shorter.after))


def test_tables_and_traces():
    stage = ad.simplify(ad.cond(~(x > 0), x * 1 * y, -x))
    assert "cond: not" in repr(stage.table())
    assert "cond" in repr(ad.trace(e, {x: 4.0, y: 2.0}))


def test_why_leads_to_the_line():
    made = ad.cond(x > 0, ad.sqrt(x), x * y)
    assert "ad.cond(x > 0, ad.sqrt(x), x * y)" in repr(ad.why(made))
