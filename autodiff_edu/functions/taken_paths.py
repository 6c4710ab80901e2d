"""`f.paths`: what the calls of a function met, to be looked at, drawn and learned from."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ..expr import HOOKS, Remembered
from .kept import KEPT, Kept
from .paths import Path, taken

if TYPE_CHECKING:
    from .decision_tree import OfOneType

FRESH = (
    "each call traces anew, and only its path is kept: the function reads or changes what cannot "
    "be compared, such as random draws or files"
)


class Paths(Remembered, Sequence[Path]):
    """The paths that calls of a function took, for arguments of any types; the latest types last.

    Parameters
    ----------
    known : dict
        What is remembered of the function.

    See Also
    --------
    grad : It gives a function that has `paths`, as value_and_grad, jacobian and vectorize do.

    Examples
    --------
    >>> slope = ad.grad(lambda x: x**2 if x > 0 else -x)
    >>> [slope(v) for v in (3.0, 4.0, -3.0)]
    [6.0, 8.0, -1.0]
    >>> [(path.formula.output, path.taken) for path in slope.paths]
    [(x ** 2, 2), (-x, 1)]
    >>> print(slope.paths[1].guards[0].condition, slope.paths[1].guards[0].answer)
    x > 0 False
    """

    def __init__(self, known: Kept):
        self.known = known

    def __iter__(self) -> Iterator[Path]:
        for branches in list(self.known.values()):
            yield from list(branches.paths.values())

    def __len__(self) -> int:
        return len(list(iter(self)))

    def __getitem__(self, k: Any) -> Any:
        return list(iter(self))[k]

    @property
    def dropped(self) -> int:
        """How many paths were dropped because others were taken more often."""
        return sum(branches.dropped for branches in list(self.known.values()))

    def trees(self, most: int | None = None) -> "list[OfOneType]":
        """The paths by the types of the arguments.

        Parameters
        ----------
        most : int, optional
            At most so many paths: those that were taken most often.

        Returns
        -------
        list of tuple
            (the arguments in words, the paths, the tree of their conditions).

        Examples
        --------
        >>> slope = ad.grad(lambda x: x**2 if x > 0 else -x)
        >>> slope(3.0)
        6.0
        >>> [(arguments, len(paths)) for arguments, paths, tree in slope.paths.trees()]
        [('x: float64', 1)]
        """
        from .decision_tree import OfOneType, decision_tree  # loaded when it is first needed

        used = set(sorted(self, key=taken, reverse=True)[:most])
        every = [(b.arguments, tuple(b.paths.values())) for b in list(self.known.values())]
        found = [(words, tuple([p for p in some if p in used])) for words, some in every]
        return [OfOneType(words, some, decision_tree(some)) for words, some in found if some]

    def advice(self) -> list[str]:
        """What could be written otherwise, so that there are fewer paths.

        Returns
        -------
        list of str
            Sentences that name the line and what to write: `where`, `cond` or `scan`.

        Examples
        --------
        >>> slope = ad.grad(lambda x: x**2 if x > 0 else -x)
        >>> [slope(v) for v in (3.0, 4.0, -3.0)]
        [6.0, 8.0, -1.0]
        >>> "ad.where(x > 0, a, b)" in slope.paths.advice()[0]
        True
        """
        from .advice import advice  # loaded when it is first needed

        found = [line for _, paths, tree in self.trees() for line in advice(paths, tree)]
        found = list(dict.fromkeys(found))
        if any(branches.look is None for branches in list(self.known.values())):
            found.append(FRESH)
        if self.dropped:
            found.append(f"{self.dropped} more paths were dropped: {KEPT} are kept, the most used")
        return found

    def draw(self) -> Any:
        """The tree of conditions, with the formula of each path as a leaf.

        Returns
        -------
        Picture
            What a notebook shows.

        Examples
        --------
        >>> slope = ad.grad(lambda x: x**2 if x > 0 else -x)
        >>> [slope(v) for v in (3.0, 4.0, -3.0)]
        [6.0, 8.0, -1.0]
        >>> slope.paths.draw().alt.partition(" (path")[0]
        'Graph: 1 input (x: float64); 2 open boxes'
        """
        return HOOKS["draw_paths"](self)

    def table(self) -> Any:
        """The paths and their guards in rows, with advice below.

        Returns
        -------
        Table
            What a notebook shows.

        Examples
        --------
        >>> slope = ad.grad(lambda x: x**2 if x > 0 else -x)
        >>> slope(3.0)
        6.0
        >>> slope.paths.table().columns
        ('path', 'taken', 'line', 'decided by', 'answer', 'formula')
        """
        return HOOKS["table"](self)

    def __repr__(self) -> str:
        rows = [f"{k} {path!r}" for k, path in enumerate(self)]
        return "\n".join([*rows, *self.advice()]) or "no path yet: call the function"

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return self.table()._repr_mimebundle_() | {"text/plain": repr(self)}
