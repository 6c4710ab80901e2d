"""The decorator that states an operation: `@op(...)` above its NumPy body."""

from collections.abc import Callable
from typing import Any

from ..core.record import OPS, Declared, of_house
from ..expr import register, shown
from .traits import check_body, check_fields, described

Rule = Callable[..., Any]


def op(*given: Any, **stated: Any) -> Callable[[Rule], Declared]:
    """State an operation once, above its NumPy body.

    Parameters
    ----------
    *given : None
        Nothing: what is stated has a name, and the body stands below.
    **stated : object
        What the operation states; see the notes.

    Returns
    -------
    callable
        A decorator, which makes the operation.

    Raises
    ------
    TypeError
        If something is stated that there is not, or has a value of another kind, if the
        parentheses are missing, or if no function stands below.

    Notes
    -----
    Arguments of the body without a default are the operands; those with a default, or given by
    name alone, are static parameters. What it may state:

    {fields}

    Examples
    --------
    >>> @ad.op(partials=lambda x, out: (3 * x**2,))
    ... def third_power(x):
    ...     return x**3
    >>> x = ad.scalar("x")
    >>> ad.grad(third_power(x), x)
    1 * (3 * (x ** 2))
    """
    if given:
        raise TypeError(f"ad.op makes a decorator, and was given {shown(given[0])}: "
                        "write @ad.op(), with parentheses, above the body")  # fmt: skip
    check_fields(stated)

    def declare(body: Rule) -> Declared:
        check_body(body)
        made = Declared(body, **stated)
        if of_house(body):
            OPS[made.name] = made
            register(made.name)(made)
        return made

    return declare


op.__doc__ = described(op.__doc__ or "")
