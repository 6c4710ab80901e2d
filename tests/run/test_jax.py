"""Programs for JAX: the numbers of NumPy, but for rounding, of every operation and composition.

Protects those who move a program to another machine: what they checked here holds there.
"""

import os

os.environ.setdefault("XLA_FLAGS", "--xla_force_host_platform_device_count=8")

import numpy as np
import pytest
from hypothesis import given, reject, settings

import autodiff_edu as ad
from tests.helpers.depth import draws
from tests.helpers.examples import EXAMPLES, STANDARD, inputs_for
from tests.helpers.numpy_programs import OURS, programs
from tests.helpers.programs import random_program

jax = pytest.importorskip("jax")
TOLERANCE = {"float64": 1e-10, "float32": 2e-4, "float16": 2e-2}
DTYPES = ("float32", "float16", "int64", "int32", "bool")
NAMES = sorted({e.name for e in EXAMPLES} - {*STANDARD})
BOOLEAN_SUMS = ("scatter", "add_at", "overlap")  # JAX adds up numbers, no truth values


def close(found, wanted):
    """Equal dtypes, shapes and, but for rounding, entries."""
    found, wanted = np.asarray(found), np.asarray(wanted)
    assert found.dtype == wanted.dtype
    tolerance = TOLERANCE.get(str(wanted.dtype), 0)
    np.testing.assert_allclose(found, wanted, tolerance, tolerance)


def both(inputs, outputs, values, simplify="safe", **options):
    """The program for JAX, of which the results are those of the one for NumPy."""
    how = {"simplify": simplify, "on_unused_input": "ignore", **options}
    f = ad.function(inputs, outputs, target="jax", **how)
    for found, wanted in zip(f(*values), ad.function(inputs, outputs, **how)(*values), strict=True):
        assert isinstance(found, (np.ndarray, np.generic))
        close(found, wanted)
    return f


# ---- operations


def drawn(example, rng, dtype):
    """The operands, their floats as another dtype; whole numbers that are no poles."""
    for value in example.values(rng):
        if value.dtype == "float64" and dtype in ("int64", "int32", "bool"):
            value = np.where(value >= 0, np.ceil(abs(value)), np.floor(value))
            value = np.where(value == 0, 1, value)
        yield value if value.dtype != "float64" else value.astype(dtype)


def applied(name, dtype, known, rng):
    """Inputs, results and values for all examples of an operation that take this dtype."""
    inputs, outputs, values = [], [], []
    for k, example in enumerate(e for e in EXAMPLES if e.name == name):
        given = list(drawn(example, rng, dtype))
        symbols = [ad.tensor(f"x{k}_{j}", i.dtype, i.type.shape)
                   for j, i in enumerate(inputs_for(given, known))]  # fmt: skip
        try:
            found = example.build(symbols)
            ad.evaluate(found, dict(zip(symbols, given, strict=True)))
        except (TypeError, ValueError, IndexError, np.linalg.LinAlgError):
            continue
        inputs, outputs, values = [*inputs, *symbols], [*outputs, *found], [*values, *given]
    return inputs, outputs, values


@pytest.mark.parametrize("name", NAMES)
def test_an_operation(name, rng):
    inputs, outputs, values = applied(name, "float64", "all", rng)
    both(inputs, outputs, values, simplify=None)


@pytest.mark.parametrize("name", NAMES)
def test_an_operation_in_other_dtypes_with_unknown_lengths(name):
    rng = np.random.default_rng(NAMES.index(name))
    dtype = DTYPES[rng.integers(len(DTYPES))]
    dtype = "int64" if dtype == "bool" and name in BOOLEAN_SUMS else dtype
    inputs, outputs, values = applied(name, dtype, "none", rng)
    if not outputs:  # linear algebra knows no half precision, and -x no truth values
        inputs, outputs, values = applied(name, "float32", "none", rng)
    both(inputs, outputs, values, simplify=None)


