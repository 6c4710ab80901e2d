"""A program: a graph as the source of a Python function, and the function itself."""

import re
from collections.abc import Callable, Sequence
from functools import cache, partial
from itertools import zip_longest
from typing import Any

import numpy as np

from ..expr import (
    Expr,
    Graph,
    Input,
    Shared,
    Stage,
    as_graph,
    check_expressions,
    check_listed,
    uncollected,
)  # fmt: skip
from ..nested import Branch
from .entry import entered, is_safe
from .input_guard import InputGuard
from .plan import Plan
from .source.common import Common
from .source.python_scalars import fits, gives_numbers, only_numbers, scalar_text, without_bodies
from .source.scalar_functions import FUNCTIONS, OF_MATH, of_python, once_more
from .source.target import target_of
from .source.writer import Source

FROM_MATH = rf"(?<![\w.])({'|'.join(OF_MATH)})\b"


class Program:
    """A program in Python: `source` is the text, `run` the function that it defines.

    Its `plan` says in which order it computes, and what it overwrites; `lines` tells which node a
    line of the source computes, `beside` what is computed in the same line, and `line_of` in which
    line a node is. Its `inputs` are its arguments, `updated` what it changes,
    and `bodies` the programs that it calls.

    For single numbers `source` is plain Python. Where `math` raises an error, NumPy answers inf or
    nan: then the same lines are run again with NumPy's functions or, if an operation has a body or
    is the user's, another text by NumPy. The bodies of operations become programs of their own,
    which check nothing: they are called `within` others. Another program of numbers calls
    `numbers`, whose text is `numbers_source`.

    Parameters
    ----------
    graph : Graph
        What is computed.
    inputs : list of Expr
        The arguments.
    declared : Graph, optional
        The graph as it was before simplification.
    name : str, default: 'program'
        That of the function.
    listed : bool, default: False
        Whether the result is a list, even of one.
    updated : list of Shared, default: ()
        What changes after each call.
    within : bool, default: False
        Whether it is called by another program.
    loop : object, optional
        The loop whose body it is.
    target : str, default: 'numpy'
        For what it is written.
    answers : tuple of bool or int, default: ()
        What the first outputs must be: where one is not, the result is (its place, what it is).
    fuse : bool, default: True
        Whether operations may be joined, see `Plan`.
    check : {'', 'nan'}, default: ''
        Whether it stops at the first nan or inf that no operand had.
    common : Common, optional
        What it has in common with the program within which it is.

    Examples
    --------
    >>> x = ad.scalar("x")
    >>> program = ad.generate(x * x).after
    >>> program(3.0), program.source.splitlines()[0]
    (9.0, 'def program(x):')
    """

    numbers: Callable[..., Any] | None

    @uncollected()
    def __init__(
        self,
        graph: Graph,
        inputs: Sequence[Any],
        declared: Graph | None = None,
        name: str = "program",
        listed: bool = False,
        updated: Sequence[Shared] = (),
        within: bool = False,
        loop: Any = None,
        target: str = "numpy",
        answers: tuple = (),
        fuse: bool = True,
        check: str = "",
        common: Common | None = None,
    ):
        common = common or Common()
        self.inputs, self.updated = tuple(inputs), tuple(updated)
        written = target_of(target)
        shared = loop[0].shared if loop and isinstance(loop[0], Branch) else None
        self.graph = graph
        in_place = written.in_place and not check
        fuse = fuse and in_place
        self.plan = Plan(graph, in_place, shared or (), fuse and shared is None)
        inner = partial(body_program, target=target, fuse=fuse, check=check, common=common)
        text = written(
            self.plan, inputs, name, listed, updated, inner, within, loop, answers, check, common
        )
        guard = partial(InputGuard, declared or graph, inputs, accept=written.accept)
        self.numbers, self.numbers_source = None, ""
        numbers = target == "numpy" and only_numbers(text)
        self.run, self.source = self._loaded(text, guard, within, shared is not None, numbers)
        self.text, self.bodies, self.target = text, tuple(text.bodies), target
        head = imports(self.source) if target == "numpy" and not within else ""
        self.lines = lines_of(text, self.source, head.count("\n"))
        self.beside, self.source = beside(text, self.source), head + self.source

    def _loaded(
        self, text: Source, guard: Any, within: bool, side: bool, numbers: bool
    ) -> tuple[Callable[..., Any], str]:
        """The function, and its text; `numbers` says that all values are single numbers."""
        accept = guard(numbers=False)
        if text.check and not within and gives_numbers(text):
            run, source = of_arrays(text, accept)
            return plain(lambda: run, within), source
        if numbers and not text.check:
            return self._by_numbers(text, accept, guard(numbers=True), within, side)
        return of_arrays(text, accept)

    def _by_numbers(
        self, text: Source, accept: InputGuard, accept_numbers: InputGuard, within: bool, side: bool
    ) -> tuple[Callable[..., Any], str]:
        """The program in plain Python where all its operations can be written in it; `side` says
        that it is called by a branch of single numbers."""
        if not within and without_bodies(text):
            by_numpy = cache(lambda: of_arrays(text, accept)[0])
            space = {**text.space, **FUNCTIONS, "accept": accept_numbers}
            same_lines = not text.guards.asked and is_safe(text.plan.order)
            slow = of_values(plain(by_numpy, within))
            return of_numbers(text, space, once_more(slow) if same_lines else slow)
        run, written = of_arrays(text, accept)
        if not fits(text):
            return run, written
        space = {**text.space, **text.numbers, **FUNCTIONS, "accept": accept_numbers}
        if not within or side:
            careful = np.errstate(all="ignore")(run) if within else run
            slow = of_values(plain(lambda: careful, within))
            by_numbers = of_numbers(text, space, slow)
            self.numbers, self.numbers_source = by_numbers
        return of_numbers(text, space, of_values(run), strict=True) if within else by_numbers

    def line_of(self, n: Expr) -> int:
        """The line of the source that computes a node: the first, where there are several.

        Parameters
        ----------
        n : Expr
            A node of the graph, or of the body of one of its operations.

        Returns
        -------
        int
            The number of the line.

        Raises
        ------
        KeyError
            If no line computes it, as a leaf.

        Examples
        --------
        >>> x = ad.scalar("x")
        >>> y = x * x
        >>> ad.generate(ad.sin(y) + y).after.line_of(y)
        8
        """
        lines = self.lines.items()
        found = [k for k, m in lines if any(i is n for i in (m, *self.beside.get(m, ())))]
        if not found:
            raise KeyError(f"no line of the program computes {n}")
        return min(found)

    @property
    def space(self) -> dict[str, Any]:
        """What the names in the text mean, in bodies, too."""
        inner = [name for body in self.bodies for name in body.space.items()]
        return {**FUNCTIONS, **dict(inner), **self.text.space}

    def __call__(self, *values: Any) -> Any:
        return self.run(*values)

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise TypeError("pickle cannot store a program: store stage.graph, or ad.portable(f) of "
                        "f = ad.function(inputs, outputs)")  # fmt: skip

    def __copy__(self) -> "Program":
        return self  # a program never changes

    def __deepcopy__(self, memo: dict) -> "Program":
        return self

    def __repr__(self) -> str:
        return self.source


