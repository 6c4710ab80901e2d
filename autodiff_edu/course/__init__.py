"""The course: checkers for exercises, one file a lecture, and student versions of exercises.

Takes: what a student wrote. Gives: one line where it is right, and otherwise a message that says
what is wrong, what was got, and at which input. A checker hands over plain NumPy arrays, fresh ones
each time, and compares what comes back with a property or with the engine: there is no answer in
it that could leak. It runs in a process of its own, within limits (`harness/checker.py`).
`python -m autodiff_edu.course` makes the student versions; nbgrader can take them, but is not
needed. `python -m autodiff_edu.course build my_engine` begins an engine of a student's own.
"""

from typing import NoReturn

from .build_your_own.check import check_engine
from .build_your_own.files import reference_file, start_engine
from .harness.check import check_found, check_function, check_gradient, check_pullback
from .harness.counting import check_multiplications, counted
from .harness.feedback import Unsolved, Wrong, expect
from .harness.guard import watched
from .harness.limits import limited
from .harness.questions import Questions, questions
from .lectures.lecture_01 import check_counts, check_sentences, check_shared
from .lectures.lecture_02 import Formula, check_slope, check_steps
from .lectures.lecture_03 import check_derivative, check_sizes, check_swollen
from .lectures.lecture_04 import check_direction, check_pairs
from .lectures.lecture_05 import FACTORS, check_sweep, random_tape, values_on
from .lectures.lecture_06 import check_chain, check_enough, check_overlap, check_terms
from .lectures.lecture_07 import check_confluence, check_own_rule
from .lectures.lecture_08 import check_calls, check_growth, check_ratio
from .lectures.lecture_09 import check_adjoint
from .lectures.lecture_10 import Lambda, check_deceptive, check_detector, check_kinks, check_taylor
from .lectures.lecture_11 import check_learning_rule, check_overfit
from .lectures.lecture_12 import check_disguise, check_rescue, exact, without
from .lectures.lecture_13 import check_rule
from .lectures.lecture_14 import Network, check_override, check_remainder, check_symbolic
from .lectures.lecture_15 import check_loop, check_products
from .lectures.lecture_16 import (
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
from .lectures.lecture_17 import (
    check_fewest,
    check_room,
    check_schedule,
    play,
)
from .lectures.lecture_18 import check_coloring, check_hessian_product, check_index_sets
from .lectures.lecture_19 import (
    check_blocks,
    check_counts_of_lines,
    check_misleading,
    check_peak,
)
from .lectures.lecture_20 import (
    check_implicit_pullback,
    check_sensitivity,
    check_solve_pullback,
    check_stubborn,
)
from .lectures.lecture_21 import check_clipped_slope, check_moved, check_narrow, check_updates
from .lectures.lecture_22 import check_liars, check_one_path, check_path_counts
from .lectures.more.lecture_01_rounds import check_rounds, check_sequence
from .lectures.more.lecture_03_merged import check_merged
from .lectures.more.lecture_05_topological_order import check_order, random_graph
from .lectures.more.lecture_07_bad_rules import (
    check_circle,
    check_costlier,
    check_deceptive_rule,
    check_expression_growth,
)
from .lectures.more.lecture_07_conditions import check_conditions
from .lectures.more.lecture_07_make_it_fire import check_fired
from .lectures.more.lecture_13_program import check_program
from .lectures.more.lecture_17_memory import check_marked, check_states, states
from .lectures.more.lecture_18_read_off import check_compressed, check_uphill
from .lectures.more.lecture_19_reuse import check_reuse
from .lectures.more.lecture_20_early import check_early_stop
from .lectures.more.lecture_22_boundary import check_boundary
from .predictions.by_lecture import predict
from .predictions.of_stages import predict_number, predict_operations, predict_step
from .predictions.prediction import Miss, Prediction

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
    "FACTORS", "Formula", "Lambda", "Miss", "Network", "Prediction", "Questions", "Unsolved",
    "Wrong", "check_adjoint", "check_baseline", "check_blocks", "check_boundary", "check_calls",
    "check_chain", "check_circle", "check_clipped_slope", "check_coin", "check_coloring",
    "check_compressed", "check_conditions", "check_confluence", "check_costlier",
    "check_counts", "check_counts_of_lines", "check_deceptive", "check_deceptive_rule",
    "check_derivative", "check_detector", "check_direction", "check_disguise",
    "check_early_stop", "check_engine", "check_enough", "check_expression_growth",
    "check_fewest", "check_fired", "check_found", "check_function", "check_gradient",
    "check_growth", "check_hessian_product", "check_implicit_pullback", "check_index_sets",
    "check_kinks", "check_learning_rule", "check_liars", "check_loop", "check_marked",
    "check_merged", "check_misleading", "check_moved", "check_multiplications", "check_narrow",
    "check_one_path", "check_order", "check_overfit", "check_overlap", "check_override",
    "check_own_rule", "check_pairs", "check_path", "check_path_counts", "check_peak",
    "check_products", "check_program", "check_pullback", "check_ratio", "check_reading",
    "check_remainder", "check_repaired", "check_rescue", "check_reuse", "check_room",
    "check_rounds", "check_rule", "check_schedule", "check_score", "check_sensitivity",
    "check_sentences", "check_sequence", "check_shared", "check_sizes", "check_slope",
    "check_solve_pullback", "check_spreads", "check_states", "check_steps", "check_stubborn",
    "check_sweep", "check_swollen", "check_symbolic", "check_taylor", "check_terms",
    "check_updates", "check_uphill", "counted", "exact", "expect", "exponential_law", "limited",
    "normal_law", "over_normal", "play", "predict", "predict_number", "predict_operations",
    "predict_step", "questions", "random_graph", "random_tape", "reference_file",
    "start_engine", "states", "values_on", "watched", "without",
]  # fmt: skip
