"""Moré, Garbow and Hillstrom's test functions (ACM TOMS 7(1), 1981), as a student writes them.

Plain NumPy, loops and indices: each runs on a vector of floats, of complex numbers, of objects
with their own arithmetic, and on an expression. Each is a sum of squares of residuals.
"""

from typing import Any, NamedTuple

import numpy as np


def rosenbrock(x):
    return (10 * (x[1] - x[0] ** 2)) ** 2 + (1 - x[0]) ** 2


def freudenstein_roth(x):
    first = -13 + x[0] + ((5 - x[1]) * x[1] - 2) * x[1]
    second = -29 + x[0] + ((x[1] + 1) * x[1] - 14) * x[1]
    return first**2 + second**2


def powell_badly_scaled(x):
    return (1e4 * x[0] * x[1] - 1) ** 2 + (np.exp(-x[0]) + np.exp(-x[1]) - 1.0001) ** 2


def brown_badly_scaled(x):
    return (x[0] - 1e6) ** 2 + (x[1] - 2e-6) ** 2 + (x[0] * x[1] - 2) ** 2


def beale(x):
    y = [1.5, 2.25, 2.625]
    total = 0.0
    for i in range(3):
        total += (y[i] - x[0] * (1 - x[1] ** (i + 1))) ** 2
    return total


def jennrich_sampson(x):
    total = 0.0
    for i in range(1, 11):
        total += (2 + 2 * i - (np.exp(i * x[0]) + np.exp(i * x[1]))) ** 2
    return total


def helical_valley(x):
    """The angle in turns, from -1/4 to 3/4; the paper leaves x1 = 0 out."""
    turns = np.arctan(x[1] / x[0]) / (2 * np.pi) + np.where(x[0] > 0, 0.0, 0.5)
    radius = np.sqrt(x[0] ** 2 + x[1] ** 2)
    return (10 * (x[2] - 10 * turns)) ** 2 + (10 * (radius - 1)) ** 2 + x[2] ** 2


def helical_valley_by_half_angle(x):
    """The same without a branch, and defined at x1 = 0 < x2: the tangent of half the angle."""
    radius = np.sqrt(x[0] ** 2 + x[1] ** 2)
    turns = 0.25 - np.arctan(x[0] / (radius + x[1])) / np.pi
    return (10 * (x[2] - 10 * turns)) ** 2 + (10 * (radius - 1)) ** 2 + x[2] ** 2


def helical_valley_by_arctan2(x):
    """The same with arctan2, whose own jump at -1/2 is moved to -1/4; not for complex numbers."""
    turns = np.arctan2(x[1], x[0]) / (2 * np.pi)
    turns = np.where(turns < -0.25, turns + 1, turns)
    radius = np.sqrt(x[0] ** 2 + x[1] ** 2)
    return (10 * (x[2] - 10 * turns)) ** 2 + (10 * (radius - 1)) ** 2 + x[2] ** 2


def bard(x):
    y = [0.14, 0.18, 0.22, 0.25, 0.29, 0.32, 0.35, 0.39, 0.37, 0.58, 0.73, 0.96, 1.34, 2.1, 4.39]
    total = 0.0
    for i in range(15):
        u, v = i + 1, 15 - i
        total += (y[i] - (x[0] + u / (v * x[1] + min(u, v) * x[2]))) ** 2
    return total


def gaussian(x):
    y = [0.0009, 0.0044, 0.0175, 0.054, 0.1295, 0.242, 0.3521, 0.3989]
    total = 0.0
    for i in range(15):
        t = (7 - i) / 2
        total += (x[0] * np.exp(-x[1] * (t - x[2]) ** 2 / 2) - y[min(i, 14 - i)]) ** 2
    return total


def box(x):
    total = 0.0
    for i in range(10):
        t = 0.1 * (i + 1)
        y = np.exp(-t) - np.exp(-10 * t)
        total += (np.exp(-t * x[0]) - np.exp(-t * x[1]) - x[2] * y) ** 2
    return total


def powell_singular(x):
    total = (x[0] + 10 * x[1]) ** 2
    total += (np.sqrt(5) * (x[2] - x[3])) ** 2
    total += (x[1] - 2 * x[2]) ** 4
    total += (np.sqrt(10) * (x[0] - x[3]) ** 2) ** 2
    return total


