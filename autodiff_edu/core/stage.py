"""A stage: the graph that a pass was given, the one that it made, and every step between.

The log is the work. A rewriting pass logs what became what, and frame k is that log read up to
step k; a derivative pass logs what it built, and frame k is the graph grown so far.
"""

from collections.abc import Iterator, Mapping, Sequence
from operator import index
from typing import Any, NamedTuple

from .graph import Graph, as_graph, substitute
from .node import Expr
from .seams import HOOKS, OfStage

Pair = tuple[Expr, Expr]


class Step(NamedTuple):
    """One application of one rule: `before` became `after`, or gave rise to it.

    Parameters
    ----------
    rule : str
        The rule's name.
    before : Expr
        What it was applied to; in reverse mode the node that hands on its adjoint.
    after : Expr
        What it gave; in reverse mode the adjoint of one of its operands.
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


class Stage(OfStage):
    """A pass over a graph: what it was given, what it made, and every step between.

    Parameters
    ----------
    name : str
        That of the pass.
    before : Graph, Stage, Expr or list of Expr
        What it was given.
    after : Graph, Plan, Program, Expr or list of Expr
        What it made.
    steps : list of Step, default: ()
        What it did.

    Raises
    ------
    TypeError
        If what it was given or made is no graph, or a step is no Step.

    See Also
    --------
    simplify : A pass that makes a graph shorter.

    Notes
    -----
    Of a pass of your own nothing tells what lies between its steps: each frame but the last is
    the graph before. A `Rewriting` keeps a log of what became what, and so has all frames.

    Examples
    --------
    >>> x = ad.scalar("x")
    >>> stage = ad.simplify(x * 1)
    >>> stage.before, stage.output
    (Graph(x -> x * 1), x)
    >>> stage.steps
    (times one: x * 1 → x,)
    >>> y, z = x * x, x**2
    >>> ad.Stage("squares", y, z, [ad.Step("x·x is x²", y, z)])
    Stage(squares: 1 step)
    """

    name: str
    before: Graph
    after: Any
    steps: tuple[Step, ...]

    def __init__(self, name: str, before: Any, after: Any, steps: Sequence[Step] = ()):
        stays = not isinstance(after, Expr) and isinstance(getattr(after, "graph", after), Graph)
        self.name, self.before, self.steps = name, as_graph(before), tuple(steps)
        self.after = after if stays else as_graph(after)
        if not isinstance(name, str) or {*map(type, self.steps)} - {Step}:
            HOOKS["check_steps"](name, self.steps)

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

    def frames(self) -> Iterator[Graph]:
        """The graph before the first step and after each: one more than there are steps.

        Returns
        -------
        iterator of Graph
            Frame by frame.

        Examples
        --------
        >>> x = ad.scalar("x")
        >>> list(ad.simplify(x * 1 + 0).frames())
        [Graph(x -> (x * 1) + 0), Graph(x -> x + 0), Graph(x -> x)]
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

        Examples
        --------
        >>> x = ad.scalar("x")
        >>> ad.simplify(x * 1).frame(0)
        Graph(x -> x * 1)
        """
        last = frame_number(self, k) == len(self.steps)
        return as_graph(self.after if self.steps and last else self.before)

    def __repr__(self) -> str:
        count = f"{len(self.steps)} step" + ("s" if len(self.steps) != 1 else "")
        return f"Stage({self.name}: {count})"


def frame_number(stage: Stage, k: int) -> int:
    """The number of a frame. Raises IndexError where there is none."""
    if not 0 <= index(k) <= len(stage.steps):
        raise IndexError(f"the frames of {stage} are 0 to {len(stage.steps)}, and {k} is none")
    return index(k)


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
    log : sequence of tuple
        (what was, what it became).
    marks : list of int
        The length of the log just before each step, which is the entry there.

    Examples
    --------
    >>> x = ad.scalar("x")
    >>> ad.simplify(x * 1 + 0).log
    ((x * 1, x), ((x * 1) + 0, x + 0), (x + 0, x))
    """

    after: Graph

    def __init__(
        self,
        name: str,
        before: Graph,
        after: Graph,
        steps: Sequence[Step],
        log: Sequence[Pair],
        marks: Sequence[int],
    ):
        super().__init__(name, before, after, steps)
        self.log = log if isinstance(log, Sequence) and type(log) is not list else tuple(log)
        self.marks = tuple(marks)

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

        Examples
        --------
        >>> x = ad.scalar("x")
        >>> ad.simplify(x * 1 + 0).frame(1)
        Graph(x -> x + 0)
        """
        if frame_number(self, k) == len(self.steps):
            return self.after
        log = dict(self.log[: self.marks[k]])
        return self.before.with_outputs(substitute(self.before.outputs, log))


class Growing(Stage):
    """A pass that builds beside what is there, as forward and reverse mode do.

    Each step's bindings say `of` which node of the graph before its `after` is the tangent,
    or the adjoint so far: one derivative a node, of which the latest counts.

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
    of : list of Expr, optional
        The nodes whose tangents or adjoints the outputs are, in their order.

    Raises
    ------
    ValueError
        If there are not as many of these nodes as outputs, or, where steps are shown, if a
        step is of a node that the graph before does not have.

    Examples
    --------
    >>> x = ad.scalar("x")
    >>> stage = ad.reverse_mode(x * x, x)
    >>> stage.output
    (1 * x) + (x * 1)
    """

    after: Graph

    def __init__(
        self,
        name: str,
        before: Graph,
        after: Graph,
        steps: Sequence[Step],
        mark: str,
        of: Sequence[Expr] = (),
    ):
        super().__init__(name, before, after, steps)
        self.mark, self.of = mark, tuple(of)
        if self.of and len(self.of) != len(self.outputs):
            HOOKS["check_grown"](self, {})

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

        Examples
        --------
        >>> x = ad.scalar("x")
        >>> stage = ad.forward_mode(x * x, x)
        >>> len(stage.built(2))
        2
        """
        grown = {step.bindings["of"]: step.after for step in self.steps[:k]}
        if not grown.keys() <= {*self.before.order, *self.of}:
            HOOKS["check_grown"](self, grown)
        return grown

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

        Examples
        --------
        >>> x = ad.scalar("x")
        >>> len(ad.forward_mode(x * x, x).frame(1).outputs)
        2
        """
        grown = self.built(frame_number(self, k))
        names = tuple(HOOKS["marked"](n.name, self.mark) for n in grown)
        outputs = self.before.outputs + tuple(grown.values())
        return Graph(outputs, self.before.inputs, self.before.names + names)
