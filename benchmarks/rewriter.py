"""The rewriter on graphs of several families: time and memory a node, the log of every step kept.

What is slow on one family alone hides in a sum over all, so each has its row, and its own ratio
of the longest graph's time per node to the shortest one's: a quadratic rule would show there.
With `--full`, the longest has a million nodes.
"""

import tracemalloc
from collections.abc import Callable
from random import Random
from statistics import median

from _report import seconds, show, sizes, spread

import autodiff_edu as ad

HOW = """`simplify` in the default mode on graphs of about n nodes, built anew for each of {repeats}
runs: microseconds for each node of the graph given to it, median (least to largest); targets: at
most 15 µs and 1 KB a node. Steps and log entries (steps and rebuilt ancestors) are those of the
longest graph, for each node. Memory is what the stage keeps of the shortest graph beyond the graph
given (result, steps, log) in a run of its own, and the most that was held on the way to it."""


def total(terms: list[ad.Expr]) -> ad.Expr:
    """The sum from left to right, as Python's sum makes it."""
    result = terms[0]
    for term in terms[1:]:
        result = result + term
    return result


def long_sum(n: int) -> ad.Expr:
    """n/2 different terms, with a constant before each third one."""
    names = [ad.scalar(f"x{k}") for k in range(n // 2)]
    return total([3 * x if k % 3 == 0 else x for k, x in enumerate(names)])


def like_terms(n: int) -> ad.Expr:
    """Terms in ten variables, which collect to ten."""
    names = [ad.scalar(f"x{k}") for k in range(10)]
    return total([(k % 7 + 1) * names[k % 10] for k in range(n // 2)])


def long_product(n: int) -> ad.Expr:
    """n/2 factors, ten of them different."""
    names = [ad.scalar(f"x{k}") for k in range(10)]
    result = names[0]
    for k in range(1, n):
        result = result * names[k % 10]
    return result


def random_program(n: int) -> ad.Expr:
    """Operations drawn by chance, each on two of the twenty latest values."""
    chance = Random(1)
    made = [ad.scalar(name) for name in "abcd"]
    while len(made) < n:
        x, y = (chance.choice(made[-20:]) for _ in range(2))
        made.append(chance.choice(OPERATIONS)(x, y))
    return total(made[-20:])


OPERATIONS: list[Callable[..., ad.Expr]] = [
    ad.add, ad.subtract, ad.multiply, ad.divide, ad.maximum,
    lambda x, y: ad.sin(x), lambda x, y: ad.exp(x), lambda x, y: ad.log(x), lambda x, y: -x,
    lambda x, y: x * 1, lambda x, y: x + 0, lambda x, y: 2 * x + x * 3, lambda x, y: x**2,
    lambda x, y: ad.log(ad.exp(x)), lambda x, y: ad.log(1 + x), lambda x, y: x - x + y,
]  # fmt: skip


def much_used(n: int) -> ad.Stage:
    """The adjoint of a variable used n/6 times: reverse mode, to which each use contributes."""
    x = ad.scalar("x")
    return ad.reverse_mode(total([ad.sin(k * x) for k in range(1, n // 6)]), x)


def symbolic(n: int) -> ad.Stage:
    """The symbolic derivative of a sum of products, full of zeros and ones."""
    x, y = ad.scalar("x"), ad.scalar("y")
    return ad.symbolic_derivative(total([y * ad.sin(3 * x) for _ in range(n // 16)]), x)


FAMILIES = (long_sum, like_terms, long_product, random_program, much_used, symbolic)


def measure(make: Callable, n: int, repeats: int) -> tuple[list[float], ad.Stage, int]:
    """Microseconds a node in each run, the last run's stage, the number of nodes."""
    times = []
    for _ in range(repeats):
        given = make(n)
        nodes = (given.graph if isinstance(given, ad.Stage) else ad.Graph(given)).size
        kept: list[ad.Stage] = []
        times.append(1e6 * seconds(lambda: kept.append(ad.simplify(given))) / nodes)  # noqa: B023
    return times, kept[0], nodes


def memory(make: Callable, n: int) -> list[float]:
    """KB a node that a stage keeps, and the most that was held while it was made."""
    given = make(n)
    nodes = (given.graph if isinstance(given, ad.Stage) else ad.Graph(given)).size
    tracemalloc.start()
    stage = ad.simplify(given)
    held = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    del stage
    return [size / nodes / 1e3 for size in held]


def row(make: Callable, lengths: tuple[int, ...], repeats: int) -> list[str]:
    """One family."""
    found = [measure(make, n, repeats) for n in lengths]
    flat = median(found[-1][0]) / median(found[0][0])
    _, stage, nodes = found[-1]
    logged = [len(what) / nodes for what in (stage.steps, stage.log)]
    counted = [f"{x:.2f}" for x in (*logged, *memory(make, lengths[0]))]
    name = make.__name__.replace("_", " ")
    return [name, f"{flat:.2f}", *counted, *(spread(times) for times, _, _ in found)]


def main(lengths: tuple[int, ...] = (10_000, 100_000, 1_000_000), repeats: int = 3) -> None:
    """A row for each family."""
    ad.simplify(random_program(1000))  # warm
    counted = ["longest : shortest", "steps", "log", "KB kept", "KB at most"]
    head = ["per node", *counted, *(f"µs at {n:,}" for n in lengths)]
    rows = [row(make, lengths, repeats) for make in FAMILIES]
    show("The rewriter", HOW.format(repeats=repeats), head, rows)


if __name__ == "__main__":
    main(**sizes(lengths=(1000, 10_000)))
