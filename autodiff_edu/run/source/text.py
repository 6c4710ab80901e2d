"""The text of a program: the names in it, and the function that it defines.

User's names are kept where they are identifiers and free, γ as well as x; anything else is called
v1, v2, ..., without those that the user has.
"""

import builtins
import keyword
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain, count, filterfalse
from typing import Any, NamedTuple
from unicodedata import normalize

from ...expr import Expr, Graph, Shared
from .scalar_functions import FUNCTIONS

NO_LETTER = r"(?a)\W|^(?=\d)"
WORDS = "np jax jnp lax careful fresh accept each room no_steps masked finite one_step snapshot"
NAME = re.compile(r"[\w∂/()′\u0304\u0307]{1,30}")  # which can do nothing in a comment
TAKEN = {*keyword.kwlist, *dir(builtins), *WORDS.split(), *FUNCTIONS}  # names of its own


Lines = list[tuple[str, Expr | None]]  # and the node that a line computes, if it computes one


def plain(lines: Sequence[str]) -> Lines:
    """Lines that compute no node."""
    return [(line, None) for line in lines]


def numbered(name: str) -> Iterator[str]:
    """x, x_1, x_2, …"""
    return chain([name], (f"{name}_{k}" for k in count(1)))


def is_plain(name: Any) -> bool:
    """Is it an identifier that Python keeps as it is? It reads the one letter ﬁ as fi."""
    return isinstance(name, str) and name.isidentifier() and normalize("NFKC", name) == name


def identifier(word: str) -> str:
    """A user's word for an operation, as a name that means nothing else in a program."""
    name = re.sub(NO_LETTER, "_", word)
    return name + "_" * (name in TAKEN)


class Order(NamedTuple):
    """The plan of a program of numbers: nothing is joined, and nothing has to be freed."""

    graph: Graph
    order: tuple[Expr, ...]


class Names:
    """The names in the text of a program, whatever its target is; alone they are enough for a
    program of numbers."""

    within = False  # is it called by another program?
    loop: Any = None  # what writes the lines around the body of an operation
    guards: Any = None  # what the first outputs must be, if anything
    before: Sequence[tuple[str, str]] = ()  # the texts of bodies, by arrays and by numbers
    bodies: Sequence[Any] = ()  # the programs of these texts
    numbers: Mapping[str, Any] = {}  # those for single numbers, by the name of the function
    scalar = ""  # the text for single numbers

    def __init__(
        self,
        plan: Any,
        inputs: Sequence[Expr],
        name: str,
        listed: bool,
        updated: Sequence[Shared] = (),
        answers: Sequence[bool | int] = (),
    ):
        self.plan, self.inputs, self.function = plan, tuple(inputs), name
        self.updated = tuple(updated)  # the last outputs are their next values
        self.shared = [n for n in plan.graph.leaves if isinstance(n, Shared)]
        self.listed = listed or len(plan.graph.outputs) - len(self.updated) != 1
        if answers:
            from .guards import Guards  # of functions that were traced

            self.guards = Guards(plan.graph.outputs, answers)
        self.space: dict[str, Any] = {}  # what the names of functions and constants mean
        self.used = set(TAKEN) | {name}
        self.numbered = filterfalse(self.used.__contains__, (f"v{k}" for k in count(1)))
        self.more: dict[str, Iterator[str]] = {}  # further names like a word
        nodes = [*self.inputs, *self.shared, *plan.order]
        first = {n.name: n for n in reversed(nodes) if is_plain(n.name)}
        own = {n: word for word, n in first.items() if word not in self.used}
        self.used |= {*own.values()}  # v1 is the user's, if there is one
        self.names = {n: own.get(n) or next(self.numbered) for n in nodes}
        self.used |= {*self.names.values()}
        self.lines: dict[int, Expr] = {}  # which node a line of the text computes
        self.number_lines: dict[int, Expr] = {}  # the same of the text for single numbers
        self.inlined: dict[Expr, Expr] = {}  # there: what stands in the line of another operation
        self.forms: dict[Expr, str] = {}  # and how each operation is written
        self.above = 0  # how many lines of the whole text stand above

    def new_name(self, word: str) -> str:
        """A name like this that nothing has yet."""
        names = self.more.setdefault(word, numbered(re.sub(NO_LETTER, "_", word)))
        chosen = next(v for v in names if v not in self.used)
        self.used.add(chosen)
        return chosen

    def header(self) -> str:
        return f"def {self.function}({self.arguments()}):"

    def arguments(self, end: str = "") -> str:
        """The names of the inputs; with a comma after a single one where a tuple is unpacked."""
        if self.loop:
            return self.loop.arguments
        names = [self.names[i] for i in self.inputs]
        return ", ".join(names) + (end if len(names) == 1 else "")

    def together(self, texts: list[str]) -> str:
        return (f"[{', '.join(texts)}]" if self.listed else texts[0]) + self.remark(texts)

    def remark(self, results: list[str]) -> str:
        """A comment with the names of the results, where their texts do not tell them."""
        first = self.guards.count if self.guards else 0
        names = self.plan.graph.names[first : first + len(results)]
        if self.within or not all(isinstance(n, str) and NAME.fullmatch(n) for n in names):
            return ""
        pairs = zip(names, results, strict=True)
        is_told = all(name in re.findall(r"\w+", text) for name, text in pairs)
        return "" if is_told else f"  # {', '.join(names)}"


class Written(NamedTuple):
    """What a program is: its names, the function, and the whole text. A branch of numbers has a
    second function and a second text, which programs of numbers call."""

    text: Names
    run: Callable[..., Any]
    source: str
    numbers: Callable[..., Any] | None = None
    numbers_source: str = ""


def together(before: Sequence[str], text: str) -> str:
    """A text, with those of bodies before it."""
    return "\n\n".join([*before, text])


def load(text: str, space: dict[str, Any], name: str) -> Callable[..., Any]:
    """The function that a source text defines. Every name in the text is one that we chose."""
    exec(compile(text, f"<{name}>", "exec"), space)
    return space[name]
