"""The answer to "why not?": the obstacle in a plain sentence, the details, and what to change."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from ...core.rule import Rewrite
from ...expr import Expr, Step, hooked, shorten, visible
from .spots import Spot, brief

# from what is nearest to firing to what is farthest from it
ORDER = ("fired", "again", "absent", "user", "part", "fact", "final", "law", "mode", "earlier",
         "phase", "cost", "false", "same", "condition", "proof", "dtype", "structure", "merged",
         "constant", "nothing", "gone")  # fmt: skip
COUNTS = {2: "Two", 3: "Three"}


class Answer(NamedTuple):
    """Why one rule was not used at one node.

    Parameters
    ----------
    rule : Rewrite
        The rule.
    node : Expr
        The node, as it was in that frame.
    frame : int
        The frame in which the rule came nearest.
    obstacles : tuple of str
        Words such as "fact", "user" or "mode": all that must change for the rule to fire.
    lines : tuple of str
        Plain sentences. The first names the obstacle.
    nodes : tuple of Expr, default: ()
        Further nodes that matter, as what something else needs.
    spot : Spot, optional
        Where the pattern and the graph differ.
    step : Step, optional
        The step that took the node, or that used the rule.

    Examples
    --------
    >>> x = ad.scalar("x")
    >>> (answer,) = ad.simplify(x / x).why_not("over itself").answers
    >>> answer.obstacles, answer.frame
    (('fact',), 0)
    >>> answer.lines[1]
    'It needs x != 0. Declare it: x = ad.scalar("x", nonzero=True).'
    """

    rule: Rewrite
    node: Expr
    frame: int
    obstacles: tuple[str, ...]
    lines: tuple[str, ...]
    nodes: tuple[Expr, ...] = ()
    spot: Spot | None = None
    step: Step | None = None

    @property
    def obstacle(self) -> str:
        """The first obstacle.

        Examples
        --------
        >>> x = ad.scalar("x")
        >>> stage = ad.simplify(x / x)
        >>> stage.why_not("over itself", stage.output).answers[0].obstacle
        'fact'
        """
        return self.obstacles[0]

    @property
    def distance(self) -> tuple[int, int, float]:
        """How far the rule was from being used.

        Examples
        --------
        >>> x = ad.scalar("x")
        >>> stage = ad.simplify(x / x)
        >>> stage.why_not("over itself", stage.output).answers[0].distance
        (5, 1, 0.0)
        """
        fits = -self.spot.fits / self.spot.size if self.spot else 0.0
        return max(map(ORDER.index, self.obstacles)), len(self.obstacles), fits

    def __repr__(self) -> str:
        name = shorten(visible(self.rule.name), 80)
        head = f"{name}, at {brief(self.node)}, in frame {self.frame}:"
        return "\n  ".join([head, *self.lines])


class WhyNot:
    """Why a rule was not used: one answer, or the nearest misses.

    Parameters
    ----------
    stage : Simplification
        The stage that was asked.
    answers : sequence of Answer
        The nearest first.

    Examples
    --------
    >>> x = ad.scalar("x")
    >>> stage = ad.simplify(x / x)
    >>> stage.why_not("over itself", stage.output)
    over itself, at x / x, in frame 0:
      A fact is missing: nothing proves what the rule needs.
      It needs x != 0. Declare it: x = ad.scalar("x", nonzero=True).
      Mode real takes it for granted. x / x → 1 is wrong at x = 0: left nan, right 1.
    """

    draw: Any = hooked("draw_why_not")

    def __init__(self, stage: Any, answers: Sequence[Answer]):
        self.stage, self.answers = stage, tuple(answers)

    @property
    def obstacle(self) -> str:
        """The obstacle of the nearest miss.

        Examples
        --------
        >>> x = ad.scalar("x")
        >>> stage = ad.simplify(x * 1)
        >>> stage.why_not("times one", x * 1).obstacle
        'fired'
        """
        return self.answers[0].obstacle

    def __repr__(self) -> str:
        return "\n".join(map(repr, self.answers)) or "No rule came near."

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return self.draw()._repr_mimebundle_()
