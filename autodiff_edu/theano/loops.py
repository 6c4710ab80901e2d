"""`scan` as Theano had it: outputs and updates; the updates happen only if they are passed on."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any
from weakref import WeakValueDictionary

from ..expr import Constant, Expr, Input, Shared, postorder, put_in
from ..nested import until as until_condition
from ..nested.loops import scan as loops
from .core import SharedVariable, Variable, change_flags, unwrap, wrap
from .core.lifting import Met
from .core.variable import TABLES

DRAWN_IN_STEPS: WeakValueDictionary[int, Shared] = WeakValueDictionary()  # states of streams


class OrderedUpdates(dict):
    """The next values of shared variables, in order. Raises TypeError for another key."""

    def __init__(self, *pairs: Any, **none: Any):
        super().__init__()
        self.update(dict(*pairs, **none))

    def __setitem__(self, key: Any, value: Any) -> None:
        if not isinstance(key, SharedVariable):
            raise TypeError(f"OrderedUpdates keys must inherit from SharedVariable, not {key!r}")
        super().__setitem__(key, value)

    def update(self, other: Any = (), **_: Any) -> None:  # type: ignore[override]
        for key, value in dict(other).items():
            self[key] = value

    def __add__(self, other: Any) -> "OrderedUpdates":
        return OrderedUpdates({**self, **other})


def until(condition: Any) -> Any:
    """Among what a step returns: end the loop after the first step where this holds."""
    return until_condition(unwrap(condition))


def scan(
    fn: Callable[..., Any],
    sequences: Any = None,
    outputs_info: Any = None,
    non_sequences: Any = None,
    n_steps: Any = None,
    truncate_gradient: int = -1,
    go_backwards: bool = False,
    mode: Any = None,
    name: str | None = None,
    profile: Any = False,
    allow_gc: Any = None,
    strict: bool = False,
    return_list: bool = False,
    checkpoint_every: int | None = None,
) -> tuple[Any, OrderedUpdates]:
    """The outputs of all steps, and the next values of what the steps update.

    `mode`, `profile` and `allow_gc` say how Theano was to compile, and are ignored.
    """
    met = Met()
    unwrap([loops.listed(x) for x in (sequences, outputs_info, non_sequences, n_steps)], met)
    ins = [sequence(x) for x in loops.listed(sequences)]
    begins = [first(x) for x in loops.listed(outputs_info)]
    others = [given(x) for x in loops.listed(non_sequences)]
    drawn: dict[Expr, Expr] = {Input(x.name, x.type): x for x in others if depends_on_chance(x)}
    held = {x: leaf for leaf, x in drawn.items()}
    found, changes = with_updates(
        Called(fn, met.old), ins, begins, [held.get(x, x) for x in others],
        number(unwrap(n_steps)), int(truncate_gradient), go_backwards, strict, name,
        checkpoint_every=checkpoint_every)  # fmt: skip
    if drawn:
        new = put_in([*found, *changes.values()], drawn)
        found, changes = new[: len(found)], dict(zip(changes, new[len(found) :], strict=True))
    outputs = [wrap(y, met.old) for y in found]
    updates = OrderedUpdates({wrap(w): wrap(e, met.old) for w, e in changes.items()})
    if not outputs:
        return None, updates
    return (outputs[0] if len(outputs) == 1 and not return_list else outputs), updates


def with_updates(
    *arguments: Any, checkpoint_every: int | None = None
) -> tuple[list[Expr], dict[Expr, Expr]]:
    """The outputs of `scan`, and the next values of the shared ones that the steps update. Nothing
    moves these on by itself: that is for the caller to say."""
    step, loop = loops.read(*arguments)
    states = [s._replace(updates=False) for s in loop.states]
    results = loops.built(replace(loop, states=states), checkpoint_every)
    rows = zip(loop.states, results.last, strict=True)
    return step.outputs(results), {s.start: last for s, last in rows if s.updates}


def number(n: Any) -> Any:
    """A number of steps; a whole number of another dtype, or a float that is whole, is one."""
    if n is None or (isinstance(n, Expr) and not isinstance(n, Constant)):
        return n if n is None or n.dtype.kind in "iu" else n.astype("int64")
    return int(getattr(n, "value", n))


def depends_on_chance(x: Expr) -> bool:
    """Is it made of a random draw? What is handed to a step is drawn once, outside, for all."""
    draws = (n for n in postorder([x]) if isinstance(n, Shared) and n is not x)
    return any(n.default_update is not None for n in draws)


def given(x: Any) -> Any:
    return unwrap(TABLES["as_tensor_variable"](x))


def sequence(x: Any) -> Any:
    """A sequence as the engine takes it."""
    if isinstance(x, Mapping):
        return {"input": given(x["input"]), **({"taps": taps(x)} if taps(x) else {})}
    return given(x)


def taps(x: Mapping) -> Any:
    found = x.get("taps")
    return list(found) if isinstance(found, (list, tuple)) else [found] if found is not None else []


def first(x: Any) -> Any:
    """What an output begins with, as the engine takes it; None where a step needs nothing."""
    if isinstance(x, Mapping):
        if x.get("initial") is None:
            return None
        return {"initial": start(x["initial"]), **({"taps": taps(x)} if taps(x) else {})}
    return None if x is None else start(x)


def start(x: Any) -> Any:
    return x if type(x) in (int, float) else given(x)


class Called:
    """The user's step, which takes and gives old variables."""

    def __init__(self, fn: Callable[..., Any], met: list[Any]):
        self.fn, self.met, self.__name__ = fn, met, getattr(fn, "__name__", "step")
        self.__wrapped__ = fn  # whose parameters are read
        if code := getattr(fn, "__code__", None):
            self.__code__ = code

    def __call__(self, *args: Any) -> Any:
        with change_flags(compute_test_value="off"):  # what a step takes has no value yet
            rows, updates, ends = parted(self.fn(*[wrap(a) for a in args]))
        self.met += rows
        outputs = [given(y) for y in rows]
        changes = {unwrap(w): given(e) for w, e in updates}
        for n in postorder([*outputs, *changes.values()]):
            if isinstance(n, Shared) and n.default_update is not None and n not in changes:
                changes[n], DRAWN_IN_STEPS[id(n)] = n.default_update, n
        return (*outputs, *([changes] if changes else []), *ends)


