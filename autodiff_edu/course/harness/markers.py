"""The markers of what students write: ### BEGIN SOLUTION ... ### END SOLUTION, as in nbgrader."""

import re

STUB = r"\1# YOUR CODE HERE\n\1raise NotImplementedError()"
SOLUTION = re.compile(r"^([ ]*)### BEGIN SOLUTION\n.*?^[ ]*### END SOLUTION$", re.M | re.S)
MARKER = re.compile(r"^[ ]*###\s*(?:BEGIN|END)\b.*\n", re.M)


def without_solutions(text: str) -> str:
    """The text as students get it."""
    return SOLUTION.sub(STUB, text)


def without_markers(text: str) -> str:
    """The text with its solutions, as if nobody had marked them."""
    return MARKER.sub("", text)
