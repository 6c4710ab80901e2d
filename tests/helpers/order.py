"""Long files come first, so that no worker is alone with one when the others have ended.

`dev.py test` gives a file to one worker, in this order. Those that take six seconds of CPU time or
more are named, the longest first. `--durations=0` says how long a test takes.
"""

LONGEST = (
    "test_book test_style test_grading test_instructor 17_memory 11_training test_nothing_lost "
    "test_checker test_slides test_own_faults test_rules test_wrong_answers test_transplant "
    "test_app test_lite 12_stability test_deterministic test_readings test_published"
).split()
FOLDERS = {*"notebooks book course whole house".split()}  # in which files take long


def place(path):
    """The place of a file: its name is in the list, or its folder is, or it is short."""
    if path.stem in LONGEST:
        return LONGEST.index(path.stem)
    return len(LONGEST) + FOLDERS.isdisjoint(path.parts)
