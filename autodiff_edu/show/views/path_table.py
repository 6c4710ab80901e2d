"""The paths of a function as a table: for each its guards, its formula, how often it was taken."""

from collections.abc import Iterator, Sequence

from ..html import page
from ..html.table import Table
from .path_tree import (
    Branching,
    Guard,
    Path,
    abridged,
    answer_words,
    assignments,
    brief,
    line,
    with_numbers,
)
from .tables import table

COLUMNS = ("path", "taken", "line", "decided by", "answer", "formula")


class Advised(Table):
    """A table with sentences below it.

    Parameters
    ----------
    columns : list of str
        The headings.
    rows : list of list of str
        The cells.
    advice : list of str
        The sentences.
    """

    def __init__(
        self, columns: Sequence[str], rows: Sequence[Sequence[str]], advice: Sequence[str]
    ):
        super().__init__(columns, rows, "paths")
        self.advice = tuple(advice)

    def __repr__(self) -> str:
        return "\n\n".join([super().__repr__(), *self.advice])

    def image(self, widest: int = 0) -> str:
        said = "".join(page.caption(page.escape(sentence)) for sentence in self.advice)
        return super().image(widest) + said


@table.register
def path_table(paths: Branching) -> Advised:
    """A row for each guard; those of one line that follow each other are told together."""
    number = {id(p): k for k, p in enumerate(paths)}
    trees = paths.trees()
    rows = [
        (arguments if row[0] else "", *row)
        for arguments, some, _ in trees
        for path in some
        for row in rows_of(str(number[id(path)]), path)
    ]
    if len(trees) > 1:
        return Advised(("arguments", *COLUMNS), rows, paths.advice())
    return Advised(COLUMNS, [row[1:] for row in rows], paths.advice())


def rows_of(number: str, path: Path) -> Iterator[tuple[str, ...]]:
    """The first row has the number and the formula of the path."""
    formula = "; ".join(abridged(assignments(path.formula)))
    told = [asked(run) for run in path.runs()] or [("no condition", "", "")]
    for k, words in enumerate(told):
        yield (number, str(path.taken), *words, formula) if not k else ("", "", *words, "")


def asked(run: Sequence[Guard]) -> tuple[str, str, str]:
    """The line, what was asked and with which numbers, the answer."""
    first, last = run[0], run[-1]
    words = ": ".join(filter(None, [brief(first.condition), first.met]))
    if len(run) > 1:
        words = f"{len(run):,} times: {with_numbers(first)} … {with_numbers(last)}"
    return line(first), words, answer_words(first.answer)
