"""`explore`: from a formula as text to a page in which its derivative can be stepped through."""

from collections.abc import Iterable, Sequence

import autodiff_edu as ad

from ..show.scene import Explorer
from .expression import Refused, parse, told
from .show import given, named, way


def explorer(
    text: str, wrt: Sequence[str] = (), at: Iterable[str] = (), derivative: str | None = None
) -> Explorer:
    """The explorer of a formula.

    Parameters
    ----------
    text : str
        The formula: "x*x + (x - 2)".
    wrt : sequence of str, default: ()
        The names of the inputs; all of them by default.
    at : iterable of str, default: ()
        "x=3" or "w=[1, 2]": values, which also say what is an array.
    derivative : {'symbolic', 'forward', 'reverse'}, optional
        How it is differentiated.

    Returns
    -------
    Explorer
        What can be saved as a page.

    Raises
    ------
    Refused
        If a text is no formula or no value, or the formula has no such derivative.
    """
    values = given(at)
    of, inputs = parse(text, {name: v.shape for name, v in values.items()})
    variables = {name: named(name, inputs) for name in wrt or inputs}
    point = {named(name, inputs): v for name, v in values.items()}
    try:
        kind = way(variables, derivative) or ""
        return ad.explore(of, point, wrt=list(variables.values()), derivative=kind)
    except (ArithmeticError, TypeError, ValueError) as error:
        raise Refused(told(error)) from None
