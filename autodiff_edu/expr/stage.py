"""What a pass leaves behind: a Stage, with one Step for everything that it did.

The log is the work. A rewriting pass logs what became what, and frame k is that log read up to
step k; a derivative pass logs what it built, and frame k is the graph grown so far.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from .expr import Expr
from .graph import Graph, as_graph
from .hooks import hooked
from .substitute import substitute


class Step(NamedTuple):
    """One application of one rule: `before` became `after`, or gave rise to it.

    Parameters
    ----------
    rule : str
        The rule's name.
    before : Expr
        What it was applied to.
    after : Expr
        What it gave.
    bindings : dict, default: {}
        What the rule's wildcards stood for.
    note : str, default: ''
        What may change, in words.
    needs : tuple of Expr, default: ()
        The conditions under which both are equal.
    cost : tuple of int, optional
        That of the whole graph, before and after, where the pass keeps account of it.

    Examples
    --------
    >>> x = ad.scalar("x")
    >>> ad.simplify(x * 1).steps[0]
    times one: x * 1 → x
    """

    rule: str
    before: Expr
    after: Expr
    bindings: Mapping[str, Expr] = {}
    note: str = ""
    needs: tuple[Expr, ...] = ()
    cost: tuple[int, int] | None = None

    def __repr__(self) -> str:
        return f"{self.rule}: {self.before} → {self.after}"


class Built(Mapping[str, Expr]):
    """The bindings of a step that builds: `of` which node its result is the derivative, and the
    `term` that it adds. (A dict would be four times as large, and there are millions.)"""

    __slots__ = ("of", "term")

    def __init__(self, of: Expr, term: Expr):
        self.of, self.term = of, term

    def __getitem__(self, name: str) -> Expr:
        if name not in self.__slots__:
            raise KeyError(name)
        return getattr(self, name)

    def __iter__(self) -> Iterator[str]:
        return iter(self.__slots__)

    def __len__(self) -> int:
        return 2


class Stage:
    """A pass over a graph: what it was given, what it made, and every step between.

    Parameters
    ----------
    name : str
        That of the pass.
    before : Graph
        What it was given.
    after : Graph, Plan or Program
        What it made.
    steps : list of Step, default: ()
        What it did.

    See Also
    --------
    simplify : A pass that makes a graph shorter.

    Examples
    --------
    >>> x = ad.scalar("x")
    >>> stage = ad.simplify(x * 1)
    >>> stage.before, stage.output
    (Graph(x -> x * 1), x)
    >>> stage.steps
    (times one: x * 1 → x,)
    """

    def __init__(self, name: str, before: Any, after: Any, steps: Sequence[Step] = ()):
        self.name, self.before, self.after, self.steps = name, before, after, tuple(steps)

    @property
    def graph(self) -> Graph:
        """The result as a graph; a plan or a program keeps the graph that it runs."""
        return as_graph(self)

    @property
    def outputs(self) -> tuple[Expr, ...]:
        """The result's outputs."""
        return self.graph.outputs

    @property
    def output(self) -> Expr:
        """The only output. Raises ValueError where there are several."""
        return self.graph.output

    @property
    def counts(self) -> Counter[str]:
        """How often each rule was used."""
        return Counter(step.rule for step in self.steps)

    def frames(self) -> Iterator[Graph]:
        """The graph before the first step and after each: one more than there are steps.

        Returns
        -------
        iterator of Graph
            Frame by frame.
        """
        return (self.frame(k) for k in range(len(self.steps) + 1))

    def frame(self, k: int) -> Graph:
        """The graph after k steps.

        Parameters
        ----------
        k : int
            How many steps.

        Returns
        -------
        Graph
            Frame 0 is the graph before the first step.
        """
        return as_graph(self.after if self.steps and k == len(self.steps) else self.before)

    draw, film, table, trace = hooked("draw"), hooked("film"), hooked("table"), hooked("trace")
    latex, evaluate = hooked("latex"), hooked("evaluate")

    def __repr__(self) -> str:
        count = f"{len(self.steps)} step" + ("s" if len(self.steps) != 1 else "")
        return f"Stage({self.name}: {count})"

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return self.draw()._repr_mimebundle_()


