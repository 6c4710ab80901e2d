"""Random programs: compositions of operations with broadcasting, slicing and reductions."""

import numpy as np

import autodiff_edu as ad

UNARY = [
    ad.sin, ad.cos, ad.tanh, ad.sigmoid, ad.softplus, ad.arctan, ad.exp, ad.square, ad.negative,
    ad.abs, lambda x: ad.log(1 + x * x), lambda x: 1 / (1 + ad.exp(-x)), lambda x: x**3,
    lambda x: x * 1, lambda x: 2 * x + x * 3, lambda x: ad.sqrt(x * x + 1), lambda x: x[1:],
    lambda x: x.T, lambda x: x.sum(axis=0), lambda x: x.mean(axis=-1, keepdims=True),
    lambda x: ad.log(ad.exp(x)), lambda x: x.reshape(-1), lambda x: x - 0.5, lambda x: 3 - x,
    lambda x: ad.maximum(x, 0.1), lambda x: ad.negative(-x), lambda x: x / 2, lambda x: x * x * x,
]  # fmt: skip
BINARY = [
    ad.add, ad.subtract, ad.multiply, lambda x, y: x / (1 + y * y), ad.maximum, ad.minimum,
    lambda x, y: ad.where(x > y, x, 2 * y), lambda x, y: x * y + x * y, lambda x, y: x - y + y,
    lambda x, y: ad.exp(ad.sin(x)) * ad.exp(ad.sin(y)), ad.matmul,
]  # fmt: skip


def random_program(seed, length=10):
    """Inputs, values and an output of 5 to 15 operations; what does not fit is drawn again."""
    rng = np.random.default_rng(seed)
    shapes = [(3, 4), (4,), (1, 4), ()]
    inputs = [ad.tensor(f"x{k}", shape=shape) for k, shape in enumerate(shapes)]
    values = [rng.uniform(-1.5, 1.5, shape) for shape in shapes]
    made = list(inputs)
    while len(made) < len(inputs) + length:
        x, y = (made[-1 - int(k)] for k in np.minimum(rng.geometric(0.3, 2) - 1, len(made) - 1))
        try:
            if rng.random() < 0.5:
                made.append(UNARY[rng.integers(len(UNARY))](x))
            else:
                made.append(BINARY[rng.integers(len(BINARY))](x, y))
        except (TypeError, ValueError, IndexError):
            continue
    return inputs, values, made[-1]


NUMBERS = [
    lambda x: ad.where(x > 0.3, x * 2, 1 - x), lambda x: ad.maximum(x * x, 0.2), ad.sqrt, ad.log,
    lambda x: (x + 1) / (x * x + 1), lambda x: -(x + 1) * 2, lambda x: ad.abs(x - 1) ** 1.5,
    lambda x: 1 - (x - 2), lambda x: x / (x / 3), lambda x: ad.minimum(-x, ad.exp(x) - x),
]  # fmt: skip


def random_numbers(seed, length=25):
    """Inputs, values and an output of as many operations on single numbers."""
    rng = np.random.default_rng(seed)
    inputs = [ad.scalar(name) for name in "xyz"]
    unary = [u for k, u in enumerate(UNARY) if k not in (16, 17, 18, 19, 21)] + NUMBERS
    made = list(inputs)
    while len(made) < len(inputs) + length:
        x, y = (made[-1 - int(k)] for k in np.minimum(rng.geometric(0.3, 2) - 1, len(made) - 1))
        one = rng.random() < 0.5
        made.append(unary[rng.integers(len(unary))](x) if one
                    else BINARY[rng.integers(len(BINARY) - 1)](x, y))  # fmt: skip
    return inputs, rng.uniform(-1.5, 1.5, 3).tolist(), ad.sin(made[-1] + sum(inputs))