def body_program(body: Graph, name: str, loop: Any, **how: Any) -> Program:
    """The program of an operation's body, or the loop around it."""
    return Program(body, body.inputs, name=name, within=True, loop=loop, **how)


def of_arrays(text: Source, accept: InputGuard) -> tuple[Callable[..., Any], str]:
    """The program by NumPy, and its text with those of bodies before it."""
    written = text.text()
    run = load(written, text.space | {"accept": accept.entry}, text.function)
    return text.finished(entered(run, text), accept), together(
        [before for before, _ in text.before], written
    )


def of_numbers(
    text: Source, space: dict[str, Any], careful: Any, strict: bool = False
) -> tuple[Callable[..., Any], str]:
    """The program in plain Python, and its text with those of bodies before it; a strict one gives
    NumPy's numbers, for a program of arrays. Where one of its functions fails, `careful` is called
    with it and its arguments."""
    written = scalar_text(text, strict)
    run = load(written, space | {"careful": careful}, text.function)
    return run, together([numbers for _, numbers in text.before], written)


def imports(source: str) -> str:
    """The first lines of a text: what it takes from math and NumPy."""
    names = set(re.findall(FROM_MATH, source)) if "return careful(" in source else ()
    lines = [f"from math import {', '.join(sorted(names))}"] if names else []
    lines += ["import numpy as np"] if "np." in source else []
    return "\n\n".join(lines) + "\n\n\n" if lines else ""


