"""Python functions: called once with symbols in place of arrays, they become graphs.

What a call decides by its numbers is kept as guards; a call with other answers takes another path.
The program of each path is kept for further calls with arguments of the same types.
"""

import functools
import types
from collections.abc import Callable, Sequence
from typing import Any

from ..expr import HOOKS, Expr, LazyModule, Remembered, called, decisions_now, signature, watched
from .calls import Calls
from .captured import Look
from .decisions import Decisions, Guard
from .kept import Kept
from .paths import Branches, Path, with_arguments
from .probes import same
from .promise import Pure, broken_promise
from .pytree import classes, tree_flatten, tree_unflatten
from .symbols import by_symbol, described, expressions_of, is_array, kind, symbols
from .taken_paths import Paths
from .unsure import Unsure
from .ways import Ways

surprises = LazyModule(f"{__package__}.surprises")


def traced(
    build: Callable[..., Any], f: Callable[..., Any], options: tuple | None = None
) -> Callable[..., Any]:
    """`build`, a function of expressions, as a function of arrays. f is what the user wrote, and
    `options` all else that makes a difference: what was made with the same code and options before
    lends its paths.

    f is called once for each combination of types and for each path, and again when anything has
    changed that it reads; where that cannot be told, as with random draws, it is called every time.
    """
    tracer = Tracer(build, f, lender(f, options))
    calls, ways, checks = tracer.calls, tracer.ways, tracer.checks

    @functools.wraps(f)
    def call(*args: Any, **kwargs: Any) -> Any:
        values = None
        if not kwargs:
            read, look, branches = ways.latest
            values = read(args) if branches.look is look else None
            if values is None:
                values, branches = ways.of(args)
        if values is not None and not (checks and tracer.is_due()):
            fit = branches.fitting(values)
            if fit is not None:
                calls.count += 1
                return fit[0].grow(fit[1])
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
    call.calls = tracer.calls
    return call


