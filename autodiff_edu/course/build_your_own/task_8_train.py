"""Task 8: the engine trains a classifier on real data."""

from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from ..harness.feedback import Wrong, complain, expect, numbers
from .doing import doing
from .formulas import Formula, build
from .task_4_reverse import adjoints, numbers_of

ACCURACY = 0.97
SLOPE = 1.4123677275676216  # the norm of the weights' part of the gradient at 0


def check(engine: Any, rng: np.random.Generator) -> None:
    """The table, the loss and its gradient at zero, training."""
    X, labels = breast_cancer()
    check_standardised(engine, X, rng)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    check_loss(engine, rng)
    check_start(engine, X, labels)
    check_training(engine, X, labels)


def breast_cancer() -> tuple[np.ndarray, np.ndarray]:
    """569 rows of 30 measurements, and a column of labels: the file that scikit-learn brings.

    Its import would take longer than all of this check.
    """
    spec = find_spec("sklearn")
    if spec is None or not spec.submodule_search_locations:
        raise Wrong("the data of this task come with scikit-learn: pip install scikit-learn")
    file = Path(spec.submodule_search_locations[0]) / "datasets" / "data" / "breast_cancer.csv"
    table = np.loadtxt(file, delimiter=",", skiprows=1)
    return table[:, :-1], table[:, -1:]


def check_standardised(engine: Any, X: np.ndarray, rng: np.random.Generator) -> None:
    """Random tables first: there it can be said what is right."""
    small = rng.normal(3, 2, (4, 2)).round(2)
    for table, what in ((small, f"standardised({small.tolist()})"), (X, "standardised(the data)")):
        with doing(what):
            found = engine.train.standardised(table.copy())
        expect((table - table.mean(axis=0)) / table.std(axis=0), found, what, tell=table is small)


def loss_of(engine: Any, X: np.ndarray, labels: np.ndarray, what: str) -> Formula:
    """The student's loss, of w and b."""
    made = lambda w, b: engine.train.loss(X.copy(), labels.copy(), w, b)
    return build(engine, what, made, "w", "b")


def check_loss(engine: Any, rng: np.random.Generator) -> None:
    """Random tables and weights."""
    for _ in range(5):
        n, m = (int(k) for k in rng.integers(1, 5, 2))
        X, labels = rng.normal(size=(n, m)).round(2), rng.integers(0, 2, (n, 1)).astype(float)
        w, b = rng.normal(size=(m, 1)).round(2), round(rng.normal(), 2)
        what = f"loss(X={X.tolist()}, labels={labels.tolist()}, w={w.tolist()}, b={b})"
        f = loss_of(engine, X, labels, what)
        (found,) = numbers_of(engine, [f.y], dict(zip(f.inputs, (w, b), strict=True)), what)
        z = X @ w + b
        expect(np.mean(np.log1p(np.exp(z)) - labels * z), found, what)


def check_start(engine: Any, X: np.ndarray, labels: np.ndarray) -> None:
    """At w = 0 and b = 0 the loss is known, and so is how steep it is."""
    what = "loss(standardised(the data), labels, w, b) at w = 0, b = 0"
    f = loss_of(engine, X, labels, what)
    at = dict(zip(f.inputs, (np.zeros((X.shape[1], 1)), np.zeros(())), strict=True))
    (value,) = numbers_of(engine, [f.y], at, what)
    expect(np.log(2), value, what, tell=False)
    slopes = numbers_of(engine, adjoints(engine, f, f"reverse of {what}"), at, what)
    for x, slope in zip(f.inputs, slopes, strict=True):
        if np.shape(slope) != np.shape(at[x]):
            words = f"the adjoint of {x.value} must have the shape of {x.value}"
            complain(words, np.shape(at[x]), np.shape(slope), what)
    if not np.isclose(np.linalg.norm(slopes[0]), SLOPE, 1e-9, 0):
        raise Wrong(f"the gradient of the weights has another length\n  at        {what}")


def check_training(engine: Any, X: np.ndarray, labels: np.ndarray) -> None:
    """What was learned tells benign from malignant."""
    what = "train(standardised(the data), labels)"
    with doing(what):
        found = engine.train.train(X.copy(), labels.copy())
    if not isinstance(found, (tuple, list)) or len(found) != 2:
        complain("the result must be a pair (w, b)", "two arrays", type(found).__name__, what)
    w, b = (numbers(part) for part in found)
    if w is None or b is None or w.shape != (X.shape[1], 1) or b.size != 1:
        got = ", ".join(str(np.shape(part)) for part in found)
        complain("w and b have other shapes", f"{(X.shape[1], 1)}, ()", got, what)
    right = np.mean((X @ w + b > 0) == (labels > 0.5))
    if right < ACCURACY:
        complain("too few rows are told right", f"at least {ACCURACY:.0%}", f"{right:.1%}", what)
