"""The course: checkers for exercises, one file a lecture, and student versions of exercises.

Takes: what a student wrote. Gives: silence where it is right, and otherwise a sentence that names
the input, the expected and the found value. A checker hands over plain NumPy arrays, fresh ones
each time, and compares what comes back with a property or with the engine: there is no answer in
it that could leak. `python -m autodiff_edu.course` makes the student versions; nbgrader can take
them, but is not needed.
"""

from typing import NoReturn

from .harness.check import check_found, check_function, check_gradient, check_pullback
from .harness.counting import check_multiplications, counted
from .harness.feedback import Unsolved, Wrong, expect
from .harness.guard import watched
from .lecture_02 import Formula, check_slope, check_steps
from .lecture_04 import check_direction, check_pairs
from .lecture_05 import FACTORS, check_sweep, random_tape, values_on
from .lecture_05_topological_order import check_order, random_graph
from .lecture_07 import check_conditions, check_confluence, check_own_rule
from .lecture_07_bad_rules import (
    check_circle,
    check_costlier,
    check_deceptive_rule,
    check_expression_growth,
)
from .lecture_08 import check_calls, check_growth, check_ratio
from .lecture_09 import check_adjoint
from .lecture_10 import Lambda, check_deceptive, check_detector, check_kinks, check_taylor
from .lecture_12 import check_disguise, check_rescue, exact, without
from .lecture_13 import check_program, check_rule
from .lecture_14 import Network, check_override, check_remainder, check_symbolic
from .lecture_15 import check_loop, check_products
from .lecture_16 import (
    check_baseline,
    check_coin,
    check_path,
    check_reading,
    check_repaired,
    check_score,
    check_spreads,
    exponential_law,
    normal_law,
    over_normal,
)
from .lecture_17 import (
    check_fewest,
    check_marked,
    check_room,
    check_schedule,
    check_states,
    play,
    states,
)

RENAMED = {
    "check_heavier": "check_costlier",
    "check_sly": "check_deceptive",
    "check_sly_rule": "check_deceptive_rule",
    "check_swell": "check_expression_growth",
}


def __getattr__(name: str) -> NoReturn:
    """Raise AttributeError, with the new name of what was renamed."""
    if name in RENAMED:
        raise AttributeError(f"course.{name} is called course.{RENAMED[name]} now")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = [
    "FACTORS", "Formula", "Lambda", "Network", "Unsolved", "Wrong", "check_adjoint",
    "check_baseline", "check_calls", "check_circle", "check_coin", "check_conditions",
    "check_confluence", "check_costlier", "check_deceptive", "check_deceptive_rule",
    "check_detector", "check_direction", "check_disguise", "check_expression_growth",
    "check_fewest", "check_found", "check_function", "check_gradient", "check_growth",
    "check_kinks", "check_loop", "check_marked", "check_multiplications", "check_order",
    "check_override", "check_own_rule", "check_pairs", "check_path", "check_products",
    "check_program", "check_pullback", "check_ratio", "check_reading", "check_remainder",
    "check_repaired", "check_rescue", "check_room", "check_rule", "check_schedule", "check_score",
    "check_slope", "check_spreads", "check_states", "check_steps", "check_sweep", "check_symbolic",
    "check_taylor", "counted", "exact", "expect", "exponential_law", "normal_law", "over_normal",
    "play", "random_graph", "random_tape", "states", "values_on", "watched", "without",
]  # fmt: skip
