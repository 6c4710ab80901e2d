"""Python functions: called once with symbols in place of arrays, they become graphs.

What a call decides by its numbers is kept as guards; a call with other answers takes another path.
The program of each path is kept for further calls with arguments of the same types.
"""

import functools
from collections.abc import Callable, Sequence
from typing import Any

from ..expr import HOOKS, Expr, LazyModule, called, decisions_now, watched
from .captured import Kept, Look, Unsure
from .decisions import Decisions, Guard
from .paths import Branches, Path, with_arguments
from .pytree import classes, tree_flatten, tree_unflatten
from .symbols import by_symbol, described, expressions_of, is_array, kind, symbols
from .taken_paths import Paths

surprises = LazyModule(f"{__package__}.surprises")


def traced(build: Callable[..., Any], f: Callable[..., Any]) -> Callable[..., Any]:
    """`build`, a function of expressions, as a function of arrays. f is what the user wrote.

    f is called once for each combination of types and for each path, and again when anything has
    changed that it reads; where that cannot be told, as with random draws, it is called every time.
    """
    tracer = Tracer(build, f)

    @functools.wraps(f)
    def call(*args: Any, **kwargs: Any) -> Any:
        leaves, structure = tree_flatten((args, kwargs))
        if any(isinstance(leaf, Expr) for leaf in leaves):
            return symbolic(build, f, leaves, structure)
        return tracer.call(leaves, structure)

    return showing(call, tracer, build)


def showing(call: Any, tracer: "Tracer", build: Callable[..., Any]) -> Callable[..., Any]:
    """The function with its paths to look at; `build` is what its film traces."""

    def film_path(*args: Any, **kwargs: Any) -> Any:
        """A call as a film: what each line asked, the answer, and what was needed by then.

        Parameters
        ----------
        *args, **kwargs : object
            The arguments of the call, which are numbers.

        Returns
        -------
        Film
            What a notebook shows, with a slider.
        """
        from .recording import recorded  # loaded when it is first needed

        leaves, structure = tree_flatten((args, kwargs))
        inputs = symbols(tracer.f, leaves, structure)
        trace = functools.partial(results, build, inputs, structure)
        return HOOKS["film_path"](*recorded(lambda: trace()[0], by_symbol(inputs, leaves)))

    call.paths = Paths(tracer.known)
    call.draw_paths, call.film_path = call.paths.draw, film_path
    return call


class Tracer:
    """What is remembered of a function: by the types of its arguments, the paths that it took."""

    def __init__(self, build: Callable[..., Any], f: Callable[..., Any]):
        self.build, self.f = build, f
        self.known, self.programs = Kept(), Kept()

    def call(self, leaves: list, structure: Any) -> Any:
        """The results for these arguments."""
        key, branches = self.branches(leaves, structure)
        values = [v for v in leaves if is_array(v)]
        found = branches.fitting(values)
        if found is None:
            path = self.trace(branches, leaves, structure)
            self.known.keep(key, branches)
            run = path.surely if branches.look is not None and path.repeats else path.unguarded
            found = path, run(*values)
        return tree_unflatten(found[0].structure, found[1])

    def branches(self, leaves: list, structure: Any) -> tuple[Any, Branches]:
        """The types of the arguments, and the paths for them that are known and still right."""
        key, now = (structure, tuple(map(kind, leaves))), look(self.f, leaves, structure)
        known = self.known.get(key)
        if now is None or known is None or known.look != now:
            known = Branches(now and self.shared(now))
        return key, known

    def trace(self, branches: Branches, leaves: list, structure: Any) -> Path:
        """The path that f takes with these arguments, among the others."""
        inputs = symbols(self.f, leaves, structure)
        numbers = by_symbol(inputs, leaves)
        surprises.tell_of_sets(self.f, inputs, structure)
        with watched() as reads, Decisions(numbers).used() as decisions:
            outputs, shape = results(self.build, inputs, structure)
        surprises.check_own(outputs, self.f)
        surprises.end(numbers)
        formula = decisions.formula or outputs
        branches.arguments = described(self.f, leaves, structure)
        path = Path(list(numbers), outputs, shape, decisions.guards, self.programs, formula)
        changed = bool(reads) or look(self.f, leaves, structure) != branches.look
        if changed or branches.look is None or (path.guards and path.is_open):
            branches.look, branches.paths = None, {}  # f changes what it reads
        path.repeats = not decisions.failed
        return branches.enter(path) if path.repeats else path

    def shared(self, now: Look) -> Look:
        """An equal look that is remembered already, so that arrays are kept once; else this one."""
        kept = next((b.look for b in list(self.known.values()) if b.look == now), None)
        return kept or now.keep()


def look(f: Callable[..., Any], leaves: Sequence[Any], structure: Any) -> Look | None:
    """What the graph depends on besides types, or None where that cannot be told: f may call the
    methods of containers."""
    try:
        rest = [leaf for leaf in leaves if not is_array(leaf)]
        return Look((f, *rest, *classes(structure)))
    except Unsure:
        return None


def results(build: Callable[..., Any], inputs: Sequence[Any], structure: Any) -> tuple[list, Any]:
    """What a function of these symbols returns: expressions, and the containers around them."""
    args, kwargs = tree_unflatten(structure, inputs)
    return expressions_of(build(*args, **kwargs))


def symbolic(build: Any, f: Any, leaves: list, structure: Any) -> Any:
    """The result for arguments that are expressions: expressions."""
    decisions = decisions_now.get() or Decisions({})
    guards, start = decisions.guards, len(decisions.guards)
    inputs = symbols(f, leaves, structure)
    given = by_symbol(inputs, leaves)
    decisions.stands_for.update(given)
    outputs, shape = results(build, inputs, structure)
    surprises.end(given)
    asked = guards[start:]
    found = with_arguments([*outputs, *(g.condition for g in asked)], given)
    conditions = found[len(outputs) :]
    guards[start:] = [g._replace(condition=c) for g, c in zip(asked, conditions, strict=True)]
    return tree_unflatten(shape, found[: len(outputs)])


def formula_at(f: Callable[..., Any], values: tuple) -> tuple[Any, list[Any], list[Guard]]:
    """What f returns for symbols in place of the arrays of an example: its result, the symbols,
    and what was decided by the numbers of the example."""
    leaves, structure = tree_flatten((values, {}))
    inputs = symbols(f, leaves, structure)
    numbers = by_symbol(inputs, leaves)
    with Decisions(numbers).used() as decisions:
        result = called(f, *tree_unflatten(structure, inputs)[0])
    return result, list(numbers), decisions.guards
