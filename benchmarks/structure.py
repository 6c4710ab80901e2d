"""Structure: derivatives whose zeros are known, against the same derivatives written by hand.

The Jacobian of tanh(Ax)·cos(Bx) + x², of which one part is diagonal; the Hessian of Rosenbrock's
function, dense and by its nonzeros, with the pattern cached; and that Hessian at a length at which
no dense matrix fits, from the formula to the numbers.
"""

from time import process_time

import numpy as np
from _report import interleaved, seconds, show, spread

import autodiff_edu as ad

SMALL, MIDDLE, LARGE = 50, 100, 100_000
BATCH = 20  # calls for one time


def rosenbrock(x):
    return (100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2).sum()


def hessian_by_hand(x):
    """As in scipy.optimize.rosen_hess."""
    main = np.zeros_like(x)
    main[0] = 1200 * x[0] ** 2 - 400 * x[1] + 2
    main[-1] = 200
    main[1:-1] = 202 + 1200 * x[1:-1] ** 2 - 400 * x[2:]
    beside = -400 * x[:-1]
    return np.diag(beside, 1) + np.diag(beside, -1) + np.diag(main)


def jacobian_by_hand(x, A, B):
    a, b = np.tanh(A @ x), B @ x
    found = ((1 - a * a) * np.cos(b))[:, None] * A - (a * np.sin(b))[:, None] * B
    found.flat[:: len(x) + 1] += 2 * x
    return found


def formula(x, A, B):
    return np.tanh(A @ x) * np.cos(B @ x) + x**2


def jacobians():
    """(name, ours) for each way to call it, all without arguments, and the same by hand."""
    draw = np.random.default_rng(0)
    values = draw.normal(size=SMALL), *draw.normal(size=(2, SMALL, SMALL))
    forms = []
    for name, n in ("known lengths", SMALL), ("unknown lengths", None):
        inputs = [ad.tensor(word, shape=(n,) * ndim) for word, ndim in zip("xAB", (1, 2, 2))]
        forms.append((name, ad.function(inputs, ad.jacobian(formula(*inputs), inputs[0]))))
    forms.append(("of a Python function", ad.jacobian(formula)))
    for _, run in forms * 3:  # the lengths come again
        np.testing.assert_allclose(run(*values), jacobian_by_hand(*values), atol=1e-12)
    return [(name, lambda f=f: f(*values)) for name, f in forms], lambda: jacobian_by_hand(*values)


def hessians():
    """(name, ours) for each form, all without arguments, and the same by hand."""
    x, value = ad.vector("x", shape=MIDDLE), np.random.default_rng(0).normal(size=MIDDLE)
    forms = [("dense, every column", ad.function(x, ad.hessian(rosenbrock(x), x)))]
    for coloring in ("star", "acyclic"):
        H = ad.hessian(rosenbrock(x), x, sparse=True, coloring=coloring)
        forms += [(f"dense, from its nonzeros, {coloring}", ad.function(x, H.dense)),
                  (f"nonzeros alone, {coloring}", ad.function(x, H.data)),
                  (f"csr_array, {coloring}", H.function(x))]  # fmt: skip
    forms.append(("dense, of a Python function", ad.hessian(rosenbrock)))
    forms.append(("csr_array of a Python function", ad.hessian(rosenbrock, sparse=True)))
    return [(name, lambda f=f: f(value)) for name, f in forms], lambda: hessian_by_hand(value)


def large(coloring, n):
    """From the formula to the numbers."""
    x, value = ad.vector("x", shape=n), np.linspace(0, 1, n)
    H = ad.hessian(rosenbrock(x), x, sparse=True, coloring=coloring)
    found = H.evaluate({x: value})
    assert found.nnz == 3 * n - 2
    return found


def repeated(work):
    return lambda: [work() for _ in range(BATCH)]


def ratio(ours, hand, repeats):
    times, others = interleaved(repeats, repeated(ours), repeated(hand), clock=process_time)
    return spread(a / b for a, b in zip(times, others, strict=True))


def errors():
    """The largest error of each way to read a Hessian, over its largest entry."""
    x, value = ad.vector("x", shape=2000), np.random.default_rng(0).normal(size=2000)
    H = {c: ad.hessian(rosenbrock(x), x, sparse=True, coloring=c).evaluate({x: value})
         for c in ("column", "star", "acyclic")}  # fmt: skip
    exact = H["column"]
    return {c: abs(found - exact).max() / abs(exact).max() for c, found in H.items()}


def main(repeats=100, n=LARGE):
    forms, hand = jacobians()
    rows = [(f"Jacobian of tanh(Ax)·cos(Bx) + x², {SMALL}: {name}", ratio(ours, hand, repeats))
            for name, ours in forms]  # fmt: skip
    forms, hand = hessians()
    rows += [(f"Hessian of Rosenbrock, {MIDDLE}: {name}", ratio(ours, hand, repeats))
             for name, ours in forms]  # fmt: skip
    show("Structure", "Processor time over that of NumPy by hand (median; least, largest).",
         ("derivative", "times by hand"), rows)  # fmt: skip
    found = errors()
    rows = [(c, f"{seconds(lambda c=c: large(c, n)):.2f}", f"{found[c]:.1e}")
            for c in ("star", "column", "acyclic")]  # fmt: skip
    show(f"Rosenbrock's Hessian, {n:,} by {n:,}", f"Seconds from the formula to its {3 * n - 2:,} "
         "nonzeros, pattern and colours included; errors at 2,000, over the largest entry.",
         ("colouring", "seconds", "error"), rows)  # fmt: skip


if __name__ == "__main__":
    main()