@pytest.mark.parametrize("name", NAMES)
def test_an_operation_of_which_one_operand_alone_is_no_constant(name, rng):
    """JAX does not compile NumPy's own functions and indices, which a constant would call."""
    inputs, outputs, values = [], [], []
    for k, example in enumerate(e for e in EXAMPLES if e.name == name):
        given = example.values(rng)
        for j, value in enumerate(given):
            symbol = ad.tensor(f"x{k}_{j}", value.dtype, value.shape)
            try:
                found = example.build([*map(ad.constant, given[:j]), symbol,
                                       *map(ad.constant, given[j + 1 :])])  # fmt: skip
            except (TypeError, ValueError):  # no length may depend on an input here
                continue
            inputs, outputs, values = [*inputs, symbol], [*outputs, *found], [*values, value]
    both(inputs, outputs, values, simplify=None)


def test_one_triangle_of_a_matrix_is_read(rng):
    x = ad.tensor("x", shape=(2, 3, 3))
    lower, upper = np.linalg.cholesky(x), np.linalg.cholesky(x, upper=True)
    w, v = np.linalg.eigh(x)
    outputs = [lower, upper, w, v**2, np.linalg.eigvalsh(x, "U")]
    slopes = [ad.grad(y.sum(), x) for y in outputs]
    both([x], [*outputs, *slopes], [rng.normal(size=(2, 3, 3)) / 9 + np.diag([1.0, 2.0, 3.0])])


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint8", "int64"])
def test_whole_numbers_divided_by_zero_are_zero(dtype):
    x, y = ad.vector("x", dtype=dtype), ad.vector("y", dtype=dtype)
    values = [np.array([1, 7, 0, 5, 100]).astype(dtype), np.array([0, 2, 0, 3, 0]).astype(dtype)]
    both([x, y], [x // y, x % y, np.fmod(x, y), x // 0], values)


@pytest.mark.parametrize("name", ["add", "multiply", "divide", "maximum", "where", "arctan2"])
@pytest.mark.parametrize("seed", range(3))
def test_mixed_dtypes_meet_as_in_numpy(name, seed):
    rng = np.random.default_rng(seed)
    op = getattr(ad, name)
    x, y = [ad.vector(n, dtype=rng.choice(DTYPES[:4])) for n in "xy"]
    values = [rng.integers(1, 9, 4).astype(i.dtype) for i in (x, y)]
    condition = [x > 3] if name == "where" else []
    both([x, y], [op(*condition, x, y)], values)


# ---- programs


@pytest.mark.parametrize("names", [["max", "v1"], ["v1", "max"], ["x", "len"], ["len", "v2", "v1"]])
def test_inputs_are_given_by_name_whatever_it_is(names):
    inputs = [ad.scalar(name) for name in names]
    y = sum((k + 1) * i for k, i in enumerate(inputs))
    given = {name: float(10**k) for k, name in enumerate(names)}
    f = ad.function(inputs, y, target="jax")
    assert f(**given) == f(*given.values()) == ad.function(inputs, y)(**given)
    with pytest.raises(TypeError, match="unexpected keyword argument 'v9'"):
        f(**given, v9=1.0)


@pytest.mark.parametrize("seed", range(6))
def test_a_random_program_and_its_gradient(seed):
    inputs, values, y = random_program(seed)
    gradients = ad.grad(y.sum(), inputs, disconnected_inputs="ignore")
    both(inputs, [y, *gradients], values)


@settings(max_examples=draws(12))
@given(programs())
def test_a_program_in_the_vocabulary_of_numpy(program):
    inputs = [ad.tensor(f"x{k}", shape=shape) for k, shape in enumerate(program.declared)]
    try:
        outputs = program.within(OURS)(*inputs)
        wanted = ad.evaluate(ad.Graph(outputs), dict(zip(inputs, program.values, strict=True)))
    except (ad.ShapeError, ad.DTypeError):  # an axis stretches that was not declared to
        reject()
    back = ad.reverse_mode(outputs, inputs).outputs
    f = ad.function(inputs, [*outputs, *back], target="jax", on_unused_input="ignore")
    found = f(*program.values)
    by_numpy = ad.function(inputs, list(back), on_unused_input="ignore")(*program.values)
    wanted = wanted if isinstance(wanted, list) else [wanted]
    for a, b in zip(found, [*wanted, *by_numpy], strict=True):
        scale = np.max(np.abs(b), initial=1.0)
        np.testing.assert_allclose(a, b, 1e-7, 1e-7 * scale)
