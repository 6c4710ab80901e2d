"""Questions made from any stage: which number stands here, which step comes next, how many
operations are left.

A wrong choice is a near miss of `why_not`: a rule that was not used, carried out all the same. Its
sentence names the obstacle, and its point is one at which it breaks the value.
"""

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from ...core.pattern import Bindings, instantiate, matcher
from ...expr import Constant, Expr, Graph, Rewriting, postorder, same, substitute
from ...rewrite import RULES, Rule, Simplification, simplify
from ...rewrite.why_not.spots import asks, brief, first_parts, furthest
from ...rewrite.why_not.words import matches, rewrite
from .prediction import Miss, Prediction
from .values import differ, difference, place, value

MOST = 3  # wrong choices
NODES = 6  # nodes at which near misses are looked for


def predict_number(
    stage: Any, node: Expr, at: Mapping[Any, float], guess: Any = None
) -> Prediction:
    """A question: which number stands at a node of a stage or a film?

    Parameters
    ----------
    stage : Derivative, Simplification or Graph
        What has the node.
    node : Expr
        An operation of it.
    at : dict
        A number for each input.
    guess : number, Expr or str, optional
        Your prediction.

    Returns
    -------
    Prediction
        What a notebook shows.

    Raises
    ------
    ValueError
        If the node is no operation.

    Examples
    --------
    >>> from autodiff_edu.course import predict_number
    >>> x = ad.scalar("x")
    >>> predict_number(ad.simplify(x * x - x), x * x - x, {x: 3.0}, -6.0).judge(-6.0)[:40]
    'No. The operands are exchanged. At x = 3'
    """
    point = {getattr(i, "name", i): float(number) for i, number in at.items()}
    if node.op is None:
        raise ValueError(f"{node} is no operation: ask about a node that computes")
    right = value(node, point)[0]
    misses = list[Miss]()
    for wrong, why in [*slips(node), *((new, why) for _, new, why in near_misses(stage, node))]:
        number = value(wrong, point)[0]
        if all(differ(number, m, {}) for m in (right, *(m.answer for m in misses))):
            misses.append(Miss(float(number), why, (node, wrong), point))
    question = f"Which number stands at {brief(node)}, for {place(point)}?"
    return Prediction(question, float(right), "That is its value.", misses[:MOST], guess)


def predict_step(stage: Rewriting, k: int = 0, guess: Any = None) -> Prediction:
    """A question: which step comes next, after frame k?

    Parameters
    ----------
    stage : Derivative or Simplification
        What is filmed.
    k : int, default: 0
        The frame.
    guess : str, optional
        Your prediction: the letter of a choice.

    Returns
    -------
    Prediction
        What a notebook shows.

    Raises
    ------
    IndexError
        If there is no step after this frame.

    Examples
    --------
    >>> from autodiff_edu.course import predict_step
    >>> x = ad.scalar("x")
    >>> predict_step(ad.simplify((1 * x + 0 * 2.0) * 3), 0).answer
    'fold constants: 0 * 2 → 0'
    """
    if not 0 <= k < len(stage.steps):
        raise IndexError(f"{stage} has {len(stage.steps)} steps: choose k from 0 on")
    right, frame = stage.steps[k], stage.frame(k)
    misses = {
        rewrite(later): Miss(rewrite(later), f"This is step {j}, and not step {k + 1}.")
        for j, later in enumerate(stage.steps[k + 1 :], k + 2)
        if later.before in {*frame.order} and rewrite(later) != rewrite(right)
    }
    row = [*misses.values()][:1]
    for node in [n for n in frame.order if n.op is not None and has_value(n)][:NODES]:
        for name, new, why in islice(near_misses(stage, node), MOST):
            words = f"{name}: {brief(node)} → {brief(new)}"
            if len(row) < MOST and words not in misses and difference(node, new):
                row.append(Miss(words, why, (node, new)))
                misses[words] = row[-1]
    row += [m for m in misses.values() if m not in row][: MOST - len(row)]
    why = f"It is step {k + 1}."
    return Prediction(f"Which step comes next, after step {k}?", rewrite(right), why, row, guess)


