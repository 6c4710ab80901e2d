"""Long files come first, so that no worker is alone with one when the others have ended.

`dev.py test` gives a file to one worker, in this order. Those that take ten seconds of CPU time or
more are named, the longest first. `--durations=0` says how long a test takes.
"""

LONGEST = (
    "test_book test_wrong_answers test_loop_nesting test_grading test_instructor test_style "
    "17_memory test_transplant test_exercises_are_graded test_nothing_lost test_exercises "
    "test_right_answers 11_training test_own_faults test_published test_starter test_memory "
    "test_long_chains test_checker 08_cost_model test_changed"
).split()
FOLDERS = {*"notebooks book course whole house".split()}  # in which files take long


def place(path):
    """The place of a file: its name is in the list, or its folder is, or it is short."""
    if path.stem in LONGEST:
        return LONGEST.index(path.stem)
    return len(LONGEST) + FOLDERS.isdisjoint(path.parts)
