"""`function`, `shared` and `OpFromGraph` as Theano spelt them."""

from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any

from .. import nested, ops, run
from ..expr import Expr, Shared

config = SimpleNamespace(floatX="float64")


def function(
    inputs: Sequence[Expr],
    outputs: Any = None,
    mode: Any = None,
    updates: Any = None,
    givens: Any = None,
    name: str | None = None,
    on_unused_input: str = "raise",
    **ignored: Any,
) -> Callable[..., Any]:
    """ad.function; `mode` and what else told Theano how to compile is ignored."""
    if ignored.get("no_default_updates"):
        raise NotImplementedError("states of random streams move on at every call: "
                                  "no_default_updates is not there yet")  # fmt: skip
    return run.function(
        inputs,
        [] if outputs is None else outputs,
        updates=updates or (),
        givens=givens or (),
        on_unused_input=on_unused_input,
        name=name or "program",
    )


def shared(value: Any, name: str | None = None, borrow: bool = False, **ignored: Any) -> Shared:
    """ad.shared."""
    return ops.shared(value, name)


class OpFromGraph(nested.OpFromGraph):
    """ad.OpFromGraph with Theano's words: lop_overrides(inputs, outputs, gradients) is a pullback,
    grad_overrides(inputs, gradients) one that does not see the outputs, "default" is none."""

    def __init__(
        self,
        inputs: Sequence[Expr],
        outputs: Any,
        inline: bool = False,
        lop_overrides: Any = "default",
        grad_overrides: Any = "default",
        rop_overrides: Any = "default",
        connection_pattern: Any = None,
        name: str | None = None,
        **ignored: Any,
    ):
        if not (is_default(lop_overrides) or is_default(grad_overrides)):
            raise ValueError("lop_overrides and grad_overrides are two ways to say one thing")
        options = {k: v for k, v in ignored.items() if k in ("updates", "givens")}
        super().__init__(
            inputs,
            outputs,
            inline=inline,
            pullback=rule(lop_overrides, True) or rule(grad_overrides, False),
            pushforward=rule(rop_overrides, False),
            connection_pattern=connection_pattern,
            name=name,
            **options,
        )


def is_default(override: Any) -> bool:
    return override is None or (isinstance(override, str) and override == "default")


def rule(override: Any, sees_outputs: bool) -> Any:
    """An override in ad.OpFromGraph's form: a function of inputs, outputs and changes."""
    if is_default(override):
        return None
    if isinstance(override, (list, tuple)):
        return [rule(part, sees_outputs) for part in override]
    if sees_outputs or isinstance(override, nested.OpFromGraph) or not callable(override):
        return override
    return lambda inputs, outputs, changes: override(inputs, changes)
