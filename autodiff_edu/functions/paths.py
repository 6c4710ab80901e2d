"""The paths of a function: for each way through its branches a graph, its guards, its program.

A program asks its own questions in their order, and leaves at the first that is answered otherwise.
That answer leads to the path to try next, so that no path is tried that differs earlier.
"""

import copy
from collections.abc import Mapping, Sequence
from operator import attrgetter
from typing import Any

from ..expr import HOOKS, Expr, Graph, Input, as_graph, cached_property, put_in, signature
from .captured import Look
from .decisions import Decisions, Guard, runs
from .kept import KEPT, Kept
from .symbols import as_expression
from .thin_calls import grower

taken = attrgetter("taken")


class Path:
    """One way through a function: what it computes, and the answers under which that is right.

    Parameters
    ----------
    inputs : list of Input
        The symbols for its arguments.
    outputs : list of Expr
        What it computes.
    structure : object
        The containers of the results.
    guards : list of Guard
        The answers, in the order of the questions.
    programs : dict
        The programs of the function; equal graphs share one.
    formula : list of Expr
        What the user's function returned, of which the outputs may be derivatives.
    hessians : list of tuple, default: ()
        Outputs that are Hessians, of which cost, by what, and what simplifies the gradient.

    Examples
    --------
    >>> slope = ad.grad(lambda x: x**2 if x > 0 else -x)
    >>> slope(3.0)
    6.0
    >>> path = slope.paths[0]
    >>> path.formula.output, path.answers, path.taken
    (x ** 2, (True,), 1)
    """

    def __init__(
        self,
        inputs: Sequence[Input],
        outputs: Sequence[Expr],
        structure: Any,
        guards: Sequence[Guard],
        programs: Kept,
        formula: Sequence[Expr],
        hessians: Sequence[tuple] = (),
    ):
        self.inputs, self.outputs, self.structure = tuple(inputs), tuple(outputs), structure
        self.grow = grower(structure)  # the result of the list of outputs' values
        self.guards, self.programs, self.returned = tuple(guards), programs, tuple(formula)
        self.hessians = {h: rest for h, *rest in hessians}
        self.choices: list[str] = []  # of its program, in words
        self.answers = tuple([g.answer for g in guards])
        self.taken = 0  # how often
        self.repeats = True  # is it right wherever its answers are the same?

    def anew(self, values: Sequence[Any]) -> "Path":
        """A path like this one for another call, not taken yet.

        Parameters
        ----------
        values : list of array
            Those of the inputs in that call, by which its guards are shown.

        Returns
        -------
        Path
            It has the graph and the program of this one.

        Examples
        --------
        >>> slope = ad.grad(lambda x: x * x)
        >>> slope(3.0)
        6.0
        >>> slope.paths[0].anew([4.0]).taken
        0
        """
        path = copy.copy(self)
        path.taken = 0
        if self.guards:
            met = Decisions(dict(zip(self.inputs, values, strict=True))).operands
            path.guards = tuple([guard._replace(numbers=met) for guard in self.guards])
        return path

    @property
    def graph(self) -> Graph:
        """What its program computes."""
        return Graph(self.outputs, self.inputs)

    @property
    def formula(self) -> Graph:
        """What the user's function returned, before derivatives."""
        return Graph(self.returned, self.inputs)

    def __repr__(self) -> str:
        head = f"path taken {times(self.taken)}: {', '.join(map(str, self.returned))}"
        guards = [line for run in self.runs() for line in in_words(run)]
        return "\n    ".join([head, *self.choices, *guards])

    def runs(self) -> list[list[Guard]]:
        """The guards; those that follow each other, of one line and with one answer, together.

        Returns
        -------
        list of list of Guard
            In their order.

        Examples
        --------
        >>> slope = ad.grad(lambda x: sum(x for k in range(9) if x > k))
        >>> slope(3.5)
        4.0
        >>> [(len(run), run[0].answer) for run in slope.paths[0].runs()]
        [(4, True), (5, False)]
        """
        return runs(self.guards)

    @property
    def is_open(self) -> bool:
        """Does it need symbols that are none of its inputs, and so give expressions?"""
        return not set(as_graph(self.outputs).inputs) <= set(self.inputs)

    @cached_property
    def program(self) -> Any:
        """The function of its inputs' values.

        It gives a list or, where an answer is another one, the pair (place of the guard, its
        answer).
        """
        return self.compiled(self.guards)

    @cached_property
    def unguarded(self) -> Any:
        """The same, but it asks nothing."""
        return self.compiled(())

    @cached_property
    def computed(self) -> list[Expr]:
        """The outputs as its program computes them: Hessians by colours, where that is cheaper."""
        choices = [
            HOOKS["by_colors"](y, *self.hessians[y]) if y in self.hessians else (y, "")
            for y in self.outputs
        ]
        self.choices += [words for _, words in choices if words]
        return [y for y, _ in choices]

    def compiled(self, guards: Sequence[Guard]) -> Any:
        """The program that asks these guards, from those that are remembered if it is there.

        Parameters
        ----------
        guards : list of Guard
            All of them, or none.

        Returns
        -------
        callable
            The function of the inputs' values.

        Examples
        --------
        >>> slope = ad.grad(lambda x: x**2 if x > 0 else -x)
        >>> slope(3.0)
        6.0
        >>> slope.paths[0].compiled(())(4.0)
        [8.0]
        """
        if self.is_open:
            return lambda *values: with_arguments(self.outputs, dict(zip(self.inputs, values)))
        conditions, answers = [g.condition for g in guards], self.answers[: len(guards)]
        key = signature([*conditions, *self.outputs], self.inputs), answers
        run = self.programs.get(key)
        if run is None:
            run = HOOKS["guarded"](self.inputs, self.computed, conditions, answers)
        self.programs.keep(key, run)
        return run

    def surely(self, *values: Any) -> list:
        """The results, for values with which it was traced.

        Its program may round otherwise than the trace, and so find another answer: that of the
        trace counts.

        Parameters
        ----------
        *values : array
            Those of the inputs.

        Returns
        -------
        list of array
            The outputs.

        Examples
        --------
        >>> slope = ad.grad(lambda x: x**2 if x > 0 else -x)
        >>> slope(3.0)
        6.0
        >>> slope.paths[0].surely(4.0)
        [8.0]
        """
        found = self.program(*values)
        return self.unguarded(*values) if type(found) is tuple else found