def predict_operations(stage: Rewriting, guess: Any = None) -> Prediction:
    """A question: how many operations are left at the end of a stage?

    Parameters
    ----------
    stage : Derivative or Simplification
        What is filmed.
    guess : int or str, optional
        Your prediction.

    Returns
    -------
    Prediction
        What a notebook shows.

    Examples
    --------
    >>> from autodiff_edu.course import predict_operations
    >>> x = ad.scalar("x")
    >>> print(predict_operations(ad.simplify((x / x) * 1 + x)).judge(1)[:54])
    No. A fact is missing: nothing proves what the rule ne
    """
    right, misses = len(stage.after.operations), dict[int, Miss]()
    for node in stage.after.operations[:NODES]:
        for _, new, why in islice(near_misses(stage, node), MOST):
            many = len(Graph(substitute(stage.after.outputs, {node: new})).operations)
            if many < right:
                says = (node, new) if difference(node, new) else None
                misses.setdefault(many, Miss(many, why, says))
    for j, step in enumerate(stage.steps, 1):
        many = len(stage.frame(j - 1).operations)
        why = f"So many there are before step {j}, {rewrite(step)}."
        misses.setdefault(many, Miss(many, why))
    misses.setdefault(right + 1, Miss(right + 1, "An input or a number is no operation."))
    misses.pop(right, None)
    question = f"There are {len(stage.before.operations)} operations. How many are left at the end?"
    why = f"They are left after the last step. Steps: {len(stage.steps)}."
    return Prediction(question, right, why, [*misses.values()][:MOST], guess)


# ---- what is nearly right


def near_misses(stage: Any, node: Expr) -> Iterator[tuple[str, Expr, str]]:
    """Rules that came near a node without being used: name, result, and the sentence of why not."""
    simplification = stage if isinstance(stage, Simplification) else simplify(node)
    try:
        answers = simplification.why_not(None, node).answers
    except ValueError:  # the node is in no frame of the stage
        answers = ()
    for answer in answers:
        if answer.spot is None and isinstance(answer.rule, Rule) and same([answer.node], [node]):
            new = carried_out(answer.rule, next(matches(answer.rule, node), {}), node)
            if new is not None:
                yield answer.rule.name, new, answer.lines[0]
    yield from partial_matches(node)


def partial_matches(node: Expr) -> Iterator[tuple[str, Expr, str]]:
    """Rules whose patterns fit in part, and far enough to say what they would make of the node."""
    rules = [rule for rule in RULES if isinstance(rule, Rule) and node.op in rule.replaces]
    spots = [(rule, spot) for rule in rules if (spot := furthest(rule, node)) is not None]
    for rule, s in sorted(spots, key=lambda pair: pair[1].size - pair[1].fits):
        bindings: Bindings = {}
        if 2 * s.fits >= s.size and matcher(first_parts(s.pattern, s.fits))(node, bindings):
            new = carried_out(rule, bindings, node)
            if new is not None:
                yield rule.name, new, asks(s)


def carried_out(rule: Rule, bindings: Bindings, node: Expr) -> Expr | None:
    """What the rule would make of the node; None where the bindings do not say it."""
    if isinstance(rule.right, (int, float)):
        return Constant(float(rule.right), "float64")
    if not isinstance(rule.right, Expr):
        return None
    try:
        new = instantiate(rule.right, bindings)
    except (KeyError, TypeError, ValueError):
        return None
    return new if isinstance(new, Expr) and new.type == node.type else None


def slips(node: Expr) -> Iterator[tuple[Expr, str]]:
    """The node with its operands exchanged, and each operand for itself."""
    if len(node.inputs) == 2:
        yield (
            Expr(node.op, node.inputs[::-1], node.static, node.type),
            "The operands are exchanged.",
        )
    for n in node.inputs:
        if n.ndim == 0:
            yield n, f"This is {brief(n)}, an operand of the node."


def has_value(node: Expr) -> bool:
    """Is no derivative in it that is not taken yet?"""
    return all(n.op is None or n.op.name != "D" for n in postorder([node]))
