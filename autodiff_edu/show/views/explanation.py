"""`explain`: what an operation's record states, as text and in a notebook."""

import inspect
import textwrap
from typing import Any, ClassVar

from ...expr import OPERATIONS, Expr, Op, shown, visible
from ...ops.docs import call_of, summary
from ...ops.statement import Entry, entries
from ..diagram.theme import FAINT, INK
from ..html import page
from ..html.showable import Showable
from ..html.table import SHEET

WIDTH = 88
CELL = f"padding:3px 14px 3px 0;border:0;border-bottom:1px solid {FAINT};text-align:left;"
CELL += "vertical-align:top;background:#ffffff"
COMPOSED = (
    "It is composed of operations, and its derivative follows from theirs: ad.draw of its result "
    "shows them."
)


class Explanation(Showable):
    """What an operation's record states: its `call`, a `summary`, and `entries` by name.

    Parameters
    ----------
    what : Op or callable
        An operation, or a function that is composed of operations.

    Examples
    --------
    >>> ad.explain(ad.maximum).entries["kinks"].words
    'where x = y, the slope is 1 for x, 0 for y'
    """

    kind: ClassVar = "explanation"

    def __init__(self, what: Any):
        self.call = call_of(what)
        self.summary = summary(what)
        found = entries(what) if isinstance(what, Op) else [Entry("derivative", COMPOSED)]
        self.entries = {entry.what: entry for entry in found}

    def __repr__(self) -> str:
        margin = max([len(what) for what in self.entries], default=0) + 2
        lines = [self.call, *textwrap.wrap(self.summary, WIDTH), ""]
        for what, entry in self.entries.items():
            told = textwrap.wrap(visible(entry.words), WIDTH - margin)
            told += [visible(plain) for plain, _ in entry.formulas]
            lines.append(textwrap.indent("\n".join(told), " " * margin))
            lines[-1] = what.ljust(margin) + lines[-1][margin:]
        return "\n".join(lines).rstrip()

    def image(self, widest: int = 0) -> str:
        rows = "".join(row(entry) for entry in self.entries.values())
        head = page.caption(f"<b>{code(self.call)}</b>")
        words = page.caption(page.escape(self.summary))
        return f'{head}{words}<table style="{SHEET}">{rows}</table>'


def row(entry: Entry) -> str:
    """What is told, and how: words, and formulas as text and as a page of mathematics has them."""
    parts = [page.escape(entry.words)] * bool(entry.words)
    parts += [f"<div>{code(plain)}{typeset(tex)}</div>"
              for plain, tex in entry.formulas]  # fmt: skip
    return f'<tr><th style="{CELL}">{entry.what}</th><td style="{CELL}">{"".join(parts)}</td></tr>'


def code(text: str) -> str:
    """In our own ink: a dark page has a pale one, and the card is white."""
    return f'<code style="color:{INK};background:none;border:0">{page.escape(text)}</code>'


def typeset(tex: str) -> str:
    """LaTeX for the MathJax of a notebook or of the book."""
    marks = 'class="tex2jax_process math" style="margin-left:2em"'
    return f"<span {marks}>\\({page.escape(tex)}\\)</span>"


def is_composed(what: Any) -> bool:
    """Is it one of our functions of arrays?"""
    library = str(getattr(what, "__module__", "")).startswith("autodiff_edu.library")
    return inspect.isfunction(what) and (library or any(what is f for f in OPERATIONS.values()))


def explain(what: Any) -> Explanation:
    """What the record of an operation states: formula, derivative, kinks, cost, and more.

    Parameters
    ----------
    what : Op, Expr or callable
        An operation, such as `ad.exp` or one of your own; of an expression its outermost
        operation; or a function that is composed of operations.

    Returns
    -------
    Explanation
        A text, which a notebook shows as a table with formulas.

    Raises
    ------
    TypeError
        If there is no operation in it.

    See Also
    --------
    why : Where a node came from.

    Examples
    --------
    >>> ad.explain(ad.negative)
    negative(x)
    −x.
    <BLANKLINE>
    formula     -x
    in NumPy    numpy.negative
    dtype       float64 for float64, float32 for float32, int64 for int64
    derivative  Linear in its operands. A small change dx of x changes it by -dx. In reverse
                mode, from the cotangent v̄ of the result:
                x̄ = -v̄
    batching    entry by entry, over any leading axis
    cost        1 addition, 1 floating point operation an entry
    facts       nonzero where the first operand is; finite where the first operand is;
                integer where the first operand is
    programs    for single numbers -x
    """
    if isinstance(what, Expr) and what.op is not None:
        what = what.op
    if isinstance(what, Op) or is_composed(what):
        return Explanation(what)
    if inspect.isclass(what) and issubclass(what, Op):
        raise TypeError(f"explain takes an operation: {what.__name__}(), not the class")
    raise TypeError(
        "explain takes an operation such as ad.exp, or an expression whose outermost operation is "
        f"meant, not {shown(what)}; help(...) tells of all else"
    )
