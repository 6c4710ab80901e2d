"""Is each function of a page right? It is compared with the engine's own at random formulas.

The formulas have operations that are made for one student, by a seed, so that no table of answers
helps. What is wrong is told with the line of the page that did it.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ...core import reverse
from ...core.op import computed_by
from ...core.pattern import instantiate, matcher
from ...core.reverse import starts
from ...expr import Expr, Graph, Rewriting, evaluate, postorder, text
from ...ops import OPS, add, exp, multiply, sin, subtract
from ...rewrite import RULES, simplify
from ...run import function
from .formulas import FORMULAS, close, formula, formulas, own_operations, pick, spell
from .page import PAPERS, Page
from .surgery import computing, evaluation, is_plain, renewed, transplanted

PLAIN_OPERATIONS = {"add", "subtract", "multiply", "divide", "negative", "power", "exp", "log",
                    "sin", "cos", "tanh", "sqrt", "square", "abs"}  # fmt: skip


def check_page(page: Page, seed: int = 0, paper: str = "paths") -> Iterator[str]:
    """The names of the functions that are right, one after the other. Raises Wrong at the first
    that is not."""
    if paper not in PAPERS:
        raise ValueError(f"a paper is one of {', '.join(PAPERS)}, not {paper!r}")
    for hole in page.functions:
        rng = np.random.default_rng([seed, len(hole)])
        operations = [add, multiply, subtract, sin, exp, *own_operations(rng, seed)]
        if hole == "sweep":
            check_sweep(page, rng, operations, paper)
        else:
            CHECKS[hole](page, rng, operations)
        yield hole


# ---- one function each


def check_evaluate(page: Page, rng: np.random.Generator, operations: Sequence[Any]) -> None:
    for _, y, at in formulas(rng, operations):
        order, right = postorder([y]), evaluation.evaluate_all([y], at)
        values = {**evaluation.accepted(at)}
        compute = computing(page, evaluation.value_of)
        for n, value in page.each("evaluate", order, dict(values), compute):
            if n in values:
                raise page.wrong("evaluate", f"{n} is computed once more, or was given",
                                 page.lines["evaluate"])  # fmt: skip
            if not close(value, right[n]):
                says = f"your value of {n} at {spell(at)} is {value:.6g}, "
                says += f"and {right[n]:.6g} is right"
                raise page.wrong("evaluate", says, page.lines["evaluate"])
            values[n] = value
        if absent := [n for n in order if n not in values]:
            raise page.wrong("evaluate", f"{absent[0]} has no value at the end")


def check_sweep(
    page: Page, rng: np.random.Generator, operations: Sequence[Any], paper: str
) -> None:
    for inputs, y, at in formulas(rng, operations):
        graph = Graph(y)
        start = starts(graph.outputs, None)
        right = reverse.backward(graph, inputs, start)
        with transplanted(page):
            swept = reverse.backward(graph, inputs, start)
        lines = {pair[1]: line for pair, line in page.trail}
        check_order(page, right.steps)
        for x in [step.bindings["of"] for step in right.steps]:
            if x not in swept.adjoint:
                raise page.wrong("sweep", f"{x} has no adjoint: nothing was yielded for it")
            ours, theirs = evaluate([right.adjoint[x], swept.adjoint[x]], at)
            if not close(ours, theirs):
                says = f"your adjoint of {x} at {spell(at)} is {theirs:.6g}, "
                says += f"and {ours:.6g} is right"
                raise page.wrong("sweep", says, lines.get(x, 0))
        check_terms(page, swept, at)
        count = PAPER[paper](edges(right.steps), y)
        if page.returned != count:
            says = f"it returns {page.returned!r} for {y}, and {count} is right: {PAPERS[paper]}"
            raise page.wrong("sweep", says)


def check_order(page: Page, steps: Sequence[Any]) -> None:
    """Is each pair of a node and its operand told once for each use?"""
    right = sorted(map(str, edges(steps)))
    if sorted(str((n, x)) for (n, x, *_), _ in page.trail) != right:
        count, terms = len(page.trail), len(right)
        line = page.trail[-1][1] if page.trail else 0
        says = f"it yields {count} terms, and there are {terms}: one for each pair that `terms` "
        raise page.wrong("sweep", f"{says}gives, for each node that has an adjoint", line)


def check_terms(page: Page, swept: Any, at: Any) -> None:
    """Is the sum so far, at each step, the sum of the terms so far?"""
    so_far: dict[Expr, Any] = {x: evaluate(ct, at) for x, ct in starts_of(swept).items()}
    for (_, x, term, total), line in page.trail:
        value, whole = evaluate([term, total], at)
        so_far[x] = so_far.get(x, 0.0) + value
        if not close(so_far[x], whole):
            says = f"your sum of {x} is {whole:.6g} so far, "
            says += f"and its terms have the sum {so_far[x]:.6g}"
            raise page.wrong("sweep", says, line)


def starts_of(swept: Any) -> dict[Expr, Expr]:
    return {s.before: s.after for s in swept.steps if s.rule == "seed"}


def edges(steps: Sequence[Any]) -> list[tuple[Expr, Expr]]:
    """(node, operand) for each term of a sweep, in its order."""
    return [(s.before, computed_by(s.bindings["of"])[0]) for s in steps if s.rule != "seed"]


def paths(each: Sequence[tuple[Expr, Expr]], y: Expr) -> int:
    ways = {y: 1}
    for n, x in each:
        ways[x] = ways.get(x, 0) + ways[n]
    return sum(count for n, count in ways.items() if n.op is None)


def longest(each: Sequence[tuple[Expr, Expr]], y: Expr) -> int:
    depth = {y: 0}
    for n, x in each:
        depth[x] = max(depth.get(x, 0), depth[n] + 1)
    return max(depth.values())


PAPER = {"paths": paths, "terms": lambda each, y: len(each), "longest": longest}


def check_match(page: Page, rng: np.random.Generator, operations: Sequence[Any]) -> None:
    sides = [p for p in (getattr(rule, "left", None) for rule in RULES) if is_of_numbers(p)]
    for k in rng.permutation(len(sides)):
        pattern = sides[k]
        names = sorted({n.name or "" for n in postorder([pattern]) if n.op is None})
        _, y = formula(rng, operations)
        nodes = postorder([y])
        bound = {name: pick(rng, nodes) for name in names}
        candidates = [instantiate(pattern, bound), nodes[-1], pick(rng, nodes)]
        candidates.append(loosened(pattern, nodes, rng))
        for node in candidates:
            right: dict[str, Any] = {}
            bindings: dict[str, Any] = {}
            answer = matcher(pattern)(node, right)
            said = page.call("match", pattern, node, bindings)
            if bool(said) is not answer:
                verb = "matches" if answer else "does not match"
                raise page.wrong("match", f"{text(pattern)} {verb} {text(node)}, and it says "
                                 f"{said!r}", page.lines["match"])  # fmt: skip
            if answer and (
                bindings.keys() != right.keys()
                or any(bindings[k] is not right[k] for k in bindings)
            ):
                says = f"your wildcards of {text(pattern)} at {text(node)} are {bindings}"
                raise page.wrong("match", f"{says}, and {right} is right", page.lines["match"])


def is_of_numbers(pattern: Any) -> bool:
    """Is it a pattern of wildcards and of operations on floats, entry by entry?"""
    if not isinstance(pattern, Expr) or not is_plain(pattern):
        return False
    names = {n.op.name for n in postorder([pattern]) if n.op is not None}
    return names <= PLAIN_OPERATIONS


def loosened(pattern: Expr, nodes: Sequence[Expr], rng: np.random.Generator) -> Expr:
    """The pattern with another node at each place, also where a wildcard comes twice."""
    if pattern.op is None:
        return pick(rng, nodes)
    return pattern.op(*[loosened(i, nodes, rng) for i in pattern.inputs])


def check_round(page: Page, rng: np.random.Generator, operations: Sequence[Any]) -> None:
    for _, y, _ in formulas(rng, operations):
        order = postorder([y])
        memory: dict[Any, Any] = {}

        def rebuild(n, operands, memory=memory):
            return memory.setdefault((n, *operands), renewed(n, operands) if n.op else n)

        def rewrite(n, memory=memory):
            return memory.setdefault(n, n.inputs[0] + 1.0 if n.op in (sin, subtract) else None)

        right: dict[Expr, Expr] = {}
        for n in order:
            same = rebuild(n, [right[i] for i in n.inputs])
            new = rewrite(same)
            right[n] = same if new is None else new
        yielded = set[Expr]()
        for n, new in page.each("one_round", order, rebuild, rewrite):
            line = page.lines["one_round"]
            if n in yielded or n not in right:
                raise page.wrong("one_round", f"{n} is yielded twice, or is no node of these", line)
            if new is not right[n]:
                says = f"your node in the place of {n} is {new}, and {right[n]} is right"
                raise page.wrong("one_round", says, line)
            yielded.add(n)
        if absent := [n for n in order if n not in yielded]:
            raise page.wrong("one_round", f"nothing was yielded for {absent[0]}")


def check_frame(page: Page, rng: np.random.Generator, operations: Sequence[Any]) -> None:
    for inputs, y, _ in formulas(rng, operations):
        with_zero = y * 1.0 + (inputs[0] - inputs[0])
        stage: Rewriting = simplify(reverse.reverse_mode(with_zero, inputs))
        for k in range(len(stage.steps)):
            right = stage.frame(k)
            with transplanted(page):
                answer = stage.frame(k)
            says = f"frame {k} of {len(stage.steps)} is not what the log gives up to there"
            line = page.lines["frame"]
            if [*map(str, answer.outputs)] != [*map(str, right.outputs)]:
                raise page.wrong("frame", says, line)
            if len(answer.order) != len(right.order):
                says = f"your frame {k} has {len(answer.order)} nodes, and {len(right.order)} are "
                raise page.wrong("frame", f"{says}right: what was one node became two", line)


def check_line(page: Page, rng: np.random.Generator, operations: Sequence[Any]) -> None:
    formulas_of_lines = ["{0} * {1}", "{0} - {1}", "{0} / {1}", "{0} ** {1}", "-{0}", "sin({0})"]
    for k in range(4 * FORMULAS):
        form = formulas_of_lines[k % len(formulas_of_lines)]
        numbers = rng.integers(1, 5, 2) * np.array([-1.0, 1.0])[rng.permutation(2)]
        texts = [["u", "v"][j] if rng.random() < 0.4 else repr(float(n)) for j, n in
                 enumerate(numbers)]  # fmt: skip
        names = {"u": abs(numbers[0]), "v": abs(numbers[1]), "sin": np.sin}
        inside = [f"({t})" for t in texts]
        right = eval(form.format(*inside), dict(names))
        answer = page.call("line", "w", form, texts[: 1 + ("{1}" in form)])
        space = dict(names)
        try:
            exec(compile(str(answer), "<line>", "exec"), space)
        except Exception as error:
            says = f"{answer!r} is no line of Python: {error}"
            raise page.wrong("line", says, page.lines["line"]) from None
        if not close(space.get("w", np.inf), right):
            operands = ", ".join(texts[: 1 + ("{1}" in form)])
            says = f"{answer!r} does not compute {form} of {operands} into w"
            raise page.wrong("line", says, page.lines["line"])
    for inputs, y, at in formulas(rng, [o for o in operations if o.name in OPS]):
        with transplanted(page):
            value = function(inputs, y)(*at.values())
        if not close(value, evaluate(y, at)):
            raise page.wrong("line", f"the program of {y} gives {value:.6g} at {spell(at)}")


CHECKS = {
    "evaluate": check_evaluate,
    "match": check_match,
    "one_round": check_round,
    "frame": check_frame,
    "line": check_line,
}
