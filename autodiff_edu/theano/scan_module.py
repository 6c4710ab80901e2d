"""`scan` as Theano returned it: the outputs, and the updates."""

from collections.abc import Callable
from typing import Any

from .. import nested
from ..nested import until


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
    profile: Any = None,
    allow_gc: Any = None,
    strict: bool = False,
    return_list: bool = False,
) -> tuple[Any, dict]:
    """(outputs, {}): a dictionary without updates, since those of streams and of shared values
    travel by themselves. `mode`, `profile` and `allow_gc` are ignored."""
    how = (sequences, outputs_info, non_sequences, n_steps, truncate_gradient, go_backwards, strict)
    found = nested.scan(fn, *how, name=name)
    return ([found] if return_list and not isinstance(found, list) else found), {}


__all__ = ["scan", "until"]
