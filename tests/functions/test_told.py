"""What Python asks of a traced function and a number answers: whole numbers by rounding or counting
are guards; what is answered by identity or by formula is told, where the user wrote it."""

import math
import warnings

import numpy as np
import pytest

import autodiff_edu as ad
from tests.helpers.depth import some

ROUNDED = {
    "round": round, "int": int, "math.floor": math.floor, "math.ceil": math.ceil,
    "math.trunc": math.trunc, "np.round": np.round, "np.rint": np.rint, "np.floor": np.floor,
    "np.ceil": np.ceil, "np.trunc": np.trunc, "np.fix": np.fix, "np.around": np.around,
    "x // 1": lambda x: x // 1, "divmod": lambda x: divmod(x, 1.0)[0], "method": lambda x: x.round()
    if hasattr(x, "round") else round(x), "sign": np.sign, "sum": lambda x: round(x) + 1,
    "multiple": lambda x: 2 * round(x), "rest": lambda x: round(x) % 3, "half": lambda x:
    round(x) // 2, "smaller": lambda x: np.minimum(round(x), 3), "size": lambda x: abs(-round(x)),
    "as type": lambda x: np.asarray(x).astype(int) if isinstance(x, float) else x.astype(int),
    "of two": lambda x: round(x) - math.floor(x) * 1 + 1,
}  # fmt: skip
COUNTED = {
    "len": lambda v: len(v[v > 0]), "count_nonzero": lambda v: np.count_nonzero(v > 0),
    "argmax": np.argmax, "argmin": np.argmin, "sum": lambda v: np.sum(v > 0),
    "size": lambda v: v[v > 0].size, "shape": lambda v: v[v > 0].shape[0],
    "nonzero": lambda v: len(np.nonzero(v > 0)[0]), "flatnonzero": lambda v:
    len(np.flatnonzero(v > 0)), "searchsorted": lambda v: np.searchsorted(np.sort(v), 0.0),
    "argsort": lambda v: np.argsort(v)[0], "half": lambda v: len(v[v > 0]) // 2,
    "rows": lambda v: len(list(v[v > 0])),
}  # fmt: skip
TABLE = np.array([1.0, 10.0, 100.0, 1000.0, 10000.0, 1e5, 1e6, 1e7, 1e8])
USES = {  # of a whole number n and a number x
    "range": lambda n, x: sum(x * x for _ in range(n)),
    "a list": lambda n, x: [x * k for k in range(9)][n],
    "a slice": lambda n, x: sum([x, x, x, x][:n]),
    "a plain array": lambda n, x: TABLE[n] * x,
    "zeros": lambda n, x: np.sum(np.zeros(n) + x),
    "a string": lambda n, x: x * len("ab"[:n]),
}


def whole(n):
    """Python's own number: NumPy's floats are none, even where they are whole."""
    return int(n) if isinstance(n, (float, np.floating)) else n


@pytest.mark.each("name", some(list(ROUNDED), 3))
def test_a_rounded_number_is_a_guard(name):
    for use, f in some(USES.items(), 6, turn=[*ROUNDED].index(name)):
        traced = ad.value_and_grad(lambda x: f(ROUNDED[name](x), x))  # noqa: B023
        plain = lambda x: f(whole(ROUNDED[name](x)), x)  # noqa: B023
        for x in 2.2, 1.4, 2.3, 0.7, 1.4:
            value, slope = traced(x)
            found = (plain(x + 1e-6) - plain(x - 1e-6)) / 2e-6
            np.testing.assert_allclose((value, slope), (plain(x), found), rtol=1e-8, err_msg=use)
        assert 1 + (name != "sign") <= len(traced.paths) <= 4, use


@pytest.mark.each("name", some(list(COUNTED), 3))
def test_a_count_is_a_guard(name):
    count = COUNTED[name]
    for use, f in some(USES.items(), 3, turn=[*COUNTED].index(name)):
        traced = ad.value_and_grad(lambda v: f(count(v), v[0]))  # noqa: B023
        for v in ([3.0, -1.0, 2.0, -4.0], [-1.0, 2.0, -2.0, 1.0], [5.0, -3.0, 1.0, -9.0]):
            v = np.array(v)
            value, slope = traced(v)
            n = int(count(v))
            x = v[0]
            found = (f(n, x + 1e-6) - f(n, x - 1e-6)) / 2e-6
            wanted = [found, 0, 0, 0]
            np.testing.assert_allclose(value, f(n, x), rtol=1e-12, err_msg=use)
            np.testing.assert_allclose(slope, wanted, rtol=1e-8, atol=1e-9, err_msg=use)


def test_whole_numbers_of_each_example():
    f = lambda x: TABLE[round(x)] * x
    xs = np.array([0.2, 1.2, 3.3, 0.9])
    np.testing.assert_allclose(ad.vectorize(f)(xs), TABLE[[0, 1, 3, 1]] * xs)
    np.testing.assert_allclose(ad.vectorize(ad.grad(f))(xs), TABLE[[0, 1, 3, 1]])


