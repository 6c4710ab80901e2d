"""A program: a graph as the source of a Python function, and the function itself."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from ..expr import (
    Expr,
    Graph,
    Input,
    LazyModule,
    Shared,
    Stage,
    as_graph,
    cached_property,
    check_expressions,
    check_listed,
    quiet_collector,
)  # fmt: skip
from .source.numbers import by_numbers, is_written, only_numbers
from .source.scalar_functions import FUNCTIONS
from .source.text import Names, Order, Written

if TYPE_CHECKING:
    from .plan import Plan

listing = LazyModule(f"{__package__}.listing")


class Program:
    """A program in Python: `source` is the text, `run` the function that it defines.

    Its `function_text` is the text without the lines that import NumPy.
    Its `plan` says in which order it computes, and what it overwrites; `lines` tells which node a
    line of the source computes, `beside` what is computed in the same line, and `line_of` in which
    line a node is. Its `inputs` are its arguments, `updated` what it changes,
    and `bodies` the programs that it calls.

    For single numbers `source` is plain Python. Where `math` raises an error, NumPy answers inf or
    nan: then each node is evaluated by NumPy. The bodies of operations become programs of their
    own, which check nothing: they are called `within` others. Another program of numbers calls
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
        common: Any = None,
    ):
        self.graph, self.declared, self.name, self.listed = graph, declared or graph, name, listed
        self.inputs, self.updated, self.within = tuple(inputs), tuple(updated), within
        self.loop, self.target, self.answers = loop, target, answers
        self.fuse, self.check, self.common = fuse, check, common
        with quiet_collector(graph):
            written = self._written()
        self.text, self.run, self.function_text, self.numbers, self.numbers_source = written
        self.bodies = tuple(self.text.bodies)
        if check and not within:  # it tells the line
            listing.lines_of(self)

    def _written(self) -> Written:
        """The text: by numbers at once where that is all, else with arrays and bodies."""
        graph = self.graph
        if self.target == "numpy" and not (self.within or self.updated or self.check):
            values = (*self.inputs, *graph.order)
            if graph.outputs and only_numbers(values) and is_written(graph):
                order = Order(graph, tuple([n for n in graph.order if n.op is not None]))
                names = Names(order, self.inputs, self.name, self.listed, answers=self.answers)
                return by_numbers(names)
        from .bodies import written  # loaded with the first of them

        return written(self, partial(body_program, self))

    @cached_property
    def plan(self) -> "Plan":
        """In which order it computes, and what it overwrites."""
        from .plan import Plan  # loaded where numbers are all, when it is asked for

        return self.text.plan if isinstance(self.text.plan, Plan) else Plan(self.graph)

    @cached_property
    def source(self) -> str:
        """The text, and before it what it takes from math and NumPy."""
        return listing.head(self) + self.function_text

    @cached_property
    def lines(self) -> dict[int, Expr]:
        """The node that each line of the text computes."""
        return listing.lines_of(self)

    @cached_property
    def beside(self) -> dict[Expr, list[Expr]]:
        """What is computed in the line of each operation besides it."""
        return listing.beside(self)

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


def body_program(program: Program, common: Any, body: Graph, name: str, loop: Any) -> Program:
    """The program of an operation's body, or the loop around it."""
    how: dict[str, Any] = {"target": program.target, "fuse": program.fuse, "check": program.check}
    how |= {"within": True, "loop": loop, "common": common}
    return Program(body, body.inputs, name=name, **how)


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
