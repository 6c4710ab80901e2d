"""Writing a polynomial: plainly, or with what its terms share taken out.

    x²·y + x·z → x·(x·y + z)

A term is a pair of a coefficient and a table base → exponent, as `monomial` has them.
"""

from collections import Counter
from functools import partial
from typing import Any

from .writing import Powers, arranged, factors, linear, multiplied, plus_number, product, raised

Term = tuple[Any, Powers]


def summed(found: list[Term], dtype: Any, mode: str) -> Any:
    """The sum of the terms, the number last."""
    parts = [(c, product(1, powers, dtype, mode)) for c, powers in found if powers]
    number = sum(c for c, powers in found if not powers)
    if not parts:
        return number
    return plus_number(linear(parts, dtype), number, dtype)


def written(found: list[Term], dtype: Any, mode: str) -> Any:
    """The same, with what most of the terms share taken out, again and again.

    On the stack are sums, and what to do with those that are written.
    """
    done: list[Any] = []
    stack: list[Any] = [found]
    while stack:
        task = stack.pop()
        if callable(task):
            task(done)
        elif shared := most_shared(task):
            taken, having, rest = shared
            less = {x: -e for x, e in taken.items()}
            c, inner = content([(c, times(powers, less)) for c, powers in having])
            beside = [add_last, rest] if rest else []
            stack += [*beside, partial(take_out, c, taken, dtype), inner]
        else:
            done.append(without_brackets(task, dtype, mode))
    return done.pop()


def without_brackets(found: list[Term], dtype: Any, mode: str) -> Any:
    """The sum of terms that share a number at most."""
    c, inner = content(found) if len(found) > 1 and all(p for _, p in found) else (1, found)
    total = summed(inner, dtype, mode)
    return total if c == 1 else linear([(c, total)], dtype)


def take_out(c: Any, taken: Powers, dtype: Any, done: list[Any]) -> None:
    """c · what was taken out · (the sum that was written last)"""
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


def most_shared(found: list[Term]) -> tuple[Powers, list[Term], list[Term]] | None:
    """What the terms have in common that have the base that most terms have, above the line or
    below it; those terms, and the others."""
    often = Counter((x, e > 0) for _, powers in found for x, e in powers.items())
    free = [unbound(powers, often) for _, powers in found]
    bases = Counter((x, e > 0) for powers in free for x, e in powers.items())
    if max(bases.values(), default=0) < 2:
        return None
    (base, above), _ = max(bases.items(), key=lambda item: item[1])
    has = [base in powers and (powers[base] > 0) == above for powers in free]
    having = [t for t, yes in zip(found, has, strict=True) if yes]
    rest = [t for t, yes in zip(found, has, strict=True) if not yes]
    taken = common([t for t, yes in zip(free, has, strict=True) if yes])
    return taken | with_names(taken, common([powers for _, powers in having])), having, rest


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


def content(found: list[Term]) -> tuple[Any, list[Term]]:
    """A number that all terms have in common, up to sign, and the terms without it."""
    sizes = {max(c, -c) for c, _ in found}
    size = sizes.pop() if len(sizes) == 1 else 1
    sign = -1 if all(c < 0 for c, _ in found) else 1
    return sign * size, [(c * sign if size == 1 else c / (sign * size), p) for c, p in found]


def times(one: Powers, other: Powers) -> Powers:
    total = one | {x: one.get(x, 0) + e for x, e in other.items()}
    return {x: e for x, e in total.items() if e}
