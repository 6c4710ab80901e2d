"""Answers that are kept while a graph is simplified: what a rule asked of a node, it need not ask
again at the next link of a chain. Nodes never change, and so neither do the answers.
"""

from collections import defaultdict
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any

from ...expr import Expr

KEPT: ContextVar[defaultdict[Any, dict[Expr, Any]] | None] = ContextVar("answers", default=None)


def remembered(n: Expr, answer: Callable[[Expr], Any]) -> Any:
    """What `answer` says of a node by itself."""
    kept = KEPT.get()
    if kept is None:
        return answer(n)
    answers = kept[answer]
    if n not in answers:
        answers[n] = answer(n)
    return answers[n]


def answered(
    n: Expr,
    asks: Callable[[Expr], tuple[Expr, ...]],
    answer: Callable[[Expr, dict[Expr, Any]], Any],
) -> Any:
    """What `answer` says of a node, given what it said of those that `asks` names: a walk without
    recursion, over each node once."""
    kept = KEPT.get()
    if kept is None:
        answers: dict[Expr, Any] = {}
    else:
        answers = kept[answer]
        if n in answers:
            return answers[n]
    stack = [n]
    while stack:
        m = stack[-1]
        for i in asks(m):
            if i not in answers:
                stack.append(i)
        if stack[-1] is m:  # what it asks for is answered
            answers[m] = answer(m, answers)
            stack.pop()
    return answers[n]