def wood(x):
    total = (10 * (x[1] - x[0] ** 2)) ** 2 + (1 - x[0]) ** 2
    total += (np.sqrt(90) * (x[3] - x[2] ** 2)) ** 2 + (1 - x[2]) ** 2
    total += (np.sqrt(10) * (x[1] + x[3] - 2)) ** 2 + ((x[1] - x[3]) / np.sqrt(10)) ** 2
    return total


def kowalik_osborne(x):
    y = [0.1957, 0.1947, 0.1735, 0.16, 0.0844, 0.0627, 0.0456, 0.0342, 0.0323, 0.0235, 0.0246]
    u = [4, 2, 1, 0.5, 0.25, 0.167, 0.125, 0.1, 0.0833, 0.0714, 0.0625]
    total = 0.0
    for i in range(11):
        fraction = (u[i] ** 2 + u[i] * x[1]) / (u[i] ** 2 + u[i] * x[2] + x[3])
        total += (y[i] - x[0] * fraction) ** 2
    return total


def brown_dennis(x):
    total = 0.0
    for i in range(20):
        t = (i + 1) / 5
        along, across = x[0] + t * x[1] - np.exp(t), x[2] + x[3] * np.sin(t) - np.cos(t)
        total += (along**2 + across**2) ** 2
    return total


def osborne_1(x):
    y = [
        0.844, 0.908, 0.932, 0.936, 0.925, 0.908, 0.881, 0.85, 0.818, 0.784, 0.751,
        0.718, 0.685, 0.658, 0.628, 0.603, 0.58, 0.558, 0.538, 0.522, 0.506, 0.49,
        0.478, 0.467, 0.457, 0.448, 0.438, 0.431, 0.424, 0.42, 0.414, 0.411, 0.406,
    ]  # fmt: skip
    total = 0.0
    for i in range(33):
        t = 10 * i
        total += (y[i] - (x[0] + x[1] * np.exp(-t * x[3]) + x[2] * np.exp(-t * x[4]))) ** 2
    return total


def biggs_exp6(x):
    total = 0.0
    for i in range(13):
        t = 0.1 * (i + 1)
        y = np.exp(-t) - 5 * np.exp(-10 * t) + 3 * np.exp(-4 * t)
        model = x[2] * np.exp(-t * x[0]) - x[3] * np.exp(-t * x[1]) + x[5] * np.exp(-t * x[4])
        total += (model - y) ** 2
    return total


def watson(x):
    n = len(x)
    total = x[0] ** 2 + (x[1] - x[0] ** 2 - 1) ** 2
    for i in range(29):
        t = (i + 1) / 29
        slope = sum(j * t ** (j - 1) * x[j] for j in range(1, n))
        value = sum(t**j * x[j] for j in range(n))
        total += (slope - value**2 - 1) ** 2
    return total


def extended_rosenbrock(x):
    total = 0.0
    for i in range(0, len(x), 2):
        total += (10 * (x[i + 1] - x[i] ** 2)) ** 2 + (1 - x[i]) ** 2
    return total


def penalty_1(x):
    return 1e-5 * np.sum((x - 1) ** 2) + (np.sum(x**2) - 0.25) ** 2


def variably_dimensioned(x):
    weighed = np.sum(np.arange(1, len(x) + 1) * (x - 1))
    return np.sum((x - 1) ** 2) + weighed**2 + weighed**4


def trigonometric(x):
    n = len(x)
    cosines = np.sum(np.cos(x))
    total = 0.0
    for i in range(n):
        total += (n - cosines + (i + 1) * (1 - np.cos(x[i])) - np.sin(x[i])) ** 2
    return total


def broyden_tridiagonal(x):
    n = len(x)
    total = 0.0
    for i in range(n):
        residual = (3 - 2 * x[i]) * x[i] + 1
        if i > 0:
            residual -= x[i - 1]
        if i < n - 1:
            residual -= 2 * x[i + 1]
        total += residual**2
    return total


