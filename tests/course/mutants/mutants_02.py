"""Wrong solutions of the exercises on three ways to a derivative, by task."""

TWO = "def forward(f, x, h): return {}\ndef central(f, x, h): return {}"
FORWARD, CENTRAL = "(f(x + h) - f(x)) / h", "(f(x + h) - f(x - h)) / (2 * h)"
EXACT = "f(complex(x, 1e-20)).imag / 1e-20"
ENGINE = """
def forward(f, x, h):
    t = ad.scalar("t")
    return ad.evaluate(ad.grad(f(t), t), {t: x}) + h


def central(f, x, h): return (f(x + h) - f(x - h)) / (2 * h)
"""

quotients = [
    TWO.format(FORWARD, FORWARD),
    TWO.format(CENTRAL, CENTRAL),
    TWO.format("f(x + h) - f(x)", CENTRAL),
    TWO.format(FORWARD, "(f(x + h) - f(x - h)) / h"),
    TWO.format(FORWARD, "(f(x + h) - f(x - h / 2)) / (1.5 * h)"),
    TWO.format(EXACT, EXACT),
    TWO.format("(f(x + 1e-5) - f(x)) / 1e-5", CENTRAL),
    TWO.format("(f(x) - f(x - h)) / h", CENTRAL),
    TWO.format(FORWARD, "(4 * f(x + h) - f(x + 2 * h) - 3 * f(x)) / (2 * h)"),
    ENGINE,
]

FOURTH = """
def fourth(f, x, h):
    narrow = (f(x + h) - f(x - h)) / (2 * h)
    wide = (f(x + 2 * h) - f(x - 2 * h)) / (4 * h)
    return {}
"""
fourth = [
    FOURTH.format("narrow"),
    FOURTH.format("(narrow + wide) / 2"),
    FOURTH.format("2 * narrow - wide"),
    FOURTH.format("narrow + wide"),
    FOURTH.format("(4 * wide - narrow) / 3"),
    f"def fourth(f, x, h): return {EXACT}",
]

STEPS = "def best_steps(f0, f2, f3): u = 2.0**-53; return {}"
steps = [
    STEPS.format("1e-8, 1e-5"),
    STEPS.format("1e-16, 1e-16"),
    STEPS.format("2 * (u / f2) ** (1 / 2), (3 * u / f3) ** (1 / 3)"),
    STEPS.format("(3 * u * f0 / f3) ** (1 / 3), 2 * (u * f0 / f2) ** (1 / 2)"),
    STEPS.format("u * f0 / f2, u * f0 / f3"),
    STEPS.format("-1e-8, 1e-5"),
    STEPS.format("1e-8"),
]

KINK = "def kink(): return {}"
kink = [
    KINK.format("abs, 0.0"),
    KINK.format("(lambda t: t), 0.0"),
    KINK.format("(lambda t: t + (t > 0)), 0.0"),
    KINK.format("(lambda t: t if t else 5.0), 0.0"),
    KINK.format("(lambda t: max(t, 0.0)), 0.0"),
    KINK.format("(lambda t: t + abs(t)), 1.0"),
]

COMPLEX = "def complex_step(f, x): return {}"
complex_step = [
    COMPLEX.format("(f(x + 1e-8) - f(x)) / 1e-8"),
    COMPLEX.format("(f(x + 1e-5) - f(x - 1e-5)) / 2e-5"),
    COMPLEX.format("f(complex(x, 1e-8)).imag / 1e-8"),
    COMPLEX.format("f(complex(x, 1e-20)).imag"),
    COMPLEX.format("f(complex(x, 1e-20)).real / 1e-20"),
    "def complex_step(f, x): return by_the_engine(f, x)",
]

FOOLED = "def fooled(): return {}"
fooled = [
    FOOLED.format("abs, 2.0"),
    FOOLED.format("np.sin, 1.0"),
    FOOLED.format("(lambda t: abs(t) ** 3), 0.0"),
    FOOLED.format("(lambda t: t + abs(t - 1)), 1.0"),
    FOOLED.format("(lambda t: np.round(t, 3)), 1.5"),
]

MUTANTS = {
    "quotients": quotients,
    "fourth": fourth,
    "steps": steps,
    "kink": kink,
    "complex": complex_step,
    "fooled": fooled,
}
