"""`In` and `Out`: an input or an output of a function, with what else is said of it."""

from typing import Any

from ..core import Variable


class In:
    """An input: its variable, its name, a default value, and an update of it."""

    def __init__(
        self,
        variable: Any,
        name: str | None = None,
        value: Any = None,
        update: Any = None,
        mutable: bool | None = None,
        strict: bool = False,
        allow_downcast: bool | None = None,
        autoname: bool = True,
        implicit: bool | None = None,
        borrow: bool | None = None,
        shared: bool = False,
    ):
        self.variable, self.value, self.update = variable, value, update
        self.name = variable.name if name is None else name
        self.strict, self.allow_downcast, self.borrow = strict, allow_downcast, borrow
        self.mutable, self.implicit = mutable, implicit


class Out:
    """An output: its variable; `borrow` lets the caller see memory that the function may reuse."""

    def __init__(self, variable: Any, borrow: bool = False):
        self.variable, self.borrow = variable, borrow


class Param(In):
    """An input, as Theano before 0.8 stated it: the default value comes before the name."""

    def __init__(self, variable: Any, default: Any = None, name: str | None = None, **how: Any):
        super().__init__(variable, name, default, **how)


SymbolicInput, SymbolicOutput = In, Out


def as_in(given: Any) -> In:
    """What stands in the list of inputs: a variable, an In, or (variable, default). A name may
    stand before them, and (variable, update) in the place of the variable."""
    if isinstance(given, In):
        return given
    if isinstance(given, (list, tuple)) and len(given) in (2, 3):
        variable, value = given[-2:]
        name = given[0] if len(given) == 3 else None
        pair = variable if isinstance(variable, (list, tuple)) else (variable, None)
        return In(pair[0], value=value, update=pair[1], name=name)
    if isinstance(given, Variable):
        return In(given)
    raise TypeError(f"Unknown parameter type: {type(given).__name__} ({given!r}); the inputs are "
                    "listed first, function([x], y)")  # fmt: skip


__all__ = ["In", "Out", "Param", "SymbolicInput", "SymbolicOutput", "as_in"]