def in_words(run: Sequence[Guard]) -> list[str]:
    """A line for each guard; of more than three, the first and the last."""
    if len(run) <= 3:
        return list(map(str, run))
    return [str(run[0]), f"... and {len(run) - 2:,} times more, the last of them", str(run[-1])]


def times(n: int) -> str:
    return "once" if n == 1 else f"{n} times"


def with_arguments(outputs: Sequence[Expr], given: Mapping[Input, Any]) -> list[Expr]:
    return put_in(outputs, {i: as_expression(v) for i, v in given.items()})


class Branches:
    """The paths for arguments of the same types, by their answers."""

    def __init__(self, look: Look | None, rest: Sequence[Any] = ()):
        self.look = look  # what the function read, beside its arguments, when they were traced
        self.rest = rest  # the arguments that are no arrays
        self.paths: dict[tuple, Path] = {}
        self.latest: Path | None = None
        self.dropped = 0
        self.arguments = ""  # in words
        self.why = ""  # they were traced, if not since arguments of these types are new

    def fitting(self, values: Sequence[Any]) -> tuple[Path, list] | None:
        """The path that fits these values, and its results."""
        path = self.latest
        while path is not None:
            try:
                found = path.program(*values)
            except Exception:
                if not path.guards:
                    raise
                return None  # perhaps of a question, and the function catches it
            if type(found) is list:
                path.taken += 1
                self.latest = path
                return path, found
            path = self.beyond(path, *found)
        return None

    def beyond(self, path: Path, k: int, answer: Any) -> Path | None:
        """A path with the same answers up to the k-th, and this one there."""
        try:
            start = (*path.answers[:k], type(path.answers[k])(answer))
        except (ValueError, OverflowError):  # int(nan)
            return None
        fits = [p for p in list(self.paths.values()) if p.answers[: k + 1] == start]
        return max(fits, key=taken, default=None)

    def enter(self, path: Path) -> Path:
        """The path with these answers that is known, or this one. The least used is dropped."""
        known = self.paths.setdefault(path.answers, path)
        self.latest = known
        known.taken += 1
        if len(self.paths) > KEPT:
            rarest = min([p for p in list(self.paths.values()) if p is not known], key=taken)
            self.dropped += self.paths.pop(rarest.answers, None) is not None
        return known
