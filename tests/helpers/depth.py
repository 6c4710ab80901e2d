"""How many cases a test tries: of those that are alike `python3 dev.py test` takes some, and
`... --all` takes all.

A test states its full number. A profile of Hypothesis says how much of it is drawn:

    for seed in range(draws(60)): ...        # 3, 60 or 600 of them
    for seed in range(draws(60, least=12))   # 12, 60 or 600 of them
    @settings(max_examples=draws(300))       # 15, 300 or 3000
    @given(...)                              # without settings: 5, 100 or 1000

    LENGTH = length(8_000)                   # of a chain whose work shall be linear: 2,000 or all
    for lecture in some(LECTURES, 4):        # one in four of them, or all
    for mode in some(MODES, 3, turn=k):      # the k-th of them, and again from the first; or all

The profiles are `short`, which is the default, `full`, and `nightly`, which draws anew each time.
HYPOTHESIS_PROFILE=full before any command chooses one, and so does --hypothesis-profile.
"""

import os

from hypothesis import settings

FULL = 100  # examples of a property that does not say how many
REPEATABLE = settings(deadline=None, derandomize=True, print_blob=False)
settings.register_profile("short", REPEATABLE, max_examples=FULL // 20)
settings.register_profile("full", REPEATABLE, max_examples=FULL)
settings.register_profile("nightly", deadline=None, max_examples=10 * FULL)


def load():
    """Choose the profile that the environment names; an option of pytest may choose once more."""
    settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "short"))


def is_short():
    """Say whether this profile leaves something out."""
    return settings.default.max_examples < FULL


def length(number):
    """Of a chain that long, as long a one as this profile makes: a quarter, or all of it."""
    return max(1, number // 4) if is_short() else number


def some(cases, of, turn=0):
    """Of these cases, as many as this profile tries: one in so many, or all. At each turn they
    begin with another one."""
    return [*cases][turn % of :: of] if is_short() else [*cases]


def draws(number, least=1):
    """Of that many random examples, as many as this profile draws: at least so many."""
    return max(least, -(-number * settings.default.max_examples // FULL))
