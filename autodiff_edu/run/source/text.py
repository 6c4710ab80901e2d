"""The text of a program: the names in it, and the function that it defines.

User's names are kept where they are identifiers and free, γ as well as x; anything else is called
v1, v2, ..., without those that the user has.
"""

import builtins
import keyword
import re
from collections.abc import Callable, Mapping, Sequence
from itertools import count, filterfalse
from typing import Any, NamedTuple
from unicodedata import normalize

from ...expr import Expr, Graph
from .scalar_functions import FUNCTIONS

WORDS = "np jax jnp lax careful fresh accept each room no_steps masked finite one_step snapshot"
NAME = re.compile(r"[\w∂/()′\u0304\u0307]{1,30}")  # which can do nothing in a comment
TAKEN = {*keyword.kwlist, *dir(builtins), *WORDS.split(), *FUNCTIONS}  # names of its own


Lines = list[tuple[str, Expr | None]]  # and the node that a line computes, if it computes one


def plain(lines: Sequence[str]) -> Lines:
    """Lines that compute no node."""
    return [(line, None) for line in lines]


def is_plain(name: Any) -> bool:
    """Is it an identifier that Python keeps as it is? It reads the one letter ﬁ as fi."""
    return isinstance(name, str) and name.isidentifier() and normalize("NFKC", name) == name


class Order(NamedTuple):
    """The plan of a program of numbers: nothing is joined, and nothing has to be freed."""

    graph: Graph
    order: tuple[Expr, ...]


class Names:
    """The names in the text of a program, whatever its target is; alone they are enough for a
    program of numbers.

    `values` are what has a name besides operations: the inputs, and what is shared. Of a function
    that asks questions the first outputs are these, and `answers` what they must be.
    """

    guards: Any = None  # the lines that ask, if there are any
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
        answers: Sequence[bool | int] = (),
        shared: Sequence[Expr] = (),
    ):
        self.plan, self.inputs, self.function, self.listed = plan, tuple(inputs), name, listed
        self.questions = len(answers)
        if answers:
            from .guards import Guards  # of functions that were traced

            self.guards = Guards(plan.graph.outputs, answers)
        self.space: dict[str, Any] = {}  # what the names of functions and constants mean
        nodes = [*inputs, *shared, *plan.order]
        first = {n.name: n for n in reversed(nodes) if is_plain(n.name)}
        own = {n: word for word, n in first.items() if word not in TAKEN and word != name}
        self.used = {*TAKEN, name, *own.values()}  # v1 is the user's, if there is one
        self.numbered = filterfalse(self.used.__contains__, (f"v{k}" for k in count(1)))
        self.names = {n: own.get(n) or next(self.numbered) for n in nodes}
        self.used |= {*self.names.values()}
        self.number_lines: dict[int, Expr] = {}  # which node a line of the text computes
        self.inlined: dict[Expr, Expr] = {}  # there: what stands in the line of another operation
        self.forms: dict[Expr, str] = {}  # and how each operation is written

    def header(self) -> str:
        return f"def {self.function}({self.arguments()}):"

    def arguments(self, end: str = "") -> str:
        """The names of the inputs; with a comma after a single one where a tuple is unpacked."""
        names = [self.names[i] for i in self.inputs]
        return ", ".join(names) + (end if len(names) == 1 else "")

    def together(self, texts: list[str]) -> str:
        return (f"[{', '.join(texts)}]" if self.listed else texts[0]) + self.remark(texts)

    def remark(self, results: list[str]) -> str:
        """A comment with the names of the results, where their texts do not tell them."""
        names = self.plan.graph.names[self.questions :][: len(results)]
        if not all(isinstance(n, str) and NAME.fullmatch(n) for n in names):
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
