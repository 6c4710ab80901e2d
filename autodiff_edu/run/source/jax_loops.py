"""Loops and branches in the text of a program for JAX: lax.scan, lax.while_loop and lax.cond.

def scan(steps, h, all_x, U):
    def step(states, slices):
        h, = states
        x, = slices
        v1 = ...
        return (v1,), (v1,)
    last, stacked = lax.scan(step, (h,), (all_x,), steps)
    return last[0], with_first(h, stacked[0])
"""

from collections.abc import Callable, Sequence
from typing import Any

from ...expr import LazyModule, ShapeError
from .branches import Choice
from .jax_lengths import by_condition
from .loops import Lines, Loop, plain

jax, jnp, lax = LazyModule("jax"), LazyModule("jax.numpy"), LazyModule("jax.lax")


class Repeat(Loop):
    """The lines of a loop."""

    def __init__(self, op: Any, wanted: frozenset[int], names: Sequence[str], new: Any):
        super().__init__(op, wanted, names, new)
        words = "step states slices last stacked"
        self.step, self.old, self.now, self.last, self.stacked = map(new, words.split())
        self.conditional = by_condition(op) and (op.until or not self.kept)
        self.space = {
            "scan_steps": scan_steps,
            "while_steps": while_steps,
            "with_first": with_first,
        }

    def text(
        self, body: Lines, found: Sequence[str], numbers: bool = False, left: Sequence[str] = ()
    ) -> Lines:
        """The lines of the function; `found` are the texts of the body's outputs."""
        lines = [(f"    {line}", n) for line, n in body]
        begin = [
            f"def {self.step}({self.old}, {self.now}):",
            *[f"    {tuple_of(names)} = {given}" for names, given in
              [(self.states, self.old), (self.slices, self.now)] if names],
        ]  # fmt: skip
        a = len(self.states)
        given = [tuple_of(found[:a]), tuple_of([found[k] for k in self.kept])]
        given += [found[-1]] if self.op.until else ["False"] if self.conditional else []
        run = "while_steps" if self.conditional else "scan_steps"
        how = f"{self.step}, {tuple_of(self.states)}, {tuple_of(self.sequences)}, {self.steps}"
        end = [
            f"    return {', '.join(given)}",
            f"{self.last}, {self.stacked} = {run}({how})",
            f"return {tuple_of(self.places())}",
        ]
        return [*plain(begin), *lines, *plain(end)]

    def places(self) -> list[str]:
        """All results in their places, None for those that nobody wants."""
        a = len(self.states)
        texts = ["None"] * (2 * a + self.op.rows)
        for k in self.wanted & set(range(a)):
            texts[k] = f"{self.last}[{k}]"
        for place, k in enumerate(self.kept):
            row = f"{self.stacked}[{place}]"
            texts[a + k] = f"with_first({self.states[k]}, {row})" if k < a else row
        return texts


class Choose(Choice):
    """The lines of a branch."""

    def __init__(self, op: Any, wanted: frozenset[int], names: Sequence[str], new: Any):
        super().__init__(op, wanted, names, new)
        self.first, self.second = new("first"), new("second")
        self.space = {"choose": choose}

    def text(
        self, body: Lines, found: Sequence[str], numbers: bool = False, left: Sequence[str] = ()
    ) -> Lines:
        """The lines of the function; `found` are the texts of the body's outputs."""
        both: Lines = []
        half = len(found) // 2
        sides: list[Lines] = [[], []]
        for line, n in body:
            places = [k for k in (0, 1) if n in self.needed[k]]
            (both if len(places) == 2 else sides[places[0]]).append((line, n))
        given = [found[:half], found[half:]]
        named = zip((self.first, self.second), sides, given, strict=True)
        inner = [side(name, lines, results) for name, lines, results in named]
        end = f"return choose({self.condition}, {self.first}, {self.second})"
        return [*both, *inner[0], *inner[1], (end, None)]


def side(name: str, lines: Lines, results: Sequence[str]) -> Lines:
    """A side as a function of what stands before it."""
    inside = [*lines, *plain([f"return {', '.join(results)}"])]
    return [*plain([f"def {name}():"]), *[(f"    {line}", n) for line, n in inside]]


def tuple_of(texts: Sequence[str]) -> str:
    return f"({', '.join(texts)}{',' * (len(texts) == 1)})"


# ---- what the lines call


def choose(condition: Any, first: Callable[[], Any], second: Callable[[], Any]) -> Any:
    """The results of one side; what is known already needs no branch."""
    if isinstance(condition, jax.core.Tracer):
        return lax.cond(condition, first, second)
    return first() if condition else second()


def scan_steps(step: Any, states: tuple, sequences: tuple, steps: Any) -> tuple[tuple, tuple]:
    """The last states, and what each step gives, stacked."""
    n = checked(sequences, steps)
    if not n:  # XLA 0.10 may end the process
        return states, no_rows(given(step, states, sequences)[1])
    return lax.scan(step, states, sequences, n)


def while_steps(step: Any, states: tuple, sequences: tuple, steps: Any) -> tuple[tuple, tuple]:
    """The same for a loop that may end before, or whose number of steps JAX need not know: what
    was given until then."""
    states, sequences = tuple(map(jnp.asarray, states)), tuple(map(jnp.asarray, sequences))
    kept = given(step, states, sequences)[1]
    n = checked(sequences, steps) if kept else min(map(len, sequences), default=1)
    if not n:
        return states, no_rows(kept)
    rows = tuple([jnp.zeros((n, *row.shape), row.dtype) for row in kept])

    def more(now: tuple) -> Any:
        k, ended, _, _ = now
        return (k < steps) & ~ended

    def once(now: tuple) -> tuple:
        k, _, states, rows = now
        states, new, ended = step(states, tuple([s[k] for s in sequences]))
        rows = tuple([row.at[k].set(value) for row, value in zip(rows, new, strict=True)])
        return k + 1, jnp.asarray(ended), states, rows

    k, _, last, rows = lax.while_loop(more, once, (jnp.int64(0), jnp.bool_(False), states, rows))
    return last, tuple([row[: int(k)] for row in rows])


def checked(sequences: tuple, steps: Any) -> int:
    """The number of steps, with which the sequences agree."""
    n = int(steps)
    if n < 0:
        raise ValueError(f"{n} steps: their number is 0 or more")
    for s in sequences:
        if len(s) != n:
            raise ShapeError(f"a sequence of {len(s)} slices for {n} steps")
    return n


def given(step: Any, states: tuple, sequences: tuple) -> Any:
    """The shapes and dtypes of what a step gives."""
    slices = [jax.ShapeDtypeStruct(s.shape[1:], s.dtype) for s in sequences]
    return jax.eval_shape(step, tuple(map(jnp.asarray, states)), tuple(slices))


def no_rows(kept: tuple) -> tuple:
    return tuple([jnp.zeros((0, *row.shape), row.dtype) for row in kept])


def with_first(first: Any, rest: Any) -> Any:
    """All states, of which the first stands by itself."""
    first = jnp.asarray(first)[None]
    return jnp.concatenate([first, rest]) if len(rest) else first