class Rewriting(Stage):
    """A pass that replaces: `log` tells what became what, in order, rebuilt ancestors included.

    Parameters
    ----------
    name : str
        That of the pass.
    before : Graph
        What it was given.
    after : Graph
        What it made.
    steps : list of Step
        What it did.
    log : list of tuple
        (what was, what it became).
    marks : list of int
        The length of the log just before each step, which is the entry there.
    """

    def __init__(
        self,
        name: str,
        before: Graph,
        after: Graph,
        steps: Sequence[Step],
        log: Sequence[tuple[Expr, Expr]],
        marks: Sequence[int],
    ):
        super().__init__(name, before, after, steps)
        self.log, self.marks = tuple(log), tuple(marks)

    def frame(self, k: int) -> Graph:
        """The graph after k steps: the log, read up to there.

        Parameters
        ----------
        k : int
            How many steps.

        Returns
        -------
        Graph
            Frame 0 is the graph before the first step.
        """
        if k == len(self.steps):
            return self.after
        outputs = substitute(self.before.outputs, dict(self.log[: self.marks[k]]))
        return Graph(outputs, self.before.inputs, self.before.names)


class Growing(Stage):
    """A pass that builds beside what is there, as forward and reverse mode do.

    Each step's bindings say `of` which node its `after` is the tangent, or the adjoint so
    far.

    Parameters
    ----------
    name : str
        That of the pass.
    before : Graph
        What it was given.
    after : Graph
        What it made.
    steps : list of Step
        What it did.
    mark : str
        What is put on a node's name for its derivative: x becomes x̄ or ẋ.
    """

    mark = ""  # what is put on a node's name for its derivative: x becomes x̄ or ẋ

    def __init__(self, name: str, before: Graph, after: Graph, steps: Sequence[Step], mark: str):
        super().__init__(name, before, after, steps)
        self.mark = mark

    def built(self, k: int) -> dict[Expr, Expr]:
        """The tangent or adjoint of each node that has one after k steps.

        Parameters
        ----------
        k : int
            How many steps.

        Returns
        -------
        dict
            The tangent or adjoint by node.
        """
        return {step.bindings["of"]: step.after for step in self.steps[:k]}

    def frame(self, k: int) -> Graph:
        """The graph after k steps, grown so far.

        Parameters
        ----------
        k : int
            How many steps.

        Returns
        -------
        Graph
            Frame 0 is the graph before the first step.
        """
        grown = self.built(k)
        names = tuple(n.name + self.mark if n.name else "" for n in grown)
        outputs = self.before.outputs + tuple(grown.values())
        return Graph(outputs, self.before.inputs, self.before.names + names)


class Pipeline:
    """Stages in a row: each begins with what the one before it made.

    Parameters
    ----------
    stages : list of Stage
        In this order.

    See Also
    --------
    pipeline : From a formula to a program.

    Examples
    --------
    >>> x = ad.scalar("x")
    >>> stages = ad.pipeline(x * x, x)
    >>> [stage.name for stage in stages]
    ['symbolic derivative', 'simplify', 'generate']
    """

    def __init__(self, stages: Sequence[Stage]):
        self.stages = tuple(stages)

    @cached_property
    def graphs(self) -> tuple[Graph, ...]:
        """The graph at the start and after each stage."""
        return (as_graph(self.stages[0].before), *map(as_graph, self.stages))

    @property
    def after(self) -> Any:
        """What the last stage made."""
        return self.stages[-1].after

    film, draw = hooked("film"), hooked("draw")

    def __getitem__(self, which: int | str) -> Stage:
        """A stage by its place or by its name."""
        if isinstance(which, int):
            return self.stages[which]
        return next(stage for stage in self.stages if stage.name == which)

    def __len__(self) -> int:
        return len(self.stages)

    def __iter__(self) -> Iterator[Stage]:
        return iter(self.stages)

    def __repr__(self) -> str:
        return f"Pipeline({' → '.join(stage.name for stage in self.stages)})"

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return self.draw()._repr_mimebundle_()
