"""Equations in pictures: boxes that open, and say what is solved."""

import autodiff_edu as ad

a = ad.scalar("a")


def drawn(y, **how):
    return repr(ad.draw(y, **how))


def test_a_root_opens_and_shows_where_it_is_zero():
    x = ad.root(lambda x: x**3 - a, 1.0)
    assert "box  root" in drawn(x) and "[3 operations inside]" not in drawn(x)
    text = drawn(x, open=True)
    assert "open box  root" in text and "[= 0]" in text and "[from]" in text


def test_the_adjoint_is_a_box_that_shows_its_equation():
    x = ad.root(lambda x: x**3 - a, 1.0)
    text = drawn(ad.grad(x, a), open=True)
    assert "open box  adjoint of root" in text
    assert "[= right-hand side, derivative]" in text and "right-hand side, derivative]" in text


def test_a_fixed_point_is_a_loop():
    x = ad.fixed_point(lambda x: ad.cos(a * x), 1.0)
    text = drawn(x, open=True)
    assert "[each step]" in text and "[next step]" in text
    assert "adjoint of fixed_point" in drawn(ad.grad(x, a), open=True)


def test_a_differential_equation_shows_its_rate():
    y = ad.odeint(lambda y, t: -a * y, 1.0, [0.0, 1.0, 2.0])
    text = drawn(y, open=True)
    assert "operation  ∫" in text and "[dy/dt]" in text
    back = drawn(ad.grad(y[-1], a), open=True)
    assert "interval by interval" in back and "adjoint of odeint" in back and "[da_y/dt" in back


def test_values_in_an_open_box_are_those_at_the_solution():
    x = ad.root(lambda x: x * x - a, 1.0)
    text = drawn(ad.grad(x, a), open=True, values={a: 4.0})
    solutions = [line for line in text.splitlines() if "operation  solution" in line]
    assert "2" in solutions[0] and "0.25" in solutions[1]


def test_written():
    x = ad.root(lambda x: x * x - a, 1.0)
    assert str(x) == "root(1, a)"
    assert str(ad.grad(x, a)) == "-(-adjoint_of_root(1, root(1, a)))"
    assert ad.latex(x) == r"\operatorname{root}(1, a)"
