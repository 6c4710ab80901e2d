"""`theano.function`: what a program lists, checked as Theano checked it, then compiled by ours."""

import warnings
from collections.abc import Iterable, Sequence
from typing import Any

from ... import run
from ...expr import Constant, Expr, Input, MissingInputError, Shared, postorder, put_in
from ..core import SharedVariable, Variable, config, unwrap, wrap
from ..core.variable import TABLES
from ..loops import DRAWN_IN_STEPS
from .function_module import Function, Slot
from .io import In, Out, as_in
from .mode import get_mode

Pairs = list[tuple[Any, Any]]


class UnusedInputError(Exception):
    """Raised where an input is listed that no output and no update needs."""


def function(
    inputs: Any,
    outputs: Any = None,
    mode: Any = None,
    updates: Any = None,
    givens: Any = None,
    no_default_updates: Any = False,
    accept_inplace: bool = False,
    name: str | None = None,
    rebuild_strict: bool = True,
    allow_input_downcast: bool | None = None,
    profile: Any = None,
    on_unused_input: str | None = None,
    trust_input: bool = False,
) -> Function:
    """A function that computes the outputs from values for the inputs, then makes the updates.

    `mode` and `profile` say how Theano was to compile, and are ignored.
    """
    get_mode(mode)
    how = {"updates": updates, "givens": givens, "no_default_updates": no_default_updates,
           "name": name, "mode": mode, "allow_input_downcast": allow_input_downcast,
           "on_unused_input": on_unused_input}  # fmt: skip
    ins = read_inputs(inputs)
    keys, listed, outs = read_outputs(outputs)
    given = [(variable(k), TABLES["as_tensor_variable"](v)) for k, v in pairs(givens)]
    changes = read_updates(pairs(updates))
    moving = [k for k, i in enumerate(ins) if i.update is not None]
    outs = [*outs, *[TABLES["as_tensor_variable"](ins[k].update) for k in moving]]
    slots, substituted = make_slots(ins, allow_input_downcast)
    rows = [(unwrap(a), unwrap(b)) for a, b in given]
    found = substitute_all([*map(unwrap, outs), *changes.values()], rows, substituted)
    new = found[len(outs) :]
    shared = dict(zip([w.expr for w in changes], new, strict=True))
    default = default_updates(found, shared, no_default_updates, (rows, substituted))
    check_used(ins, outs, given, changes | default, on_unused_input)
    shared |= default
    check_complete([*found, *default.values()], slots)
    program = run.function([s.expr for s in slots], found[: len(outs)], updates=shared,
                           on_unused_input="ignore")  # fmt: skip
    made = Function(program, slots, keys, listed, name or None, [wrap(w) for w in shared])
    made.remake, made.variables = (inputs, outputs, how), ([i.variable for i in ins], outs)
    made.trust_input, made.moving, made.outward = trust_input, moving, ways_out(outs, moving)
    return made


def ways_out(outs: Sequence[Any], moving: Sequence[int]) -> dict[int, Any]:
    """How outputs that are no arrays, such as random streams, are handed out."""
    kinds = [getattr(o.type, "outward", None) for o in outs[: len(outs) - len(moving)]]
    return {k: kind for k, kind in enumerate(kinds) if kind is not None}


def read_inputs(inputs: Any) -> list[In]:
    """The inputs, checked."""
    if not isinstance(inputs, (list, tuple)):
        raise Exception("Input variables of a Theano function should be contained in a list, even "
                        "when there is a single input.")  # fmt: skip
    ins = [as_in(i) for i in inputs]
    check_inputs(ins)
    return ins


def pairs(given: Any) -> Pairs:
    """Pairs, or a dictionary, as a list of pairs."""
    return list(given.items() if hasattr(given, "items") else given or [])


def variable(given: Any) -> Variable:
    if not isinstance(given, Variable):
        raise TypeError(f"givens say what stands in the place of a variable, not of {given!r}")
    return given


def check_inputs(ins: Sequence[In]) -> None:
    """Raises TypeError, ValueError for what cannot be an input."""
    seen: list[Any] = []
    for i in ins:
        if isinstance(i.variable, SharedVariable):
            raise TypeError(f"Cannot use a shared variable ({i.variable}) as explicit input. "
                            "Consider substituting a non-shared variable via the `givens` "
                            "parameter")  # fmt: skip
        if isinstance(unwrap(i.variable), Constant) or not isinstance(i.variable, Variable):
            raise TypeError(f"Unknown parameter type: {i.variable!r} is no variable")
        if any(i.variable is s for s in seen):
            raise ValueError(f"the input {i.variable} is listed twice")
        seen.append(i.variable)


def read_outputs(outputs: Any) -> tuple[list[Any] | None, bool, list[Any]]:
    """The keys of a dictionary, whether it is a list, and the variables."""
    keys = None
    if isinstance(outputs, dict):
        if not all(isinstance(k, str) for k in outputs):
            raise AssertionError("the keys of outputs are texts")
        keys = sorted(outputs)
        outputs = [outputs[k] for k in keys]
    listed = isinstance(outputs, (list, tuple))
    several = outputs if listed else [] if outputs is None else [outputs]
    given = [o.variable if isinstance(o, Out) else o for o in several]
    return keys, listed or outputs is None, [TABLES["as_tensor_variable"](o) for o in given]


