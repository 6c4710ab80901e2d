"""Functions that act by the class of what they are given. The views, which register their ways with
them, are loaded with the first thing of another class than expressions and graphs."""

from functools import cache, singledispatch, wraps
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING

from ..expr import Expr, Graph

PLAIN = (Expr, Graph)

if TYPE_CHECKING:
    by_class = singledispatch
else:

    def by_class(plain):
        """As `singledispatch`: `plain` is the way of expressions, of graphs, and of all that has no
        other."""

        @wraps(plain)
        def otherwise(thing, *args, **options):
            load_views()
            way = act.dispatch(type(thing))
            return (plain if way is otherwise else way)(thing, *args, **options)

        act = singledispatch(otherwise)
        for kind in PLAIN:
            act.register(kind, plain)
        return act


@cache
def load_views() -> None:
    """Import every view, so that a new kind of picture is one new file."""
    views = import_module(f"{__package__}.views")
    for module in iter_modules(views.__path__):
        import_module(f"{views.__name__}.{module.name}")