class Published(NamedTuple):
    """The paper's number, starting point and minimum value (six digits) of a function.

    Where the paper does not print the place of a minimum it is NIST's certified one (StRD MGH09
    and MGH17), Gonum's (optimize/functions) or funconstrain's. The last digit may be off by one.
    """

    number: int
    f: Any
    start: list
    minimum: float
    minimiser: list
    digits: int = 16
    saddle: bool = False


PUBLISHED = [
    Published(1, rosenbrock, [-1.2, 1], 0, [1, 1]),
    Published(2, freudenstein_roth, [0.5, -2], 0, [5, 4]),
    Published(2, freudenstein_roth, [0.5, -2], 48.9842, [11.41, -0.8968], 4),
    Published(3, powell_badly_scaled, [0, 1], 0, [1.098e-5, 9.106], 4),
    Published(4, brown_badly_scaled, [1, 1], 0, [1e6, 2e-6]),
    Published(5, beale, [1, 1], 0, [3, 0.5]),
    Published(6, jennrich_sampson, [0.3, 0.4], 124.362, [0.2578, 0.2578], 4),
    Published(7, helical_valley, [-1, 0, 0], 0, [1, 0, 0]),
    Published(8, bard, [1, 1, 1], 8.21487e-3, [0.08241056, 1.133036, 2.343695], 7),
    Published(9, gaussian, [0.4, 1, 0], 1.12793e-8, [0.3989561378, 1.000019084, 0], 10),
    Published(12, box, [0, 10, 20], 0, [1, 10, 1]),
    Published(13, powell_singular, [3, -1, 0, 1], 0, [0, 0, 0, 0]),
    Published(14, wood, [-3, -1, -3, -1], 0, [1, 1, 1, 1]),
    Published(
        15, kowalik_osborne, [0.25, 0.39, 0.415, 0.39], 3.07505e-4,
        [0.19280693458, 0.19128232873, 0.12305650693, 0.13606233068], 11,
    ),
    Published(
        16, brown_dennis, [25, 5, -5, -1], 85822.2,
        [-11.59443990, 13.20363005, -0.4034394882, 0.2367787745], 10,
    ),
    Published(
        17, osborne_1, [0.5, 1.5, -1, 0.01, 0.02], 5.46489e-5,
        [0.37541005211, 1.9358469127, -1.4646871366, 0.012867534640, 0.022122699662], 11,
    ),
    Published(  # no minimum: the start has x1 = x5 and x3 = x6, and no gradient leaves that plane
        18, biggs_exp6, [1, 2, 1, 1, 1, 1], 5.65565e-3,
        [1.711415995, 17.68319818, 1.163143661, 5.186561551, 1.711415995, 1.163143661], 10, True,
    ),
    Published(18, biggs_exp6, [1, 2, 1, 1, 1, 1], 0, [1, 10, 1, 5, 4, 3]),
    Published(
        20, watson, [0] * 6, 2.28767e-3,
        [-0.01572508645, 1.012434869, -0.2329916237, 1.260430080, -1.513728913, 0.9929964286], 10,
    ),
    Published(21, extended_rosenbrock, [-1.2, 1] * 4, 0, [1] * 8),
    Published(23, penalty_1, [1, 2, 3, 4], 2.24997e-5, [0.2500074996] * 4, 10),
    Published(25, variably_dimensioned, [0.8, 0.6, 0.4, 0.2, 0], 0, [1] * 5),
    Published(
        26, trigonometric, [0.1] * 10, 0,
        [
            0.04296456438, 0.04397628748, 0.04509339795, 0.04633891625, 0.04774438178,
            0.04935473251, 0.05123734850, 0.1952094639, 0.1649776653, 0.06014857784,
        ], 10,
    ),
    Published(  # where one arrives from the start, says Gonum
        26, trigonometric, [0.1] * 10, 2.79506e-5,
        [
            0.0551509, 0.0568406, 0.0587640, 0.0609906, 0.0636262,
            0.0668432, 0.2081615, 0.1643631, 0.0850069, 0.0914315,
        ], 6,
    ),
    Published(
        30, broyden_tridiagonal, [-1] * 5, 0,
        [-0.5648284, -0.6662737, -0.6609170, -0.5950500, -0.4162011], 7,
    ),
]  # fmt: skip
