"""Long answers of a class that are equal, told to the instructor alone."""

import io
import tokenize
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256

from .exercise import Cell, Exercise
from .marks import Result

LONG = 200  # characters of an answer, without comments and space, that two do not write alike
RARE = 0.1  # part of a class that may have a text without its being the one of a lecture
SHOWN = 5  # names in a note


def digests(sources: dict[str, str], cells: dict[str, Cell]) -> Iterator[tuple[str, str]]:
    """The digests of long answers, by the names of their cells."""
    for name, source in sources.items():
        text = plain(source)
        if len(text) >= LONG and text != plain(cells[name].handed_out):
            yield name, sha256(text.encode("utf-8", "replace")).hexdigest()[:16]


def plain(source: str) -> str:
    """A text without its comments and space."""
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(source).readline))
    except (tokenize.TokenError, SyntaxError):
        return "".join(source.split())
    blank = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT}
    return " ".join(token.string for token in tokens if token.type not in blank).strip()


def with_equal_texts(results: Sequence[Result], exercises: Iterable[Exercise]) -> list[Result]:
    """The results, with a note where a long answer is equal to few others, or to our own."""
    solutions = {
        (exercise.name, *pair)
        for exercise in exercises
        for pair in digests({n: c.source for n, c in exercise.answers.items()}, exercise.answers)
    }
    owners: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for result in results:
        for pair in result.texts:
            owners[result.exercise, *pair].append(result.name)
    few = max(2, RARE * len(results))

    def note(result: Result, cell: str, text: str) -> Iterator[str]:
        key = (result.exercise, cell, text)
        names = [name for name in owners[key] if name != result.name]
        if key in solutions:
            yield f"equal text: cell {cell} is our solution"
        elif names and len(owners[key]) <= few:
            yield f"equal text: cell {cell}, as {', '.join(names[:SHOWN])}"

    return [
        r._replace(notes=(*r.notes, *(n for pair in r.texts for n in note(r, *pair))))
        for r in results
    ]
