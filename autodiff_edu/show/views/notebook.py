"""How an expression shows itself in a notebook: its text, and its formula."""

from ...expr import Expr
from ..tex.formula import latex


def mimebundle(n: Expr) -> dict[str, str]:
    """What a notebook is given for an expression."""
    return {"text/plain": repr(n), "text/latex": latex(n)._repr_latex_()}
