"""A program: a graph as the source of a Python function, and the function itself."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..expr import Expr, Graph, LazyModule, Shared, cached_property, quiet_collector
from .source.numbers import written
from .source.scalar_functions import FUNCTIONS

if TYPE_CHECKING:
    from .plan import Plan
    from .source.text import Written

bodies = LazyModule(f"{__package__}.bodies")  # where something is no number
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
            text: Written = written(self) or bodies.written(self)
        self.text, self.run, self.function_text, self.numbers, self.numbers_source = text
        self.bodies = tuple(self.text.bodies)
        if check and not within:  # it tells the line
            listing.lines_of(self)

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
