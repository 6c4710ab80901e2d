"""Floor 7, coursework: checkers for exercises, and student versions of exercise notebooks.

A checker hands the student's function plain NumPy arrays, fresh ones each time, and compares what
comes back with a property or with the engine. There is no answer in it that could leak, and what
it says names the input, the expected and the found value. `python -m autodiff_edu.course` makes
the student versions; nbgrader can take them, but is not needed.
"""

from .accuracy import check_disguise, check_rescue, exact, without
from .adjoint import check_adjoint
from .check import check_found, check_function, check_gradient, check_pullback
from .cost import check_calls, check_growth, check_ratio
from .counting import check_multiplications, counted
from .difference import Formula, check_slope, check_steps
from .estimators import (
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
from .forward import check_direction, check_pairs
from .guard import watched
from .harmful import check_circle, check_heavier, check_sly_rule, check_swell
from .memory import (
    check_fewest,
    check_marked,
    check_room,
    check_schedule,
    check_states,
    play,
    states,
)
from .order import check_order, random_graph
from .own import Network, check_override, check_remainder, check_symbolic
from .recurrent import check_loop, check_products
from .rewriting import check_conditions, check_confluence, check_own_rule
from .rules import check_program, check_rule
from .suspects import Lambda, check_detector, check_kinks, check_sly, check_taylor
from .tape import FACTORS, check_sweep, random_tape, values_on
from .wrong import Unsolved, Wrong, expect

__all__ = [
    "FACTORS", "Formula", "Lambda", "Network", "Unsolved", "Wrong", "check_adjoint",
    "check_baseline", "check_calls", "check_circle", "check_coin", "check_conditions",
    "check_confluence", "check_detector", "check_direction", "check_disguise", "check_fewest",
    "check_found", "check_function", "check_gradient", "check_growth", "check_heavier",
    "check_kinks", "check_loop", "check_marked", "check_multiplications", "check_order",
    "check_override", "check_own_rule", "check_pairs", "check_path", "check_products",
    "check_program", "check_pullback", "check_ratio", "check_reading", "check_remainder",
    "check_repaired", "check_rescue", "check_room", "check_rule", "check_schedule", "check_score",
    "check_slope", "check_sly", "check_sly_rule", "check_spreads", "check_states", "check_steps",
    "check_sweep", "check_swell", "check_symbolic", "check_taylor", "counted", "exact", "expect",
    "exponential_law", "normal_law", "over_normal", "play", "random_graph", "random_tape", "states",
    "values_on", "watched", "without",
]  # fmt: skip
