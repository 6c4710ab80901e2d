"""Guards in the text of a program: it leaves at the first question that has another answer.

v1 = x > 0.0
if not v1:
    return 0, v1
"""

from collections.abc import Callable, Sequence

from ...expr import Constant, Expr

Answer = bool | int | tuple
Lines = list[tuple[str, Expr | None]]  # and the node that a line computes, if it computes one


class Guards:
    """What the first outputs must be, and the lines that ask."""

    def __init__(self, outputs: Sequence[Expr], answers: Sequence[Answer]):
        self.answers = answers
        self.asked: dict[Expr, dict[Answer, int]] = {}  # by node: an answer, and its place
        for k, (n, answer) in enumerate(zip(outputs, answers, strict=False)):
            self.asked.setdefault(n, {}).setdefault(answer, k)

    def among(self, lines: Lines, operand: Callable[[Expr], str]) -> Lines:
        """These lines, and those that ask, each behind that of its node."""
        rows: Lines = [(line, None) for line in self.before(operand)]
        for line, n in lines:
            asking = [] if n is None else self.after(n, operand)
            rows += [(line, n), *((ask, None) for ask in asking)]
        return rows

    def before(self, operand: Callable[[Expr], str]) -> list[str]:
        """The lines for what is known without any operation."""
        leaves = [n for n in self.asked if n.op is None and not self.holds(n)]
        return [line for n in leaves for line in self.after(n, operand)]

    def after(self, n: Expr, operand: Callable[[Expr], str]) -> list[str]:
        """The lines that follow that of a node."""
        rows = self.asked.get(n, {})
        return [line for answer, k in rows.items() for line in leave(operand(n), answer, k)]

    def holds(self, n: Expr) -> bool:
        """Is it a constant that has the answer?"""
        value = n.value.tolist() if isinstance(n, Constant) else None
        return self.asked[n].keys() == {tuple(value) if isinstance(value, list) else value}


def leave(name: str, answer: Answer, k: int) -> list[str]:
    """Leave with the place of the question and its answer, unless that is the one known."""
    if isinstance(answer, bool):
        test = f"not {name}" if answer else name
    elif isinstance(answer, tuple):
        test = f"{name}.tolist() != {list(answer)}"
    else:
        test = f"{name} != {answer}"
    return [f"if {test}:", f"    return {k}, {name}"]