class Tracer(Remembered):
    """The memory of a function: by the types of its arguments, the paths that it took."""

    def __init__(
        self, build: Callable[..., Any], f: Callable[..., Any], lender: Kept | None = None
    ):
        self.build, self.f = build, f
        self.checks = isinstance(f, Pure) and f.check
        self.lender = Kept() if lender is None else lender
        self.known, self.programs = Kept(), Kept()
        self.ways = Ways()
        self.calls = Calls(f)

    def call(self, leaves: list, structure: Any) -> Any:
        """The results for these arguments."""
        key, branches = self.branches(leaves, structure)
        if self.is_due() and branches.paths:
            self.check(branches, leaves, structure)
        self.calls.count += 1
        values = [v for v in leaves if is_array(v)]
        fit = branches.fitting(values) or self.lent(key, branches, values)
        again = fit is not None
        if fit is None:
            path = self.trace(branches, leaves, structure)
            self.known.keep(key, branches)
            run = path.surely if branches.look is not None and path.repeats else path.unguarded
            fit = path, run(*values)
            self.lend(key, branches, path, values)
        if len(values) == len(leaves):
            self.ways.enter(structure, leaves, branches, again)
        return fit[0].grow(fit[1])

    def branches(self, leaves: list, structure: Any) -> tuple[Any, Branches]:
        """The types of the arguments, and the paths for them that are known and still right."""
        key = structure, tuple(map(kind, leaves))
        known = self.known.get(key)
        rest = [leaf for leaf in leaves if not is_array(leaf)]
        before = known.look if known else None  # which another thread may take away
        if known and before and same(rest, known.rest) and before.probes.hold():
            return key, known
        now = self.look(rest, structure)
        if isinstance(now, Look) and known is not None and before == now:
            known.look, known.rest = now.keep(before), rest  # the probes of the latest look
            return key, known
        if isinstance(now, Unsure):
            branches = Branches(None, rest)
            branches.why = self.calls.unsure(now)
        else:
            branches = Branches(self.shared(now), rest)
            branches.why = self.calls.changed(known, now)
        return key, branches

    def look(self, rest: Sequence[Any], structure: Any) -> Look | Unsure:
        """A look at all that the graph depends on besides types, and arrays among the arguments; or
        why that cannot be told: f may call the methods of containers."""
        try:
            return Look((self.f, *rest, *classes(structure)))
        except Unsure as unsure:
            return unsure
        except RecursionError:
            return Unsure("what it reads is nested too deep to be looked at")

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
        path = Path(list(numbers), outputs, shape, decisions.guards, self.programs, formula,
                    decisions.hessians)  # fmt: skip
        self.calls.note(branches.why or f"for {branches.arguments}")
        before, after = branches.look, self.look(branches.rest, structure)
        if before is not None and (reads or after != before):
            self.calls.changing(reads, before, after)
            branches.look = None
        if branches.look is None or (path.guards and path.is_open):
            branches.look, branches.paths = None, {}
        path.repeats = not decisions.failed
        return branches.enter(path) if path.repeats else path

    def is_due(self) -> bool:
        """Is a promise to be tested at this call? It is at those number 2, 4, 8 and so on."""
        n = self.calls.count + 1
        return self.checks and n > 1 and not n & (n - 1)

    def check(self, branches: Branches, leaves: list, structure: Any) -> None:
        """Trace once more. Raises ValueError if the graph is another one."""
        path = self.trace(Branches(branches.look, branches.rest), leaves, structure)
        before = branches.paths.get(path.answers)
        if before is not None and signature(path.outputs, path.inputs) != signature(
            before.outputs, before.inputs
        ):
            raise ValueError(broken_promise(self.f, before, path))

    def lent(self, key: Any, branches: Branches, values: list) -> tuple[Path, list] | None:
        """A path that was traced for another derivative of the same code, and its results, if the
        code reads the same by now."""
        lender = self.lender_of(key, branches.look)
        fit = lender.fitting(values) if lender else None
        if lender is None or fit is None:
            return None
        branches.arguments = lender.arguments
        self.known.keep(key, branches)
        return branches.enter(fit[0].anew(values)), fit[1]

    def lend(self, key: Any, branches: Branches, path: Path, values: list) -> None:
        """Keep a path for derivatives of the same code that are made later."""
        if branches.look is None or not path.repeats:
            return
        lender = self.lender_of(key, branches.look)
        if lender is None:
            lender = Branches(branches.look, branches.rest)
            lender.arguments = branches.arguments
            self.lender.keep(key, (*self.lender.get(key, ()), lender)[-STATES:])
        lender.enter(path.anew(values))

    def lender_of(self, key: Any, look: Look | None) -> Branches | None:
        """The paths that were traced where all was as in this look."""
        lenders = self.lender.get(key, ()) if look else ()
        return next((lender for lender in lenders if lender.look == look), None)

    def shared(self, now: Look) -> Look:
        """An equal look that is remembered already, so that arrays are kept once; else this one,
        which has the arrays of one that was equal until now."""
        equal = next((b.look for b in list(self.known.values()) if b.look == now), None)
        return equal if equal and equal.probes.hold() else now.keep(equal)


INSIDE = {"func": functools.partial, "__func__": types.MethodType, "function": Pure}
STATES = 4  # of what a function reads, for which paths are lent
LENDERS = Kept()  # by the code of a function and the options of its derivative


def lender(f: Any, options: tuple | None) -> Kept:
    """The paths that derivatives of the same code have traced, by the types of arguments; those of
    another function, or of the same one made anew."""
    while within := [getattr(f, name) for name in INSIDE if isinstance(f, INSIDE[name])]:
        (f,) = within
    code = getattr(f, "__code__", None)
    options = options if isinstance(code, types.CodeType) else None
    paths = LENDERS.get((code, options)) if options is not None else None
    if paths is None:
        paths = Kept()
        if options is not None:
            LENDERS.keep((code, options), paths)
    return paths


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
