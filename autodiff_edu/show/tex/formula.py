"""`latex`: an expression or a graph as a formula; what is long or shared gets a line of its own."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from ...core.node import Literal
from ...expr import Constant, Expr, Graph, as_graph, number, text, users
from ..build.labels import numbers
from ..by_class import by_class
from .names import latex_name
from .notation import ATOM, LOGIC, SUM, brackets, cases, form

SMALL = 40  # nodes of a tree that is written out in full
LONG = 160  # characters of LaTeX after which a part gets a line of its own
MOST = 400  # operations that are written at all
DEEP = 8  # operations that are written of a larger graph


class Formula(str):
    r"""LaTeX that a notebook shows as a formula.

    Examples
    --------
    >>> x = ad.scalar("x")
    >>> formula = ad.latex(x / 2)
    >>> print(formula)
    \frac{x}{2}
    """

    def _repr_latex_(self) -> str:
        return f"$$ {self} $$"


@by_class
def latex(what: Any) -> Formula:
    r"""The formula of an expression in LaTeX.

    Parts that are long or used several times are lines v₁ = …; a graph of more than 400
    operations is cut short with dots.

    Parameters
    ----------
    what : Expr, Graph, Stage, Rule or list of Expr
        Of a stage its result, of a rule both sides and the condition that it needs.

    Returns
    -------
    Formula
        A string, which a notebook shows as a formula.

    Examples
    --------
    >>> x = ad.scalar("x")
    >>> print(ad.latex(ad.exp(x) / 2))
    \frac{e^{x}}{2}
    """
    graph = as_graph(what)
    if len(graph.operations) > MOST:
        return Formula(", ".join(shallow(o, DEEP) for o in graph.outputs))
    return written_out(graph)


def formula(e: Expr) -> str:
    return Writer([e]).write(e)


def written_out(graph: Graph) -> Formula:
    writer = Writer(graph.outputs, let=graph.tree_size > SMALL)
    results = [writer.write(o) for o in graph.outputs]
    pairs = zip(graph.names, graph.outputs)
    named = [name if o.op is not None or name != o.name else "" for name, o in pairs]
    names = [latex_name(name) if name else "" for name in named]
    if not writer.lines and len(results) == 1:
        return Formula(f"{names[0]} = {results[0]}" if names[0] else results[0])
    last = [
        (name or r"\mathrm{out}" + f"_{{{k}}}" * (len(results) > 1), r)
        for k, (name, r) in enumerate(zip(names, results), 1)
    ]
    return Formula(aligned([*writer.lines, *last]))


def aligned(lines: Iterable[tuple[str, str]]) -> str:
    rows = r" \\ ".join(f"{name} &= {formula}" for name, formula in lines)
    return rf"\begin{{aligned}} {rows} \end{{aligned}}"


class Writer:
    """Writes each node once; `lines` are the parts that have got a name."""

    def __init__(
        self, roots: Iterable[Expr], let: bool = False, known: Mapping[Expr, tuple[str, int]] = {}
    ):
        self.graph = Graph(list(roots))
        self.done = dict(known)
        self.lines: list[tuple[str, str]] = []
        self.used = users(self.graph.nodes) if let else {}
        for n in self.graph.nodes:
            if n not in known:
                self.done[n] = self.named(n, *self.node(n))

    def write(self, n: Expr) -> str:
        return self.done[n][0]

    def node(self, n: Expr) -> tuple[str, int]:
        if n.op is None:
            return leaf(n)
        if hasattr(n.op, "paths"):
            return self.branch(n), LOGIC
        rule = form(n)
        asks = [*rule.asks, *[rule.asks[-1]] * len(n.inputs)]
        operands = [self.operand(i, asked) for i, asked in zip(n.inputs, asks)]
        return rule.write(n, *operands), rule.strength

    def branch(self, n: Expr) -> str:
        """The sides of a branch, with the operands put in, as cases."""
        operands = [self.done[i] for i in n.inputs[1:]]
        known = dict(zip(n.op.body.inputs, operands, strict=True))
        sides = []
        for path in n.op.paths:
            writer = Writer(path.outputs, known=known)
            sides.append(tuple_of([writer.write(y) for y in path.outputs]))
        return cases(n, self.write(n.inputs[0]), *sides)

    def operand(self, n: Expr, asked: int) -> str:
        written, strength = self.done[n]
        return written if strength >= asked else brackets(written)

    def named(self, n: Expr, written: str, strength: int) -> tuple[str, int]:
        """A name for what is used again, or too long to stand inside a larger formula."""
        again = len(self.used.get(n, ())) > 1 and n.op is not None and len(written) > 6
        long = bool(self.used) and len(written) > LONG
        if not (again or long) or any(n is o for o in self.graph.outputs):
            return written, strength
        name = (
            latex_name(n.name)
            if n.name and not n.name.startswith("(")
            else f"v_{{{len(self.lines) + 1}}}"
        )
        self.lines.append((name, written))
        return name, ATOM


def tuple_of(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else brackets(", ".join(parts))


def leaf(n: Expr) -> tuple[str, int]:
    if not isinstance(n, (Constant, Literal)):
        return latex_name(n.name or text(n)), ATOM
    words = SPECIAL.get(numbers(n.value)) or digits(n.value)
    return power_of_ten(words.replace("−", "-"))


def digits(value: Any) -> str:
    array = np.asarray(value)
    return number(value, exact=False) if not array.ndim else numbers(value)


SPECIAL = {"inf": r"\infty", "−inf": r"-\infty", "nan": r"\mathrm{nan}", "array": r"\mathrm{array}",
           "True": r"\mathrm{True}", "False": r"\mathrm{False}"}  # fmt: skip


def power_of_ten(words: str) -> tuple[str, int]:
    """A number, and as a term of a sum if it has a sign."""
    digits, _, exponent = words.partition("e")
    if exponent and digits.lstrip("-").replace(".", "").isdigit():
        return rf"{digits} \cdot 10^{{{int(exponent)}}}", SUM
    return words, SUM if words.startswith("-") else ATOM


def shallow(n: Expr, depth: int) -> str:
    """The outermost operations of a large formula, dots for the rest."""
    if n.op is None:
        return leaf(n)[0]
    if not depth:
        return r"\cdots"
    rule = form(n)
    operands = [shallow(i, depth - 1) for i in n.inputs]
    weak = [
        i.op is not None and form(i).strength < rule.asks[min(k, len(rule.asks) - 1)]
        for k, i in enumerate(n.inputs)
    ]
    return rule.write(n, *[brackets(o) if w else o for o, w in zip(operands, weak)])


def mimebundle(n: Expr) -> dict[str, str]:
    """An expression in a notebook: its text, and its formula."""
    return {"text/plain": repr(n), "text/latex": latex(n)._repr_latex_()}
