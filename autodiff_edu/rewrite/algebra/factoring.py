"""Writing a polynomial with what its terms share taken out.

    x²·y + x·z → x·(x·y + z)

Letters: t a term, c its coefficient, x b bases, e exponents.
"""

from collections import Counter
from functools import partial
from typing import Any

from ...expr import later
from .monomial import Monomial, Powers, Terms, combined
from .named_quotients import arranged
from .sum import linear, summed
from .writing import factors, multiplied, raised

LARGE = 12  # terms that a polynomial may have


def written(terms: Terms, dtype: Any, mode: str) -> Any:
    """The sum of the terms, with what most of them share taken out, again and again.

    On the stack are sums, and what to do with those that are written.
    """
    done: list[Any] = []
    stack: list[Any] = [terms]
    while stack:
        task = stack.pop()
        if callable(task):
            task(done)
        elif shared := most_shared(task):
            taken, having, rest = shared
            c, inner = content([over(t, taken) for t in having])
            beside = [add_last, rest] if rest else []
            stack += [*beside, partial(take_out, c, taken, dtype), inner]
        else:
            done.append(without_brackets(task, dtype, mode))
    return done.pop()


def over(t: Monomial, taken: Powers) -> Monomial:
    """t / Π taken"""
    return Monomial(t.coefficient, combined(t.powers, taken, -1))


def without_brackets(terms: Terms, dtype: Any, mode: str) -> Any:
    """The sum of terms that share a number at most."""
    several = len(terms) > 1 and all(t.powers for t in terms)
    c, inner = content(terms) if several else (1, terms)
    total = summed(inner, dtype, mode)
    return total if c == 1 else linear([(c, total)], dtype)


def take_out(c: Any, taken: Powers, dtype: Any, done: list[Any]) -> None:
    """c · Π taken · (the sum that was written last)"""
    total = done.pop()
    above, under, quotients = arranged(taken)
    for x in [*factors(above, quotients, dtype)][::-1]:
        total = x * total
    below = [raised(x, e, dtype) for x, e in under.items()]
    done.append(linear([(c, total / multiplied(1, below, dtype) if below else total)], dtype))


def add_last(done: list[Any]) -> None:
    """The sum of the two that were written last."""
    rest = done.pop()
    done.append(done.pop() + rest)


def most_shared(terms: Terms) -> tuple[Powers, Terms, Terms] | None:
    """What the terms have in common that have the base that most terms have, above the line or
    below it; those terms, and the others."""
    often = Counter((x, e > 0) for t in terms for x, e in t.powers.items())
    free = [unbound(t.powers, often) for t in terms]
    bases = Counter((x, e > 0) for powers in free for x, e in powers.items())
    if max(bases.values(), default=0) < 2:
        return None
    (base, above), _ = max(bases.items(), key=lambda item: item[1])
    has = [base in powers and (powers[base] > 0) == above for powers in free]
    having = [t for t, yes in zip(terms, has, strict=True) if yes]
    rest = [t for t, yes in zip(terms, has, strict=True) if not yes]
    taken = common([powers for powers, yes in zip(free, has, strict=True) if yes])
    return taken | with_names(taken, common([t.powers for t in having])), having, rest


def unbound(powers: Powers, often: Counter) -> Powers:
    """The powers without x where x / d has a name, as y / (x + y) has, and fewer terms have d: what
    cancels there would be opened again."""
    if all(e > 0 for e in powers.values()):
        return powers
    _, _, named = arranged(powers)
    bound = {x for x, d, _ in named if often[d, False] < often[x, True]}
    return {x: e for x, e in powers.items() if x not in bound}


def with_names(taken: Powers, shared: Powers) -> Powers:
    """What has a name over a divisor that is taken out goes with it."""
    _, _, quotients = arranged(shared)
    named = [(x, d) for x, d, _ in quotients if d in taken]
    return {x: max(taken.get(x, 0), min(shared[x], -taken[d])) for x, d in named}


def common(tables: list[Powers]) -> Powers:
    """The powers that all have, each as far as the one that has least of it."""
    first, *others = tables
    taken: Powers = {}
    for x, e in first.items():
        exponents = [e, *[powers.get(x, 0) for powers in others]]
        least = min(exponents) if e > 0 else max(exponents)
        if least * e > 0:
            taken[x] = least
    return taken


def content(terms: Terms) -> tuple[Any, Terms]:
    """A number that all terms have in common, up to sign, and the terms without it."""
    sizes = {max(t.coefficient, -t.coefficient) for t in terms}
    size = sizes.pop() if len(sizes) == 1 else 1
    c = -size if all(t.coefficient < 0 for t in terms) else size
    return c, [
        t._replace(coefficient=t.coefficient * c if size == 1 else t.coefficient / c) for t in terms
    ]


# rules that were stored before look for these here
MOVED = {"rules.rare.exact_division": "ExactDivision"}
__getattr__, _ = later(__name__.partition(".rewrite.")[0] + ".rewrite", MOVED)
