"""Formulas as nature and statistics write them: densities, sigmoids, rates, rational functions.

Their derivatives are products and quotients of what grows and falls fast, in which a careless order
of operations overflows where the formula as it is written does not.
"""

import numpy as np

from autodiff_edu import arcsinh, arctan, cosh, exp, expm1, log, log1p, sinh, sqrt, square, tanh

EVERYWHERE = {
    # ---- quotients of exponentials
    "logistic": lambda x: 1 / (1 + exp(-x)),
    "logistic, from above": lambda x: exp(x) / (1 + exp(x)),
    "logistic density": lambda x: exp(x) / (1 + exp(x)) ** 2,
    "logistic density, from below": lambda x: exp(-x) / (1 + exp(-x)) ** 2,
    "logistic squared": lambda x: (exp(x) / (1 + exp(x))) ** 2,
    "Richards": lambda x: 1 / (1 + 2 * exp(-x)) ** 1.5,
    "Fermi": lambda x: 1 / (exp((x - 2) / 3) + 1),
    "two levels": lambda x: (1 + 2 * exp(-3 * x)) / (1 + exp(-3 * x)),
    "Schottky": lambda x: x**2 * exp(x) / (1 + exp(x)) ** 2,
    "swish": lambda x: x / (1 + exp(-x)),
    "tanh from exp": lambda x: (exp(x) - exp(-x)) / (exp(x) + exp(-x)),
    "mixture of two": lambda x: exp(x) / (exp(x) + exp(2 * x) + 1),
    "softmax of two": lambda x: exp(2 * x) / (exp(2 * x) + exp(-x)),
    "one over 1 + e": lambda x: 1 / (1 + exp(x)) ** 3,
    "exp over power": lambda x: exp(x) / (3 + exp(x)) ** 3,
    # ---- exponentials and powers
    "Gauss": lambda x: exp(-(x**2) / 2),
    "Gauss, normed": lambda x: exp(-((x - 1) ** 2) / 8) / sqrt(8 * 3.141592653589793),
    "wavelet": lambda x: (1 - x**2) * exp(-(x**2) / 2),
    "Gauss times x": lambda x: x * exp(-(x**2)),
    "Gauss times x²": lambda x: x**2 * exp(-(x**2)),
    "Gauss over Lorentz": lambda x: exp(-x * x) / (1 + x * x),
    "Hermite function": lambda x: (4 * x**2 - 2) * exp(-x * x / 2),
    "fourth power in exp": lambda x: exp(-(x**4)),
    "Gumbel": lambda x: exp(-x - exp(-x)),
    "Gumbel, as a product": lambda x: exp(-x) * exp(-exp(-x)),
    "Gumbel's distribution": lambda x: exp(-exp(-x)),
    "Gompertz": lambda x: 3 * exp(-2 * exp(-x)),
    "Gompertz density": lambda x: exp(x) * exp(1 - exp(x)),
    "least Gumbel": lambda x: exp(x - exp(x)),
    "e over cosh": lambda x: exp(x) / cosh(x),
    "e times e": lambda x: exp(x) * exp(-2 * x) * x,
    # ---- hyperbolic functions
    "cosh over more": lambda x: cosh(x) / (1 + cosh(x)),
    "sinh over more": lambda x: sinh(x) / (1 + cosh(x)),
    "sinh² over more": lambda x: sinh(x) ** 2 / (1 + sinh(x) ** 2),
    "cosh² over more": lambda x: cosh(x) ** 2 / (3 + cosh(x) ** 2),
    "sech": lambda x: 1 / cosh(x),
    "soliton": lambda x: 1 / cosh(x) ** 2,
    "soliton, half": lambda x: 2 / cosh(x / 2) ** 2,
    "hyperbolic secant density": lambda x: 1 / (exp(x) + exp(-x)),
    "sech³": lambda x: 1 / cosh(x) ** 3,
    "tanh over cosh": lambda x: tanh(x) / cosh(x),
    "x over cosh": lambda x: x / cosh(x),
    "Pöschl and Teller": lambda x: -6 / cosh(x) ** 2 + 1 / cosh(x) ** 4,
    "tanh": tanh,
    "tanh²": lambda x: tanh(x) ** 2,
    "x·tanh": lambda x: x * tanh(x),
    "gelu by tanh": lambda x: x * (1 + tanh(0.8 * (x + 0.045 * x**3))) / 2,
    "mish": lambda x: x * tanh(log1p(exp(x))),
    "log cosh": lambda x: log(cosh(x)),
    "sinh over cosh²": lambda x: sinh(x) / cosh(x) ** 2,
    "one over cosh and sinh": lambda x: 1 / (2 + cosh(x) + sinh(x)),
    # ---- rational functions and roots
    "Lorentz": lambda x: 1 / (1 + x**2),
    "Lorentz, apart": lambda x: 2 / (4 + (x - 1) ** 2),
    "Lorentz²": lambda x: 1 / (1 + x * x) ** 2,
    "dispersion": lambda x: x / (1 + x**2),
    "saturation": lambda x: x**2 / (2 + x**2),
    "saturation, by products": lambda x: x * x / (2 + x * x),
    "saturation⁴": lambda x: x**4 / (1 + x**4),
    "Student": lambda x: (1 + x**2 / 5) ** -3,
    "Student, a half": lambda x: (1 + x**2 / 4) ** -2.5,
    "Cauchy's log": lambda x: -log(1 + x**2),
    "arctan": arctan,
    "Lorentz of fourth power": lambda x: 1 / (1 + x**4),
    "rational": lambda x: (1 + x) / (1 + x**2),
    "rational of third order": lambda x: x**3 / (1 + x**2) ** 2,
    "rational of two": lambda x: (x**2 - 1) / (x**2 + 1),
    "x over length": lambda x: x / sqrt(1 + x**2),
    "x over length, by products": lambda x: x / sqrt(1 + x * x),
    "Lorentz factor": lambda x: 1 / sqrt(1 + x**2),
    "softsign squared": lambda x: x**2 / (1 + sqrt(1 + x**2)),
    "pseudo-Huber": lambda x: sqrt(1 + x**2) - 1,
    "arcsinh": arcsinh,
    "root of fourth power": lambda x: sqrt(1 + x**4),
    "Geman and McClure": lambda x: x**2 / (1 + x**2) / 2,
    "Welsch": lambda x: 1 - exp(-(x**2) / 2),
    "Runge": lambda x: 1 / (1 + 25 * x**2),
    "witch": lambda x: 8 / (x**2 + 4),
    "serpentine": lambda x: 3 * x / (x**2 + 9),
    "power of three factors": lambda x: x * x * x / (1 + x * x * x * x),
    "double well": lambda x: (x**2 - 1) ** 2 / (1 + x**4),
}
POSITIVE = {
    "Planck": lambda x: x**3 / (exp(x) - 1),
    "Planck, by wave length": lambda x: 1 / (x**5 * (exp(1 / x) - 1)),
    "Bose": lambda x: 1 / (exp(x) - 1),
    "Bose, stable": lambda x: x / expm1(x),
    "Einstein": lambda x: x**2 * exp(x) / (exp(x) - 1) ** 2,
    "Wien": lambda x: x**3 * exp(-x),
    "Langevin": lambda x: cosh(x) / sinh(x) - 1 / x,
    "coth": lambda x: 1 / tanh(x),
    "Hill": lambda x: x**2 / (1 + x**2),
    "Hill, constant": lambda x: x**4 / (3.0**4 + x**4),
    "Hill, a fraction": lambda x: x**2.7 / (1 + x**2.7),
    "Hill, falling": lambda x: 1 / (1 + (x / 2) ** 3),
    "Michaelis and Menten": lambda x: 3 * x / (2 + x),
    "Haldane": lambda x: x / (1 + x + x**2 / 4),
    "Monod": lambda x: x / (0.5 + x),
    "Maxwell": lambda x: x**2 * exp(-(x**2) / 2),
    "Rayleigh": lambda x: x * exp(-(x**2) / 2),
    "Weibull": lambda x: 1.5 * x**0.5 * exp(-(x**1.5)),
    "gamma density": lambda x: x**2.5 * exp(-x),
    "inverse gamma": lambda x: x**-3 * exp(-1 / x),
    "log-normal": lambda x: exp(-(log(x) ** 2) / 2) / x,
    "log-logistic": lambda x: 3 * x**2 / (1 + x**3) ** 2,
    "Pareto": lambda x: 2 / (1 + x) ** 3,
    "inverse Gauss": lambda x: sqrt(1 / x**3) * exp(-((x - 1) ** 2) / (2 * x)),
    "Fréchet": lambda x: exp(-1 / x) / x**2,
    "chi": lambda x: x**3 * exp(-(x**2) / 2),
    "beta prime": lambda x: x**2 / (1 + x) ** 5,
    "F density": lambda x: x / (1 + 0.5 * x) ** 4,
    "entropy": lambda x: x * log(x) / (1 + x),
    "Lennard-Jones": lambda x: 4 * (1 / x**12 - 1 / x**6),
    "Yukawa": lambda x: exp(-x) / x,
    "Morse": lambda x: (1 - exp(-(x - 1))) ** 2,
    "Debye": lambda x: x**4 * exp(x) / (exp(x) - 1) ** 2,
    "Arrhenius": lambda x: exp(-3 / x),
    "Arrhenius times a power": lambda x: x**2 * exp(-3 / x),
    "root over more": lambda x: sqrt(x) / (1 + x),
    "van Genuchten": lambda x: (1 + x**2) ** -0.5,
    "log of more": lambda x: log1p(x) / x,
    "Kepler": lambda x: sqrt(1 / x**3),
}
FORMULAS = {name: (f, (1, -1)) for name, f in EVERYWHERE.items()} | {
    name: (f, (1,)) for name, f in POSITIVE.items()
}
SIZES = (
    1e-250, 1e-200, 1e-160, 1e-110, 1e-80, 1e-30, 1e-9, 1e-3, 0.1, 0.7, 1.5, 4.0, 11.0, 30.0, 60.0,
    120.0, 180.0, 240.0, 300.0, 350.0, 360.0, 400.0, 720.0, 2e3, 1e6, 1e30, 1e80, 1e110, 1e155,
    1e200, 1e250,
)  # fmt: skip


# ---- formulas at random

GROW = (exp, cosh, sinh, square, lambda x: x**3, lambda x: exp(-x), lambda x: exp(-square(x)))
MILD = (tanh, sqrt, lambda x: 1 / x, lambda x: -x, lambda x: 2 * x, lambda x: log(1 + square(x)))
PAIRS = (
    lambda p, q: p * q, lambda p, q: p / q, lambda p, q: p / (1 + q), lambda p, q: p + q,
    lambda p, q: p - q, lambda p, q: p * q / (2 + p), lambda p, q: p / (q * q),
)  # fmt: skip


def random_formula(seed, x):
    """A product, quotient or sum of a few functions of x, as those above are."""
    rng, made = np.random.default_rng(seed), [x]
    for _ in range(rng.integers(2, 6)):
        one = rng.choice([*GROW, *MILD])(made[rng.integers(len(made))])
        both = one, made[rng.integers(len(made))]
        made += [one] if len(made) < 3 else [rng.choice(PAIRS)(*both)]
    return rng.choice(PAIRS)(made[-1], made[-2])