def lines_of(text: Source, source: str, above: int = 0) -> dict[int, Expr]:
    """The node that each line of the whole text computes, those of bodies before it included, if
    so many lines stand above it."""
    found: dict[int, Expr] = {}
    by_numbers = bool(text.scalar) and source.endswith(text.scalar)
    for program, texts in zip_longest(text.bodies, text.before):
        if program is not None:  # a target may make none
            found |= lines_of(program.text, program.source, above)
        above += texts[by_numbers].count("\n") + 2
    text.above = above
    own = text.number_lines if by_numbers else text.lines
    return found | {above + line: n for line, n in own.items()}


def beside(text: Source, source: str) -> dict[Expr, list[Expr]]:
    """What is computed in the line of each operation besides it, in bodies, too."""
    found: dict[Expr, list[Expr]] = {}
    for body in text.bodies:
        found |= body.beside
    by_numbers = bool(text.scalar) and source.endswith(text.scalar)
    for inner, n in (text.inlined if by_numbers else text.plan.swallowed).items():
        found.setdefault(n, []).append(inner)
    return found


def together(before: Sequence[str], text: str) -> str:
    return "\n\n".join([*before, text])


def load(text: str, space: dict[str, Any], name: str) -> Callable[..., Any]:
    """The function that a source text defines. Every name in the text is one that we chose."""
    exec(compile(text, f"<{name}>", "exec"), space)
    return space[name]


def of_values(careful: Callable[..., Any]) -> Callable[..., Any]:
    """What a program calls with itself and its arguments: another one, with its arguments as
    NumPy's numbers, for of Python's 1.0 / 0.0 is an error and (-2.0) ** 0.5 complex."""

    def called(function: Callable[..., Any], *values: Any) -> Any:
        return careful(*[np.float64(v) if type(v) is float else v for v in values])

    return called


def plain(made: Callable[[], Callable[..., Any]], within: bool) -> Callable[..., Any]:
    """The function that is made, with results that are Python's own numbers."""

    def careful(*values: Any) -> Any:
        result = made()(*values)
        if isinstance(result, tuple) and not within:  # a guard's
            return result
        several = isinstance(result, (list, tuple))
        return [*map(of_python, result)] if several else of_python(result)

    return careful


class Generated(Stage):
    """A stage whose result is a program."""

    after: Program


def generate(
    what: Any, inputs: Sequence[Expr] | None = None, *, target: str = "numpy"
) -> Generated:
    """Python source for a graph.

    Parameters
    ----------
    what : Graph, Stage, Expr or list of Expr
        What is computed.
    inputs : list of Expr, optional
        In the order of the arguments; by default as they appear.
    target : {'numpy', 'jax'}, default: 'numpy'
        For what the program is written.

    Returns
    -------
    Stage
        `stage.after` is a Program, which prints as its source.

    Raises
    ------
    ValueError
        If there is no such target.
    MissingInputError
        If an input is not listed.

    See Also
    --------
    function : A function at once.

    Examples
    --------
    >>> x = ad.scalar("x")
    >>> print(ad.generate(x * x).after)
    def program(x):
        if type(x) is not float:
            x, = accept(x)
        try:
            v1 = x * x
            return v1
        except (ValueError, OverflowError, ZeroDivisionError):
            return careful(program, x)
    <BLANKLINE>
    """
    graph = as_graph(what)
    ins = graph.inputs if inputs is None else check_expressions(inputs)
    check_listed([n for n in graph.leaves if isinstance(n, Input)], ins)
    return Generated("generate", graph, Program(graph, ins, target=target))