def test_what_is_no_whole_number_is_refused():
    with pytest.raises(TypeError, match="not a number that Python can count with"):
        ad.grad(lambda x: [1.0, 2.0, 3.0][x * 2] * x)(0.5)
    with pytest.raises(ValueError, match="NaN"):
        ad.grad(lambda x: [1.0, 2.0, 3.0][round(x)] * x)(np.nan)
    x = ad.scalar("x")
    with pytest.raises(TypeError, match="ad.array"):
        TABLE[round(x)]


# ---- told where it happens


def made(body):
    """A function that asks for y in a set at its first line."""
    text = f"def f(x, n, g=int):\n    {body}\n    return 3 * x if y in {{1.0, 2.0}} else 2 * x"
    own = {"np": np, "ad": ad, "math": math}
    exec(compile(text, __file__, "exec"), own)
    return own["f"]


SILENT = {
    "a list": lambda x, n: x if x in [1.0, 2.0] else 2 * x,
    "a number in a set": lambda x, n: x if n in {1, 2} else 2 * x,
    "a set of numbers": lambda x, n: x * len({n, 2 * n}),
    "a name": lambda x, n: x if f"a{n}" == "a1" else 2 * x,
    "a shape": lambda x, n: x if np.shape(x) in {(), (1,)} else 2 * x,
    "a length": lambda x, n: x if x.ndim in {0, 1} else 2 * x,
    **{f"derived, {k}": made(k) for k in (
        "y = int(x)", "y = np.shape(2 * x)", "y = x is None", "y = x.ndim", "y = n + 1",
        "y = 2 * x\n    y = 3", "x = int(x); y = x + 1", "y = g(x)",
        "for y in [n]: x = 2 * x", "y = math.floor(x)", "y = x in [1.0]", "y = x; y = n",
    )},
}  # fmt: skip
TOLD = {
    **{
        f"derived, {k}": (made(k), "identity")
        for k in (
            "y = 2 * x",
            "y = np.sin(x)",
            "y = ad.sum(x * x) / n",
            "z = x - 1\n    y = z * z",
            "y = n\n    y += x",
            "y = np.maximum(np.exp(x), -x)",
            "y = x > 0",
            "y = -x if n else x",
            "for k in range(2):\n        y = x * k",
        )
    },
    "in a set": (lambda x, n: x if x in {1.0, 2.0} else 2 * x, "identity"),
    "not in": (lambda x, n: x if x not in {1.0} else 2 * x, "identity"),
    "a set": (lambda x, n: x * len({x, x * 1.0}), "identity"),
    "an inner one": (lambda x, n: sum(x * len({x, k}) for k in [1, 2]), "identity"),
    "a string": (lambda x, n: x * len(f"{x}"), "the formula x"),
    "a filled string": (lambda x, n: x * len("{}".format(x)), "the formula x"),  # noqa: UP032
}


@pytest.mark.each("name", list(SILENT))
def test_nothing_is_told_of_what_is_right(name):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ad.grad(SILENT[name])(1.0, 1)


@pytest.mark.each("name", [name for name in TOLD if name != "an inner one"])
def test_what_is_answered_by_identity_or_formula_is_told(name):
    f, word = TOLD[name]
    with pytest.warns(UserWarning, match=word) as met:
        ad.grad(f)(1.0, 1)
    last = max(line for *_, line in f.__code__.co_lines() if line)
    assert met[0].filename == __file__ and met[0].lineno == last


def test_the_key_of_a_dictionary_is_explained():
    with pytest.raises(KeyError) as met:
        ad.grad(lambda x: {1.0: 2.0}[x] * x)(1.0)
    assert "by identity" in met.value.__notes__[0]


def test_what_a_function_keeps_outside_itself_is_told():
    total = [0.0]

    def loss(x):
        total[0] = total[0] + x
        return total[0] * x

    for transform in ad.grad, ad.vectorize:
        total[0] = 0.0
        f = transform(loss)
        x = 2.0 if transform is ad.grad else np.ones(2)
        f(x)
        with pytest.raises(TypeError, match=r"loss kept an expression of an earlier call.*has_aux"):
            f(x)
    y = ad.scalar("y")
    slope = ad.grad(lambda x: x * y)  # of another graph, on purpose
    assert [ad.evaluate(slope(x), {y: 5.0}) for x in (2.0, 3.0)] == [5.0, 5.0]
    inner = lambda x: ad.grad(lambda t: t * x)(2.0)
    assert [ad.grad(lambda x: x * inner(x))(v) for v in (1.0, 2.0)] == [2.0, 4.0]


def test_masks_of_different_counts_are_explained():
    rows = np.array([[1.0, -1.0], [1.0, 2.0]])
    with pytest.raises(ad.ShapeError, match=r"different shapes.*ad.where\(mask, x, 0\)"):
        ad.vectorize(lambda v: np.sum(v[v > 0] ** 2))(rows)
    kept = ad.vectorize(lambda v: np.sum(ad.where(v > 0, v, 0) ** 2))
    np.testing.assert_allclose(kept(rows), [1.0, 5.0])
