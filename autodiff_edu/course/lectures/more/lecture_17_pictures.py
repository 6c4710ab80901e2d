"""Pictures of lecture 17: a schedule as a chain, the recursion of t(l, s), rooms and times."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from ...harness.chart import MOST, chart, chart_answers

Pair = tuple[int, int]  # how many steps, and for how many states there is room


def draw_schedule(title: str, actions: Iterable[Any], steps: int, wrong: Any = ()) -> None:
    """Chart the steps of a chain: how often each is made, and whether its first state is kept.

    Parameters
    ----------
    title : str
        What stands above the picture.
    actions : iterable
        The schedule; what is no action is left out.
    steps : int
        How many steps the chain has.
    wrong : collection of int, default: ()
        Steps at which the schedule is wrong.
    """
    if steps > MOST:
        return
    pairs = [(a[0], int(a[1])) for a in actions if is_action(a)]
    runs, copies = (Counter(i for w, i in pairs if w == word) for word in ("run", "keep"))
    links = {f"step {i}": [f"step {i - 1}"] if i else [] for i in range(steps)}
    notes = {
        f"step {i}": f"made {runs[i]}×" + (f", state {i} kept" if copies[i] else "")
        for i in range(steps)
    }
    chart(title, links, notes=notes, wrong={f"step {i}" for i in wrong})


def is_action(action: Any) -> bool:
    pair = action if isinstance(action, (tuple, list)) else ()
    return len(pair) == 2 and isinstance(pair[1], (int, np.integer))


def shelf_at_most(actions: Iterable[Any]) -> set[int]:
    """The states on the shelf when there are most."""
    shelf: set[int] = set()
    most: set[int] = set()
    for word, i in actions:
        shelf = shelf | {i} if word == "keep" else shelf - {i} if word == "drop" else shelf
        most = max(most, shelf, key=len)
    return most


def draw_recursion(
    title: str, pair: Pair, own: Callable[[int, int], Any], right: Callable[[int, int], int]
) -> None:
    """Chart t(l, s) and the two parts of which it is made: t(l − k, s − 1) and t(k, s).

    Parameters
    ----------
    title : str
        What stands above the picture.
    pair : tuple of int
        l and s.
    own : callable
        The student's number for l and s.
    right : callable
        The right number.
    """
    steps, room = pair

    def sum_of(k: int) -> int:
        return k + right(steps - k, room - 1) + right(k, room)

    cuts = [k for k in range(1, steps) if room > 1 or k == steps - 1]
    best = min(cuts, key=sum_of, default=0)
    parts = [(steps - best, room - 1), (best, room)] if best else []
    each = dict.fromkeys([*((l, s) for l, s in parts if s), pair])
    texts = {p: "t({}, {})".format(*p) for p in each}
    links = {texts[p]: [texts[o] for o in parts if o in each] if p == pair else [] for p in each}
    mine, theirs = ({texts[p]: number(*p) for p in each} for number in (own, right))
    chart_answers(title, links, texts={}, own=mine, right=theirs)


def draw_rooms(title: str, times: Mapping[int, float], own: int, right: int | None) -> None:
    """Chart rooms, from the smallest to the largest, each with its time.

    Parameters
    ----------
    title : str
        What stands above the picture.
    times : dict
        By room, how many times the usual time the gradient takes.
    own : int
        The student's room.
    right : int or None
        The least one that is enough, or None where it is not to be told.
    """
    words = {right: "right: ", own: "yours, and right: " if own == right else "yours: "}
    names = {room: f"room for {room}" for room in sorted(times)}
    before = dict(zip(list(names)[1:], names.values()))
    links = {name: [before[room]] if room in before else [] for room, name in names.items()}
    notes = {
        name: f"{words.get(room, '')}{times[room]:.5g} times the usual time"
        for room, name in names.items()
    }
    chart(title, links, notes=notes, wrong={names[own]} if own != right else ())