def read_updates(rows: Pairs) -> dict[Any, Any]:
    """The next value of each shared variable, of its type. Raises TypeError, ValueError."""
    found: dict[Any, Any] = {}
    for w, new in rows:
        if not isinstance(w, SharedVariable):
            raise TypeError(f"update target must be a SharedVariable, not {w!r}")
        if w in found:
            raise ValueError(f"this shared variable already has an update expression: {w}")
        new = TABLES["as_tensor_variable"](new)
        if new.dtype != w.dtype and TABLES["no_loss"](new.dtype, w.dtype):
            new = new.astype(w.dtype)
        stretches = any(b and not a for a, b in zip(w.broadcastable, new.broadcastable))
        if new.dtype != w.dtype or new.ndim != w.ndim or stretches:
            raise TypeError(
                f"An update must have the same type as the original shared variable "
                f"(shared_var={w}, shared_var.type={w.type}, update_val={new}, "
                f"update_val.type={new.type}). If the difference is related to the dtype, "
                "write T.cast(value, theano.config.floatX)")  # fmt: skip
        found[w] = unwrap(new)
    return found


def make_slots(ins: Sequence[In], downcast: Any) -> tuple[list[Slot], Pairs]:
    """What the caller gives, and what stands in the place of an input that is no leaf."""
    slots, instead = [], []
    for k, i in enumerate(ins):
        e = unwrap(i.variable)
        if not isinstance(e, Input):
            leaf = Input(f"x{k}", e.type)
            instead.append((e, leaf))
            e = leaf
        allowed = downcast if i.allow_downcast is None else i.allow_downcast
        slots.append(Slot(e, i.variable.type, i.name, i.value, i.strict, allowed))
    return slots, instead


def substitute_all(roots: list[Expr], given: Pairs, instead: Pairs) -> list[Expr]:
    """The roots with givens, and with leaves in the places of inputs that are none."""
    found = put_in(roots, dict(instead)) if instead else roots
    for x, e in given:
        if e.dtype != x.dtype and TABLES["no_loss"](e.dtype, x.dtype):
            given = [(a, e.astype(x.dtype) if a is x else b) for a, b in given]
        elif e.dtype != x.dtype or e.ndim != x.ndim:
            raise TypeError(f"Cannot convert Type {wrap(e).type} (of Variable {wrap(e)}) into Type "
                            f"{wrap(x).type}, in givens for {wrap(x)}")  # fmt: skip
    return put_in(found, dict(given)) if given else found


def default_updates(found: Sequence[Expr], known: dict, off: Any, given: Any) -> dict:
    """The updates that shared values, such as states of random streams, make by themselves; one
    that is switched off keeps its value."""
    if not isinstance(off, (bool, list, tuple, set)):
        raise TypeError(f"no_default_updates is True, False or a list of shared variables: {off}")
    kept = set() if isinstance(off, bool) else {unwrap(w) for w in off}
    more: dict[Any, Any] = {}
    waiting = list(found)
    while waiting:
        read = [n for n in postorder(waiting) if isinstance(n, Shared)]
        new = [n for n in read if n.default_update is not None and n not in known | more]
        for n in new:
            more[n] = n if off is True or n in kept or in_a_step(n) else n.default_update
        waiting = [more[n] for n in new if more[n] is not n]
    return dict(zip(more, substitute_all(list(more.values()), *given), strict=True))


def in_a_step(n: Shared) -> bool:
    """Is it moved by a loop, whose step its update needs?"""
    update: Any = n.default_update
    return DRAWN_IN_STEPS.get(id(n)) is n and any(isinstance(i, Input) for i in postorder([update]))


def check_complete(found: Iterable[Expr], slots: Sequence[Slot]) -> None:
    """Raises MissingInputError for an input that is not listed."""
    listed = {s.expr for s in slots}
    for n in postorder(found):
        if isinstance(n, Input) and n not in listed:
            raise MissingInputError(f"Input {wrap(n)} of the graph, a {wrap(n).type}, is not "
                                    "provided and not given a value: add it to the inputs, or to "
                                    "givens")  # fmt: skip


def check_used(
    ins: Sequence[In], outs: Sequence[Any], given: Pairs, changes: dict, what: str | None
) -> None:
    """Does something depend on each input, as the program wrote it?"""
    what = config.on_unused_input if what is None else what
    if what not in ("raise", "warn", "ignore"):
        raise ValueError(f"on_unused_input is raise, warn or ignore, not {what!r}")
    if what == "ignore":
        return
    roots = [*outs, *[wrap(e) for e in changes.values()], *[v for _, v in given]]
    needed = reached(roots)
    unused = [i.variable for i in ins if id(i.variable) not in needed and i.value is None]
    for x in unused:
        said = (f"theano.function was asked to create a function computing outputs given certain "
                f"inputs, but the provided input variable {x} is not part of the computational "
                "graph needed to compute the outputs. To make this error into a warning, you can "
                "pass the parameter on_unused_input='warn'")  # fmt: skip
        if what == "raise":
            raise UnusedInputError(said)
        warnings.warn(said, stacklevel=3)


def reached(roots: Sequence[Variable]) -> set[int]:
    """What the roots were made of: a gradient that is simple now was made of its cost."""
    seen: set[int] = set()
    waiting: list[Any] = list(roots)
    alive = []
    while waiting:
        v = waiting.pop()
        if id(v) in seen:
            continue
        seen.add(id(v))
        alive.append(v)
        waiting += v.sources
        waiting += [wrap(i) for i in v.expr.inputs]
    return seen
