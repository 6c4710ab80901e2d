"""`portable`: a function of this package as an object that travels to another process."""

from collections.abc import Sequence
from inspect import signature
from typing import Any

from ..expr import Graph, hook, shown
from .compiled import Compiled
from .function import compiled


def portable(fn: Any) -> "Portable":
    """The function as an object that can be pickled, and sent to another process.

    What travels is the graph and the options. The program is written anew where the object is
    loaded, by the version that is installed there. Shared values and random streams travel with
    their values of that moment. Functions that are pickled together go on sharing them.

    Parameters
    ----------
    fn : callable
        A function that `function` made, for any target.

    Returns
    -------
    Portable
        It is called like the function, and gives the same results.

    Raises
    ------
    TypeError
        If the function was made in another way.

    See Also
    --------
    function : What makes such a function.

    Examples
    --------
    >>> import pickle
    >>> x = ad.scalar("x")
    >>> f = ad.portable(ad.function(x, x * x))
    >>> pickle.loads(pickle.dumps(f))(3.0)
    9.0
    """
    if isinstance(fn, Portable):
        return fn
    if isinstance(fn, Compiled):
        return Portable(fn)
    raise TypeError(
        f"ad.portable takes what ad.function made, not {shown(fn)}: make an expression of it, "
        "and pass ad.portable(ad.function(inputs, expression))"
    )


class Portable:
    """A function that can be pickled: see `portable`.

    Parameters
    ----------
    function : Compiled
        The function itself.

    Examples
    --------
    >>> x = ad.scalar("x")
    >>> f = ad.portable(ad.function(x, x * x))
    >>> f(3.0), f.function(3.0)
    (9.0, 9.0)
    """

    def __init__(self, function: Compiled):
        self.function = function

    def __reduce__(self) -> tuple:
        return revived, self.function.portrait()

    def __call__(self, /, *values: Any, **named: Any) -> Any:
        return self.function(*values, **named)

    @property
    def source(self) -> str:
        """The text of the program that runs here."""
        return self.function.source

    def __repr__(self) -> str:
        return f"portable({self.function.func.__name__}{signature(self.function)})"


def revived(*portrait: Any) -> Portable:
    """The object, where it is loaded."""
    return Portable(restored(*portrait))


@hook("compiled_again")
def restored(whole: Graph, names: Sequence[str], count: int, options: tuple) -> Compiled:
    """The function of a stored graph, whose last outputs are the shared values that it changes."""
    declared = Graph(whole.outputs[:count], whole.inputs, names)
    return compiled(declared, whole.outputs[count:], *options)
