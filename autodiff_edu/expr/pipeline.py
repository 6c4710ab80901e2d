"""Stages in a row, each of which begins with what the one before it made."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from ..core.graph import Graph, as_graph
from ..core.seams import cached_property
from ..core.stage import Stage
from .methods import hooked
from .text import shown

if TYPE_CHECKING:
    from ..core.protocols import Draws, Film, Films


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

    def __init__(self, stages: Iterable[Stage]):
        self.stages = tuple(stages)
        if not self.stages:
            raise ValueError("a pipeline has at least one stage, such as ad.simplify(y)")
        for stage in self.stages:
            if not isinstance(stage, Stage):
                raise TypeError(f"a pipeline is made of stages such as ad.simplify(y), not of "
                                f"{shown(stage)}")  # fmt: skip

    @cached_property
    def graphs(self) -> tuple[Graph, ...]:
        """The graph at the start and after each stage."""
        return (as_graph(self.stages[0].before), *map(as_graph, self.stages))

    @property
    def after(self) -> Any:
        """What the last stage made."""
        return self.stages[-1].after

    draw: "Draws[Film]" = hooked("draw")
    film: "Films" = hooked("film")

    def __getitem__(self, which: int | str) -> Stage:
        """A stage by its place or by its name. Raises KeyError where none has that name."""
        if not isinstance(which, str):
            return self.stages[which]
        for stage in self.stages:
            if stage.name == which:
                return stage
        names = ", ".join(stage.name for stage in self.stages)
        raise KeyError(f"no stage is called {which!r}: there are {names}")

    def __len__(self) -> int:
        return len(self.stages)

    def __iter__(self) -> Iterator[Stage]:
        return iter(self.stages)

    def __repr__(self) -> str:
        return f"Pipeline({' → '.join(stage.name for stage in self.stages)})"

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return self.draw()._repr_mimebundle_()