def parted(found: Any) -> tuple[list[Any], list[Any], list[Any]]:
    """The outputs of a step, its updates as pairs, and its conditions."""
    if found is None:
        raise TypeError("the step of a scan returned None: write `return` before its result")
    if isinstance(found, Mapping):
        return [], list(found.items()), []
    if type(found).__name__ == "Until":
        return [], [], [found]
    if not isinstance(found, (list, tuple)):
        return [found], [], []
    if found and all(isinstance(p, tuple) and len(p) == 2 and isinstance(
            p[0], Variable) and hasattr(p[0], "get_value") for p in found):  # fmt: skip
        return [], list(found), []
    rows: list[Any] = []
    updates: list[Any] = []
    ends: list[Any] = []
    for part in found:
        a, b, c = ([], [], []) if part is None else parted(part)
        rows, updates, ends = rows + a, updates + b, ends + c
    return rows, updates, ends


# ---- loops of one kind


def map(
    fn: Callable[..., Any],
    sequences: Any,
    non_sequences: Any = None,
    truncate_gradient: int = -1,
    go_backwards: bool = False,
    mode: Any = None,
    name: str | None = None,
) -> Any:
    """A function of each entry."""
    return scan(
        fn, sequences, None, non_sequences, None, truncate_gradient, go_backwards, name=name
    )


def reduce(
    fn: Callable[..., Any],
    sequences: Any,
    outputs_info: Any,
    non_sequences: Any = None,
    go_backwards: bool = False,
    mode: Any = None,
    name: str | None = None,
) -> Any:
    """The last state alone."""
    found, updates = scan(fn, sequences, outputs_info, non_sequences, None, -1, go_backwards,
                          name=name)  # fmt: skip
    several = isinstance(found, (list, tuple))
    return ([y[-1] for y in found] if several else found[-1]), updates


def foldl(
    fn: Callable[..., Any],
    sequences: Any,
    outputs_info: Any,
    non_sequences: Any = None,
    mode: Any = None,
    name: str | None = None,
) -> Any:
    """From the first entry to the last."""
    return reduce(fn, sequences, outputs_info, non_sequences, False, name=name)


def foldr(
    fn: Callable[..., Any],
    sequences: Any,
    outputs_info: Any,
    non_sequences: Any = None,
    mode: Any = None,
    name: str | None = None,
) -> Any:
    """From the last entry to the first."""
    return reduce(fn, sequences, outputs_info, non_sequences, True, name=name)


def scan_checkpoints(
    fn: Callable[..., Any],
    sequences: Any = None,
    outputs_info: Any = None,
    non_sequences: Any = None,
    name: str = "checkpointscan_fn",
    n_steps: Any = None,
    save_every_N: int = 10,
    padding: bool = True,
) -> Any:
    """A scan that keeps every N-th state, and computes the others again on the way back; each
    output is that of the last step of such a segment."""
    return scan(fn, sequences, outputs_info, non_sequences, n_steps, checkpoint_every=save_every_N)


NAMES: dict[str, Any] = {
    f.__name__: f for f in (foldl, foldr, map, reduce, scan, scan_checkpoints, until)
}  # fmt: skip
