"""What holds for every test: how notebooks are compared, and that chance is repeatable.

    python -m pytest tests/test_random_programs.py --hypothesis-profile=nightly

draws anew, and ten times as much; so does HYPOTHESIS_PROFILE=nightly before any other command.
"""

import os

from hypothesis import settings

settings.register_profile("house", deadline=None, derandomize=True, print_blob=False)
settings.register_profile("nightly", deadline=None, max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "house"))


def pytest_collection_modifyitems(items):
    """Notebooks show numbers."""
    for item in items:
        if item.path.suffix == ".ipynb":
            item.add_marker("numeric")


def pytest_collectstart(collector):
    """Compare a picture by its text, not by its markup.

    The text/plain of a graph lists every node and edge and ends with a digest of the DOT that the
    picture was drawn from, so a changed picture changes the text.
    """
    if type(collector).__name__ == "IPyNbFile":
        collector.skip_compare += ("image/svg+xml", "text/html")
