"""Functions of the checkers in the place of a student's: a check closes its own to students."""

from types import FunctionType


def own(function):
    """The same function, as if its author had written it in a notebook."""
    names = {**function.__globals__, "__name__": "__main__"}
    parts = function.__name__, function.__defaults__, function.__closure__
    return FunctionType(function.__code__, names, *parts)
